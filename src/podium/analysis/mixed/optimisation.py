"""Minimise the criterion over the variance parameters.

Newton's method works on the variances themselves. Those that reach zero stay there as long as the criterion would rise
from zero; residual variances are kept a little above zero. Where the covariance matrix tends to a singular one, a
quasi-Newton method on its Cholesky factor takes over.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from scipy.optimize import lsq_linear, minimize

from podium.analysis.mixed.likelihood import Point
from podium.analysis.mixed.objective import Objective
from podium.arrays import BoolArray, FloatArray, IntArray

Solver: TypeAlias = Literal["closed form", "newton", "quasi-newton"]

_MAX_STEPS = 80
_FEW = 8  # up to this many residual variances, second derivatives are recomputed in every step
_DECREMENT = 1e-9  # expected decrease of the criterion below which the next step is the last
_NOTHING = 1e-4  # changes of the criterion that do not matter
_ROUNDING = 1e-7  # changes of the criterion below this say nothing about the direction to go
_SHORTEST = 2.0**-10
_SINGULAR = 1e-7  # smallest eigenvalue of G, relative, that counts as zero
_ROUNDS = 8  # of the quasi-Newton method at most
_STEEP = 1e-3  # decrease of the criterion with a variance, relative to its size at the beginning
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
        found = _cholesky_descent(objective, found, lower)
    return _settled(objective, found, lower)


def _newton(objective: Objective, phi: FloatArray, lower: FloatArray) -> Solution:
    point = objective.point(phi)
    evaluations, converged, before = 1, False, np.inf
    curvature, fresh = None, True
    costly = objective.statistics.residual_parameters > _FEW
    for _ in range(_MAX_STEPS):
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
            converged = decrement < _NOTHING and not objective.unstructured
            break
        if found is None:
            curvature, before = None, np.inf
            continue
        candidate, trial, tries = found
        evaluations += tries
        if last:
            # The decrease is below rounding error here: accept the step unless the criterion rises.
            if trial.criterion <= point.criterion + _ROUNDING:
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
            if decrement < _DECREMENT or trial.criterion <= point.criterion - 1e-4 * length * decrement + _ROUNDING:
                return candidate, trial, tries
        length /= 2
    return None


def _lower_limits(objective: Objective, start: FloatArray) -> FloatArray:
    """Zero for variances, a fraction of the start for residual variances, none for entries of a covariance matrix.

    A residual variance that starts far below the others has a limit relative to these: below it, the criterion would
    mostly be rounding error.
    """
    q = len(objective.basis)
    lower = np.zeros(objective.parameters)
    if objective.unstructured:
        lower[:q] = -np.inf
    residual = q + int(objective.replication)
    lower[residual:] = _FLOOR * np.maximum(start[residual:], 0.1 * start[residual:].mean())
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
        return None if _is_singular(objective, candidate) else candidate
    return candidate


def _cholesky_descent(objective: Objective, reached: Solution, lower: FloatArray) -> Solution:
    """Minimise over roots of G and of the other variances: quasi-Newton, free of bounds.

    Dense BFGS is fast here: L-BFGS-B calls LAPACK for tiny matrices, whose threads wait for each other on a busy
    machine.
    """
    roots = _Roots.around(objective, reached.phi, lower)
    x, criterion, evaluations = roots.start, np.inf, reached.evaluations
    for _ in range(_ROUNDS):
        done = minimize(roots.target, x, jac=True, method="BFGS", options={"maxiter": 2000, "gtol": 1e-6})
        evaluations += int(done.nfev)
        raised = roots.raised(done.x)
        if raised is None and criterion - done.fun < _DECREMENT:
            break
        # Once more: rounding may have stopped it, or a root of zero, where the gradient is always zero.
        x, criterion = (done.x if raised is None else raised), float(done.fun)
    phi = roots.unpack(done.x)[1]
    return Solution(
        phi,
        objective.point(phi),
        phi <= lower,
        "quasi-newton",
        evaluations,
        converged=float(np.abs(np.asarray(done.jac)).max()) < 1e-2,
    )


@dataclass(frozen=True, eq=False, repr=False)
class _Roots:
    """The criterion as a function of roots x: G = R N N'R' with a triangular N, other variances limit + size · t².

    R R' is some G to begin with, and the others begin with t = 1.
    """

    objective: Objective
    root: FloatArray
    limit: FloatArray
    size: FloatArray

    @classmethod
    def around(cls, objective: Objective, phi: FloatArray, lower: FloatArray) -> _Roots:
        """Roots of parameters with a regular G."""
        G, _, residual = objective.split(phi)
        assert G is not None
        limit = lower[len(objective.basis) :]
        size = np.maximum(phi[len(objective.basis) :] - limit, 1e-2 * float(residual.mean()))
        return cls(objective, np.asarray(np.linalg.cholesky(G)), limit, size)

    @property
    def start(self) -> FloatArray:
        """Where these parameters are."""
        return self.pack(np.eye(len(self.root)), np.ones(len(self.size)))

    @cached_property
    def lower(self) -> tuple[IntArray, IntArray]:
        """Rows and columns of the entries of N, in their order."""
        return np.tril_indices(len(self.root))

    def pack(self, N: FloatArray, t: FloatArray) -> FloatArray:
        """One vector of all roots."""
        return np.concatenate([N[self.lower], t])

    def unpack(self, x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """N, φ and t."""
        k = len(self.root)
        N, t = np.zeros((k, k)), x[k * (k + 1) // 2 :]
        N[self.lower] = x[: k * (k + 1) // 2]
        covariance = self.root @ N @ N.T @ self.root.T
        return N, np.concatenate([covariance[self.objective.upper], self.limit + self.size * t**2]), t

    def target(self, x: FloatArray) -> tuple[float, FloatArray]:
        """The criterion and its gradient."""
        N, phi, t = self.unpack(x)
        point = self.objective.point(phi)
        by_G, by_t = self._slopes(phi, point)
        return point.criterion, self.pack(2 * self.root.T @ by_G @ self.root @ N, 2 * by_t * t)

    def raised(self, x: FloatArray) -> FloatArray | None:
        """Raise the roots that are almost zero though the criterion would fall with them; None if there are none."""
        N, phi, t = self.unpack(x)
        point = self.objective.point(phi)
        by_G, by_t = self._slopes(phi, point)
        scale = np.sqrt((self.root**2).sum(axis=1) + float(self.objective.split(phi)[2].mean()))
        values, vectors = np.linalg.eigh(by_G * np.outer(scale, scale))
        stuck = (by_t < -_STEEP) & (t**2 < _STEEP)
        if values[0] > -_STEEP and not stuck.any():
            return None
        column = np.linalg.solve(self.root, scale * vectors[:, 0] * (values[0] < -_STEEP))
        for more in (1.0, 1e-1, 1e-2, 1e-3):
            wider = np.column_stack([N, np.sqrt(more) * column])
            raised = self.pack(np.linalg.qr(wider.T)[1].T, np.where(stuck, np.sqrt(more), t))
            if self.target(raised)[0] < point.criterion - _ROUNDING:
                return raised
        return None

    def _slopes(self, phi: FloatArray, point: Point) -> tuple[FloatArray, FloatArray]:
        """Derivatives by G and by t²."""
        slope, k = self.objective.gradient(phi, point), len(self.root)
        by_G = np.zeros((k, k))
        by_G[self.objective.upper] = slope[: k * (k + 1) // 2] / 2
        by_G = by_G + by_G.T  # the derivative by a pair of entries, shared between the two
        return by_G, slope[k * (k + 1) // 2 :] * self.size


def _settled(objective: Objective, found: Solution, lower: FloatArray) -> Solution:
    """Move variances that are almost at their limit to it, unless the criterion rises, and say which are there.

    Whether a variance ends at zero then depends on the criterion, not on the path that led there.
    """
    q = len(objective.basis)
    phi, point = found.phi, found.point
    share = 1e-5 if found.solver == "newton" else 1e-3  # roots near zero are found less precisely
    near = share * float(phi[-objective.statistics.residual_parameters :].mean())
    for j in np.flatnonzero((phi > lower) & (phi - lower <= near) & (np.arange(len(phi)) >= q)):
        candidate = phi.copy()
        candidate[j] = lower[j]
        trial = objective.point(candidate)
        if trial.criterion <= point.criterion + _NOTHING:
            phi, point = candidate, trial
    boundary = phi <= lower
    if objective.unstructured:
        boundary[:q] = _is_singular(objective, phi, 10 * _SINGULAR)
    return replace(found, phi=phi, point=point, boundary=boundary)


def _is_singular(objective: Objective, phi: FloatArray, least: float = _SINGULAR) -> bool:
    G, _, residual = objective.split(phi)
    assert G is not None
    size = np.diag(G)
    if (size <= least * float(residual.mean())).any():
        return True
    return bool(np.linalg.eigvalsh(G / np.sqrt(np.outer(size, size)))[0] < least)
