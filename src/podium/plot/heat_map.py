"""Heat maps: a row and a column per algorithm, relation or data set, both with names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable

from podium.plot.names import LINE, ColumnNames, fit_names, lines_of, names_above, names_beside, widest
from podium.plot.style import SMALLEST_FONT, cell_size

MIN_ROW = 1.5  # height of a row, in font sizes
HIGHEST_ROW = 2.6  # of a row without text in its cells


@dataclass(frozen=True)
class TablePlan:
    """How a table with names fits a width.

    Attributes
    ----------
    rows : tuple of str
        Names of the rows, broken into lines; with numbers where the columns have numbers only.
    columns : ColumnNames
    font : float
        Size of the names of rows, in points.
    left : float
        Room that these take, in points.
    width, height : float
        Size of a cell, in points.
    """

    rows: tuple[str, ...]
    columns: ColumnNames
    font: float
    left: float
    width: float
    height: float

    @property
    def tall(self) -> float:
        """Height of the table with the names of its columns, in points."""
        return len(self.rows) * self.height + self.columns.height + 6


def plan_table(
    names: Sequence[str],
    room: float,
    *,
    columns: Sequence[str] | None = None,
    extra: float = 0.0,
    least: float = MIN_ROW,
) -> TablePlan:
    """Find names, font and cells of a table that is this many points wide.

    Where the names of columns do not fit above them, not even upright, columns are numbered, and so are the rows.

    Parameters
    ----------
    names : sequence of str
        Names of the rows.
    room : float
        Width in points of the table with the names of its rows.
    columns : sequence of str, optional
        Names of the columns, where they are not those of the rows.
    extra : float, default 0.0
        Width of what is drawn beside the columns, in widths of a column.
    least : float, default 1.5
        The smallest height of a row, in font sizes.
    """
    font = float(mpl.rcParams["ytick.labelsize"])
    across = list(names if columns is None else columns)
    beside = names_beside(names, room, font)
    width = (room - widest(beside, font) - 8) / (len(across) + extra)
    above = names_above(across, width, font, tallest=0.4 * room)
    if above.numbered and columns is None:
        beside = names_beside([f"{name}  {i}" for i, name in enumerate(names, 1)], room, font)
        width = (room - widest(beside, font) - 8) / (len(across) + extra)
        above = names_above(across, width, font, tallest=0.0)
    high = max(LINE * font * lines_of(beside) + 0.35 * font, least * font, min(0.8 * width, HIGHEST_ROW * font))
    return TablePlan(tuple(beside), above, font, widest(beside, font) + 6, width, high)


def fit_plan(plan: TablePlan, ax: Axes, names: Sequence[str], around: float = 0.0) -> TablePlan:
    """Shrink the rows of a plan to the height that axes have, where the user has chosen it.

    `around` is the height in points of what is above and below the table.
    """
    tall = (cell_size(ax)[1] - around - plan.columns.height - 6) / max(len(plan.rows), 1)
    if tall >= 0.97 * plan.height:
        return replace(plan, height=tall)
    lines = int(max(tall, 1.0) / (LINE * plan.font))
    if lines >= lines_of(plan.rows):
        return replace(plan, height=tall)
    font = plan.font if lines else max(tall / 1.1, 3.5)
    labels = [f"{name}  {i}" for i, name in enumerate(names, 1)] if plan.columns.numbered else names
    rows = fit_names(labels, plan.left, font, lines=max(lines, 1))
    return replace(plan, rows=tuple(rows), font=font, height=tall)


def cell_font(texts: Sequence[str], width: float, most: float) -> float | None:
    """Size of the font, at most `most` points, in which these texts fit cells of a width; None if it is too small."""
    font = min(most, most * 0.9 * width / max(widest(texts, most, bold=True), 1e-9))
    return font if font >= SMALLEST_FONT else None


def shade_cells(ax: Axes, values: Any, **look: Any) -> ScalarMappable:
    """Draw the cells of a table as shades with white lines between them."""
    rows, columns = np.shape(values)
    mesh = ax.pcolormesh(np.arange(columns + 1) - 0.5, np.arange(rows + 1) - 0.5, values, **look)
    mesh.set_edgecolor("white")
    mesh.set_linewidth(1.0 if rows <= 20 else 0.3)
    return mesh


def name_sides(ax: Axes, plan: TablePlan, *, above: bool, at: Sequence[float] | None = None) -> None:
    """Name the rows, and the columns above or below the table; `at` are the middles of the columns."""
    n = len(plan.rows)
    places = list(range(len(plan.columns.texts))) if at is None else list(at)
    named = [(x, text) for x, text in zip(places, plan.columns.texts, strict=True) if text]
    if above:
        ax.xaxis.tick_top()
    ax.tick_params(length=0)  # before there are ticks: afterwards it would change every one of them
    ax.set_xticks(
        [x for x, _ in named],
        [text for _, text in named],
        rotation=plan.columns.rotation,
        fontsize=plan.columns.font,
        linespacing=1.05,
    )
    ax.set_yticks(range(n), plan.rows, fontsize=plan.font, linespacing=1.05)
    ax.set_xlim(-0.5, len(places) - 0.5)
    ax.set_ylim(n - 0.5, -0.5)
    ax.spines[:].set_visible(False)
