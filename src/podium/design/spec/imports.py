"""Code that a design file names: which modules, found without importing any of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os import PathLike
from typing import Any

from podium.checks import check_call
from podium.design.spec.document import read_document

# Their classes are made and checked when a design is read: that runs no code from the author of the design.
KNOWN = ("sklearn", "podium")
_NAMING = {"algorithms": ("class", "factory"), "measures": ("function",), "resampling": ("class",)}


def named_modules(design: Mapping[str, Any], *parts: str) -> tuple[str, ...]:
    """List the modules that a design names, apart from those of scikit-learn and podium, in their order.

    >>> named_modules({"algorithms": ["lda", {"class": "mine.models.Forest"}, {"class": "sklearn.svm.SVC"}]})
    ('mine.models',)
    """
    found = (module for part in parts or _NAMING for module in _named(design.get(part), _NAMING[part]))
    return tuple(dict.fromkeys(module for module in found if module.partition(".")[0] not in KNOWN))


@check_call
def design_modules(path: str | PathLike[str]) -> tuple[str, ...]:
    """List the modules that a design file names, apart from those of scikit-learn and podium; nothing is imported.

    `podium run` imports them, and names them first.
    """
    return named_modules(read_document(path).data)


def _named(value: Any, keys: tuple[str, ...]) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key in keys and isinstance(inner, str):
                yield inner.replace(":", ".").rpartition(".")[0]
            else:
                yield from _named(inner, keys)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _named(inner, keys)
