"""Table of relative characteristics."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from podium.plot import canvas
from podium.plot.categorical import MANY_MARKS, bars, name_rows
from podium.plot.drawing import plot_of
from podium.plot.figures.characteristics import CharacteristicsNumbers
from podium.plot.figures.characteristics import characteristics as characteristics_numbers
from podium.plot.figures.palette import NEUTRAL, PALETTE
from podium.plot.names import names_above
from podium.plot.style import Sheet, cell_size, title_height, write_title

__all__ = ["characteristics"]

GAP = 0.3  # between two columns, whose cells are 1 wide


def _heading(numbers: CharacteristicsNumbers) -> str:
    marked = "; red: whole data set" if np.isfinite(numbers.whole).any() else ""
    return f"Characteristics, each from its least to its greatest value{marked}"


def _height(numbers: CharacteristicsNumbers, sheet: Sheet, options: canvas.Options) -> float:
    font = float(mpl.rcParams["xtick.labelsize"])
    above = names_above(numbers.datasets, 0.6 * sheet.room / len(numbers.datasets), font, tallest=0.4 * sheet.room)
    rows = canvas.height_of_rows(numbers.names, sheet, least=2.2)
    return rows + above.height + title_height(options["title"], _heading(numbers), sheet.room) + 6


@plot_of(characteristics_numbers, canvas=canvas.fitted(_height))
def characteristics(ax: Axes, numbers: CharacteristicsNumbers, *, title: str | None = None) -> None:
    """Draw the relative variation of characteristics: a row for each, a column for each data set.

    A cell goes from the smallest to the largest value of its characteristic that is shown. Each line in it is a sample,
    or a data set; the red line is the whole data set. An empty cell says NA: the data set does not have the
    characteristic.

    Examples
    --------
    >>> import podium
    >>> table = podium.characterize(["iris", "sonar"])
    >>> ax = podium.plot.characteristics(table)
    """
    columns, rows = len(numbers.datasets), len(numbers.names)
    start = (1 + GAP) * np.arange(columns)
    left, row = (part.ravel() for part in np.meshgrid(start, np.arange(rows, dtype=float)))
    bars(ax, left - 0.04, row - 0.4, 1.08, 0.8, facecolors="0.95", edgecolors="none", linewidths=0)
    at, name = np.nonzero(np.isfinite(numbers.relative))
    x = start[numbers.dataset[at]] + numbers.relative[at, name]
    ends = np.stack([np.stack([x, name - 0.33], axis=1), np.stack([x, name + 0.33], axis=1)], axis=1)
    several = len(numbers.dataset) > columns
    look = {"linewidths": 0.7 if several else 2.0, "alpha": 0.45 if several else 1.0}
    lines = LineCollection(list(ends), colors=NEUTRAL, rasterized=len(ends) > MANY_MARKS, **look)
    ax.add_collection(lines)
    m, name = np.nonzero(np.isfinite(numbers.whole))
    x = start[m] + numbers.whole[m, name]
    ends = np.stack([np.stack([x, name - 0.4], axis=1), np.stack([x, name + 0.4], axis=1)], axis=1)
    ax.add_collection(LineCollection(list(ends), colors=PALETTE["red"], linewidths=1.5, zorder=3))
    known = np.zeros((columns, rows), bool)
    np.logical_or.at(known, numbers.dataset, np.isfinite(numbers.relative))
    ax.set_xlim(-0.1, start[-1] + 1.1)
    ax.set_ylim(rows - 0.5, -0.5)
    room = name_rows(ax, numbers.names)
    wide = cell_size(ax)[0] - room
    font = float(mpl.rcParams["xtick.labelsize"])
    small = min(font, 0.3 * wide / columns, 10.0)
    for across, down in np.argwhere(~known).tolist():
        ax.text(start[across] + 0.5, down, "NA", ha="center", va="center", fontsize=small, color=NEUTRAL)
    found = names_above(numbers.datasets, 0.85 * wide / columns, font, tallest=0.5 * wide)
    ax.set_xticks(start + 0.5, found.texts, fontsize=found.font, rotation=found.rotation, linespacing=1.05)
    ax.tick_params(axis="x", length=0)
    ax.spines["bottom"].set_visible(False)
    write_title(ax, title, _heading(numbers), left=room)
