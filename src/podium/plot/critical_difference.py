"""Critical difference diagram."""

from __future__ import annotations

import unicodedata
from typing import Any, Literal, TypeAlias, get_args

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from podium.checks import check_choice, check_count
from podium.errors import InputError
from podium.plot import canvas
from podium.plot.drawing import plot_of
from podium.plot.figures.critical_difference import CriticalDifference
from podium.plot.figures.critical_difference import critical_difference as difference_numbers
from podium.plot.figures.palette import NEUTRAL
from podium.plot.names import LINE, fit_names, fits, text_width, widest
from podium.plot.scales import STEPS
from podium.plot.style import Sheet, cell_size, in_lines, number_text, title_height, write_title

__all__ = ["critical_difference"]

Sides: TypeAlias = Literal["two", "one"]
Grouping: TypeAlias = Literal["bars", "letters"]

FAINT = "#B4B8BF"
_BAR_STEP = 0.75  # between neighbouring lines of bars, in font sizes
_NAME_SHARE = {"two": 0.31, "one": 0.5}  # of the width, for the labels on one side at most; the axis needs the rest
_LABEL_PAD = 4.0  # points between the numbers of the axis and its label
_SMALLEST = 4.0  # points, where the user has chosen a small figure


def _height(numbers: CriticalDifference, sheet: Sheet, options: canvas.Options) -> float:
    _check(numbers, options["sides"], options["groups"], options["decimals"])
    layout = _Layout(numbers, sheet.room, options["sides"], options["groups"], options["decimals"], sheet.font)
    return layout.bottom - layout.top + title_height(options["title"], _caption(numbers), sheet.room)


def _check(numbers: CriticalDifference, sides: object, groups: object, decimals: object) -> None:
    if sides is not None:
        check_choice(sides, get_args(Sides), "sides")
    check_choice(groups, get_args(Grouping), "groups")
    check_count(decimals, "decimals", least=0, most=17)
    if groups == "letters" and numbers.control is not None:
        raise InputError("`groups='letters'` needs all pairs; against a control use 'bars'.")


@plot_of(difference_numbers, canvas=canvas.fitted(_height))
def critical_difference(
    ax: Axes,
    numbers: CriticalDifference,
    *,
    sides: Sides | None = None,
    groups: Grouping = "bars",
    decimals: int = 2,
    title: str | None = None,
) -> None:
    """Draw a critical difference diagram: mean ranks, or mean differences, on an axis, the best at the left.

    The label of the axis says which of the two it shows: mean ranks where the comparison has them, also where the bars
    come from another test of the pairs, and otherwise differences from the average or from the control.

    A bar joins algorithms no two of which are known to differ; where others that do differ lie between its ends, the
    members are marked by dots. Against a control, the control's bar joins all algorithms that are not known to differ
    from it, and the others stand out.

    Parameters
    ----------
    sides : {"two", "one"}, optional
        Whether labels are on both sides, the better half on the left, or all on the left. By default on both, if the
        names fit.
    groups : {"bars", "letters"}
        Bars, or letters behind the names: two algorithms that share a letter are not known to differ.
    decimals : int, default 2
        Decimals of the mean ranks or differences.

    Examples
    --------
    >>> import podium
    >>> comparison = podium.compare(podium.examples.load_ulas2008(), method="nemenyi")
    >>> ax = podium.plot.critical_difference(comparison)
    """
    _check(numbers, sides, groups, decimals)
    wide, tall = cell_size(ax)
    font = float(mpl.rcParams["font.size"])
    layout = _Layout(numbers, wide, sides, groups, decimals, font)
    free = tall - title_height(title, _caption(numbers), wide)
    smaller = font
    while layout.bottom - layout.top > 1.03 * free and smaller > _SMALLEST:  # the user has chosen a low figure
        smaller = max(0.96 * smaller, _SMALLEST)
        layout = _Layout(numbers, wide, sides, groups, decimals, smaller)
    margin = 0.02 * (layout.end - numbers.start)
    ax.set_xlim(numbers.sign * (numbers.start - margin), numbers.sign * (layout.end + margin))
    ax.set_ylim(layout.bottom, layout.top)
    _draw_axis(ax, numbers, layout)
    _draw_labels(ax, numbers, layout)
    if groups == "bars":
        _draw_bars(ax, numbers, layout)
    if numbers.critical_difference is not None:
        _draw_critical(ax, numbers, layout, numbers.critical_difference)
    # Above the labels on the left too: the axis may be shorter than a line of the title.
    write_title(ax, title, _caption(numbers), left=layout.left)


class _Layout:
    """Where everything goes, in points: down from the axis at 0, the best label at the top left.

    Attributes
    ----------
    names, values : list of str
    y : list of float
        Height of each label.
    left, right : float
        Room that the labels take on each side.
    length : float
        Length of the axis.
    top, bottom : float
    """

    def __init__(
        self,
        numbers: CriticalDifference,
        room: float,
        sides: Sides | None,
        groups: Grouping,
        decimals: int,
        font: float,
    ) -> None:
        self.font = font
        critical = numbers.critical_difference
        self.end = numbers.end if critical is None else max(numbers.end, numbers.start + critical)
        self.values = [number_text(value, decimals) for value in numbers.values]
        self.value_room = widest([f"  {value} " for value in self.values], font)
        marks = [f" {letters}" for letters in numbers.letters] if groups == "letters" else [""] * len(self.values)
        full = [name + mark for name, mark in zip(numbers.algorithms, marks, strict=True)]
        self.sides = sides or ("two" if self._two_sides_fit(full, room) else "one")
        self.names = fit_names(full, self._name_room(room), font, bold=numbers.control is not None)
        k = len(full)
        self.on_left = k if self.sides == "one" else (k + 1) // 2
        here, there = self.names[: self.on_left], self.names[self.on_left :]
        bold = numbers.control is not None
        self.left = widest(here, font, bold=bold) + self.value_room
        self.right = widest(there, font, bold=bold) + self.value_room if there else 0.0
        self.length = max(room - self.left - self.right, 1.0)
        lines = max((bar.line for bar in numbers.bars), default=-1) + 1 if groups == "bars" else 0
        first = font * (_BAR_STEP * lines + 1.1)
        down, up = self._stack(here, first), self._stack(there[::-1], first)
        self.y = [*down, *up[::-1]]
        self.bottom = max(self.y) + 0.5 * LINE * font * max(name.count("\n") + 1 for name in self.names) + 0.3 * font
        self.label = in_lines(_axis_parts(numbers), max(self.length, 0.4 * room), font)
        ticks = 0.35 * font + 0.9 * LINE * font + 1 + _LABEL_PAD
        self.label_at = -ticks - 0.2 * font
        self.critical_at = self.label_at - LINE * font * len(self.label) - 0.75 * font
        self.top = (self.critical_at - 0.8 * font) if critical is not None else self.critical_at + 0.5 * font

    def _name_room(self, room: float) -> float:
        return max(_NAME_SHARE[self.sides] * room - self.value_room, 3 * self.font)

    def _two_sides_fit(self, names: list[str], room: float) -> bool:
        """Return whether names on both sides need no more than two lines, broken between words."""
        self.sides = "two"
        return fits(names, self._name_room(room), self.font, lines=2)

    def _stack(self, names: list[str], first: float) -> list[float]:
        """Middles of labels below each other, each as high as its lines."""
        heights = np.array([LINE * self.font * (name.count("\n") + 1) + 0.35 * self.font for name in names])
        middles: list[float] = (first + np.cumsum(heights) - heights / 2 - 0.35 * self.font).tolist()
        return middles


def _axis_parts(numbers: CriticalDifference) -> tuple[str, ...]:
    """Say what the axis shows."""
    if numbers.ranks:
        return "mean rank", "(lower is better)"
    origin = "the average" if numbers.control is None else numbers.control
    better = "lower" if numbers.sign == 1 else "higher"
    return f"{numbers.estimand_label},", f"{numbers.measure_label},", f"from {origin}", f"({better} is better)"


def _draw_axis(ax: Axes, numbers: CriticalDifference, layout: _Layout) -> None:
    """Draw the axis with as many numbers as fit, and say what it shows."""
    ax.spines[["left", "right", "bottom"]].set_visible(False)
    ax.spines["top"].set_visible(True)
    ax.spines["top"].set_position(("data", 0.0))
    ax.spines["top"].set_bounds(*sorted((numbers.sign * numbers.start, numbers.sign * layout.end)))
    ax.xaxis.tick_top()
    size = 0.9 * layout.font
    ax.tick_params(axis="x", direction="out", pad=1, labelsize=size)
    ax.set_yticks([])
    ax.set_xticks(_ticks(numbers, layout, size))
    ax.xaxis.set_label_position("top")
    ax.set_xlabel("\n".join(layout.label), fontsize=layout.font, labelpad=_LABEL_PAD, linespacing=1.1)


def _ticks(numbers: CriticalDifference, layout: _Layout, size: float) -> list[float]:
    low, high = sorted((numbers.sign * numbers.start, numbers.sign * layout.end))
    for most in range(12, 0, -1):
        found = MaxNLocator(nbins=most, steps=STEPS, integer=numbers.ranks, min_n_ticks=2).tick_values(low, high)
        ticks = [float(tick) for tick in found if low - 1e-9 <= tick <= high + 1e-9]
        if numbers.start == 1.0 and numbers.sign == 1 and ticks and ticks[0] > 1.0:
            # Rank 1 is always named; the next number keeps its distance.
            ticks = [1.0, *(tick for tick in ticks if tick - 1.0 >= 0.5 * (ticks[-1] - ticks[0]) / len(ticks))]
        step = min(np.diff(ticks), default=high - low) * layout.length / (1.04 * (high - low))
        decimals = 0 if numbers.ranks else max(len(f"{abs(tick):.10g}".partition(".")[2]) for tick in ticks)
        if step >= widest([number_text(tick, decimals) for tick in ticks], size) + 0.6 * size:
            return ticks
    return ticks[:1]


def _draw_labels(ax: Axes, numbers: CriticalDifference, layout: _Layout) -> None:
    low, high = ax.get_xlim()
    width = float(mpl.rcParams["axes.linewidth"])
    for i, (name, value, position, y) in enumerate(
        zip(layout.names, layout.values, numbers.values, layout.y, strict=True)
    ):
        left = i < layout.on_left
        is_control = numbers.algorithms[i] == numbers.control
        faint = numbers.control is not None and not is_control and not numbers.different[i]
        edge, away = (low, -1) if left else (high, 1)
        ax.plot(
            [position, position, edge],
            [0, y, y],
            color=FAINT if faint else NEUTRAL,
            linewidth=width,
            solid_joinstyle="miter",
            zorder=1,
        )
        look: dict[str, Any] = {
            "ha": "right" if left else "left",
            "color": "#767B84" if faint else "black",
            "fontsize": layout.font,
        }
        number = f"  {value} " if left else f" {value}  "
        weight = "bold" if is_control else "normal"
        if "\n" not in name and not _right_to_left(name):  # written in one, the number would be on the other side
            text = name + number if left else number + name
            ax.text(edge, y, text, va="center", fontweight=weight, **look)
            continue
        ax.text(edge, y, number.rstrip() if not left else number.lstrip(), va="center", **look)
        ax.annotate(
            name,
            (edge, y),
            (away * layout.value_room, 0),
            textcoords="offset points",
            va="center",
            linespacing=1.05,
            fontweight=weight,
            annotation_clip=False,
            **look,
        )


def _right_to_left(name: str) -> bool:
    return any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in name)


def _draw_bars(ax: Axes, numbers: CriticalDifference, layout: _Layout) -> None:
    thick = 0.32 * layout.font
    least = 0.006 * abs(np.subtract(*ax.get_xlim()))  # equal mean ranks still get a visible bar
    for bar in numbers.bars:
        y = layout.font * (0.8 + _BAR_STEP * bar.line)
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


def _draw_critical(ax: Axes, numbers: CriticalDifference, layout: _Layout, critical: float) -> None:
    y, tick = layout.critical_at, 0.28 * layout.font
    left, right = numbers.start, numbers.start + critical
    if numbers.control is not None:
        middle = float(numbers.positions[numbers.algorithms.index(numbers.control)])
        low, high = sorted(ax.get_xlim())
        ends = [max(middle - critical, low), min(middle + critical, high)]
        ax.fill_between(ends, 0, layout.bottom, color="#EEF0F3", zorder=0, linewidth=0)
    ax.plot([left, right], [y, y], color="black", linewidth=1.2)
    for x in (left, right):
        ax.plot([x, x], [y - tick, y + tick], color="black", linewidth=1.2)
    text = f"  CD = {critical:.2f}"
    room = (layout.end - right) / (layout.end - numbers.start) * layout.length + layout.right
    beside = room > text_width(text, layout.font)
    if beside:
        ax.text(right, y, text, ha="left", va="center", fontsize=layout.font)
    else:
        ax.text(left, y, f"{text.strip()}  ", ha="right", va="center", fontsize=layout.font)


def _caption(numbers: CriticalDifference) -> str:
    text = f"{numbers.method}, {numbers.block_label}, α\u00a0=\u00a0{numbers.alpha:g}"
    if not numbers.rejected:
        text += "; the global test is not significant"
    if numbers.untested:
        text += f"; {numbers.untested} pairs not tested"
    return text
