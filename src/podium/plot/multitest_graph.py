"""MultiTest graph, and the walk through it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from podium.arrays import FloatArray, ObjectArray
from podium.plot import canvas
from podium.plot.categorical import inside
from podium.plot.colours import edge_colour, text_colour
from podium.plot.drawing import plot_of
from podium.plot.figures.multitest_graph import MultiTestGraph, MultiTestWalk
from podium.plot.figures.multitest_graph import multitest_graph as graph_numbers
from podium.plot.figures.multitest_graph import multitest_walk as walk_numbers
from podium.plot.figures.palette import NEUTRAL
from podium.plot.names import LINE, ColumnNames, fit_names, names_above, widest
from podium.plot.style import (
    Sheet,
    Size,
    cell_size,
    in_lines,
    sheet_of,
    size_in_points,
    title_height,
    whole_figure,
    write_title,
)

__all__ = ["multitest_graph", "multitest_walk"]

FAINT = "#C4C8CE"
_TALLEST = 160.0  # points that upright names may take


def _names(names: Sequence[str], room: float) -> ColumnNames:
    """Fit names below the marks, level or upright; cut to one line where there is no room for more."""
    font = float(mpl.rcParams["xtick.labelsize"])
    column = 0.97 * room / len(names)
    found = names_above(names, column, font, tallest=_TALLEST)
    if not found.numbered:
        return found
    size = min(font, 0.8 * column)
    texts = tuple(fit_names(names, _TALLEST, size, lines=1))
    return ColumnNames(texts, size, 90, widest(texts, size), False)


def _height(numbers: MultiTestGraph, sheet: Sheet, options: canvas.Options) -> float:
    below = _names(numbers.algorithms, sheet.room).height + canvas.axis_below()
    tied = 3 * sheet.font if numbers.tied_edges else 0.0
    arcs = 0.3 if numbers.edges else 0.1  # without arcs a line of marks is enough
    below += canvas.axis_below(len(_label(numbers, sheet.room))) - canvas.axis_below()
    return arcs * sheet.room + tied + below + title_height(options["title"], _heading(numbers), sheet.room)


@plot_of(graph_numbers, canvas=canvas.fitted(_height))
def multitest_graph(ax: Axes, numbers: MultiTestGraph, *, palette: Mapping[str, str], title: str | None = None) -> None:
    """Draw a MultiTest graph: algorithms in prior order, the cheapest at the left; arcs where tests override it.

    An arc leads from the cheaper algorithm to a costlier one that is significantly better, in the colour of the better
    one. The number of an algorithm is its place in the final order. A bar below joins algorithms of equal cost; dashed
    arcs below are tests between them.

    Examples
    --------
    >>> import podium
    >>> results = podium.examples.load_ulas2008().select(dataset="optdigits")
    >>> seconds = podium.examples.load_ulas2008("training time")
    >>> ax = podium.plot.multitest_graph(podium.multitest(results, cost=seconds))
    """
    k = len(numbers.algorithms)
    room = size_in_points(ax)[0] / k
    mark = float(np.clip(0.62 * room, 3.0, 1.9 * float(mpl.rcParams["font.size"])))
    _arcs(ax, numbers, numbers.edges, palette, range(k))
    _arcs(ax, numbers, numbers.tied_edges, palette, range(k), below=True)
    fill = [palette[name] for name in numbers.algorithms]
    ax.scatter(
        range(k), np.zeros(k), s=mark**2, c=fill, edgecolors=[edge_colour(c) for c in fill], linewidths=1, zorder=4
    )
    if mark >= 6.5:
        for i, place in enumerate(numbers.place):
            look: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 0.62 * mark, "zorder": 5}
            ax.text(i, 0, str(place), color=text_colour(fill[i]), **look)
    for group in numbers.equal:
        low = -0.12 if not numbers.tied_edges else -0.5
        ax.plot([min(group) - 0.3, max(group) + 0.3], [low, low], color=NEUTRAL, linewidth=2, solid_capstyle="round")
    _frame(ax, numbers)
    write_title(ax, title, _heading(numbers))


def _heading(numbers: MultiTestGraph) -> str:
    where = "" if numbers.dataset is None else f"{numbers.dataset}: "
    count = len(numbers.edges)
    what = "no test overrides" if not count else f"{count} test{'s override' if count > 1 else ' overrides'}"
    level = "" if numbers.alpha is None else f", α\u00a0=\u00a0{numbers.alpha:g}"
    return f"{where}{what} the prior order ({numbers.method}{level})"


def _frame(ax: Axes, numbers: MultiTestGraph) -> None:
    """Name the algorithms below their marks, and say what the order is."""
    k = len(numbers.algorithms)
    found = _names(numbers.algorithms, cell_size(ax)[0])
    ax.set_xticks(range(k), found.texts, rotation=found.rotation, fontsize=found.font, linespacing=1.05)
    ax.tick_params(axis="x", length=0, pad=2)
    ax.set_yticks([])
    ax.set_xlim(-0.5, k - 0.5)
    ax.set_ylim(-0.6 if numbers.tied_edges else -0.2 if numbers.equal else -0.14, 1.08 if numbers.edges else 0.14)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("\n".join(_label(numbers, cell_size(ax)[0])))


def _label(numbers: MultiTestGraph, room: float) -> list[str]:
    """Say what the order, the numbers and the arcs are, in lines of at most `room` points."""
    parts = [f"prior order by {numbers.cost_name}, preferred first;", "numbers: places in the final order"]
    if numbers.edges:
        parts[-1] += ";"
        parts.append("arrows: to a significantly better algorithm")
    return in_lines(parts, room)


def _arcs(
    ax: Axes,
    numbers: MultiTestGraph,
    pairs: Sequence[tuple[int, ...]],
    palette: Mapping[str, str],
    left: Sequence[int],
    *,
    below: bool = False,
    width: float = 1.1,
) -> None:
    """Draw arcs from the preferred to the better algorithm, of those that are left; each ends in an arrow head."""
    kept = [(i, j) for i, j in pairs if i in left and j in left]
    if not kept:
        return
    k = len(numbers.algorithms)
    shades = [edge_colour(palette[numbers.algorithms[j]]) for _, j in kept]
    lines = [_arc(i, j, k, below) for i, j in kept]
    style = "--" if below else "-"
    thin = width if len(kept) < 40 else 0.6 * width
    ax.add_collection(LineCollection(lines, colors=shades, linewidths=thin, linestyles=style, zorder=2))
    heads = np.array([line[-1] for line in lines])
    marker = "^" if below else "v"
    ax.scatter(heads[:, 0], heads[:, 1], marker=marker, s=(4.6 * width) ** 2, c=shades, linewidths=0, zorder=3)


def _arc(i: int, j: int, k: int, below: bool) -> FloatArray:
    """Half an ellipse from i to j; arcs leave a mark on one side and arrive on the other, so that both can be seen."""
    step = 0.14 * np.sign(j - i)
    start, end = i + step, j - step
    t = np.linspace(0.0, np.pi, 41)
    x = (start + end) / 2 - (end - start) / 2 * np.cos(t)
    reach = abs(j - i) / max(k - 1, 1)
    gap, tall = (0.13, 0.3) if below else (0.15, 0.85)
    y = gap + (0.12 + (tall - 0.12) * reach**0.8) * np.sin(t)
    return np.column_stack([x, -y if below else y])


def _grid(ax: object, numbers: MultiTestWalk, size: Size, options: canvas.Options) -> canvas.Canvas:
    """Make one panel per step."""
    count = len(numbers.steps)
    if ax is not None:
        return canvas.Canvas(canvas.check_panels(ax, count))
    sheet = sheet_of(size)
    across = int(np.clip(sheet.width // 1.55, 1, count))
    down = -(-count // across)
    legend = 1.25 * LINE * 0.9 * sheet.font * -(-count // _legend_columns(numbers, 72 * sheet.width, sheet.font))
    title = title_height(options["title"], "", sheet.room)
    panel = 73.0 if numbers.edges else 40.0
    figure = canvas.new_figure(sheet, panel * down + legend + 1.5 * sheet.font + title)
    axes = figure.subplots(down, across, squeeze=False).ravel()
    for one in axes[count:]:
        one.remove()
    return canvas.Canvas(axes[:count])


def _cells(numbers: MultiTestWalk, room: float, font: float) -> list[str]:
    """Number the algorithms for the explanation below the panels."""
    names = fit_names(numbers.algorithms, 0.9 * room, 0.9 * font, lines=1)
    return [f"{i} {name}" for i, name in enumerate(names, 1)]


def _legend_columns(numbers: MultiTestWalk, room: float, font: float) -> int:
    cells = _cells(numbers, room, font)
    return int(np.clip(room // (widest(cells, 0.9 * font) + 2.2 * font), 1, len(cells)))


@plot_of(walk_numbers, canvas=_grid)
def multitest_walk(
    axes: ObjectArray, numbers: MultiTestWalk, *, palette: Mapping[str, str], title: str | None = None
) -> None:
    """Draw the walk through a MultiTest graph, one panel per place.

    Numbers are places in the prior order, explained below. In each panel the algorithms that are left keep their arcs;
    those that could come next have a dark rim, and the cheapest of them is filled: it gets the place.

    Parameters
    ----------
    title : str, optional
        Title above all panels; by default there is none.

    Examples
    --------
    >>> import podium
    >>> results = podium.examples.load_ulas2008().select(dataset="optdigits")
    >>> seconds = podium.examples.load_ulas2008("training time")
    >>> panels = podium.plot.multitest_walk(podium.multitest(results, cost=seconds))
    >>> panels[0].get_title(loc="left")
    '1: svr'
    """
    k = len(numbers.algorithms)
    font = float(mpl.rcParams["font.size"])
    room = size_in_points(axes[0])[0]
    mark = float(np.clip(0.8 * room / k, 2.5, 1.25 * font))
    short = fit_names(numbers.algorithms, 0.8 * room, font, lines=1)
    for place, (ax, step) in enumerate(zip(axes, numbers.steps, strict=True), 1):
        _arcs(ax, numbers, numbers.edges, palette, step.left, width=0.7)
        _arcs(ax, numbers, numbers.tied_edges, palette, step.left, below=True, width=0.7)
        alike: dict[tuple[Any, ...], list[int]] = {}  # dots with one look are drawn at once
        for i in range(k):
            gone, chosen, free = i not in step.left, i == step.chosen, i in step.free
            colour = palette[numbers.algorithms[i]]
            fill = FAINT if gone else colour if chosen else "white"
            rim = FAINT if gone else "black" if free else NEUTRAL
            size, line = 0.4 * mark if gone else mark, 1.2 if free and not gone else 0.4
            alike.setdefault((size, fill, rim, line), []).append(i)
            if not gone and mark >= 6:
                shade = text_colour(colour) if chosen else "black" if free else NEUTRAL
                look: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 0.68 * mark, "zorder": 5}
                inside(ax.text(i, 0, str(i + 1), color=shade, **look))
        for (size, fill, rim, line), at in alike.items():
            ax.scatter(at, np.zeros(len(at)), s=size**2, c=[fill], edgecolors=[rim], linewidths=line, zorder=4)
        ax.set_xlim(-0.7, k - 0.3)
        ax.set_ylim(-0.6 if numbers.tied_edges else -0.3, 1.08 if numbers.edges else 0.3)
        ax.set_xticks([])
        ax.set_yticks([])
        ax.set_axis_off()
        ax.set_title(f"{place}: {short[step.chosen]}", loc="left", fontsize=font)
    figure = whole_figure(axes[0])
    if title:
        figure.suptitle(title)
    _explain(axes, numbers, font)


def _explain(axes: ObjectArray, numbers: MultiTestWalk, font: float) -> None:
    """Write below all panels which algorithm each number is."""
    figure = whole_figure(axes[0])
    room = 72 * figure.get_figwidth()
    cells = _cells(numbers, room, font)
    blank = [Line2D([], [], linestyle="none") for _ in cells]
    look: dict[str, Any] = {"handlelength": 0, "handletextpad": 0, "columnspacing": 1.2, "fontsize": font * 0.9}
    figure.legend(blank, cells, loc="outside lower left", ncols=_legend_columns(numbers, room, font), **look)
