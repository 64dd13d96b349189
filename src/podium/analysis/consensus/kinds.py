"""The classes of relations a consensus may be looked for in, as states that a pair of algorithms can be in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from podium.analysis.preference import Relation
from podium.arrays import BoolArray
from podium.checks import did_you_mean
from podium.errors import InputError, listing

ConsensusKind: TypeAlias = Literal["linear", "weak", "partial", "preorder", "equivalence", "tournament"]
Reading: TypeAlias = Literal["strict", "weak"]

# States of a pair i, j: i before j, j before i, both ways, neither way; with their values of (x_ij, x_ji).
STATES = ((1, 0), (0, 1), (1, 1), (0, 0))
FIRST, SECOND, BOTH, NEITHER = range(4)


@dataclass(frozen=True)
class KindRule:
    """What a class of relations allows.

    Attributes
    ----------
    states : tuple of int
        States a pair may be in.
    transitive : bool
    reading : {"strict", "weak"}
        How voters are read if nobody says otherwise.
    returned : {"strict", "weak"}
        How the relations found are written.
    description : str
    """

    states: tuple[int, ...]
    transitive: bool
    reading: Reading
    returned: Reading
    description: str


RULES: dict[ConsensusKind, KindRule] = {
    "linear": KindRule((FIRST, SECOND), True, "weak", "strict", "linear order"),
    "weak": KindRule((FIRST, SECOND, BOTH), True, "weak", "strict", "weak order"),
    "partial": KindRule((FIRST, SECOND, NEITHER), True, "strict", "strict", "partial order"),
    "preorder": KindRule((FIRST, SECOND, BOTH, NEITHER), True, "weak", "weak", "preorder"),
    "equivalence": KindRule((BOTH, NEITHER), True, "weak", "weak", "equivalence"),
    "tournament": KindRule((FIRST, SECOND), False, "weak", "strict", "tournament"),
}


def parse_kind(kind: str) -> KindRule:
    """Find the rule of a class by its name."""
    if not isinstance(kind, str) or kind not in RULES:
        raise InputError(
            f"`kind` must be one of {listing(RULES, most=6)}; got {kind!r:.60}.{did_you_mean(kind, RULES)}"
        )
    return RULES[kind]


def parse_reading(reading: str | None, rule: KindRule) -> Reading:
    """Take the reading asked for, or the usual one of the class."""
    if reading is None:
        return rule.reading
    if reading not in ("strict", "weak"):
        raise InputError(f"`reading` must be 'strict', 'weak' or None (the usual one of the kind); got {reading!r}.")
    return reading  # type: ignore[return-value]


def as_relation(solution: BoolArray, rule: KindRule, algorithms: tuple[str, ...]) -> Relation:
    """Write a solution, a matrix with no diagonal, as a relation of its class."""
    if rule.returned == "strict":
        return Relation(solution & ~solution.T, algorithms)
    relation = solution.copy()
    relation[range(len(relation)), range(len(relation))] = True
    return Relation(relation, algorithms)
