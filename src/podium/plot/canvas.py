"""Canvases: the axes that a plot draws on, given or new, in a figure whose size fits what it shows.

A canvas is chosen for each plot in `draws`. It takes the axes that the user gave (or None), the numbers, the size, and
the options of the drawing, and returns a `Canvas`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from podium.arrays import ObjectArray
from podium.checks import describe, shown
from podium.errors import InputError
from podium.plot.legend import LegendPlan, plan_legend
from podium.plot.style import FONTS, WIDTHS, NamedSize, Size, dress, size_in_points


@dataclass(frozen=True)
class Canvas:
    """Axes to draw on, and the legend for which they leave room.

    Attributes
    ----------
    axes : Axes or ndarray of Axes
    legend : LegendPlan or None
    """

    axes: Any
    legend: LegendPlan | None = None


Options: TypeAlias = Mapping[str, Any]
MakeCanvas: TypeAlias = Callable[[Any, Any, Size, Options], Canvas]
Inches: TypeAlias = tuple[float, float]


def fitted(inches: Callable[[Any, NamedSize, Options], Inches]) -> MakeCanvas:
    """Return a canvas of one axes; `inches` computes the size of a new figure where the user names one."""

    def canvas(ax: Any, numbers: Any, size: Size, options: Options) -> Canvas:
        if ax is not None:
            return Canvas(dress(check_axes(ax)))
        return Canvas(new_axes(inches(numbers, size, options) if isinstance(size, str) else size))

    return canvas


def panels(count: int, inches: Callable[[Any, NamedSize, Options], Inches]) -> MakeCanvas:
    """Return a canvas of several axes below each other."""

    def canvas(ax: Any, numbers: Any, size: Size, options: Options) -> Canvas:
        if ax is not None:
            return Canvas(check_panels(ax, count))
        chosen = inches(numbers, size, options) if isinstance(size, str) else size
        figure = plt.figure(figsize=chosen, layout="constrained")
        return Canvas(figure.subplots(count, 1, squeeze=False).ravel())

    return canvas


def plain(ax: Any, numbers: Any, size: Size, options: Options) -> Canvas:
    """Return a canvas of the usual proportions."""
    return fitted(lambda numbers, size, options: (WIDTHS[size], 0.62 * WIDTHS[size]))(ax, numbers, size, options)


def square(height: float, names: Callable[[Any], Sequence[str]] = lambda numbers: numbers.algorithms) -> MakeCanvas:
    """Return a canvas for a table with as many rows as columns, taller where their names must be upright.

    `height` is the height without the names, as a share of the width.
    """

    def inches(numbers: Any, size: NamedSize, options: Options) -> Inches:
        labels, width = names(numbers), WIDTHS[size]
        longest = 0.0085 * FONTS[size] * min(max(map(len, labels)), 18)
        upright = longest > 0.6 * width / len(labels)
        return width, height * width + (longest if upright else 0.0)

    return fitted(inches)


def rows(count: Callable[[Any], int]) -> MakeCanvas:
    """Return a canvas for as many rows as the numbers have, one below the other."""
    return fitted(lambda numbers, size, options: (WIDTHS[size], _height_of_rows(count(numbers), size)))


def lanes(ax: Any, numbers: Any, size: Size, options: Options) -> Canvas:
    """Return a canvas for one lane per algorithm, horizontal or vertical."""
    return fitted(_size_of_lanes)(ax, numbers, size, options)


def with_legend(
    names: Callable[[Any], Sequence[str]],
    height: Callable[[Any, NamedSize], float],
    wide: Callable[[Any], float] = lambda numbers: 1.0,
) -> MakeCanvas:
    """Return a canvas with room for a legend.

    `height` computes the height of a new figure, without the legend, in inches; `wide` is a factor on its width, where
    that is free.
    """

    def canvas(ax: Any, numbers: Any, size: Size, options: Options) -> Canvas:
        labels = names(numbers)
        if ax is not None:
            width, tall = size_in_points(check_axes(ax))
            return Canvas(dress(ax), plan_legend(labels, width / 72, tall / 72))
        if not isinstance(size, str):
            return Canvas(new_axes(size), plan_legend(labels, size[0] - 1.0, size[1] - 1.0))
        font = FONTS[size]
        width, tall = WIDTHS[size] * (wide(numbers) if size == "screen" else 1.0), height(numbers, size)
        plan = plan_legend(labels, width - 0.05 * font, tall - 0.08 * font)
        return Canvas(new_axes((width + max(plan.width - 1, 0.0), tall + plan.height)), plan)

    return canvas


def new_axes(size: Inches) -> Axes:
    """Make axes in a new figure of this size in inches."""
    return plt.figure(figsize=size, layout="constrained").add_subplot()


def check_axes(ax: object) -> Axes:
    """Refuse what is not axes."""
    if not isinstance(ax, Axes):
        raise InputError(f"`ax` must be matplotlib axes, as plt.subplots() returns them; got {describe(ax)}.")
    return ax


def check_panels(ax: object, count: int) -> ObjectArray:
    """Refuse what is not an array of enough axes; return as many as are needed, and hide the others."""
    given = np.ravel(np.asarray(ax, object))
    if not all(isinstance(one, Axes) for one in given):
        raise InputError(f"`ax` must be {count} axes, one per panel, as plt.subplots() returns them; got {shown(ax)}.")
    if len(given) < count:
        raise InputError(f"`ax` must be {count} axes, one per panel; got {len(given)}.")
    for one in given[count:]:
        one.set_visible(False)
    return np.array([dress(one) for one in given[:count]], object)


def _height_of_rows(count: int, size: NamedSize) -> float:
    font = FONTS[size]
    return max(font * ((0.042 if count <= 10 else 0.035) * count + 0.085), 0.17 * font)


def _size_of_lanes(numbers: Any, size: NamedSize, options: Options) -> Inches:
    names, width, font = numbers.algorithms, WIDTHS[size], FONTS[size]
    if options.get("orientation") != "vertical":
        return width, _height_of_rows(len(names), size)
    tall, letter = 0.62 * width, 0.0085 * font
    longest = letter * min(max(map(len, names)), 26)
    slanted = longest > 0.8 * width / len(names)
    return width, tall + (0.64 * longest if slanted else 0.0)
