"""Contrast matrices, and the directions they span."""

from __future__ import annotations

import numpy as np
from scipy.linalg import helmert

from podium.arrays import FloatArray
from podium.errors import InputError

# Eigenvalues below this fraction of the largest are rounding errors.
RANK_TOLERANCE = 1e-9
# No ratio of distances that occurs in symmetric designs.
FAR = 0.37


def all_pairs_contrasts(k: int) -> FloatArray:
    """Contrasts i - j of all pairs i < j (Tukey).

    >>> all_pairs_contrasts(3)
    array([[ 1., -1.,  0.],
           [ 1.,  0., -1.],
           [ 0.,  1., -1.]])
    """
    first, second = np.triu_indices(k, 1)
    rows = np.arange(len(first))
    matrix = np.zeros((len(first), k))
    matrix[rows, first] = 1
    matrix[rows, second] = -1
    return matrix


def control_contrasts(k: int, control: int) -> FloatArray:
    """Contrasts i - control of all others (Dunnett).

    >>> control_contrasts(3, 1)
    array([[ 1., -1.,  0.],
           [ 0., -1.,  1.]])
    """
    matrix = np.delete(np.eye(k), control, axis=0)
    matrix[:, control] = -1
    return matrix


def is_all_pairs(contrasts: FloatArray) -> bool:
    """Whether the rows are the differences of all pairs, in any order and direction."""
    rows, k = contrasts.shape
    if rows != k * (k - 1) // 2 or k < 2:
        return False
    if not (np.isin(contrasts, (-1.0, 0.0, 1.0)).all() and (contrasts.sum(axis=1) == 0).all()):
        return False
    return bool((np.abs(contrasts).sum(axis=1) == 2).all()) and len(np.unique(np.abs(contrasts), axis=0)) == rows


def contrast_correlation(contrasts: FloatArray, covariance: FloatArray) -> FloatArray:
    """Correlation matrix of the contrasts of estimates with this covariance."""
    spread = contrasts @ covariance @ contrasts.T
    variance = np.diag(spread)
    if not (variance > 0).all():
        row = int(np.flatnonzero(~(variance > 0))[0])
        raise InputError(
            f"Contrast {row} has variance {variance[row]:g}, so it has no distribution to compare with. "
            "Leave it out, or check the covariance."
        )
    scale = np.sqrt(variance)
    correlation: FloatArray = spread / np.outer(scale, scale)
    return correlation


def unit_rows(correlation: FloatArray) -> FloatArray:
    """Unit vectors in as few dimensions as possible whose inner products are the correlations.

    Eigenvectors alone would not do: their signs, and all of those with equal eigenvalues, are decided by rounding, and
    samples of directions would then differ from processor to processor. Here the first vector has the direction of the
    first axis, the next one that is not near it lies in the plane of the first two, and so on.
    """
    values, vectors = np.linalg.eigh(correlation)
    keep = values > RANK_TOLERANCE * values[-1]
    rows = vectors[:, keep] * np.sqrt(values[keep])
    rows = rows @ _axes(rows)
    unit: FloatArray = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def _axes(rows: FloatArray) -> FloatArray:
    """An orthonormal basis, by column, found by Gram and Schmidt's method: from the first rows that are far apart."""
    left, axes = rows.copy(), np.empty((0, rows.shape[1]))
    while len(axes) < rows.shape[1]:
        size = np.linalg.norm(left, axis=1)
        # Not the farthest, which rounding would choose among equal ones.
        axis = left[np.argmax(size > FAR * size.max())]
        axis = axis - axes.T @ (axes @ axis)  # twice is enough for orthogonality
        axes = np.vstack([axes, axis / np.linalg.norm(axis)])
        left = left - np.outer(left @ axes[-1], axes[-1])
    return axes.T


def pair_rows(contrasts: FloatArray, covariance: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Unit vectors of all-pairs contrasts in K - 1 dimensions, and a basis of differences there; None if singular.

    Under equal variances the unit vectors would be the contrasts in that basis. The symmetric root of the covariance
    stays as close to these as possible, so the range of a direction under equal variances is a good control variate.
    """
    k = contrasts.shape[1]
    differences = helmert(k).T
    values, vectors = np.linalg.eigh(differences.T @ covariance @ differences)
    if values[0] <= RANK_TOLERANCE * values[-1]:
        return None
    root = (vectors * np.sqrt(values)) @ vectors.T
    rows = contrasts @ differences @ root
    return rows / np.linalg.norm(rows, axis=1, keepdims=True), differences
