"""Other words for every text that is made from facts, as wide as the real ones; and all that a drawing shows but texts."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from podium.analysis import text
from podium.figures.numbers import ComparisonNumbers, FigureNumbers
from podium.figures.simultaneous_intervals import SimultaneousIntervals
from podium.plot import names

TEXTS = {
    FigureNumbers: ["measure_label", "value_parts", "block_noun", "block_label", "heading"],
    ComparisonNumbers: ["estimand_label"],
    SimultaneousIntervals: ["value_parts"],
}
TABLES = {
    "podium.plot.dataset_effects": ["_HEADINGS"],
    "podium.plot.simultaneous_intervals": ["_MEANINGS"],
    "podium.plot.variance_shares": ["SOURCES"],
}
PRIVATE = 0xF0000  # code points for private use: signs of other words, each for one of the real ones


def other(words: Any) -> Any:
    """Replace every sign of a text but spaces, placeholders and what was replaced before."""
    if isinstance(words, tuple):
        return tuple(map(other, words))
    return re.sub(r"({\w+})|[^ ]", lambda found: found[1] or chr(PRIVATE + ord(found[0]) % PRIVATE), words)


def crossed_out(words: str) -> str:
    """Write an x for every sign that was replaced."""
    return "".join("x" if ord(sign) >= PRIVATE else sign for sign in words)


class Noting(dict[Any, Any]):
    """A table that notes when something is looked up in it."""

    def __init__(self, table: dict[Any, Any], asked: set[str], name: str) -> None:
        super().__init__(table)
        self._note = lambda: asked.add(name)

    def __getitem__(self, key: Any) -> Any:
        self._note()
        return super().__getitem__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        self._note()
        return super().get(key, default)

    def __iter__(self) -> Any:
        self._note()
        return super().__iter__()

    def items(self) -> Any:
        self._note()
        return super().items()

    def values(self) -> Any:
        self._note()
        return super().values()


def note_words(patch: pytest.MonkeyPatch) -> set[str]:
    """Note which of the texts that can be replaced are asked for: what asks for none does not read them."""
    asked: set[str] = set()

    def noting(name: str, getter: Any) -> property:
        return property(lambda self: (asked.add(name), getter(self))[1])

    for kind, properties in TEXTS.items():
        for name in properties:
            patch.setattr(kind, name, noting(name, vars(kind)[name].fget))
    tables = {text.__name__: ["ESTIMANDS", "_ADJUSTMENTS"]} | TABLES
    for module, attributes in tables.items():
        for name in attributes:
            home = sys.modules[module]
            patch.setattr(home, name, Noting(getattr(home, name), asked, name))
    return asked


def replace_words(patch: pytest.MonkeyPatch) -> None:
    for kind, properties in TEXTS.items():
        for name in properties:
            getter = vars(kind)[name].fget
            patch.setattr(kind, name, property(lambda self, getter=getter: other(getter(self))))
    for catalogue in (text.ESTIMANDS, text._ADJUSTMENTS):
        for key, words in catalogue.items():
            patch.setitem(catalogue, key, other(words))  # type: ignore[arg-type]
    for module, tables in TABLES.items():
        for name in tables:
            table = getattr(sys.modules[module], name)
            for key, words in list(table.items()):
                label = (other(words[0]), *words[1:]) if isinstance(words, tuple) else other(words)
                patch.setitem(table, key, label)
    # Other words are as wide as the real ones, so that lines break where they did.
    width = names._width_in_ems

    def width_of_real_words(words: str, bold: bool) -> float:
        return width("".join(chr(ord(sign) % PRIVATE) for sign in words), bold)

    patch.setattr(names, "_width_in_ems", width_of_real_words)


def labels(figure: Figure) -> list[str]:
    """Titles of axes and labels of their sides."""
    return [label for ax in figure.axes for label in (ax.get_title(loc="left"), ax.get_xlabel(), ax.get_ylabel())]


def shapes(figure: Figure) -> list[Any]:
    """The size of a figure, its limits, and the place, form and colour of every mark."""
    found = [figure.get_size_inches(), *(part for ax in figure.axes for part in geometry(ax))]
    return [np.array(np.ma.filled(part, np.nan)) for part in found]  # copies: matplotlib moves spines when it draws


def geometry(ax: Axes) -> list[Any]:
    found: list[Any] = [ax.get_xlim(), ax.get_ylim(), ax.get_xticks(), ax.get_yticks(), len(ax.texts)]
    for mark in ax.get_children():
        if isinstance(mark, Line2D):
            found.append(mark.get_xydata())
        elif isinstance(mark, Collection):
            paths = [path.vertices for path in mark.get_paths()]
            found += [*paths, mark.get_offsets(), mark.get_facecolor(), mark.get_edgecolor()]
        elif isinstance(mark, Patch):
            found += [mark.get_path().vertices, mark.get_facecolor()]
    return found + [part for child in ax.child_axes for part in geometry(child)]
