"""Axes of values: as many numbers as fit, on linear and logarithmic scales."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import Formatter, Locator, LogLocator, MaxNLocator, NullFormatter, ScalarFormatter

from podium.plot.names import widest

STEPS = (1, 2, 2.5, 5, 10)  # between the numbers of a linear axis, times a power of ten
# Numbers to name within a power of ten, the fewest first.
_SUBDIVISIONS = ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0))


def spread_ticks(ax: Axes, axis: Literal["x", "y"], length: float, *, integer: bool = False) -> None:
    """Put as many numbers on a linear axis as fit, where it is about `length` points long."""
    line = ax.xaxis if axis == "x" else ax.yaxis
    font = float(mpl.rcParams["xtick.labelsize" if axis == "x" else "ytick.labelsize"])
    low, high = line.get_view_interval()
    most = int(np.clip(length / (2.2 * font), 2, 9))
    while axis == "x" and most > 2:
        ticks: Any = MaxNLocator(most, steps=STEPS, integer=integer, min_n_ticks=2).tick_values(low, high)
        ticks = ticks[(ticks >= min(low, high)) & (ticks <= max(low, high))]
        if _have_room(ticks, _plain_numbers(line, ticks), length, abs(high - low), font):
            break
        most -= 1
    line.set_major_locator(MaxNLocator(most, steps=STEPS, integer=integer, min_n_ticks=2))


def _plain_numbers(line: Any, ticks: Sequence[float]) -> list[str]:
    formatter = ScalarFormatter()
    formatter.set_axis(line)
    return formatter.format_ticks(list(ticks))


def _have_room(ticks: Any, texts: Sequence[str], length: float, span: float, font: float) -> bool:
    if len(ticks) < 2 or span == 0:
        return True
    step = float(np.min(np.diff(ticks))) * length / span
    return widest(texts, font) + 0.7 * font <= step


def log_values(ax: Axes, axis: Literal["x", "y"], length: float | None = None) -> None:
    """Make an axis logarithmic, with numbers that can be read and stay apart.

    The axis will be about `length` points long. The numbers are powers of ten where there are many of them, otherwise
    also 2 and 5 times these, and round numbers on an axis that is short of a power of ten. Ticks between them have no
    numbers.
    """
    (ax.set_xscale if axis == "x" else ax.set_yscale)("log")
    line = ax.xaxis if axis == "x" else ax.yaxis
    font = float(mpl.rcParams["xtick.labelsize" if axis == "x" else "ytick.labelsize"])
    if length is None:
        box = ax.get_window_extent()
        length = 72 / ax.figure.dpi * (box.width if axis == "x" else box.height)
    line.set_major_locator(LogTicks(length, font, along=axis == "x"))
    line.set_major_formatter(LogNumbers())
    line.set_minor_locator(LogLocator(subs=range(2, 10), numticks=12))
    line.set_minor_formatter(NullFormatter())


class LogTicks(Locator):
    """Places of numbers on a logarithmic axis, as many as fit.

    Parameters
    ----------
    length : float
        Length of the axis in points.
    font : float
        Size of the numbers.
    along : bool
        Whether the numbers are written along the axis, so that their width counts.
    """

    def __init__(self, length: float, font: float, *, along: bool) -> None:
        self.length = length
        self.font = font
        self.along = along

    def __call__(self) -> Any:
        """Places in view."""
        return self.tick_values(*self.axis.get_view_interval())  # type: ignore[union-attr]

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """Places between two values."""
        low, high = sorted((vmin, vmax))
        if not 0 < low < high < np.inf:
            return np.array([])
        best = self._powers(low, high)
        for subdivision in _SUBDIVISIONS:
            ticks = self._multiples(low, high, subdivision)
            if len(ticks) > max(len(best), 1) and self._fit(ticks, low, high):
                best = ticks
        if len(best) < 3 and high / low < 30:
            for most in (6, 5, 4, 3):
                found: Any = MaxNLocator(most, steps=STEPS, min_n_ticks=2).tick_values(low, high)
                ticks = found[(found >= low) & (found <= high)]
                if len(ticks) > len(best) and self._fit(ticks, low, high):
                    return ticks
        return best

    def _powers(self, low: float, high: float) -> Any:
        """Powers of ten, every second or third of them where there are too many."""
        first, last = int(np.ceil(np.log10(low) - 1e-9)), int(np.floor(np.log10(high) + 1e-9))
        for step in range(1, 100):
            ticks = 10.0 ** np.arange(-(-first // step) * step, last + 1, step)
            if len(ticks) < 3 or self._fit(ticks, low, high):
                return ticks
        return ticks

    def _multiples(self, low: float, high: float, subdivision: Sequence[float]) -> Any:
        powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
        ticks = np.ravel(powers[:, None] * np.array(subdivision))
        return ticks[(ticks >= low * (1 - 1e-9)) & (ticks <= high * (1 + 1e-9))]

    def _fit(self, ticks: Any, low: float, high: float) -> bool:
        if len(ticks) < 2:
            return True
        places = np.log10(ticks) * self.length / np.log10(high / low)
        texts = LogNumbers().format_ticks(ticks)
        plain = [re.sub(r"[$^{}]|\\cdot ", "", text) for text in texts]
        sizes = [widest([text], self.font) if self.along else 0.9 * self.font for text in plain]
        free = np.diff(places) - (np.array(sizes[:-1]) + np.array(sizes[1:])) / 2
        return bool((free > 0.7 * self.font).all()) and len(ticks) <= 9


class LogNumbers(Formatter):
    """Numbers on a logarithmic axis: in full where they are short, otherwise as powers of ten."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        """Write one number."""
        return plain_power(x)

    def format_ticks(self, values: Any) -> list[str]:
        """Write all numbers in one way."""
        powers = [value for value in values if value > 0 and not 1e-4 <= value < 1e6]
        return [plain_power(value, scientific=bool(powers)) for value in values]


def plain_power(value: float, *, scientific: bool | None = None) -> str:
    """Write a number of a logarithmic axis: as a power of ten where that is shorter.

    >>> plain_power(0.01), plain_power(1e-7), plain_power(200_000)
    ('0.01', '$10^{-7}$', '200,000')
    """
    if scientific is None:
        scientific = value > 0 and not 1e-4 <= value < 1e6
    if scientific and value > 0:
        power = int(np.floor(np.log10(value) + 1e-9))
        factor = value / 10.0**power
        if abs(factor - 1) < 1e-6:
            return f"$10^{{{power}}}$"
        return f"${factor:.3g}\\cdot 10^{{{power}}}$"
    return f"{value:,g}" if value < 1e5 else f"{value:,.0f}"
