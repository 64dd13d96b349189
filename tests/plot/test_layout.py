"""Texts that are measured once and ticks that are placed once: as by matplotlib, whatever they differ in."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import combinations
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axis import Axis
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text

from podium.plot.layout import Constrained, measured_once

MEASURE, PLACE = Text._get_layout, Axis._update_ticks
# Each text differs from the first in one of these, and in nothing else.
LOOKS: list[dict[str, Any]] = [
    {},
    {"s": "gradient boosting\n(depth = $12$), tuned, stopped late"},
    {"fontsize": 14},
    {"fontweight": "bold"},
    {"rotation": 30},
    {"rotation": 90},
    {"rotation": 30, "rotation_mode": "anchor"},
    {"ha": "right"},
    {"va": "top"},
    {"multialignment": "center"},
    {"linespacing": 2.0},
    {"parse_math": False},
    {"wrap": True},
]


def drawn(looks: Sequence[dict[str, Any]] = LOOKS) -> tuple[Any, list[Text]]:
    figure, ax = plt.subplots(figsize=(3, 3))
    look = {"s": "gradient boosting\n(depth = $12$), tuned, stopped early", "fontsize": 10}
    return figure, [ax.text(0.5, 0.5, **look | one) for one in looks]


def measured(figure: Any, texts: list[Text]) -> list[Any]:
    renderer = figure.canvas.get_renderer()
    places = [text.get_window_extent(renderer).extents.tolist() for text in texts]
    lines = [text._get_layout(renderer)[1:] for text in texts]
    return list(zip(places, lines, strict=True))


def test_texts_that_differ_in_anything_are_measured_as_by_matplotlib() -> None:
    figure, texts = drawn()
    for dpi in (100, 150):
        figure.set_dpi(dpi)
        expected = measured(figure, texts)
        assert all(one != two for one, two in combinations(expected, 2))
        with measured_once():
            assert measured(figure, texts) == expected
            assert measured(figure, texts) == expected
            with measured_once():
                assert measured(figure, texts) == expected
            assert Text._get_layout is not MEASURE
        assert Text._get_layout is MEASURE


def test_a_text_that_changes_is_measured_again() -> None:
    figure, (text, *_, wrapped) = drawn()
    renderer = figure.canvas.get_renderer()
    with measured_once():
        heights = [text.get_window_extent(renderer, dpi=dpi).height for dpi in (100, 200)]
        text.get_fontproperties().set_size(20)
        heights.append(text.get_window_extent(renderer, dpi=100).height)
        assert len(set(np.round(heights, 3))) == 3
        broken = wrapped.get_window_extent(renderer).height
        wrapped.set_x(-0.1)  # where there is more room for it
        assert wrapped.get_window_extent(renderer).height < broken
        width = text.get_window_extent(renderer, dpi=150).width
        figure.set_dpi(150)
        assert text.get_window_extent(figure.canvas.get_renderer()).width > width


def test_texts_are_measured_again_with_other_settings() -> None:
    sizes = []
    for name in ("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono"):
        figure, texts = drawn(LOOKS[:3])
        with mpl.rc_context({"font.sans-serif": [name]}):
            sizes.append(measured(figure, texts))
            with measured_once():
                assert measured(figure, texts) == sizes[-1]
    assert all(one != two for one, two in combinations(sizes, 2))


def test_texts_are_measured_again_in_other_formats() -> None:
    figure, _ = drawn([{"s": "gradient boosting\n(depth = 12)", "rotation": turned} for turned in (0, 30)])
    dateless: dict[str, Any] = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}

    def saved(kind: str, *, once: bool) -> bytes:
        buffer = io.BytesIO()
        with measured_once() if once else nullcontext(), mpl.rc_context({"svg.hashsalt": "x"}):
            figure.savefig(buffer, format=kind, metadata=dateless[kind])
        return buffer.getvalue()

    expected = [saved(kind, once=False) for kind in dateless]
    assert [saved(kind, once=True) for kind in dateless] == expected


def ticks(ax: Any) -> list[Any]:
    """The labels of both axes with their places, and what all numbers have in common."""
    renderer = ax.figure.canvas.get_renderer()
    found: list[Any] = []
    for axis in (ax.xaxis, ax.yaxis):
        shown = axis._update_ticks()
        boxes, _ = axis._get_ticklabel_bboxes(shown, renderer)
        found += [
            [tick.label1.get_text() for tick in shown],
            np.array(boxes).tolist(),
            axis.major.formatter.get_offset(),
        ]
    return found


def test_ticks_are_placed_again_where_their_axes_have_changed() -> None:
    figure, (left, right) = plt.subplots(1, 2, sharex=True, figsize=(8, 3))
    left.plot([0, 2], [1e6, 1e6 + 3])
    above = figure.add_axes(left.get_position(), sharex=left, sharey=left)
    above.tick_params(labelsize=5)
    changes = [
        lambda: None,
        lambda: left.set_ylim(-1e-7, 1e-7),
        lambda: left.set_xlim(1e6, 1e6 + 1),
        lambda: left.set_position((0.1, 0.2, 0.1, 0.3)),  # one of two axes with the same formatter becomes narrower
        lambda: figure.set_dpi(150),
    ]
    seen = []
    with measured_once():
        placed_once = Axis._update_ticks
        for change in changes:
            change()
            found = [ticks(ax) for ax in (left, right, left, above, left)]
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(Axis, "_update_ticks", PLACE)
                assert [ticks(ax) for ax in (left, right, left, above, left)] == found
            assert Axis._update_ticks is placed_once
            seen.append(found)
    assert all(one != two for one, two in combinations(seen, 2))
    assert Axis._update_ticks is PLACE


def test_a_figure_is_laid_out_as_by_matplotlib() -> None:
    places = []
    for layout in (Constrained(), ConstrainedLayoutEngine()):
        figure, ax = plt.subplots(layout=layout)
        ax.set(title="a title\nof two lines", xlabel="score", yticks=[0, 1], yticklabels=["svm", "gradient\nboosting"])
        figure.draw_without_rendering()
        places.append(ax.get_position().extents)
        assert Text._get_layout is MEASURE
    np.testing.assert_array_equal(*places)
