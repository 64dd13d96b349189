"""Incidence matrix of a relation, the best algorithms first."""

from __future__ import annotations

import numpy as np

from podium.analysis.relation.relation import Relation
from podium.arrays import BoolArray, StrArray
from podium.checks import expect, record
from podium.plot.figures.numbers import Numbers

__all__ = ["Incidence", "incidence"]

STATES = ("self", "better", "worse", "indifferent", "incomparable")


@record(eq=False, kw_only=True)
class Incidence(Numbers):
    """Numbers of an incidence matrix.

    Attributes
    ----------
    algorithms : tuple of str
        Rows and columns, by rank and then by name.
    matrix : ndarray of bool, shape (K, K)
        Whether row R column.
    states : ndarray of str, shape (K, K)
        Row against column: "better", "worse", "indifferent", "incomparable", or "self" on the diagonal.
    kind : str
    reading : {"strict", "weak"}
    """

    algorithms: tuple[str, ...]
    matrix: BoolArray
    states: StrArray
    kind: str
    reading: str


def incidence(relation: Relation) -> Incidence:
    """Compute the numbers of an incidence matrix.

    Examples
    --------
    >>> import podium
    >>> podium.plot.figures.incidence(podium.Relation.from_chain("svm ~ rf < knn")).states[0].tolist()
    ['self', 'indifferent', 'better']
    """
    ranks = expect(relation, Relation, "relation").ranks()
    names = tuple(sorted(relation.algorithms, key=lambda name: (ranks[name], name)))
    ordered = relation.restrict(names)
    states = np.select(
        [np.eye(len(names), dtype=bool), ordered.better, ordered.better.T, ordered.indifferent],
        ["self", "better", "worse", "indifferent"],
        "incomparable",
    )
    return Incidence(
        algorithms=names, matrix=ordered.incidence, states=states, kind=relation.kind, reading=relation.reading
    )
