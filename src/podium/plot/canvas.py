"""Canvases: the axes that a plot draws on, given or new, in a figure whose size fits what it shows.

A canvas is chosen for each plot in `plot_of`. It takes the axes that the user gave (or None), the numbers, the size,
and the options of the drawing, and returns a `Canvas`. These make one:

- `fitted` for axes whose height a function computes, in points;
- `rows` and `categorical` for one row per algorithm, `panels` for several axes below each other;
- `with_legend` for axes with a legend beside or below;
- `usual_proportions` for anything else.

Heights are sums: of the rows or the table, of `axis_below`, of `style.title_height`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeGuard

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from podium.arrays import ObjectArray
from podium.checks import describe, shown
from podium.errors import InputError
from podium.plot.legend import LegendPlan, plan_legend
from podium.plot.names import LINE, lines_of, names_above, names_beside, widest
from podium.plot.style import PAD, Sheet, Size, apply_style, cell_size, sheet_of, size_in_points, title_height

FULL, MAX_ROWS = 40, 400  # rows as high as their names; rows that make a figure higher at all


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
Height: TypeAlias = Callable[[Any, Sheet, Options], float]


def fitted(height: Height) -> MakeCanvas:
    """Return a canvas of one axes; `height` computes the height of a new figure, in points, without its margins."""

    def canvas(ax: Any, numbers: Any, size: Size, options: Options) -> Canvas:
        if ax is not None:
            return Canvas(apply_style(check_axes(ax)))
        sheet = sheet_of(size)
        return Canvas(new_axes(sheet, 0.0 if sheet.height else height(numbers, sheet, options)))

    return canvas


def panels(count: int, height: Height) -> MakeCanvas:
    """Return a canvas of several axes below each other; `height` is that of all of them."""

    def canvas(ax: Any, numbers: Any, size: Size, options: Options) -> Canvas:
        if ax is not None:
            return Canvas(check_panels(ax, count))
        sheet = sheet_of(size)
        figure = new_figure(sheet, 0.0 if sheet.height else height(numbers, sheet, options))
        return Canvas(figure.subplots(count, 1, squeeze=False).ravel())

    return canvas


def usual_proportions(ax: Any, numbers: Any, size: Size, options: Options) -> Canvas:
    """Return a canvas of the usual proportions."""
    return fitted(lambda numbers, sheet, options: 0.62 * 72 * sheet.width)(ax, numbers, size, options)


def rows(names: Callable[[Any], Sequence[str]], **more: Any) -> MakeCanvas:
    """Return a canvas for a row per name, one below the other; the options are those of `height_with_rows`."""
    return fitted(height_with_rows(names, **more))


def height_with_rows(
    names: Callable[[Any], Sequence[str]],
    *,
    label: int = 1,
    heading: Callable[[Any], str] | None = None,
    least: float | Callable[[Any], float] = 3.0,
) -> Height:
    """Return the height of a row per name, above an axis with a label of this many lines, and below a heading.

    Rows are at least `least` font sizes high.
    """

    def height(numbers: Any, sheet: Sheet, options: Options) -> float:
        title = title_height(options.get("title"), heading(numbers) if heading else "", sheet.room)
        row = least(numbers) if callable(least) else least
        return height_of_rows(names(numbers), sheet, least=row) + axis_below(label) + title

    return height


def categorical(ax: Any, numbers: Any, size: Size, options: Options) -> Canvas:
    """Return a canvas for one row per algorithm, or one column."""
    return fitted(_height_of_categories)(ax, numbers, size, options)


def with_legend(
    names: Callable[[Any], Sequence[str]],
    height: Height,
    wide: Callable[[Any], float] = lambda numbers: 1.0,
    *,
    beside: bool = True,
) -> MakeCanvas:
    """Return a canvas with room for a legend.

    `height` computes the height of a new figure, without the legend, in points; `wide` is a factor on its width, where
    that is free. `beside` allows a legend to the right of the axes, on a screen.
    """

    def canvas(ax: Any, numbers: Any, size: Size, options: Options) -> Canvas:
        labels = names(numbers)
        if ax is not None:
            width, tall = size_in_points(check_axes(ax))
            return Canvas(apply_style(ax), plan_legend(labels, width, tall, whole=False, beside=beside))
        sheet = sheet_of(size)
        tall = 72 * sheet.height if sheet.height else height(numbers, sheet, options)
        width = sheet.width * (wide(numbers) if sheet.free else 1.0)
        plan = plan_legend(labels, 72 * width - 2 * PAD, tall - 6 * sheet.font, beside=beside and sheet.free)
        wider = max(plan.width / 72 - 1, 0.0) if sheet.free else 0.0
        return Canvas(new_axes(Sheet(width + wider, sheet.font, sheet.height), tall + plan.height), plan)

    return canvas


def new_figure(sheet: Sheet, height: float) -> Any:
    """Make a figure of the width of a sheet, and of its height or this one in points."""
    tall = sheet.height or (height + 2 * PAD) / 72
    return plt.figure(figsize=(sheet.width, tall), layout="constrained")


def new_axes(sheet: Sheet, height: float) -> Axes:
    """Make axes in a new figure of the width of a sheet, and of its height or this one in points."""
    ax: Axes = new_figure(sheet, height).add_subplot()
    return ax


def height_of_rows(names: Sequence[str], sheet: Sheet, *, least: float = 3.0) -> float:
    """Height in points of rows with these names beside them, each at least `least` font sizes high."""
    font = float(mpl.rcParams["ytick.labelsize"])
    lines = lines_of(names_beside(names, sheet.room, font))
    roomy = least * (1.0 if len(names) <= 10 else 0.84 if len(names) <= 20 else 0.7)
    row = max(sheet.font * roomy, LINE * font * lines + 0.6 * font)
    return max(row * len(names), 6 * sheet.font)


def axis_below(label: int = 1) -> float:
    """Height in points of the numbers and the label below an axis, with this many lines in the label."""
    ticks, font = float(mpl.rcParams["xtick.labelsize"]), float(mpl.rcParams["axes.labelsize"])
    return LINE * ticks + 3.5 + (LINE * font * label + 4.0 if label else 0.0)


def check_axes(ax: object) -> Axes:
    """Refuse what is not axes with two straight sides; polar and three-dimensional ones have others."""
    if not _is_rectilinear(ax):
        raise InputError(f"`ax` must be matplotlib axes, as plt.subplots() returns them; got {describe(ax)}.")
    return ax


def _is_rectilinear(ax: object) -> TypeGuard[Axes]:
    return isinstance(ax, Axes) and ax.name == "rectilinear"


def check_panels(ax: object, count: int) -> ObjectArray:
    """Refuse what is not an array of enough axes; return as many as are needed, and hide the others."""
    given = np.ravel(np.asarray(ax, object))
    if not all(map(_is_rectilinear, given)):
        raise InputError(f"`ax` must be {count} axes, one per panel, as plt.subplots() returns them; got {shown(ax)}.")
    if len(given) < count:
        raise InputError(f"`ax` must be {count} axes, one per panel; got {len(given)}.")
    for one in given[count:]:
        one.set_visible(False)
    return np.array([apply_style(one) for one in given[:count]], object)


def _height_of_categories(numbers: Any, sheet: Sheet, options: Options) -> float:
    title = title_height(options.get("title"), numbers.heading, sheet.room)
    if options.get("orientation") != "vertical":
        return height_of_rows(numbers.algorithms, sheet) + axis_below(2) + title
    names, font = numbers.algorithms, float(mpl.rcParams["xtick.labelsize"])
    below = names_above(names, 0.85 * sheet.room / len(names), font, tallest=0.5 * sheet.room)
    return 0.5 * sheet.room + below.height + title


def height_of_many(names: Sequence[str], sheet: Sheet) -> float:
    """Height in points of rows with these names beside them."""
    font, rows = float(mpl.rcParams["ytick.labelsize"]), len(names)
    row = (LINE * lines_of(names_beside(names, sheet.room, font)) + 0.2) * font
    return row * (min(rows, FULL) + 0.25 * max(min(rows, MAX_ROWS) - FULL, 0))


def name_some(ax: Axes, names: Sequence[str], taken: float) -> float:
    """Write as many names beside the rows 0, 1, … as there is room for, evenly; return the room that they take.

    `taken` is what of the height of the axes is not for rows, in points.
    """
    wide, tall = cell_size(ax)
    font = float(mpl.rcParams["ytick.labelsize"])
    texts = names_beside(names, wide, font)
    every = max(int(np.ceil(LINE * font * lines_of(texts) * len(names) / max(tall - taken, 1.0) - 0.05)), 1)
    shown = range(0, len(names), every)
    ax.set_yticks(list(shown), [texts[row] for row in shown], linespacing=1.05)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    return names_width(names, wide)


def names_width(names: Sequence[str], room: float) -> float:
    """Width in points that these names take beside their rows."""
    font = float(mpl.rcParams["ytick.labelsize"])
    return widest(names_beside(names, room, font), font) + 6
