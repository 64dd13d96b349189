"""Decomposition into blocks: each is solved by the method that suits it, and their optima are combined.

Few algorithms are solved here: any class by comparing all its relations, linear orders by dynamic programming over the
sets that can come last. Others go to branch and bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from time import perf_counter

import numpy as np

from podium.analysis.consensus.branch_and_bound import BranchAndBound
from podium.analysis.consensus.objective import Objective, Optima
from podium.analysis.consensus.relation_classes import BOTH, FIRST, NEITHER, SECOND, RelationClass
from podium.analysis.relation.algebra import components
from podium.arrays import BoolArray, FloatArray, IntArray

MAX_ORDERED = 12  # 4096 sets that can come last
MAX_LISTED = 4  # at most 355 relations, out of 4096 matrices


def solve(objective: Objective, *, keep_all: bool, limit: int, seconds: float) -> Optima:
    """Find an optimum, or all optima up to a limit."""
    end = perf_counter() + seconds
    if not objective.within.transitive:
        return _solve_pairs(objective, keep_all, limit)
    parts = decompose(objective, keep_all=keep_all)
    solved = [
        (members, _solve_block(objective.part(members), keep_all, limit, end))
        for members in parts.members
        if len(members) > 1
    ]
    return _combine(objective, parts.settled, solved, keep_all, limit)


@dataclass(frozen=True, eq=False)
class Decomposition:
    """An objective decomposed into blocks that can be solved separately.

    Attributes
    ----------
    settled : ndarray of bool, shape (K, K)
        The solution between blocks.
    members : list of ndarray of int
        The algorithms of each block; relations among them are still open.
    """

    settled: BoolArray
    members: list[IntArray]


def decompose(objective: Objective, *, keep_all: bool) -> Decomposition:
    """Find blocks that can be solved separately.

    If every pair between two sets of algorithms is cheapest in the same state, "first before second" or "unrelated",
    then any solution can be cut along the sets and reassembled with those states, at no greater cost and still
    transitive. So some optimum has this form; and all optima do if no pair has another cheapest state, which
    `keep_all` requires. For linear orders this is the extended Condorcet criterion (Truchon 1998).
    """
    size = objective.size
    settled = np.zeros((size, size), bool)
    before, unrelated = _forced(objective, keep_all)
    todo, found = [np.arange(size)], []
    while todo:
        block = todo.pop()
        inner = np.ix_(block, block)
        parts = components(~before.T[inner]) if len(block) > 1 else [block]
        if len(parts) > 1:
            place = np.empty(len(block), int)
            for number, part in enumerate(parts):
                place[part] = number
            settled[inner] |= place[:, None] < place[None, :]
        elif len(block) > 1:
            parts = components(~unrelated[inner])
        if len(parts) > 1:
            todo += [block[part] for part in parts]
        else:
            found.append(block)
    return Decomposition(settled, sorted(found, key=lambda block: int(block[0])))


def _forced(objective: Objective, keep_all: bool) -> tuple[BoolArray, BoolArray]:
    """Which pairs may be settled as "i before j", and which as unrelated, by their own cost alone."""
    i, j = objective.pairs
    table = objective.state_costs()
    margin = objective.tolerance if keep_all else -objective.tolerance
    cheapest = np.zeros((4, len(i)), bool)
    for state in objective.within.states:
        others = [other for other in objective.within.states if other != state]
        cheapest[state] = table[state] < table[others].min(axis=0) - margin
    before = np.zeros((objective.size, objective.size), bool)
    before[i, j], before[j, i] = cheapest[FIRST], cheapest[SECOND]
    unrelated = np.zeros_like(before)
    unrelated[i, j] = unrelated[j, i] = cheapest[NEITHER]
    return before, unrelated


def _solve_block(objective: Objective, keep_all: bool, limit: int, end: float) -> Optima:
    states = objective.within.states
    if objective.size <= MAX_ORDERED and BOTH not in states and NEITHER not in states:
        return best_orders(objective, limit if keep_all else 1)
    if objective.size <= MAX_LISTED:
        return best_of_all(objective, limit if keep_all else 1)
    # Where some optimum has no ties, it is found first among the relations without ties: there are fewer of them.
    simpler = objective.without_ties()
    start = None if simpler is None else solve(simpler, keep_all=False, limit=1, seconds=end - perf_counter())
    return BranchAndBound(objective, end, start).solve(keep_all, limit)


def _combine(
    objective: Objective, settled: BoolArray, solved: list[tuple[IntArray, Optima]], keep_all: bool, limit: int
) -> Optima:
    """Combine the solutions of the blocks in all ways, up to the limit."""
    solutions = [settled]
    exhausted = keep_all and all(optima.exhausted for _, optima in solved)
    for members, optima in solved:
        inner = np.ix_(members, members)
        wider: list[BoolArray] = []
        for solution in solutions:
            for choice in optima.solutions[: limit - len(wider)]:
                whole = solution.copy()
                whole[inner] = choice
                wider.append(whole)
        exhausted &= len(wider) == len(solutions) * len(optima.solutions)
        solutions = wider
    between = objective.value(settled)
    return Optima(
        solutions=solutions,
        value=between + sum(optima.value for _, optima in solved),
        bound=between + sum(optima.bound for _, optima in solved),
        exhausted=exhausted,
        programs=sum(optima.programs for _, optima in solved),
    )


def _solve_pairs(objective: Objective, keep_all: bool, limit: int) -> Optima:
    """Solve a class without transitivity: every pair separately."""
    solution, several = objective.pairwise_optima()
    value = objective.value(solution)
    solutions = [solution]
    exhausted = keep_all
    if keep_all:
        for i, j in zip(*(side[several] for side in objective.pairs), strict=True):
            swapped = []
            for relation in solutions[: limit - len(solutions)]:
                other = relation.copy()
                other[i, j], other[j, i] = relation[j, i], relation[i, j]
                swapped.append(other)
            exhausted &= len(swapped) == len(solutions)
            solutions = solutions + swapped
    return Optima(solutions, value, value, exhausted)


def best_of_all(objective: Objective, limit: int) -> Optima:
    """Optima of an objective on at most four algorithms."""
    table = all_relations(objective.within, objective.size)
    values = table.reshape(len(table), -1).astype(np.float64) @ objective.costs.ravel()
    lowest = float(values.min())
    best = table[values <= lowest + objective.tolerance]
    return Optima(list(best[:limit]), lowest, lowest, len(best) <= limit)


@lru_cache(maxsize=32)
def all_relations(within: RelationClass, size: int) -> BoolArray:
    """Every relation of a class on this many algorithms, without diagonals, as an array of matrices."""
    off = ~np.eye(size, dtype=bool)
    i, j = np.nonzero(off)
    bits = (np.arange(2 ** len(i))[:, None] >> np.arange(len(i))) & 1
    matrices = np.zeros((len(bits), size, size), bool)
    matrices[:, i, j] = bits.astype(bool)
    reversed_ = matrices.transpose(0, 2, 1)
    keep = np.ones(len(matrices), bool)
    if BOTH not in within.states:
        keep &= ~(matrices & reversed_).any(axis=(1, 2))
    if NEITHER not in within.states:
        keep &= (matrices | reversed_)[:, off].all(axis=1)
    if FIRST not in within.states:
        keep &= (matrices == reversed_).all(axis=(1, 2))
    matrices = matrices[keep]
    reflexive = matrices | np.eye(size, dtype=bool)
    reached = np.einsum("rij,rjk->rik", reflexive.astype(np.int8), reflexive.astype(np.int8)) > 0
    transitive: BoolArray = matrices[(reached == reflexive).all(axis=(1, 2))]
    return transitive


def best_orders(objective: Objective, limit: int) -> Optima:
    """Optimal linear orders on at most twelve algorithms."""
    orders = Orders(objective.costs)
    near = list(islice(orders.near(objective.tolerance), limit + 1))
    return Optima(near[:limit], orders.value, orders.value, len(near) <= limit)


class Orders:
    """Cheapest linear orders (Held & Karp 1962).

    The cost of the best order of a set is that of the best order of the set without its first member, plus the cost of
    that member before all others; sets are bit patterns.
    """

    def __init__(self, costs: FloatArray) -> None:
        self.size = len(costs)
        before = np.zeros((1, self.size))  # before[S, i]: cost of i coming before all of S
        for member in range(self.size):
            before = np.concatenate([before, before + costs[:, member]])
        sets = np.arange(2**self.size)
        bits = 1 << np.arange(self.size)
        inside = (sets[:, None] & bits) > 0
        self._with_first = np.full(before.shape, np.inf)  # cost of the best order of S that begins with i
        self._best = np.zeros(len(sets))
        count = inside.sum(axis=1)
        for number in range(1, self.size + 1):
            row, first = np.nonzero(inside & (count == number)[:, None])
            rest = sets[row] ^ bits[first]
            self._with_first[row, first] = self._best[rest] + before[rest, first]
            chosen = np.flatnonzero(count == number)
            self._best[chosen] = self._with_first[chosen].min(axis=1)

    @property
    def value(self) -> float:
        """Cost of the best orders."""
        return float(self._best[-1])

    def near(self, slack: float) -> Iterator[BoolArray]:
        """Yield the orders that cost at most `slack` more than the best ones, by their first members."""
        place = np.empty(self.size, np.intp)

        def extend(left: int, number: int, spare: float) -> Iterator[BoolArray]:
            if not left:
                order: BoolArray = place[:, None] < place[None, :]
                yield order
                return
            excess = self._with_first[left] - self._best[left]
            for first in np.flatnonzero(excess <= spare):
                place[first] = number
                yield from extend(left ^ (1 << int(first)), number + 1, spare - float(excess[first]))

        yield from extend(2**self.size - 1, 0, slack)
