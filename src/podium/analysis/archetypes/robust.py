"""Robust descent: residuals are weighted by their length (dissertation, section 9.3, formula 9.3).

Observations with a weight below 0.1 leave the hull of which archetypes are points. R's package moves observations
towards the centre instead (formula 9.4). That is not the same problem: its archetypes shrink, and its sum of losses is
greater.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from podium.analysis.archetypes.descent import Descent, Problem, descend
from podium.analysis.archetypes.family import Family
from podium.analysis.archetypes.hull import HullPoint, project, vertex
from podium.analysis.archetypes.solution import OUTLYING
from podium.arrays import FloatArray, IntArray

_STEPS = 10  # largest number of steps with the same weights
_INNER = 1e-4  # tolerance of these
_PATIENCE = 3  # iterations without a smaller criterion after which the descent ends


def descend_robustly(
    problem: Problem, points: Sequence[HullPoint], family: Family, *, tol: float, most: int
) -> Descent:
    """Alternate between robust weights and a descent with these weights of the residuals.

    The tuning constant may fall from one iteration to the next, never rise, so that the best criterion so far never
    increases. The best iterate is returned, not the last one.
    """
    counts = problem.weights
    held = list(points)
    archetypes = np.array([point.point for point in held])
    # The first weights are those for equal coefficients, so that only what is far from all archetypes is moved.
    a = np.full((len(problem.targets), len(held)), 1 / len(held))
    lengths = family.lengths(problem.residuals(archetypes, a))
    constant = family.constant(lengths, counts)
    weights = family.weights(lengths, constant)
    trace, weight_trace, history = [archetypes], [np.ones_like(lengths)], []
    a = problem.coefficients(archetypes)
    first = family.lengths(problem.residuals(archetypes, a))
    best = (family.criterion(first, constant, counts), held, archetypes, a, weights, constant)
    stale, converged = 0, False
    for _ in range(most):
        weighted, kept = reweighted(problem, weights, len(held))
        begin = _inside(held, problem, weighted, kept)
        inner = descend(weighted, begin, tol=max(tol, _INNER), most=_STEPS, coefficients=a)
        held = [replace(point, rows=kept[point.rows]) for point in inner.points]
        archetypes, a = inner.archetypes, inner.coefficients
        lengths = family.lengths(problem.residuals(archetypes, a))
        constant = min(constant, family.constant(lengths, counts))
        weights = family.weights(lengths, constant)
        criterion = family.criterion(lengths, constant, counts)
        before = family.criterion(family.lengths(problem.residuals(best[2], best[3])), constant, counts)
        trace.append(archetypes)
        weight_trace.append(weights)
        if criterion < before:
            stale = 0 if before - criterion > tol * before else stale + 1
            best = (criterion, held, archetypes, a, weights, constant)
        else:
            stale += 1
            best = (before, *best[1:5], constant)
        history.append(best[0])
        if stale >= _PATIENCE:
            converged = True
            break
    criterion, held, archetypes, a, _, constant = best
    lengths = family.lengths(problem.residuals(archetypes, a))
    return Descent(
        tuple(replace(point, point=z) for point, z in zip(held, archetypes, strict=True)),
        a,
        criterion,
        tuple(history),
        tuple(trace),
        converged,
        family.weights(lengths, constant),
        tuple(weight_trace),
    )


def centre_of(problem: Problem) -> FloatArray:
    """Mean of the observations, over their observed cells."""
    n = len(problem.targets)
    counts = np.ones(n) if problem.weights is None else problem.weights
    if problem.observed is None:
        return np.asarray(counts @ problem.targets / counts.sum())
    return np.asarray(counts @ problem.targets / np.maximum(counts @ problem.observed, 1e-300))


def reweighted(problem: Problem, weights: FloatArray, k: int) -> tuple[Problem, IntArray]:
    """The same with weights of the residuals, and without the outliers in the hull; also which of the hull are left."""
    inside = weights[problem.hull_rows]
    kept = np.flatnonzero(inside >= OUTLYING)
    if len(kept) < k:
        kept = np.sort(np.argsort(-inside, kind="stable")[:k])
    counts = weights if problem.weights is None else weights * problem.weights
    return replace(problem, weights=counts, hull=problem.hull[kept], hull_rows=problem.hull_rows[kept]), kept


def _inside(held: Sequence[HullPoint], problem: Problem, weighted: Problem, kept: IntArray) -> list[HullPoint]:
    """Archetypes as combinations of the observations that are left in the hull; the nearest ones where needed."""
    place = np.full(len(problem.hull), -1)
    place[kept] = np.arange(len(kept))
    found = []
    for point in held:
        rows = place[point.rows]
        if (rows >= 0).all():
            found.append(replace(point, rows=rows))
        else:
            nearest = int(((weighted.hull - point.point) ** 2).sum(axis=1).argmin())
            found.append(project(weighted.hull, point.point, vertex(weighted.hull, nearest)))
    return found
