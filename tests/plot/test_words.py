"""No drawing reads words: every text that is made from facts becomes another one, and every mark stays where it is."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawings import DRAWINGS
from made_results import several
from matplotlib.axes import Axes
from matplotlib.collections import Collection, PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

import podium
from podium.analysis import text
from podium.figures.numbers import ComparisonNumbers, FigureNumbers
from podium.figures.simultaneous_intervals import SimultaneousIntervals
from podium.plot.explore import explore
from podium.plot.save import figure_of

TEXTS = {
    FigureNumbers: ["measure_label", "value_parts", "block_noun", "block_label", "heading"],
    ComparisonNumbers: ["estimand_label"],
    SimultaneousIntervals: ["value_parts"],
}
TABLES = {
    "podium.plot.dataset_effects": ["_HEADINGS"],
    "podium.plot.simultaneous_intervals": ["_MEANINGS"],
    "podium.plot.variance_shares": ["SOURCES"],
}


def other(words: Any) -> Any:
    """Replace every sign of a text but spaces and placeholders, so that lines break where they did."""
    if isinstance(words, tuple):
        return tuple(map(other, words))
    return re.sub(r"({\w+})|[^ ]", lambda found: found[1] or "x", words)


def replace_words(patch: pytest.MonkeyPatch) -> None:
    for kind, names in TEXTS.items():
        for name in names:
            getter = vars(kind)[name].fget
            patch.setattr(kind, name, property(lambda self, getter=getter: other(getter(self))))
    for catalogue in (text.ESTIMANDS, text._ADJUSTMENTS):
        for key, words in catalogue.items():
            patch.setitem(catalogue, key, other(words))  # type: ignore[arg-type]
    for module, names in TABLES.items():
        for name in names:
            table = getattr(sys.modules[module], name)
            for key, words in list(table.items()):
                label = (other(words[0]), *words[1:]) if isinstance(words, tuple) else other(words)
                patch.setitem(table, key, label)


def geometry(ax: Axes) -> list[Any]:
    """Limits, and the place, form and colour of every mark."""
    found: list[Any] = [ax.get_xlim(), ax.get_ylim(), ax.get_xticks(), ax.get_yticks(), len(ax.texts)]
    for mark in ax.get_children():
        if isinstance(mark, Line2D):
            found.append(mark.get_xydata())
        elif isinstance(mark, Collection):
            paths = [path.vertices for path in mark.get_paths()]
            found += [*paths, mark.get_offsets(), mark.get_facecolor(), mark.get_edgecolor()]
        elif isinstance(mark, Patch):
            found += [mark.get_path().vertices, mark.get_facecolor()]
    return found + [part for child in ax.child_axes for part in geometry(child)]


@pytest.fixture(autouse=True)
def equal_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """All letters are equally wide, so that lines of other words break where those of the real ones do."""
    monkeypatch.setattr("podium.plot.names._width_in_ems", lambda text, bold: 0.58 * len(text))


def drawn(name: str) -> tuple[list[Any], list[str]]:
    figure = figure_of(DRAWINGS[name]())
    shapes = [figure.get_size_inches(), *(part for ax in figure.axes for part in geometry(ax))]
    labels = [label for ax in figure.axes for label in (ax.get_title(loc="left"), ax.get_xlabel(), ax.get_ylabel())]
    plt.close(figure)
    return shapes, labels


@pytest.mark.parametrize("name", DRAWINGS)
def test_other_words_move_no_mark(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected, words = drawn(name)
    replace_words(monkeypatch)
    found, others = drawn(name)
    assert [label.count("\n") for label in others] == [label.count("\n") for label in words]
    assert len(found) == len(expected)
    for one, two in zip(found, expected, strict=True):
        np.testing.assert_array_equal(np.ma.filled(one, np.nan), np.ma.filled(two, np.nan))


def test_most_labels_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the test above would claim nothing."""
    replace_words(monkeypatch)
    labels = drawn("box")[1] + drawn("simultaneous-intervals")[1]
    assert [label for label in labels if label and set(label) - set("x \n")] == [
        "95% simultaneous intervals, xx xxxx xxxx"
    ]


def test_other_words_change_no_list_of_contents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def entries(folder: str) -> list[str]:
        explore(several(m=2, b=3), tmp_path / folder)
        lines = (tmp_path / folder / "contents.md").read_text(encoding="utf-8").splitlines()
        return [line.partition(": ")[0] for line in lines if line.lstrip().startswith("- ")]

    figures = sys.modules["podium.plot.explore"]._figures
    monkeypatch.setattr("podium.plot.explore.save", lambda drawing, path: path)
    monkeypatch.setattr(
        "podium.plot.explore._figures",
        lambda *arguments: ((stem, notes, plt.figure) for stem, notes, _ in figures(*arguments)),
    )
    expected = entries("one")
    for name in ("summarize", "orders", "intervals", "worst_case", "places"):
        make = getattr(sys.modules["podium.plot.explore"], name)

        def with_other_legend(*arguments: Any, make=make, **options: Any) -> Any:
            frame = make(*arguments, **options)
            frame.attrs["legend"] = dict.fromkeys(frame.attrs["legend"], "x")
            return frame

        monkeypatch.setattr(f"podium.plot.explore.{name}", with_other_legend)
    assert entries("two") == expected
    plt.close("all")


def test_the_summary_plot_says_what_a_bar_is() -> None:
    ax = DRAWINGS["summary"]()
    assert isinstance(ax, Axes)
    assert ax.get_xlabel().startswith("place\nfull colour: mean, the longer the worse")
    plt.close(ax.figure)


def test_titles_name_adjustments_after_people_and_one_interval_as_one() -> None:
    results = podium.datasets.load_demsar2006()
    compared = podium.compare(results, method="wilcoxon", adjust="shaffer")
    assert podium.plot.pvalues(compared).get_title(loc="left").endswith("Shaffer adjustment")
    one = podium.compare(results.select(algorithms=list(results.algorithms[:2])), method="wilcoxon")
    assert podium.plot.simultaneous_intervals(one).get_title(loc="left") == "95% confidence interval, 14 data sets"
    plt.close("all")


def test_a_place_that_is_never_taken_has_no_bar() -> None:
    ax = DRAWINGS["place-counts"]()
    assert isinstance(ax, Axes)
    bars = [marks for marks in ax.collections if isinstance(marks, PolyCollection)]
    lines = [np.broadcast_to(marks.get_linewidth(), len(marks.get_paths())) for marks in bars]
    heights = [np.ptp(path.vertices[:, 1]) for marks in bars for path in marks.get_paths()]
    assert set(np.concatenate(lines)[np.array(heights) == 0]) == {0.0}
    plt.close(ax.figure)


def long_names() -> podium.Results:
    rng = np.random.default_rng(0)
    values = 0.8 + 0.03 * rng.normal(size=(6, 5, 4)) - np.array([0, 0.02, 0.05, 0.08])
    names = ["gradient boosting (2.0)", "random forest, 500 trees", "k nearest neighbours", "logistic regression, L1"]
    datasets = [f"data set number {x}, version 2" for x in "pqrstu"]
    labels = {"dataset": datasets, "replication": None, "algorithm": names}
    return podium.read(values, labels=labels, measure="accuracy")


@pytest.mark.parametrize("size", ["column", "page", "screen"])
def test_the_line_below_a_summary_plot_is_whole(size: str) -> None:
    ax = podium.plot.summary(podium.domain(long_names(), method="t"), size=size)
    ax.figure.draw_without_rendering()
    label = ax.xaxis.label.get_window_extent()
    assert 0 <= label.x0 < label.x1 <= ax.figure.bbox.width
    assert label.x1 <= ax.get_window_extent().x1 + 1


def test_numbers_of_replications_are_whole() -> None:
    one = long_names().select(dataset="data set number p, version 2")
    ax = podium.plot.monitor(podium.monitor(one), size="column")
    ticks = ax.get_xticks()
    assert len(ticks) >= 3 and (ticks == np.round(ticks)).all()


def test_the_legend_of_many_pairs_counts_those_with_a_point() -> None:
    """Fifteen pairs of six algorithms: with ten replications Holm's smallest p-value is 15 · 2 · 2^-10 = 0.029."""
    rng = np.random.default_rng(0)
    values = 0.8 + 0.001 * rng.normal(size=(1, 12, 6)) - 0.05 * np.arange(6)
    labels = {"dataset": ["x"], "replication": None, "algorithm": list("abcdef")}
    results = podium.read(values, labels=labels, measure="accuracy")
    for upto, expected in ((5, "none"), (12, "15")):
        few = results.select(replications=list(results.replications[:upto]))
        ax = podium.plot.monitor(podium.monitor(few))
        texts = [text.get_text() for legend in ax.figure.legends for text in legend.get_texts()]
        assert [text.replace("\n", " ") for text in texts] == [
            f"a pair of algorithms; Π is reached by {expected} of 15"
        ]
