"""`Split` and `Resampling`: what every scheme gives and promises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

import numpy as np

from podium.errors import InputError
from podium.setup.dataset import Dataset, Indices

UNKNOWN = -1


@dataclass(frozen=True, eq=False, slots=True)
class Split:
    """Positions of one learning sample and its test sample in a data set.

    Attributes
    ----------
    learn, test : ndarray of int
        Positions, read-only. Those of the learning sample come in random order, because data sets are often sorted
        by class and some algorithms mind the order; a bootstrap sample has some of them more than once.
    repeat, fold : int
        Place in a cross-validation, counted from 1; -1 where the scheme has none.
    """

    learn: Indices
    test: Indices
    repeat: int = UNKNOWN
    fold: int = UNKNOWN

    def __post_init__(self) -> None:
        for positions in (self.learn, self.test):
            positions.setflags(write=False)


@runtime_checkable
class Resampling(Protocol):
    """A scheme that draws the learning and test sample of each replication of a data set.

    A split depends on the scheme, the data set, the replication and the seed, on nothing else; replications count
    from 1 to `replications`, and asking for more of them leaves the first ones as they were.
    """

    @property
    def replications(self) -> int:
        """Number of replications."""
        ...

    @property
    def spec(self) -> Mapping[str, Any] | None:
        """The scheme as it is written in a file; None if it has no file form."""
        ...

    def split(self, dataset: Dataset, replication: int, seed: int) -> Split:
        """Draw the samples of one replication."""
        ...

    def describe(self) -> str:
        """Describe the scheme in words that fit the sentence "Learning samples were drawn by ..."."""
        ...


def check_replication(replication: int, replications: int) -> None:
    """Refuse a replication outside 1 ... B."""
    whole = isinstance(replication, int | np.integer) and not isinstance(replication, bool)
    if not (whole and 1 <= replication <= replications):
        raise InputError(f"`replication` must be a whole number from 1 to {replications}; got {replication!r}.")


def check_count(argument: str, value: int, least: int) -> None:
    """Refuse a count that is no whole number or too small."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InputError(f"`{argument}` must be a whole number, {least} or greater; got {value!r}.")


def check_fraction(argument: str, value: object) -> None:
    """Refuse a fraction outside (0, 1)."""
    if not isinstance(value, float | np.floating) or not 0 < value < 1:
        raise InputError(f"`{argument}` must be a number between 0 and 1; got {value!r}.")


def check_flag(argument: str, value: bool) -> None:
    """Refuse what is neither true nor false."""
    if not isinstance(value, bool):
        raise InputError(f"`{argument}` must be true or false; got {value!r}.")


def written_fraction(value: float) -> float | str:
    """Write a fraction so that it reads well and comes back exactly: 0.9, but 2/3.

    >>> written_fraction(0.9), written_fraction(2 / 3), written_fraction(0.123456789)
    (0.9, '2/3', 0.123456789)
    """
    ratio = Fraction(value).limit_denominator(100)
    if len(repr(float(value))) > 6 and float(ratio) == value:
        return f"{ratio.numerator}/{ratio.denominator}"
    return float(value)


def read_fraction(value: object) -> object:
    """Read a fraction as `written_fraction` writes it; what is no fraction comes back as it is.

    >>> read_fraction("2/3")
    0.6666666666666666
    """
    if not isinstance(value, str):
        return value
    try:
        return float(Fraction(value))
    except (ValueError, ZeroDivisionError):
        return value


def strata_of(dataset: Dataset, stratify: bool) -> Indices:
    """Code the class of each observation; all zero where nothing is stratified."""
    if not stratify:
        return np.zeros(len(dataset), np.intp)
    if dataset.y is None or dataset.task != "classification":
        raise InputError(
            f"`stratify=True` needs classes, and the task of {dataset.name!r} is {dataset.task}. Use stratify=False."
        )
    return np.asarray(dataset.y.cat.codes, np.intp)
