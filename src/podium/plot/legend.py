"""Legends outside the axes, planned before the figure is made, so that it has room for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.transforms import ScaledTranslation

from podium.plot.names import shorten
from podium.plot.style import whole_figure


@dataclass(frozen=True)
class LegendPlan:
    """Where a legend goes, and the room it takes.

    Attributes
    ----------
    labels : tuple of str
    columns : int
    right : bool
        To the right of the axes, or below them.
    width, height : float
        Inches to add to a figure: to its width if the legend is on the right, else to its height.
    """

    labels: tuple[str, ...]
    columns: int
    right: bool
    width: float
    height: float


def plan_legend(names: Sequence[str], width: float, height: float) -> LegendPlan:
    """Plan a legend for axes of this size in inches: on the right if the figure is wide and high enough for it."""
    font = float(mpl.rcParams["legend.fontsize"])
    letter, line = 0.6 * font / 72, 1.25 * font / 72
    beside = shorten(names, 22)
    tall = sum(line * (1 + text.count("\n")) + 0.5 * font / 72 for text in beside)
    if width > 4.5 and tall < height:
        longest = max(len(part) for text in beside for part in text.split("\n"))
        return LegendPlan(tuple(beside), 1, True, (longest + 5) * letter, 0.0)
    below = shorten(names, 30, lines=1)
    columns = int(np.clip(width / ((max(map(len, below)) + 5.5) * letter), 1, len(names)))
    rows = int(np.ceil(len(names) / columns))
    return LegendPlan(tuple(below), columns, False, 0.0, (rows * 1.5 + 1.2) * font / 72)


def draw_legend(ax: Axes, handles: Sequence[Artist], plan: LegendPlan, *, below: float = 0.0) -> None:
    """Draw a legend where it was planned.

    `below` is the height in inches of what is already below the axes.
    """
    if plan.right:
        ax.legend(handles, plan.labels, loc="upper left", bbox_to_anchor=(1.0, 1.0), handletextpad=0.4)
        return
    figure = whole_figure(ax)
    labels = 2.6 * float(mpl.rcParams["axes.labelsize"]) / 72 + 0.08
    down = ScaledTranslation(0, -below - labels, figure.dpi_scale_trans)
    ax.legend(
        handles,
        plan.labels,
        ncols=plan.columns,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        bbox_transform=ax.transAxes + down,
        columnspacing=1.0,
        handletextpad=0.4,
        borderaxespad=0.0,
    )
