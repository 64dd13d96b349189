"""Benchmark summary plot."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.patches import Patch, Rectangle

from podium.plot import canvas
from podium.plot.canvas import height_of_many, name_some, names_width
from podium.plot.drawing import plot_of
from podium.plot.figures.palette import shade
from podium.plot.figures.summary import Summary
from podium.plot.figures.summary import summary as summary_numbers
from podium.plot.legend import LegendPlan, draw_legend
from podium.plot.names import LINE
from podium.plot.podium import places_to_name
from podium.plot.style import Sheet, cell_size, in_lines, title_height, write_title
from podium.results.labels import natural_key

__all__ = ["summary"]

LIGHT = 0.62  # share of white in the background of a place
NOT_WEAK = "*"  # marks data sets whose relation is not a weak order


def _height(numbers: Summary, sheet: Sheet, options: canvas.Options) -> float:
    """Height in points."""
    marks = _marks(numbers)
    below = canvas.axis_below(len(_label(numbers, sheet.room - names_width(marks, sheet.room))))
    return height_of_many(marks, sheet) + below + title_height(options["title"], "", sheet.room)


def _label(numbers: Summary, room: float) -> list[str]:
    """Say what the axis, the bars and the marks are, in lines of at most `room` points."""
    shown = (f"full colour: {numbers.statistic},", "the longer the worse")
    if not numbers.from_zero:
        shown = (f"full colour: {numbers.statistic},", "its distance from the best in the domain")
    lines = ["place", *in_lines(shown, room)]
    if numbers.border.any():
        lines += in_lines(("black line: difference", "in the relation of the data set"), room)
    return lines if numbers.weak_order.all() else [*lines, *in_lines((f"{NOT_WEAK} not a weak order",), room)]


def _marks(numbers: Summary) -> list[str]:
    """Names of the data sets, with a mark at those whose relation is not a weak order."""
    return [
        name if weak else f"{name} {NOT_WEAK}" for name, weak in zip(numbers.datasets, numbers.weak_order, strict=True)
    ]


def _named(numbers: Summary) -> list[str]:
    """Return the algorithms in the order of the legend: numbers in names count as numbers."""
    return sorted(numbers.algorithms, key=natural_key)


@plot_of(summary_numbers, canvas=canvas.with_legend(lambda numbers: _named(numbers), _height))
def summary(
    ax: Axes,
    numbers: Summary,
    *,
    palette: Mapping[str, str],
    title: str | None = None,
    legend: LegendPlan | None = None,
) -> None:
    """Draw the benchmark summary plot: one row per data set, its podium from left to right.

    Pale colours show which algorithm takes which place; bars in full colour show the statistic, the longer the worse,
    on one scale for the whole domain: from 0 for errors and costs, otherwise from the best value. A black line between
    two places is a difference that the data set's relation contains; without it the two are in the order of the
    statistic. Data sets marked with * have a relation that is not a weak order. Their row is a linear extension of it:
    each place goes to the algorithm with the best statistic among those that no remaining algorithm beats; in a cycle,
    to one that the fewest beat.

    Parameters
    ----------
    title : str, optional
        Title above the axes; by default there is none.

    Examples
    --------
    >>> import podium
    >>> domain = podium.domain(podium.examples.load_ulas2008("accuracy"), method="5x2cv F")
    >>> ax = podium.plot.summary(domain)
    """
    rows, k = numbers.podium.shape
    cells, tones = [], []
    for row, place in np.argwhere(numbers.podium >= 0):
        colour = palette[numbers.algorithms[numbers.podium[row, place]]]
        cells.append(Rectangle((place + 0.5, row - 0.5), 1.0, 1.0))
        tones.append(shade(mpl.colors.to_hex(colour), white=LIGHT))
        share = numbers.share[row, place]
        if share > 0:
            cells.append(Rectangle((place + 0.5, row - 0.5), float(share), 1.0))
            tones.append(mpl.colors.to_hex(colour))
    ax.add_collection(PatchCollection(cells, facecolors=tones, edgecolors="none"))
    thin = 1.4 if rows <= 60 else 0.7
    lines = [[(place + 1.5, row - 0.5), (place + 1.5, row + 0.5)] for row, place in np.argwhere(numbers.border)]
    ax.add_collection(LineCollection(lines, colors="black", linewidths=thin, capstyle="butt"))
    gaps = [[(0.5, row - 0.5), (k + 0.5, row - 0.5)] for row in range(rows + 1)]
    ax.add_collection(LineCollection(gaps, colors="white", linewidths=1.0 if rows <= 60 else 0.0))
    wide = cell_size(ax)[0]
    marks = _marks(numbers)
    beside = legend.width if legend is not None and legend.right else 0.0
    label = _label(numbers, wide - names_width(marks, wide) - beside)
    taken = canvas.axis_below(len(label)) + title_height(title, "", wide) + (legend.height if legend else 0.0)
    left = name_some(ax, marks, taken)
    ax.set_xticks(places_to_name(k, wide - left - beside, float(mpl.rcParams["xtick.labelsize"])))
    ax.set_xlim(0.5, k + 0.5)
    ax.set_ylim(rows - 0.5, -0.5)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("\n".join(label))
    write_title(ax, title, "", left=left)
    if legend is not None:
        below = LINE * (len(label) - 1) * float(mpl.rcParams["axes.labelsize"])
        draw_legend(ax, [Patch(color=palette[name]) for name in _named(numbers)], legend, below=below)
