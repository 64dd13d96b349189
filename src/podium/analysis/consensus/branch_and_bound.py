"""Branch and bound on one block: a proven optimum, and all optima within a budget above the bound.

The first solutions come from local search among linear and weak orders, which moves one algorithm at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from podium.analysis.consensus.linear_programming import Bound, LinearProgram, allowed_states
from podium.analysis.consensus.objective import Objective, Optima
from podium.analysis.consensus.relation_classes import BOTH, FIRST, NEITHER, SECOND, RelationClass
from podium.analysis.relation.algebra import compose, mid_ranks, off_diagonal
from podium.arrays import BoolArray, FloatArray, IntArray

PASSES = 100
FEW_NODES = 300  # of a search whose bound leaves a gap; then the gap is closed by branching
MANY_NODES = 10**9


class BranchAndBound:
    """A search for the optima of one block, bounded by the linear relaxation.

    Parameters
    ----------
    objective : Objective
    end : float
        When to stop, as a value of `time.perf_counter`.
    start : Optima, optional
        A relation and a bound that are already known.
    """

    def __init__(self, objective: Objective, end: float, start: Optima | None = None) -> None:
        self.objective, self.end = objective, end
        self.program = LinearProgram(objective)
        self.best: BoolArray | None = None
        self.value = np.inf
        self.lowest = -np.inf
        if start is not None:
            self._offer(start.solutions[0])
            self.lowest = start.bound
            self.program.solved = start.programs

    def solve(self, keep_all: bool, limit: int) -> Optima:
        """Find an optimum, or all optima."""
        self.program.add_violated(self.objective.pairwise_optima()[0].astype(np.float64))
        box = Box.all(self.objective.size)
        solutions: list[BoolArray] = []
        exhausted = False
        if keep_all or not self.proven:
            root = self.program.relax(box.lower, box.upper, self.end)
            assert root is not None  # every class has relations
            self._settle(root, box)
            if keep_all and self.proven:
                solutions, exhausted = self._all(root, box, limit)
        if not solutions and self.best is not None:
            solutions = [self.best]
        bound = self.value if self.proven else self.lowest
        return Optima(solutions, self.value, bound, exhausted, self.program.solved)

    @property
    def proven(self) -> bool:
        """Whether the best relation found is known to be optimal."""
        return bool(self.value <= self.lowest + self.objective.tolerance)

    def _offer(self, solution: BoolArray) -> None:
        value = self.objective.value(solution)
        if value < self.value - self.objective.tolerance:
            self.best, self.value = solution, value

    def _settle(self, root: Bound, box: Box) -> None:
        """Find an optimum, or the best relation that time allows."""
        self.lowest = max(self.lowest, self.objective.round_up(root.value))
        if root.integral:
            self._offer(root.solution)
        if not self.proven:
            self._dive(root, box)
        if self.proven:
            return
        # Only relations that could be better than the best one found are still of interest.
        small = box.copy()
        if not Search(self.objective, root, self.value, MANY_NODES, np.inf).reduce(small):
            self.lowest = self.value
            return
        solution, bound = self.program.integer(small.lower, small.upper, self.end - perf_counter())
        if solution is not None:
            self._offer(off_diagonal(solution))
            self.lowest = self.value
        else:
            self.lowest = max(self.lowest, min(self.objective.round_up(bound), self.value))

    def _dive(self, root: Bound, box: Box) -> None:
        """Round the relaxation to a relation of the class, and to an order that no single move improves."""
        rounded = next(Search(self.objective, root, np.inf, MANY_NODES, np.inf).run(box.copy()))
        self._offer(rounded)
        # From the ranks of that relation, and from those of the relaxation: losses less wins, fractions included.
        for ranks in (mid_ranks(rounded & ~rounded.T), (root.entries.T - root.entries).sum(axis=1)):
            order = improved_order(self.objective, ranks)
            if order is not None:
                self._offer(order)

    def _all(self, root: Bound, box: Box, limit: int) -> tuple[list[BoolArray], bool]:
        """List the optima up to a limit, and say whether these are all."""
        found: list[BoolArray] = []
        todo: list[tuple[Bound | None, Box]] = [(root, box)]
        while todo:
            bound, here = todo.pop()
            if bound is None:
                bound = self.program.relax(here.lower, here.upper, self.end)
            if bound is None or bound.value > self.value + self.objective.tolerance:
                continue
            gap = self.value - bound.value
            tight = gap <= max(self.objective.tolerance, 1e-6 * max(1.0, abs(self.value)))
            search = Search(self.objective, bound, self.value, MANY_NODES if tight else FEW_NODES, self.end)
            fresh: list[BoolArray] = []
            try:
                for solution in search.run(here.copy()):
                    if self.objective.value(solution) > self.value + self.objective.tolerance:
                        continue  # within the tolerance of the search only
                    fresh.append(solution)
                    if len(found) + len(fresh) > limit:
                        return (found + fresh)[:limit], False
            except OutOfBudget:
                if perf_counter() > self.end:
                    return found + fresh, False
                todo += [(None, part) for part in self._halves(bound, here)]
                continue
            found += fresh
        return found, True

    def _halves(self, bound: Bound, box: Box) -> list[Box]:
        """Cut a box at its most fractional entry."""
        certainty = np.where(box.open, np.abs(bound.entries - 0.5), 1.0)
        parts = box.cut(int(certainty.argmin()))
        return [part for part in parts if part.tighten(self.objective.within)]


class OutOfBudget(Exception):
    """The search has used up its nodes or its time."""


@dataclass
class Box:
    """Relations still possible: entries that must be present (`lower`), and that may be present (`upper`).

    The diagonal is in both, which does not affect transitivity.
    """

    lower: BoolArray
    upper: BoolArray

    @classmethod
    def all(cls, size: int) -> Box:
        """Everything is possible."""
        return cls(np.eye(size, dtype=bool), np.ones((size, size), bool))

    def copy(self) -> Box:
        """Return an independent copy."""
        return Box(self.lower.copy(), self.upper.copy())

    @property
    def open(self) -> BoolArray:
        """Which entries are not settled."""
        return self.upper & ~self.lower

    def cut(self, entry: int) -> tuple[Box, Box]:
        """Return the part with an entry, given by its position in the flat matrix, and the part without it."""
        with_it, without = self.copy(), self.copy()
        with_it.lower.flat[entry] = True
        without.upper.flat[entry] = False
        return with_it, without

    @property
    def settled(self) -> bool:
        """Whether one relation is left."""
        return bool((self.lower == self.upper).all())

    def tighten(self, within: RelationClass) -> bool:
        """Draw all conclusions from transitivity and from the class; False if nothing is left."""
        yes, no = self.lower, ~self.upper
        while True:
            before = np.count_nonzero(yes) + np.count_nonzero(no)
            if within.transitive:
                yes = yes | compose(yes, yes)
                no = no | compose(yes.T, no) | compose(no, yes.T)
            if NEITHER not in within.states:
                yes = yes | no.T
            if BOTH not in within.states:
                no = no | off_diagonal(yes.T)
            if FIRST not in within.states:
                yes, no = yes | yes.T, no | no.T
            if (yes & no).any():
                return False
            if np.count_nonzero(yes) + np.count_nonzero(no) == before:
                self.lower, self.upper = yes, ~no
                return True


@dataclass
class Search:
    """Depth-first search for the relations whose value is at most `target`, below one bound.

    By the identity in `linear_programming`, the value of a relation is the bound plus the excess of its states plus
    multiplier times slack of its rows. All these are at least 0, so states and slacks that cost more than what is left
    up to the target are impossible. Where bound and target coincide, as they usually do, hardly any step is wasted.
    """

    objective: Objective
    bound: Bound
    target: float
    nodes: int
    end: float

    def __post_init__(self) -> None:
        scale = max(1.0, float(np.abs(self.objective.costs).max()))
        self.slack = max(self.objective.tolerance, 1e-7 * scale)
        matrix = self.bound.rows.matrix
        self._plus, self._minus = matrix.maximum(0), (-matrix).maximum(0)

    def run(self, box: Box) -> Iterator[BoolArray]:
        """Yield the relations in a box, without their diagonals."""
        todo = [box]
        while todo:
            here = todo.pop()
            self.nodes -= 1
            if self.nodes < 0 or perf_counter() > self.end:
                raise OutOfBudget
            if not self.reduce(here):
                continue
            if here.settled:
                yield off_diagonal(here.lower)
                continue
            todo += self._branches(here)

    def _branches(self, box: Box) -> list[Box]:
        """Cut a box at the open entry about which the relaxation is most certain; that side is searched next."""
        entry = int(np.where(box.open, np.abs(self.bound.entries - 0.5), -1.0).argmax())
        with_it, without = box.cut(entry)
        return [without, with_it] if self.bound.entries.flat[entry] >= 0.5 else [with_it, without]

    def reduce(self, box: Box) -> bool:
        """Draw all conclusions from the class, the excess and the slacks; False if nothing is left."""
        while True:
            if not box.tighten(self.objective.within):
                return False
            spare = self._spare(box)
            if spare < 0:
                return False
            lower, upper = box.lower.copy(), box.upper.copy()
            self._drop_states(box, spare)
            self._close_rows(box, spare)
            if (box.lower & ~box.upper).any():
                return False
            if (lower == box.lower).all() and (upper == box.upper).all():
                return True

    def _spare(self, box: Box) -> float:
        """How much is left up to the target for the open pairs, including rounding."""
        open_states = allowed_states(self.objective, box.lower, box.upper)
        excess = np.where(open_states, self.bound.excess, np.inf).min(axis=0)
        self._open, self._floor = open_states, excess
        reach = self._plus @ box.upper.ravel() - self._minus @ box.lower.ravel()  # the most Σ ± x can be
        self._reach = reach
        slack = np.maximum(self.bound.rows.right - reach, 0.0)
        used = float(excess.sum() + self.bound.multipliers @ slack)
        return self.target - self.bound.value - used + self.slack

    def _drop_states(self, box: Box, spare: float) -> None:
        """Settle entries for which one value has become too expensive."""
        i, j = self.objective.pairs
        fits = self._open & (self.bound.excess - self._floor <= spare)
        box.upper[i, j] &= fits[FIRST] | fits[BOTH]
        box.upper[j, i] &= fits[SECOND] | fits[BOTH]
        box.lower[i, j] |= ~(fits[SECOND] | fits[NEITHER])
        box.lower[j, i] |= ~(fits[FIRST] | fits[NEITHER])

    def _close_rows(self, box: Box, spare: float) -> None:
        """Where slack is too expensive, Σ ± x = b must hold; if it can only just reach b, all entries are settled."""
        forced = ((self.bound.multipliers > spare) & (np.abs(self._reach - self.bound.rows.right) < 0.5)).astype(
            np.float64
        )
        if forced.any():
            raised = (self._plus.T @ forced).reshape(box.lower.shape) > 0
            lowered = (self._minus.T @ forced).reshape(box.upper.shape) > 0
            box.lower, box.upper = box.lower | (raised & box.upper), box.upper & (~lowered | box.lower)


def improved_order(objective: Objective, ranks: FloatArray) -> BoolArray | None:
    """Order near the given ranks that no single move improves; None for classes without orders."""
    if FIRST not in objective.within.states:
        return None
    ties = BOTH in objective.within.states
    place = _places(ranks, ties)
    for _ in range(PASSES):
        moved = False
        for element in range(objective.size):
            better = _best_place(objective, place, element, ties)
            if better is not None:
                place, moved = better, True
        if not moved:
            break
    order: BoolArray = place[:, None] < place[None, :]
    if ties:
        order = order | (place[:, None] == place[None, :])
        np.fill_diagonal(order, False)
    return order


def _places(ranks: FloatArray, ties: bool) -> IntArray:
    """Levels by ranks; without ties by position."""
    if ties:
        return np.unique(ranks, return_inverse=True)[1].astype(np.intp)
    place = np.empty(len(ranks), np.intp)
    place[np.argsort(ranks, kind="stable")] = np.arange(len(ranks))
    return place


def _best_place(objective: Objective, place: IntArray, element: int, ties: bool) -> IntArray | None:
    """Levels after the best move of an element, or None if no move improves the order."""
    others = np.arange(objective.size) != element
    levels = np.unique(place[others], return_inverse=True)[1]
    count = int(levels.max()) + 1
    ahead = np.bincount(levels, objective.costs[others, element], count)  # cost of a level that comes before
    behind = np.bincount(levels, objective.costs[element, others], count)  # cost of a level that comes after
    before = np.concatenate([[0.0], np.cumsum(ahead)])
    after = np.concatenate([np.cumsum(behind[::-1])[::-1], [0.0]])
    alone = before + after  # on a separate level, before level 0, 1, ...
    joined = before[1:] + after[:-1] if ties else np.zeros(0)
    now = float(
        objective.costs[others, element][place[others] <= place[element]].sum()
        + objective.costs[element, others][place[others] >= place[element]].sum()
    )
    if min(alone.min(), joined.min(initial=np.inf)) >= now - objective.tolerance:
        return None
    moved = np.empty_like(place)
    if joined.min(initial=np.inf) < alone.min():
        moved[others], moved[element] = 2 * levels, 2 * int(joined.argmin())
    else:
        moved[others], moved[element] = 2 * levels, 2 * int(alone.argmin()) - 1
    return np.unique(moved, return_inverse=True)[1].astype(np.intp)
