"""Dendrogram of relations."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from podium.figures.distances import DistanceTable
from podium.figures.distances import distances as distance_numbers
from podium.figures.palette import NEUTRAL
from podium.plot import canvas
from podium.plot.drawing import draws
from podium.plot.names import fit_names
from podium.plot.style import write_title

__all__ = ["dendrogram"]


@draws(distance_numbers, canvas=canvas.rows(lambda numbers: len(numbers.labels)))
def dendrogram(ax: Axes, numbers: DistanceTable, *, title: str | None = None) -> None:
    """Draw the dendrogram of relations, one per row.

    Parameters
    ----------
    title : str, optional
        Title above the axes; by default there is none.
    """
    ax.add_collection(LineCollection(list(numbers.links[:, :, ::-1]), colors=NEUTRAL, linewidths=1.0))
    ax.set_xlim(0.0, 1.05 * numbers.height)
    n = len(numbers.labels)
    ax.set_yticks(range(n), fit_names(numbers.labels, 26))
    ax.set_ylim(n - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    # From the right end: under long names the axis may be shorter than this text.
    ax.set_xlabel(f"{numbers.metric}, {numbers.linkage} linkage", loc="right")
    write_title(ax, title, "")
