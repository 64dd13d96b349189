"""Distances between relations: a table of shades with its dendrogram, and the dendrogram alone."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap

from podium.analysis.consensus import Distances
from podium.analysis.preference import Relation
from podium.figures.distances import DistanceTable
from podium.figures.distances import distances as numbers_of
from podium.plot.incidence import name_sides
from podium.plot.names import fit_names
from podium.plot.style import NEUTRAL, Size, axes, local, size_in_points, width_of
from podium.plot.style import title as write_title

_SHADES = LinearSegmentedColormap.from_list("near to far", ["#1F4E9C", "#B5CDEE", "#F7F8FA"])
NUMBERS_UP_TO = 24  # relations
TREE = 0.2  # height of the dendrogram, in heights of the table


def distances(
    relations: Distances | DistanceTable | Mapping[str, Relation],
    *,
    ax: Axes | None = None,
    size: Size = "screen",
    title: str = "",
) -> Axes:
    """Draw the distances between relations as a table of shades, similar ones side by side, with the dendrogram above.

    Parameters
    ----------
    relations : Distances, mapping of Relation, or figures.DistanceTable
    ax : Axes, optional
        Axes to draw on; new ones if left out.
    size : {"screen", "column"} or (float, float)
        Size of a new figure.
    title : str, optional

    Returns
    -------
    Axes
        Those of the table.

    Examples
    --------
    >>> import podium
    >>> chains = podium.datasets.load_uci_chains()
    >>> relations = {name: podium.Relation.from_chain(chain) for name, chain in chains.items()}
    >>> ax = podium.plot.distances(podium.relations.distances(relations))
    """
    numbers = relations if isinstance(relations, DistanceTable) else numbers_of(relations)
    with local(size):
        if ax is None:
            width = width_of(size)
            ax = axes(None, size=(width, 1.1 * width) if isinstance(size, str) else size)
        _draw_table(ax, numbers)
        _draw_tree_above(ax, numbers)
        if title:
            write_title(ax, title)
    return ax


def dendrogram(
    relations: Distances | DistanceTable | Mapping[str, Relation],
    *,
    ax: Axes | None = None,
    size: Size = "screen",
    title: str = "",
) -> Axes:
    """Draw the dendrogram of relations, one per row.

    Parameters
    ----------
    relations, ax, size, title
        As for `podium.plot.distances`.

    Returns
    -------
    Axes
    """
    numbers = relations if isinstance(relations, DistanceTable) else numbers_of(relations)
    with local(size):
        ax = axes(ax, size=size, rows=len(numbers.labels))
        ax.add_collection(LineCollection(list(numbers.links[:, :, ::-1]), colors=NEUTRAL, linewidths=1.0))
        ax.set_xlim(0.0, 1.05 * _top(numbers))
        n = len(numbers.labels)
        ax.set_yticks(range(n), fit_names(numbers.labels, 26))
        ax.set_ylim(n - 0.5, -0.5)
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        # From the right end: under long names the axis may be shorter than this text.
        ax.set_xlabel(f"{numbers.method}, {numbers.linkage} linkage", loc="right")
        if title:
            write_title(ax, title)
    return ax


def _draw_table(ax: Axes, numbers: DistanceTable) -> None:
    n = len(numbers.labels)
    edges = np.arange(n + 1) - 0.5
    mesh = ax.pcolormesh(edges, edges, numbers.matrix, cmap=_SHADES, vmin=0.0)
    mesh.set_edgecolor("white")
    mesh.set_linewidth(0.8 if n <= 25 else 0.2)
    room = 0.8 * size_in_points(ax)[0] / n
    if n <= NUMBERS_UP_TO:
        font = min(float(mpl.rcParams["font.size"]) * 0.9, room / 2.0)
        middle = 0.25 * float(numbers.matrix.max() or 1.0)
        for i, j in np.argwhere(~np.eye(n, dtype=bool)):
            value = float(numbers.matrix[i, j])
            colour = "white" if value < middle else "black"
            ax.text(j, i, f"{value:.3g}", ha="center", va="center", fontsize=font, color=colour)
    name_sides(ax, numbers.labels)


def _draw_tree_above(ax: Axes, numbers: DistanceTable) -> None:
    """Draw the dendrogram on top of the table, in the same axes."""
    n = len(numbers.labels)
    room = TREE * n
    links = numbers.links.copy()
    links[:, :, 1] = -0.6 - room * links[:, :, 1] / _top(numbers)
    ax.add_collection(LineCollection(list(links), colors=NEUTRAL, linewidths=1.0))
    ax.set_ylim(n - 0.5, -0.7 - room)


def _top(numbers: DistanceTable) -> float:
    """Height of the dendrogram."""
    return float(numbers.links[:, :, 1].max(initial=0.0)) or 1.0
