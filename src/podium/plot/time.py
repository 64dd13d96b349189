"""Plot of computation times."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from podium.plot import canvas
from podium.plot.categorical import CategoricalAxes, Orientation
from podium.plot.drawing import plot_of
from podium.plot.figures.palette import NEUTRAL
from podium.plot.figures.time import Time
from podium.plot.figures.time import time as time_numbers

__all__ = ["time"]


@plot_of(time_numbers, canvas=canvas.categorical)
def time(
    ax: Axes,
    numbers: Time,
    *,
    orientation: Orientation = "horizontal",
    palette: Mapping[str, str],
    title: str | None = None,
) -> None:
    """Draw computation times on a logarithmic axis, the fastest on top: every value as a dot, the mean as a diamond."""
    chart = CategoricalAxes(ax, numbers, orientation, len(numbers.value))
    fill = np.array([palette[name] for name in numbers.algorithms])
    chart.cloud(numbers, palette, reach=0.28, size=3)
    means = np.maximum(numbers.means, numbers.floor or 0.0)
    look = {"marker": "D", "edgecolors": "black", "linewidths": 1, "zorder": 4}
    chart.dots(np.arange(len(fill)), means, size=min(8.0, 0.35 * chart.thickness), c=fill, **look)
    chart.finish(logarithmic=True, title=title)
    if numbers.floor is not None:
        line = ax.axhline if chart.across else ax.axvline
        line(numbers.floor, color=NEUTRAL, linewidth=0.8, linestyle=":")
        spot = chart.xy(0.99, numbers.floor) if chart.across else (numbers.floor, 0.01)
        ax.annotate(
            f" 0 ({numbers.floored} value{'' if numbers.floored == 1 else 's'})",
            spot,
            xycoords=("axes fraction", "data") if chart.across else ("data", "axes fraction"),
            ha="right" if chart.across else "left",
            va="bottom",
            color=NEUTRAL,
        )
