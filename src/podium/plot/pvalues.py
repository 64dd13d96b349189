"""P-value table."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.patches import Rectangle

from podium.checks import check_flag
from podium.figures.pvalues import PValues
from podium.figures.pvalues import pvalues as pvalue_numbers
from podium.plot import canvas
from podium.plot.drawing import draws
from podium.plot.square_table import name_sides, shade_cells
from podium.plot.style import SMALLEST_FONT, size_in_points, whole_figure, write_title

__all__ = ["pvalues"]

_SHADES = ("#1F4E9C", "#5B8BD0", "#B5CDEE", "#F2F3F5")  # below 0.001, below 0.01, below alpha, above


@draws(pvalue_numbers, canvas=canvas.square(0.78))
def pvalues(ax: Axes, numbers: PValues, *, write: bool | None = None, title: str | None = None) -> None:
    """Draw the adjusted p-values of all pairs as a table of shades, best algorithm first.

    Pairs that were not tested are hatched.

    Parameters
    ----------
    write : bool, optional
        Whether to write the p-values into the cells; by default where they can be read.
    """
    if write is not None:
        check_flag(write, "write")
    k = len(numbers.algorithms)
    steps = sorted({0.001, 0.01, numbers.alpha})
    colours = [*_SHADES[3 - len(steps) : 3], _SHADES[3]]
    norm = BoundaryNorm([0.0, *steps, 1.0], len(colours))
    cells = np.ma.masked_invalid(numbers.matrix)
    mesh = shade_cells(ax, cells, cmap=ListedColormap(colours), norm=norm)
    for i, j in np.argwhere(np.isnan(numbers.matrix) & ~np.eye(k, dtype=bool)):
        ax.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, hatch="////", edgecolor="#B4B8BF", linewidth=0))
    font = min(float(mpl.rcParams["font.size"]) * 0.85, 0.75 * size_in_points(ax)[0] / k / 3.7)
    if font >= SMALLEST_FONT if write is None else write:
        _write(ax, numbers, font)
    name_sides(ax, numbers.algorithms, above=True)
    bar = whole_figure(ax).colorbar(mesh, ax=ax, aspect=28, shrink=0.7, spacing="uniform")
    bar.set_ticks(steps, labels=[f"{step:g}" for step in steps])
    bar.ax.minorticks_off()
    bar.ax.tick_params(length=0)
    bar.set_label("p" if numbers.adjust == "none" else "adjusted p")
    bar.outline.set_visible(False)
    adjustment = "no" if numbers.adjust == "none" else numbers.adjust
    write_title(ax, title, f"{numbers.method}, {numbers.block_label}, {adjustment} adjustment")


def _write(ax: Axes, table: PValues, font: float) -> None:
    for i, j in np.argwhere(~np.isnan(table.matrix)):
        p = float(table.matrix[i, j])
        text = "<0.001" if p < 0.001 else f"{p:.3f}"
        ax.text(j, i, text, ha="center", va="center", fontsize=font, color="white" if p < 0.01 else "black")
