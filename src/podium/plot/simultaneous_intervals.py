"""Plot of simultaneous intervals."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.markers import CARETLEFT, CARETRIGHT, MarkerStyle
from matplotlib.patches import Patch

from podium.arrays import FloatArray
from podium.figures.palette import NEUTRAL
from podium.figures.simultaneous_intervals import SimultaneousIntervals
from podium.figures.simultaneous_intervals import simultaneous_intervals as interval_numbers
from podium.plot import canvas
from podium.plot.drawing import draws
from podium.plot.legend import LegendPlan, draw_legend
from podium.plot.names import shorten
from podium.plot.style import FONTS, WIDTHS, NamedSize, label_values, size_in_points, write_title

__all__ = ["simultaneous_intervals"]

_COLOURS = {"better": "#1F4E9C", "equivalent": "#2E8B6F", "undecided": "#8A9099"}
_MEANINGS = {"better": "first is better", "equivalent": "equivalent", "undecided": "undecided"}
_AREA = "#E4EFEA"
NAMES_UP_TO = 120  # pairs; with more, their names would touch


def _inches(numbers: SimultaneousIntervals, size: NamedSize, options: canvas.Options) -> canvas.Inches:
    rows = max(len(numbers.first), 3)
    return WIDTHS[size], FONTS[size] * ((0.03 if rows <= 20 else 0.022) * rows + 0.13)


@draws(interval_numbers, canvas=canvas.fitted(_inches))
def simultaneous_intervals(ax: Axes, numbers: SimultaneousIntervals, *, title: str | None = None) -> None:
    """Draw the simultaneous confidence interval of every pair, with the area of equivalence behind.

    Blue intervals belong to significant differences: the first algorithm is better. They do not contain zero, unless
    the p-values were adjusted stepwise, which shows more than the intervals do. Green ones lie inside the area of
    equivalence: the difference does not matter, whether it is significant (a filled dot) or not. Grey ones decide
    nothing. An interval that is infinite to one side ends in an arrow at the border.

    Examples
    --------
    >>> import podium
    >>> comparison = podium.compare(podium.datasets.load_demsar2006(), method="mixed", missing="available")
    >>> ax = podium.plot.simultaneous_intervals(comparison)
    """
    n = len(numbers.first)
    row = np.arange(n)
    room = size_in_points(ax)[1] / n
    if numbers.equivalence is not None:
        _draw_area(ax, numbers.equivalence)
    ax.axvline(0, color=NEUTRAL, linewidth=0.9, zorder=1)
    colour = np.array([_COLOURS[decision] for decision in numbers.decisions])
    left, right = _limits(numbers)
    lower, upper = np.clip(numbers.lower, left, right), np.clip(numbers.upper, left, right)
    spans = [[(a, y), (b, y)] for a, b, y in zip(lower, upper, row, strict=True)]
    ax.add_collection(LineCollection(spans, colors=list(colour), linewidths=min(2.0, 0.16 * room), zorder=2))
    tick = min(0.22, 3.2 / room)
    for ends, border, arrow in ((numbers.lower, left, CARETLEFT), (numbers.upper, right, CARETRIGHT)):
        finite = np.isfinite(ends)
        caps = [[(x, y - tick), (x, y + tick)] for x, y in zip(ends[finite], row[finite], strict=True)]
        ax.add_collection(LineCollection(caps, colors=list(colour[finite]), linewidths=1.2, zorder=2))
        if not finite.all():
            at = np.full(int((~finite).sum()), border)
            ax.scatter(
                at, row[~finite], s=min(40.0, 2.4 * room), c=list(colour[~finite]), marker=MarkerStyle(arrow), zorder=2
            )
    fill = np.where(numbers.significant, colour, "white")
    ax.scatter(
        numbers.estimate, row, s=min(34.0, 1.6 * room), c=list(fill), edgecolors=list(colour), linewidths=1.1, zorder=3
    )
    ax.set_xlim(left, right)
    ax.set_ylim(n - 0.4, -0.6)
    _name_pairs(ax, numbers, room)
    lines = label_values(ax, numbers.value_parts, "x")
    write_title(ax, title, f"{1 - numbers.alpha:.0%} simultaneous intervals, {numbers.block_label}")
    _draw_legend(ax, numbers, lines)


def _limits(numbers: SimultaneousIntervals) -> tuple[float, float]:
    """Ends of the axis: all that is finite, and a margin; a wider one where an arrow needs room."""
    area = np.ravel([] if numbers.equivalence is None else numbers.equivalence)
    ends = np.concatenate([numbers.lower, numbers.upper, numbers.estimate, [0.0], area])
    ends = ends[np.isfinite(ends)]
    low, high = float(ends.min()), float(ends.max())
    before, after = (0.03 if np.isfinite(side).all() else 0.1 for side in (numbers.lower, numbers.upper))
    return low - before * (high - low), high + after * (high - low)


def _draw_legend(ax: Axes, numbers: SimultaneousIntervals, lines: int) -> None:
    """Draw the legend below the label of the axis, which has so many lines."""
    there = [decision for decision in _COLOURS if decision in numbers.decisions]
    labels = [_MEANINGS[decision] for decision in there]
    handles: list[Artist] = [
        _handle(decision, bool(numbers.significant[numbers.decisions == decision].all())) for decision in there
    ]
    if numbers.equivalence is not None:
        labels.append("area of equivalence")
        handles.append(Patch(facecolor=_AREA, edgecolor=_COLOURS["equivalent"], linestyle=(0, (2, 2)), linewidth=0.7))
    columns = len(labels) if size_in_points(ax)[0] > 220 or len(labels) < 4 else 2
    line = 1.3 * float(mpl.rcParams["axes.labelsize"]) / 72
    plan = LegendPlan(tuple(labels), columns, False, 0.0, 0.0)
    draw_legend(ax, handles, plan, below=line * (lines - 1))


def _handle(decision: str, filled: bool) -> Line2D:
    colour = _COLOURS[decision]
    inside = colour if filled else "white"
    return Line2D([], [], color=colour, marker="o", markersize=5, markerfacecolor=inside, linewidth=1.6)


def _draw_area(ax: Axes, areas: FloatArray) -> None:
    """Shade the area of equivalence; row by row where pairs were reversed and its ends are unequal."""
    dashes: dict[str, Any] = {"colors": _COLOURS["equivalent"], "linewidths": 0.9, "linestyles": (0, (2, 2))}
    last = len(areas)
    spans = [(0, last, areas[0])] if (areas == areas[0]).all() else [(i, i + 1, area) for i, area in enumerate(areas)]
    for top, bottom, (low, high) in spans:
        edge = (top - 0.6 if top == 0 else top - 0.5, bottom - 0.4 if bottom == last else bottom - 0.5)
        ax.fill_betweenx(edge, low, high, color=_AREA, linewidth=0, zorder=0)
        ax.vlines([low, high], *edge, zorder=0.9, **dashes)


def _name_pairs(ax: Axes, numbers: SimultaneousIntervals, room: float) -> None:
    ax.tick_params(axis="y", length=0)
    if len(numbers.first) > NAMES_UP_TO:
        ax.set_yticks([])
        return
    names = sorted({*numbers.first, *numbers.second})
    letters = 20 if size_in_points(ax)[0] > 300 else 14
    short = dict(zip(names, shorten(names, letters, lines=1), strict=True))
    short |= {name: f"({short[name]})" for name in numbers.combinations}
    labels = [f"{short[a]} – {short[b]}" for a, b in zip(numbers.first, numbers.second, strict=True)]
    font = min(float(mpl.rcParams["ytick.labelsize"]), max(3.5, 0.85 * room))
    ax.set_yticks(range(len(labels)), labels, fontsize=font)
