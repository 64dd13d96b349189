"""Words on drawings: which of them other words replace, what they say, and that they are whole."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawings import DRAWINGS, ordered
from made_results import several
from matplotlib.axes import Axes
from other_words import TABLES, TEXTS, crossed_out, labels, note_words, replace_words

import podium
from podium.plot.explore import explore
from podium.plot.save import figure_of


def test_most_labels_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise it would mean nothing that other words move no mark."""
    with pytest.MonkeyPatch.context() as patch:
        asked = note_words(patch)
        for name in ("box", "simultaneous-intervals", "dataset-effects", "variance-shares"):
            DRAWINGS[name]()
    assert asked >= {*chain.from_iterable((*TEXTS.values(), *TABLES.values()))}
    replace_words(monkeypatch)
    found = [label for name in ("box", "simultaneous-intervals") for label in labels(figure_of(DRAWINGS[name]()))]
    assert [crossed_out(label) for label in found if set(crossed_out(label)) - set("x \n")] == [
        "95% simultaneous intervals, xx xxxx xxxx"
    ]
    assert sum("x" in crossed_out(label) for label in found) >= 4


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
    assert ax.get_xlabel().split("\n") == [
        "place",
        "full colour: mean, its distance from the best in the domain",
        "black line: difference in the relation of the data set",
        "* not a weak order",
    ]
    labels = {"dataset": None, "replication": None, "algorithm": list("abcd")}
    errors = podium.read(1 - long_names().values[..., 0], labels=labels, measure="error", direction="lower")
    costs = podium.plot.summary(podium.domain(errors, statistic="mean"))
    assert "\nfull colour: mean, the longer the worse\n" in costs.get_xlabel()
    plt.close("all")


def test_marks_that_no_legend_names_are_explained_below_the_axes() -> None:
    def label(name: str) -> str:
        drawn = DRAWINGS[name]()
        one = drawn if isinstance(drawn, Axes) else next(iter(drawn))
        below = one.get_xlabel() or one.figure.get_supxlabel()
        plt.close(one.figure)
        return " ".join(below.split())

    assert label("preference-tree") == "worth; dashed: all the same (1/6)"
    assert label("stability-curve") == "number of prototypes; light bars: quartiles of the samples"
    assert label("multitest-graph") == (
        "prior order by training time, preferred first; numbers: places in the final order; arrows: to a "
        "significantly better algorithm"
    )
    assert label("stages") == "stage ▼ difference shown, dashes below: bounds of rejection, above: of acceptance"


def test_a_title_is_not_broken_around_an_equals_sign() -> None:
    ax = DRAWINGS["multitest-graph"]()
    assert isinstance(ax, Axes)
    assert "α\u00a0=\u00a00.05" in ax.get_title(loc="left")
    plt.close(ax.figure)


def test_titles_name_adjustments_after_people_and_one_interval_as_one() -> None:
    results = podium.datasets.load_demsar2006()
    compared = podium.compare(results, method="wilcoxon", adjust="shaffer")
    assert podium.plot.pvalues(compared).get_title(loc="left").endswith("Shaffer adjustment")
    one = podium.compare(results.select(algorithms=list(results.algorithms[:2])), method="wilcoxon")
    assert podium.plot.simultaneous_intervals(one).get_title(loc="left") == "95% confidence interval, 14 data sets"
    plt.close("all")


@pytest.mark.parametrize(("alpha", "level"), [(0.05, "95%"), (0.025, "97.5%"), (0.005, "99.5%"), (0.001, "99.9%")])
def test_every_title_and_legend_says_the_whole_level(alpha: float, level: str) -> None:
    results = podium.datasets.load_ulas2008()
    iris = results.select(dataset="iris", algorithms=["lnp", "c45", "svl"])
    frame = podium.summaries.worst_case(iris, m=2, interval=True, alpha=alpha, resamples=100)
    assert f"lower end of the {level} " in frame.attrs["legend"]["lower"]
    frame = podium.summaries.intervals(iris, kind="t", alpha=alpha)
    assert f"lower end of the {level} " in frame.attrs["legend"]["lower"]
    comparison = podium.compare(iris, method="corrected t", adjust="bonferroni", alpha=alpha)
    comparisons = podium.PairedComparisons.from_results(results)
    for ax in (
        podium.plot.intervals(iris, kind="t", alpha=alpha),
        podium.plot.simultaneous_intervals(comparison),
        podium.plot.credible_intervals(podium.inference.compare_bayes(iris, alpha=alpha)),
        podium.plot.worths(podium.figures.worths(podium.bradley_terry(comparisons), alpha=alpha)),
    ):
        assert level in " ".join(labels(ax.figure)).split(), ax
    plt.close("all")


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
    plt.close(ax.figure)
    relations = {x: podium.Relation.from_chain(" < ".join(x)) for x in ("abcde", "badce")}
    for size in (3.0, 5.0, 9.0):
        ax = podium.plot.dendrogram(podium.relations.distances(relations), size=size)
        ticks = ax.get_xticks()
        assert (ticks == np.round(ticks)).all()
        plt.close(ax.figure)


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


def test_the_heading_of_a_tradeoff_keeps_the_name_of_the_data_set() -> None:
    made = podium.figures.cost_tradeoff(ordered())
    for name, expected in (
        (": draft", ": draft: circles are on the Pareto front"),
        (None, "circles are on the Pareto front"),
    ):
        ax = podium.plot.cost_tradeoff(replace(made, dataset=name))
        assert ax.get_title(loc="left") == expected
        plt.close(ax.figure)
