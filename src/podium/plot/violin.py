"""Violin plot."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from podium.figures.density import Density
from podium.figures.density import density as density_numbers
from podium.plot import canvas
from podium.plot.categorical import CategoricalAxes, Orientation
from podium.plot.colours import edge
from podium.plot.density import curve
from podium.plot.drawing import draws

__all__ = ["violin"]


@draws(density_numbers, canvas=canvas.categorical)
def violin(
    ax: Axes,
    numbers: Density,
    *,
    orientation: Orientation = "horizontal",
    palette: Mapping[str, str],
    title: str | None = None,
) -> None:
    """Draw violins, algorithms ordered by mean: the density estimate, the quartiles as a bar, the median as a dot.

    Density estimates are cut at the smallest and the largest value.
    """
    chart = CategoricalAxes(ax, numbers, orientation)
    for k, name in enumerate(numbers.algorithms):
        value, height = curve(numbers, k)
        half = 0.42 * height / max(height.max(), 1e-300)
        dark = edge(palette[name])
        chart.band(value, k - half, k + half, facecolor=palette[name], edgecolor=dark, linewidth=0.7, alpha=0.85)
    position = np.arange(len(numbers.algorithms))
    first, median, last = numbers.quartiles.T
    size = min(3.6, 0.2 * chart.thickness)
    chart.strokes(position, first, last, colors="black", linewidths=0.8 * size, zorder=3)
    chart.dots(position, median, size=size, color="white", edgecolors="black", linewidths=0.8, zorder=4)
    chart.finish(logarithmic=numbers.logarithmic and numbers.grid[0] > 0, title=title)
