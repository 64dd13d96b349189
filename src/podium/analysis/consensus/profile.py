"""An ensemble of relations with weights: the voters of a consensus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.analysis.consensus.relation_classes import Reading
from podium.analysis.relation import Relation
from podium.arrays import BoolArray, FloatArray
from podium.checks import as_numbers, check_choice, conversion_hint, describe, did_you_mean
from podium.errors import InputError, LabelError, join_names
from podium.results import Results

Ensemble: TypeAlias = "Mapping[str, Relation] | Sequence[Relation]"
Weights: TypeAlias = "Mapping[str, float] | Sequence[float] | npt.ArrayLike | None"

FINEST = 1000  # finer weights are not turned into whole numbers


@dataclass(frozen=True, eq=False)
class Profile:
    """Voters, each of which ranks all of the algorithms or some of them.

    Attributes
    ----------
    voters : tuple of str
        Names of the relations; numbers from 1 if they have none.
    relations : tuple of Relation
        With the algorithms in the same order, each with those that it ranks.
    weights : ndarray of float
    algorithms : tuple of str
        Sorted by name, so that nothing depends on the order in which they are given.
    """

    voters: tuple[str, ...]
    relations: tuple[Relation, ...]
    weights: FloatArray
    algorithms: tuple[str, ...]

    def matrices(self, reading: Reading) -> BoolArray:
        """Incidence matrices of the voters, V × K × K, read as strict or as weak; the diagonal is left out."""
        k = len(self.algorithms)
        stack = np.zeros((len(self.relations), k, k), bool)
        for matrix, relation, ranked in zip(stack, self.relations, self.ranked, strict=True):
            related = relation.better if reading == "strict" else ~relation.better.T & ~relation.incomparable
            matrix[np.ix_(ranked, ranked)] = related
        diagonal = np.arange(len(self.algorithms))
        stack[:, diagonal, diagonal] = False
        return stack

    @cached_property
    def ranked(self) -> BoolArray:
        """Which algorithms each voter ranks, V × K."""
        names = [set(relation.algorithms) for relation in self.relations]
        return np.array([[name in known for name in self.algorithms] for known in names], bool)

    @property
    def judged(self) -> BoolArray:
        """Which pairs each voter judges, V × K × K: those of two algorithms that it ranks."""
        return self.ranked[:, :, None] & self.ranked[:, None, :]

    @cached_property
    def support(self) -> FloatArray:
        """Weight of the voters for whom i is better than j, as a K × K array."""
        return np.tensordot(self.weights, self.matrices("strict"), axes=1)


def make_profile(relations: Ensemble, weights: Weights = None, missing: str = "raise") -> Profile:
    """Check an ensemble and its weights, and put the algorithms of all voters in the same order.

    With `missing` "available" the algorithms are those of any voter; otherwise all voters must rank the same.
    """
    check_choice(missing, ("raise", "available"), "missing")
    voters, listed = _named(relations)
    if missing == "available":
        algorithms = tuple(sorted({name for relation in listed for name in relation.algorithms}))
        aligned = tuple(relation.restrict(sorted(relation.algorithms)) for relation in listed)
        return Profile(voters, aligned, parse_weights(weights, voters), algorithms)
    algorithms = tuple(sorted(listed[0].algorithms))
    for voter, relation in zip(voters, listed, strict=True):
        if set(relation.algorithms) != set(algorithms):
            lacking = sorted(set(algorithms) - set(relation.algorithms))
            extra = sorted(set(relation.algorithms) - set(algorithms))
            raise LabelError(
                f"`relations` must be on the same algorithms; relation {voter} differs from relation {voters[0]}: "
                f"missing {join_names(lacking) or 'none'}, additional {join_names(extra) or 'none'}. Use `restrict`, "
                "or in `consensus` and `majority` missing='available', which counts each voter for the algorithms it "
                "is on."
            )
    aligned = tuple(relation.restrict(algorithms) for relation in listed)
    return Profile(voters, aligned, parse_weights(weights, voters), algorithms)


def _named(relations: Ensemble) -> tuple[tuple[str, ...], list[Relation]]:
    if isinstance(relations, Relation):
        raise InputError("`relations` must be several relations; got one. Put it into a list.")
    given: Any = relations  # not only what the types allow
    if isinstance(given, str | pd.DataFrame | np.ndarray) or not isinstance(given, Mapping | Iterable):
        raise InputError(f"`relations` must be several relations; got {describe(given)}. {_way_to_several(given)}")
    if isinstance(relations, Mapping):
        voters, listed = tuple(str(name) for name in relations), list(relations.values())
    else:
        listed = list(relations)
        voters = tuple(str(i + 1) for i in range(len(listed)))
    if not listed:
        raise InputError("`relations` is empty: a consensus needs at least one relation.")
    odd: list[Any] = [r for r in listed if not isinstance(r, Relation)]
    if odd:
        kinds = join_names(sorted({type(r).__name__ for r in odd}), quote=False)
        raise InputError(
            f"`relations` must be podium.Relation objects; got {kinds}. {conversion_hint(odd[0], Relation)}"
        )
    return voters, listed


def _way_to_several(thing: object) -> str:
    if isinstance(thing, Results):
        return "Use podium.relations.preferences(results): one relation per data set, or per measure."
    return f"Give a list or a dict of relations. {conversion_hint(thing, Relation)}"


def parse_weights(weights: Weights, voters: Sequence[str]) -> FloatArray:
    """Take one weight per voter, by position or by name; 1 for those not named."""
    if weights is None:
        return np.ones(len(voters))
    if isinstance(weights, Mapping):
        unknown = [name for name in weights if name not in voters]
        if unknown:
            raise LabelError(
                f"`weights` names {join_names(unknown)}; the relations are "
                f"{join_names(voters, most=12)}.{did_you_mean(unknown[0], voters)}"
            )
        weights = [weights.get(voter, 1.0) for voter in voters]
    numbers = as_numbers(weights, "weights")
    if numbers.shape != (len(voters),):
        raise InputError(
            f"`weights` must hold one number for each of the {len(voters)} relations; got shape {numbers.shape}."
        )
    if not (np.isfinite(numbers).all() and (numbers >= 0).all() and numbers.any()):
        raise InputError(
            f"`weights` must be numbers of at least 0, not all of them 0; got {join_names(numbers.tolist(), most=8)}."
        )
    return numbers


def whole_weights(weights: FloatArray) -> tuple[FloatArray, float] | None:
    """Weights as whole numbers and the factor that makes them so (1, 2, ..., 1000), or None.

    With whole numbers, values of the criterion can be compared exactly and bounds can be rounded up.
    """
    if np.array_equal(weights, np.round(weights)):
        return weights, 1.0
    scaled = np.outer(np.arange(1, FINEST + 1), weights)
    off = np.abs(scaled - np.round(scaled)).max(axis=1)
    whole = off <= 1e-15 * np.maximum(scaled.max(axis=1), 1.0)
    if not whole.any():
        return None
    first = int(whole.argmax())
    return np.round(scaled[first]), float(first + 1)
