"""Starting values of the variance parameters, by the method of moments."""

from __future__ import annotations

import numpy as np

from podium.analysis.mixed.objective import Objective
from podium.analysis.mixed.sufficient_statistics import SizeGroups, cell_statistics
from podium.arrays import FloatArray

# No variance starts at zero: it may end there, but leaving zero takes more steps.
_FLOOR = 1e-2


def starting_values(objective: Objective, values: FloatArray) -> FloatArray:
    """Variance parameters to start from, all variances positive unless the values do not vary."""
    statistics = objective.statistics
    s, d = _within_variances(values)
    residual = np.full(statistics.residual_parameters, d)
    if isinstance(statistics, SizeGroups) and statistics.per_dataset:
        s, residual = _variances_by_dataset(values)
    q = len(objective.basis)
    if not q:
        return objective.join(np.empty(0), s, residual)
    G = _effects_covariance(statistics.cell_n, statistics.centre, s, d)
    k = len(G)
    if objective.unstructured:
        return objective.join(G[np.triu_indices(k)], s, residual)
    own = float(np.trace(G)) / k
    shared = max(float(G.sum() - np.trace(G)) / (k * (k - 1)), 0.05 * own)
    apart = max(own - shared, 0.05 * own)
    if q == 2:
        return objective.join(np.array([shared, apart]), s, residual)
    return objective.join(np.array([shared if (objective.basis[0] == 1).all() else own]), s, residual)


def _within_variances(values: FloatArray) -> tuple[float, float]:
    """Variances of replications and residuals, as if the rows were complete."""
    observed, deviation, count, _ = cell_statistics(values)
    size = observed.sum(axis=2)
    filled = size > 0
    between = float((deviation.sum(axis=2)[filled] ** 2 / size[filled]).sum())
    inner = float((deviation**2).sum()) - between
    rows, cells = int(filled.sum()), int((count > 0).sum())
    df_rows = max(rows - len(values), 1)
    df_inner = max(int(size.sum()) - cells - df_rows, 1)
    residual = max(inner / df_inner, 1e-3 * float((deviation**2).mean()))
    replication = (between / df_rows - residual) / float(size[filled].mean())
    return max(replication, _FLOOR * residual), residual


def _variances_by_dataset(values: FloatArray) -> tuple[float, FloatArray]:
    """Variance of replications, and residual variance of each data set."""
    each = [_within_variances(one[None]) for one in values]
    residual = np.array([d for _, d in each])
    return max(float(np.median([s for s, _ in each])), _FLOOR * float(residual.min())), residual


def _effects_covariance(cell_n: FloatArray, centre: FloatArray, s: float, d: float) -> FloatArray:
    """Sample covariance of the cell means minus the part due to replications and residuals; positive definite."""
    k = centre.shape[1]
    filled = _fill_additively(cell_n, centre)
    deviation = filled - filled.mean(axis=0)
    sample = deviation.T @ deviation / max(len(filled) - 1, 1)
    rows = float(np.mean(cell_n[cell_n > 0]))
    values, vectors = np.linalg.eigh(sample - (s + d * np.eye(k)) / rows)
    floor = max(_FLOOR * float(np.trace(sample)) / k, _FLOOR * d / rows)
    return np.asarray((vectors * np.maximum(values, floor)) @ vectors.T)


def _fill_additively(cell_n: FloatArray, centre: FloatArray) -> FloatArray:
    """Fill empty cells with the sum of a data set effect and an algorithm effect."""
    there = cell_n > 0
    if there.all():
        return centre
    filled = np.where(there, centre, np.nan)
    by_algorithm = np.nanmean(filled, axis=0)
    by_dataset = np.nanmean(filled - by_algorithm, axis=1, keepdims=True)
    return np.where(there, centre, by_algorithm + by_dataset)
