"""The drawings whose pictures are kept in ``baseline/``.

``python tests/plot/drawings.py`` rewrites them, all or those named. With ``--whole FOLDER`` it writes them as users see
them, with text, for inspection.
"""

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
from made_results import noisy
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import podium
from podium import plot
from podium.plot.save import figure_of

BASELINE = Path(__file__).parent / "baseline"
DPI = 60


def iris() -> podium.Results:
    return ulas().select(dataset="iris")


def six() -> podium.Results:
    """Six algorithms with their published colours, 120 replications."""
    return noisy(6, 120, decimals=2, names=["lda", "knn", "rpart", "svm", "nnet", "rf"])


def four_sets() -> podium.Results:
    return ulas().select(datasets=["iris", "wine", "glass", "zoo"])


def times() -> podium.Results:
    values = 10 ** np.random.default_rng(1).normal([-2, -1, 1], 0.3, (40, 3)).round(2)
    values[0, 0] = 0
    labels = {"replication": range(40), "algorithm": ["lda", "rf", "svm"]}
    return podium.read(values, labels=labels, measure="fit time")


@cache
def ulas() -> podium.Results:
    return podium.examples.load_ulas2008()


@cache
def compared(method: str, **options: object) -> podium.Comparison:
    return podium.compare(ulas(), method=method, **options)


def gappy() -> podium.Comparison:
    """Three algorithms, two of which share no replication."""
    values = np.random.default_rng(0).random((10, 3))
    values[5:, 0], values[:6, 2] = np.nan, np.nan
    labels = {"replication": range(10), "algorithm": ["a", "b", "c"]}
    results = podium.read(values, labels=labels, measure="error")
    return podium.compare(results, method="sign", missing="available")


@cache
def compared_many() -> podium.Comparison:
    return podium.compare(noisy(15, 12), method="nemenyi")


@cache
def fit() -> podium.inference.MixedFit:
    return podium.mixed(ulas())


@cache
def fit_of_iris() -> podium.inference.MixedFit:
    return podium.mixed(iris())


@cache
def posterior_by_signs() -> podium.inference.BayesComparison:
    return podium.inference.compare_bayes(ulas(), method="sign", equivalence=1)


@cache
def posterior_of_iris() -> podium.inference.BayesComparison:
    return podium.inference.compare_bayes(iris(), equivalence=1)


@cache
def domain() -> podium.relations.Domain:
    return podium.domain(ulas().select(datasets=ulas().datasets[::3]), method="5x2cv F")


@cache
def worth_model() -> podium.inference.BradleyTerry:
    return podium.bradley_terry(podium.PairedComparisons.from_results(six()))


@cache
def worth_tree() -> podium.inference.BradleyTerryTree:
    """Six algorithms and ten leaves: the order changes with two characteristics."""
    rng = np.random.default_rng(0)
    covariates = pd.DataFrame({"obs.n": rng.integers(50, 5000, 800), "i2r.fcc": rng.uniform(size=800).round(3)})
    group = covariates["obs.n"] // 1000 + 5 * (covariates["i2r.fcc"] > 0.5)
    shift = rng.normal(scale=0.15, size=(10, 6))
    names = ["lda", "knn", "rpart", "svm", "nnet", "rf"]
    values = rng.normal(scale=0.1, size=(800, 6)) + shift[group.to_numpy()]
    labels = {"dataset": [f"data {i}" for i in range(800)], "algorithm": names}
    results = podium.read(values, labels=labels, measure="error", direction="lower")
    pairs = podium.PairedComparisons.from_results(results)
    return podium.bradley_terry_tree(pairs, covariates, min_size=40)


@cache
def level_tree() -> podium.inference.BradleyTerryTree:
    """A split by levels."""
    rng = np.random.default_rng(1)
    kind = np.array(["text", "image", "sound"])[np.arange(150) % 3]
    values = rng.normal(size=(150, 3)) + 1.2 * rng.normal(size=(3, 3))[np.arange(150) % 3]
    labels = {"dataset": [f"data {i}" for i in range(150)], "algorithm": ["lda", "svm", "rf"]}
    pairs = podium.PairedComparisons.from_results(podium.read(values, labels=labels, measure="error"))
    return podium.bradley_terry_tree(pairs, pd.DataFrame({"kind": kind}), min_size=20)


def described() -> pd.DataFrame:
    """Characteristics of samples of four data sets, one of which does not have one of them."""
    rng = np.random.default_rng(0)
    index = pd.MultiIndex.from_product([["iris", "sonar", "monks3", "wine"], range(1, 21)])
    table = pd.DataFrame(rng.normal(size=(80, 4)), index, ["obs.n", "cvar.skew", "resp.entropy", "i2r.fcc"])
    table.loc["monks3", "cvar.skew"] = np.nan
    table["obs.n"] = np.repeat([100, 139, 370, 118], 20)
    return table


@cache
def pima() -> podium.Results:
    return podium.examples.load_pima().select(algorithms=["lda", "svm1", "rf"])


def chains() -> dict[str, podium.Relation]:
    found = podium.examples.load_uci_chains()
    return {name: podium.Relation.from_chain(chain) for name, chain in list(found.items())[:8]}


@cache
def ordered() -> podium.inference.MultiTest:
    return podium.multitest(ulas(), dataset="optdigits", cost=podium.examples.load_ulas2008("training time"))


@cache
def ordered_twice() -> podium.inference.Multi2Test:
    return podium.multi2test(ulas(), cost=podium.examples.load_ulas2008("training time"))


@cache
def mixtures(outliers: bool = False) -> podium.ArchetypalAnalysis:
    """Three archetypes of mixtures in the plane; some outliers for a robust fit."""
    rng = np.random.default_rng(4)
    X = rng.dirichlet([0.7, 0.7, 0.7], 150) @ np.array([[0, 0], [8, 1], [3, 7]]) + 0.2 * rng.normal(size=(150, 2))
    if outliers:
        X = np.vstack([X, [14, 12] + 0.4 * rng.normal(size=(5, 2))])
    frame = pd.DataFrame(X, columns=["length", "width"])
    return podium.ArchetypalAnalysis(3, family="robust" if outliers else "classical").fit(frame)


@cache
def stability_of_mixtures() -> podium.archetypal.PrototypeStability:
    data = mixtures().solution_.data
    return podium.archetypal.prototype_stability(data, [2, 3, 4], resamples=6, n_init=1)


@cache
def effect_on_sonar() -> podium.design.ResamplingEffect:
    schemes = [podium.Bootstrap(replications=20), podium.Subsampling(replications=20)]
    return podium.design.resampling_effect("sonar", schemes)


@cache
def one_to_seven_extremes() -> podium.archetypal.DomainArchetypes:
    """Archetypes of six algorithms on eight data sets, 30 replications."""
    rng = np.random.default_rng(1)
    names = ["lda", "knn", "rpart", "svm", "nnet", "rf"]
    values = 0.2 + 0.04 * rng.normal(size=(8, 1, 6)) + 0.015 * rng.normal(size=(8, 30, 6))
    labels = {"dataset": [f"data {i}" for i in range(8)], "replication": range(30), "algorithm": names}
    results = podium.read(values, labels=labels, measure="error")
    return podium.archetypal.domain_archetypes(results, k=range(1, 8), n_init=3)


@cache
def extremes(k: int = 4) -> podium.archetypal.DomainArchetypes:
    return one_to_seven_extremes().choose(k)


@cache
def prototypes() -> podium.archetypal.Prototypes:
    return podium.archetypal.prototypes(extremes().matrix, 3, n_init=3)


def partial_order() -> podium.Relation:
    """A relation with an edge that passes by a layer, and incomparable algorithms."""
    better = np.zeros((5, 5), bool)
    for low, high in ((0, 1), (1, 2), (0, 2), (0, 3), (3, 4), (0, 4)):
        better[low, high] = True
    return podium.Relation.from_strict(better, ["svm", "rf", "knn", "lda", "nnet"])


DRAWINGS: dict[str, Callable[[], object]] = {
    "strip": lambda: plot.strip(six()),
    "strip-vertical": lambda: plot.strip(noisy(6, 40), orientation="vertical"),
    "box": lambda: plot.box(six(), size="column"),
    "density": lambda: plot.density(six()),
    "density-overlay": lambda: plot.density(six(), overlay=True, size="column"),
    "histogram": lambda: plot.histogram(six()),
    "intervals": lambda: plot.intervals(iris(), kind="t"),
    "percentile-intervals": lambda: plot.percentile_intervals(six(), alpha=0.1),
    "podium": lambda: plot.podium(six(), size="column"),
    "podium-lines": lambda: plot.podium(six(), lines="algorithm"),
    "podium-neutral": lambda: plot.podium(iris(), lines="neutral", ties="shared"),
    "podium-many": lambda: plot.podium(noisy(15, 12), lines="algorithm", size="column"),
    "places": lambda: plot.places(iris()),
    "places-many": lambda: plot.places(noisy(15, 12), size="column"),
    "time": lambda: plot.time(times()),
    "trellis-box": lambda: plot.trellis(four_sets()),
    "trellis-podium": lambda: plot.trellis(four_sets(), kind="podium", options={"lines": "algorithm"}),
    "critical-difference": lambda: plot.critical_difference(compared("nemenyi")),
    "critical-difference-one-side": lambda: plot.critical_difference(compared("wilcoxon"), sides="one", size="column"),
    "critical-difference-control": lambda: plot.critical_difference(compared("nemenyi", control="5nn")),
    "pvalues": lambda: plot.pvalues(compared("wilcoxon"), size="column"),
    "pvalues-untested": lambda: plot.pvalues(gappy(), size="column"),
    "multi-comparison": lambda: plot.multi_comparison(compared("wilcoxon")),
    "multi-comparison-many": lambda: plot.multi_comparison(compared_many(), size="column"),
    "simultaneous-intervals": lambda: plot.simultaneous_intervals(fit().contrasts(equivalence=(-5, 5))),
    "credible-intervals": lambda: plot.credible_intervals(posterior_of_iris()),
    "simplex": lambda: plot.simplex(posterior_by_signs(), "svr", "c45", size="column"),
    "variance-shares": lambda: plot.variance_shares({"accuracy": fit(), "iris alone": fit_of_iris()}),
    "dataset-effects": lambda: plot.dataset_effects(fit()),
    "fitted-boxes": lambda: plot.fitted_boxes(fit_of_iris()),
    "hasse": lambda: plot.hasse(partial_order(), size="column"),
    "hasse-weak": lambda: plot.hasse(podium.Relation.from_chain("rpart ~ svm < rf < nnet < knn ~ lda")),
    "incidence": lambda: plot.incidence(podium.Relation.from_chain("rpart ~ svm < rf < nnet < knn ~ lda")),
    "distances": lambda: plot.distances(chains()),
    "multitest-graph": lambda: plot.multitest_graph(ordered()),
    "multitest-walk": lambda: plot.multitest_walk(ordered(), size="column"),
    "two-passes": lambda: plot.two_passes(ordered_twice(), size="column"),
    "cost-tradeoff": lambda: plot.cost_tradeoff(ordered(), size="column"),
    "dendrogram": lambda: plot.dendrogram(chains(), size="column"),
    "dendrogram-winners": lambda: plot.dendrogram(domain()),
    "summary": lambda: plot.summary(domain()),
    "summary-graph": lambda: plot.summary_graph(domain(), nearest=5),
    "monitor": lambda: plot.monitor(podium.monitor(pima()), size="column"),
    "stages": lambda: plot.stages(podium.sequential(pima(), stages=4, intervals=False)),
    "confidence-sequence": lambda: plot.confidence_sequence(
        podium.inference.confidence_sequence(pima(), pair=("rf", "svm1"), equivalence=0.005)
    ),
    "replications": lambda: plot.replications(
        podium.sequential(pima(), racing=True, stages=4, intervals=False), size="column"
    ),
    "preference-tree": lambda: plot.preference_tree(worth_tree()),
    "worths": lambda: plot.worths(worth_model(), size="column"),
    "characteristics": lambda: plot.characteristics(described(), whole=described().groupby(level=0, sort=False).mean()),
    "instability": lambda: plot.instability(worth_tree(), size="column"),
    "instability-levels": lambda: plot.instability(level_tree()),
    "resampling-effect": lambda: plot.resampling_effect(effect_on_sonar()),
    "stacked": lambda: plot.stacked(four_sets()),
    "archetype-scree": lambda: plot.archetype_scree(extremes(), size="column"),
    "archetype-profiles": lambda: plot.archetype_profiles(extremes()),
    "archetype-coefficients": lambda: plot.archetype_coefficients(extremes(), size="column"),
    "archetype-percentiles": lambda: plot.archetype_percentiles(extremes(), size="column"),
    "archetype-simplex": lambda: plot.archetype_simplex(mixtures(), group=["ab"[i % 2] for i in range(150)]),
    "archetype-simplex-five": lambda: plot.archetype_simplex(extremes(5), size="column"),
    "archetype-plane": lambda: plot.archetype_plane(mixtures(), approximation=True, trace=True, size="column"),
    "archetype-plane-robust": lambda: plot.archetype_plane(mixtures(True)),
    "archetype-residuals": lambda: plot.archetype_residuals(mixtures(True), size="column"),
    "prototype-profiles": lambda: plot.prototype_profiles(prototypes(), size="column"),
    "stability-curve": lambda: plot.stability_curve(stability_of_mixtures()),
    "stacked-mosaic": lambda: plot.stacked(four_sets(), kind="mosaic", size="column"),
}


def without_text(figure: Figure) -> None:
    """Leave the marks only, at fixed places: text, and the room it gets, differ between versions of matplotlib."""
    figure.set_layout_engine("none")
    figure.suptitle("")
    figure.supxlabel("")
    figure.supylabel("")
    for box in list(figure.legends):
        box.remove()
    scales = [ax for ax in figure.axes if ax.get_label() == "<colorbar>"]
    for ax in figure.axes:
        cell = ax.get_subplotspec()
        if ax in scales:
            ax.set_position((0.88, 0.2, 0.03, 0.6))
        elif cell is not None:
            rows, columns = cell.get_gridspec().nrows, cell.get_gridspec().ncols
            left, top = cell.colspan.start / columns, 1 - cell.rowspan.start / rows
            width, height = 0.7 if scales else 0.8, 0.55 if ax.child_axes else 0.85
            ax.set_position((left + 0.1 / columns, top - (0.05 + height) / rows, width / columns, height / rows))
        for axes in (ax, *ax.child_axes):
            hide_text(axes)


def hide_text(ax: Axes) -> None:
    if ax.get_legend():
        ax.get_legend().remove()
    for text in [*ax.texts, ax.title, ax._left_title, ax._right_title, ax.xaxis.label, ax.yaxis.label]:
        text.set_visible(False)
    ax.tick_params(which="both", labelbottom=False, labelleft=False, labeltop=False, labelright=False)


def write(name: str, folder: Path, drawing: object = None, *, whole: bool = False) -> Path:
    """Draw one of them into a folder, as it is or without text."""
    figure = figure_of(DRAWINGS[name]() if drawing is None else drawing)
    if not whole:
        without_text(figure)
    path = plot.save(figure, folder / f"{name}.png", dpi=110 if whole else DPI)
    plt.close(figure)
    return path


if __name__ == "__main__":
    words = sys.argv[1:]
    look = Path(words[1]) if words[:1] == ["--whole"] else None
    folder = look or BASELINE
    folder.mkdir(exist_ok=True)
    for name in (words[2:] if look else words) or DRAWINGS:
        write(name, folder, whole=look is not None)
