"""A binary relation on named algorithms: its matrix, the pairs in it, its properties and its algebra."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

import numpy as np
import pandas as pd

from podium.analysis.preference.algebra import closure, reduction
from podium.analysis.preference.checking import aligned_matrix, as_incidence, check_algorithms, positions
from podium.analysis.preference.properties import (
    VIOLATIONS,
    Check,
    Kind,
    Property,
    check_property,
    has_property,
    is_kind,
    kinds_of,
)
from podium.arrays import BoolArray, IntArray
from podium.checks import expect
from podium.errors import InputError


@dataclass(frozen=True, eq=False, repr=False)
class BinaryRelation:
    """What `Relation` stands on: any relation, read by its diagonal as strict or as weak."""

    incidence: BoolArray
    algorithms: tuple[str, ...]

    def __post_init__(self) -> None:
        names = check_algorithms(self.algorithms)
        object.__setattr__(self, "algorithms", names)
        object.__setattr__(self, "incidence", as_incidence(self.incidence, len(names)))

    # How the pairs are related

    @property
    def reading(self) -> Literal["strict", "weak"]:
        """``"weak"`` if the relation is reflexive, else ``"strict"``."""
        return "weak" if self.incidence.diagonal().all() else "strict"

    @cached_property
    def better(self) -> BoolArray:
        """Which algorithms are better than which: the asymmetric part."""
        return self.incidence & ~self.incidence.T

    @cached_property
    def incomparable(self) -> BoolArray:
        """Which pairs a weak relation says nothing about; none for a strict one."""
        if self.reading == "strict":
            return np.zeros_like(self.incidence)
        return ~(self.incidence | self.incidence.T)

    @cached_property
    def indifferent(self) -> BoolArray:
        """Which pairs are equal in value; every algorithm is to itself."""
        return ~(self.better | self.better.T | self.incomparable)

    def prefers(self, a: str, b: str) -> bool:
        """Whether a is better than b."""
        i, j = self.positions([a, b])
        return bool(self.better[i, j])

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """All (a, b) with a better than b, in the order of the algorithms."""
        return tuple((self.algorithms[i], self.algorithms[j]) for i, j in np.argwhere(self.better))

    # What it satisfies

    @property
    def properties(self) -> dict[Property, bool]:
        """Every property, and whether the relation has it."""
        return {name: has_property(name, self.incidence) for name in VIOLATIONS}

    def has(self, name: Property) -> bool:
        """Whether the relation has a property: ``"transitive"``, ``"complete"``, ..."""
        return self.check(name, most=0).holds

    def check(self, name: Property, most: int = 3) -> Check:
        """Test a property and, where it fails, name the algorithms that break it.

        Parameters
        ----------
        name : str
            ``"reflexive"``, ``"irreflexive"``, ``"symmetric"``, ``"asymmetric"``, ``"antisymmetric"``, ``"complete"``
            (of two different algorithms one is related to the other), ``"transitive"``, ``"negatively transitive"``,
            ``"trichotomous"`` (exactly one of i R j, i = j, j R i), ``"Ferrers"`` or ``"semitransitive"``.
        most : int, default 3
            How many witnesses to name.

        Examples
        --------
        >>> from podium import Relation
        >>> print(Relation.from_estimates({"a": 0.1, "b": 0.2, "c": 0.3}, epsilon=0.1).check("negatively transitive"))
        not negatively transitive: neither 'a' R 'b' nor 'b' R 'c', but 'a' R 'c'
        """
        return check_property(name, self.incidence, self.algorithms, most)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """All kinds the relation belongs to, narrow to wide.

        A "strict" kind has an empty diagonal, the kind of the same name without the word a full one.
        """
        return kinds_of(self.incidence)

    @property
    def kind(self) -> Kind | Literal["relation"]:
        """The narrowest kind, or ``"relation"``."""
        return next(iter(self.kinds), "relation")

    def is_a(self, kind: str) -> bool:
        """Whether the relation is of a kind; ``"linear order"`` also takes a strict one, and so on."""
        return is_kind(kind, self.incidence)

    # Other readings, and parts

    def as_strict(self) -> Self:
        """Return the strict preferences alone, as a strict relation."""
        return self._with(self.better)

    def as_weak(self) -> Self:
        """Return "at least as good as": reflexive, and indifferent pairs related both ways."""
        return self._with(self.better | self.indifferent)

    def asymmetric_part(self) -> Self:
        """Pairs related one way only."""
        return self._with(self.better)

    def symmetric_part(self) -> Self:
        """Pairs related both ways."""
        return self._with(self.incidence & self.incidence.T)

    def dual(self) -> Self:
        """Turn the relation round: the best become the worst."""
        return self._with(self.incidence.T)

    def complement(self) -> Self:
        """Relate exactly the pairs that were not related."""
        return self._with(~self.incidence)

    def union(self, other: BinaryRelation) -> Self:
        """Pairs in one of both."""
        return self._with(self.incidence | aligned_matrix(expect(other, BinaryRelation, "other"), self.algorithms))

    def intersection(self, other: BinaryRelation) -> Self:
        """Pairs in both."""
        return self._with(self.incidence & aligned_matrix(expect(other, BinaryRelation, "other"), self.algorithms))

    def transitive_closure(self) -> Self:
        """Smallest transitive relation that holds this one."""
        return self._with(closure(self.incidence))

    def transitive_reduction(self) -> Self:
        """Return the pairs with nothing between them; the closure brings the others back.

        With cycles (or classes of indifferent algorithms in a weak relation) each is kept as one cycle. The
        diagonal stays.
        """
        by_name = np.argsort(np.array(self.algorithms))
        small = np.zeros_like(self.incidence)
        small[np.ix_(by_name, by_name)] = reduction(self.incidence[np.ix_(by_name, by_name)])
        return self._with(small | np.diag(self.incidence.diagonal()))

    def restrict(self, algorithms: Iterable[str]) -> Self:
        """Take some of the algorithms, in the order given."""
        at = self.positions(algorithms)
        return type(self)(self.incidence[np.ix_(at, at)], tuple(self.algorithms[i] for i in at))

    def rename(self, names: Mapping[str, str]) -> Self:
        """Give algorithms new names, old to new."""
        if not isinstance(names, Mapping):
            raise InputError(f"`names` must be a mapping from old to new names; got a {type(names).__name__}.")
        self.positions(names)
        return type(self)(self.incidence, tuple(names.get(name, name) for name in self.algorithms))

    # Tables, labels, comparison

    def frame(self) -> pd.DataFrame:
        """Return the incidence matrix as 0 and 1 with names."""
        names = list(self.algorithms)
        return pd.DataFrame(self.incidence.astype(int), index=names, columns=names)

    def positions(self, algorithms: Iterable[str]) -> list[int]:
        """Positions of algorithms; unknown ones are refused."""
        return positions(self.algorithms, algorithms)

    def _names(self, chosen: IntArray) -> tuple[str, ...]:
        return tuple(sorted(self.algorithms[i] for i in chosen))

    def _with(self, incidence: BoolArray) -> Self:
        return type(self)(incidence, self.algorithms)

    def __len__(self) -> int:
        return len(self.algorithms)

    __or__ = union
    __and__ = intersection
    __invert__ = complement

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BinaryRelation):
            return NotImplemented
        if set(self.algorithms) != set(other.algorithms):
            return False
        return np.array_equal(self.incidence, other.restrict(self.algorithms).incidence)

    def __hash__(self) -> int:
        ordered = self.restrict(sorted(self.algorithms))
        return hash((ordered.algorithms, ordered.incidence.tobytes()))
