"""Strip plot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from podium.figures.strip import Strip
from podium.figures.strip import strip as strip_numbers
from podium.plot.lanes import Lanes, Orientation, lane_axes
from podium.plot.style import Size, colours, edge, local
from podium.results import Results


def strip(
    results: Results,
    measure: str | None = None,
    *,
    ax: Axes | None = None,
    orientation: Orientation = "horizontal",
    size: Size = "screen",
    palette: Mapping[str, str] | None = None,
    **options: Any,
) -> Axes:
    """Draw a strip plot: every single value as a dot, algorithms ordered by mean, means as ticks.

    Dots move aside where there are many, so that equal values do not hide each other.

    Parameters
    ----------
    results : Results
        One data set, or several: then each value is the mean on one of them.
    measure : str, optional
        The measure, where there are several.
    ax : Axes, optional
        Where to draw; a new figure by default.
    orientation : {"horizontal", "vertical"}
        Horizontal has room for long names.
    size : {"screen", "column"} or (float, float)
        Size of a new figure and of the text: for a screen (7 in wide), for one column of a paper (3.3 in), or width
        and height in inches.
    palette : mapping, optional
        Colours of algorithms; by default those of `podium.plot.colours`.
    **options
        Passed to `podium.figures.strip`: order, most, missing.

    Returns
    -------
    Axes

    Examples
    --------
    >>> import podium
    >>> iris = podium.datasets.load_ulas2008().select(dataset="iris")
    >>> podium.plot.strip(iris).get_xlabel()
    'accuracy [%] (greater is better)'
    """
    numbers = strip_numbers(results, measure, **options)
    with local(size):
        ax = lane_axes(ax, numbers, orientation, size)
        draw_strip(ax, numbers, colours(results, palette), orientation)
    return ax


def draw_strip(
    ax: Axes,
    numbers: Strip,
    palette: Mapping[str, str],
    orientation: Orientation = "horizontal",
    title: str | None = None,
) -> None:
    """Draw the numbers of a strip plot."""
    lanes = Lanes(ax, numbers, orientation, len(numbers.value))
    dense = numbers.dots > 100 * len(numbers.algorithms)
    fill = np.array([palette[name] for name in numbers.algorithms])
    rim = np.array([edge(colour) for colour in fill])
    lanes.dots(
        numbers.algorithm + 0.36 * numbers.offset,
        numbers.value,
        size=3.0 if dense else 4.5,
        c=fill[numbers.algorithm],
        edgecolors=rim[numbers.algorithm],
        linewidths=0.3,
        alpha=0.75,
    )
    lanes.ticks(np.arange(len(fill)), numbers.means, 0.44, colors="black", linewidths=1.6, zorder=3)
    lanes.finish(logarithmic=numbers.logarithmic and bool((numbers.value > 0).all()), title=title)
