"""From a graph of overridden preferences to an order: topological sort, the cheapest first.

O. T. Yıldız, E. Alpaydın (2006). Ordering and finding the best of K > 2 supervised learning algorithms. IEEE
Transactions on Pattern Analysis and Machine Intelligence 28, 392–402. — M. A. Ulaş, O. T. Yıldız, E. Alpaydın (2008).
Cost-conscious comparison of supervised learning algorithms over multiple data sets. Technical report
FBE/CMPE-01/2008-04, Boğaziçi University, section 3.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from podium.arrays import BoolArray, FloatArray, IntArray
from podium.checks import record


@record(slots=True, kw_only=True)
class Step:
    """One step of the walk: which algorithms could come next, and which does.

    Attributes
    ----------
    chosen : str
        The algorithm that gets the next place.
    free : tuple of str
        The algorithms that could: none of those left is shown to be better and is preferred less. Cheapest first.
    left : tuple of str
        The algorithms without a place before this step, in prior order.
    cycle : tuple of str
        The members of the cycle that this step breaks; usually empty.
    """

    chosen: str
    free: tuple[str, ...]
    left: tuple[str, ...]
    cycle: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Walk:
    """The prior order, the edges that override it, and the walk that ends in an order; positions of algorithms.

    Attributes
    ----------
    prior : ndarray of int
        Cheapest first; equal costs by the better estimate, then by name.
    level : ndarray of int
        Place of each algorithm's cost among the different costs, 0 for the lowest.
    edges : ndarray of bool, shape (K, K)
        ``edges[i, j]``: j is shown to be better than i, and does not cost less.
    order : ndarray of int
        Best first.
    steps : tuple of Step
    cycles : tuple of tuple of int
    """

    prior: IntArray
    level: IntArray
    edges: BoolArray
    order: IntArray
    steps: tuple[Step, ...]
    cycles: tuple[tuple[int, ...], ...]


def levels(values: FloatArray, names: Sequence[str]) -> IntArray:
    """Place of each value among the different values, from 0; values that are equal up to rounding share one.

    >>> levels(np.array([0.3, 0.1, 0.1 + 1e-17]), ["a", "b", "c"]).tolist()
    [1, 0, 0]
    """
    order = np.lexsort((np.array(names, str), values))
    level = np.zeros(len(values), np.intp)
    start, place = order[0], 0
    for i in order:
        size = max(abs(values[i]), abs(values[start]))
        if values[i] != values[start] and abs(values[i] - values[start]) > 1e-12 * min(size, np.finfo(float).max):
            start, place = i, place + 1
        level[i] = place
    return level


def walk(better: BoolArray, cost: FloatArray, estimate: FloatArray, names: Sequence[str]) -> Walk:
    """Order algorithms by cost, except where a costlier one is better.

    Parameters
    ----------
    better : ndarray of bool, shape (K, K)
        ``better[i, j]``: i is shown to be better than j.
    cost : ndarray of float
        Lower is preferred.
    estimate : ndarray of float
        Which of equally costly algorithms comes first: lower is better.
    names : sequence of str
        Decide where nothing else does, so that the outcome does not depend on the order of columns.
    """
    k = len(names)
    level = levels(cost, names)
    place = levels(np.nan_to_num(estimate, nan=np.inf), names)
    prior = np.array(sorted(range(k), key=lambda i: (level[i], place[i], names[i])), np.intp)
    edges = better.T & (level[:, None] <= level[None, :])
    left: list[int] = prior.tolist()
    order: list[int] = []
    steps: list[Step] = []
    cycles: list[tuple[int, ...]] = []
    may_cycle = bool((edges & (level[:, None] == level[None, :])).any())  # from cheap to costly, no edge leads back
    while left:
        part = _parts(edges[np.ix_(left, left)]) if may_cycle else list(range(len(left)))
        held = {part[i] for i, j in np.argwhere(edges[np.ix_(left, left)]).tolist() if part[i] != part[j]}
        free = [i for i, group in zip(left, part, strict=True) if group not in held]
        chosen = free[0]
        cycle = tuple(i for i, group in zip(left, part, strict=True) if group == part[left.index(chosen)])
        if len(cycle) > 1:
            cycles.append(cycle)
        steps.append(
            Step(
                chosen=names[chosen],
                free=tuple(names[i] for i in free),
                left=tuple(names[i] for i in left),
                cycle=tuple(names[i] for i in cycle) if len(cycle) > 1 else (),
            )
        )
        order.append(chosen)
        left.remove(chosen)
    return Walk(
        prior=prior, level=level, edges=edges, order=np.array(order, np.intp), steps=tuple(steps), cycles=tuple(cycles)
    )


def _parts(edges: BoolArray) -> list[int]:
    """Number the strongly connected parts of a graph: a part of several algorithms holds a cycle of preferences."""
    _, part = connected_components(csr_matrix(edges.astype(np.int8)), directed=True, connection="strong")
    return [int(number) for number in part]
