"""The numbers at the ticks of axes, with the decimal mark of their reader."""

from __future__ import annotations

from typing import Any

from matplotlib.axis import Axis
from matplotlib.ticker import Formatter, LogFormatter, ScalarFormatter

from podium.numerals import DecimalMark, current_mark, decimal_mark, with_mark
from podium.plot.save import figure_of
from podium.plot.scales import LogNumbers

__all__: list[str] = []


class _Marked(Formatter):
    """Numbers at ticks as another formatter writes them, with a decimal mark, whenever they are drawn."""

    def __init__(self, formatter: Formatter, mark: DecimalMark) -> None:
        self._formatter, self._mark = formatter, mark

    def __call__(self, x: float, pos: int | None = None) -> str:
        return self._marked(self._formatter(x, pos))

    def format_ticks(self, values: Any) -> list[str]:
        return [self._marked(label) for label in self._formatter.format_ticks(values)]

    def get_offset(self) -> str:
        return self._marked(self._formatter.get_offset())

    def set_locs(self, locs: Any) -> None:
        self._formatter.set_locs(locs)

    def set_axis(self, axis: Any) -> None:
        self._formatter.set_axis(axis)

    def _marked(self, number: str) -> str:
        with decimal_mark(self._mark):
            return with_mark(number)


def mark_ticks(drawing: object) -> None:
    """Give numbers at ticks the decimal mark of the reader; texts at ticks, which may be names, stay."""
    if current_mark() == ".":
        return
    for axis in figure_of(drawing).findobj(Axis):
        axis.set_major_formatter(_marked(axis.get_major_formatter()))
        axis.set_minor_formatter(_marked(axis.get_minor_formatter()))


def _marked(formatter: Formatter) -> Formatter:
    numeric = isinstance(formatter, ScalarFormatter | LogFormatter | LogNumbers)
    return _Marked(formatter, current_mark()) if numeric else formatter
