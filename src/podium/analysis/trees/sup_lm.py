"""Distribution of the largest Lagrange multiplier statistic over all split points of a covariate.

In the limit the statistic is the supremum over t in [π₁, π₂] of |B⁰(t)|² / (t (1 - t)), B⁰ a Brownian bridge of p
dimensions (Andrews 1993). With s = log(t / (1 - t)) this is a stationary process with χ²_p margins and generator
2 y f'' + (p - y) f', watched over the length S = log(π₂ (1 - π₁) / (π₁ (1 - π₂))). Killing it at y = c gives
P(sup ≤ c) = Σ a_i exp(-ν_i S), with ν_i and f_i the eigenpairs of the generator on (0, c) with f(c) = 0.

D. W. K. Andrews (1993). Tests for parameter instability and structural change with unknown change point. Econometrica
61, 821–856. — B. E. Hansen (1997). Approximate asymptotic p values for structural-change tests. Journal of Business &
Economic Statistics 15, 60–67. — M. Abramowitz, I. A. Stegun (1964). Handbook of Mathematical Functions. National Bureau
of Standards.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.polynomial import legendre
from scipy.linalg import eigh
from scipy.special import chdtrc, gammaln, roots_jacobi

from podium.arrays import FloatArray

BASIS = 40
NODES = 160
LOG_TAIL = np.log(1e-6)  # below, the expansion of the tail is exact enough
MIN_PLAIN = 1e-290  # smaller numbers lose digits, or are 0
TERMS = 200  # of an expansion whose terms fall at least as fast as powers of (a - 1) / x
SHIFT = 0.5826  # -ζ(1/2) / √(2π): a process seen at points has a lower maximum (Chernoff 1965)
MIN_POINTS = 1000


def log_sup_lm_sf(statistic: float, dimension: int, low: float, high: float, n: int) -> float:
    """Log P(sup > statistic) for a process of a dimension, watched from share `low` to share `high` of n observations.

    The statistic is a maximum over points, not over an interval; the level is shifted as for n points, and for 1000 if
    n is smaller, which is what the usual response surface (Hansen 1997) corresponds to and errs on the safe side.
    """
    if statistic <= 0:
        return 0.0
    least = log_chi2_sf(statistic, dimension)
    if low >= high:
        return least
    length = float(np.log(high * (1 - low) / (low * (1 - high))))
    s = np.linspace(np.log(low / (1 - low)), np.log(high / (1 - high)), 201)
    t = 1 / (1 + np.exp(-s))
    points = max(n, MIN_POINTS)
    c = float((np.sqrt(statistic) + SHIFT * np.mean(1 / np.sqrt(points * t * (1 - t)))) ** 2)
    tail = _log_tail(c, dimension, length)
    if tail < LOG_TAIL:
        return max(tail, least)
    rates, weights = _spectrum(round(c, 6), dimension)
    above = 1.0 - float((weights * np.exp(-rates * length)).sum())
    return min(max(float(np.log(max(above, MIN_PLAIN))), least), 0.0)


def log_chi2_sf(statistic: float, df: int) -> float:
    """Log of the upper tail of χ², also where the tail itself underflows.

    There, with a = df / 2 and x = statistic / 2, Γ(a, x) is x^(a-1) exp(-x) (1 + (a-1)/x + (a-1)(a-2)/x² + ...), an
    asymptotic expansion for large x (Abramowitz & Stegun 1964, 6.5.32).
    """
    plain = float(chdtrc(df, statistic))
    if plain > MIN_PLAIN:
        return float(np.log(plain))
    a, x = df / 2, statistic / 2
    terms = np.cumprod((a - np.arange(1, TERMS + 1)) / x)
    return float((a - 1) * np.log(x) - x - gammaln(a) + np.log1p(terms.sum()))


def _log_tail(c: float, p: int, length: float) -> float:
    if c <= p:
        return 0.0
    return float(0.5 * p * np.log(c / 2) - c / 2 - gammaln(p / 2) + np.log(length * (1 - p / c) + 2 / c))


@lru_cache(maxsize=64)
def _basis(p: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Nodes u and weights of a quadrature, and the functions of the basis and their slopes there."""
    x, w = roots_jacobi(NODES, 0.0, p / 2 - 1)
    u = (1 + x) / 2
    basis, slope = np.empty((BASIS, NODES)), np.empty((BASIS, NODES))
    for j in range(BASIS):
        poly = legendre.Legendre.basis(j)
        value, rise = poly(x), 2 * poly.deriv()(x)
        basis[j], slope[j] = (1 - u) * value, (1 - u) * rise - value
    return u, w, basis, slope


@lru_cache(maxsize=4096)
def _spectrum(c: float, p: int) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues ν_i and weights a_i, by Galerkin's method with the basis (1 - u) P_j(2u - 1), u = y / c."""
    u, w, functions, slopes = _basis(p)
    log_norm = 0.5 * p * np.log(c) - 0.5 * p * np.log(2) - gammaln(p / 2) - 0.5 * p * np.log(2)
    density = w * np.exp(log_norm - c * u / 2)  # chi-square density times du
    size = min(BASIS, 12 + int(c / 2))
    basis, slope = functions[:size], slopes[:size]
    mass = (basis * density) @ basis.T
    stiffness = (slope * density * (2 * u / c)) @ slope.T
    scale = 1 / np.sqrt(np.diag(mass))
    values, vectors = eigh(mass * np.outer(scale, scale))
    kept = values > 1e-13 * values[-1]
    to = (scale[:, None] * vectors[:, kept]) / np.sqrt(values[kept])
    rates, combined = eigh(to.T @ stiffness @ to)
    functions = (to @ combined).T @ basis
    weights = (functions @ density) ** 2 / ((functions**2) @ density)
    return np.maximum(rates, 0.0), weights
