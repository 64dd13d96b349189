"""Tail probabilities of the maximum that need only one integral over the normal density.

Every integrand is written so that small probabilities keep their relative accuracy. Trapezoidal sums are used
throughout: for smooth integrands that vanish at both ends they converge faster than any power of the step.
"""

from __future__ import annotations

import numpy as np
from scipy.special import log_ndtr, ndtr

from podium.arrays import FloatArray

_CHUNK = 1 << 20  # numbers in one intermediate array


def range_sf(c: FloatArray, k: int) -> FloatArray:
    """P(some |X_i - X_j| / √2 > c) of k independent standard normal variables: the studentised range with df = ∞.

    Given that the largest is at z, all others lie in [z - c√2, z]; any of the k variables may be the largest.
    """
    z, weights = _normal_rule(-9.0, 28.0, 593)
    q = c[:, None] * np.sqrt(2)
    # Φ(z)^(k-1) - (Φ(z) - Φ(z - q))^(k-1), without cancellation
    outside = np.minimum(np.exp(log_ndtr(z - q) - log_ndtr(z)), 1.0)
    with np.errstate(divide="ignore"):
        exceed = -np.expm1((k - 1) * np.log1p(-outside))
    sf: FloatArray = k * (np.exp((k - 1) * log_ndtr(z)) * exceed) @ weights
    return np.clip(sf, 0.0, 1.0)


def one_factor_sf(c: FloatArray, loadings: FloatArray) -> FloatArray:
    """P(some |Z_i| > c) where Z_i = λ_i F + √(1 - λ_i²) E_i, with F and all E_i independent (Dunnett 1955)."""
    f, weights = _normal_rule(0.0, 12.0, 193)
    weights = 2 * weights  # the probability given F is that given -F
    weights[0] /= 2
    rest = np.sqrt(1 - loadings**2)[:, None]
    shift = loadings[:, None] * f  # contrasts × nodes
    step = max(1, _CHUNK // shift.size)
    sf = np.empty(len(c))
    for start in range(0, len(c), step):
        level = c[start : start + step, None, None]
        above = ndtr((shift - level) / rest) + ndtr((-shift - level) / rest)
        with np.errstate(divide="ignore"):
            none = np.log1p(-np.minimum(above, 1.0)).sum(axis=1)
        sf[start : start + step] = -np.expm1(none) @ weights
    return np.clip(sf, 0.0, 1.0)


def one_factor_loadings(correlation: FloatArray) -> FloatArray | None:
    """Loadings λ ≥ 0 with |ρ_ij| = λ_i λ_j for all i ≠ j, where the signs agree with one factor; else None."""
    size = np.abs(correlation)
    if len(size) < 2:
        return None
    if len(size) == 2:
        loadings = np.sqrt(np.full(2, size[0, 1]))
    elif (size[0, 1:] > 0).all() and size[1, 2] > 0:
        loadings = size[0] / np.sqrt(size[0, 1] * size[0, 2] / size[1, 2])
        loadings[0] = 1 / loadings[0]
    else:
        loadings = np.zeros(len(size))
    if (loadings > 0.99).any():  # nearly dependent: the integrand is too steep for the nodes
        return None
    signed = loadings * np.where(correlation[0] < 0, -1.0, 1.0)
    product = np.outer(signed, signed)
    np.fill_diagonal(product, 1.0)
    return loadings if np.abs(product - correlation).max() < 1e-10 else None


def scale_rule(df: float) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights for the mean over s, where df · s² is χ² with df degrees of freedom."""
    if np.isinf(df):
        return np.ones(1), np.ones(1)
    width = 9 / np.sqrt(2 * df)
    nodes = 97 + int(400 / df)
    x = np.linspace(-(width + 41 / df), min(width, 0.5 * np.log(2 * (41 + df) / df)), nodes)
    log_density = df * (x - np.expm1(2 * x) / 2)
    weights = np.exp(log_density - log_density.max())
    return np.exp(x), weights / weights.sum()


def _normal_rule(low: float, high: float, nodes: int) -> tuple[FloatArray, FloatArray]:
    z = np.linspace(low, high, nodes)
    return z, np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
