"""Checks of arguments that many analyses share, with the nearest known name where one was mistyped."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np

from podium.errors import InputError


def did_you_mean(word: object, known: Iterable[object]) -> str:
    """Ask, as the last sentence of a message, for the nearest known name; empty where none is near.

    >>> did_you_mean("Nemenji", ["wnmt", "nemenyi"])
    " Did you mean 'nemenyi'?"
    >>> did_you_mean(5, ["wnmt", "nemenyi"])
    ''
    """
    if not isinstance(word, str):
        return ""
    names = {str(name).lower(): name for name in known}
    close = difflib.get_close_matches(word.strip().lower().replace("_", "-"), names, n=1)
    return f" Did you mean {names[close[0]]!r}?" if close else ""


def is_number(thing: object) -> bool:
    """Whether something is a real number and no truth value."""
    return isinstance(thing, Real) and not isinstance(thing, bool | np.bool_)


def random_generator(seed: Any) -> np.random.Generator:
    """Make a generator of random numbers; refuse what is no seed."""
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError):
        raise InputError(f"`seed` must be a whole number of at least 0; got {seed!r}.") from None
