"""Changing the texts of a drawing: numbers in the language of the reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matplotlib.axis import Axis
from matplotlib.text import Text
from matplotlib.ticker import Formatter, LogFormatter, ScalarFormatter

from podium.plot.save import figure_of
from podium.plot.scales import LogNumbers

__all__: list[str] = []

Change = Callable[[str], str]


class _Changed(Formatter):
    """Labels of ticks as another formatter makes them, changed."""

    def __init__(self, formatter: Formatter, change: Change) -> None:
        self._formatter, self._change = formatter, change

    def __call__(self, x: float, pos: int | None = None) -> str:
        return self._change(self._formatter(x, pos))

    def format_ticks(self, values: Any) -> list[str]:
        return [self._change(label) for label in self._formatter.format_ticks(values)]

    def get_offset(self) -> str:
        return self._change(self._formatter.get_offset())

    def set_locs(self, locs: Any) -> None:
        self._formatter.set_locs(locs)

    def set_axis(self, axis: Any) -> None:
        self._formatter.set_axis(axis)


def change_texts(drawing: object, number: Change, text: Change | None) -> None:
    """Apply a function to the numbers at ticks, and another, if there is one, to all other texts of a drawing."""
    figure = figure_of(drawing)
    labels = set()
    for axis in figure.findobj(Axis):
        axis.set_major_formatter(_changed(axis.get_major_formatter(), number, text))
        axis.set_minor_formatter(_changed(axis.get_minor_formatter(), number, text))
        labels |= set(axis.get_ticklabels(which="both"))
    if text is None:
        return
    for one in figure.findobj(Text):
        if one not in labels and one.get_text():
            one.set_text(text(one.get_text()))


def _changed(formatter: Formatter, number: Change, text: Change | None) -> Formatter:
    change = number if isinstance(formatter, ScalarFormatter | LogFormatter | LogNumbers) else text
    return formatter if change is None else _Changed(formatter, change)
