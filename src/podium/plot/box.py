"""Box plot."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from podium.plot import canvas
from podium.plot.categorical import CategoricalAxes, Orientation
from podium.plot.colours import edge_colour, text_colour
from podium.plot.drawing import plot_of
from podium.plot.figures.box import Box
from podium.plot.figures.box import box as box_numbers
from podium.plot.figures.palette import NEUTRAL

__all__ = ["box"]


@plot_of(box_numbers, canvas=canvas.categorical)
def box(
    ax: Axes,
    numbers: Box,
    *,
    orientation: Orientation = "horizontal",
    palette: Mapping[str, str],
    title: str | None = None,
) -> None:
    """Draw a box plot, algorithms ordered by mean: quartiles, whiskers, outliers, and the mean as a white dot.

    Examples
    --------
    >>> import podium
    >>> iris = podium.examples.load_ulas2008().select(dataset="iris")
    >>> podium.plot.box(iris).get_title(loc="left")
    'iris, 10 replications'
    """
    chart = CategoricalAxes(ax, numbers, orientation, len(numbers.outlier_value))
    position = np.arange(len(numbers.algorithms))
    fill = [palette[name] for name in numbers.algorithms]
    rim = [edge_colour(colour) for colour in fill]
    low, median, high = numbers.quartiles.T
    first, last = numbers.whiskers.T
    chart.strokes(position, first, low, colors=NEUTRAL, linewidths=1)
    chart.strokes(position, high, last, colors=NEUTRAL, linewidths=1)
    chart.boxes(position, low, high, 0.3, facecolors=fill, edgecolors=rim, linewidths=0.8, zorder=2)
    chart.ticks(position, median, 0.3, colors="black", linewidths=1.8, zorder=3)
    # Where black hardly shows, the line gets a white core; white alone would hide a box that is no wider than the line.
    chart.ticks(position, median, 0.3, colors=[text_colour(colour) for colour in fill], linewidths=0.9, zorder=3)
    chart.dots(
        numbers.outlier_algorithm,
        numbers.outlier_value,
        size=3,
        c=[fill[k] for k in numbers.outlier_algorithm],
        edgecolors=[rim[k] for k in numbers.outlier_algorithm],
        linewidths=0.4,
    )
    marks = {"color": "white", "edgecolors": "black", "linewidths": 0.7, "zorder": 4}
    size = min(4.0, 0.2 * chart.thickness)
    chart.dots(position, numbers.means, size=size, **marks)
    shown = min(numbers.whiskers.min(), numbers.outlier_value.min(initial=float("inf")))
    chart.finish(logarithmic=numbers.logarithmic and bool(shown > 0), title=title)
