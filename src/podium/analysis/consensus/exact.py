"""Exact solution of one block: a proven optimum, and all optima."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from podium.analysis.consensus.improve import improved_order
from podium.analysis.consensus.problem import Problem, pairwise_optima, split
from podium.analysis.consensus.relaxation import Bound, Program
from podium.analysis.consensus.search import Box, OutOfBudget, Search, off_diagonal
from podium.analysis.consensus.small import best_of_all, is_small
from podium.analysis.preference.algebra import mid_ranks
from podium.arrays import BoolArray, IntArray

FEW_NODES = 300  # of a search whose bound leaves a gap; then the gap is closed by branching
MANY_NODES = 10**9


@dataclass
class Outcome:
    """What is known about the optima of a problem.

    Attributes
    ----------
    solutions : list of ndarray of bool
        Relations of the same, smallest value found, without diagonals.
    value : float
    bound : float
        No relation of the class has a smaller value.
    exhausted : bool
        Whether there are no other optima.
    programs : int
        How many linear and integer programs were solved.
    """

    solutions: list[BoolArray]
    value: float
    bound: float
    exhausted: bool
    programs: int = 0


@dataclass
class Block:
    """One block that does not fall apart."""

    problem: Problem
    end: float

    def __post_init__(self) -> None:
        self.program = Program(self.problem)
        self.best: BoolArray | None = None
        self.value = np.inf
        self.lowest = -np.inf

    def solve(self, keep_all: bool, limit: int) -> Outcome:
        """Find an optimum, and all if asked for."""
        start, _ = pairwise_optima(self.problem)
        self.program.add_broken(start.astype(np.float64))
        self._without_ties()
        box = Box.all(self.problem.size)
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
        return Outcome(solutions, self.value, bound, exhausted, self.program.solved)

    @property
    def proven(self) -> bool:
        """Whether the relation in hand is known to be optimal."""
        return bool(self.value <= self.lowest + self.problem.tolerance)

    def _offer(self, solution: BoolArray) -> None:
        value = self.problem.value(solution)
        if value < self.value - self.problem.tolerance:
            self.best, self.value = solution, value

    def _without_ties(self) -> None:
        """Find the optimum among the relations without ties, where some optimum has none: there are fewer of them."""
        narrow = self.problem.narrowed()
        if narrow is not self.problem:
            outcome = solve(narrow, keep_all=False, limit=1, seconds=self.end - perf_counter())
            self._offer(outcome.solutions[0])
            self.lowest = outcome.bound
            self.program.solved += outcome.programs

    def _settle(self, root: Bound, box: Box) -> None:
        """Find an optimum, or as good a relation as time allows."""
        self.lowest = max(self.lowest, self.problem.round_up(root.value))
        if root.integral:
            self._offer(root.solution)
        if not self.proven:
            self._dive(root, box)
        if self.proven:
            return
        # Only what could be better than the relation in hand is still of interest.
        small = box.copy()
        if not Search(self.problem, root, self.value, MANY_NODES, np.inf).reduce(small):
            self.lowest = self.value
            return
        solution, bound = self.program.integer(small.lower, small.upper, self.end - perf_counter())
        if solution is not None:
            self._offer(off_diagonal(solution))
            self.lowest = self.value
        else:
            self.lowest = max(self.lowest, min(self.problem.round_up(bound), self.value))

    def _dive(self, root: Bound, box: Box) -> None:
        """Round the relaxation to some relation of the class, and to an order that no single move makes better."""
        rounded = next(Search(self.problem, root, np.inf, MANY_NODES, np.inf).run(box.copy()))
        self._offer(rounded)
        # From the ranks of that relation, and from those of the relaxation: wins less losses, fractions and all.
        for ranks in (mid_ranks(rounded & ~rounded.T), (root.entries.T - root.entries).sum(axis=1)):
            order = improved_order(self.problem, ranks)
            if order is not None:
                self._offer(order)

    def _all(self, root: Bound, box: Box, limit: int) -> tuple[list[BoolArray], bool]:
        """List the optima, one more than the limit at most."""
        found: list[BoolArray] = []
        todo: list[tuple[Bound | None, Box]] = [(root, box)]
        while todo:
            bound, here = todo.pop()
            if bound is None:
                bound = self.program.relax(here.lower, here.upper, self.end)
            if bound is None or bound.value > self.value + self.problem.tolerance:
                continue
            gap = self.value - bound.value
            tight = gap <= max(self.problem.tolerance, 1e-6 * max(1.0, abs(self.value)))
            search = Search(self.problem, bound, self.value, MANY_NODES if tight else FEW_NODES, self.end)
            fresh: list[BoolArray] = []
            try:
                for solution in search.run(here.copy()):
                    if self.problem.value(solution) > self.value + self.problem.tolerance:
                        continue  # inside the slop of the search only
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
        open_entries = box.upper & ~box.lower
        distance = np.where(open_entries, np.abs(bound.entries - 0.5), 1.0)
        i, j = np.unravel_index(int(distance.argmin()), distance.shape)
        one, other = box.copy(), box.copy()
        one.lower[i, j] = True
        other.upper[i, j] = False
        return [part for part in (one, other) if part.tighten(self.problem.rule)]


def solve(problem: Problem, *, keep_all: bool, limit: int, seconds: float) -> Outcome:
    """Solve a problem: cut it into blocks, solve each, and put the solutions together."""
    end = perf_counter() + seconds
    if not problem.rule.transitive:
        return _free(problem, keep_all, limit)
    parts = split(problem, keep_all=keep_all)
    outcomes: list[tuple[IntArray, Outcome]] = []
    for members in parts.blocks:
        if len(members) > 1:
            outcomes.append((members, _solve_block(problem.part(members), keep_all, limit, end)))
    return _combine(problem, parts.settled, outcomes, keep_all, limit)


def _solve_block(problem: Problem, keep_all: bool, limit: int, end: float) -> Outcome:
    if not is_small(problem):
        return Block(problem, end).solve(keep_all, limit)
    solutions, value, complete = best_of_all(problem, limit if keep_all else 1)
    return Outcome(solutions, value, value, complete)


def _combine(
    problem: Problem, settled: BoolArray, outcomes: list[tuple[IntArray, Outcome]], keep_all: bool, limit: int
) -> Outcome:
    """Put the solutions of the blocks together in all ways, as far as the limit goes."""
    solutions = [settled]
    exhausted = keep_all and all(outcome.exhausted for _, outcome in outcomes)
    for members, outcome in outcomes:
        inner = np.ix_(members, members)
        wider: list[BoolArray] = []
        for solution in solutions:
            for choice in outcome.solutions:
                if len(wider) == limit:
                    break
                whole = solution.copy()
                whole[inner] = choice
                wider.append(whole)
        exhausted &= len(wider) == len(solutions) * len(outcome.solutions)
        solutions = wider
    between = problem.value(settled)
    return Outcome(
        solutions=solutions,
        value=between + sum(outcome.value for _, outcome in outcomes),
        bound=between + sum(outcome.bound for _, outcome in outcomes),
        exhausted=exhausted,
        programs=sum(outcome.programs for _, outcome in outcomes),
    )


def _free(problem: Problem, keep_all: bool, limit: int) -> Outcome:
    """Solve a class without transitivity: every pair alone."""
    solution, several = pairwise_optima(problem)
    value = problem.value(solution)
    solutions = [solution]
    exhausted = keep_all
    if keep_all:
        for i, j in zip(*(side[several] for side in problem.pairs), strict=True):
            turned = []
            for relation in solutions[: limit - len(solutions)] if len(solutions) < limit else []:
                other = relation.copy()
                other[i, j], other[j, i] = relation[j, i], relation[i, j]
                turned.append(other)
            exhausted &= len(turned) == len(solutions)
            solutions = solutions + turned
    return Outcome(solutions, value, value, exhausted)
