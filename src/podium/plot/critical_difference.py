"""Critical difference diagram."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath
from matplotlib.ticker import MaxNLocator

from podium.checks import check_choice, check_count
from podium.errors import InputError
from podium.figures.critical_difference import CriticalDifference
from podium.figures.critical_difference import critical_difference as difference_numbers
from podium.figures.palette import NEUTRAL
from podium.plot import canvas
from podium.plot.drawing import draws
from podium.plot.names import fit_names
from podium.plot.style import (
    FONTS,
    USUAL_SHARE,
    WIDTHS,
    NamedSize,
    number_text,
    size_in_points,
    title_lines,
    write_title,
)

__all__ = ["critical_difference"]

Sides: TypeAlias = Literal["two", "one"]
Grouping: TypeAlias = Literal["bars", "letters"]

FAINT = "#B4B8BF"
_CRITICAL_ROW = -1.65  # above the numbers of the axis
_BAR_STEP = 0.55  # rows between neighbouring lines of bars
_MOST_LETTERS, _FEWEST_LETTERS = 26, 6  # of a name
_LABEL_SHARE = {"two": 0.36, "one": 0.62}  # of the width, for the labels on one side; the axis needs the rest


def _inches(numbers: CriticalDifference, size: NamedSize, options: canvas.Options) -> canvas.Inches:
    check_choice(options["sides"], get_args(Sides), "sides")
    check_choice(options["groups"], get_args(Grouping), "groups")
    rows = _first_row(numbers, options["groups"]) + max(_rows(len(numbers.algorithms), options["sides"])) + 5.6
    title = _caption(numbers) if options["title"] is None else options["title"]
    rows += 0.9 * max(len(title_lines(title, USUAL_SHARE * 72 * WIDTHS[size])) - 1, 0)
    return WIDTHS[size], rows * FONTS[size] * 1.45 / 72


@draws(difference_numbers, canvas=canvas.fitted(_inches))
def critical_difference(
    ax: Axes,
    numbers: CriticalDifference,
    *,
    sides: Sides = "two",
    groups: Grouping = "bars",
    decimals: int = 2,
    title: str | None = None,
) -> None:
    """Draw a critical difference diagram: mean ranks, or mean differences, on an axis, the best at the left.

    A bar joins algorithms no two of which are known to differ; where others that do differ lie between its ends, the
    members are marked by dots. Against a control, the control's bar joins all algorithms that are not known to differ
    from it, and the others stand out.

    Parameters
    ----------
    sides : {"two", "one"}
        Whether labels are on both sides, the better half on the left, or all on the left.
    groups : {"bars", "letters"}
        Bars, or letters behind the names: two algorithms that share a letter are not known to differ.
    decimals : int, default 2
        Decimals of the mean ranks or differences.

    Examples
    --------
    >>> import podium
    >>> comparison = podium.compare(podium.datasets.load_ulas2008(), method="nemenyi")
    >>> ax = podium.plot.critical_difference(comparison)
    """
    check_choice(sides, get_args(Sides), "sides")
    check_choice(groups, get_args(Grouping), "groups")
    check_count(decimals, "decimals", least=0, most=17)
    if groups == "letters" and numbers.control is not None:
        raise InputError("`groups='letters'` needs all pairs; against a control use 'bars'.")
    critical = numbers.critical_difference
    end = numbers.end if critical is None else max(numbers.end, numbers.start + critical)
    margin = 0.02 * (end - numbers.start)
    start = numbers.start - margin
    ax.set_xlim(numbers.sign * start, numbers.sign * (end + margin))
    first_row = _first_row(numbers, groups)
    rows = _rows(len(numbers.algorithms), sides)
    ax.set_ylim(first_row + max(rows) + 0.6, _CRITICAL_ROW - 0.4 if critical is not None else -0.3)
    texts = _labels(ax, numbers, sides, groups, decimals)
    font = FontProperties(size=mpl.rcParams["font.size"])
    longest = max(TextPath((0, 0), text, prop=font).get_extents().width for text in texts)
    # The layout makes the axis as long as the labels leave room for.
    length = size_in_points(ax)[0] / USUAL_SHARE - longest * (2 if sides == "two" else 1)
    _draw_axis(ax, numbers, end, length)
    _draw_labels(ax, numbers, texts, rows, first_row, sides)
    if groups == "bars":
        _draw_bars(ax, numbers)
    if critical is not None:
        _draw_critical(ax, numbers, critical)
    # With all labels on the left, above the labels too: the axis may be shorter than a line of the title.
    write_title(ax, title, _caption(numbers), x=-longest / length if sides == "one" else 0.0)


def _rows(k: int, sides: Sides) -> list[int]:
    """Row of each label: counted down on the left, and up again on the right, so that no two lines cross."""
    if sides == "one":
        return list(range(k))
    left = (k + 1) // 2
    return [*range(left), *range(k - left - 1, -1, -1)]


def _first_row(numbers: CriticalDifference, groups: Grouping) -> float:
    lines = max((bar.line for bar in numbers.bars), default=-1) + 1 if groups == "bars" else 0
    return _BAR_STEP * lines + 1.0


def _draw_axis(ax: Axes, numbers: CriticalDifference, end: float, length: float) -> None:
    """Draw an axis that will be `length` points long, with as many numbers as have room."""
    for side in ("left", "right", "bottom"):
        ax.spines[side].set_visible(False)
    ax.spines["top"].set_visible(True)
    ax.spines["top"].set_position(("data", 0.0))
    ax.spines["top"].set_bounds(*sorted((numbers.sign * numbers.start, numbers.sign * end)))
    ax.xaxis.tick_top()
    ax.tick_params(axis="x", direction="out", pad=1)
    ax.set_yticks([])
    room = (2.0 if numbers.ranks else 3.2) * float(mpl.rcParams["xtick.labelsize"])
    most = int(np.clip(length / room, 2, 12))
    ax.xaxis.set_major_locator(MaxNLocator(nbins=most, integer=numbers.ranks, min_n_ticks=2))
    shown = [tick for tick in ax.get_xticks() if numbers.start - 1e-9 <= numbers.sign * tick <= end + 1e-9]
    if numbers.start == 1.0 and shown[0] > 1.0:
        shown = [1.0, *(tick for tick in shown if tick > 2.0)]
    ax.set_xticks(shown)


def _is_left(i: int, numbers: CriticalDifference, sides: Sides) -> bool:
    return sides == "one" or i < (len(numbers.algorithms) + 1) // 2


def _labels(ax: Axes, numbers: CriticalDifference, sides: Sides, groups: Grouping, decimals: int) -> list[str]:
    """Write for each algorithm its name, its letters and its position, with as much of the name as has room."""
    values = [number_text(value, decimals) for value in numbers.values]
    marks = [f" {letters}" for letters in numbers.letters] if groups == "letters" else [""] * len(values)
    room = _LABEL_SHARE[sides] * size_in_points(ax)[0] / (0.56 * float(mpl.rcParams["font.size"]))
    taken = max(map(len, marks)) + max(map(len, values)) + 3
    names = fit_names(numbers.algorithms, int(np.clip(room - taken, _FEWEST_LETTERS, _MOST_LETTERS)))
    return [
        f"{name}{mark}  {value} " if _is_left(i, numbers, sides) else f" {value}  {name}{mark}"
        for i, (name, mark, value) in enumerate(zip(names, marks, values, strict=True))
    ]


def _draw_labels(
    ax: Axes, numbers: CriticalDifference, texts: list[str], rows: list[int], first_row: float, sides: Sides
) -> None:
    low, high = ax.get_xlim()
    width = float(mpl.rcParams["axes.linewidth"])
    for i, (text, position, row) in enumerate(zip(texts, numbers.values, rows, strict=True)):
        left = _is_left(i, numbers, sides)
        y = first_row + row
        is_control = numbers.algorithms[i] == numbers.control
        faint = numbers.control is not None and not is_control and not numbers.different[i]
        colour = FAINT if faint else NEUTRAL
        edge = low if left else high
        ax.plot([position, position, edge], [0, y, y], color=colour, linewidth=width, solid_joinstyle="miter", zorder=1)
        ax.text(
            edge,
            y,
            text,
            ha="right" if left else "left",
            va="center",
            color="#767B84" if faint else "black",
            fontweight="bold" if is_control else "normal",
        )


def _draw_bars(ax: Axes, numbers: CriticalDifference) -> None:
    thick = 0.32 * float(mpl.rcParams["font.size"])
    least = 0.006 * abs(np.subtract(*ax.get_xlim()))  # equal mean ranks still get a visible bar
    for bar in numbers.bars:
        y = 0.5 + _BAR_STEP * bar.line
        grow = max(0.0, least - (bar.high - bar.low) / 2)
        ax.plot(
            [numbers.sign * (bar.low - grow), numbers.sign * (bar.high + grow)],
            [y, y],
            color="black",
            linewidth=thick if bar.unbroken else 0.35 * thick,
            solid_capstyle="round" if bar.unbroken else "butt",
            zorder=3,
        )
        if not bar.unbroken:
            at = numbers.values[list(bar.members)]
            ax.plot(at, np.full(len(at), y), "o", color="black", markersize=1.3 * thick, zorder=4)


def _draw_critical(ax: Axes, numbers: CriticalDifference, critical: float) -> None:
    y = _CRITICAL_ROW
    left, right = numbers.start, numbers.start + critical
    if numbers.control is not None:
        middle = float(numbers.positions[numbers.algorithms.index(numbers.control)])
        bottom = ax.get_ylim()[0]
        ax.fill_between([middle - critical, middle + critical], 0, bottom, color="#EEF0F3", zorder=0, linewidth=0)
    ax.plot([left, right], [y, y], color="black", linewidth=1.2)
    for x in (left, right):
        ax.plot([x, x], [y - 0.18, y + 0.18], color="black", linewidth=1.2)
    ax.text(right, y, f"  CD = {critical:.2f}", ha="left", va="center")


def _caption(numbers: CriticalDifference) -> str:
    text = f"{numbers.method}, {numbers.block_label}, α = {numbers.alpha:g}"
    if not numbers.ranks:
        origin = "the average" if numbers.control is None else "the control"
        text += f"; axis: {numbers.estimand_label}, from {origin} ({'low' if numbers.sign == 1 else 'high'} is better)"
    if not numbers.rejected:
        text += "; the global test is not significant"
    if numbers.untested:
        text += f"; {numbers.untested} pairs not tested"
    return text
