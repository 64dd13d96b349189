"""What to say of a name that is not known: the nearest one that is."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from podium.errors import InputError, LabelError, listing


def nearest(word: object, known: Iterable[str]) -> str:
    """Write the end of a sentence: the nearest known name as a question, or a full stop.

    >>> nearest("bootsrap", ["bootstrap", "holdout"])
    "; did you mean 'bootstrap'?"
    >>> nearest("xyz", ["bootstrap", "holdout"])
    '.'
    """
    names = {name.lower(): name for name in known}
    close = difflib.get_close_matches(str(word).lower(), names, n=1)
    return f"; did you mean {names[close[0]]!r}?" if close else "."


def check_keys(mapping: Mapping[str, object], known: Iterable[str], owner: str, noun: str = "parameter") -> None:
    """Refuse a key that is not known; `owner` says in the message what has the known ones."""
    names = list(known)
    for key in mapping:
        if key not in names:
            has = f"It has {listing(names, most=20)}." if names else f"It has no {noun}s."
            raise LabelError(f"{owner} has no {noun} {key!r}{nearest(key, names)} {has}")


def check_mapping(value: object, owner: str) -> Mapping[str, object]:
    """Refuse what is no mapping from names."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise InputError(f"{owner} must be a mapping from names to values; got {value!r}.")
    return value
