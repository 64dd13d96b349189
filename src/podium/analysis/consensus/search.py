"""Search among the relations of a class within a budget above a bound: finds all of them, or says it had to stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from podium.analysis.consensus.kinds import BOTH, FIRST, NEITHER, SECOND, KindRule
from podium.analysis.consensus.problem import Problem
from podium.analysis.consensus.relaxation import Bound, allowed_states
from podium.analysis.preference.algebra import compose
from podium.arrays import BoolArray


class OutOfBudget(Exception):
    """The search has used up its nodes or its time."""


@dataclass
class Box:
    """Relations still possible: entries that must be there (`lower`), and that may be there (`upper`).

    The diagonal is in both, which leaves the laws below as they are.
    """

    lower: BoolArray
    upper: BoolArray

    @classmethod
    def all(cls, size: int) -> Box:
        """Everything is possible."""
        return cls(np.eye(size, dtype=bool), np.ones((size, size), bool))

    def copy(self) -> Box:
        """Return a box of its own."""
        return Box(self.lower.copy(), self.upper.copy())

    @property
    def settled(self) -> bool:
        """Whether one relation is left."""
        return np.array_equal(self.lower, self.upper)

    def tighten(self, rule: KindRule) -> bool:
        """Draw all conclusions of transitivity and of the class; False if nothing is left."""
        yes, no = self.lower, ~self.upper
        while True:
            before = int(yes.sum()) + int(no.sum())
            if rule.transitive:
                yes = yes | compose(yes, yes)
                no = no | compose(yes.T, no) | compose(no, yes.T)
            if NEITHER not in rule.states:
                yes = yes | no.T
            if BOTH not in rule.states:
                no = no | off_diagonal(yes.T)
            if FIRST not in rule.states:
                yes, no = yes | yes.T, no | no.T
            if (yes & no).any():
                return False
            if int(yes.sum()) + int(no.sum()) == before:
                self.lower, self.upper = yes, ~no
                return True


def off_diagonal(matrix: BoolArray) -> BoolArray:
    """Return a copy without the diagonal."""
    copy = matrix.copy()
    np.fill_diagonal(copy, False)
    return copy


@dataclass
class Search:
    """Depth-first search for the relations whose value is at most `target`, below one bound.

    By the identity in `relaxation`, the value of a relation is the bound plus the excess of its states plus
    multiplier times slack of its rows. All these are at least 0, so states and slacks that cost more than what is left
    up to the target are impossible. Where bound and target meet, which is the rule, nearly no step is in vain.
    """

    problem: Problem
    bound: Bound
    target: float
    nodes: int
    end: float

    def __post_init__(self) -> None:
        scale = max(1.0, float(np.abs(self.problem.costs).max()))
        self.slop = max(self.problem.tolerance, 1e-7 * scale)
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
        """Cut a box in two at the open entry that the relaxation is most certain about; its side comes next."""
        open_entries = box.upper & ~box.lower
        certainty = np.where(open_entries, np.abs(self.bound.entries - 0.5), -1.0)
        i, j = np.unravel_index(int(certainty.argmax()), certainty.shape)
        with_it, without = box.copy(), box.copy()
        with_it.lower[i, j] = True
        without.upper[i, j] = False
        return [without, with_it] if self.bound.entries[i, j] >= 0.5 else [with_it, without]

    def reduce(self, box: Box) -> bool:
        """Draw all conclusions of the class, the excess and the slacks; False if nothing is left."""
        while True:
            if not box.tighten(self.problem.rule):
                return False
            spare = self._spare(box)
            if spare < 0:
                return False
            lower, upper = box.lower.copy(), box.upper.copy()
            self._drop_states(box, spare)
            self._close_rows(box, spare)
            if (box.lower & ~box.upper).any():
                return False
            if np.array_equal(lower, box.lower) and np.array_equal(upper, box.upper):
                return True

    def _spare(self, box: Box) -> float:
        """How much of the way to the target is left for the open pairs, the rounding included."""
        open_states = allowed_states(self.problem, box.lower, box.upper)
        excess = np.where(open_states, self.bound.excess, np.inf).min(axis=0)
        self._floor = excess
        reach = self._plus @ box.upper.ravel() - self._minus @ box.lower.ravel()  # the most Σ ± x can be
        self._reach = reach
        slack = np.maximum(self.bound.rows.right - reach, 0.0)
        used = float(excess.sum() + self.bound.multipliers @ slack)
        return self.target - self.bound.value - used + self.slop

    def _drop_states(self, box: Box, spare: float) -> None:
        """Settle entries one value of which has become too expensive."""
        i, j = self.problem.pairs
        open_states = allowed_states(self.problem, box.lower, box.upper)
        fits = open_states & (self.bound.excess - self._floor <= spare)
        box.upper[i, j] &= fits[FIRST] | fits[BOTH]
        box.upper[j, i] &= fits[SECOND] | fits[BOTH]
        box.lower[i, j] |= ~(fits[SECOND] | fits[NEITHER])
        box.lower[j, i] |= ~(fits[FIRST] | fits[NEITHER])

    def _close_rows(self, box: Box, spare: float) -> None:
        """Where slack is too expensive, Σ ± x = b must hold; if it can just reach b, every entry must do its best."""
        forced = ((self.bound.multipliers > spare) & (np.abs(self._reach - self.bound.rows.right) < 0.5)).astype(
            np.float64
        )
        if forced.any():
            raised = (self._plus.T @ forced).reshape(box.lower.shape) > 0
            lowered = (self._minus.T @ forced).reshape(box.upper.shape) > 0
            box.lower, box.upper = box.lower | (raised & box.upper), box.upper & (~lowered | box.lower)
