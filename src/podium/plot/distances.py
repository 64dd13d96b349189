"""Distances between relations, as a table of shades with its dendrogram."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap

from podium.figures.distances import DistanceTable
from podium.figures.distances import distances as distance_numbers
from podium.figures.palette import NEUTRAL
from podium.plot import canvas
from podium.plot.drawing import draws
from podium.plot.square_table import name_sides, shade_cells
from podium.plot.style import size_in_points, write_title

__all__ = ["distances"]

_SHADES = LinearSegmentedColormap.from_list("near to far", ["#1F4E9C", "#B5CDEE", "#F7F8FA"])
NUMBERS_UP_TO = 24  # relations
TREE = 0.2  # height of the dendrogram, in heights of the table


@draws(distance_numbers, canvas=canvas.square(1.0, lambda numbers: numbers.labels))
def distances(ax: Axes, numbers: DistanceTable, *, title: str | None = None) -> None:
    """Draw the distances between relations as a table of shades, similar ones side by side, with the dendrogram above.

    Parameters
    ----------
    title : str, optional
        Title above the axes; by default there is none.

    Examples
    --------
    >>> import podium
    >>> chains = podium.datasets.load_uci_chains()
    >>> relations = {name: podium.Relation.from_chain(chain) for name, chain in chains.items()}
    >>> ax = podium.plot.distances(podium.relations.distances(relations))
    """
    n = len(numbers.labels)
    shade_cells(ax, numbers.matrix, cmap=_SHADES, vmin=0.0)
    if n <= NUMBERS_UP_TO:
        font = min(float(mpl.rcParams["font.size"]) * 0.9, 0.4 * size_in_points(ax)[0] / n)
        dark = 0.25 * float(numbers.matrix.max() or 1.0)
        for i, j in np.argwhere(~np.eye(n, dtype=bool)):
            value = float(numbers.matrix[i, j])
            colour = "white" if value < dark else "black"
            ax.text(j, i, f"{value:.3g}", ha="center", va="center", fontsize=font, color=colour)
    name_sides(ax, numbers.labels, above=False, width=22)
    # The dendrogram is on top of the table, in the same axes.
    room = TREE * n
    links = numbers.links.copy()
    links[:, :, 1] = -0.6 - room * links[:, :, 1] / numbers.height
    ax.add_collection(LineCollection(list(links), colors=NEUTRAL, linewidths=1.0))
    ax.set_ylim(n - 0.5, -0.7 - room)
    write_title(ax, title, "")
