"""Cost against performance, with the Pareto front and the order of MultiTest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes

from podium.arrays import BoolArray, FloatArray
from podium.plot import canvas
from podium.plot.colours import edge_colour
from podium.plot.drawing import plot_of
from podium.plot.figures.cost_tradeoff import CostTradeoff
from podium.plot.figures.cost_tradeoff import cost_tradeoff as tradeoff_numbers
from podium.plot.figures.palette import NEUTRAL
from podium.plot.names import LINE, fit_names, text_width
from podium.plot.scales import log_values
from podium.plot.style import Sheet, cell_size, label_values, size_in_points, title_height, write_title
from podium.results import MeasureInfo

__all__ = ["cost_tradeoff"]

_NAME_SHARE = 0.34  # of the width, for the names at the right


def _labels(numbers: CostTradeoff, room: float, font: float) -> list[str]:
    """Return the names broken into lines that fit the room."""
    return fit_names(numbers.algorithms, _NAME_SHARE * room, font, lines=3, bold=True)


def _height(numbers: CostTradeoff, sheet: Sheet, options: canvas.Options) -> float:
    rows = sum(1 + name.count("\n") for name in _labels(numbers, sheet.room, 0.9 * sheet.font))
    plot = max(0.5 * sheet.room, 1.15 * LINE * sheet.font * rows)
    return plot + canvas.axis_below(3) + title_height(options["title"], _heading(numbers), sheet.room)


@plot_of(tradeoff_numbers, canvas=canvas.fitted(_height))
def cost_tradeoff(ax: Axes, numbers: CostTradeoff, *, palette: Mapping[str, str], title: str | None = None) -> None:
    """Draw cost against performance; the line joins the algorithms on the Pareto front.

    Names are at the right, each with its place in the order of MultiTest. An algorithm off the front is dominated:
    another one costs at most as much and is at least as good.

    Examples
    --------
    >>> import podium
    >>> results, seconds = (podium.examples.load_ulas2008(name) for name in ("accuracy", "training time"))
    >>> ax = podium.plot.cost_tradeoff(podium.multi2test(results, cost=seconds))
    """
    known = ~np.isnan(numbers.cost) & ~np.isnan(numbers.value)
    cost, value = numbers.cost, numbers.value
    fill = np.array([palette[name] for name in numbers.algorithms])
    size = 0.75 * float(mpl.rcParams["font.size"])
    off = known & ~numbers.front
    for chosen, marker in ((numbers.front, "o"), (off, "s")):
        rims = [edge_colour(colour) for colour in fill[chosen]]
        look: dict[str, Any] = {"marker": marker, "edgecolors": rims, "linewidths": 0.9, "zorder": 3}
        ax.scatter(cost[chosen], value[chosen], s=size**2, c=fill[chosen], **look)
    order = np.flatnonzero(numbers.front)
    order = order[np.lexsort((value[order], cost[order]))]
    if len(order) > 1:
        ax.plot(cost[order], value[order], color=NEUTRAL, linewidth=0.9, zorder=2)
    ax.margins(0.06, 0.08)
    ax.autoscale_view()
    if numbers.logarithmic:
        log_values(ax, "x")
    many = numbers.datasets > 1
    what = f"{numbers.statistic} " if many else ""
    label_values(ax, [what + _named(numbers.measure), f"({numbers.measure.direction} is better)"], "y")
    room = 0.6 * size_in_points(ax)[0]
    label_values(ax, [_named(numbers.cost_info), f"({numbers.cost_info.direction} is preferred)"], "x", room)
    ax.grid(True)
    _name(ax, numbers, known)
    write_title(ax, title, _heading(numbers))


def _heading(numbers: CostTradeoff) -> str:
    where = f"{numbers.datasets} data sets" if numbers.datasets > 1 else numbers.dataset
    return f"{where}: circles are on the Pareto front" if where else "circles are on the Pareto front"


def _named(info: MeasureInfo) -> str:
    return info.name + (f" [{info.units}]" if info.units else "")


def _name(ax: Axes, numbers: CostTradeoff, known: BoolArray) -> None:
    """Write the names to the right of the axes, in the order of their heights, with a thin line to each mark."""
    rows = np.flatnonzero(known)
    if not len(rows):
        return
    font = float(mpl.rcParams["font.size"]) * 0.9
    names = _labels(numbers, cell_size(ax)[0], font)
    low, high = ax.get_ylim()
    heights = (numbers.value[rows] - low) / (high - low)
    order = np.argsort(heights, kind="stable")
    tall = cell_size(ax)[1] - canvas.axis_below(3) - title_height(None, _heading(numbers), cell_size(ax)[0])
    high_as = np.array([1.1 * LINE * font * (1 + names[i].count("\n")) / max(tall, 1.0) for i in rows[order]])
    gaps = (high_as[1:] + high_as[:-1]) / 2
    top = 1.0 - float(high_as[-1]) / 2  # the title is above
    spots = _spread(heights[order], gaps * min(1.0, 1.0 / max(float(gaps.sum()), 1e-9)), top)
    indent = text_width(f"{len(names)}  ", font, bold=True)
    for y, i in zip(spots, rows[order], strict=True):
        weight = "bold" if numbers.front[i] else "normal"
        beside: dict[str, Any] = {"transform": ax.transAxes, "va": "center", "fontsize": font, "fontweight": weight}
        ax.text(1.05, y, f"{i + 1}", **beside)
        ax.annotate(
            names[i],
            (1.05, y),
            (indent, 0),
            xycoords="axes fraction",
            textcoords="offset points",
            va="center",
            fontsize=font,
            fontweight=weight,
            linespacing=1.05,
            annotation_clip=False,
        )
        ax.annotate(
            "",
            (numbers.cost[i], numbers.value[i]),
            xytext=(1.045, y),
            textcoords="axes fraction",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": "#B4B8BF", "linewidth": 0.6, "shrinkA": 0, "shrinkB": 3},
        )


def _spread(heights: FloatArray, gaps: FloatArray, top: float) -> FloatArray:
    """Move labels apart and below `top`, by as little as possible in one pass up and one down."""
    spots = heights.astype(float).copy()
    for i in range(1, len(spots)):
        spots[i] = max(spots[i], spots[i - 1] + gaps[i - 1])
    over = spots[-1] - max(top, float(gaps.sum()))
    if over > 0:
        spots[-1] -= over
        for i in range(len(spots) - 2, -1, -1):
            spots[i] = min(spots[i], spots[i + 1] - gaps[i])
    return spots
