"""How well the variances are known, and the degrees of freedom that follow.

Satterthwaite: a variance v = l'C l of an estimate is like a multiple of χ² with 2 v² / Var(v) degrees of freedom,
where Var(v) comes from the curvature of the criterion; several contrasts at once follow Fai and Cornelius (1996).

Kenward and Roger (1997): the covariance matrix is enlarged for having been computed from estimated variances, and the
F statistic is scaled so that it is exact where an exact test exists (Hotelling's among them).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from podium.analysis.mixed.estimate import Estimate

FloatArray: TypeAlias = npt.NDArray[np.float64]

_STEP = 1e-4  # relative, for first derivatives
_LONG_STEP = 1e-3  # for second ones


@dataclass(frozen=True, eq=False, repr=False)
class MeansInformation:
    """Means of the algorithms, how certain they are, and how certain that is.

    Attributes
    ----------
    means : ndarray of shape (K,)
    vcov : ndarray of shape (K, K)
    slopes : ndarray of shape (p, K, K)
        Derivatives of `vcov` by the variance parameters that are not at zero.
    parameter_vcov : ndarray of shape (p, p)
        Covariance matrix of these parameters.
    """

    means: FloatArray
    vcov: FloatArray
    slopes: FloatArray
    parameter_vcov: FloatArray

    def contrast_df(self, contrasts: FloatArray) -> FloatArray:
        """Satterthwaite's degrees of freedom of each contrast (row)."""
        variance = np.einsum("ck,kl,cl->c", contrasts, self.vcov, contrasts)
        change = np.einsum("ck,pkl,cl->cp", contrasts, self.slopes, contrasts, optimize=True)
        spread = np.einsum("cp,pq,cq->c", change, self.parameter_vcov, change, optimize=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            df = np.where(spread > 0, 2 * variance**2 / spread, np.inf)
        return np.maximum(df, 1.0)

    def f_test(self, contrasts: FloatArray) -> tuple[float, int, float]:
        """F statistic of all contrasts together, its numerator and its denominator degrees of freedom."""
        rows = independent_rows(contrasts)
        q = len(rows)
        values, vectors = np.linalg.eigh(rows @ self.vcov @ rows.T)
        single = vectors.T @ rows
        F = float(((single @ self.means) ** 2 / values).mean())
        df = self.contrast_df(single)
        heavy = df > 2
        expected = float((df[heavy] / (df[heavy] - 2)).sum())
        return F, q, float(2 * expected / (expected - q)) if expected > q else 2.0


def means_information(estimate: Estimate, dataset: int | None = None, *, expected: bool = False) -> MeansInformation:
    """Means of the algorithms: fixed effects, or averages over the cells (of one data set) where these are fixed."""
    problem, solution = estimate.problem, estimate.solution
    phi, point = solution.phi, solution.point
    q = len(problem.basis)
    means, vcov = _means(point.effects, point.vcov, dataset)
    slopes = np.empty((problem.parameters, *vcov.shape))
    if q:
        slopes[:q] = _slopes_by_effects(estimate)
    scale = problem.scale(phi)
    for j in range(q, problem.parameters):
        up, down = phi.copy(), phi.copy()
        up[j] += _STEP * scale[j]
        down[j] = max(phi[j] - _STEP * scale[j], 0.0)
        above, below = problem.point(up), problem.point(down)
        change = _means(above.effects, above.vcov, dataset)[1] - _means(below.effects, below.vcov, dataset)[1]
        slopes[j] = change / (up[j] - down[j])
    free, parameter_vcov = _parameter_vcov(estimate, expected)
    return MeansInformation(means, vcov, slopes[free], parameter_vcov)


def _means(effects: FloatArray, vcov: FloatArray, dataset: int | None) -> tuple[FloatArray, FloatArray]:
    if effects.ndim == 1:
        return effects, vcov
    if dataset is not None:
        return effects[dataset], vcov[dataset]
    return effects.mean(axis=0), vcov.sum(axis=0) / len(vcov) ** 2


def _slopes_by_effects(estimate: Estimate) -> FloatArray:
    """Derivatives C U_i C of the covariance of the means by the coefficients of G, U_i = Σ A* E_i A*."""
    A, C = estimate.solution.point.A_star, estimate.solution.point.vcov
    basis = estimate.problem.basis
    k = len(C)
    outer = A.reshape(len(A), -1).T @ A.reshape(len(A), -1)
    U = basis.reshape(len(basis), -1) @ outer.reshape(k, k, k, k).transpose(1, 2, 0, 3).reshape(k * k, k * k)
    return np.asarray(C @ U.reshape(-1, k, k) @ C)


def _parameter_vcov(estimate: Estimate, expected: bool) -> tuple[npt.NDArray[np.bool_], FloatArray]:
    """Which parameters are free, and their covariance matrix: twice the inverse of the curvature.

    A singular covariance matrix lies on the boundary as a whole; its entries count as free, with the expected
    curvature.
    """
    problem, solution = estimate.problem, estimate.solution
    free = ~solution.boundary
    if problem.unstructured:
        free = free | (np.arange(problem.parameters) < len(problem.basis))
    scale = problem.scale(solution.phi)[free]
    for kind in (expected, True):
        curvature = problem.curvature(solution.phi, solution.point, expected=kind)[np.ix_(free, free)]
        scaled = curvature * np.outer(scale, scale)
        if np.linalg.eigvalsh(scaled)[0] > 0:
            break
    return free, 2 * np.linalg.pinv(scaled, hermitian=True) * np.outer(scale, scale)


def independent_rows(contrasts: FloatArray) -> FloatArray:
    """Rows that span the same contrasts and are independent."""
    _, values, rows = np.linalg.svd(contrasts, full_matrices=False)
    return np.asarray(rows[values > 1e-9 * values[0]])


@dataclass(frozen=True, eq=False, repr=False)
class KenwardRoger:
    """Means with Kenward and Roger's covariance matrix.

    Attributes
    ----------
    plain : MeansInformation
        The means before the adjustment, with the expected curvature.
    vcov : ndarray of shape (K, K)
        Their adjusted covariance matrix.
    """

    plain: MeansInformation
    vcov: FloatArray

    def f_test(self, contrasts: FloatArray) -> tuple[float, int, float]:
        """Scaled F statistic, its numerator and its denominator degrees of freedom (section 3 of their paper)."""
        rows = independent_rows(contrasts)
        q = len(rows)
        difference = rows @ self.plain.means
        F = float(difference @ np.linalg.solve(rows @ self.vcov @ rows.T, difference)) / q
        theta = rows.T @ np.linalg.solve(rows @ self.plain.vcov @ rows.T, rows)
        moved = theta @ self.plain.slopes
        trace = np.einsum("pkk->p", moved)
        W = self.plain.parameter_vcov
        A1 = float(trace @ W @ trace)
        A2 = float(np.einsum("pq,pkl,qlk->", W, moved, moved, optimize=True))
        if A2 <= 0:
            return F, q, np.inf
        B = (A1 + 6 * A2) / (2 * q)
        g = ((q + 1) * A1 - (q + 4) * A2) / ((q + 2) * A2)
        denominator = 3 * q + 2 * (1 - g)
        c1, c2, c3 = g / denominator, (q - g) / denominator, (q + 2 - g) / denominator
        expectation = 1 / (1 - A2 / q)
        variance = 2 / q * (1 + c1 * B) / ((1 - c2 * B) ** 2 * (1 - c3 * B))
        rho = variance / (2 * expectation**2)
        df = 4 + (q + 2) / (q * rho - 1)
        if not (df > 2 and expectation > 0):
            return F, q, 1.0
        return F * df / (expectation * (df - 2)), q, float(df)


def kenward_roger(estimate: Estimate, dataset: int | None = None) -> KenwardRoger:
    """Adjust the covariance matrix Φ of the means: Φ - Σ w_ij ∂²Φ/∂φ_i∂φ_j.

    Their Φ + 2 Φ [Σ w_ij (Q_ij - P_i Φ P_j)] Φ, with P_i and Q_ij expressed by the derivatives of Φ⁻¹, becomes this
    where V is linear in its parameters φ; w is the covariance matrix of these.
    """
    plain = means_information(estimate, dataset, expected=True)
    problem, phi = estimate.problem, estimate.solution.phi
    free, weights = _parameter_vcov(estimate, True)
    scale = problem.scale(phi)
    # The double sum is one of second derivatives along the eigenvectors of w.
    values, vectors = np.linalg.eigh(weights / np.outer(scale[free], scale[free]))
    vcov = plain.vcov.copy()
    for value, vector in zip(values, vectors.T, strict=True):
        if value > 1e-14 * values[-1]:
            step = np.zeros(len(phi))
            step[free] = _LONG_STEP * scale[free] * vector
            above, below = problem.point(phi + step), problem.point(phi - step)
            bend = (
                _means(above.effects, above.vcov, dataset)[1]
                - 2 * plain.vcov
                + _means(below.effects, below.vcov, dataset)[1]
            )
            vcov -= value * bend / _LONG_STEP**2
    return KenwardRoger(plain, (vcov + vcov.T) / 2)
