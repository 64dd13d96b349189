"""Robust descent: residuals are weighted by their length (dissertation, section 9.3, formula 9.3).

Observations with a weight below 0.1 leave the hull of which archetypes are points. R's package moves observations
towards the centre instead (formula 9.4). That is not the same problem: its archetypes shrink, and its sum of losses is
greater.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from podium.analysis.archetypes.descent import Descent, Problem, descend_together
from podium.analysis.archetypes.family import Family
from podium.analysis.archetypes.hull import HullPoint, project, vertex
from podium.analysis.archetypes.solution import OUTLYING
from podium.arrays import BoolArray, FloatArray

_STEPS = 10  # largest number of steps with the same weights
_INNER = 1e-4  # tolerance of these
_PATIENCE = 3  # iterations without a smaller criterion after which the descent ends


def descend_robustly(
    problem: Problem,
    starts: Sequence[Sequence[HullPoint]],
    family: Family,
    *,
    tol: float,
    most: Sequence[int],
    constants: Sequence[float],
) -> list[Descent]:
    """Alternate between robust weights and a descent with these weights of the residuals, from several starts.

    The tuning constant may fall from one iteration to the next, never rise, so that the best criterion so far never
    increases. The best iterate is returned, not the last one. `constants` are those of the descents that ended in
    `starts` and now go on; infinite for new ones.
    """
    descents = [
        _RobustDescent(problem, points, family, constant) for points, constant in zip(starts, constants, strict=True)
    ]
    for iteration in range(max(most)):
        going = [
            descent for descent, limit in zip(descents, most, strict=True) if descent.goes_on and iteration < limit
        ]
        if not going:
            break
        allowed = np.array([descent.allowed() for descent in going])
        ended = descend_together(
            problem,
            [_inside(descent.points, problem, mine) for descent, mine in zip(going, allowed, strict=True)],
            tol=max(tol, _INNER),
            most=_STEPS,
            coefficients=np.stack([descent.coefficients.T for descent in going], axis=1),
            weights=np.array([descent.residual_weights() for descent in going]),
            allowed=allowed,
        )
        for descent, inner in zip(going, ended, strict=True):
            descent.take(inner, tol)
    return [descent.ended() for descent in descents]


def _tuning_constant(problem: Problem, family: Family, lengths: FloatArray) -> float:
    """The tuning constant for residuals of these lengths, whatever the unit of the data."""
    return problem.unit * family.constant(lengths / problem.unit, problem.weights)


class _RobustDescent:
    """A robust descent between two iterations: where it is, the weights there, and the best iterate so far."""

    def __init__(self, problem: Problem, points: Sequence[HullPoint], family: Family, constant: float) -> None:
        self.problem, self.family, self.points = problem, family, tuple(points)
        archetypes = np.array([point.point for point in points])
        self.coefficients = problem.coefficients(archetypes)
        lengths = family.lengths(problem.residuals(archetypes, self.coefficients))
        self.best = self.points, self.coefficients, lengths
        self.constant = constant
        if constant == np.inf:
            # The first weights are those for equal coefficients, so that only what is far from all archetypes is moved.
            equal = np.full((len(problem.targets), len(points)), 1 / len(points))
            lengths = family.lengths(problem.residuals(archetypes, equal))
            self.constant = _tuning_constant(problem, family, lengths)
        self.weights = family.weights(lengths, self.constant)
        self.trace, self.weight_trace = [archetypes], [np.ones_like(lengths)]
        self.history: list[float] = []
        self.stale = 0

    @property
    def goes_on(self) -> bool:
        """Whether the criterion has fallen lately."""
        return self.stale < _PATIENCE

    def residual_weights(self) -> FloatArray:
        """Weights of the squared residuals: the robust ones, and those that were given."""
        return self.weights if self.problem.weights is None else self.weights * self.problem.weights

    def allowed(self) -> BoolArray:
        """Which observations of the hull are not outliers; at least as many as there are archetypes."""
        inside = self.weights[self.problem.hull_rows]
        found = inside >= OUTLYING
        if found.sum() < len(self.points):
            found[np.argsort(-inside, kind="stable")[: len(self.points)]] = True
        return np.asarray(found)

    def take(self, inner: Descent, tol: float) -> None:
        """Move to the end of a descent with these weights, and find the weights there."""
        family, counts = self.family, self.problem.weights
        self.points, self.coefficients = inner.points, inner.coefficients
        lengths = family.lengths(self.problem.residuals(inner.archetypes, inner.coefficients))
        self.constant = min(self.constant, _tuning_constant(self.problem, family, lengths))
        self.weights = family.weights(lengths, self.constant)
        criterion = family.criterion(lengths, self.constant, counts)
        before = family.criterion(self.best[2], self.constant, counts)
        self.stale = 0 if before - criterion > tol * before else self.stale + 1
        if criterion < before:
            self.best = self.points, self.coefficients, lengths
        self.history.append(min(criterion, before))
        self.trace.append(inner.archetypes)
        self.weight_trace.append(self.weights)

    def ended(self) -> Descent:
        """The best iterate, with its weights."""
        points, coefficients, lengths = self.best
        return Descent(
            points,
            coefficients,
            self.family.criterion(lengths, self.constant, self.problem.weights),
            tuple(self.history),
            tuple(self.trace),
            not self.goes_on,
            self.family.weights(lengths, self.constant),
            tuple(self.weight_trace),
            self.constant,
        )


def _inside(points: Sequence[HullPoint], problem: Problem, allowed: BoolArray) -> list[HullPoint]:
    """Archetypes as combinations of the allowed observations of the hull; the nearest ones where needed."""
    rows = np.flatnonzero(allowed)
    found = []
    for point in points:
        if not allowed[point.rows].all():
            nearest = rows[((problem.hull[rows] - point.point) ** 2).sum(axis=1).argmin()]
            point = project(problem.hull, point.point, vertex(problem.hull, int(nearest)), allowed=allowed)
        found.append(point)
    return found
