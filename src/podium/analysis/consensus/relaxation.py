"""The linear relaxation of a consensus, with laws added where they are broken, and the bound it proves.

There are K (K − 1) (K − 2) rows of transitivity, of which few matter: they are added when a solution breaks them. The
bound does not rest on the tolerances of the solver: for any multipliers y ≥ 0 of the rows A x ≤ b

    Σ c x  =  −Σ y b  +  Σ_pairs ĉ(state)  +  Σ y · slack,    ĉ = c + Aᵀ y,    slack = b − A x ≥ 0,

so Σ_pairs min ĉ(state) − Σ y b is a lower bound, computed here from the multipliers that the solver returns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_array, vstack

from podium.analysis.consensus.problem import Problem, pairwise_optima
from podium.analysis.consensus.rows import Columns, Rows, broken_laws
from podium.arrays import BoolArray, FloatArray

FRACTIONAL = 1e-5
ROWS_PER_COLUMN = 3  # so many new rows at a time
INFEASIBLE = 2  # status of the solver
LONG = 1e7  # seconds; the solver wants a number


@dataclass(frozen=True, eq=False)
class Bound:
    """A lower bound, and what it says about each pair and each row.

    Attributes
    ----------
    value : float
    entries : ndarray of float, shape (K, K)
        The solution of the relaxation.
    integral : bool
        Whether it is a relation.
    excess : ndarray of float, shape (4, pairs)
        By how much a state of a pair exceeds the cheapest one.
    rows : Rows
        Laws with a multiplier.
    multipliers : ndarray of float
    """

    value: float
    entries: FloatArray
    integral: bool
    excess: FloatArray
    rows: Rows
    multipliers: FloatArray

    @property
    def solution(self) -> BoolArray:
        """Return the solution rounded."""
        rounded: BoolArray = self.entries > 0.5
        return rounded


@dataclass
class Program:
    """A problem with the rows found so far; rows found once serve all later calls."""

    problem: Problem
    solved: int = 0
    columns: Columns = field(init=False)
    laws: Rows = field(init=False)  # on the entries
    matrix: csr_array | None = field(init=False)  # all rows, on the columns
    right: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        self.columns = Columns.of(self.problem)
        self.laws = Rows(csr_array((0, self.problem.size**2)), np.zeros(0))
        self.matrix, self.right = self.columns.pair_rows, self.columns.pair_right
        self.cost = self.columns.map.T @ self.problem.costs.ravel()
        self.constant = float(self.columns.shift @ self.problem.costs.ravel())

    def add_broken(self, entries: FloatArray) -> bool:
        """Add laws that a matrix breaks; say whether there were any."""
        fresh = broken_laws(self.problem, entries, ROWS_PER_COLUMN * self.columns.count)
        if fresh is None:
            return False
        on_columns = csr_array(fresh.matrix @ self.columns.map)
        self.laws = Rows(
            vstack([self.laws.matrix, fresh.matrix], format="csr"), np.concatenate([self.laws.right, fresh.right])
        )
        self.matrix = on_columns if self.matrix is None else vstack([self.matrix, on_columns], format="csr")
        self.right = np.concatenate([self.right, fresh.right - fresh.matrix @ self.columns.shift])
        return True

    def relax(self, lower: BoolArray, upper: BoolArray, end: float = np.inf) -> Bound | None:
        """Solve the relaxation within bounds of the entries; None if there is nothing in them.

        If time runs out, the bound of the last program solved is returned, or that of the pairs alone.
        """
        bounds = self.columns.bounds(lower, upper)
        start, _ = pairwise_optima(self.problem)
        entries, multipliers, lawful = start.astype(np.float64), np.zeros(0), False
        # With ties or open pairs the rows at hand leave presolve little to remove, and it costs up to half of the time.
        presolve = len(self.problem.rule.states) == 2
        while (left := end - perf_counter()) > 0:
            rows = len(self.laws.right)
            outcome = linprog(  # type: ignore[call-overload]  # the stubs know no sparse rows
                self.cost,
                A_ub=self.matrix,
                b_ub=None if self.matrix is None else self.right,
                bounds=bounds,
                method="highs-ds",
                options={"time_limit": min(left, LONG), "presolve": presolve},
            )
            self.solved += 1
            if outcome.status == INFEASIBLE:
                return None
            if outcome.status != 0:
                break
            entries = self.columns.entries(np.asarray(outcome.x))
            multipliers = np.maximum(-np.asarray(outcome.ineqlin.marginals)[len(self.right) - rows :], 0.0)
            if not self.add_broken(entries):
                lawful = True
                break
        return self._bound(entries, multipliers, lower, upper, lawful)

    def integer(self, lower: BoolArray, upper: BoolArray, seconds: float) -> tuple[BoolArray | None, float]:
        """Solve with whole numbers; return a solution, if one was reached, and a lower bound."""
        bounds = Bounds(*self.columns.bounds(lower, upper).T)
        end = perf_counter() + seconds
        best = -np.inf
        while (left := end - perf_counter()) > 0:
            outcome = milp(
                self.cost,
                integrality=np.ones(self.columns.count, np.int64),
                bounds=bounds,
                constraints=[] if self.matrix is None else LinearConstraint(self.matrix, ub=self.right),
                options={"mip_rel_gap": 0.0, "time_limit": min(left, LONG)},
            )
            self.solved += 1
            if outcome.mip_dual_bound is not None:
                best = max(best, float(outcome.mip_dual_bound) + self.constant)
            if outcome.status != 0:  # time is up
                break
            entries = np.round(self.columns.entries(np.asarray(outcome.x)))
            if not self.add_broken(entries):
                return entries > 0.5, best
        return None, best

    def _bound(
        self, entries: FloatArray, multipliers: FloatArray, lower: BoolArray, upper: BoolArray, lawful: bool
    ) -> Bound:
        used = np.flatnonzero(multipliers > 0)
        rows, y = Rows(csr_array(self.laws.matrix[used]), self.laws.right[used]), multipliers[used]
        reduced = self.problem.costs + (rows.matrix.T @ y).reshape(self.problem.costs.shape)
        table = self.problem.state_costs(reduced)
        table[~allowed_states(self.problem, lower, upper)] = np.inf
        cheapest = table.min(axis=0)
        return Bound(
            value=float(cheapest.sum() - y @ rows.right),
            entries=entries,
            integral=lawful and bool((np.abs(entries - np.round(entries)) < FRACTIONAL).all()),
            excess=table - cheapest,
            rows=rows,
            multipliers=y,
        )


def allowed_states(problem: Problem, lower: BoolArray, upper: BoolArray) -> BoolArray:
    """Which states of each pair lie within bounds of the entries, 4 × pairs."""
    i, j = problem.pairs
    one, other = upper[i, j], upper[j, i]
    not_one, not_other = ~lower[i, j], ~lower[j, i]
    return np.stack([one & not_other, not_one & other, one & other, not_one & not_other])
