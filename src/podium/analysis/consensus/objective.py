"""What a consensus minimises: a cost for every pair of algorithms, within a class of relations; and its optima."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from podium.analysis.consensus.profile import whole_weights
from podium.analysis.consensus.relation_classes import BOTH, FIRST, NEITHER, SECOND, STATES, RelationClass
from podium.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Objective:
    """The sum of ``costs[i, j]`` over the pairs i R j, to be minimised among the relations of a class.

    With N_ij the weight of the voters with i R j, and W the weight of all, the criterion Σ_v w_v d(R, R_v) is
    Σ N_ij + Σ_{i R j} (W − 2 N_ij), with sums over i ≠ j (Hornik & Meyer 2007): the costs are W − 2 N_ij.

    Attributes
    ----------
    costs : ndarray of float, shape (K, K)
        The diagonal is 0.
    within : RelationClass
    whole : bool
        Whether all costs are whole numbers; then values are compared exactly.
    """

    costs: FloatArray
    within: RelationClass
    whole: bool

    @property
    def size(self) -> int:
        """Number of algorithms."""
        return len(self.costs)

    @cached_property
    def tolerance(self) -> float:
        """Differences of the criterion up to this are rounding errors."""
        if self.whole:
            return 0.25
        return 1e-9 * float(np.abs(self.costs).sum() + 1e-300)

    @cached_property
    def steps(self) -> tuple[float, float] | None:
        """(step, offset) if costs are whole numbers: values are whole multiples of the step above the offset."""
        if not self.whole:
            return None
        table = self.state_costs()[list(self.within.states)]
        differences = np.abs(table - table[0]).astype(np.int64)
        return float(np.gcd.reduce(differences, axis=None)) or 1.0, float(table[0].sum())

    def round_up(self, bound: float) -> float:
        """Raise a bound to the next value that a relation can have."""
        if self.steps is None:
            return bound
        step, offset = self.steps
        return float(np.ceil((bound - offset) / step - 1e-6) * step + offset)

    def without_ties(self) -> Objective | None:
        """Return the objective without ties if some optimum has none, else None.

        That is so if no tie costs less than the mean of both orders: breaking the ties by a random order then costs
        nothing on average, so some order costs no more.
        """
        states = self.within.states
        if FIRST not in states or BOTH not in states or (self.costs + self.costs.T < -self.tolerance).any():
            return None
        fewer = tuple(state for state in states if state != BOTH)
        return Objective(self.costs, replace(self.within, states=fewer), self.whole)

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
        for state in self.within.states:
            table[state] = values[state]
        return table

    def pairwise_optima(self) -> tuple[BoolArray, BoolArray]:
        """Solve every pair separately: a cheapest state for each, and which pairs have several."""
        i, j = self.pairs
        table = self.state_costs()
        state = table.argmin(axis=0)
        several = (table <= table.min(axis=0) + self.tolerance).sum(axis=0) > 1
        solution = np.zeros((self.size, self.size), bool)
        values = np.array(STATES, bool)
        solution[i, j], solution[j, i] = values[state, 0], values[state, 1]
        return solution, several

    def value(self, solution: BoolArray) -> float:
        """Value of a solution."""
        return float(self.costs[solution].sum())

    def part(self, members: IntArray) -> Objective:
        """Return the objective on some of the algorithms."""
        return Objective(self.costs[np.ix_(members, members)], self.within, self.whole)


@dataclass(frozen=True, eq=False)
class Optima:
    """What is known about the optima of an objective.

    Attributes
    ----------
    solutions : list of ndarray of bool
        Relations with the smallest value found, without diagonals.
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


def consensus_objective(
    voters: BoolArray, weights: FloatArray, within: RelationClass, judged: BoolArray | None = None
) -> tuple[Objective, float]:
    """Costs W − 2 N of the voters' matrices, and the factor (or 1) that made them whole numbers.

    Where voters rank only some of the algorithms, W_ij is the weight of those that have `judged` the pair: the
    distance to a voter counts no other pairs (Dwork, Kumar, Naor & Sivakumar 2001, the induced Kendall distance).
    """
    whole = whole_weights(weights)
    weights, factor = (weights, 1.0) if whole is None else whole
    total = weights.sum() if judged is None else np.tensordot(weights, judged, axes=1)
    costs = total - 2.0 * np.tensordot(weights, voters, axes=1)
    np.fill_diagonal(costs, 0.0)
    return Objective(costs, within, whole is not None), factor
