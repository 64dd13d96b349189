"""The drawings whose pictures are kept in ``baseline/``. Run as a script, this writes them anew."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("MPLBACKEND", "Agg")
sys.path.insert(0, str(Path(__file__).parents[1] / "describe"))

import matplotlib.pyplot as plt
import numpy as np
from made_results import noisy
from matplotlib.figure import Figure

import podium
from podium import plot
from podium.plot.style import whole_figure

BASELINE = Path(__file__).parent / "baseline"
DPI = 60


def iris() -> podium.Results:
    return podium.datasets.load_ulas2008().select(dataset="iris")


def six() -> podium.Results:
    """Six algorithms with their published colours, 120 replications."""
    return noisy(6, 120, decimals=2, names=["lda", "knn", "rpart", "svm", "nnet", "rf"])


def four_sets() -> podium.Results:
    return podium.datasets.load_ulas2008().select(datasets=["iris", "wine", "glass", "zoo"])


def times() -> podium.Results:
    values = 10 ** np.random.default_rng(1).normal([-2, -1, 1], 0.3, (40, 3)).round(2)
    values[0, 0] = 0
    labels = {"replication": range(40), "algorithm": ["lda", "rf", "svm"]}
    return podium.read(values, labels=labels, measure="fit time")


DRAWINGS: dict[str, Callable[[], object]] = {
    "strip": lambda: plot.strip(six()),
    "strip-vertical": lambda: plot.strip(noisy(6, 40), orientation="vertical"),
    "box": lambda: plot.box(six(), size="column"),
    "violin": lambda: plot.violin(six()),
    "density": lambda: plot.density(six()),
    "density-overlay": lambda: plot.density(six(), overlay=True, size="column"),
    "histogram": lambda: plot.histogram(six()),
    "intervals": lambda: plot.percentile_intervals(six(), level=0.9),
    "podium": lambda: plot.podium(six(), size="column"),
    "podium-lines": lambda: plot.podium(six(), lines="algorithm"),
    "podium-neutral": lambda: plot.podium(iris(), lines="neutral", ties="shared"),
    "podium-many": lambda: plot.podium(noisy(15, 12), lines="algorithm", size="column"),
    "places": lambda: plot.places(iris()),
    "time": lambda: plot.time(times()),
    "trellis-box": lambda: plot.trellis(four_sets(), "box"),
    "trellis-podium": lambda: plot.trellis(four_sets(), "podium", lines="algorithm"),
}


def figure_of(drawing: object) -> Figure:
    ax = drawing.flat[0] if isinstance(drawing, np.ndarray) else drawing
    return whole_figure(ax)  # type: ignore[arg-type]


def without_text(figure: Figure) -> None:
    """Leave the marks only, at fixed places: how text is set, and how much room it gets, is matplotlib's matter."""
    figure.set_layout_engine("none")
    figure.suptitle("")
    figure.supxlabel("")
    figure.supylabel("")
    for box in list(figure.legends):
        box.remove()
    panels = [ax for ax in figure.axes if ax.get_subplotspec() is not None]
    for ax in panels:
        cell = ax.get_subplotspec()
        rows, columns = cell.get_gridspec().nrows, cell.get_gridspec().ncols
        left, top = cell.colspan.start / columns, 1 - cell.rowspan.start / rows
        height = 0.55 if ax.child_axes else 0.85
        ax.set_position((left + 0.1 / columns, top - (0.05 + height) / rows, 0.8 / columns, height / rows))
        for axes in (ax, *ax.child_axes):
            if axes.get_legend():
                axes.get_legend().remove()
            for text in [*axes.texts, axes.title, axes._left_title, axes.xaxis.label, axes.yaxis.label]:
                text.set_visible(False)
            axes.tick_params(which="both", labelbottom=False, labelleft=False)


def write(name: str, folder: Path, drawing: object = None) -> Path:
    """Draw one of them, without text, into a folder."""
    figure = figure_of(DRAWINGS[name]() if drawing is None else drawing)
    without_text(figure)
    path = plot.save(figure, folder / f"{name}.png", dpi=DPI)
    plt.close(figure)
    return path


if __name__ == "__main__":
    BASELINE.mkdir(exist_ok=True)
    for name in sys.argv[1:] or DRAWINGS:
        write(name, BASELINE)
