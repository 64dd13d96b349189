"""`PairOutcome` and `Structure`: what a pairwise test gives back, and what it may know of the replications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self, TypeAlias

import numpy as np

from podium.analysis.notes import Note
from podium.arrays import AnyArray, BoolArray, FloatArray, Int64Array, IntArray

Tail: TypeAlias = Literal["two-sided", "less", "greater"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """What is known of the replications behind paired values, one entry per value; None where unknown.

    Attributes
    ----------
    repeat, fold : ndarray of int or None
        Which repeat and which fold of a (repeated) cross-validation.
    n_learn, n_test : ndarray of int or None
        Sizes of the learning and of the test sample.
    independent : ndarray of int or None
        1 where the samples were drawn afresh, and share no example with those of other replications.
    """

    repeat: Int64Array | None = None
    fold: Int64Array | None = None
    n_learn: Int64Array | None = None
    n_test: Int64Array | None = None
    independent: Int64Array | None = None

    @property
    def drawn_afresh(self) -> bool:
        """Whether replications are known to be independent of each other."""
        return self.independent is not None and bool((self.independent == 1).all())

    @classmethod
    def of(cls, known: Mapping[str, Int64Array]) -> Self:
        """Take over what a `Results` knows; a field with an unknown entry (-1) counts as unknown."""
        return cls(**{name: array for name, array in known.items() if array.size and (array >= 0).all()})

    def take(self, kept: BoolArray) -> Structure:
        """Keep the entries of some values."""
        known = {f.name: getattr(self, f.name) for f in fields(self)}
        return Structure(**{name: None if array is None else array[kept] for name, array in known.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOutcome:
    """Outcome of one test for P pairs; all arrays have P entries, and differences are a - b.

    Attributes
    ----------
    estimate : ndarray
        Estimated difference; where it is not 0, its sign is the direction of the test.
    statistic : ndarray
        Of the same sign as the estimate, if it is `signed`.
    less, greater, two_sided : ndarray
        P-values against a < b, a > b and a ≠ b.
    lower, upper : ndarray
        Interval of the difference in the terms of the values, at the level asked for; NaN if none was wanted.
    df : ndarray or None
        Degrees of freedom.
    estimand : str
        What is estimated, where it is not what the test estimates as a rule.
    in_units : bool
        Whether the estimate is in the units of the values; the interval always is.
    signed : bool
        Whether the statistic has a sign.
    details : mapping
        Further arrays with P entries, and facts.
    notes : tuple of Note
    """

    estimate: FloatArray
    statistic: FloatArray
    less: FloatArray
    greater: FloatArray
    two_sided: FloatArray
    lower: FloatArray
    upper: FloatArray
    df: FloatArray | None = None
    estimand: str = ""
    in_units: bool = True
    signed: bool = True
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def pvalue(self, alternative: Tail) -> FloatArray:
        """P-values against one alternative."""
        return {"two-sided": self.two_sided, "less": self.less, "greater": self.greater}[alternative]

    @classmethod
    def concatenate(cls, parts: Sequence[PairOutcome]) -> PairOutcome:
        """Put the outcomes of several lots of pairs one after the other."""
        joined: dict[str, Any] = {
            f.name: np.concatenate([getattr(part, f.name) for part in parts])
            for f in fields(cls)
            if isinstance(getattr(parts[0], f.name), np.ndarray)
        }
        details = {
            name: np.concatenate([part.details[name] for part in parts]) if isinstance(value, np.ndarray) else value
            for name, value in parts[0].details.items()
        }
        return replace(
            parts[0], **joined, details=details, notes=tuple(dict.fromkeys(n for p in parts for n in p.notes))
        )

    def spread(self, positions: IntArray, pairs: int) -> PairOutcome:
        """Put the outcomes at some positions of `pairs`, with NaN (not tested) at the others."""

        def place(array: AnyArray) -> FloatArray:
            placed = np.full(pairs, np.nan)
            placed[positions] = array
            return placed

        known = {f.name: getattr(self, f.name) for f in fields(self)}
        arrays: dict[str, Any] = {name: place(v) for name, v in known.items() if isinstance(v, np.ndarray)}
        details = {name: place(v) if isinstance(v, np.ndarray) else v for name, v in self.details.items()}
        return replace(self, **arrays, details=details)


def two_sided_from(less: FloatArray, greater: FloatArray) -> FloatArray:
    """Twice the smaller one-sided p-value, at most 1."""
    p: FloatArray = np.minimum(1.0, 2 * np.minimum(less, greater))
    return p
