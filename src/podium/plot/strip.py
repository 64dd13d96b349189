"""Strip plot."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from podium.plot import canvas
from podium.plot.categorical import CategoricalAxes, Orientation
from podium.plot.drawing import plot_of
from podium.plot.figures.strip import Strip
from podium.plot.figures.strip import strip as strip_numbers

__all__ = ["strip"]


@plot_of(strip_numbers, canvas=canvas.categorical)
def strip(
    ax: Axes,
    numbers: Strip,
    *,
    orientation: Orientation = "horizontal",
    palette: Mapping[str, str],
    title: str | None = None,
) -> None:
    """Draw a strip plot: every single value as a dot, algorithms ordered by mean, means as ticks.

    Dots move aside where there are many, so that equal values do not hide each other.

    Examples
    --------
    >>> import podium
    >>> iris = podium.examples.load_ulas2008().select(dataset="iris")
    >>> podium.plot.strip(iris).get_xlabel()
    'accuracy [%] (higher is better)'
    """
    chart = CategoricalAxes(ax, numbers, orientation, len(numbers.value))
    dense = numbers.dots > 100 * len(numbers.algorithms)
    chart.cloud(numbers, palette, reach=0.36, size=3.0 if dense else 4.5)
    chart.ticks(np.arange(len(numbers.algorithms)), numbers.means, 0.44, colors="black", linewidths=1.6, zorder=3)
    chart.finish(logarithmic=numbers.logarithmic and bool((numbers.value > 0).all()), title=title)
