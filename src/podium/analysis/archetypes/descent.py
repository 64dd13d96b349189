"""Descent: from starting archetypes to a solution from which no step of the two convex problems leads down.

The coefficients for given archetypes are exact (`simplex`). Given coefficients, the criterion is, in one archetype, a
squared distance to a point that is known in closed form, so that the best archetype is the projection of that point on
the hull of the observations, which is exact, too (`hull`). No step increases the criterion. Between steps the
archetypes are extrapolated along their last move, as in accelerated gradients; where that does not help, it is undone
(Nesterov 1983; O'Donoghue & Candès 2015, restarts).

Descents from several starts run side by side: each step is one call for all of them. Arrays of coefficients have the
shape (k, s, n) then, for s descents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from podium.analysis.archetypes.hull import HullPoint, project
from podium.analysis.archetypes.simplex import simplex_least_squares, stacked_least_squares
from podium.arrays import BoolArray, FloatArray, IntArray

_NEGLIGIBLE = 1e-4  # criteria below this, relative to that of one archetype at the origin, are not made much smaller
EXACT = 50  # observations that may join the combination of an archetype in an iteration: more than ever do
_UNUSED = 1e-12  # an archetype with less contribution than this, per observation, has no best position


@dataclass(frozen=True, eq=False)
class Problem:
    """What is minimised: ``Σ w_i ‖x_i − Zᵀ a_i‖²`` over the observed cells, with Z in a hull.

    Attributes
    ----------
    targets : ndarray of shape (n, m)
        Standardised observations; 0 where a cell is missing.
    hull : ndarray of shape (h, m)
        Observations whose convex combinations the archetypes are: those without missing cells.
    hull_rows : ndarray of int
        Their places among the targets.
    weights : ndarray of shape (n,), optional
        Weights of the squared residuals.
    observed : ndarray of bool, optional
        Which cells are observed; all of them by default.
    unit : float
        A standard deviation of the targets: 1, unless they were not scaled.
    """

    targets: FloatArray
    hull: FloatArray
    hull_rows: IntArray
    weights: FloatArray | None = None
    observed: BoolArray | None = None
    unit: float = 1.0

    def coefficients(self, archetypes: FloatArray) -> FloatArray:
        """Best coefficients of every observation."""
        if self.observed is None:
            return simplex_least_squares(archetypes, self.targets)
        return coefficients_of_observed(archetypes, self.targets, self.observed)

    def stacked_coefficients(self, archetypes: FloatArray, start: FloatArray | None = None) -> FloatArray:
        """The same for the archetypes of several descents, of shape (s, k, m)."""
        if self.observed is None:
            return stacked_least_squares(archetypes, self.targets, start)
        return _stacked_by_observed(archetypes, self.targets, self.observed, start)

    def residuals(self, archetypes: FloatArray, coefficients: FloatArray) -> FloatArray:
        """Residuals; 0 where a cell is missing."""
        residuals = self.targets - coefficients @ archetypes
        return residuals if self.observed is None else np.where(self.observed, residuals, 0.0)

    def rss(self, archetypes: FloatArray, coefficients: FloatArray, weights: FloatArray | None = None) -> float:
        """Residual sum of squares, with these weights."""
        residuals = self.residuals(archetypes, coefficients)
        squares = np.einsum("ij,ij->i", residuals, residuals)
        return float(squares.sum() if weights is None else squares @ weights)

    def subset(self, rows: IntArray) -> Problem:
        """The same with some of the observations."""
        place = np.full(len(self.targets), -1)
        place[rows] = np.arange(len(rows))
        kept = place[self.hull_rows] >= 0
        return Problem(
            self.targets[rows],
            self.hull[kept],
            place[self.hull_rows[kept]],
            None if self.weights is None else self.weights[rows],
            None if self.observed is None else self.observed[rows],
            self.unit,
        )


def coefficients_of_observed(archetypes: FloatArray, targets: FloatArray, observed: BoolArray) -> FloatArray:
    """Best coefficients by the observed cells."""
    return np.ascontiguousarray(_stacked_by_observed(archetypes[None], targets, observed)[:, 0].T)


def _stacked_by_observed(
    archetypes: FloatArray, targets: FloatArray, observed: BoolArray, start: FloatArray | None = None
) -> FloatArray:
    """Best coefficients by the observed cells; rows with the same cells share their least-squares problem."""
    stack, k, _ = archetypes.shape
    found = np.full((k, stack, len(targets)), 1 / k)
    patterns, group = np.unique(observed, axis=0, return_inverse=True)
    for g, cells in enumerate(patterns):
        if cells.any():
            rows = np.flatnonzero(group.ravel() == g)
            begin = None if start is None else start[:, :, rows]
            found[:, :, rows] = stacked_least_squares(archetypes[:, :, cells], targets[np.ix_(rows, cells)], begin)
    return found


@dataclass(frozen=True, eq=False)
class Descent:
    """The state that a descent has reached.

    Attributes
    ----------
    points : tuple of HullPoint
        The archetypes, as combinations of the observations of the hull.
    coefficients : ndarray of shape (n, k)
    criterion : float
        What was minimised.
    history : tuple of float
        The criterion after each iteration; it never increases.
    trace : tuple of ndarray
        The archetypes at the start and after each iteration.
    converged : bool
    weights : ndarray of shape (n,), optional
        Robust weights of the observations.
    weight_trace : tuple of ndarray
        The same in each iteration.
    constant : float
        The tuning constant of the robust loss; infinite without one.
    """

    points: tuple[HullPoint, ...]
    coefficients: FloatArray
    criterion: float
    history: tuple[float, ...]
    trace: tuple[FloatArray, ...]
    converged: bool
    weights: FloatArray | None = None
    weight_trace: tuple[FloatArray, ...] = ()
    constant: float = np.inf

    @property
    def archetypes(self) -> FloatArray:
        """The archetypes, one per row."""
        return np.array([point.point for point in self.points])


def descend_together(
    problem: Problem,
    starts: Sequence[Sequence[HullPoint]],
    *,
    tol: float,
    most: int | Sequence[int],
    joining: int = EXACT,
    coefficients: FloatArray | None = None,
    weights: FloatArray | None = None,
    allowed: BoolArray | None = None,
) -> list[Descent]:
    """Descend from several starts side by side, each until it ends.

    A descent ends when an iteration reduces the criterion by less than `tol`, relative to it, or after `most`
    iterations. Per iteration, at most `joining` observations join the combination of an archetype; with few of them a
    step is approximate, but still leads down. `coefficients` are those to start with, of shape (k, s, n). `weights`, of
    shape (s, n), replace those of the problem, and `allowed`, of shape (s, h), are the observations that may join.
    """
    stack = len(starts)
    if weights is None and problem.weights is not None:
        weights = np.broadcast_to(problem.weights, (stack, len(problem.targets)))
    squares = np.einsum("ij,ij->i", problem.targets, problem.targets)
    archetypes = np.array([[point.point for point in points] for points in starts])
    now = _Iterate(
        number=np.arange(stack),
        total=np.full(stack, squares.sum()) if weights is None else weights @ squares,
        weights=weights,
        allowed=allowed,
        held=list(starts),
        archetypes=archetypes,
        ahead=archetypes,
        coefficients=coefficients,
        criterion=np.full(stack, np.inf),
        momentum=np.ones(stack),
        calm=np.zeros(stack, np.intp),
    )
    limits = np.broadcast_to(most, stack).tolist()
    histories: list[list[float]] = [[] for _ in starts]
    traces = [[start] for start in archetypes]
    ends: dict[int, tuple[Sequence[HullPoint], FloatArray, bool]] = {}
    while len(now.number):
        now, back = _iterate(problem, now, tol, joining)
        going = now.calm < 2
        for i, number in enumerate(now.number.tolist()):
            if not back[i]:
                histories[number].append(float(now.criterion[i]))
                traces[number].append(now.archetypes[i])
                going[i] &= len(histories[number]) < limits[number]
            if not going[i]:
                ends[number] = now.held[i], now.shares[:, i], bool(now.calm[i] >= 2)
        if not going.all():
            now = now.keep(going)
    points, shares, converged = zip(*(ends[number] for number in range(stack)), strict=True)
    archetypes = np.array([[point.point for point in its] for its in points])
    a = problem.stacked_coefficients(archetypes, np.stack(shares, axis=1))
    found = []
    for i, trace in enumerate(traces):
        rss = problem.rss(archetypes[i], a[:, i].T, None if weights is None else weights[i])
        history = np.maximum(histories[i], rss)  # not that of the last iterate, which is a difference of large numbers
        history[-1] = rss
        found.append(
            Descent(tuple(points[i]), np.ascontiguousarray(a[:, i].T), rss, tuple(history), tuple(trace), converged[i])
        )
    return found


@dataclass(frozen=True, eq=False)
class _Iterate:
    """The s descents that continue, between two iterations.

    Attributes
    ----------
    number : ndarray of int
        Which of all descents they are.
    total : ndarray
        Criterion of one archetype at zero.
    weights, allowed : ndarray of shape (s, n) and (s, h), optional
    held : list of sequences of HullPoint
        The archetypes as combinations.
    archetypes, ahead : ndarray of shape (s, k, m)
        The same as points, and extrapolated along the last move.
    coefficients : ndarray of shape (k, s, n), optional
    criterion : ndarray
    momentum : ndarray
        That of the extrapolation; 1 without it.
    calm : ndarray of int
        Number of the last iterations that reduced the criterion by less than the tolerance.
    """

    number: IntArray
    total: FloatArray
    weights: FloatArray | None
    allowed: BoolArray | None
    held: Sequence[Sequence[HullPoint]]
    archetypes: FloatArray
    ahead: FloatArray
    coefficients: FloatArray | None
    criterion: FloatArray
    momentum: FloatArray
    calm: IntArray

    @property
    def shares(self) -> FloatArray:
        """The coefficients, where an iteration has found them."""
        assert self.coefficients is not None
        return self.coefficients

    def keep(self, going: BoolArray) -> _Iterate:
        """Some of the descents."""
        return _Iterate(
            self.number[going],
            self.total[going],
            None if self.weights is None else self.weights[going],
            None if self.allowed is None else self.allowed[going],
            [points for points, goes in zip(self.held, going, strict=True) if goes],
            self.archetypes[going],
            self.ahead[going],
            None if self.coefficients is None else self.coefficients[:, going],
            self.criterion[going],
            self.momentum[going],
            self.calm[going],
        )


def _iterate(problem: Problem, now: _Iterate, tol: float, joining: int) -> tuple[_Iterate, BoolArray]:
    """Find the coefficients, move the archetypes, and extrapolate.

    Also tells which descents went back to before the extrapolation, because the criterion would have increased.
    """
    a = problem.stacked_coefficients(now.ahead, now.coefficients)
    held, archetypes, criterion = _move(problem, a, now, joining)
    back = ~(criterion <= now.criterion + 1e-15 * now.total) & (now.momentum > 1)
    if back.any():
        archetypes = np.where(back[:, None, None], now.archetypes, archetypes)
        a = np.where(back[:, None], now.shares, a)
        held = [old if stays else new for old, new, stays in zip(now.held, held, back, strict=True)]
    criterion = np.where(back, now.criterion, np.minimum(criterion, now.criterion))
    still = ~back & (now.criterion - criterion <= tol * np.maximum(criterion, _NEGLIGIBLE * now.total))
    following = (1 + np.sqrt(1 + 4 * now.momentum**2)) / 2
    pace = np.where(back | still, 0.0, (now.momentum - 1) / following)
    found = replace(
        now,
        held=held,
        archetypes=archetypes,
        ahead=archetypes + pace[:, None, None] * (archetypes - now.archetypes),
        coefficients=a,
        criterion=criterion,
        momentum=np.where(back | still, 1.0, following),
        calm=np.where(back, now.calm, np.where(still, now.calm + 1, 0)),
    )
    return found, back


def _move(
    problem: Problem, a: FloatArray, now: _Iterate, joining: int
) -> tuple[list[Sequence[HullPoint]], FloatArray, FloatArray]:
    """Move one archetype after the other to its best place in the hull, for given coefficients.

    Returns the archetypes, as combinations and as points, and the criterion.
    """
    place = now.archetypes.copy()
    allowed = [None] * len(place) if now.allowed is None else list(now.allowed)
    if problem.observed is not None:
        weights = [None] * len(place) if now.weights is None else list(now.weights)
        found = [
            _move_by_observed(
                problem, problem.observed, a[:, i], now.held[i], place[i], weights[i], allowed[i], joining
            )
            for i in range(len(place))
        ]
        return [points for points, _ in found], place, np.array([criterion for _, criterion in found])
    weighted = (a if now.weights is None else a * now.weights).transpose(1, 0, 2)
    gram, cross = weighted @ a.transpose(1, 2, 0), weighted @ problem.targets
    moved: list[Sequence[HullPoint]] = []
    for points, where, products, sums, inside in zip(now.held, place, gram, cross, allowed, strict=True):
        new = list(points)
        for j, point in enumerate(points):
            own = float(products[j, j])
            if own > _UNUSED * a.shape[2]:
                target = where[j] + (sums[j] - products[j] @ where) / own
                new[j] = project(problem.hull, target, point, joining, inside)
                where[j] = new[j].point
        moved.append(new)
    fitted = np.einsum("sij,sij->s", gram, place @ place.transpose(0, 2, 1))
    return moved, place, now.total + fitted - 2 * np.einsum("sij,sij->s", cross, place)


def _move_by_observed(
    problem: Problem,
    cells: BoolArray,
    a: FloatArray,
    points: Sequence[HullPoint],
    place: FloatArray,
    weights: FloatArray | None,
    allowed: BoolArray | None,
    joining: int,
) -> tuple[list[HullPoint], float]:
    """The same for one descent where cells are missing: a variable has its own weight in the distance of an archetype.

    `place` is changed.
    """
    observed = cells.astype(np.float64) if weights is None else cells * weights[:, None]
    residuals = problem.residuals(place, a.T)
    moved = list(points)
    for j, (point, shares) in enumerate(zip(points, a, strict=True)):
        metric = shares**2 @ observed
        if metric.max() <= _UNUSED * len(shares):
            continue
        pull = shares @ (residuals * observed)
        target = place[j] + np.divide(pull, metric, out=np.zeros_like(pull), where=metric > 0)
        stretch = np.sqrt(metric / metric.max())
        bent = replace(point, members=point.members * stretch, point=point.point * stretch)
        found = project(problem.hull * stretch, target * stretch, bent, joining, allowed)
        members = problem.hull[found.rows]
        moved[j] = HullPoint(found.rows, found.shares, members, found.shares @ members)
        residuals = residuals - np.where(cells, np.outer(shares, moved[j].point - place[j]), 0.0)
        place[j] = moved[j].point
    squares = np.einsum("ij,ij->i", residuals, residuals)
    return moved, float(squares.sum() if weights is None else squares @ weights)
