"""Rows of data sets: as high as their names up to forty, ever lower ones after that, with some of the names."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes

from podium.plot.names import LINE, lines_of, names_beside, widest
from podium.plot.style import Sheet, cell_size

FULL, MAX_ROWS = 40, 400  # rows as high as their names; rows that make a figure higher at all


def height_of_many(names: Sequence[str], sheet: Sheet) -> float:
    """Height in points of rows with these names beside them."""
    font, rows = float(mpl.rcParams["ytick.labelsize"]), len(names)
    row = (LINE * lines_of(names_beside(names, sheet.room, font)) + 0.2) * font
    return row * (min(rows, FULL) + 0.25 * max(min(rows, MAX_ROWS) - FULL, 0))


def name_some(ax: Axes, names: Sequence[str], taken: float) -> float:
    """Write as many names beside the rows 0, 1, … as there is room for, evenly; return the room that they take.

    `taken` is what of the height of the axes is not for rows, in points.
    """
    wide, tall = cell_size(ax)
    font = float(mpl.rcParams["ytick.labelsize"])
    texts = names_beside(names, wide, font)
    every = max(int(np.ceil(LINE * font * lines_of(texts) * len(names) / max(tall - taken, 1.0) - 0.05)), 1)
    shown = range(0, len(names), every)
    ax.set_yticks(list(shown), [texts[row] for row in shown], linespacing=1.05)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    return names_width(names, wide)


def names_width(names: Sequence[str], room: float) -> float:
    """Width in points that these names take beside their rows."""
    font = float(mpl.rcParams["ytick.labelsize"])
    return widest(names_beside(names, room, font), font) + 6
