"""Keys to drawings: legends and colour bars, outside the axes and inside the figure.

A legend is planned before the figure is made, so that there is room for it: `plan_legend`, then `draw_legend`. In a
figure made here it belongs to the figure, and the layout engine keeps it apart from everything else; beside axes that
the user gave, it belongs to the axes. A colour bar is below the axes, where long labels have room: `draw_scale`. Where
a drawing has numbers instead of names, `draw_key` says below it what they stand for. `key_height` and `scale_height`
are what these add to the height of a figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation

from podium.plot.names import LINE, fit_names, fits, widest
from podium.plot.style import cell_size, in_lines, whole_figure

HANDLE = 2.0  # width of a mark in a legend, in font sizes
BETWEEN = 1.2  # between two columns
APART = 0.5  # between two entries of a column


@dataclass(frozen=True)
class LegendPlan:
    """Where a legend goes, and the room it takes.

    Attributes
    ----------
    labels : tuple of str
    columns : int
    right : bool
        To the right of the axes, or below them.
    width, height : float
        Points to add to a figure: to its width if the legend is on the right, else to its height.
    whole : bool
        Whether it belongs to the whole figure, which was made here, or to axes that the user gave.
    """

    labels: tuple[str, ...]
    columns: int
    right: bool
    width: float
    height: float
    whole: bool = True


def plan_legend(
    names: Sequence[str],
    width: float,
    height: float,
    *,
    whole: bool = True,
    beside: bool = True,
    mark: float = HANDLE + 0.4,
) -> LegendPlan:
    """Plan a legend for a room of this size in points: on the right if that is wide and high enough for it.

    Below, it gets the number of columns with which it is lowest; names are broken where they are too long.

    Parameters
    ----------
    names : sequence of str
    width, height : float
    whole : bool, default True
        Whether the figure is made here.
    beside : bool, default True
        Whether the legend may be on the right.
    mark : float
        Width of a mark with the gap behind it, in font sizes.
    """
    font = float(mpl.rcParams["legend.fontsize"])
    line, mark = LINE * font, mark * font
    right = fit_names(names, 17 * font, font)
    tall = sum(line * (1 + text.count("\n")) + APART * font for text in right)
    if beside and width > 324 and tall < height:
        return LegendPlan(tuple(right), 1, True, widest(right, font) + mark + 2 * font, 0.0, whole)
    best: LegendPlan | None = None
    for columns in range(1, min(len(names), 12) + 1):
        room = (width - font - (columns - 1) * BETWEEN * font) / columns - 1.05 * mark
        if room < 4 * font and best is not None:
            break
        if columns > 1 and not fits(names, room, font, lines=2):
            break
        texts = fit_names(names, max(room, 4 * font), font)
        per_column = -(-len(names) // columns)
        groups = [texts[start : start + per_column] for start in range(0, len(texts), per_column)]
        tall = max(sum(line * (1 + text.count("\n")) + APART * font for text in group) for group in groups)
        if best is None or tall + 0.8 * font < best.height - 0.1 * font:
            best = LegendPlan(tuple(texts), len(groups), False, 0.0, tall + 0.8 * font, whole)
    assert best is not None
    return best


def draw_legend(ax: Axes, handles: Sequence[Artist], plan: LegendPlan, *, below: float = 0.0) -> None:
    """Draw a legend where it was planned.

    Beside axes that the user gave, `below` is the height in points of what is already below the axes, except for the
    numbers and a label of one line.
    """
    look: dict[str, Any] = {
        "ncols": plan.columns,
        "handlelength": HANDLE,
        "handletextpad": 0.4,
        "columnspacing": BETWEEN,
        "labelspacing": APART,
        "borderaxespad": 0.3,
        "borderpad": 0.2,
    }
    figure: Any = whole_figure(ax)
    if plan.whole:
        place = "outside right upper" if plan.right else "outside lower center"
        figure.legend(handles, plan.labels, loc=place, **look)
    elif plan.right:
        ax.legend(handles, plan.labels, loc="upper left", bbox_to_anchor=(1.0, 1.0), **look)
    else:
        labels = 2.6 * float(mpl.rcParams["axes.labelsize"]) + 6
        down = ScaledTranslation(0, -(below + labels) / 72, figure.dpi_scale_trans)
        ax.legend(
            handles,
            plan.labels,
            loc="upper center",
            bbox_to_anchor=(0.5, 0.0),
            bbox_transform=ax.transAxes + down,
            **look,
        )


def key_height(key: Sequence[str], room: float) -> float:
    """Height in points of a key to numbers below a figure of this width; 0 if there is none."""
    return _plan_key(key, room).height + 2 if key else 0.0


def draw_key(ax: Axes, key: Sequence[str]) -> None:
    """Write what the numbers in a drawing stand for, such as ``"1  svm"``, below it."""
    if not key:
        return
    figure: Any = whole_figure(ax)
    plan = _plan_key(key, cell_size(ax)[0])
    handles = [Line2D([], [], linestyle="none") for _ in key]
    place = "outside lower center" if figure.get_layout_engine() is not None else "lower center"
    look = {"ncols": plan.columns, "columnspacing": BETWEEN, "labelspacing": APART, "borderpad": 0.2}
    figure.legend(handles, plan.labels, loc=place, handlelength=0, handletextpad=0, borderaxespad=0.3, **look)


def _plan_key(key: Sequence[str], room: float) -> LegendPlan:
    return plan_legend(key, room, 0.0, beside=False, mark=0.0)


BAR = 0.7  # height of a colour bar, in font sizes


def scale_height(parts: Sequence[str], room: float) -> float:
    """Height in points of a colour bar with its numbers and its label, in axes as wide as `room` points."""
    ticks, font = float(mpl.rcParams["xtick.labelsize"]), float(mpl.rcParams["axes.labelsize"])
    return (BAR + 1.2) * font + LINE * ticks + 4 + LINE * font * len(in_lines(parts, room)) + 4


def draw_scale(
    ax: Axes, shades: ScalarMappable, parts: Sequence[str], *, left: float = 0.0, height: float, **look: Any
) -> Any:
    """Draw a colour bar below the axes, with as much of its label on a line as fits.

    `left` is the room in points that names take to the left of the axes, `height` the height of the axes.
    """
    room = cell_size(ax)[0] - left
    font = float(mpl.rcParams["axes.labelsize"])
    bar = whole_figure(ax).colorbar(
        shades,
        ax=ax,
        location="bottom",
        fraction=float(np.clip(BAR * font / max(height, 1.0), 0.004, 0.2)),
        aspect=max(0.8 * room / (BAR * font), 4.0),
        shrink=0.8,
        pad=0.02,
        **look,
    )
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, pad=2)
    bar.ax.minorticks_off()
    bar.set_label("\n".join(in_lines(parts, room)))
    _thin(bar, 0.8 * room)
    return bar


def _thin(bar: Any, room: float) -> None:
    """Leave as many numbers at a colour bar as fit."""
    font = float(mpl.rcParams["xtick.labelsize"])
    ticks = [tick for tick in bar.get_ticks() if bar.vmin <= tick <= bar.vmax]
    texts = bar.ax.xaxis.get_major_formatter().format_ticks(ticks)
    step = 1
    while len(ticks) > 2 and step < len(ticks) and len(ticks[::step]) * (widest(texts, font) + font) > room:
        step += 1
    if step > 1:
        bar.set_ticks(ticks[::step])
