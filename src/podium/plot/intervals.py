"""Interval plot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from podium.figures.intervals import Intervals
from podium.figures.intervals import intervals as interval_numbers
from podium.plot.lanes import Lanes, Orientation, lane_axes
from podium.plot.style import Size, colours, edge, local
from podium.results import Results


def intervals(
    results: Results,
    measure: str | None = None,
    *,
    ax: Axes | None = None,
    orientation: Orientation = "horizontal",
    size: Size = "screen",
    palette: Mapping[str, str] | None = None,
    **options: Any,
) -> Axes:
    """Draw an interval and its estimate for each algorithm, ordered by mean.

    Parameters
    ----------
    results, measure, ax, orientation, size, palette
        As for `podium.plot.strip`.
    **options
        Passed to `podium.summaries.intervals`: kind, level, statistic, resamples, seed, missing.

    Returns
    -------
    Axes
    """
    numbers = interval_numbers(results, measure, **options)
    with local(size):
        ax = lane_axes(ax, numbers, orientation, size)
        draw_intervals(ax, numbers, colours(results, palette), orientation)
    return ax


def percentile_intervals(results: Results, measure: str | None = None, *, level: float = 0.95, **options: Any) -> Axes:
    """Draw the middle part of each algorithm's performance distribution, and its mean.

    The intervals of `podium.summaries.intervals` with ``kind="percentile"``; for the other arguments see
    `podium.plot.intervals`.

    Returns
    -------
    Axes
    """
    return intervals(results, measure, kind="percentile", level=level, **options)


def draw_intervals(
    ax: Axes,
    numbers: Intervals,
    palette: Mapping[str, str],
    orientation: Orientation = "horizontal",
    title: str | None = None,
) -> None:
    """Draw the numbers of an interval plot."""
    lanes = Lanes(ax, numbers, orientation)
    lane = np.arange(len(numbers.algorithms))
    fill = [palette[name] for name in numbers.algorithms]
    rim = [edge(colour) for colour in fill]
    lanes.strokes(lane, numbers.lower, numbers.upper, colors=fill, linewidths=3.2)
    for end in (numbers.lower, numbers.upper):
        lanes.ticks(lane, end, 0.2, colors=rim, linewidths=1.4)
    size = min(6.5, 0.3 * lanes.thickness)
    lanes.dots(lane, numbers.estimate, size=size, c=fill, edgecolors=rim, linewidths=1, zorder=3)
    if title is None:
        what = {"percentile": "of the values", "bootstrap": "by bootstrap"}.get(numbers.kind, "of the mean")
        title = f"{numbers.heading}: {numbers.level:.0%} intervals {what}"
    lanes.finish(logarithmic=numbers.logarithmic and float(numbers.lower.min()) > 0, title=title)
