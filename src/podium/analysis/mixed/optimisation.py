"""Minimise the criterion over the variance parameters.

Newton's method works on the variances themselves. Those that reach zero stay there as long as the criterion would rise
from zero; residual variances are kept a little above zero. Where the covariance matrix tends to a singular one, a
quasi-Newton method on its Cholesky factor takes over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from scipy.optimize import lsq_linear, minimize

from podium.analysis.mixed.likelihood import Point
from podium.analysis.mixed.objective import Objective
from podium.arrays import BoolArray, FloatArray

Solver: TypeAlias = Literal["closed form", "newton", "quasi-newton"]

_MOST_STEPS = 80
_FEW = 8  # up to this many residual variances, second derivatives are computed anew in every step
_DECREMENT = 1e-9  # expected decrease of the criterion below which the next step is the last
_SHORTEST = 2.0**-10
_SINGULAR = 1e-7  # smallest eigenvalue of G, relative, that counts as zero
_FLOOR = 1e-6  # lower limit of residual variances, relative to their starting values


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """Where the criterion is smallest, and how it was found.

    Attributes
    ----------
    phi : ndarray
        The variance parameters.
    point : Point
    boundary : ndarray of bool
        Which parameters ended at their lower limit; for a singular covariance matrix all its entries.
    solver : {"closed form", "newton", "quasi-newton"}
    evaluations : int
    converged : bool
    """

    phi: FloatArray
    point: Point
    boundary: BoolArray
    solver: Solver
    evaluations: int
    converged: bool


def minimise(objective: Objective, start: FloatArray) -> Solution:
    """Minimise from starting values with positive variances."""
    lower = _lower_limits(objective, start)
    found = _newton(objective, start, lower)
    if objective.unstructured and not found.converged:
        return _cholesky_descent(objective, found, lower)
    return found


def _newton(objective: Objective, phi: FloatArray, lower: FloatArray) -> Solution:
    point = objective.point(phi)
    evaluations, converged, before = 1, False, np.inf
    curvature, fresh = None, True
    costly = objective.statistics.residual_parameters > _FEW
    for _ in range(_MOST_STEPS):
        slope = objective.gradient(phi, point)
        fresh = curvature is None
        if curvature is None:
            curvature = objective.curvature(phi, point, slope=slope)
            evaluations += objective.parameters - len(objective.basis)
        free = ~((phi <= lower) & (slope >= 0))
        step, decrement = _newton_step(curvature, objective.scale(phi), phi, slope, free, lower)
        last = decrement < _DECREMENT
        found = _search(objective, phi, point, step, decrement, lower)
        if found is None and fresh:
            break
        if found is None:
            curvature, before = None, np.inf
            continue
        candidate, trial, tries = found
        evaluations += tries
        if last:
            # The decrease is below rounding error here: accept the step unless the criterion rises.
            if trial.criterion <= point.criterion + 1e-7:
                phi, point = candidate, trial
            converged = True
            break
        phi, point = candidate, trial
        # Second derivatives by differences are expensive when there are many: keep them while they serve.
        if not (costly and tries == 1 and decrement < 0.2 * before):
            curvature = None
        before = decrement
    return Solution(phi, point, phi <= lower, "newton", evaluations, converged)


def _search(
    objective: Objective, phi: FloatArray, point: Point, step: FloatArray, decrement: float, lower: FloatArray
) -> tuple[FloatArray, Point, int] | None:
    """Halve the step until the criterion decreases enough; None if it never does."""
    length, tries = 1.0, 0
    while length > _SHORTEST:
        candidate = _move(objective, phi, length * step, lower)
        if candidate is not None:
            trial = objective.point(candidate)
            tries += 1
            if decrement < _DECREMENT or trial.criterion <= point.criterion - 1e-4 * length * decrement:
                return candidate, trial, tries
        length /= 2
    return None


def _lower_limits(objective: Objective, start: FloatArray) -> FloatArray:
    """Zero for variances, a fraction of the start for residual variances, none for entries of a covariance matrix."""
    q = len(objective.basis)
    lower = np.zeros(objective.parameters)
    if objective.unstructured:
        lower[:q] = -np.inf
    residual = q + int(objective.replication)
    lower[residual:] = _FLOOR * start[residual:]
    return lower


def _newton_step(
    curvature: FloatArray,
    scale: FloatArray,
    phi: FloatArray,
    slope: FloatArray,
    free: BoolArray,
    lower: FloatArray,
) -> tuple[FloatArray, float]:
    """Newton's step over the free parameters, turned into a descent direction, and the expected decrease."""
    values, vectors = np.linalg.eigh((curvature * np.outer(scale, scale))[np.ix_(free, free)])
    values = np.maximum(np.abs(values), 1e-8 * np.abs(values).max())
    steep = (slope * scale)[free]
    inner = -vectors @ ((vectors.T @ steep) / values)
    room = ((phi - lower) / scale)[free]
    if (inner < -room).any():
        # Some variance would fall below its limit: take the best step within the limits.
        root = np.sqrt(values)[:, None] * vectors.T
        target = -(vectors.T @ steep) / np.sqrt(values)
        inner = lsq_linear(root, target, bounds=(-room - 1e-12, np.inf), method="bvls").x
    step = np.zeros(len(phi))
    step[free] = scale[free] * inner
    return step, float(-steep @ inner)


def _move(objective: Objective, phi: FloatArray, step: FloatArray, lower: FloatArray) -> FloatArray | None:
    """Take the step, but not below the limits; None where G is not a covariance matrix."""
    candidate = np.maximum(phi + step, lower)
    residual = np.arange(len(phi)) >= len(objective.basis) + int(objective.replication)
    candidate[residual] = np.maximum(candidate[residual], np.maximum(0.1 * phi, lower)[residual])
    if objective.unstructured:
        G = objective.split(candidate)[0]
        assert G is not None
        size = np.sqrt(np.maximum(np.diag(G), 0.0))
        if (size == 0).any() or np.linalg.eigvalsh(G / np.outer(size, size))[0] < _SINGULAR:
            return None
    return candidate


def _cholesky_descent(objective: Objective, reached: Solution, lower_limit: FloatArray) -> Solution:
    """Minimise over N in G = R N N'R', where R R' is the G reached so far: quasi-Newton, free of bounds.

    The other variances are limit + size · t², so these are free of bounds as well. Dense BFGS is fast here: L-BFGS-B
    calls LAPACK for tiny matrices, whose threads wait for each other on a busy machine.
    """
    q = len(objective.basis)
    G = objective.split(reached.phi)[0]
    assert G is not None
    k = len(G)
    root = np.linalg.cholesky(G)
    lower, upper = np.tril_indices(k), np.triu_indices(k)
    entries = len(lower[0])
    limit = lower_limit[q:]
    residual = float(reached.phi[-objective.statistics.residual_parameters :].mean())
    size = np.maximum(reached.phi[q:] - limit, 1e-2 * residual)

    def unpack(x: FloatArray) -> tuple[FloatArray, FloatArray]:
        N = np.zeros((k, k))
        N[lower] = x[:entries]
        covariance = root @ N @ N.T @ root.T
        return N, np.concatenate([covariance[upper], limit + size * x[entries:] ** 2])

    def target(x: FloatArray) -> tuple[float, FloatArray]:
        N, phi = unpack(x)
        point = objective.point(phi)
        slope = objective.gradient(phi, point)
        by_G = np.zeros((k, k))
        by_G[upper] = slope[:q] / 2
        by_G = by_G + by_G.T  # the derivative by a pair of entries, shared between the two
        by_N = 2 * root.T @ by_G @ root @ N
        return point.criterion, np.r_[by_N[lower], 2 * slope[q:] * size * x[entries:]]

    start = np.r_[np.eye(k)[lower], np.ones(len(size))]
    done = minimize(target, start, jac=True, method="BFGS", options={"maxiter": 2000, "gtol": 1e-6})
    phi, boundary = _settle(objective, unpack(done.x)[1], lower_limit)
    boundary[:q] = True
    return Solution(
        phi,
        objective.point(phi),
        boundary,
        "quasi-newton",
        reached.evaluations + int(done.nfev),
        converged=float(np.abs(done.jac).max()) < 1e-2,
    )


def _settle(objective: Objective, phi: FloatArray, lower: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Move variances that are almost at their limit to it, unless the criterion rises; report which ones."""
    q = len(objective.basis)
    near = np.arange(len(phi)) >= q
    near[q:] &= phi[q:] - lower[q:] <= 1e-5 * float(phi[-objective.statistics.residual_parameters :].mean())
    settled = np.where(near, lower, phi)
    if near.any() and objective.point(settled).criterion <= objective.point(phi).criterion + 1e-6:
        return settled, near
    return phi, np.zeros(len(phi), bool)
