"""The numbers at the ticks of axes, with the decimal mark of their reader."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from matplotlib.axis import Axis
from matplotlib.ticker import ScalarFormatter

from podium.numerals import current_mark, decimal_mark, in_formula, with_mark
from podium.plot.save import figure_of

__all__: list[str] = []


class _WithComma(ScalarFormatter):
    """Numbers at ticks with a decimal comma, whenever they are drawn; otherwise as matplotlib writes them."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return _with_comma(super().__call__(x, pos))

    def get_offset(self) -> str:
        return _with_comma(super().get_offset())


def _with_comma(number: str) -> str:
    with decimal_mark(","):
        written = with_mark(number)
    return in_formula(written) if "$" in number else written


@contextmanager
def marked_ticks(drawing: object) -> Iterator[None]:
    """Give numbers at the ticks of a drawing the decimal mark of the reader when it is drawn.

    The drawing is the axes that are drawn on, with those that are added meanwhile, such as a colour bar. Axes that the
    user has beside it stay as they are, and so do texts at ticks, which may be names.
    """
    if current_mark() == ".":
        yield
        return
    figure = figure_of(drawing)
    own = {id(ax) for ax in np.ravel(np.asarray(drawing, object))}
    others = {id(ax) for ax in figure.axes} - own
    yield
    for ax in figure.axes:
        for axis in ax.findobj(Axis) if id(ax) not in others else ():
            for formatter in (axis.get_major_formatter(), axis.get_minor_formatter()):
                if type(formatter) is ScalarFormatter:
                    formatter.__class__ = _WithComma  # it stays the one that the axes and a colour bar know
