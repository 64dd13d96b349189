"""Descent: from starting archetypes to a solution from which no step of the two convex problems leads down.

The coefficients for given archetypes are exact (`simplex`). Given coefficients, the criterion is, in one archetype, a
squared distance to a point that is known in closed form, so that the best archetype is the projection of that point on
the hull of the observations, which is exact, too (`hull`). No step increases the criterion. Between steps the
archetypes are extrapolated along their last move, as in accelerated gradients; where that does not pay, it is taken
back (Nesterov 1983; O'Donoghue & Candès 2015, restarts).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from podium.analysis.archetypes.hull import HullPoint, project
from podium.analysis.archetypes.simplex import simplex_least_squares
from podium.arrays import BoolArray, FloatArray, IntArray

_NEGLIGIBLE = 1e-4  # criteria below this, relative to that of one archetype at the origin, are not made much smaller
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
    """

    targets: FloatArray
    hull: FloatArray
    hull_rows: IntArray
    weights: FloatArray | None = None
    observed: BoolArray | None = None

    @property
    def total(self) -> float:
        """Weighted sum of squares of all targets."""
        squares = np.einsum("ij,ij->i", self.targets, self.targets)
        return float(squares.sum() if self.weights is None else squares @ self.weights)

    def coefficients(self, archetypes: FloatArray, start: FloatArray | None = None) -> FloatArray:
        """Best coefficients of every observation."""
        if self.observed is None:
            return simplex_least_squares(archetypes, self.targets, start)
        return coefficients_of_observed(archetypes, self.targets, self.observed, start)

    def residuals(self, archetypes: FloatArray, coefficients: FloatArray) -> FloatArray:
        """Residuals; 0 where a cell is missing."""
        residuals = self.targets - coefficients @ archetypes
        return residuals if self.observed is None else np.where(self.observed, residuals, 0.0)

    def rss(self, archetypes: FloatArray, coefficients: FloatArray) -> float:
        """Weighted residual sum of squares."""
        residuals = self.residuals(archetypes, coefficients)
        squares = np.einsum("ij,ij->i", residuals, residuals)
        return float(squares.sum() if self.weights is None else squares @ self.weights)

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
        )


def coefficients_of_observed(
    archetypes: FloatArray, targets: FloatArray, observed: BoolArray, start: FloatArray | None = None
) -> FloatArray:
    """Best coefficients by the observed cells; rows with the same cells share their least-squares problem."""
    found = np.full((len(targets), len(archetypes)), 1 / len(archetypes))
    patterns, group = np.unique(observed, axis=0, return_inverse=True)
    for g, cells in enumerate(patterns):
        if cells.any():
            rows = np.flatnonzero(group.ravel() == g)
            begin = None if start is None else start[rows]
            found[rows] = simplex_least_squares(archetypes[:, cells], targets[np.ix_(rows, cells)], begin)
    return found


@dataclass(frozen=True, eq=False)
class Descent:
    """Where a descent has come to.

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
        They, in each iteration.
    """

    points: tuple[HullPoint, ...]
    coefficients: FloatArray
    criterion: float
    history: tuple[float, ...]
    trace: tuple[FloatArray, ...]
    converged: bool
    weights: FloatArray | None = None
    weight_trace: tuple[FloatArray, ...] = ()

    @property
    def archetypes(self) -> FloatArray:
        """The archetypes, one per row."""
        return np.array([point.point for point in self.points])


def descend(
    problem: Problem,
    points: Sequence[HullPoint],
    *,
    tol: float,
    most: int,
    coefficients: FloatArray | None = None,
) -> Descent:
    """Descend until an iteration reduces the criterion by less than `tol`, relative to it, or `most` iterations."""
    held = list(points)
    archetypes = np.array([point.point for point in held])
    total = problem.total
    rounding = 1e-15 * total
    trace, history = [archetypes], [np.inf]
    ahead, a, momentum, calm = archetypes, coefficients, 1.0, 0
    best_a = problem.coefficients(archetypes, a)
    while len(history) <= most:
        a = problem.coefficients(ahead, best_a) if ahead is not archetypes else problem.coefficients(archetypes, best_a)
        moved, new, change = move_archetypes(problem, a, held)
        criterion = total + change
        if not criterion <= history[-1] + rounding and momentum > 1:  # back to before the extrapolation
            momentum, ahead = 1.0, archetypes
            continue
        criterion = min(criterion, history[-1])
        gained = history[-1] - criterion
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / following * (new - archetypes)
        momentum, held, archetypes, best_a = following, moved, new, a
        history.append(criterion)
        trace.append(archetypes)
        if gained <= tol * max(criterion, _NEGLIGIBLE * total):
            calm += 1
            if calm >= 2:
                break
            momentum, ahead = 1.0, archetypes
        else:
            calm = 0
    best_a = problem.coefficients(archetypes, best_a)
    rss = problem.rss(archetypes, best_a)
    history[-1] = min(history[-1], max(rss, 0.0)) if len(history) > 1 else rss
    return Descent(tuple(held), best_a, rss, tuple(np.maximum(history[1:], rss)), tuple(trace), calm >= 2)


def move_archetypes(
    problem: Problem, a: FloatArray, points: Sequence[HullPoint]
) -> tuple[list[HullPoint], FloatArray, float]:
    """Move one archetype after the other to its best place in the hull, for given coefficients.

    Returns the archetypes, as combinations and as points, and the criterion without the constant part.
    """
    if problem.observed is not None:
        return _move_by_observed(problem, a, points)
    weighted = a if problem.weights is None else a * problem.weights[:, None]
    gram, cross = weighted.T @ a, weighted.T @ problem.targets
    moved = list(points)
    place = np.array([point.point for point in points])
    for j in range(len(moved)):
        if gram[j, j] > _UNUSED * len(a):
            moved[j] = project(problem.hull, place[j] + (cross[j] - gram[j] @ place) / gram[j, j], moved[j])
            place[j] = moved[j].point
    return moved, place, float(np.sum(gram * (place @ place.T)) - 2 * np.sum(cross * place))


def _move_by_observed(
    problem: Problem, a: FloatArray, points: Sequence[HullPoint]
) -> tuple[list[HullPoint], FloatArray, float]:
    """The same where cells are missing: each variable has a weight of its own in the distance of an archetype."""
    cells = np.ones(problem.targets.shape, dtype=bool) if problem.observed is None else problem.observed
    observed = cells.astype(np.float64)
    if problem.weights is not None:
        observed = observed * problem.weights[:, None]
    moved = list(points)
    place = np.array([point.point for point in points])
    residuals = problem.residuals(place, a)
    for j in range(len(moved)):
        metric = (a[:, j] ** 2) @ observed
        if metric.max() <= _UNUSED * len(a):
            continue
        pull = a[:, j] @ (residuals * observed)
        target = place[j] + np.divide(pull, metric, out=np.zeros_like(pull), where=metric > 0)
        stretch = np.sqrt(metric / metric.max())
        bent = replace(moved[j], point=moved[j].point * stretch)
        found = project(problem.hull * stretch, target * stretch, bent)
        moved[j] = replace(found, point=found.shares @ problem.hull[found.rows])
        residuals = residuals - np.where(cells, np.outer(a[:, j], moved[j].point - place[j]), 0.0)
        place[j] = moved[j].point
    squares = np.einsum("ij,ij->i", residuals, residuals)
    rss = float(squares.sum() if problem.weights is None else squares @ problem.weights)
    return moved, place, rss - problem.total


def relocate(points: Sequence[HullPoint], hull: FloatArray) -> list[HullPoint]:
    """The same combinations of observations that have moved."""
    return [replace(point, point=point.shares @ hull[point.rows]) for point in points]
