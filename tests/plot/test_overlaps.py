"""No text hides another or leaves the figure, for 2, 6, 15 and 30 algorithms with long names, on paper and screen."""

from __future__ import annotations

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from made_results import noisy, several
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

import podium
from podium import plot
from podium.plot.style import whole_figure

DRAW = {
    "strip": plot.strip,
    "strip vertical": lambda r, **o: plot.strip(r, orientation="vertical", **o),
    "intervals": plot.percentile_intervals,
    "places": plot.places,
    "podium": plot.podium,
    "density overlay": lambda r, **o: plot.density(r, overlay=True, **o),
}
LIKE_STRIP = {"box": plot.box, "violin": plot.violin, "density": plot.density, "histogram": plot.histogram}


def texts(figure: Figure) -> list[tuple[str, Bbox, float]]:
    """All texts that are seen, with their places in pixels and their rotation."""
    figure.canvas.draw()
    found = [figure._suptitle, figure._supxlabel, figure._supylabel]
    boxes = [*figure.legends]
    for outer in figure.axes:
        for ax in (outer, *outer.child_axes):
            found += [*ax.texts, ax.title, ax._left_title, ax._right_title]
            found += [*ticks_in_view(ax.xaxis, ax.get_xlim()), *ticks_in_view(ax.yaxis, ax.get_ylim())]
            boxes.append(ax.get_legend())
    for box in filter(None, boxes):
        found += box.get_texts()
    return [
        (text.get_text(), text.get_window_extent(), text.get_rotation())
        for text in found
        if text is not None and text.get_visible() and text.get_text().strip()
    ]


def ticks_in_view(axis: Axis, limits: tuple[float, float]) -> list[Text]:
    """The label of an axis, and its tick labels that are drawn."""
    low, high = sorted(limits)
    drawn = [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
    return [axis.label, *drawn]


def hidden(one: tuple[str, Bbox, float], two: tuple[str, Bbox, float]) -> bool:
    """Tell whether two texts overlap by more than a pixel."""
    (_, a, turn), (_, b, also) = one, two
    if turn == also and turn % 90:
        # Slanted labels: their boxes overlap, their lines of text do not while their right ends are a line apart.
        line = min(a.width, a.height, b.width, b.height)
        return np.hypot(a.x1 - b.x1, 0) * np.sin(np.radians(turn)) < min(line, 8) * 0.5
    return min(a.x1, b.x1) - max(a.x0, b.x0) > 1 and min(a.y1, b.y1) - max(a.y0, b.y0) > 1


def check(figure: Figure) -> None:
    found = texts(figure)
    assert len(found) > 4
    clashes = [(one[0], two[0]) for one, two in combinations(found, 2) if hidden(one, two)]
    assert clashes == []
    whole = figure.bbox
    outside = [
        text
        for text, box, _ in found
        if box.x0 < whole.x0 - 1 or box.x1 > whole.x1 + 1 or box.y0 < whole.y0 - 1 or box.y1 > whole.y1 + 1
    ]
    assert outside == []


@pytest.mark.parametrize("size", ["screen", "column"])
@pytest.mark.parametrize("k", [2, 6, 15, 30])
@pytest.mark.parametrize("name", DRAW)
def test_long_names(name: str, k: int, size: str) -> None:
    check(whole_figure(DRAW[name](noisy(k, 5), size=size)))


@pytest.mark.parametrize("name", LIKE_STRIP)
def test_long_names_in_other_figures_with_lanes(name: str) -> None:
    check(whole_figure(LIKE_STRIP[name](noisy(30, 5), size="column")))


@pytest.mark.parametrize(("kind", "size"), [("box", "column"), ("podium", "screen")])
def test_trellis(kind: str, size: str) -> None:
    results = podium.datasets.load_ulas2008().select(datasets=["iris", "wine", "zoo"])
    check(whole_figure(plot.trellis(results, kind=kind, size=size)[0]))


def test_short_names_and_ordinary_axes() -> None:
    for size in ("screen", "column"):
        check(whole_figure(plot.podium(several(), lines="neutral", size=size)))


def test_axes_of_a_figure_without_a_layout_engine_keep_their_room() -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    before = right.get_position()
    plot.podium(several(), ax=left)
    plot.box(several(), ax=right)
    bars = left.child_axes[0]
    figure.canvas.draw()
    assert bars.get_window_extent().y0 == pytest.approx(right.get_window_extent().y0, abs=1)
    assert right.get_position().bounds == before.bounds


def test_the_check_sees_an_overlap() -> None:
    figure, ax = plt.subplots()
    ax.text(0.5, 0.5, "one")
    ax.text(0.51, 0.5, "two")
    with pytest.raises(AssertionError):
        check(figure)
