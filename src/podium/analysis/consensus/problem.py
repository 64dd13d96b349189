"""The integer program behind a consensus: a cost for every pair, a class of relations, and how it falls apart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from podium.analysis.consensus.kinds import BOTH, FIRST, NEITHER, SECOND, STATES, KindRule
from podium.analysis.preference.algebra import components
from podium.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Problem:
    """Minimise the sum of ``costs[i, j]`` over the pairs i R j, among the relations of a class.

    With N_ij the weight of the voters with i R j, and W of all, the criterion Σ_v w_v d(R, R_v) is
    Σ N_ij + Σ_{i R j} (W − 2 N_ij), sums over i ≠ j (Hornik & Meyer 2007): the costs are W − 2 N_ij.

    Attributes
    ----------
    costs : ndarray of float, shape (K, K)
        The diagonal is 0.
    rule : KindRule
    whole : bool
        Whether all costs are whole numbers; then values are compared exactly.
    """

    costs: FloatArray
    rule: KindRule
    whole: bool

    @property
    def size(self) -> int:
        """Number of algorithms."""
        return len(self.costs)

    @cached_property
    def tolerance(self) -> float:
        """Differences of the criterion up to this are rounding."""
        if self.whole:
            return 0.25
        return 1e-9 * float(np.abs(self.costs).sum() + 1e-300)

    @cached_property
    def steps(self) -> tuple[float, float] | None:
        """Values are whole multiples of a step above an offset: (step, offset), if costs are whole numbers."""
        if not self.whole:
            return None
        table = self.state_costs()[list(self.rule.states)]
        differences = np.abs(table - table[0]).astype(np.int64)
        return float(np.gcd.reduce(differences, axis=None)) or 1.0, float(table[0].sum())

    def round_up(self, bound: float) -> float:
        """Raise a bound to the next value a relation can have."""
        if self.steps is None:
            return bound
        step, offset = self.steps
        return float(np.ceil((bound - offset) / step - 1e-6) * step + offset)

    def narrowed(self) -> Problem:
        """Return the problem without ties if some optimum has none: if no tie is cheaper than the mean of both orders.

        Breaking the ties of a class by a random order then costs nothing on average, so some order costs no more.
        """
        states = self.rule.states
        if FIRST not in states or BOTH not in states or (self.costs + self.costs.T < -self.tolerance).any():
            return self
        fewer = tuple(state for state in states if state != BOTH)
        return Problem(self.costs, replace(self.rule, states=fewer), self.whole)

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """Positions i < j of all pairs."""
        first, second = np.triu_indices(self.size, 1)
        return first, second

    def state_costs(self, costs: FloatArray | None = None) -> FloatArray:
        """Cost of each state of each pair, 4 × pairs; infinite for states outside the class."""
        c = self.costs if costs is None else costs
        i, j = self.pairs
        table = np.full((4, len(i)), np.inf)
        values = {FIRST: c[i, j], SECOND: c[j, i], BOTH: c[i, j] + c[j, i], NEITHER: np.zeros(len(i))}
        for state in self.rule.states:
            table[state] = values[state]
        return table

    def value(self, solution: BoolArray) -> float:
        """Value of a solution."""
        return float(self.costs[solution].sum())

    def part(self, members: IntArray) -> Problem:
        """Return the problem on some of the algorithms."""
        return Problem(self.costs[np.ix_(members, members)], self.rule, self.whole)


@dataclass(frozen=True, eq=False)
class Split:
    """A problem that fell apart.

    Attributes
    ----------
    settled : ndarray of bool, shape (K, K)
        The solution between blocks.
    blocks : list of ndarray of int
        Algorithms whose relations among each other are still open.
    """

    settled: BoolArray
    blocks: list[IntArray]


def split(problem: Problem, *, keep_all: bool) -> Split:
    """Cut a problem into blocks that can be solved alone.

    If every pair between two sets of algorithms is cheapest in the same state, "first before second" or "unrelated",
    then any solution can be cut along the sets and put together again with those states, at no greater cost and
    still transitive. So some optimum is made so, and all optima are if no pair has another cheapest state: that
    is what `keep_all` asks for. For linear orders this is the extended Condorcet criterion (Truchon 1998).
    """
    size = problem.size
    settled = np.zeros((size, size), bool)
    before, unrelated = _forced(problem, keep_all)
    todo, blocks = [np.arange(size)], []
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
            blocks.append(block)
    return Split(settled, sorted(blocks, key=lambda block: int(block[0])))


def _forced(problem: Problem, keep_all: bool) -> tuple[BoolArray, BoolArray]:
    """Which pairs may be settled as "i before j", and which as unrelated, by their own cost alone."""
    i, j = problem.pairs
    table = problem.state_costs()
    margin = problem.tolerance if keep_all else -problem.tolerance
    cheapest = np.zeros((4, len(i)), bool)
    for state in problem.rule.states:
        others = [other for other in problem.rule.states if other != state]
        cheapest[state] = table[state] < table[others].min(axis=0) - margin
    before = np.zeros((problem.size, problem.size), bool)
    before[i, j], before[j, i] = cheapest[FIRST], cheapest[SECOND]
    unrelated = np.zeros_like(before)
    unrelated[i, j] = unrelated[j, i] = cheapest[NEITHER]
    return before, unrelated


def pairwise_optima(problem: Problem) -> tuple[BoolArray, BoolArray]:
    """Solve every pair alone: a cheapest state for each, and which pairs have several."""
    i, j = problem.pairs
    table = problem.state_costs()
    state = table.argmin(axis=0)
    several = (table <= table.min(axis=0) + problem.tolerance).sum(axis=0) > 1
    solution = np.zeros((problem.size, problem.size), bool)
    values = np.array(STATES, bool)
    solution[i, j], solution[j, i] = values[state, 0], values[state, 1]
    return solution, several
