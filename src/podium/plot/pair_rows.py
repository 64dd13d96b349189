"""Rows of pairs: an interval for each pair of algorithms, with the area of differences that do not matter behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.markers import CARETLEFT, CARETRIGHT, MarkerStyle
from matplotlib.patches import Patch

from podium.arrays import BoolArray, FloatArray, StrArray
from podium.plot import canvas
from podium.plot.figures.palette import NEUTRAL
from podium.plot.legend import LegendPlan, draw_key, draw_legend, key_height, plan_legend
from podium.plot.names import LINE, SMALLEST_NAME, fit_names, lines_of, text_width, widest
from podium.plot.style import Sheet, title_height

COLOURS = {"better": "#1F4E9C", "equivalent": "#2E8B6F", "undecided": "#8A9099"}
AREA = "#E4EFEA"
NUMBERS_UP_TO = 1000  # pairs; with more, not even numbers can be read
TALLEST = 640.0  # points; where names need more, pairs are numbered
MANY = 120  # pairs; with more, numbers are small
BESIDE = 0.5  # of the width, for the names of pairs at most


@dataclass(frozen=True)
class PairNames:
    """Names of pairs beside their rows.

    Attributes
    ----------
    texts : tuple of str
        One per pair; none where there are too many.
    key : tuple of str
        Where pairs are numbered: the names of the numbers.
    row : float
        Height of a row, in points.
    left : float
        Room that the names take, in points.
    font : float
    """

    texts: tuple[str, ...]
    key: tuple[str, ...]
    row: float
    left: float
    font: float


def name_pairs(
    first: Sequence[str],
    second: Sequence[str],
    order: Sequence[str],
    room: float,
    *,
    combinations: Sequence[str] = (),
) -> PairNames:
    """Find names for pairs: on one line, on two lines or more, as numbers, or none.

    Parameters
    ----------
    first, second : sequence of str
    order : sequence of str
        All names, in the order of their numbers.
    room : float
        Width of the figure, in points.
    combinations : sequence of str
        Names that are put in parentheses.
    """
    font = float(mpl.rcParams["ytick.labelsize"])
    shown = {name: f"({name})" if name in combinations else name for name in [*order, *first, *second]}
    pairs = [(shown[a], shown[b]) for a, b in zip(first, second, strict=True)]
    if len(pairs) > NUMBERS_UP_TO:
        return PairNames((), (), 0.9 * font, 0.0, font)
    if len(pairs) > MANY:
        return _number_pairs(pairs, [shown[name] for name in order], max(SMALLEST_NAME, 0.75 * font))
    whole = [f"{a} – {b}" for a, b in pairs]
    if widest(whole, font) <= BESIDE * room:
        texts = fit_names(whole, BESIDE * room, font)
    else:
        width = BESIDE * room - text_width(" –", font)
        names = list(dict.fromkeys(name for pair in pairs for name in pair))
        broken = dict(zip(names, fit_names(names, width, font), strict=True))
        texts = [f"{broken[a]} –\n{broken[b]}" for a, b in pairs]
    row = max(LINE * font * lines_of(texts) + 0.5 * font, 2.0 * font)
    if row * len(texts) <= TALLEST or len(texts) <= 15:
        return PairNames(tuple(texts), (), row, widest(texts, font) + 6, font)
    return _number_pairs(pairs, [shown[name] for name in order], font)


def _number_pairs(pairs: Sequence[tuple[str, str]], order: Sequence[str], font: float) -> PairNames:
    """Number the algorithms, and name the pairs by their numbers."""
    number = {name: i for i, name in enumerate(dict.fromkeys(order), 1)}
    for name in dict.fromkeys(name for pair in pairs for name in pair):
        number.setdefault(name, len(number) + 1)
    texts = [f"{number[a]} – {number[b]}" for a, b in pairs]
    key = tuple(f"{i}  {name}" for name, i in number.items())
    return PairNames(tuple(texts), key, 1.3 * font, widest(texts, font) + 6, font)


def height_of_pairs(names: Callable[[Any, float], PairNames], heading: Callable[[Any], str]) -> canvas.Height:
    """Return the height that rows of pairs need, with their axis, key and title."""

    def height(numbers: Any, sheet: Sheet, options: canvas.Options) -> float:
        named, title = names(numbers, sheet.room), title_height(options["title"], heading(numbers), sheet.room)
        body = max(named.row * len(numbers.first), 8 * sheet.font)
        return body + canvas.axis_below(3) + key_height(named.key, sheet.room) + title

    return height


def room_of_row(
    names: PairNames, rows: int, size: tuple[float, float], title: float, legend: LegendPlan | None
) -> float:
    """Return the height of a row in axes of a size, all of it in points."""
    wide, tall = size
    around = canvas.axis_below(3) + key_height(names.key, wide) + (legend.height if legend else 0.0)
    return max(min((tall - around - title) / rows, 3 * names.row), 1.0)


def draw_pair_legend(
    ax: Axes, names: PairNames, handles: Mapping[str, Artist], legend: LegendPlan | None, length: float, lines: int
) -> None:
    """Draw the legend below axes whose label has this many lines, and the key of pairs that are numbered."""
    if legend is not None:
        if names.key:  # the figure has room for one legend below it, the key
            legend = plan_legend([*handles], length, 0.0, whole=False, beside=False)
        below = (lines - 1) * LINE * float(mpl.rcParams["axes.labelsize"])
        draw_legend(ax, [*handles.values()], legend, below=below)
    draw_key(ax, names.key)


def draw_names(ax: Axes, names: PairNames, rows: int, room: float) -> None:
    """Write the names of pairs beside rows of this height."""
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    if not names.texts:
        ax.set_yticks([])
        return
    font = names.font if room >= 0.95 * names.row else max(3.0, names.font * room / names.row)
    ax.set_yticks(range(rows), names.texts, fontsize=font, linespacing=1.05)


def draw_intervals(
    ax: Axes,
    estimate: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    decisions: StrArray,
    filled: BoolArray,
    *,
    room: float,
) -> None:
    """Draw an interval per row, `room` points apart; one that is infinite to a side ends in an arrow at the border."""
    row = np.arange(len(estimate))
    colour = np.array([COLOURS[decision] for decision in decisions])
    left, right = ax.get_xlim()
    ends = [
        [(a, y), (b, y)] for a, b, y in zip(np.clip(lower, left, right), np.clip(upper, left, right), row, strict=True)
    ]
    ax.add_collection(LineCollection(ends, colors=list(colour), linewidths=min(2.0, 0.16 * room), zorder=2))
    tick = min(0.22, 3.2 / room)
    for end, border, arrow in ((lower, left, CARETLEFT), (upper, right, CARETRIGHT)):
        finite = np.isfinite(end)
        caps = [[(x, y - tick), (x, y + tick)] for x, y in zip(end[finite], row[finite], strict=True)]
        ax.add_collection(LineCollection(caps, colors=list(colour[finite]), linewidths=1.2, zorder=2))
        if not finite.all():
            at = np.full(int((~finite).sum()), border)
            look: dict[str, Any] = {"c": list(colour[~finite]), "marker": MarkerStyle(arrow), "zorder": 2}
            ax.scatter(at, row[~finite], s=min(40.0, 2.4 * room), **look)
    fill = np.where(filled, colour, "white")
    size = min(34.0, 1.6 * room)
    ax.scatter(estimate, row, s=size, c=list(fill), edgecolors=list(colour), linewidths=1.1, zorder=3)


def limits(ends: Sequence[FloatArray], *, arrows: tuple[bool, bool] = (False, False)) -> tuple[float, float]:
    """Ends of the axis: all that is finite, zero, and a margin; a wider one where an arrow needs room."""
    values = np.concatenate([*(np.ravel(end) for end in ends), [0.0]])
    values = values[np.isfinite(values)]
    low, high = float(values.min()), float(values.max())
    span = high - low or 1.0
    before, after = (0.1 if arrow else 0.03 for arrow in arrows)
    return low - before * span, high + after * span


def draw_area(ax: Axes, areas: FloatArray) -> None:
    """Shade the area of equivalence; row by row where pairs were reversed and its ends are unequal."""
    dashes: dict[str, Any] = {"colors": COLOURS["equivalent"], "linewidths": 0.9, "linestyles": (0, (2, 2))}
    last = len(areas)
    spans = [(0, last, areas[0])] if (areas == areas[0]).all() else [(i, i + 1, area) for i, area in enumerate(areas)]
    for top, bottom, (low, high) in spans:
        edge = (top - 0.6 if top == 0 else top - 0.5, bottom - 0.4 if bottom == last else bottom - 0.5)
        ax.fill_betweenx(edge, low, high, color=AREA, linewidth=0, zorder=0)
        ax.vlines([low, high], *edge, zorder=0.9, **dashes)


def draw_zero(ax: Axes) -> None:
    """Draw the line of no difference."""
    ax.axvline(0, color=NEUTRAL, linewidth=0.9, zorder=1)


def interval_handle(decision: str, *, filled: bool) -> Line2D:
    """Make the mark of a decision for a legend."""
    colour = COLOURS[decision]
    inside = colour if filled else "white"
    return Line2D([], [], color=colour, marker="o", markersize=5, markerfacecolor=inside, linewidth=1.6)


def area_handle() -> Patch:
    """Make the mark of the area of equivalence for a legend."""
    return Patch(facecolor=AREA, edgecolor=COLOURS["equivalent"], linestyle=(0, (2, 2)), linewidth=0.7)
