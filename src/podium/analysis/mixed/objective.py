"""The objective function of a mixed model: criterion, gradient and curvature in its variance parameters.

The covariance of the data is linear in the parameters φ: coefficients of G in a basis of symmetric matrices, then the
variance of replications (unless it is left out), then the residual variances.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from podium.analysis.mixed.likelihood import Estimation, Point, evaluate, gradient
from podium.analysis.mixed.sufficient_statistics import SufficientStatistics
from podium.arrays import FloatArray, IntArray

_SMALL_BASIS = 4
_STEP = 1e-4  # relative, of central differences
_SHORT_STEP = 1e-6  # and of one-sided ones


class Beside(NamedTuple):
    """A small step of one parameter: covariance matrices of the means at its ends, and the change of the gradient."""

    length: float
    above: FloatArray
    below: FloatArray
    change: FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class Objective:
    """The likelihood of a design under one structure of its variances.

    Attributes
    ----------
    statistics : SufficientStatistics
    basis : ndarray of shape (q, K, K)
        G is a combination of these; q may be 0.
    estimation : {"REML", "ML"}
    replication : bool
        Whether replications have an effect; if not, its variance is 0.
    fixed_cells : bool
        Whether every cell has its own mean (the survey model).
    """

    statistics: SufficientStatistics
    basis: FloatArray
    estimation: Estimation
    replication: bool = True
    fixed_cells: bool = False

    @property
    def parameters(self) -> int:
        """Number of variance parameters."""
        return len(self.basis) + int(self.replication) + self.statistics.residual_parameters

    @cached_property
    def unstructured(self) -> bool:
        """Whether G may be any covariance matrix, so that its coefficients are not variances."""
        return len(self.basis) > 2

    @cached_property
    def upper(self) -> tuple[IntArray, IntArray]:
        """Rows and columns of the entries of an unstructured G, in the order of its coefficients."""
        return np.triu_indices(self.basis.shape[1])

    def split(self, phi: FloatArray) -> tuple[FloatArray | None, float, FloatArray]:
        """G, s and d of a parameter vector."""
        q = len(self.basis)
        G = np.einsum("i,ikl->kl", phi[:q], self.basis) if q else None
        return G, *self._within(phi)

    def _within(self, phi: FloatArray) -> tuple[float, FloatArray]:
        """Return s and d of a parameter vector."""
        q = len(self.basis)
        s = float(phi[q]) if self.replication else 0.0
        return s, phi[q + int(self.replication) :]

    def join(self, coefficients: FloatArray, s: float, d: FloatArray) -> FloatArray:
        """Parameter vector of coefficients of G, s and d."""
        return np.concatenate([coefficients, [s] if self.replication else [], d])

    def point(self, phi: FloatArray) -> Point:
        """Everything at these parameters."""
        return evaluate(self.statistics, *self.split(phi), self.estimation, fixed_cells=self.fixed_cells)

    def gradient(self, phi: FloatArray, point: Point | None = None, *, expected: bool = False) -> FloatArray:
        """Derivatives of the criterion, or only the part of them that does not depend on the values."""
        s, d = self._within(phi)
        point = self.point(phi) if point is None else point
        slope = gradient(self.statistics, point, self.basis, s, d, self.estimation, expected=expected)
        return slope if self.replication else np.delete(slope, len(self.basis))

    def beside(self, phi: FloatArray, *, expected: bool = False) -> tuple[Beside, ...]:
        """Move each of the variances other than the coefficients of G by a small step, for central differences."""
        scale, steps = self.scale(phi), []
        for j in range(len(self.basis), self.parameters):
            up, down = phi.copy(), phi.copy()
            up[j] += _STEP * scale[j]
            down[j] = max(phi[j] - _STEP * scale[j], 0.0)  # one-sided at a variance of zero
            above, below = self.point(up), self.point(down)
            change = self.gradient(up, above, expected=expected) - self.gradient(down, below, expected=expected)
            steps.append(Beside(up[j] - down[j], above.vcov, below.vcov, change))
        return tuple(steps)

    def curvature(
        self,
        phi: FloatArray,
        point: Point,
        *,
        expected: bool = False,
        slope: FloatArray | None = None,
        beside: Sequence[Beside] | None = None,
    ) -> FloatArray:
        """Second derivatives of the criterion at φ, or their expectation.

        Those by the coefficients of G are exact; those by the other variances are central differences of the exact
        gradient, with a relative error of about 1e-8. The expected ones are minus the second derivatives of the part
        of the criterion that does not depend on the values, because the covariance is linear in φ. Where the gradient
        at φ is given as `slope`, one-sided differences are used: faster, with a relative error of about 1e-6. The
        central ones are over the steps that the method `beside` returns for φ; give them if they are known.
        """
        q, n = len(self.basis), self.parameters
        out = np.zeros((n, n))
        if q:
            fisher, average = effect_curvature(point, self.basis, self.estimation)
            out[:q, :q] = fisher if expected else 2 * average - fisher
        sign = -1.0 if expected else 1.0
        if slope is not None:
            scale = self.scale(phi)
            for j in range(q, n):
                up = phi.copy()
                up[j] += _SHORT_STEP * scale[j]
                out[j] = sign * (self.gradient(up) - slope) / (up[j] - phi[j])
        else:
            for j, step in enumerate(self.beside(phi, expected=expected) if beside is None else beside, start=q):
                out[j] = sign * step.change / step.length
        out[:q, q:] = out[q:, :q].T
        out[q:, q:] = (out[q:, q:] + out[q:, q:].T) / 2
        return out

    def scale(self, phi: FloatArray) -> FloatArray:
        """Natural size of each parameter, positive even where the parameter is zero."""
        q = len(self.basis)
        residual = float(np.mean(phi[q + int(self.replication) :]))
        scale = np.maximum(np.abs(phi), 1e-3 * residual)
        if self.unstructured:
            G = self.split(phi)[0]
            assert G is not None
            size = np.sqrt(np.maximum(np.diag(G), 1e-3 * residual))
            scale[:q] = np.outer(size, size)[self.upper]
        return scale


def scalar_basis(k: int) -> FloatArray:
    """Equal variances and equal covariances: G = σ₁² J + σ₂² I, formula 4.1 of Eugster (2011)."""
    return np.stack([np.ones((k, k)), np.eye(k)])


def unstructured_basis(k: int) -> FloatArray:
    """Any covariance matrix: one basis matrix for each entry on and above the diagonal."""
    rows, columns = np.triu_indices(k)
    basis = np.zeros((len(rows), k, k))
    index = np.arange(len(rows))
    basis[index, rows, columns] = 1
    basis[index, columns, rows] = 1
    return basis


def no_basis(k: int) -> FloatArray:
    """No effects of data sets."""
    return np.empty((0, k, k))


def effect_curvature(point: Point, basis: FloatArray, estimation: Estimation) -> tuple[FloatArray, FloatArray]:
    """tr(P V_i P V_j) and y'P V_i P V_j P y for the matrices V_i of the coefficients of G.

    P has the blocks δ A* - A* C A*' between data sets (seen through Z); for ML the first trace has V⁻¹ for P.
    """
    few = len(basis) <= _SMALL_BASIS
    return (_curvature_by_direction if few else _curvature_by_entry)(point, basis, estimation == "REML")


def _curvature_by_direction(point: Point, basis: FloatArray, restricted: bool) -> tuple[FloatArray, FloatArray]:
    A, C, v = point.A_star, point.vcov, point.score
    along = A[None] @ basis[:, None]  # A* E_i, basis × data sets
    moved = np.einsum("ikl,ml->imk", basis, v)  # E_i v_m
    pulled = (A @ moved[..., None])[..., 0]  # A* E_i v_m
    pull = pulled.sum(axis=1)
    fisher = _traces(along, along)
    average = moved.reshape(len(basis), -1) @ pulled.reshape(len(basis), -1).T - pull @ C @ pull.T
    if restricted:
        middle = A @ C
        twice = middle[None] @ along  # A* C A* E_i
        cross = _traces(twice, along)
        U = (along @ A).sum(axis=1)
        CU = C @ U
        fisher = fisher - cross - cross.T + np.einsum("ikl,jlk->ij", CU, CU)
    return fisher, average


def _traces(left: FloatArray, right: FloatArray) -> FloatArray:
    """Σ_m tr(X_im Y_jm) of all i and j, as one product of matrices."""
    return np.asarray(left.reshape(len(left), -1) @ right.swapaxes(2, 3).reshape(len(right), -1).T)


def _curvature_by_entry(point: Point, basis: FloatArray, restricted: bool) -> tuple[FloatArray, FloatArray]:
    """The same through K² × K² matrices of products of entries, for a large basis."""
    A, C, v = point.A_star, point.vcov, point.score
    m, k = v.shape
    flat = A.reshape(m, k * k)
    D = basis.reshape(len(basis), k * k)
    outer = flat.T @ flat

    def trace_form(products: FloatArray) -> FloatArray:
        """tr(X E_i Y E_j) from the products X[a,b] Y[c,d]."""
        form = products.reshape(k, k, k, k).transpose(1, 2, 3, 0).reshape(k * k, k * k)
        return np.asarray(D @ form @ D.T)

    fisher = trace_form(outer)
    scores = (v[:, :, None] * v[:, None, :]).reshape(m, k * k)
    average = trace_form(scores.T @ flat)
    pull = D @ np.einsum("mki,mj->ijk", A, v).reshape(k * k, k)
    average = (average + average.T) / 2 - pull @ C @ pull.T
    if restricted:
        both = flat.T @ (A @ C @ A).reshape(m, k * k)
        U = D @ outer.reshape(k, k, k, k).transpose(1, 2, 0, 3).reshape(k * k, k * k)  # Σ A* E_i A*
        CU = C @ U.reshape(len(D), k, k)
        fisher = fisher - trace_form(both + both.T) + np.einsum("ikl,jlk->ij", CU, CU, optimize=True)
    return fisher, average
