"""Statistics correlated by one common factor: Dunnett's integral, for any loadings."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from podium.arrays import FloatArray

_CHUNK = 1 << 20  # numbers in one intermediate array


def one_factor_sf(c: FloatArray, loadings: FloatArray) -> FloatArray:
    """P(some |Z_i| > c) where Z_i = λ_i F + √(1 - λ_i²) E_i, with F and all E_i independent (Dunnett 1955)."""
    f = np.linspace(0.0, 12.0, 193)
    # A trapezoidal sum: for smooth integrands that vanish at the end it converges faster than any power of the step.
    weights = 2 * np.exp(-(f**2) / 2) / np.sqrt(2 * np.pi) * f[1]  # twice: the probability given F is that given -F
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
