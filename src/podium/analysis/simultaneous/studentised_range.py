"""Distribution of the largest of many correlated differences: the studentised range, and all against one control.

Both integrals are written so that small tail probabilities keep their relative accuracy, and are evaluated for
whole arrays at once.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from podium.arrays import FloatArray, IntArray

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)  # per unit: errors below 1e-12 up to 200 algorithms
_FAR = 75.0  # beyond it probabilities are below the smallest number
_HUGE = 1e15  # where the probability does not change any more
_MANY = 10_000  # values whose integrals are evaluated at once
_LARGE = 25_000  # degrees of freedom above which the variance counts as known


def range_sf(q: npt.ArrayLike, k: int, df: float = np.inf) -> FloatArray:
    r"""Probability that the (studentised) range of k independent standard normal variables exceeds q.

    With the largest of them at z, the range exceeds q unless all others lie in (z - q, z):

    .. math:: P(W > q) = k \int φ(z) [Φ(z)^{k-1} - (Φ(z) - Φ(z-q))^{k-1}] dz.

    With finite `df` it is divided by an independent estimate of the standard deviation, and the probability is the
    mean of P(W > q s) over its distribution.

    Examples
    --------
    >>> round(float(range_sf(2.569 * 2**0.5, 4)), 4)  # Demšar (2006), table 5
    0.05
    """
    wanted = np.asarray(q, float)
    if df < _LARGE:
        return _studentised(wanted, k, df)
    x, back = _distinct(np.clip(wanted.ravel(), 0.0, _FAR))
    tail = np.empty(x.shape)
    for part in (x <= 16, x > 16):  # one grid each: a wide one would waste its points on small q
        if part.any():
            tail[part] = _range_tail(x[part], k)
    return np.where(wanted <= 0, 1.0, np.clip(tail, 0.0, 1.0)[back].reshape(wanted.shape))


def _distinct(x: FloatArray) -> tuple[FloatArray, IntArray | slice]:
    """Take one of all values that are equal up to rounding, where there are many; return where each is.

    Differences of mean ranks are multiples of 1/(2n): two million of them have some ten thousand values.
    """
    if x.size < _MANY:
        return x, slice(None)
    order = np.argsort(x)
    ordered = x[order]
    starts = np.concatenate([[True], np.diff(ordered) > 1e-14 * ordered[1:]])
    back = np.empty(x.size, np.intp)
    back[order] = np.cumsum(starts) - 1
    return ordered[starts], back


def _range_tail(x: FloatArray, k: int) -> FloatArray:
    z, weight = _interval(-8.0, float(x.max()) / 2 + 8.0)
    below = ndtr(z)
    density = weight * np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi) * below ** (k - 1)
    tail = np.empty(x.shape)
    for start in range(0, x.size, _MANY):  # part by part: all points of all values at once may not fit in memory
        part = slice(start, start + _MANY)
        share = np.minimum(ndtr(z - x[part, None]) / below, 1.0)
        with np.errstate(divide="ignore"):
            inside = -np.expm1((k - 1) * np.log1p(-share))
        tail[part] = k * (inside @ density)
    return tail


def _studentised(q: FloatArray, k: int, df: float) -> FloatArray:
    """Average P(W > q s) over s, the root of a χ² variable over its degrees of freedom."""
    s, weight = scale_rule(df)
    distinct, back = np.unique(np.minimum(q.ravel(), _HUGE), return_inverse=True)
    tail = range_sf(distinct[:, None] * s, k) @ weight
    return np.where(q <= 0, 1.0, np.where(np.isinf(q), 0.0, tail[back].reshape(q.shape)))


@lru_cache(maxsize=64)  # solving for a quantile needs the same one again and again
def scale_rule(df: float) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights for the mean over s, where df · s² is χ² with df degrees of freedom.

    A trapezoidal sum over log s. It reaches down to where s^df is 1e-18: with few degrees of freedom a large ratio is
    due to a small s.
    """
    if np.isinf(df):
        return np.ones(1), np.ones(1)
    width = 9 / np.sqrt(2 * df)
    nodes = 97 + int(400 / df)
    x = np.linspace(-(width + 41 / df), min(width, 0.5 * np.log(2 * (41 + df) / df)), nodes)
    log_density = df * (x - np.expm1(2 * x) / 2)
    scale, weights = np.exp(x), np.exp(log_density - log_density.max())
    weights /= weights.sum()
    scale.flags.writeable = weights.flags.writeable = False
    return scale, weights


@lru_cache(maxsize=256)
def range_ppf(alpha: float, k: int, df: float = np.inf) -> float:
    """Return the value that the range of k independent standard normal variables exceeds with probability alpha."""
    highest = 2 * float(-ndtri(alpha / (k * k))) + 1
    while range_sf(highest, k, df) > alpha:
        highest *= 2
    return float(brentq(lambda q: float(range_sf(q, k, df)) - alpha, 1e-8, highest, xtol=1e-12))


def control_sf(c: npt.ArrayLike, m: int, *, two_sided: bool = True) -> FloatArray:
    r"""Probability that the largest of m differences from one control exceeds c.

    The differences are :math:`(X_j - X_0)/\sqrt 2` of independent standard normal variables, hence correlated by
    1/2 (Dunnett 1955, Journal of the American Statistical Association 50, 1096–1121):

    .. math:: P(\max_j |Z_j| > c) = \int φ(x) [1 - (Φ(x + \sqrt2 c) - Φ(x - \sqrt2 c))^m] dx.
    """
    wanted = np.asarray(c, float)
    reach = np.sqrt(2.0) * np.clip(wanted.ravel(), -_FAR, _FAR)
    bound = float(np.abs(reach).max(initial=0.0)) / 2 + 9.0
    x, weight = _interval(-bound, bound)
    outside = ndtr(x - reach[:, None])
    if two_sided:
        outside = outside + ndtr(-x - reach[:, None])
    with np.errstate(divide="ignore"):
        inside = -np.expm1(m * np.log1p(-np.minimum(outside, 1.0)))
    tail = inside @ (weight * np.exp(-0.5 * x**2) / np.sqrt(2 * np.pi))
    tail = np.clip(tail, 0.0, 1.0).reshape(wanted.shape)
    return np.where((wanted <= 0) & two_sided, 1.0, tail)


@lru_cache(maxsize=256)
def control_ppf(alpha: float, m: int, *, two_sided: bool = True) -> float:
    """Return the value that the largest of m differences from a control exceeds with probability alpha."""
    highest = float(-ndtri(alpha / (2 * m))) + 1
    return float(brentq(lambda c: float(control_sf(c, m, two_sided=two_sided)) - alpha, -9.0, highest, xtol=1e-12))


def _interval(low: float, high: float, panels: int | None = None) -> tuple[FloatArray, FloatArray]:
    """Gauss–Legendre points and weights on [low, high], panel by panel, about one panel per unit."""
    count = int(np.ceil(high - low)) if panels is None else panels
    edges = np.linspace(low, high, count + 1)
    half = (high - low) / count / 2
    points = (edges[:-1, None] + half + half * _NODES).ravel()
    return points, np.tile(half * _WEIGHTS, count)
