"""Trellis: one panel per data set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from podium.arrays import ObjectArray
from podium.errors import InputError
from podium.figures.trellis import Panel, Trellis
from podium.figures.trellis import trellis as trellis_numbers
from podium.plot.box import draw_box
from podium.plot.density import draw_density, draw_violin
from podium.plot.histogram import draw_histogram
from podium.plot.intervals import draw_intervals
from podium.plot.legend import plan_legend
from podium.plot.podium import Lines, draw_podium, marks
from podium.plot.strip import draw_strip
from podium.plot.style import Size, check_size, colours, local, width_of
from podium.plot.time import draw_time
from podium.results import Results

DRAW: Mapping[str, Callable[..., None]] = {
    "strip": draw_strip,
    "box": draw_box,
    "violin": draw_violin,
    "density": draw_density,
    "histogram": draw_histogram,
    "percentile_intervals": draw_intervals,
    "podium": draw_podium,
    "time": draw_time,
}


def trellis(
    results: Results,
    kind: Panel = "box",
    measure: str | None = None,
    *,
    columns: int | None = None,
    share_values: bool = True,
    lines: Lines | None = None,
    figure: Figure | None = None,
    size: Size = "screen",
    palette: Mapping[str, str] | None = None,
    **options: Any,
) -> ObjectArray:
    """Draw one panel per data set, with the same algorithms in the same order and colours in all of them.

    The order is that of the means over all data sets.

    Parameters
    ----------
    results : Results
    kind : {"box", "strip", "violin", "density", "histogram", "percentile_intervals", "podium", "time"}
        What the panels show.
    measure : str, optional
        The measure, where there are several.
    columns : int, optional
        Panels beside each other.
    share_values : bool, default True
        Whether all panels have the same axis of values. Differences between data sets show then; differences
        within an easy or a hard one show better without.
    lines : {"algorithm", "neutral"}, optional
        Lines in podium plots; see `podium.plot.podium`.
    figure : Figure, optional
        An empty figure to draw in; a new one by default.
    size, palette
        As for `podium.plot.strip`.
    **options
        For the panels; see the function of that name in `podium.figures`.

    Returns
    -------
    ndarray of Axes
        One per data set, in natural order of the names.

    Examples
    --------
    >>> import podium
    >>> results = podium.datasets.load_ulas2008().select(datasets=["iris", "wine", "zoo"])
    >>> len(podium.plot.trellis(results, "box"))
    3
    """
    if columns is not None and columns < 1:
        raise InputError(f"`columns` must be 1 or greater; got {columns!r}.")
    numbers = trellis_numbers(results, kind, measure, **options)
    chosen = colours(results, palette)
    with local("column"):
        grid, frame = _grid(numbers, columns, check_size(size), figure)
        for ax, panel in zip(grid, numbers.panels, strict=True):
            more = {"lines": lines} if kind == "podium" else {}
            DRAW[kind](ax, panel, chosen, title=panel.data, **more)
        if share_values:
            _same_values(grid, "y" if kind == "podium" else "x")
        _common_labels(frame, grid, numbers, share_values)
        if kind == "podium":
            plan = plan_legend(numbers.algorithms, frame.get_figwidth() - 0.5, 0.0)
            handles = marks(numbers.algorithms, chosen)
            frame.legend(handles, plan.labels, ncols=plan.columns, loc="outside lower center", handletextpad=0.4)
    return grid


def _grid(numbers: Trellis, columns: int | None, size: Size, figure: Figure | None) -> tuple[ObjectArray, Figure]:
    """Make the panels, and a figure of a fitting size if none was given."""
    m, k = len(numbers.panels), len(numbers.algorithms)
    wide = 2.6 if numbers.kind == "podium" else 1.3
    across = columns or int(np.clip((width_of(size) - 0.6) // wide, 1, m))
    down = -(-m // across)
    if figure is None:
        if isinstance(size, str):
            tall = 2.3 if numbers.kind == "podium" else 0.17 * k + 0.35
            size = (max(width_of(size), wide * across * (columns is not None)), down * max(tall, 0.9) + 0.5)
        figure = plt.figure(figsize=size, layout="constrained")
    flat = figure.subplots(down, across, squeeze=False).ravel()
    for ax in flat[m:]:
        ax.remove()
    return flat[:m], figure


def _same_values(grid: ObjectArray, axis: Literal["x", "y"]) -> None:
    """Give all panels the same axis of values.

    Axes that are shared from the start would be scaled anew, all of them, with every mark in any of them.
    """
    limits = np.array([getattr(ax, f"get_{axis}lim")() for ax in grid])
    for ax in grid:
        getattr(ax, f"set_{axis}lim")(limits.min(), limits.max())


def _common_labels(figure: Figure, grid: ObjectArray, numbers: Trellis, shared: bool) -> None:
    """Leave names and labels at the outer panels only."""
    ax: Axes
    across = grid[0].get_gridspec().ncols
    podiums = numbers.kind == "podium"
    for i, ax in enumerate(grid):
        left, bottom = i % across == 0, i + across >= len(grid)
        if podiums:
            ax.set_ylabel("")
            ax.tick_params(axis="y", labelleft=left or not shared)
            bars = ax.child_axes[0]
            bars.set_xlabel("place" if bottom else "")
            bars.set_ylabel("count" if left else "")
            continue
        ax.set_xlabel("")
        ax.tick_params(axis="y", labelleft=left)
        ax.tick_params(axis="x", labelbottom=bottom or not shared)
    (figure.supylabel if podiums else figure.supxlabel)(numbers.value_label, fontsize="medium")
