"""The drawings whose pictures are kept in ``baseline/``.

``python tests/plot/drawings.py`` writes them anew, all or those named. With ``--whole FOLDER`` it writes them as users see
them, with text, to be looked at.
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
    return podium.datasets.load_ulas2008()


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
def fit() -> podium.MixedFit:
    return podium.mixed(ulas())


def chains() -> dict[str, podium.Relation]:
    found = podium.datasets.load_uci_chains()
    return {name: podium.Relation.from_chain(chain) for name, chain in list(found.items())[:8]}


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
    "violin": lambda: plot.violin(six()),
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
    "multi-comparison-many": lambda: plot.multi_comparison(
        podium.compare(noisy(15, 12), method="nemenyi"), size="column"
    ),
    "simultaneous-intervals": lambda: plot.simultaneous_intervals(fit().contrasts(equivalence=(-5, 5))),
    "variance-shares": lambda: plot.variance_shares({"accuracy": fit(), "iris alone": podium.mixed(iris())}),
    "dataset-effects": lambda: plot.dataset_effects(fit()),
    "fitted-boxes": lambda: plot.fitted_boxes(podium.mixed(iris())),
    "hasse": lambda: plot.hasse(partial_order(), size="column"),
    "hasse-weak": lambda: plot.hasse(podium.Relation.from_chain("rpart ~ svm < rf < nnet < knn ~ lda")),
    "incidence": lambda: plot.incidence(podium.Relation.from_chain("rpart ~ svm < rf < nnet < knn ~ lda")),
    "distances": lambda: plot.distances(chains()),
    "dendrogram": lambda: plot.dendrogram(chains(), size="column"),
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
