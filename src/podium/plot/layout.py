"""Layout of figures: every text is measured once.

To lay out a figure, matplotlib measures each text up to ten times. Inside `measured_once` it reuses what it has
measured; `Constrained` is its constrained layout inside such a block.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text

__all__: list[str] = []

_MEASURE = "_get_layout"  # the method of texts that measures one: its lines, relative to the place of the text


class Constrained(ConstrainedLayoutEngine):
    """The constrained layout of matplotlib, where every text is measured once."""

    def execute(self, fig: Figure) -> Any:
        """Move the axes of a figure."""
        with measured_once():
            return super().execute(fig)


@contextmanager
def measured_once() -> Iterator[None]:
    """Measure equal texts once inside the block."""
    measure = getattr(Text, _MEASURE, None)
    if measure is None or measure.__module__ == __name__:  # in another matplotlib; in a block around this one
        yield
        return
    known: dict[Any, Any] = {}

    def measure_once(text: Any, renderer: Any) -> Any:
        if text.get_wrap():  # then its lines depend on its place
            return measure(text, renderer)
        place = (text.get_rotation(), text.get_rotation_mode(), text.get_ha(), text.get_va(), text._multialignment)
        font = (hash(text.get_fontproperties()), text._linespacing, text.get_usetex(), text.get_parse_math())
        key = (renderer, text.figure.dpi, text.get_text(), place, font)
        found = known.get(key)
        if found is None:
            found = known[key] = measure(text, renderer)
        return found

    setattr(Text, _MEASURE, measure_once)
    try:
        yield
    finally:
        setattr(Text, _MEASURE, measure)
