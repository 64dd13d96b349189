"""Data, hull and archetypes in two dimensions."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.patheffects import withStroke

from podium.arrays import FloatArray
from podium.checks import check_flag
from podium.errors import plural
from podium.plot import canvas
from podium.plot.drawing import plot_of
from podium.plot.figures.archetype_plane import ArchetypePlane
from podium.plot.figures.archetype_plane import archetype_plane as plane_numbers
from podium.plot.figures.palette import NEUTRAL, PALETTE
from podium.plot.scales import spread_ticks
from podium.plot.style import Sheet, Size, cell_size, in_lines, title_height, write_title

__all__ = ["archetype_plane"]

_RED, _BLUE = PALETTE["red"], PALETTE["blue"]
_MARGIN = 0.14  # of the range of the axes, for the names of the archetypes


def _heading(numbers: ArchetypePlane) -> str:
    at = f", iteration {numbers.iterations}" if not len(numbers.approximated) else ""
    return f"{plural(len(numbers.names), f'{numbers.method} archetype')} of {numbers.n:,} observations{at}"


def _entries(numbers: ArchetypePlane, approximation: bool, trace: bool) -> list[str]:
    filled = ["observations, darker with weight"] if (numbers.weights < 1).any() else ["observations"]
    more = ["residuals"] if approximation and len(numbers.approximated) else []
    far = [f"{plural(int(numbers.beyond.sum()), 'outlier')} further out"] if numbers.beyond.any() else []
    return [*filled, *far, "convex hull", "archetypes", *more, *(["path of the iterations"] if trace else [])]


def _height(numbers: ArchetypePlane, sheet: Sheet, options: canvas.Options) -> float:
    return 0.6 * 72 * sheet.width + title_height(options["title"], _heading(numbers), sheet.room)


def _canvas(ax: Any, numbers: ArchetypePlane, size: Size, options: canvas.Options) -> canvas.Canvas:
    for name in ("approximation", "trace"):
        check_flag(options[name], name)
    make = canvas.with_legend(lambda n: _entries(n, options["approximation"], options["trace"]), _height)
    return make(ax, numbers, size, options)


@plot_of(plane_numbers, canvas=_canvas)
def archetype_plane(
    ax: Axes,
    numbers: ArchetypePlane,
    *,
    approximation: bool = False,
    trace: bool = False,
    title: str | None = None,
) -> list[Any]:
    """Draw data in two dimensions with their convex hull, and the archetypes with theirs.

    Outliers of a robust fit that are so far out that the other data would shrink are crosses at the edge.

    Parameters
    ----------
    approximation : bool, default False
        Whether each observation is joined with what the archetypes make of it.
    trace : bool, default False
        Whether the way of the archetypes from their start is drawn.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 2))
    >>> ax = podium.plot.archetype_plane(podium.ArchetypalAnalysis(3).fit(X), approximation=True)
    """
    low, high = _limits(numbers, trace)
    ax.set_xlim(low[0], high[0])
    ax.set_ylim(low[1], high[1])
    handles: list[Any] = [Line2D([], [], linestyle="none", marker="o", color=NEUTRAL, markersize=4)]
    if numbers.beyond.any():
        edge = np.clip(numbers.data[numbers.beyond], low, high)
        ax.scatter(edge[:, 0], edge[:, 1], s=30, color=NEUTRAL, marker="X", linewidths=0, clip_on=False, zorder=4)
        handles.append(Line2D([], [], linestyle="none", marker="X", color=NEUTRAL, markersize=5))
    ax.add_patch(Polygon(numbers.hull, fill=False, edgecolor=NEUTRAL, linestyle="--", linewidth=0.9))
    handles.append(Line2D([], [], color=NEUTRAL, linestyle="--", linewidth=0.9))
    shade = [str(round(0.85 - 0.6 * weight, 3)) for weight in numbers.weights[~numbers.beyond]]
    near = numbers.data[~numbers.beyond]
    ax.scatter(near[:, 0], near[:, 1], s=14, c=shade, edgecolors=NEUTRAL, linewidths=0.3, zorder=2)
    ax.add_patch(Polygon(numbers.outline, fill=False, edgecolor=_RED, linewidth=1.4, zorder=3))
    ax.scatter(
        numbers.archetypes[:, 0], numbers.archetypes[:, 1], s=48, color=_RED, marker="D", edgecolors="white", zorder=5
    )
    handles.append(Line2D([], [], color=_RED, marker="D", markeredgecolor="white", linewidth=1.4))
    if approximation and len(numbers.approximated):
        lines = [[a, b] for a, b in zip(numbers.data, numbers.approximated, strict=True)]
        ax.add_collection(LineCollection(lines, colors=_BLUE, linewidths=0.6, alpha=0.7, zorder=1))
        handles.append(Line2D([], [], color=_BLUE, linewidth=0.8))
    if trace:
        for j in range(numbers.trace.shape[1]):
            ax.plot(*numbers.trace[:, j].T, color=PALETTE["orange"], marker=".", markersize=4, linewidth=1, zorder=4)
        handles.append(Line2D([], [], color=PALETTE["orange"], marker=".", linewidth=1))
    _name_archetypes(ax, numbers, low, high)
    left = 5 * float(mpl.rcParams["font.size"])
    wide, tall = cell_size(ax)
    spread_ticks(ax, "x", 0.7 * wide - left)
    spread_ticks(ax, "y", 0.6 * tall)
    ax.set_xlabel("\n".join(in_lines([numbers.columns[0]], 0.6 * wide)))
    ax.set_ylabel("\n".join(in_lines([numbers.columns[1]], 0.6 * tall)))
    write_title(ax, title, _heading(numbers), left=left)
    return handles


def _limits(numbers: ArchetypePlane, trace: bool) -> tuple[FloatArray, FloatArray]:
    """Ends of the axes, with a margin: those of the archetypes and of all data but outliers far out."""
    parts = [numbers.data[~numbers.beyond], numbers.archetypes, *(numbers.trace if trace else [])]
    points = np.vstack(parts)
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    margin = np.where(high > low, _MARGIN * (high - low), _MARGIN * np.maximum(np.abs(high), 1.0))
    return low - margin, high + margin


def _name_archetypes(ax: Axes, numbers: ArchetypePlane, low: FloatArray, high: FloatArray) -> None:
    """Write the name of each archetype beside it, on the side away from the others."""
    size = float(mpl.rcParams["font.size"])
    places = numbers.archetypes * (np.array(cell_size(ax)) / (high - low))  # in points, but for a shift
    for name, at, place in zip(numbers.names, numbers.archetypes, places, strict=True):
        away = place - places.mean(axis=0)
        length = float(np.hypot(*away))
        aside = away / length if length > 1e-6 else np.array([0.0, 1.0])
        ax.annotate(
            name, at, tuple(1.3 * size * aside), textcoords="offset points", ha="center", va="center", color=_RED,
            fontweight="bold", zorder=6, path_effects=[withStroke(linewidth=2, foreground="white")],
        )  # fmt: skip
