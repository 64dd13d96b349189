"""Labels of the four axes: how they are cleaned, ordered and looked up."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from podium.checks import did_you_mean, is_collection, shown
from podium.errors import LabelError, join_names

Axis: TypeAlias = Literal["dataset", "replication", "algorithm", "measure"]
AXES: tuple[Axis, ...] = get_args(Axis)
Label: TypeAlias = str | int

PLURAL: dict[Axis, str] = {
    "dataset": "datasets",
    "replication": "replications",
    "algorithm": "algorithms",
    "measure": "measures",
}


def noun(axis: str) -> str:
    """Name what lies on an axis, in prose."""
    return "data set" if axis == "dataset" else axis


# "3" and "3.0" are the number 3; "03" is a name. Longer numbers would not fit into 64 bits.
_WHOLE = re.compile(r"(0|-?[1-9][0-9]{0,17})(?:\.0+)?")


LONGEST_LABEL = 1000  # characters


def natural_key(label: Label) -> tuple[tuple[int, int, str], ...]:
    """Sort key that puts ``"ds2"`` before ``"ds10"``, ``"ds"`` before both, and numbers before words.

    >>> sorted(["ds10", "ds2", "ds", "7"], key=natural_key)
    ['7', 'ds', 'ds2', 'ds10']
    """
    if isinstance(label, int):
        return ((0, label, ""),)
    parts = re.split(r"([0-9]+)", label)
    folded = tuple((0, int(p), "") if p[0] in "0123456789" else (1, 0, p.casefold()) for p in parts if p)
    return (*folded, (-1, 0, label))  # equal but for case or leading zeros: still one fixed order


def clean_labels(
    raw: Iterable[Any], axis: Axis, where: Callable[[int], str] = lambda i: f"at position {i}"
) -> tuple[Label, ...]:
    """Turn raw labels into the labels of an axis, in the given order; refuse empty and repeated ones.

    Replications become integers if all of them are whole numbers; every other label becomes text without surrounding
    blanks. Labels that look alike, because they differ only in blanks or in how an accent is encoded, count as
    repeated. `where` names the place of the i-th label in a message.

    >>> clean_labels([1.0, "2"], "replication"), clean_labels([1.0, "b "], "dataset")
    ((1, 2), ('1', 'b'))
    """
    given = list(raw)
    if all(_is_clean(label, axis) for label in given) and len(set(given)) == len(given):
        return tuple(given)
    for i, label in enumerate(given):
        if is_missing(label):
            raise LabelError(f"The {noun(axis)} label is empty {where(i)}. Give every {noun(axis)} a name.")
        if not is_label(label):
            raise LabelError(f"The {noun(axis)} label must be text or a number; got {shown(label)} {where(i)}.")
        if (isinstance(label, str) and len(label) > LONGEST_LABEL) or (
            isinstance(label, int) and label.bit_length() > 3 * LONGEST_LABEL
        ):
            raise LabelError(
                f"The {noun(axis)} label {where(i)} has more than {LONGEST_LABEL:,} characters. Shorten it."
            )
    labels: list[Label] | None = None
    if axis == "replication":
        labels = _whole_numbers(given)
    if labels is None:
        labels = [_text(label) for label in given]
    first: dict[str, int] = {}
    for i, label in enumerate(labels):
        j = first.setdefault(_look(label), i)
        if j != i:
            one, two = shown(given[j]), shown(given[i])
            if one != two and unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", two):
                one, two = ascii(given[j]), ascii(given[i])  # they look alike: show how they are encoded
            raise LabelError(
                f"The {noun(axis)} {labels[j]!r} is given twice: {one} {where(j)} and {two} {where(i)}. "
                "Rename or remove one of them."
            )
    return tuple(labels)


def _is_clean(label: Any, axis: Axis) -> bool:
    """Return whether a label plainly stays as it is, and looks like no other one; others are looked at closely."""
    if axis == "replication":
        return type(label) is int and abs(label) < 10**18
    return (
        type(label) is str
        and 0 < len(label) <= LONGEST_LABEL
        and label.isascii()
        and (label.isalnum() or _look(label) == label)
    )


def positions(known: Sequence[Label], wanted: object, axis: Axis, argument: str) -> list[int]:
    """Find the positions of one label or of several; an unknown one is an error that suggests a similar one.

    `argument` is the name under which the labels were given.
    """
    labels = one_or_several(wanted)
    texts = [_text(label) if is_label(label) else "" for label in labels]
    place: dict[str, int] = {str(label): i for i, label in enumerate(known)}
    unknown = [i for i, text in enumerate(texts) if text not in place]
    if unknown:
        raise LabelError(
            f"`{argument}` names {join_names([shown(labels[i]) for i in unknown], quote=False)}, which these results "
            f"do not contain. {_there_are(known, axis)}{did_you_mean(texts[unknown[0]], known)}"
        )
    if not labels:
        raise LabelError(f"`{argument}` is empty; name at least one of {join_names(known, most=12)}.")
    repeated = [shown(label) for i, label in enumerate(labels) if texts[i] in texts[:i]]
    if repeated:
        raise LabelError(f"`{argument}` names {join_names(repeated, quote=False)} twice; name each once.")
    return [place[text] for text in texts]


def _there_are(known: Sequence[Label], axis: Axis) -> str:
    """List the labels of an axis, in a sentence."""
    if len(known) == 1:
        return f"There is one {noun(axis)}, {known[0]!r}."
    return f"The {noun(axis)}s are {join_names(known, most=12)}."


def one_or_several(wanted: Any) -> list[Any]:
    """Return one label, or an iterable of labels, as a list of labels."""
    if is_collection(wanted):
        return list(wanted)
    return [wanted.item() if isinstance(wanted, np.ndarray) else wanted]


def is_label(label: Any) -> bool:
    """Return whether something can be a label: it is hashable, and is, or can be written as, UTF-8 text."""
    if type(label) is int:
        return abs(label) < 10**100
    try:
        hash(label)
        text = str(label)
        text.encode()
    except Exception:  # a list, a faulty `__str__`, a lone surrogate
        return False
    return isinstance(label, str) or not text.startswith("<")


def is_missing(label: Any) -> bool:
    """Return whether a raw label or cell is None, NaN or blank text."""
    if label is None:
        return True
    if isinstance(label, str):
        return not label.strip()
    try:
        return bool(label != label)
    except (TypeError, ValueError):  # pandas.NA refuses to be a bool
        return True


def _whole_numbers(labels: Sequence[Any]) -> list[Label] | None:
    """Return the labels as integers, or None if one of them is not a whole number."""
    if all(type(label) is int and abs(label) < 10**18 for label in labels):
        return list(labels)
    numbers: list[Label] = []
    for label in labels:
        text = _WHOLE.fullmatch(_text(label))
        if text is None or isinstance(label, bool | np.bool_):
            return None
        numbers.append(int(text[1]))
    return numbers


def _text(label: Any) -> str:
    if isinstance(label, float | np.floating) and float(label).is_integer():
        return str(int(label))
    return str(label).strip()


def _look(label: Label) -> str:
    """Return what a reader sees of a label: runs of blanks as one, accents in one encoding."""
    return " ".join(unicodedata.normalize("NFC", str(label)).split())
