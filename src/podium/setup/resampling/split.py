"""`Split` and `Resampling`: what every scheme gives and promises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import pandas as pd

from podium.errors import InputError
from podium.setup.dataset import Dataset, Indices

UNKNOWN = -1


@dataclass(frozen=True, eq=False, slots=True)
class Split:
    """Positions of one learning sample and its test sample in a data set.

    Attributes
    ----------
    learn, test : ndarray of int
        Positions; a bootstrap sample has some of them more than once.
    repeat, fold : int
        Place in a cross-validation, counted from 1; -1 where the scheme has none.
    """

    learn: Indices
    test: Indices
    repeat: int = UNKNOWN
    fold: int = UNKNOWN


@runtime_checkable
class Resampling(Protocol):
    """A scheme that draws the learning and test sample of each replication of a data set.

    A split depends on the scheme, the data set, the replication and the seed, on nothing else; replications count
    from 1 to `replications`.
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
    if not 1 <= replication <= replications:
        raise InputError(f"`replication` must lie between 1 and {replications}; got {replication!r}.")


def check_count(argument: str, value: int, least: int) -> None:
    """Refuse a count that is no whole number or too small."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InputError(f"`{argument}` must be a whole number, {least} or greater; got {value!r}.")


def check_fraction(argument: str, value: float) -> None:
    """Refuse a fraction outside (0, 1)."""
    if not 0 < value < 1:
        raise InputError(f"`{argument}` must lie between 0 and 1; got {value!r}.")


def strata_of(dataset: Dataset, stratify: bool) -> Indices:
    """Code the class of each observation; all zero where nothing is stratified."""
    if not stratify:
        return np.zeros(len(dataset), np.intp)
    if dataset.y is None or dataset.task != "classification":
        raise InputError(
            f"`stratify=True` needs classes, and {dataset.name!r} is a {dataset.task} task. Use stratify=False."
        )
    return np.asarray(pd.Categorical(dataset.y).codes, np.intp)
