"""Labels of the four axes: cleaning, natural order, looking up."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from podium.errors import LabelError, listing

Axis: TypeAlias = Literal["dataset", "replication", "algorithm", "measure"]
AXES: tuple[Axis, ...] = get_args(Axis)
Label: TypeAlias = str | int

PLURAL: dict[Axis, str] = {
    "dataset": "datasets",
    "replication": "replications",
    "algorithm": "algorithms",
    "measure": "measures",
}


def natural_key(label: Label) -> tuple[tuple[int, int, str], ...]:
    """Sort key under which ``"ds2"`` comes before ``"ds10"`` and numbers before words.

    >>> sorted(["ds10", "ds2", "a"], key=natural_key)
    ['a', 'ds2', 'ds10']
    """
    if isinstance(label, int):
        return ((0, label, ""),)
    parts = re.split(r"(\d+)", label)
    folded = tuple((0, int(p), "") if p.isdecimal() else (1, 0, p.casefold()) for p in parts if p)
    return (*folded, (2, 0, label))  # equal but for case: still one fixed order


def clean_labels(
    raw: Iterable[Any], axis: Axis, where: Callable[[int], str] = lambda i: f"position {i}"
) -> tuple[Label, ...]:
    """Turn raw labels into the labels of an axis, in the given order; refuse empty and repeated ones.

    Replications become integers if all of them are whole numbers; everything else becomes text.
    `where` names the place of the i-th label in a message.
    """
    raw = list(raw)
    empty = [i for i, label in enumerate(raw) if is_missing_label(label)]
    if empty:
        raise LabelError(f"The {axis} label is empty at {where(empty[0])}. Give every {axis} a name.")
    labels: list[Label]
    if axis == "replication" and all(_is_whole(label) for label in raw):
        labels = [int(label) for label in raw]
    else:
        labels = [_text(label) for label in raw]
    first: dict[Label, int] = {}
    for i, label in enumerate(labels):
        if label in first:
            j = first[label]
            names = repr(raw[j]) if raw[j] == raw[i] else f"{raw[j]!r} and {raw[i]!r}"
            raise LabelError(
                f"The {axis} {label!r} is given twice, as {names} at {where(j)} and {where(i)}. "
                f"Rename or remove one of them."
            )
        first[label] = i
    return tuple(labels)


def positions(known: Sequence[Label], wanted: object, axis: Axis) -> list[int]:
    """Find the positions of one label or of several; an unknown one is an error that suggests its neighbour."""
    asked = [wanted] if _is_scalar(wanted) else list(wanted)  # type: ignore[call-overload]
    place = {label: i for i, label in enumerate(known)}
    place.update({str(label): i for i, label in enumerate(known)})
    found, unknown = [], []
    for label in asked:
        key = label if label in place else str(label)
        if key in place:
            found.append(place[key])
        else:
            unknown.append(label)
    if unknown:
        close = difflib.get_close_matches(str(unknown[0]), [str(k) for k in known], n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        raise LabelError(
            f"`{PLURAL[axis]}` names {listing(unknown)}, not in these results{hint} "
            f"The {PLURAL[axis]} are {listing(known, most=12)}."
        )
    if not found:
        raise LabelError(f"`{PLURAL[axis]}` is empty; name at least one of {listing(known, most=12)}.")
    repeated = [label for i, label in enumerate(asked) if found[i] in found[:i]]
    if repeated:
        raise LabelError(f"`{PLURAL[axis]}` names {listing(repeated)} twice; name each once.")
    return found


def is_missing_label(label: Any) -> bool:
    """Tell whether a raw label is None, NaN or blank text."""
    if label is None:
        return True
    if isinstance(label, str):
        return not label.strip()
    try:
        return bool(label != label)
    except (TypeError, ValueError):  # pandas.NA refuses to be a bool
        return True


def _is_scalar(wanted: object) -> bool:
    return isinstance(wanted, str) or not isinstance(wanted, Iterable)


def _is_whole(label: Any) -> bool:
    if isinstance(label, bool | np.bool_):
        return False
    if isinstance(label, int | np.integer):
        return True
    if isinstance(label, float | np.floating):
        return float(label).is_integer()
    return isinstance(label, str) and re.fullmatch(r"\s*-?\d+\s*", label) is not None


def _text(label: Any) -> str:
    if isinstance(label, float | np.floating) and float(label).is_integer():
        return str(int(label))
    return str(label).strip()
