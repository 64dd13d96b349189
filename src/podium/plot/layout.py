"""Layout of figures: every text is measured once, and the ticks of an axis are placed once.

To lay out and draw a figure, matplotlib measures each text up to ten times, and places the ticks of each axis as often.
Inside `measured_once` it reuses what it has found; `Constrained` is its constrained layout inside such a block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text

__all__: list[str] = []

# Methods that are replaced inside the block; another version of matplotlib may not have them.
_REPLACED: tuple[tuple[type, str], ...] = (
    (Text, "_get_layout"),  # measures a text: its lines, relative to the place of the text
    (Axis, "_update_ticks"),  # gives ticks their places and labels, and returns those to draw
    (Axis, "_get_ticklabel_bboxes"),  # returns the boxes of the labels of ticks
)

# Sizes of texts, by the settings and fonts of matplotlib: figures have many texts in common.
_SIZES: dict[Any, dict[Any, Any]] = {}
_MOST_SIZES = 5_000


class Constrained(ConstrainedLayoutEngine):
    """The constrained layout of matplotlib, where every text is measured once."""

    def execute(self, fig: Figure) -> Any:
        """Move the axes of a figure."""
        with measured_once():
            return super().execute(fig)


@contextmanager
def measured_once() -> Iterator[None]:
    """Measure equal texts once, and place ticks again only after a change of their axes, inside the block.

    What else the ticks of an axis depend on, such as its locator, must not change there.
    """
    measure, place, box = (getattr(owner, name, None) for owner, name in _REPLACED)
    if measure is None or place is None or box is None or measure.__module__ == __name__:
        yield  # in another matplotlib; in a block around this one
        return
    _replace(_measuring(measure), *_placing(place, box))
    try:
        yield
    finally:
        _replace(measure, place, box)


def _replace(*methods: Callable[..., Any]) -> None:
    for (owner, name), method in zip(_REPLACED, methods, strict=True):
        setattr(owner, name, method)


def _measuring(measure: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that measures a text unless an equal one has been measured."""
    sizes = _known_sizes()

    def measure_once(text: Any, renderer: Any) -> Any:
        if text.get_wrap():  # then its lines depend on its place
            return measure(text, renderer)
        # A renderer of several formats has one of them inside.
        drawn = (type(renderer), type(getattr(renderer, "_renderer", None)), renderer.points_to_pixels(1.0))
        place = (text.get_rotation(), text.get_rotation_mode(), text.get_ha(), text.get_va(), text._multialignment)
        font = (hash(text.get_fontproperties()), text._linespacing, text.get_usetex(), text.get_parse_math())
        key = (drawn, text.figure.dpi, text.get_text(), place, font)
        found = sizes.get(key)
        if found is None:
            found = sizes[key] = measure(text, renderer)
        return found

    return measure_once


def _known_sizes() -> dict[Any, Any]:
    """Return the sizes of texts that were measured with the same settings and fonts."""
    if sum(map(len, _SIZES.values())) > _MOST_SIZES:
        _SIZES.clear()
    settings = repr(list(dict.values(mpl.rcParams)))  # of the dictionary below: looked up, the backend is chosen
    return _SIZES.setdefault((settings, len(fontManager.ttflist)), {})


def _placing(place: Callable[..., Any], box: Callable[..., Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return methods that place ticks and box their labels unless that was the last done, with the axes as they are."""
    # By locator and formatter, which axes may share: a formatter remembers the numbers that it has written last.
    known: dict[Any, tuple[Any, list[Any], dict[Any, Any]]] = {}

    def place_once(axis: Any) -> Any:
        now = (axis, *axis.axes.bbox.extents, *axis.axes.viewLim.extents)
        last, ticks, _ = known.get(axis.major, (None, [], {}))
        if last != now:
            ticks = place(axis)
            known[axis.major] = (now, ticks, {})
        return ticks

    def box_once(axis: Any, ticks: Any, renderer: Any) -> Any:
        _, placed, boxes = known.get(axis.major, (None, None, {}))
        if ticks is not placed:
            return box(axis, ticks, renderer)
        if renderer not in boxes:
            boxes[renderer] = box(axis, ticks, renderer)
        return tuple(map(list, boxes[renderer]))

    return place_once, box_once
