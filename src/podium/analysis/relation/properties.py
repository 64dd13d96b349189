"""Properties of relations, the kinds they define, and witnesses where a property fails."""

from __future__ import annotations

import functools
from collections.abc import Callable
from html import escape
from typing import Literal, TypeAlias

import numpy as np

from podium.analysis.relation.algebra import compose
from podium.arrays import BoolArray, IntArray
from podium.checks import check_choice, record

Property: TypeAlias = Literal[
    "reflexive",
    "irreflexive",
    "symmetric",
    "asymmetric",
    "antisymmetric",
    "complete",
    "transitive",
    "negatively transitive",
    "trichotomous",
    "Ferrers",
    "semitransitive",
]
Kind: TypeAlias = Literal[
    "strict linear order",
    "linear order",
    "strict weak order",
    "weak order",
    "semiorder",
    "interval order",
    "strict partial order",
    "partial order",
    "equivalence",
    "preorder",
    "tournament",
]

# From narrow to wide. A strict kind has an empty diagonal, the kind without "strict" a full one.
KINDS: dict[Kind, tuple[Property, ...]] = {
    "strict linear order": ("asymmetric", "transitive", "complete"),
    "linear order": ("reflexive", "antisymmetric", "transitive", "complete"),
    "strict weak order": ("asymmetric", "transitive", "negatively transitive"),
    "weak order": ("reflexive", "transitive", "complete"),
    "semiorder": ("asymmetric", "Ferrers", "semitransitive"),
    "interval order": ("asymmetric", "Ferrers"),
    "strict partial order": ("asymmetric", "transitive"),
    "partial order": ("reflexive", "antisymmetric", "transitive"),
    "equivalence": ("reflexive", "symmetric", "transitive"),
    "preorder": ("reflexive", "transitive"),
    "tournament": ("asymmetric", "complete"),
}

BROKEN: dict[Property, str] = {
    "reflexive": "not {0} R {0}",
    "irreflexive": "{0} R {0}",
    "symmetric": "{0} R {1}, but not {1} R {0}",
    "asymmetric": "{0} R {1} and {1} R {0}",
    "antisymmetric": "{0} R {1} and {1} R {0}",
    "complete": "neither {0} R {1} nor {1} R {0}",
    "transitive": "{0} R {1} and {1} R {2}, but not {0} R {2}",
    "negatively transitive": "neither {0} R {1} nor {1} R {2}, but {0} R {2}",
    "trichotomous": "{0} and {1}: not exactly one of {0} R {1}, {0} = {1}, {1} R {0}",
    "Ferrers": "{0} R {1} and {2} R {3}, but neither {0} R {3} nor {2} R {1}",
    "semitransitive": "{0} R {1} and {1} R {2}, but neither {0} R {3} nor {3} R {2}",
}


@record()
class Check:
    """Whether a relation has a property.

    Attributes
    ----------
    name : str
        The property.
    holds : bool
    count : int
        How many tuples of algorithms break it.
    witnesses : tuple of tuple of str
        The first of those, in the order of the algorithms.
    """

    name: Property
    holds: bool
    count: int
    witnesses: tuple[tuple[str, ...], ...]

    def __bool__(self) -> bool:
        return self.holds

    def _repr_html_(self) -> str:
        return f"<div>{escape(str(self))}</div>"

    def __str__(self) -> str:
        if self.holds:
            return self.name
        parts = [BROKEN[self.name].format(*map(repr, witness)) for witness in self.witnesses]
        rest = self.count - len(parts)
        return f"not {self.name}: {'; '.join([*parts, f'and {rest} more'] if rest else parts)}"


def check_property(name: Property, incidence: BoolArray, algorithms: tuple[str, ...], limit: int) -> Check:
    """Test a property and name what breaks it."""
    broken = VIOLATIONS[name](incidence)
    witnesses = tuple(tuple(algorithms[i] for i in row) for row in broken[:limit])
    return Check(name=name, holds=not len(broken), count=len(broken), witnesses=witnesses)


def has_property(name: Property, incidence: BoolArray) -> bool:
    """Test a property."""
    fast = FAST.get(name)
    return fast(incidence) if fast else not len(VIOLATIONS[name](incidence))


def is_kind(name: str, incidence: BoolArray) -> bool:
    """Test a kind; a name without "strict" includes the strict form."""
    check_choice(name, KINDS, "kind")
    forms = [form for form in (name, f"strict {name}") if form in KINDS]
    return any(all(has_property(p, incidence) for p in KINDS[form]) for form in forms)


def kinds_of(incidence: BoolArray) -> tuple[Kind, ...]:
    """All kinds, from narrow to wide."""
    holds = functools.cache(lambda name: has_property(name, incidence))
    return tuple(kind for kind, needed in KINDS.items() if all(map(holds, needed)))


def _not_transitive(r: BoolArray) -> IntArray:
    return np.argwhere(r[:, :, None] & r[None, :, :] & ~r[:, None, :])


def _not_trichotomous(r: BoolArray) -> IntArray:
    count = r.astype(int) + r.T + np.eye(len(r), dtype=int)
    count[np.diag_indices_from(count)] -= r.diagonal()  # i R i counts once
    return np.argwhere(np.triu(count != 1))


def _not_ferrers(r: BoolArray) -> IntArray:
    broken = r[:, :, None, None] & r[None, None, :, :] & ~r[:, None, None, :] & ~r.T[None, :, :, None]
    return np.argwhere(broken)


def _not_semitransitive(r: BoolArray) -> IntArray:
    broken = (r[:, :, None] & r[None, :, :])[:, :, :, None] & ~r[:, None, None, :] & ~r.T[None, None, :, :]
    return np.argwhere(broken)


# The tuples of positions that break each property; a pair in which both orders break it is named once.
VIOLATIONS: dict[Property, Callable[[BoolArray], IntArray]] = {
    "reflexive": lambda r: np.argwhere(~r.diagonal()),
    "irreflexive": lambda r: np.argwhere(r.diagonal()),
    "symmetric": lambda r: np.argwhere(r & ~r.T),
    "asymmetric": lambda r: np.argwhere(np.triu(r & r.T)),
    "antisymmetric": lambda r: np.argwhere(np.triu(r & r.T, 1)),
    "complete": lambda r: np.argwhere(np.triu(~(r | r.T), 1)),
    "transitive": _not_transitive,
    "negatively transitive": lambda r: _not_transitive(~r),
    "trichotomous": _not_trichotomous,
    "Ferrers": _not_ferrers,
    "semitransitive": _not_semitransitive,
}

# Without the witnesses: listing those of the last four takes K³ or K⁴ memory, where matrix products do.
FAST: dict[Property, Callable[[BoolArray], bool]] = {
    "reflexive": lambda r: bool(r.diagonal().all()),
    "irreflexive": lambda r: not r.diagonal().any(),
    "symmetric": lambda r: not (r & ~r.T).any(),
    "asymmetric": lambda r: not (r & r.T).any(),
    "transitive": lambda r: not (compose(r, r) & ~r).any(),
    "negatively transitive": lambda r: not (compose(~r, ~r) & r).any(),
    "Ferrers": lambda r: _rows_are_nested(r),
    "semitransitive": lambda r: not (compose(r, r) & compose(~r, ~r)).any(),
}


def _rows_are_nested(r: BoolArray) -> bool:
    """Whether of any two rows one contains the other, which is the Ferrers property."""
    more = compose(r, ~r.T)  # row i contains something that row k does not
    return not (more & more.T).any()
