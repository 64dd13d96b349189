"""Trellis: one panel per data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from podium.arrays import ObjectArray
from podium.checks import check_choice, check_count, check_flag, check_keys, check_mapping
from podium.errors import InputError
from podium.plot import canvas
from podium.plot.canvas import Canvas, check_panels
from podium.plot.categorical import name_rows
from podium.plot.colours import colours
from podium.plot.drawing import PLOTS, Plot, check_options
from podium.plot.figures.numbers import PANELS
from podium.plot.figures.trellis import Trellis
from podium.plot.figures.trellis import trellis as trellis_numbers
from podium.plot.legend import draw_legend, plan_legend
from podium.plot.names import BESIDE, literal, widest
from podium.plot.podium import marks, name_places
from podium.plot.scales import log_values, spread_ticks
from podium.plot.style import (
    NARROW,
    Size,
    check_size,
    local,
    sheet_of,
    size_in_points,
    title_height,
    title_lines,
    whole_figure,
)
from podium.results import Results

__all__ = ["trellis"]

_OF_TRELLIS = ("palette", "title", "orientation")  # options that panels do not choose for themselves


def trellis(
    results: Results | Trellis,
    measure: str | None = None,
    kind: str | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    order: Sequence[str] | None = None,
    missing: str = "raise",
    columns: int | None = None,
    share_values: bool = True,
    ax: ObjectArray | None = None,
    size: Size = "screen",
    palette: Mapping[str, str] | None = None,
    title: str | None = None,
) -> ObjectArray:
    """Draw one panel per data set, with the same algorithms in the same order and colours in all of them.

    The order is that of the means over all data sets.

    Parameters
    ----------
    results : Results, or podium.plot.figures.Trellis
    measure : str, optional
        The measure, where there are several.
    kind : {"box", "strip", "density", "histogram", "percentile_intervals", "podium", "time"}
        The plot in the panels; a box plot by default.
    options : mapping of str to object, optional
        Options of that plot, such as ``{"lines": "algorithm"}`` for podium plots.
    order : sequence of str, optional
        The algorithms in the desired order.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells, applied within each data set.
    columns : int, optional
        Number of panels side by side.
    share_values : bool, default True
        Whether all panels have the same axis of values, which shows differences between data sets. Differences within
        an easy or a hard one are easier to see without.
    ax : ndarray of Axes, optional
        Axes to draw on, one per panel; new ones by default.
    size : {"screen", "page", "column"}, float or (float, float)
        Size of a new figure: for a screen or the page of a paper (7 inches wide), for one column of it (3.3 inches), a
        width in inches, or width and height.
    palette : mapping of str to str, optional
        Colours of algorithms, all or some; by default those of `podium.plot.colours`.
    title : str, optional
        Title above all panels; by default there is none.

    Returns
    -------
    ndarray of Axes
        One per panel, data sets in natural order of their names.

    Examples
    --------
    >>> import podium
    >>> results = podium.examples.load_ulas2008().select(datasets=["iris", "wine", "zoo"])
    >>> panels = podium.plot.trellis(results, kind="podium", options={"lines": "algorithm"})
    >>> [ax.get_title(loc="left") for ax in panels]
    ['iris', 'wine', 'zoo']
    """
    check_options({"palette": palette, "title": title})
    check_flag(share_values, "share_values")
    check_size(size)
    if columns is not None:
        check_count(columns, "columns")
    if kind is None:
        kind = results.kind if isinstance(results, Trellis) else "box"
    check_choice(kind, sorted(name for name in PLOTS if PLOTS[name].compute.__name__ in PANELS), "kind")
    plot = PLOTS[kind]
    for_numbers, for_drawing = _split(plot, options)
    if isinstance(results, Trellis):
        settled = {"measure": measure, "order": order, "missing": missing if missing != "raise" else None}
        numbers = _finished(
            results, plot, [*for_numbers, *(name for name, value in settled.items() if value is not None)]
        )
    else:
        computed = plot.compute.__name__
        numbers = trellis_numbers(results, measure, computed, options=for_numbers, order=order, missing=missing)
    shades = colours(results if isinstance(results, Results) else numbers.algorithms, palette)
    with local("column"):
        grid = _grid(numbers, columns, size) if ax is None else check_panels(ax, len(numbers.panels))
        for one, panel in zip(grid, numbers.panels, strict=True):
            plot.draw_on(Canvas(one), panel, {"palette": shades, "title": "", **for_drawing})
        if share_values:
            _share_values(grid, "y" if kind == "podium" else "x")
            if kind == "podium":
                _share_counts(grid)
        _label_outer_panels(grid, numbers, share_values, whole=ax is None)
        if title:
            whole_figure(grid[0]).suptitle(title)
        if kind == "podium":
            _draw_legend(grid, numbers, shades, whole=ax is None)
    return grid


def _split(plot: Plot, options: Mapping[str, Any] | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split the options of a plot into those of its numbers and those of its drawing."""
    given = {} if options is None else check_mapping(options, "`options`")
    taken = (*_OF_TRELLIS, "results", "measure", "order", "missing", "ax", "size")
    known = [name for name in plot.signature.parameters if name not in taken]
    check_keys(given, known, f"The plot {plot.name!r} in a panel", "option")
    for_drawing = {name: value for name, value in given.items() if name in plot.drawing_options}
    return {name: value for name, value in given.items() if name not in for_drawing}, for_drawing


def _finished(numbers: Trellis, plot: Plot, settled: Sequence[str]) -> Trellis:
    """Refuse options that have no effect on numbers that were computed before."""
    if numbers.kind != plot.compute.__name__:
        raise InputError(f"`kind={plot.name!r}` does not draw the numbers given, which are of kind {numbers.kind!r}.")
    if settled:
        raise InputError(
            f"`{settled[0]}` is already fixed in the given numbers. Pass it to podium.plot.figures.trellis(), or pass "
            "the results."
        )
    return numbers


def _grid(numbers: Trellis, columns: int | None, size: Size) -> ObjectArray:
    """Make the panels in a new figure of a suitable size."""
    m, sheet = len(numbers.panels), sheet_of(size)
    podiums = numbers.kind == "podium"
    names = 0.0 if podiums else min(widest(numbers.algorithms, 0.9 * sheet.font) / 72, BESIDE * sheet.width) + 0.1
    wide = 2.6 if podiums else 0.85 if sheet.width < NARROW else 1.2
    across = min(columns, m) if columns else int(np.clip((sheet.width - names) // wide, 1, m))
    down = -(-m // across)
    wider = wide * across * (columns is not None)
    title = title_height(None, "x", sheet.room) / 72
    if podiums:
        tall = down * 2.3 + 0.5 + (plan_legend(numbers.algorithms, sheet.room, 0.0, beside=False).height / 72)
    else:
        tall = down * max(canvas.height_of_rows(numbers.algorithms, sheet, least=1.8) / 72 + title + 0.1, 0.9) + 0.5
    figure = plt.figure(figsize=(max(sheet.width, wider), sheet.height or tall), layout="constrained")
    axes = figure.subplots(down, across, squeeze=False).ravel()
    for ax in axes[m:]:
        ax.remove()
    return axes[:m]


def _share_values(grid: ObjectArray, axis: Literal["x", "y"]) -> None:
    """Give all panels the same axis of values, with a margin in which the outermost marks are whole.

    Axes shared from the start would all be rescaled with every mark in any of them.
    """
    limits = np.array([getattr(ax, f"get_{axis}lim")() for ax in grid])
    if len({getattr(ax, f"get_{axis}scale")() for ax in grid}) > 1:  # a logarithm does not exist in every panel
        for ax in grid:
            getattr(ax, f"set_{axis}scale")("linear")
    scale = getattr(grid[0], f"{axis}axis").get_transform()
    low, high = scale.transform([limits.min(), limits.max()])
    margin = 0.03 * (high - low)
    for ax in grid:
        getattr(ax, f"set_{axis}lim")(*scale.inverted().transform([low - margin, high + margin]))


def _share_counts(grid: ObjectArray) -> None:
    """Give the bars below all podiums the same axis."""
    highest = max(ax.child_axes[0].get_ylim()[1] for ax in grid)
    for ax in grid:
        ax.child_axes[0].set_ylim(0, highest)


def _label_outer_panels(grid: ObjectArray, numbers: Trellis, shared: bool, *, whole: bool) -> None:
    """Leave names and labels at the outer panels only; the values are named once if the whole figure is ours."""
    ax: Axes
    podiums, label = numbers.kind == "podium", literal(numbers.value_label)
    figure, font = whole_figure(grid[0]), float(mpl.rcParams["font.size"])
    cell = grid[0].get_subplotspec()
    across = 1 if cell is None else cell.get_gridspec().ncols
    room = 72 * figure.get_figwidth() - 6
    taken = 3.5 * font if podiums else 0.0
    for i, ax in enumerate(grid):
        cell = ax.get_subplotspec()
        left, bottom = cell is None or i % across == 0, cell is None or i + across >= len(grid)
        if podiums:
            ax.set_ylabel("" if whole or not left else label)
            ax.tick_params(axis="y", labelleft=left or not shared)
            bars = ax.child_axes[0]
            bars.set_xlabel("place" if bottom else "")
            bars.set_ylabel("count" if left else "")
            bars.tick_params(axis="y", labelleft=left or not shared)
            continue
        if whole and left:
            taken = max(name_rows(ax, numbers.algorithms, room=max(room - 68.0 * (across - 1), 0.5 * room)), taken)
        ax.set_xlabel("" if whole or not bottom else label)
        ax.tick_params(axis="y", labelleft=left)
        ax.tick_params(axis="x", labelbottom=bottom or not shared)
    for ax, panel in zip(grid, numbers.panels, strict=True):
        wide = (room - taken) / across - font if whole else size_in_points(ax)[0]
        ax.set_title("\n".join(title_lines(panel.dataset or "", wide)), loc="left")
        if podiums:
            name_places(cast(Axes, ax.child_axes[0]), len(numbers.algorithms), wide)
        elif ax.get_xscale() == "log":
            log_values(ax, "x", wide)
        else:
            spread_ticks(ax, "x", wide)
    if whole:
        (figure.supylabel if podiums else figure.supxlabel)(label, fontsize="medium")


def _draw_legend(grid: ObjectArray, numbers: Trellis, palette: Mapping[str, str], *, whole: bool) -> None:
    """Draw one legend for all panels: below a figure made here, otherwise to the right of the last panel."""
    handles = marks(numbers.algorithms, palette)
    figure = whole_figure(grid[0])
    if whole:
        draw_legend(
            grid[0], handles, plan_legend(numbers.algorithms, 72 * figure.get_figwidth() - 6, 0.0, beside=False)
        )
    else:
        grid[-1].legend(handles, numbers.algorithms, loc="upper left", bbox_to_anchor=(1.0, 1.0), handletextpad=0.4)
