"""`Split` and `Resampling`: what every scheme returns and guarantees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from podium.checks import check_call, check_count, expect, is_whole, shown
from podium.design.dataset import Dataset
from podium.design.sample import Indices, positions
from podium.design.spec.entry import check_fields, written_fraction
from podium.errors import InputError

UNKNOWN = -1


@check_call
@dataclass(frozen=True, eq=False, slots=True)
class Split:
    """Positions of one learning sample and its test sample in a data set.

    Attributes
    ----------
    learn, test : ndarray of int
        Positions, read-only. Those of the learning sample are in random order, because data sets are often sorted
        by class and some algorithms depend on the order; a bootstrap sample contains some of them more than once.
    repeat, fold : int
        Place in a cross-validation, counted from 1; -1 where the scheme has none.
    """

    learn: Indices
    test: Indices
    repeat: int = UNKNOWN
    fold: int = UNKNOWN

    def __post_init__(self) -> None:
        for sample in ("learn", "test"):
            rows = positions(getattr(self, sample), sample)
            rows.setflags(write=False)
            object.__setattr__(self, sample, rows)
        for place in ("repeat", "fold"):
            check_count(getattr(self, place), place, least=UNKNOWN)


@runtime_checkable
class Resampling(Protocol):
    """A scheme that draws the learning and test sample of each replication of a data set.

    A split depends only on the scheme, the data set, the replication and the seed. Replications are numbered from 1 to
    `replications`; a larger number of replications leaves the first ones unchanged.
    """

    @property
    def replications(self) -> int:
        """Number of replications."""
        ...

    @property
    def spec(self) -> Mapping[str, Any] | None:
        """The scheme as it is written in a design file; None if it has no file form."""
        ...

    def split(self, dataset: Dataset, replication: int, seed: int) -> Split:
        """Draw the samples of one replication."""
        ...

    def describe(self) -> str:
        """Describe the scheme in words that fit the sentence "Learning samples were drawn by ..."."""
        ...


@check_call
@dataclass(frozen=True)
class Scheme:
    """Base of podium's own schemes: the types of the fields say what is valid, and the fields make the file form."""

    scheme: ClassVar[str]

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def spec(self) -> Mapping[str, Any] | None:
        """The scheme as it is written in a design file."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {
            self.scheme: {
                name: written_fraction(value) if name == "fraction" else value
                for name, value in values.items()
                if value is not None and value is not False
            }
        }

    @classmethod
    def _other_options(cls) -> Mapping[str, tuple[str, ...]]:
        return {kind.__name__: options for kind, options in wider_schemes(cls).items()}

    def identified_by(self) -> tuple[Any, ...]:
        """Return what identifies the scheme: not the number of replications, since more do not change the first."""
        growing = ("replications", "repeats")
        return type(self), {f.name: getattr(self, f.name) for f in fields(self) if f.name not in growing}


def wider_schemes(scheme: type[Scheme]) -> dict[type[Scheme], tuple[str, ...]]:
    """Return the schemes that have all options of this one and more, with their options."""
    options = {kind: tuple(f.name for f in fields(kind)) for kind in Scheme.__subclasses__()}
    return {kind: names for kind, names in options.items() if set(options[scheme]) < set(names)}


def check_split(dataset: Dataset, replication: int, scheme: Resampling) -> None:
    """Refuse what is not a data set, and a replication that the scheme does not have."""
    expect(dataset, Dataset, "dataset")
    check_replication(replication, scheme.replications)


def check_replication(replication: int, replications: int) -> None:
    """Refuse a replication outside 1 ... B."""
    if not (is_whole(replication) and 1 <= replication <= replications):
        raise InputError(f"`replication` must be a whole number from 1 to {replications}; got {shown(replication)}.")


def strata_of(dataset: Dataset, stratify: bool) -> Indices:
    """Code the class of each observation; all zero without stratification."""
    if not stratify:
        return np.zeros(len(dataset), np.intp)
    if dataset.y is None or dataset.task != "classification":
        raise InputError(
            f"`stratify=True` needs classes, and the task of {dataset.name!r} is {dataset.task}. Use stratify=False."
        )
    return np.asarray(dataset.y.cat.codes, np.intp)
