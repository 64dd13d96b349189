"""Square tables: one row and one column per algorithm or relation, cells as shades."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable

from podium.plot.names import fit_names
from podium.plot.style import size_in_points


def shade_cells(ax: Axes, values: Any, **look: Any) -> ScalarMappable:
    """Draw the cells of a table as shades with white lines between them."""
    n = len(values)
    edges = np.arange(n + 1) - 0.5
    mesh = ax.pcolormesh(edges, edges, values, **look)
    mesh.set_edgecolor("white")
    mesh.set_linewidth(1.0 if n <= 20 else 0.3)
    return mesh


def name_sides(ax: Axes, labels: Sequence[str], *, above: bool, width: int = 18) -> None:
    """Name the rows, and the columns above or below the table; upright where their names would touch."""
    k = len(labels)
    short = fit_names(labels, width)
    wide, tall = (0.6 * side / k for side in size_in_points(ax))
    font = min(float(mpl.rcParams["ytick.labelsize"]), max(3.5, 0.95 * tall))
    upright = max(map(len, short)) * 0.6 * font > wide
    ax.set_xticks(range(k), short, rotation=90 if upright else 0, fontsize=font)
    ax.set_yticks(range(k), short, fontsize=font)
    if above:
        ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.set_xlim(-0.5, k - 0.5)
    ax.set_ylim(k - 0.5, -0.5)
    for spine in ax.spines.values():
        spine.set_visible(False)
