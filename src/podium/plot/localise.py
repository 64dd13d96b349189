"""Changing the texts of a drawing: numbers in the language of the reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matplotlib.axis import Axis
from matplotlib.text import Text
from matplotlib.ticker import Formatter

from podium.plot.save import figure_of

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


def change_texts(drawing: object, change: Change, *, own: bool = False) -> None:
    """Apply a function to the labels of all ticks, and to all other texts of a drawing that is not a user's own."""
    figure = figure_of(drawing)
    labels = set()
    for axis in figure.findobj(Axis):
        axis.set_major_formatter(_Changed(axis.get_major_formatter(), change))
        axis.set_minor_formatter(_Changed(axis.get_minor_formatter(), change))
        labels |= set(axis.get_ticklabels(which="both"))
    for text in () if own else figure.findobj(Text):
        if text not in labels and text.get_text():
            text.set_text(change(text.get_text()))
