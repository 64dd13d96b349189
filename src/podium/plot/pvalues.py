"""P-value table."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.patches import Rectangle

from podium.analysis.comparison import Comparison
from podium.figures.pvalues import PValues
from podium.figures.pvalues import pvalues as numbers_of
from podium.plot.names import fit_names
from podium.plot.style import Size, axes, local, size_in_points, width_of
from podium.plot.style import title as write_title

NUMBERS_UP_TO = 14  # algorithms; beyond this a cell is too small for its number
_SHADES = ("#1F4E9C", "#5B8BD0", "#B5CDEE", "#F2F3F5")  # below 0.001, below 0.01, below alpha, above


def pvalues(
    comparison: Comparison, *, ax: Axes | None = None, size: Size = "screen", numbers: bool | None = None
) -> Axes:
    """Draw the adjusted p-values of all pairs as a table of shades, best algorithm first.

    Parameters
    ----------
    comparison : Comparison
    ax, size
        As for `podium.plot.critical_difference`.
    numbers : bool, optional
        Whether to write the p-values; by default up to 14 algorithms.

    Returns
    -------
    Axes
    """
    found = numbers_of(comparison)
    with local(size):
        if ax is None:
            width = width_of(size)
            ax = axes(None, size=(width, 0.78 * width) if isinstance(size, str) else size)
        draw_pvalues(ax, found, numbers=numbers)
    return ax


def draw_pvalues(ax: Axes, numbers_: PValues, *, numbers: bool | None = None, title: str | None = None) -> None:
    """Draw the numbers of a p-value table."""
    k = len(numbers_.algorithms)
    steps = sorted({0.001, 0.01, numbers_.alpha})
    colours = [*_SHADES[3 - len(steps) : 3], _SHADES[3]]
    norm = BoundaryNorm([0.0, *steps, 1.0], len(colours))
    edges = np.arange(k + 1) - 0.5
    masked = np.ma.masked_invalid(numbers_.matrix)
    mesh = ax.pcolormesh(edges, edges, masked, cmap=ListedColormap(colours), norm=norm)
    mesh.set_edgecolor("white")
    mesh.set_linewidth(1.0 if k <= 20 else 0.3)
    for i, j in np.argwhere(np.isnan(numbers_.matrix) & ~np.eye(k, dtype=bool)):
        ax.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, hatch="////", edgecolor="#B4B8BF", linewidth=0))
    if numbers if numbers is not None else k <= NUMBERS_UP_TO:
        _write(ax, numbers_)
    name_squares(ax, numbers_.algorithms)
    figure = ax.get_figure(root=True)
    if figure is not None:
        bar = figure.colorbar(mesh, ax=ax, aspect=28, shrink=0.7, spacing="uniform")
        bar.set_ticks(steps, labels=[f"{step:g}" for step in steps])
        bar.ax.minorticks_off()
        bar.ax.tick_params(length=0)
        bar.set_label("adjusted p" if numbers_.adjustment != "none" else "p")
        bar.outline.set_visible(False)
    write_title(ax, f"{numbers_.method}, {numbers_.block_label}, {numbers_.adjustment}" if title is None else title)


def name_squares(ax: Axes, algorithms: tuple[str, ...]) -> None:
    """Name rows and columns of a square table; columns upright where their names would touch."""
    k = len(algorithms)
    short = fit_names(algorithms, 18)
    room = 0.6 * size_in_points(ax)[0] / k
    font = min(float(mpl.rcParams["ytick.labelsize"]), max(3.5, 0.95 * 0.6 * size_in_points(ax)[1] / k))
    upright = max(map(len, short)) * 0.6 * font > room
    ax.set_xticks(range(k), short, rotation=90 if upright else 0, fontsize=font)
    ax.set_yticks(range(k), short, fontsize=font)
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.set_ylim(k - 0.5, -0.5)
    ax.set_xlim(-0.5, k - 0.5)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _write(ax: Axes, table: PValues) -> None:
    k = len(table.algorithms)
    room = 0.62 * size_in_points(ax)[0] / k
    font = min(float(mpl.rcParams["font.size"]) * 0.85, room / 3.6)
    for i in range(k):
        for j in range(k):
            p = table.matrix[i, j]
            if not np.isnan(p):
                text = "<.001" if p < 0.001 else f"{p:.3f}".replace("0.", ".") if p < 1 else "1"
                ax.text(j, i, text, ha="center", va="center", fontsize=font, color="white" if p < 0.01 else "black")
