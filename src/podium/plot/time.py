"""Plot of computation times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from podium.figures.time import Times
from podium.figures.time import time as time_numbers
from podium.plot.lanes import Lanes, Orientation, lane_axes
from podium.plot.style import NEUTRAL, Size, colours, edge, local
from podium.results import Results


def time(
    results: Results,
    measure: str | None = None,
    *,
    ax: Axes | None = None,
    orientation: Orientation = "horizontal",
    size: Size = "screen",
    palette: Mapping[str, str] | None = None,
    **options: Any,
) -> Axes:
    """Draw computation times on a logarithmic axis, the fastest on top: every value as a dot, the mean as a diamond.

    Parameters
    ----------
    results, ax, orientation, size, palette
        As for `podium.plot.strip`.
    measure : str, optional
        The measure; by default the only one that is known to be a time.
    **options
        Passed to `podium.figures.time`: order, most, missing.

    Returns
    -------
    Axes
    """
    numbers = time_numbers(results, measure, **options)
    with local(size):
        ax = lane_axes(ax, numbers, orientation, size)
        draw_time(ax, numbers, colours(results, palette), orientation)
    return ax


def draw_time(
    ax: Axes,
    numbers: Times,
    palette: Mapping[str, str],
    orientation: Orientation = "horizontal",
    title: str | None = None,
) -> None:
    """Draw the numbers of a plot of computation times."""
    lanes = Lanes(ax, numbers, orientation, len(numbers.value))
    fill = np.array([palette[name] for name in numbers.algorithms])
    rim = np.array([edge(colour) for colour in fill])
    lanes.dots(
        numbers.algorithm + 0.28 * numbers.offset,
        numbers.value,
        size=3,
        c=fill[numbers.algorithm],
        edgecolors=rim[numbers.algorithm],
        linewidths=0.2,
        alpha=0.5,
    )
    means = np.maximum(numbers.means, numbers.floor or 0.0)
    look = {"marker": "D", "edgecolors": "black", "linewidths": 1, "zorder": 4}
    lanes.dots(np.arange(len(fill)), means, size=min(8.0, 0.35 * lanes.thickness), c=fill, **look)
    lanes.finish(logarithmic=True, title=title)
    if numbers.floor is not None:
        line = ax.axhline if lanes.across else ax.axvline
        line(numbers.floor, color=NEUTRAL, linewidth=0.8, linestyle=":")
        spot = lanes.xy(0.99, numbers.floor) if lanes.across else (numbers.floor, 0.01)
        ax.annotate(
            f" 0 ({numbers.floored} value{'' if numbers.floored == 1 else 's'})",
            spot,
            xycoords=("axes fraction", "data") if lanes.across else ("data", "axes fraction"),
            ha="right" if lanes.across else "left",
            va="bottom",
            color=NEUTRAL,
        )
