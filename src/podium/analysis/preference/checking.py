"""Checks of what a relation is made from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from podium.analysis.preference.algebra import is_acyclic, shortest_cycle
from podium.arrays import BoolArray
from podium.errors import InputError, LabelError, listing


class Labelled(Protocol):
    """Anything with an incidence matrix and names."""

    @property
    def incidence(self) -> BoolArray:
        """Return the matrix."""
        ...

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Return the names."""
        ...


def check_algorithms(algorithms: Iterable[object]) -> tuple[str, ...]:
    """Refuse no names, names that are no text, and names given twice."""
    if isinstance(algorithms, str):
        raise InputError(f"`algorithms` must be several names, such as ['svm', 'knn']; got the text {algorithms!r}.")
    names = tuple(algorithms)
    if not names:
        raise InputError("`algorithms` is empty: a relation needs at least one algorithm.")
    odd = [name for name in names if not isinstance(name, str) or not name]
    if odd:
        raise InputError(f"`algorithms` must be names; got {listing(odd)}.")
    twice = sorted({str(name) for name in names if names.count(name) > 1})
    if twice:
        raise LabelError(f"`algorithms` must be different; {listing(twice)} is given twice.")
    return names  # type: ignore[return-value]


def as_incidence(matrix: npt.ArrayLike, size: int) -> BoolArray:
    """Take a square matrix of 0 and 1 and lock it."""
    given = np.asarray(matrix)
    if given.shape != (size, size):
        raise InputError(
            f"The incidence matrix must have a row and a column for each of the {size} algorithms; "
            f"got shape {given.shape}."
        )
    if given.dtype != np.bool_ and not np.isin(given, (0, 1)).all():
        culprits = np.unique(given[~np.isin(given, (0, 1))]).tolist()
        raise InputError(f"The incidence matrix must hold 0 and 1 only; got {listing(culprits)}.")
    locked = given.astype(np.bool_)  # a copy: nobody else can change it
    locked.flags.writeable = False
    return locked


def positions(known: Sequence[str], wanted: Iterable[str]) -> list[int]:
    """Positions of names among the known ones."""
    where = {name: i for i, name in enumerate(known)}
    if isinstance(wanted, str) or not isinstance(wanted, Iterable):
        raise InputError(f"`algorithms` must be several names, such as {list(known[:2])}; got {wanted!r:.60}.")
    names = [str(name) for name in wanted]
    unknown = [name for name in names if name not in where]
    if unknown:
        raise LabelError(f"There is no algorithm {listing(unknown)}; there are {listing(known, most=12)}.")
    return [where[name] for name in names]


def aligned_matrix(other: Labelled, algorithms: tuple[str, ...]) -> BoolArray:
    """Return the matrix of another relation in this order of the algorithms; other algorithms are refused."""
    if set(other.algorithms) != set(algorithms):
        raise LabelError(
            f"Both relations must be on the same algorithms; only in the one: "
            f"{listing(sorted(set(algorithms) - set(other.algorithms))) or 'none'}; only in the other: "
            f"{listing(sorted(set(other.algorithms) - set(algorithms))) or 'none'}. Use `restrict`."
        )
    at = positions(other.algorithms, algorithms)
    return other.incidence[np.ix_(at, at)]


def refuse_cycle(better: BoolArray, algorithms: Sequence[str], what: str) -> None:
    """Refuse strict preferences that go round in a circle."""
    if not is_acyclic(better):
        cycle = shortest_cycle(better)
        circle = " < ".join(algorithms[i] for i in [*cycle, cycle[0]])
        raise InputError(
            f"A relation whose strict preferences go round in a circle has no {what}: {circle}. "
            f"Use its `transitive_closure()`, or a consensus that breaks the circle."
        )
