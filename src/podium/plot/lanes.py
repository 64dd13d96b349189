"""Lanes: one per algorithm, side by side or one above the other, with values along them."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.ticker import FuncFormatter, LogFormatterSciNotation, NullFormatter

from podium.arrays import FloatArray
from podium.figures.numbers import FigureNumbers
from podium.plot.names import shorten
from podium.plot.style import label_values, size_in_points, write_title

Orientation: TypeAlias = Literal["horizontal", "vertical"]
ORIENTATIONS: tuple[Orientation, ...] = get_args(Orientation)

MANY_MARKS = 4_000  # beyond this, vector formats get the marks as one picture: files stay small


class Lanes:
    """The lanes of one axes: places marks in both horizontal and vertical lanes.

    Parameters
    ----------
    ax : Axes
    numbers : FigureNumbers
    orientation : {"horizontal", "vertical"}
        Horizontal lanes are stacked, the best on top, and leave room for long names.
    marks : int, optional
        How many dots there will be in all.
    """

    def __init__(self, ax: Axes, numbers: FigureNumbers, orientation: Orientation, marks: int = 0) -> None:
        self.ax = ax
        self.numbers = numbers
        self.across = orientation == "vertical"
        self.many = marks > MANY_MARKS

    @property
    def thickness(self) -> float:
        """Thickness of a lane in points, about."""
        width, height = size_in_points(self.ax)
        return (width if self.across else height) / len(self.numbers.algorithms)

    def xy(self, lane: Any, value: Any) -> tuple[Any, Any]:
        """Coordinates of marks from their lanes and values."""
        return (lane, value) if self.across else (value, lane)

    def dots(self, lane: Any, value: Any, *, size: float, **look: Any) -> None:
        """Put dots at values."""
        _inside(self.ax.scatter(*self.xy(lane, value), s=size**2, rasterized=self.many, **look))

    def strokes(self, lane: Any, low: Any, high: Any, **look: Any) -> None:
        """Draw lines along lanes."""
        self._lines(lane, low, lane, high, look)

    def ticks(self, lane: Any, value: Any, half: float, **look: Any) -> None:
        """Draw short lines across lanes."""
        self._lines(np.asarray(lane) - half, value, np.asarray(lane) + half, value, look)

    def _lines(self, lane: Any, low: Any, to_lane: Any, high: Any, look: dict[str, Any]) -> None:
        ends = np.broadcast_arrays(*self.xy(lane, low), *self.xy(to_lane, high))
        segments = np.stack(ends, axis=-1).astype(float).reshape(-1, 2, 2)
        _inside(self.ax.add_collection(LineCollection(list(segments), capstyle="butt", **look)))

    def boxes(self, lane: Any, low: Any, high: Any, half: float, **look: Any) -> None:
        """Draw boxes."""
        left, bottom = self.xy(np.asarray(lane) - half, low)
        width, height = self.xy(2 * half, np.asarray(high) - np.asarray(low))
        bars(self.ax, left, bottom, width, height, **look)

    def band(self, value: FloatArray, below: FloatArray, above: FloatArray, **look: Any) -> None:
        """Fill the area between two curves that run along a lane."""
        fill = self.ax.fill_betweenx if self.across else self.ax.fill_between
        _inside(fill(value, below, above, **look))

    def finish(self, *, logarithmic: bool = False, title: str | None = None, room: float = 0.5) -> None:
        """Name the lanes and the values, and set the limits across the lanes."""
        ax, names = self.ax, self.numbers.algorithms
        ax.autoscale_view()
        if logarithmic:
            log_values(ax, "y" if self.across else "x")
        label_values(ax, self.numbers.value_parts, "y" if self.across else "x")
        if self.across:
            ax.set_xlim(-0.5, len(names) - 0.5)
            _name_columns(ax, names)
        else:
            ax.set_ylim(len(names) - 0.5, -room - 0.05)
            _name_rows(ax, names)
        write_title(ax, title, self.numbers.heading)


def bars(ax: Axes, left: Any, bottom: Any, width: Any, height: Any, **look: Any) -> None:
    """Draw bars as one collection, which is much faster than one rectangle at a time."""
    x0, y0, wide, tall = np.broadcast_arrays(left, bottom, width, height)
    corners = np.stack([x0, y0, x0, y0 + tall, x0 + wide, y0 + tall, x0 + wide, y0], axis=-1).reshape(-1, 4, 2)
    _inside(ax.add_collection(PolyCollection(list(corners), **look)))


def _inside(*artists: Artist) -> None:
    """Tell the layout that marks stay inside the axes: with many panels it would measure each of them."""
    for artist in artists:
        artist.set_in_layout(False)


def log_values(ax: Axes, axis: Literal["x", "y"]) -> None:
    """Make an axis logarithmic, with labels that stay apart."""
    (ax.set_xscale if axis == "x" else ax.set_yscale)("log")
    line = ax.xaxis if axis == "x" else ax.yaxis
    line.set_major_formatter(FuncFormatter(lambda value, _: plain_power(value)))
    low, high = sorted(line.get_data_interval())
    decades = np.log10(high / low) if low > 0 else 1.0
    if decades < 1.5:
        # Less than two powers of ten in view: name some numbers in between.
        line.set_minor_formatter(LogFormatterSciNotation(minor_thresholds=(2, 0.5)))
    else:
        line.set_minor_formatter(NullFormatter())


def plain_power(value: float) -> str:
    """Write a power of ten: as a number where that is short.

    >>> plain_power(0.01), plain_power(1e-7)
    ('0.01', '$10^{-7}$')
    """
    if value > 0 and not 1e-4 <= value < 1e6:
        return f"$10^{{{round(float(np.log10(value)))}}}$"
    return f"{value:,g}" if value < 1e5 else f"{value:,.0f}"


def _name_rows(ax: Axes, names: tuple[str, ...]) -> None:
    font = float(mpl.rcParams["ytick.labelsize"])
    width = 14 if size_in_points(ax)[0] < 220 else 24
    ax.set_yticks(range(len(names)), shorten(names, width), fontsize=font, linespacing=1.1)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)


def _name_columns(ax: Axes, names: tuple[str, ...]) -> None:
    """Write names horizontally if they fit, otherwise slanted or upright."""
    font = float(mpl.rcParams["xtick.labelsize"])
    room = size_in_points(ax)[0] / len(names)
    letters = max(int(room / (0.62 * font)) - 1, 1)
    level = shorten(names, max(letters, 6))
    whole = not any("…" in text for text in level)
    if max(len(line) for text in level for line in text.split("\n")) <= letters and (whole or letters >= 14):
        ax.set_xticks(range(len(names)), level, fontsize=font, linespacing=1.1)
    else:
        slanted = room >= 1.5 * font
        ax.set_xticks(
            range(len(names)),
            shorten(names, 26, lines=1),
            fontsize=min(font, 0.8 * room),
            rotation=40 if slanted else 90,
            ha="right" if slanted else "center",
            va="top",
            rotation_mode="anchor" if slanted else "default",
        )
    ax.tick_params(axis="x", length=0)
