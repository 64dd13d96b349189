"""Multi-comparison matrix."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from podium.figures.multi_comparison import MultiComparison
from podium.figures.multi_comparison import multi_comparison as matrix_numbers
from podium.plot import canvas
from podium.plot.drawing import draws
from podium.plot.square_table import name_sides, shade_cells
from podium.plot.style import SMALLEST_FONT, number_text, size_in_points, write_title

__all__ = ["multi_comparison"]

_SCALE = LinearSegmentedColormap.from_list("worse to better", ["#E5862A", "#FFFFFF", "#3F74C8"])


@draws(matrix_numbers, canvas=canvas.square(0.78))
def multi_comparison(ax: Axes, numbers: MultiComparison, *, title: str | None = None) -> None:
    """Draw for every pair the mean difference, wins / ties / losses and p-value, as a square table.

    Entries are of the row against the column: blue where the row is better, orange where it is worse, in bold where
    the comparison decides so. Where cells are too small for numbers, dots mark the decided pairs.
    """
    k = len(numbers.algorithms)
    gain = -numbers.measure.sign * numbers.difference
    shown = np.ma.masked_array(gain, mask=np.eye(k, dtype=bool))
    reach = float(np.abs(gain).max()) or 1.0
    shade_cells(ax, shown, cmap=_SCALE, vmin=-1.4 * reach, vmax=1.4 * reach)
    width, height = size_in_points(ax)
    font = min(float(mpl.rcParams["font.size"]) * 0.8, 0.95 * width / k / 6.2, 0.75 * height / k / 3.6)
    if font >= SMALLEST_FONT:
        what = "wins / ties / losses, p of row against column"
        _write(ax, numbers, font)
    else:
        what = "row against column; dots where the comparison decides"
        _dot(ax, numbers)
    name_sides(ax, numbers.algorithms, above=True)
    head = f"{numbers.method}, {numbers.block_label}: mean difference of {numbers.measure.name}, {what}"
    write_title(ax, title, head)


def _dot(ax: Axes, numbers: MultiComparison) -> None:
    """Mark decided pairs by dots, where there is no room for numbers in bold."""
    rows, columns = np.nonzero(np.isin(numbers.decisions, ("better", "worse")))
    cell = size_in_points(ax)[1] / len(numbers.algorithms)
    ax.plot(columns, rows, "o", color="black", markersize=min(0.22 * cell, 3.0), markeredgewidth=0)


def _write(ax: Axes, numbers: MultiComparison, font: float) -> None:
    digits = _digits(numbers.difference)
    for i, j in np.argwhere(~np.eye(len(numbers.algorithms), dtype=bool)):
        p = numbers.matrix[i, j]
        written = "" if np.isnan(p) else "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
        counts = f"{numbers.wins[i, j]} / {numbers.ties[i, j]} / {numbers.losses[i, j]}"
        ax.text(
            j,
            i,
            f"{number_text(numbers.difference[i, j], digits, '+')}\n{counts}\n{written}",
            ha="center",
            va="center",
            fontsize=font,
            linespacing=1.15,
            fontweight="bold" if numbers.decisions[i, j] in ("better", "worse") else "normal",
        )


def _digits(difference: np.ndarray) -> int:
    """Decimals that show the typical difference with two significant digits."""
    typical = float(np.median(np.abs(difference[difference != 0]))) if (difference != 0).any() else 1.0
    return int(np.clip(1 - np.floor(np.log10(typical)), 0, 6))
