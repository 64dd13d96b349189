"""Categorical axes: a row or a column per algorithm, with values along it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection

from podium.arrays import FloatArray
from podium.plot.colours import edge_colour
from podium.plot.figures.numbers import FigureNumbers
from podium.plot.figures.strip import Strip
from podium.plot.figures.time import Time
from podium.plot.names import BESIDE, LINE, fit_names, names_above, names_beside, widest
from podium.plot.scales import log_values, spread_ticks
from podium.plot.style import cell_size, label_values, size_in_points, write_title

Orientation: TypeAlias = Literal["horizontal", "vertical"]
ORIENTATIONS: tuple[Orientation, ...] = get_args(Orientation)

MANY_MARKS = 4_000  # beyond this, vector formats get the marks as one picture: files stay small


class CategoricalAxes:
    """Axes with a row or a column per algorithm: marks are placed by position and value, whichever way they run.

    Parameters
    ----------
    ax : Axes
    numbers : FigureNumbers
    orientation : {"horizontal", "vertical"}
        ``"horizontal"``: rows, the best on top, which leave room for long names; ``"vertical"``: columns.
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
        """Thickness of a row or column in points, about."""
        width, height = size_in_points(self.ax)
        return (width if self.across else height) / len(self.numbers.algorithms)

    def xy(self, position: Any, value: Any) -> tuple[Any, Any]:
        """Coordinates of marks from their positions among the algorithms and their values."""
        return (position, value) if self.across else (value, position)

    def dots(self, position: Any, value: Any, *, size: float, **look: Any) -> None:
        """Put dots at values."""
        inside(self.ax.scatter(*self.xy(position, value), s=size**2, rasterized=self.many, **look))

    def cloud(self, dots: Strip | Time, palette: Mapping[str, str], *, reach: float, size: float) -> None:
        """Draw the values of each algorithm as dots, up to `reach` away from the middle of its row."""
        of, fill = dots.algorithm, np.array([palette[name] for name in dots.algorithms])
        rim = np.array([edge_colour(colour) for colour in fill])
        look = {"c": fill[of], "edgecolors": rim[of], "linewidths": 0.3, "alpha": 0.75}
        self.dots(of + reach * dots.offset, dots.value, size=size, **look)

    def strokes(self, position: Any, low: Any, high: Any, **look: Any) -> None:
        """Draw lines along rows."""
        self._lines(position, low, position, high, look)

    def ticks(self, position: Any, value: Any, half: float, **look: Any) -> None:
        """Draw short lines across rows."""
        self._lines(np.asarray(position) - half, value, np.asarray(position) + half, value, look)

    def _lines(self, position: Any, low: Any, to_position: Any, high: Any, look: dict[str, Any]) -> None:
        ends = np.broadcast_arrays(*self.xy(position, low), *self.xy(to_position, high))
        segments = np.stack(ends, axis=-1).astype(float).reshape(-1, 2, 2)
        inside(self.ax.add_collection(LineCollection(list(segments), capstyle="butt", **look)))

    def boxes(self, position: Any, low: Any, high: Any, half: float, **look: Any) -> None:
        """Draw boxes."""
        left, bottom = self.xy(np.asarray(position) - half, low)
        width, height = self.xy(2 * half, np.asarray(high) - np.asarray(low))
        bars(self.ax, left, bottom, width, height, **look)

    def band(self, value: FloatArray, below: FloatArray, above: FloatArray, **look: Any) -> None:
        """Fill the area between two curves that run along a row."""
        fill = self.ax.fill_betweenx if self.across else self.ax.fill_between
        inside(fill(value, below, above, **look))

    def finish(self, *, logarithmic: bool = False, title: str | None = None, room: float = 0.5) -> None:
        """Name the algorithms and the values, and set the limits across the rows."""
        ax, names = self.ax, self.numbers.algorithms
        axis: Literal["x", "y"] = "y" if self.across else "x"
        ax.autoscale_view()
        if self.across:
            ax.set_xlim(-0.5, len(names) - 0.5)
            below = name_columns(ax, names)
            length, left = max(cell_size(ax)[1] - below - 30, 40.0), 0.0
        else:
            ax.set_ylim(len(names) - 0.5, -room - 0.05)
            left = name_rows(ax, names)
            length = cell_size(ax)[0] - left
        if logarithmic:
            log_values(ax, axis, length)
        else:
            spread_ticks(ax, axis, length)
        label_values(ax, self.numbers.value_parts, axis, room=length)
        write_title(ax, title, self.numbers.heading, left=left)


def bars(ax: Axes, left: Any, bottom: Any, width: Any, height: Any, **look: Any) -> None:
    """Draw bars as one collection, which is much faster than one rectangle at a time."""
    x0, y0, wide, tall = np.broadcast_arrays(left, bottom, width, height)
    corners = np.stack([x0, y0, x0, y0 + tall, x0 + wide, y0 + tall, x0 + wide, y0], axis=-1).reshape(-1, 4, 2)
    inside(ax.add_collection(PolyCollection(list(corners), **look)))


def inside(*artists: Artist) -> None:
    """Tell the layout that marks or texts stay inside the axes: otherwise it would measure each of them."""
    for artist in artists:
        artist.set_in_layout(False)


def name_rows(ax: Axes, names: Sequence[str], *, room: float | None = None) -> float:
    """Write names to the left of the rows 0, 1, ...; return the room in points that they take.

    They take a part of `room`, by default of that of the axes.
    """
    size = float(mpl.rcParams["ytick.labelsize"])
    wide, tall = cell_size(ax)
    wide = wide if room is None else room
    texts = names_beside(names, wide, size)
    row = 0.8 * tall / max(len(names), 1)
    if row < LINE * size * max(text.count("\n") + 1 for text in texts):  # the user has chosen a small figure
        texts = fit_names(names, BESIDE * wide, size, lines=max(int(row / (LINE * size)), 1))
        size = min(size, max(row / 1.05, 3.0))
    ax.tick_params(axis="y", length=0)  # before there are ticks: afterwards it would change every one of them
    ax.set_yticks(range(len(names)), texts, fontsize=size, linespacing=1.05)
    ax.spines["left"].set_visible(False)
    return widest(texts, size) + 6


def name_columns(ax: Axes, names: Sequence[str]) -> float:
    """Write names below the columns 0, 1, ..., level or upright; return the height in points that they take."""
    font = float(mpl.rcParams["xtick.labelsize"])
    wide = cell_size(ax)[0]
    found = names_above(names, 0.85 * wide / len(names), font, tallest=0.5 * wide)
    ax.tick_params(axis="x", length=0)
    ax.set_xticks(range(len(names)), found.texts, fontsize=found.font, rotation=found.rotation, linespacing=1.05)
    return found.height
