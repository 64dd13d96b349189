"""Histograms."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from podium.plot import canvas
from podium.plot.categorical import CategoricalAxes, bars
from podium.plot.colours import edge_colour
from podium.plot.drawing import plot_of
from podium.plot.figures.histogram import Histogram
from podium.plot.figures.histogram import histogram as histogram_numbers

__all__ = ["histogram"]


@plot_of(histogram_numbers, canvas=canvas.categorical)
def histogram(ax: Axes, numbers: Histogram, *, palette: Mapping[str, str], title: str | None = None) -> None:
    """Draw one histogram per algorithm, ordered by mean, with common bins; the mean as a tick."""
    chart = CategoricalAxes(ax, numbers, "horizontal")
    highest = max(int(numbers.counts.max()), 1)
    for k, name in enumerate(numbers.algorithms):
        height = 0.82 * numbers.counts[k] / highest
        filled = height > 0
        bars(
            ax,
            numbers.edges[:-1][filled],
            k + 0.42,
            np.diff(numbers.edges)[filled],
            -height[filled],
            facecolor=palette[name],
            edgecolor=edge_colour(palette[name]),
            linewidth=0.4,
        )
        mean = float(numbers.means[k])
        ax.plot([mean, mean], [k + 0.42, k - 0.4], color="black", linewidth=1, zorder=3)
    ax.hlines(np.arange(len(numbers.algorithms)) + 0.42, *numbers.edges[[0, -1]], color="#C9CCD1", lw=0.6, zorder=1)
    chart.finish(logarithmic=numbers.logarithmic and numbers.edges[0] > 0, title=title)
