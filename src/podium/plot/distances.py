"""Distances between relations, as a heat map with its dendrogram."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap

from podium.plot import canvas
from podium.plot.categorical import inside
from podium.plot.drawing import plot_of
from podium.plot.figures.distances import DistanceTable
from podium.plot.figures.distances import distances as distance_numbers
from podium.plot.figures.palette import NEUTRAL
from podium.plot.heat_map import TablePlan, cell_font, fit_plan, name_sides, plan_table, shade_cells
from podium.plot.style import Sheet, cell_size, title_height, write_title

__all__ = ["distances"]

_SHADES = LinearSegmentedColormap.from_list("near to far", ["#1F4E9C", "#B5CDEE", "#F7F8FA"])
TREE = 0.2  # height of the dendrogram, in heights of the table


def _height(numbers: DistanceTable, sheet: Sheet, options: canvas.Options) -> float:
    plan, _ = _plan(numbers, sheet.room)
    return plan.tall + _tree(plan) + title_height(options["title"], "", sheet.room)


def _tree(plan: TablePlan) -> float:
    """Height of the dendrogram in points."""
    return min(TREE * len(plan.rows) * plan.height, 90.0)


def _plan(numbers: DistanceTable, room: float) -> tuple[TablePlan, float | None]:
    """Return the table, and the size of the numbers in its cells, if these have room."""
    texts = [f"{value:.3g}" for value in np.unique(numbers.matrix)]
    plan = plan_table(numbers.labels, room)
    font = cell_font(texts, plan.width, 0.9 * float(mpl.rcParams["font.size"]))
    return plan_table(numbers.labels, room, least=min(0.72 * plan.width / plan.font, 4.5)), font


@plot_of(distance_numbers, canvas=canvas.fitted(_height))
def distances(ax: Axes, numbers: DistanceTable, *, title: str | None = None) -> None:
    """Draw the distances between relations as a heat map, similar ones side by side, with the dendrogram above.

    Parameters
    ----------
    title : str, optional
        Title above the axes; by default there is none.

    Examples
    --------
    >>> import podium
    >>> chains = podium.examples.load_uci_chains()
    >>> relations = {name: podium.Relation.from_chain(chain) for name, chain in chains.items()}
    >>> ax = podium.plot.distances(podium.relations.distances(relations))
    """
    n = len(numbers.labels)
    shade_cells(ax, numbers.matrix, cmap=_SHADES, vmin=0.0)
    room = cell_size(ax)[0]
    plan, font = _plan(numbers, room)
    tree = _tree(plan)
    plan = fit_plan(plan, ax, numbers.labels, tree + title_height(title, "", room))
    if font is not None:
        dark = 0.25 * float(numbers.matrix.max() or 1.0)
        for i, j in np.argwhere(~np.eye(n, dtype=bool)):
            value = float(numbers.matrix[i, j])
            colour = "white" if value < dark else "black"
            inside(ax.text(j, i, f"{value:.3g}", ha="center", va="center", fontsize=font, color=colour))
    name_sides(ax, plan, above=False)
    # The dendrogram is on top of the table, in the same axes.
    high = tree / plan.height
    links = numbers.links.copy()
    links[:, :, 1] = -0.6 - high * links[:, :, 1] / numbers.height
    ax.add_collection(LineCollection(list(links), colors=NEUTRAL, linewidths=1.0))
    ax.set_ylim(n - 0.5, -0.7 - high)
    write_title(ax, title, "", left=plan.left)
