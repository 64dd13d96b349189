"""The (restricted) likelihood of a benchmark design at given variances, with estimates and derivatives.

The rows of data set m have covariance V_m = Z G Z' + V₀: G is the covariance of the effects u_m of data set and
algorithm, and V₀ the one in `podium.analysis.mixed.sufficient_statistics`. With A = Z'V₀⁻¹Z

    X'V⁻¹X = A* = A (I + G A)⁻¹,    |V| = |V₀| |I + G A|,

which needs no inverse of G or A, so variances may be zero and cells empty. No matrix is larger than K × K.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from podium.analysis.mixed.sufficient_statistics import SufficientStatistics
from podium.arrays import FloatArray

Estimation: TypeAlias = Literal["REML", "ML"]


@dataclass(frozen=True, eq=False, repr=False)
class Point:
    """The likelihood at given variances.

    Attributes
    ----------
    criterion : float
        -2 log of the restricted likelihood (REML) or of the likelihood (ML).
    effects : ndarray of shape (K,) or (M, K)
        Estimated means of the algorithms, or of the cells where these are fixed effects.
    vcov : ndarray of shape (K, K) or (M, K, K)
        Their covariance matrix, or one for each data set.
    A, A_star : ndarray of shape (M, K, K)
        Information on the cell means within data sets, and on the algorithm means.
    score : ndarray of shape (M, K)
        Z'P y: the effects of a data set are G times its score.
    posterior : ndarray of shape (M, K, K)
        Covariance of the effects of data set and algorithm, given data and algorithm means.
    spread : ndarray of shape (M, K, K)
        Covariance of the cell means; under REML it includes the uncertainty of the algorithm means.
    offset : ndarray of shape (M, K)
        Fitted minus observed cell means.
    """

    criterion: float
    effects: FloatArray
    vcov: FloatArray
    A: FloatArray
    A_star: FloatArray
    score: FloatArray
    posterior: FloatArray
    spread: FloatArray
    offset: FloatArray


def evaluate(
    statistics: SufficientStatistics,
    G: FloatArray | None,
    s: float,
    d: FloatArray,
    estimation: Estimation,
    *,
    fixed_cells: bool = False,
) -> Point:
    """Compute the likelihood at covariance G of the data set effects, s of replications and d of residuals.

    With `fixed_cells` every cell (data set and algorithm) has its own mean, and there is no G.
    """
    if fixed_cells:
        return _evaluate_cells(statistics, s, d, estimation)
    A, b, q, logdet0 = statistics.moments(s, d)
    k = b.shape[1]
    if G is None:
        G = np.zeros((k, k))
    growth = np.eye(k) + A @ G
    left = np.linalg.inv(growth)  # (I + A G)⁻¹
    A_star = _symmetric(left @ A)
    posterior = _symmetric(G @ left)
    logdet = float(logdet0.sum() + np.linalg.slogdet(growth)[1].sum())
    H = A_star.sum(axis=0)
    vcov = _symmetric(np.linalg.inv(H))
    pulled = b + np.einsum("mkl,ml->mk", A, statistics.cell_mean)
    effects = vcov @ np.einsum("mkl,ml->k", left, pulled)
    gap = statistics.cell_mean - effects
    raw = b + np.einsum("mkl,ml->mk", A, gap)  # Z'V₀⁻¹(y - Xβ)
    score = np.einsum("mkl,ml->mk", left, raw)
    shift = np.einsum("mkl,ml->mk", posterior, raw)
    rss = float((q + (gap * (b + raw)).sum(axis=1) - (raw * shift).sum(axis=1)).sum())
    n = float(statistics.cell_n.sum())
    spread = posterior
    if estimation == "REML":
        logdet += float(np.linalg.slogdet(H)[1])
        n -= k
        right = np.swapaxes(left, 1, 2)
        spread = posterior + right @ vcov @ left
    return Point(
        criterion=float(logdet + rss + n * np.log(2 * np.pi)),
        effects=effects,
        vcov=vcov,
        A=A,
        A_star=A_star,
        score=score,
        posterior=posterior,
        spread=spread,
        offset=shift - gap,
    )


def _evaluate_cells(statistics: SufficientStatistics, s: float, d: FloatArray, estimation: Estimation) -> Point:
    A, b, q, logdet0 = statistics.moments(s, d)
    vcov = _symmetric(np.linalg.inv(A))
    offset = np.einsum("mkl,ml->mk", vcov, b)
    rss = float((q - (b * offset).sum(axis=1)).sum())
    logdet = float(logdet0.sum())
    n = float(statistics.cell_n.sum())
    nothing = np.zeros_like(A)
    if estimation == "REML":
        logdet += float(np.linalg.slogdet(A)[1].sum())
        n -= b.size
    return Point(
        criterion=float(logdet + rss + n * np.log(2 * np.pi)),
        effects=statistics.cell_mean + offset,
        vcov=vcov,
        A=A,
        A_star=A,
        score=np.zeros_like(b),
        posterior=nothing,
        spread=vcov if estimation == "REML" else nothing,
        offset=offset,
    )


def gradient(
    statistics: SufficientStatistics,
    point: Point,
    basis: FloatArray,
    s: float,
    d: FloatArray,
    estimation: Estimation,
    *,
    expected: bool = False,
) -> FloatArray:
    """Derivatives of the criterion by the coefficients of G in `basis`, by s and by d.

    β is at its optimum and contributes nothing; what remains is the trace of P V_i minus y'P V_i P y. With `expected`
    only the traces are returned, the part that does not depend on the values.
    """
    rows, offset = (
        (statistics.without_values(), np.zeros_like(point.offset)) if expected else (statistics, point.offset)
    )
    by_s, by_d = rows.slopes(s, d, point.spread, offset)
    if not len(basis):
        return np.concatenate([[by_s], by_d])
    by_G = point.A_star.sum(axis=0)
    if not expected:
        by_G = by_G - point.score.T @ point.score
    if estimation == "REML":
        by_G = by_G - (point.A_star @ point.vcov @ point.A_star).sum(axis=0)
    return np.concatenate([np.einsum("ikl,kl->i", basis, by_G), [by_s], by_d])


def _symmetric(matrix: npt.NDArray[np.floating]) -> FloatArray:
    return np.asarray((matrix + np.swapaxes(matrix, -1, -2)) / 2)
