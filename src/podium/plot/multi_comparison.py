"""Multi-comparison matrix."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from podium.analysis.comparison import Comparison
from podium.figures.multi_comparison import MultiComparison
from podium.figures.multi_comparison import multi_comparison as numbers_of
from podium.plot.pvalues import name_squares
from podium.plot.style import Size, axes, local, size_in_points, width_of
from podium.plot.style import title as write_title
from podium.results import Results

NUMBERS_UP_TO = 10  # algorithms; beyond this three lines do not fit into a cell
_SCALE = LinearSegmentedColormap.from_list("worse to better", ["#E5862A", "#FFFFFF", "#3F74C8"])


def multi_comparison(
    comparison: Comparison, results: Results | None = None, *, ax: Axes | None = None, size: Size = "screen"
) -> Axes:
    """Draw for every pair the mean difference, wins / ties / losses and p-value, as a square table.

    Entries are of the row against the column: blue where the row is better, orange where it is worse, in bold where
    the comparison decides so. Beyond ten algorithms there is no room for numbers, and dots mark the decided pairs.

    Parameters
    ----------
    comparison : Comparison
    results : Results, optional
        Needed where the comparison does not know wins and means itself.
    ax, size
        As for `podium.plot.critical_difference`.

    Returns
    -------
    Axes
    """
    numbers = numbers_of(comparison, results)
    with local(size):
        if ax is None:
            width = width_of(size)
            ax = axes(None, size=(width, 0.78 * width) if isinstance(size, str) else size)
        draw_multi_comparison(ax, numbers)
    return ax


def draw_multi_comparison(ax: Axes, numbers: MultiComparison, title: str | None = None) -> None:
    """Draw the numbers of a multi-comparison matrix."""
    k = len(numbers.algorithms)
    edges = np.arange(k + 1) - 0.5
    gain = -numbers.measure.sign * numbers.difference
    shown = np.ma.masked_array(gain, mask=np.eye(k, dtype=bool))
    reach = float(np.abs(gain).max()) or 1.0
    mesh = ax.pcolormesh(edges, edges, shown, cmap=_SCALE, vmin=-1.4 * reach, vmax=1.4 * reach)
    mesh.set_edgecolor("white")
    mesh.set_linewidth(1.0 if k <= 20 else 0.3)
    if k <= NUMBERS_UP_TO:
        what = "wins / ties / losses, p of row against column"
        _write(ax, numbers)
    else:
        what = "row against column; dots where the comparison decides"
        _dot(ax, numbers)
    name_squares(ax, numbers.algorithms)
    head = f"{numbers.method}, {numbers.block_label}: mean difference of {numbers.measure.name}, {what}"
    write_title(ax, head if title is None else title)


def _dot(ax: Axes, numbers: MultiComparison) -> None:
    """Mark decided pairs by dots, where there is no room for numbers in bold."""
    rows, columns = np.nonzero(np.isin(numbers.decisions, ("better", "worse")))
    cell = size_in_points(ax)[1] / len(numbers.algorithms)
    ax.plot(columns, rows, "o", color="black", markersize=min(0.22 * cell, 3.0), markeredgewidth=0)


def _write(ax: Axes, numbers: MultiComparison) -> None:
    k = len(numbers.algorithms)
    digits = _digits(numbers.difference)
    width, height = size_in_points(ax)
    font = min(float(mpl.rcParams["font.size"]) * 0.8, 0.95 * width / k / 6.2, 0.75 * height / k / 3.6)
    for i in range(k):
        for j in range(k):
            if i == j:
                continue
            p = numbers.matrix[i, j]
            told = "" if np.isnan(p) else "p < .001" if p < 0.001 else f"p = {p:.3f}"
            counts = f"{numbers.wins[i, j]} / {numbers.ties[i, j]} / {numbers.losses[i, j]}"
            ax.text(
                j,
                i,
                f"{numbers.difference[i, j]:+.{digits}f}\n{counts}\n{told}",
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
