"""The linear relaxation of a consensus, with cutting planes added where they are violated, and the bound it proves.

There are K (K − 1) (K − 2) rows of transitivity, of which few matter: they are added when a solution violates them. The
bound does not depend on the tolerances of the solver: for any multipliers y ≥ 0 of the rows A x ≤ b

    Σ c x  =  −Σ y b  +  Σ_pairs ĉ(state)  +  Σ y · slack,    ĉ = c + Aᵀ y,    slack = b − A x ≥ 0,

so Σ_pairs min ĉ(state) − Σ y b is a lower bound. It is computed here from the multipliers that the solver returns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_array, vstack

from podium.analysis.consensus.cutting_planes import Inequalities, violated_rows
from podium.analysis.consensus.objective import Objective
from podium.analysis.consensus.relation_classes import BOTH, NEITHER
from podium.arrays import BoolArray, FloatArray, IntArray

FRACTIONAL = 1e-5
ROWS_PER_COLUMN = 3  # how many new rows are added at a time
INFEASIBLE = 2  # status of the solver
LONG = 1e7  # seconds; the solver needs a number


@dataclass(frozen=True, eq=False)
class Bound:
    """A lower bound, and what it implies for each pair and each row.

    Attributes
    ----------
    value : float
    entries : ndarray of float, shape (K, K)
        The solution of the relaxation.
    integral : bool
        Whether it is a relation.
    excess : ndarray of float, shape (4, pairs)
        By how much each state of each pair exceeds the cheapest one.
    rows : Inequalities
        Rows with a positive multiplier.
    multipliers : ndarray of float
    """

    value: float
    entries: FloatArray
    integral: bool
    excess: FloatArray
    rows: Inequalities
    multipliers: FloatArray

    @property
    def solution(self) -> BoolArray:
        """The rounded solution."""
        return self.entries > 0.5


@dataclass
class LinearProgram:
    """The relaxation of an objective with the rows found so far; all later calls use them."""

    objective: Objective
    solved: int = 0
    columns: Columns = field(init=False)
    rows: Inequalities = field(init=False)  # on the entries
    matrix: csr_array | None = field(init=False)  # all rows, on the columns
    right: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        self.columns = Columns.of(self.objective)
        self.rows = Inequalities(csr_array((0, self.objective.size**2)), np.zeros(0))
        self.matrix, self.right = self.columns.pair_rows, self.columns.pair_right
        self.cost = self.columns.map.T @ self.objective.costs.ravel()
        self.constant = float(self.columns.shift @ self.objective.costs.ravel())

    def add_violated(self, entries: FloatArray) -> bool:
        """Add rows that a matrix violates; say whether there were any."""
        fresh = violated_rows(self.objective, entries, ROWS_PER_COLUMN * self.columns.count)
        if fresh is None:
            return False
        on_columns = csr_array(fresh.matrix @ self.columns.map)
        self.rows = Inequalities(
            vstack([self.rows.matrix, fresh.matrix], format="csr"), np.concatenate([self.rows.right, fresh.right])
        )
        self.matrix = on_columns if self.matrix is None else vstack([self.matrix, on_columns], format="csr")
        self.right = np.concatenate([self.right, fresh.right - fresh.matrix @ self.columns.shift])
        return True

    def relax(self, lower: BoolArray, upper: BoolArray, end: float = np.inf) -> Bound | None:
        """Solve the relaxation within bounds of the entries; None if it is infeasible.

        If time runs out, the bound of the last program solved is returned, or that of the pairs alone.
        """
        bounds = self.columns.bounds(lower, upper)
        start, _ = self.objective.pairwise_optima()
        entries, multipliers, feasible = start.astype(np.float64), np.zeros(0), False
        # With ties or open pairs presolve removes little, and it takes up to half of the time.
        presolve = len(self.objective.within.states) == 2
        while (left := end - perf_counter()) > 0:
            count = len(self.rows.right)
            outcome = linprog(  # type: ignore[call-overload]  # the stubs do not allow sparse rows
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
            multipliers = np.maximum(-np.asarray(outcome.ineqlin.marginals)[len(self.right) - count :], 0.0)
            if not self.add_violated(entries):
                feasible = True
                break
        return self._bound(entries, multipliers, lower, upper, feasible)

    def integer(self, lower: BoolArray, upper: BoolArray, seconds: float) -> tuple[BoolArray | None, float]:
        """Solve with whole numbers; return a solution, if one was found, and a lower bound."""
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
            if not self.add_violated(entries):
                return entries > 0.5, best
        return None, best

    def _bound(
        self, entries: FloatArray, multipliers: FloatArray, lower: BoolArray, upper: BoolArray, feasible: bool
    ) -> Bound:
        used = np.flatnonzero(multipliers > 0)
        rows, y = Inequalities(csr_array(self.rows.matrix[used]), self.rows.right[used]), multipliers[used]
        reduced = self.objective.costs + (rows.matrix.T @ y).reshape(self.objective.costs.shape)
        table = self.objective.state_costs(reduced)
        table[~allowed_states(self.objective, lower, upper)] = np.inf
        cheapest = table.min(axis=0)
        return Bound(
            value=float(cheapest.sum() - y @ rows.right),
            entries=entries,
            integral=feasible and bool((np.abs(entries - np.round(entries)) < FRACTIONAL).all()),
            excess=table - cheapest,
            rows=rows,
            multipliers=y,
        )


def allowed_states(objective: Objective, lower: BoolArray, upper: BoolArray) -> BoolArray:
    """Which states of each pair lie within bounds of the entries, 4 × pairs."""
    i, j = objective.pairs
    one, other = upper[i, j], upper[j, i]
    not_one, not_other = ~lower[i, j], ~lower[j, i]
    return np.stack([one & not_other, not_one & other, one & other, not_one & not_other])


@dataclass(frozen=True, eq=False)
class Columns:
    """How the columns of a linear program give the entries x_ij of a relation: x = shift + map · columns.

    Linear orders have one column per pair, x_ji = 1 − x_ij; equivalences too, x_ji = x_ij; the others two, with a
    row per pair: x_ij + x_ji ≤ 1 for partial orders, ≥ 1 for weak orders.
    """

    map: csr_array
    shift: FloatArray
    pair_rows: csr_array | None
    pair_right: FloatArray

    @classmethod
    def of(cls, objective: Objective) -> Columns:
        """Lay out the columns for an objective."""
        size, states = objective.size, set(objective.within.states)
        i, j = objective.pairs
        n = len(i)
        above, below, number = i * size + j, j * size + i, np.arange(n)
        shift, none = np.zeros(size * size), np.zeros(0)
        if states == {BOTH, NEITHER}:
            return cls(_map(size, above, below, number, 1.0), shift, None, none)
        if len(states) == 2:
            shift[below] = 1.0
            return cls(_map(size, above, below, number, -1.0), shift, None, none)
        layout = _map(size, above, below, number + n, 1.0)
        if len(states) == 4:
            return cls(layout, shift, None, none)
        sign = 1.0 if NEITHER in states else -1.0
        rows = csr_array((np.full(2 * n, sign), (np.tile(number, 2), np.arange(2 * n))), shape=(n, 2 * n))
        return cls(layout, shift, rows, np.full(n, sign))

    @property
    def count(self) -> int:
        """Number of columns."""
        return int(self.map.shape[1])

    @cached_property
    def size(self) -> int:
        """Number of algorithms."""
        return round(float(np.sqrt(len(self.shift))))

    @cached_property
    def _leaders(self) -> IntArray:
        """An entry with a plus sign for each column."""
        rows, columns = self.map.nonzero()
        leaders = np.empty(self.count, np.intp)
        plus = self.map.data > 0
        leaders[columns[plus]] = rows[plus]
        return leaders

    def bounds(self, lower: BoolArray, upper: BoolArray) -> FloatArray:
        """Bounds of the columns, columns × 2, from bounds of the entries; entries that share a column agree."""
        return np.stack([lower.ravel()[self._leaders], upper.ravel()[self._leaders]], axis=1).astype(np.float64)

    def entries(self, values: FloatArray) -> FloatArray:
        """The entries x_ij, K × K; the diagonal is 0."""
        matrix: FloatArray = (self.shift + self.map @ values).reshape(self.size, self.size)
        return matrix


def _map(size: int, above: IntArray, below: IntArray, second: IntArray, sign: float) -> csr_array:
    """Map from columns to entries: x_ij (i < j) is column 0, 1, ..., and x_ji the sign times its second column."""
    n = len(above)
    signs = np.concatenate([np.ones(n), np.full(n, sign)])
    at = (np.concatenate([above, below]), np.concatenate([np.arange(n), second]))
    return csr_array((signs, at), shape=(size * size, int(second[-1]) + 1))
