"""Words on drawings: levels, counts and labels are whole."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

import podium


@pytest.mark.parametrize(("alpha", "level"), [(0.05, "95%"), (0.025, "97.5%")])
def test_every_title_and_legend_says_the_whole_level(alpha: float, level: str) -> None:
    results = podium.examples.load_ulas2008()
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
        podium.plot.worths(podium.plot.figures.worths(podium.bradley_terry(comparisons), alpha=alpha)),
    ):
        words = " ".join([ax.get_title(loc="left"), ax.get_xlabel(), ax.get_ylabel()]).split()
        assert level in words, ax
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
