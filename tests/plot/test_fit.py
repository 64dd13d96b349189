"""No text hides another or leaves the canvas: every figure, at the widths of a column and a page, with difficult names."""

from __future__ import annotations

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hard import FIGURES, compared, faults, fit, names, one, texts, weak
from made_results import several

import podium
from podium import plot
from podium.plot.drawing import PLOTS
from podium.plot.pair_rows import name_pairs
from podium.plot.save import figure_of
from podium.plot.style import local, whole_figure
from podium.plot.summary_graph import _length_inside

# Many algorithms in a column are like many on a page, only higher.
SIZES = {"column": 12, "page": 24}

# On a page there is as much room for each of more names, and more for everything else. Tried are those that choose where
# names stand by their number and by the width, one of those that do it in the same way.
ON_A_PAGE = (
    *("box", "strip vertical", "density", "podium", "trellis box", "trellis podium"),
    *("critical_difference", "critical_difference letters", "critical_difference two sides"),
    *("pvalues", "multi_comparison", "distances", "characteristics", "simultaneous_intervals"),
    *("variance_shares", "dataset_effects", "replications", "stages", "preference_tree"),
    *("hasse", "multitest_graph", "multitest_walk", "cost_tradeoff", "dendrogram"),
    *("summary", "summary_graph", "stacked", "archetype_profiles", "archetype_plane"),
)

TITLED = {
    "box": lambda: one(12),
    "podium": lambda: one(12),
    "pvalues": lambda: compared(12, "wilcoxon"),
    "critical_difference": lambda: compared(12, "nemenyi"),
    "hasse": lambda: weak(12),
    "fitted_boxes": lambda: fit(4),
}


@pytest.mark.parametrize(
    ("name", "size"), [*((name, "column") for name in FIGURES), *((name, "page") for name in ON_A_PAGE)]
)
def test_texts_stay_apart_and_inside(name: str, size: str) -> None:
    assert faults(FIGURES[name](SIZES[size], size)) == []


def test_every_plot_is_among_them() -> None:
    public = {name for name in PLOTS if name in plot.__all__}  # an example of the documentation adds one of its own
    assert {name.split()[0] for name in FIGURES} == {*public, "trellis"}


def test_two_algorithms_with_short_names() -> None:
    for draw in (plot.podium, plot.strip, plot.places):
        assert faults(draw(several(), size="column")) == []


@pytest.mark.parametrize("name", TITLED)
def test_a_figure_without_a_title_is_lower(name: str) -> None:
    draw, subject = getattr(plot, name), TITLED[name]()
    with_title, without = (draw(subject, size="column", title=title) for title in ("A title", ""))
    high, low = (whole_figure(ax if not hasattr(ax, "ravel") else ax[0]) for ax in (with_title, without))
    assert low.get_figheight() < high.get_figheight()
    assert [ax.get_title(loc="left") for ax in low.axes] == [""] * len(low.axes)


def test_axes_of_a_figure_without_a_layout_engine_keep_their_room() -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    before = right.get_position()
    plot.podium(several(), ax=left)
    plot.box(several(), ax=right)
    bars = left.child_axes[0]
    figure.canvas.draw()
    assert bars.get_window_extent().y0 == pytest.approx(right.get_window_extent().y0, abs=1)
    assert right.get_position().bounds == before.bounds


def test_a_low_critical_difference_diagram_uses_its_room() -> None:
    """Letters shrink only as far as they must: no size that is a tenth larger would fit."""
    ax = plot.critical_difference(compared(12, "nemenyi"), size=(3.3, 2.5))
    assert faults(ax) == []
    names = [text for text in ax.texts if text.get_text().strip()[:1].isalpha()]
    low, high = sorted(ax.get_ylim())
    assert max(abs(text.get_position()[1]) for text in names) > 0.8 * (high - max(low, 0.0))


def test_names_are_whole_or_broken() -> None:
    for name in ("cost_tradeoff", "multitest_graph", "critical_difference"):
        drawn = FIGURES[name](12, "column")
        assert not any("…" in text.get_text() for text in texts(figure_of(drawn)))


def test_the_check_sees_an_overlap_and_what_leaves_the_canvas() -> None:
    _, ax = plt.subplots()
    ax.text(0.5, 0.5, "one")
    ax.text(0.51, 0.5, "two")
    ax.text(1.3, 0.5, "three")
    found = faults(ax)
    assert found[0] == "'one' over 'two'"
    assert found[1].startswith("'three' outside by")


@pytest.mark.parametrize("k", [3, 12, 30, 45])
def test_every_pair_is_named_or_numbered(k: int) -> None:
    algorithms = names(k)
    first, second = zip(*combinations(algorithms, 2), strict=True)
    with local("page"):
        found = name_pairs(first, second, algorithms, 480.0)
    assert len(set(found.texts)) == len(first)
    assert len(found.key) in (0, k)
    if found.key:
        assert found.texts[k - 2] == f"1 – {k}"
        assert found.key[0] == f"1  {algorithms[0]}"
    assert found.row >= found.font


def test_names_of_a_summary_graph_keep_off_edges() -> None:
    box = np.array([0.0, 0.0, 4.0, 2.0])
    lines = [((-1, 1), (5, 1)), ((2, -1), (2, 1)), ((-1, 3), (5, 3)), ((5, 0), (5, 2)), ((1, 1), (1, 1))]
    starts, ends = (np.array([line[i] for line in lines], float) for i in (0, 1))
    assert [_length_inside(starts[[i]], ends[[i]], box) for i in range(5)] == [4.0, 1.0, 0.0, 0.0, 0.0]
    ax = plot.summary_graph(equal_domain())
    names = [text for text in ax.texts if text.get_text()]
    figure = whole_figure(ax)
    figure.canvas.draw()
    segments = ax.transData.transform(np.array([line[:2] for line in ax.collections[0].get_segments()]).reshape(-1, 2))
    starts, ends = segments.reshape(-1, 2, 2).transpose(1, 0, 2)
    assert len(names) == 6
    for name in names:
        covered = _length_inside(starts, ends, np.ravel(name.get_window_extent().get_points()))
        assert covered < 1.0, name.get_text()


def equal_domain() -> podium.relations.Domain:
    """Six data sets with the same order: each is joined to each."""
    values = np.arange(3.0) + np.random.default_rng(1).random((6, 1, 3))
    labels = {"dataset": list("abcdef"), "replication": [1], "algorithm": ["svm", "knn", "lda"]}
    return podium.domain(podium.read(values, labels=labels, measure="loss", direction="lower"), statistic="mean")


def test_a_name_from_right_to_left_keeps_its_number_beside_the_line() -> None:
    first = several().algorithms[0]
    renamed = several().rename(algorithms={first: "\u062e\u0648\u0627"})
    ax = plot.critical_difference(podium.compare(renamed, method="nemenyi"))
    written = [text.get_text() for text in ax.texts]
    assert "\u062e\u0648\u0627" in written
    assert not any("\u062e" in text and any(letter.isdigit() for letter in text) for text in written)
