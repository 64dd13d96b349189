"""The classes of relations in which a consensus is sought, by the states that they allow a pair of algorithms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from podium.analysis.relation import Relation
from podium.analysis.relation.algebra import with_diagonal
from podium.arrays import BoolArray
from podium.checks import check_choice

ConsensusKind: TypeAlias = Literal["linear", "weak", "partial", "preorder", "equivalence", "tournament"]
Reading: TypeAlias = Literal["strict", "weak"]

# States of a pair i, j: i before j, j before i, both ways, neither way; with their values of (x_ij, x_ji).
STATES = ((1, 0), (0, 1), (1, 1), (0, 0))
FIRST, SECOND, BOTH, NEITHER = range(4)


@dataclass(frozen=True)
class RelationClass:
    """What a class of relations allows.

    Attributes
    ----------
    states : tuple of int
        States that a pair may be in.
    transitive : bool
    reading : {"strict", "weak"}
        How voters are read by default.
    returned : {"strict", "weak"}
        How the relations found are returned.
    description : str
    """

    states: tuple[int, ...]
    transitive: bool
    reading: Reading
    returned: Reading
    description: str

    def relation(self, solution: BoolArray, algorithms: tuple[str, ...]) -> Relation:
        """Make a relation of the class from a solution, a matrix without a diagonal."""
        return Relation(solution & ~solution.T if self.returned == "strict" else with_diagonal(solution), algorithms)


CLASSES: dict[ConsensusKind, RelationClass] = {
    "linear": RelationClass((FIRST, SECOND), True, "weak", "strict", "linear order"),
    "weak": RelationClass((FIRST, SECOND, BOTH), True, "weak", "strict", "weak order"),
    "partial": RelationClass((FIRST, SECOND, NEITHER), True, "strict", "strict", "partial order"),
    "preorder": RelationClass((FIRST, SECOND, BOTH, NEITHER), True, "weak", "weak", "preorder"),
    "equivalence": RelationClass((BOTH, NEITHER), True, "weak", "weak", "equivalence"),
    "tournament": RelationClass((FIRST, SECOND), False, "weak", "strict", "tournament"),
}


def find_class(kind: str, argument: str = "kind") -> RelationClass:
    """Find a class by its name."""
    check_choice(kind, CLASSES, argument)
    return CLASSES[kind]  # type: ignore[index]


def find_reading(reading: str | None, wanted: RelationClass) -> Reading:
    """Return the requested reading, or the default of the class."""
    if reading is None:
        return wanted.reading
    check_choice(reading, ("strict", "weak", None), "reading")
    return reading  # type: ignore[return-value]
