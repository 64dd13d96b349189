"""Plot of p-values over replications."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from podium.analysis.omnibus import capitalised
from podium.plot import canvas
from podium.plot.drawing import plot_of
from podium.plot.figures.monitor import Monitoring
from podium.plot.figures.monitor import monitor as monitor_numbers
from podium.plot.figures.palette import NEUTRAL, PALETTE
from podium.plot.scales import spread_ticks
from podium.plot.style import Sheet, cell_size, in_lines, title_height, write_title

__all__ = ["monitor"]

MAX_COLOURS = 6  # series up to which each has a colour and a name
_COLOURS = tuple(PALETTE.values())


def _heading(numbers: Monitoring) -> str:
    adjusted = "" if numbers.adjust == "none" else f", p-values adjusted ({numbers.adjust})"
    many = f", {len(numbers.labels)} pairs" if len(numbers.labels) > MAX_COLOURS else ""
    return f"{capitalised(numbers.method)} on the first replications of {numbers.dataset}{adjusted}{many}"


def _key(numbers: Monitoring) -> Sequence[str]:
    """Return the entries of the legend: each series with its point, or what all of them are."""
    if len(numbers.labels) > MAX_COLOURS:
        reached = int(np.isfinite(numbers.points).sum())
        return [f"a pair of algorithms; Π is reached by {reached or 'none'} of {len(numbers.labels)}"]
    return [f"{name}: Π = {_point(point)}" for name, point in zip(numbers.labels, numbers.points, strict=True)]


def _point(point: float) -> str:
    return "∞" if np.isinf(point) else f"{point:.0f}"


def _height(numbers: Monitoring, sheet: Sheet, options: canvas.Options) -> float:
    return 0.5 * sheet.room + title_height(options["title"], _heading(numbers), sheet.room)


@plot_of(monitor_numbers, canvas=canvas.with_legend(_key, _height, beside=False))
def monitor(ax: Axes, numbers: Monitoring, *, title: str | None = None) -> list[Line2D]:
    """Draw the p-value of the first b replications over b, with the level and the points of consecutive significance.

    The p-values are on a square root scale, which gives small ones more room. A dot on the level marks each point; more
    than six series are all drawn in one colour.

    Examples
    --------
    >>> import podium
    >>> ax = podium.plot.monitor(podium.monitor(podium.examples.load_pima(), pair=("rf", "svm1")))
    """
    several = len(numbers.labels) > MAX_COLOURS
    replications = np.arange(1, numbers.n + 1)
    handles = []
    # Series of one colour at once: a drawing of hundreds takes long otherwise.
    series = np.arange(len(numbers.labels))
    groups = [series] if several else np.split(series, len(series))
    for i, group in enumerate(groups):
        look: dict[str, Any] = {"color": "#8A93A3" if several else _COLOURS[i], "linewidth": 0.6 if several else 1.1}
        ax.plot(replications, numbers.pvalues[group].T, **look)
        handles.append(Line2D([], [], **look))
        points = numbers.points[group][np.isfinite(numbers.points[group])]
        if len(points):
            ax.vlines(points, 0, numbers.alpha, color=look["color"], linewidth=0.8)
            ax.plot(points, np.full(len(points), numbers.alpha), "o", color=look["color"], markersize=4, zorder=4)
    ax.axhline(numbers.alpha, color=NEUTRAL, linewidth=0.9, linestyle="--", zorder=1)
    root_scale(ax)
    room = cell_size(ax)[0]
    ax.set_ylabel("p-value")
    ax.set_xlabel("\n".join(in_lines(("number of replications;", f"dashed: {numbers.alpha:g}"), 0.8 * room)))
    ax.set_xlim(1, numbers.n)
    ax.grid(axis="y")
    spread_ticks(ax, "x", 0.85 * room, integer=True)
    write_title(ax, title, _heading(numbers))
    return handles


def root_scale(ax: Axes) -> None:
    """Give the axis of p-values a square root scale from 0 to 1."""
    ax.set_yscale("function", functions=(lambda p: np.sqrt(np.maximum(p, 0.0)), lambda y: np.square(y)))
    ax.set_ylim(0, 1)
    ticks = (0.0, 0.05, 0.2, 0.5, 1.0)
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
