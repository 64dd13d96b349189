"""Multi-comparison matrix."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from podium.arrays import FloatArray
from podium.plot import canvas
from podium.plot.categorical import inside
from podium.plot.drawing import plot_of
from podium.plot.figures.multi_comparison import MultiComparison
from podium.plot.figures.multi_comparison import multi_comparison as matrix_numbers
from podium.plot.heat_map import TablePlan, cell_font, fit_plan, name_sides, plan_table, shade_cells
from podium.plot.names import LINE
from podium.plot.style import SMALLEST_FONT, Sheet, cell_size, number_text, title_height, write_title

__all__ = ["multi_comparison"]

_SCALE = LinearSegmentedColormap.from_list("worse to better", ["#E5862A", "#FFFFFF", "#3F74C8"])


def _plan(numbers: MultiComparison, room: float) -> tuple[TablePlan, float | None]:
    """Return the table, and the size of the font in its cells, if there is room for text in them."""
    texts = [text for row in _texts(numbers) for text in row]
    most = 0.85 * float(mpl.rcParams["font.size"])
    plan = plan_table(numbers.algorithms, room)
    font = cell_font(texts, plan.width, most)
    if font is None:
        return plan, None
    return plan_table(numbers.algorithms, room, least=3.5 * LINE * font / plan.font), font


def _heading(numbers: MultiComparison, written: bool) -> str:
    what = (
        "wins/ties/losses, p of row against column"
        if written
        else "row against column; dots where the comparison decides"
    )
    return f"{numbers.method}, {numbers.block_label}: mean difference of {numbers.measure.name}, {what}"


def _height(numbers: MultiComparison, sheet: Sheet, options: canvas.Options) -> float:
    plan, font = _plan(numbers, sheet.room)
    return plan.tall + 4 + title_height(options["title"], _heading(numbers, font is not None), sheet.room)


@plot_of(matrix_numbers, canvas=canvas.fitted(_height))
def multi_comparison(ax: Axes, numbers: MultiComparison, *, title: str | None = None) -> None:
    """Draw for every pair the mean difference, wins / ties / losses and p-value, as a square table.

    Entries are of the row against the column: blue where the row is better, orange where it is worse, in bold where
    the comparison decides so. Where cells are too small for numbers, dots mark the decided pairs; where the names of
    columns do not fit, columns and rows are numbered.
    """
    k = len(numbers.algorithms)
    gain = -numbers.measure.sign * numbers.difference
    shown = np.ma.masked_array(gain, mask=np.eye(k, dtype=bool) | np.isnan(gain))
    reach = float(np.nanmax(np.abs(gain))) or 1.0
    shade_cells(ax, shown, cmap=_SCALE, vmin=-1.4 * reach, vmax=1.4 * reach)
    room = cell_size(ax)[0]
    plan, font = _plan(numbers, room)
    heading = _heading(numbers, font is not None)
    plan = fit_plan(plan, ax, numbers.algorithms, title_height(title, heading, room))
    if font is not None and plan.height < 3 * LINE * font:  # the user has chosen a low figure
        font = plan.height / (3 * LINE) if plan.height >= 3 * LINE * SMALLEST_FONT else None
    name_sides(ax, plan, above=True)
    if font is not None:
        _write(ax, numbers, font)
    else:
        _dot(ax, numbers, min(plan.width, plan.height))
    write_title(ax, title, _heading(numbers, font is not None), left=plan.left)


def _dot(ax: Axes, numbers: MultiComparison, cell: float) -> None:
    """Mark decided pairs by dots, where there is no room for numbers in bold."""
    rows, columns = np.nonzero(np.isin(numbers.decisions, ("better", "worse")))
    ax.plot(columns, rows, "o", color="black", markersize=min(0.35 * cell, 3.0), markeredgewidth=0)


def _texts(numbers: MultiComparison) -> list[list[str]]:
    """Text of each cell; none on the diagonal."""
    digits = _digits(numbers.difference)
    k = len(numbers.algorithms)
    texts = [[""] * k for _ in range(k)]
    for i, j in np.argwhere(~np.eye(k, dtype=bool)):
        p = numbers.matrix[i, j]
        written = "" if np.isnan(p) else "p<0.001" if p < 0.001 else f"p={p:.3f}"
        counts = f"{numbers.wins[i, j]}/{numbers.ties[i, j]}/{numbers.losses[i, j]}"
        gap = numbers.difference[i, j]
        texts[i][j] = f"{'–' if np.isnan(gap) else number_text(gap, digits, '+')}\n{counts}\n{written}"
    return texts


def _write(ax: Axes, numbers: MultiComparison, font: float) -> None:
    for i, row in enumerate(_texts(numbers)):
        for j, text in enumerate(row):
            decided = numbers.decisions[i, j] in ("better", "worse")
            look: dict[str, Any] = {"fontsize": font, "fontweight": "bold" if decided else "normal", "linespacing": 1.1}
            inside(ax.text(j, i, text, ha="center", va="center", **look))


def _digits(difference: FloatArray) -> int:
    """Decimals that show the typical difference with two significant digits."""
    sizes = np.abs(difference[~np.isnan(difference)])
    typical = float(np.median(sizes[sizes > 0])) if (sizes > 0).any() else 1.0
    return int(np.clip(1 - np.floor(np.log10(typical)), 0, 6))
