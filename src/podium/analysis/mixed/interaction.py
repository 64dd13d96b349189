"""Whether the differences between algorithms depend on the data set, in the survey model."""

from __future__ import annotations

import numpy as np

from podium.analysis.mixed.estimate import Estimate
from podium.analysis.mixed.information import cells_information
from podium.arrays import FloatArray


def interaction_f_test(estimate: Estimate) -> tuple[float, int, float]:
    """F statistic of equal differences on all data sets, and its degrees of freedom.

    The denominator's are such that F has the mean it has with estimated variances, to second order:
    E(F) = 1 / (1 - A₂/q) with A₂ = Σ w_ij tr(Θ S_i Θ S_j) of Kenward and Roger (1997), so ν = 2 q / A₂. For one
    contrast this is Satterthwaite's formula.
    """
    information = cells_information(estimate)
    m, k = information.means.shape
    contrasts = np.eye(k)[1:] - np.eye(k)[0]
    difference = information.means @ contrasts.T
    weight = np.linalg.inv(contrasts @ information.vcov @ contrasts.T)
    spread = np.linalg.inv(weight.sum(axis=0))
    away = difference - spread @ np.einsum("mij,mj->i", weight, difference)
    q = (m - 1) * (k - 1)
    F = float(np.einsum("mi,mij,mj->", away, weight, away)) / q
    A2 = _curvature_term(weight, spread, contrasts @ information.slopes @ contrasts.T, information.parameter_vcov)
    return F, q, max(2 * q / A2, 1.0) if A2 > 0 else np.inf


def _curvature_term(weight: FloatArray, spread: FloatArray, slopes: FloatArray, w: FloatArray) -> float:
    """A₂, where Θ = W - W 1 (1'W 1)⁻¹ 1'W is never formed: W has one block per data set."""
    moved = weight @ slopes  # parameters × data sets × (K - 1) × (K - 1)
    pulled = moved @ weight
    flat = moved.reshape(len(moved), -1)
    alone = flat @ np.swapaxes(moved, 2, 3).reshape(len(moved), -1).T
    mixed = flat @ np.swapaxes(pulled @ spread, 2, 3).reshape(len(moved), -1).T
    common = (pulled.sum(axis=1) @ spread).reshape(len(moved), -1)
    turned = np.swapaxes(pulled.sum(axis=1) @ spread, 1, 2).reshape(len(moved), -1)
    return float((w * (alone - 2 * mixed + common @ turned.T)).sum())
