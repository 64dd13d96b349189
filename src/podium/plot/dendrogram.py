"""Dendrogram of relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from podium.plot import canvas
from podium.plot.canvas import FULL, height_of_many, name_some
from podium.plot.categorical import name_rows
from podium.plot.colours import edge_colour
from podium.plot.drawing import plot_of
from podium.plot.figures.distances import DistanceTable
from podium.plot.figures.distances import distances as distance_numbers
from podium.plot.figures.palette import NEUTRAL
from podium.plot.legend import LegendPlan
from podium.plot.scales import spread_ticks
from podium.plot.style import Sheet, Size, cell_size, in_lines, title_height, write_title
from podium.results.labels import natural_key

__all__ = ["dendrogram"]


SEVERAL = "several winners"


def _height(numbers: DistanceTable, sheet: Sheet, options: canvas.Options) -> float:
    """Height in points: roomy rows for a few relations, ever lower ones for hundreds of data sets."""
    names = numbers.labels
    rows = canvas.height_of_rows(names, sheet) if len(names) <= FULL else height_of_many(names, sheet)
    return rows + canvas.axis_below(1) + title_height(options["title"], "", sheet.room)


_WITHOUT_LEGEND = canvas.fitted(_height)
_WITH_LEGEND = canvas.with_legend(lambda numbers: _legend_names(numbers), _height, beside=False)


def _winners(numbers: DistanceTable) -> Sequence[str]:
    return sorted({name for name in numbers.winners if name}, key=natural_key)


def _legend_names(numbers: DistanceTable) -> list[str]:
    return [*(f"{name} wins alone" for name in _winners(numbers)), *([SEVERAL] if "" in numbers.winners else [])]


def _canvas(ax: Any, numbers: DistanceTable, size: Size, options: canvas.Options) -> canvas.Canvas:
    return (_WITH_LEGEND if numbers.winners else _WITHOUT_LEGEND)(ax, numbers, size, options)


@plot_of(distance_numbers, canvas=_canvas)
def dendrogram(
    ax: Axes,
    numbers: DistanceTable,
    *,
    palette: Mapping[str, str],
    title: str | None = None,
    legend: LegendPlan | None = None,
) -> list[Line2D]:
    """Draw the dendrogram of relations, one per row; for a domain, also the algorithm that wins each data set alone.

    Parameters
    ----------
    title : str, optional
        Title above the axes; by default there is none.
    """
    thin = 1.0 if len(numbers.labels) <= FULL else 0.5
    ax.add_collection(LineCollection(list(numbers.links[:, :, ::-1]), colors=NEUTRAL, linewidths=thin))
    ax.set_xlim(0.0, 1.05 * numbers.height)
    n = len(numbers.labels)
    ax.set_ylim(n - 0.5, -0.5)
    taken = canvas.axis_below(1) + title_height(title, "", cell_size(ax)[0]) + (legend.height if legend else 0.0)
    left = name_rows(ax, numbers.labels) if n <= FULL else name_some(ax, numbers.labels, taken)
    handles = _mark_winners(ax, numbers, palette) if legend is not None else []
    length = cell_size(ax)[0] - left
    heights = numbers.links[..., 1]
    spread_ticks(ax, "x", length, integer=numbers.height > 1 and bool((heights == np.round(heights)).all()))
    ax.set_xlabel("\n".join(in_lines([f"{numbers.metric},", f"{numbers.linkage} linkage"], length)))
    write_title(ax, title, "", left=left)
    return handles


def _mark_winners(ax: Axes, numbers: DistanceTable, palette: Mapping[str, str]) -> list[Line2D]:
    """Put a mark in the winner's colour at each leaf; empty where several are first."""
    tones = ["white" if not name else palette[name] for name in numbers.winners]
    edges = [NEUTRAL if not name else edge_colour(palette[name]) for name in numbers.winners]
    many = len(tones) > FULL
    ax.scatter(
        np.zeros(len(tones)),
        np.arange(len(tones)),
        s=8 if many else 36,
        marker="s",
        c=tones,
        edgecolors=edges,
        linewidths=0.4 if many else 1.0,
        clip_on=False,
        zorder=3,
    )
    ax.tick_params(axis="y", pad=7)
    looks: list[tuple[Any, Any]] = [(palette[name], edge_colour(palette[name])) for name in _winners(numbers)]
    looks += [("white", NEUTRAL)] if "" in numbers.winners else []
    return [Line2D([], [], linestyle="", marker="s", markerfacecolor=face, markeredgecolor=rim) for face, rim in looks]
