"""The (restricted) likelihood of a benchmark design at given variances, with estimates and derivatives.

The rows of data set m have covariance V_m = Z G Z' + V₀: G is the covariance of the effects u_m of data set and
algorithm, and V₀ the one in `podium.analysis.mixed.sufficient_statistics`. With A = Z'V₀⁻¹Z

    X'V⁻¹X = A* = A (I + G A)⁻¹,    |V| = |V₀| |I + G A|,

which needs no inverse of G or A, so variances may be zero and cells empty. With A = C C', A* = C (I + C'G C)⁻¹ C' is
precise even where some variances of the residuals are almost zero and A is large. No matrix is larger than K × K.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from podium.analysis.mixed.sufficient_statistics import SufficientStatistics
from podium.arrays import AnyArray, FloatArray

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
    seen : ndarray of shape (M,)
        The trace of A times `spread`, found without A: where A is large, the product would lose precision.
    offset : ndarray of shape (M, K)
        Fitted cell means minus the centres of the cells.
    """

    criterion: float
    effects: FloatArray
    vcov: FloatArray
    A: FloatArray
    A_star: FloatArray
    score: FloatArray
    posterior: FloatArray
    spread: FloatArray
    seen: FloatArray
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
    centre, A, b, q, logdet0 = statistics.moments(s, d)
    k = b.shape[1]
    if G is None:
        G = np.zeros((k, k))
    identity = np.eye(k)
    C = _root(A)
    B = np.linalg.cholesky(identity + C.swapaxes(1, 2) @ G @ C)  # |I + G A| = |B|²
    half = np.linalg.solve(B, C.swapaxes(1, 2))
    A_star = half.swapaxes(1, 2) @ half
    left = identity - A_star @ G  # (I + A G)⁻¹
    posterior = _symmetric(G @ left)
    logdet = float(logdet0.sum() + 2 * np.log(B.diagonal(axis1=1, axis2=2)).sum())
    H = A_star.sum(axis=0)
    vcov = _symmetric(np.linalg.inv(H))
    inside = np.einsum("mkl,ml->mk", left, b)
    average = centre.sum(axis=0) / len(centre)
    effects = average + vcov @ (inside + np.einsum("mkl,ml->mk", A_star, centre - average)).sum(axis=0)
    gap = centre - effects
    score = inside + np.einsum("mkl,ml->mk", A_star, gap)  # (I + A G)⁻¹ Z'V₀⁻¹(y - Xβ)
    shift = score @ G
    # Not through Z'V₀⁻¹(y - Xβ) itself: that is large where V₀ is small, and most of it cancels.
    rss = float((q - np.einsum("mk,mkl,ml->m", b, posterior, b) + (gap * (inside + score)).sum(axis=1)).sum())
    n = float(statistics.cell_n.sum())
    spread, seen = posterior, np.einsum("mkl,lk->m", A_star, G)
    if estimation == "REML":
        logdet += float(np.linalg.slogdet(H)[1])
        n -= k
        spread = posterior + left.swapaxes(1, 2) @ vcov @ left
        seen = seen + np.einsum("mkl,mlk->m", A_star @ vcov, left)
    return Point(
        criterion=float(logdet + rss + n * np.log(2 * np.pi)),
        effects=effects,
        vcov=vcov,
        A=A,
        A_star=A_star,
        score=score,
        posterior=posterior,
        spread=spread,
        seen=seen,
        offset=shift + effects - statistics.centre,
    )


def _evaluate_cells(statistics: SufficientStatistics, s: float, d: FloatArray, estimation: Estimation) -> Point:
    centre, A, b, q, logdet0 = statistics.moments(s, d)
    vcov = _symmetric(np.linalg.inv(A))
    beyond = np.einsum("mkl,ml->mk", vcov, b)
    rss = float((q - (b * beyond).sum(axis=1)).sum())
    logdet = float(logdet0.sum())
    n = float(statistics.cell_n.sum())
    nothing = np.zeros_like(A)
    if estimation == "REML":
        logdet += float(np.linalg.slogdet(A)[1].sum())
        n -= b.size
    return Point(
        criterion=float(logdet + rss + n * np.log(2 * np.pi)),
        effects=centre + beyond,
        vcov=vcov,
        A=A,
        A_star=A,
        score=np.zeros_like(b),
        posterior=nothing,
        spread=vcov if estimation == "REML" else nothing,
        seen=np.full(len(b), float(b.shape[1]) if estimation == "REML" else 0.0),
        offset=centre + beyond - statistics.centre,
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
    by_s, by_d = rows.slopes(s, d, point.spread, point.seen, offset)
    if not len(basis):
        return np.concatenate([[by_s], by_d])
    by_G = point.A_star.sum(axis=0)
    if not expected:
        by_G = by_G - point.score.T @ point.score
    if estimation == "REML":
        by_G = by_G - (point.A_star @ point.vcov @ point.A_star).sum(axis=0)
    return np.concatenate([np.einsum("ikl,kl->i", basis, by_G), [by_s], by_d])


def _root(A: FloatArray) -> FloatArray:
    """C with A = C C', for each data set."""
    empty = A.diagonal(axis1=1, axis2=2) == 0
    some = bool(empty.any())
    try:
        root = np.linalg.cholesky(A + np.eye(A.shape[1]) * empty[:, :, None] if some else A)
    except np.linalg.LinAlgError:  # singular within rounding error
        values, vectors = np.linalg.eigh(A)
        root = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]
    return np.asarray(np.where(empty[:, :, None], 0.0, root) if some else root)


def _symmetric(matrix: AnyArray) -> FloatArray:
    return np.asarray((matrix + matrix.swapaxes(-1, -2)) / 2)
