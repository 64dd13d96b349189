"""Interval plot."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from podium.plot import canvas
from podium.plot.categorical import CategoricalAxes, Orientation
from podium.plot.colours import edge_colour
from podium.plot.drawing import plot_of
from podium.plot.figures.intervals import Intervals
from podium.plot.figures.intervals import intervals as interval_numbers
from podium.typesetting.numbers import confidence

__all__ = ["intervals"]


@plot_of(interval_numbers, canvas=canvas.categorical)
def intervals(
    ax: Axes,
    numbers: Intervals,
    *,
    orientation: Orientation = "horizontal",
    palette: Mapping[str, str],
    title: str | None = None,
) -> None:
    """Draw an interval and its estimate for each algorithm, ordered by mean."""
    chart = CategoricalAxes(ax, numbers, orientation)
    position = np.arange(len(numbers.algorithms))
    fill = [palette[name] for name in numbers.algorithms]
    rim = [edge_colour(colour) for colour in fill]
    chart.strokes(position, numbers.lower, numbers.upper, colors=fill, linewidths=3.2)
    for end in (numbers.lower, numbers.upper):
        chart.ticks(position, end, 0.2, colors=rim, linewidths=1.4)
    size = min(6.5, 0.3 * chart.thickness)
    chart.dots(position, numbers.estimate, size=size, c=fill, edgecolors=rim, linewidths=1, zorder=3)
    if title is None:
        what = {"percentile": "of the values", "bootstrap": "by bootstrap"}.get(numbers.kind, "of the mean")
        title = f"{numbers.heading}: {confidence(numbers.alpha):%} intervals {what}"
    chart.finish(logarithmic=numbers.logarithmic and float(numbers.lower.min()) > 0, title=title)
