"""Every figure with difficult names, and what is wrong with its texts: overlaps, and what leaves the canvas."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

os.environ.setdefault("MPLBACKEND", "Agg")
sys.path.insert(0, str(Path(__file__).parents[1] / "describe"))

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text

import podium
from podium import plot
from podium.plot.save import figure_of

NAMES = [
    "XGBoost (tuned)",
    "RandomForestClassifier(n=500)",
    "gradient boosting, early stop",
    "svm",
    "k-NN",
    "logistic_regression_elasticnet",
    "MLP[128,128,64]-dropout0.5",
    "naive Bayes",
    "cost $1 & <b>tree</b>",
    "LightGBM (default)",
]


def names(k: int) -> list[str]:
    """Names of up to 30 characters; the later ones differ from the first in a number."""
    return [NAMES[i % 10] if i < 10 else f"{NAMES[i % 10][:26]} #{i // 10}" for i in range(k)]


@cache
def one(k: int, b: int = 12, log: bool = False) -> podium.Results:
    """Errors of k algorithms on one data set."""
    random = np.random.default_rng(k)
    values = 0.2 + np.linspace(0, 0.15, k) + random.normal(0, 0.02, (b, 1)) + random.gamma(2, 0.02, (b, k))
    if log:
        values = 10 ** (8 * values - 3)
    labels = {"replication": range(1, b + 1), "algorithm": names(k)}
    measure = "fit time" if log else "misclassification error"
    return podium.read(values, labels=labels, measure=measure, direction="lower", dataset="a data set with a long name")


@cache
def many(k: int, m: int = 20, b: int = 1) -> podium.Results:
    """Accuracies of k algorithms on m data sets."""
    random = np.random.default_rng(k)
    values = 70 + random.normal(0, 5, (m, 1, 1)) - np.arange(k) / 3
    values = values + random.normal(0, 1.5, (m, 1, k)) + random.normal(0, 2, (m, b, k))
    datasets = [f"{['pima indians', 'breast-cancer-wisconsin', 'zoo'][i % 3]} {i}" for i in range(m)]
    labels = {"dataset": datasets, "replication": range(b), "algorithm": names(k)}
    return podium.read(values, labels=labels, measure="accuracy", direction="higher", units={"accuracy": "%"})


@cache
def compared(k: int, method: str, **options: object) -> podium.Comparison:
    return podium.compare(many(k), method=method, **options)


@cache
def fit(k: int) -> podium.inference.MixedFit:
    return podium.mixed(many(k, 6, 3))


@cache
def chains(n: int) -> dict[str, podium.Relation]:
    found = list(podium.examples.load_uci_chains().values())
    labels = names(n)
    return {labels[i]: podium.Relation.from_chain(found[i % len(found)]) for i in range(n)}


@cache
def domain(k: int) -> podium.relations.Domain:
    return podium.domain(many(k, 9, 4), method="t")


@cache
def ordered(k: int) -> podium.inference.Multi2Test:
    return podium.multi2test(many(k, 5, 6), cost=names(k)[::-1], test="t")


@cache
def bayes(k: int, method: str) -> podium.inference.BayesComparison:
    return podium.inference.compare_bayes(many(k), method=method, equivalence=1)


def partial(k: int) -> podium.Relation:
    return podium.Relation.from_estimates(np.arange(k) ** 1.3, algorithms=names(k), epsilon=0.5 * k)


def weak(k: int) -> podium.Relation:
    return podium.Relation.from_ranks(np.arange(k) // 7, names(k))


@cache
def tree(k: int) -> podium.inference.BradleyTerryTree:
    """Two splits, by names that are long."""
    rng = np.random.default_rng(k)
    group = np.arange(120) % 3
    covariates = pd.DataFrame(
        {"first canonical correlation of $x": group, "colour": [NAMES[i] for i in (group % 2)]}, index=range(120)
    )
    values = rng.normal(size=(120, k)) + 2 * rng.normal(size=(3, k))[group]
    labels = {"dataset": [f"data {i}" for i in range(120)], "algorithm": names(k)}
    pairs = podium.PairedComparisons.from_results(podium.read(values, labels=labels, measure="error"))
    return podium.bradley_terry_tree(pairs, covariates, min_size=30)


@cache
def sequential(k: int, m: int) -> podium.inference.Sequential:
    """All others against one of them on one data set, or leaders of several."""
    if m == 1:
        return podium.sequential(one(k, 40), control="svm", stages=4, intervals=False)
    return podium.sequential(many(k, m, 40), pair="leaders", stages=4, intervals=False)


@cache
def model(k: int) -> podium.inference.BradleyTerry:
    return podium.bradley_terry(podium.PairedComparisons.from_results(many(k)))


@cache
def extremes(k: int) -> podium.archetypal.DomainArchetypes:
    return podium.archetypal.domain_archetypes(many(k, 12, 4), k=3, n_init=1)


@cache
def alike(k: int) -> podium.archetypal.Prototypes:
    return podium.archetypal.prototypes(many(12, k, 2).values[..., 0].reshape(k, -1).T, 3, n_init=1)


@cache
def stable() -> podium.archetypal.PrototypeStability:
    return podium.archetypal.prototype_stability(extremes(12).matrix, [2, 3, 4], resamples=3, n_init=1)


@cache
def described(k: int) -> pd.DataFrame:
    """Characteristics with long names of data sets with long names."""
    values = np.random.default_rng(0).normal(size=(k // 2, k))
    values[0, 1] = np.nan
    return pd.DataFrame(values, index=names(k // 2), columns=names(k))


@cache
def effect(k: int) -> podium.design.ResamplingEffect:
    index = pd.MultiIndex.from_product(
        [names(k // 2), ["bootstrap", "subsampling, 2/3"], range(5)], names=["dataset", "scheme", "replication"]
    )
    samples = pd.DataFrame({"first canonical correlation": np.random.default_rng(0).random(len(index))}, index)
    whole = pd.DataFrame({"first canonical correlation": 0.5}, index=names(k // 2))
    return podium.design.ResamplingEffect(samples=samples, whole=whole)


FIGURES: dict[str, Callable[[int, object], object]] = {
    "strip": lambda k, size: plot.strip(one(k), size=size),
    "strip vertical": lambda k, size: plot.strip(one(k), orientation="vertical", size=size),
    "box": lambda k, size: plot.box(one(k), size=size),
    "box log": lambda k, size: plot.box(one(k, log=True), size=size),
    "density": lambda k, size: plot.density(one(k), size=size),
    "density overlay": lambda k, size: plot.density(one(k), overlay=True, size=size),
    "histogram": lambda k, size: plot.histogram(one(k), size=size),
    "intervals": lambda k, size: plot.intervals(one(k), kind="t", size=size),
    "percentile_intervals": lambda k, size: plot.percentile_intervals(one(k), size=size),
    "podium": lambda k, size: plot.podium(one(k), lines="algorithm", size=size),
    "places": lambda k, size: plot.places(one(k), size=size),
    "time": lambda k, size: plot.time(one(k, log=True), size=size),
    "trellis box": lambda k, size: plot.trellis(many(k, 3, 3), size=size),
    "trellis podium": lambda k, size: plot.trellis(many(k, 3, 3), kind="podium", size=size),
    "critical_difference": lambda k, size: plot.critical_difference(compared(k, "nemenyi"), size=size),
    "critical_difference wilcoxon": lambda k, size: plot.critical_difference(compared(k, "wilcoxon"), size=size),
    "critical_difference letters": lambda k, size: plot.critical_difference(
        compared(k, "nemenyi"), groups="letters", size=size
    ),
    "critical_difference two sides": lambda k, size: plot.critical_difference(
        compared(k, "nemenyi"), sides="two", size=size
    ),
    "critical_difference control": lambda k, size: plot.critical_difference(
        compared(k, "nemenyi", control="svm"), size=size
    ),
    "critical_difference mixed": lambda k, size: plot.critical_difference(fit(k).contrasts(), size=size),
    "pvalues": lambda k, size: plot.pvalues(compared(k, "wilcoxon"), size=size),
    "multi_comparison": lambda k, size: plot.multi_comparison(compared(k, "wilcoxon"), size=size),
    "simultaneous_intervals": lambda k, size: plot.simultaneous_intervals(
        fit(k).contrasts(equivalence=(-2, 2)), size=size
    ),
    "credible_intervals": lambda k, size: plot.credible_intervals(bayes(min(k // 2, 10), "sign"), size=size),
    "credible_intervals few": lambda k, size: plot.credible_intervals(bayes(k // 4, "sign"), size=size),
    "simplex": lambda k, size: plot.simplex(bayes(3, "sign"), *names(3)[1:], size=size),
    "variance_shares": lambda k, size: plot.variance_shares(dict.fromkeys(names(k), fit(4)), size=size),
    "dataset_effects": lambda k, size: plot.dataset_effects(fit(k), size=size),
    "fitted_boxes": lambda k, size: plot.fitted_boxes(fit(k), size=size),
    "hasse": lambda k, size: plot.hasse(partial(k), size=size),
    "hasse weak": lambda k, size: plot.hasse(weak(k), size=size),
    "incidence": lambda k, size: plot.incidence(partial(k), size=size),
    "distances": lambda k, size: plot.distances(chains(k), size=size),
    "multitest_graph": lambda k, size: plot.multitest_graph(ordered(k), size=size),
    "multitest_walk": lambda k, size: plot.multitest_walk(ordered(k // 2), size=size),
    "cost_tradeoff": lambda k, size: plot.cost_tradeoff(ordered(k), size=size),
    "two_passes": lambda k, size: plot.two_passes(ordered(k), size=size),
    "summary": lambda k, size: plot.summary(domain(min(k // 2, 10)), size=size),
    "summary_graph": lambda k, size: plot.summary_graph(domain(min(k // 2, 10)), size=size),
    "stacked": lambda k, size: plot.stacked(many(k), size=size),
    "dendrogram winners": lambda k, size: plot.dendrogram(domain(min(k // 2, 10)), size=size),
    "dendrogram": lambda k, size: plot.dendrogram(chains(k), size=size),
    "monitor": lambda k, size: plot.monitor(podium.monitor(one(3, 40)), size=size),
    "monitor many": lambda k, size: plot.monitor(podium.monitor(one(k, 40), method="t"), size=size),
    "stages": lambda k, size: plot.stages(sequential(k // 2, 1), size=size),
    "stages trellis": lambda k, size: plot.stages(sequential(k, 6), size=size),
    "confidence_sequence": lambda k, size: plot.confidence_sequence(
        podium.inference.confidence_sequence(one(k, 40), pair=(names(k)[1], names(k)[5]), equivalence=0.01), size=size
    ),
    "replications": lambda k, size: plot.replications(sequential(k, 6), size=size),
    "replications of algorithms": lambda k, size: plot.replications(sequential(k, 1), size=size),
    "preference_tree": lambda k, size: plot.preference_tree(tree(k), size=size),
    "archetype_scree": lambda k, size: plot.archetype_scree(extremes(k), size=size),
    "archetype_profiles": lambda k, size: plot.archetype_profiles(extremes(k), size=size),
    "archetype_coefficients": lambda k, size: plot.archetype_coefficients(extremes(k), size=size),
    "archetype_percentiles": lambda k, size: plot.archetype_percentiles(extremes(k), size=size),
    "archetype_simplex": lambda k, size: plot.archetype_simplex(extremes(k), size=size),
    "archetype_plane": lambda k, size: plot.archetype_plane(extremes(k), approximation=True, trace=True, size=size),
    "archetype_residuals": lambda k, size: plot.archetype_residuals(extremes(k), size=size),
    "prototype_profiles": lambda k, size: plot.prototype_profiles(alike(k), size=size),
    "stability_curve": lambda k, size: plot.stability_curve(stable(), size=size),
    "worths": lambda k, size: plot.worths(model(k), size=size),
    "characteristics": lambda k, size: plot.characteristics(described(k), size=size),
    "instability": lambda k, size: plot.instability(tree(k), size=size),
    "instability levels": lambda k, size: plot.instability(tree(k), variable="colour", size=size),
    "resampling_effect": lambda k, size: plot.resampling_effect(effect(k), size=size),
}


def texts(figure: Figure) -> list[Text]:
    """All texts that are seen."""
    found = [figure._suptitle, figure._supxlabel, figure._supylabel]
    boxes = [*figure.legends]
    for outer in figure.axes:
        for ax in (outer, *outer.child_axes):
            found += [*ax.texts, ax.title, ax._left_title, ax._right_title]
            found += [*on_axis(ax.xaxis, ax.get_xlim()), *on_axis(ax.yaxis, ax.get_ylim())]
            boxes.append(ax.get_legend())
    for box in filter(None, boxes):
        found += box.get_texts()
    return [text for text in found if text is not None and text.get_visible() and text.get_text().strip()]


def on_axis(axis: Axis, limits: tuple[float, float]) -> list[Text]:
    """The label of an axis, and its tick labels that are drawn, the minor ones too."""
    low, high = sorted(limits)
    ticks = [tick for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()) if low <= tick.get_loc() <= high]
    return [axis.label, *(label for tick in ticks for label in (tick.label1, tick.label2) if label.get_visible())]


def faults(drawing: object) -> list[str]:
    """What is wrong with the texts of a drawing: those that overlap, and those that leave the canvas."""
    figure = figure_of(drawing)
    slack = 0.5 * figure.dpi / 72
    figure.draw_without_rendering()
    found = texts(figure)
    # of the text alone: that of an annotation counts its line, too
    x0, y0, x1, y1 = np.array([Text.get_window_extent(text).extents for text in found]).T
    assert len(found) > 2
    words = [text.get_text() for text in found]
    wide = np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0)
    high = np.minimum(y1[:, None], y1) - np.maximum(y0[:, None], y0)
    over = np.triu((wide > slack) & (high > slack), 1)
    out = np.max([-x0, -y0, x1 - figure.bbox.x1, y1 - figure.bbox.y1], axis=0)
    return [
        *(f"{words[i]!r} over {words[j]!r}" for i, j in np.argwhere(over)),
        *(f"{words[i]!r} outside by {out[i]:.0f}" for i in np.flatnonzero(out > slack)),
    ]


if __name__ == "__main__":
    # python tests/plot/hard.py FOLDER K [NAME ...]: writes the figures as they are seen, and says what is wrong.
    folder, k, *chosen = sys.argv[1:]
    Path(folder).mkdir(exist_ok=True)
    for name in chosen or FIGURES:
        for size in ("column", "page"):
            drawing = FIGURES[name](int(k), size)
            wrong = faults(drawing)
            plot.save(
                drawing, Path(folder) / f"{name.replace(' ', '-')}-{k}-{size}.png", dpi=100 if size == "page" else 150
            )
            inches = figure_of(drawing).get_size_inches().round(1)
            sys.stdout.write(f"{name} {size} {inches}: {len(wrong)} faults {wrong[:3]}\n")
            plt.close("all")
