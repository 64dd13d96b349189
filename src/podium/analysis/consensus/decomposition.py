"""Decomposition into blocks: each is solved by the method that suits it, and their optima are combined."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from podium.analysis.consensus import dynamic_programming, enumeration
from podium.analysis.consensus.branch_and_bound import BranchAndBound
from podium.analysis.consensus.objective import Objective, Optima
from podium.analysis.consensus.relation_classes import BOTH, FIRST, NEITHER, SECOND
from podium.analysis.relation.algebra import components
from podium.arrays import BoolArray, IntArray


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
    if objective.size <= dynamic_programming.MAX_ALGORITHMS and BOTH not in states and NEITHER not in states:
        return dynamic_programming.best_orders(objective, limit if keep_all else 1)
    if objective.size <= enumeration.MAX_ALGORITHMS:
        return enumeration.best_of_all(objective, limit if keep_all else 1)
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
