"""Quasi-Monte Carlo for the maximum of correlated statistics: directions are sampled, the radius is integrated.

Statistics with correlation R are Z_i = r a_i'u, where the a_i are unit vectors with a_i'a_j = R_ij in d = rank(R)
dimensions, u is uniform on the unit sphere and r² is χ² with d degrees of freedom (over df: d·F for t statistics).
So P(max |Z_i| > c) is the mean over u of P(r > c / m(u)) with m(u) = max |a_i'u|: the radius is integrated exactly,
singular R needs no special treatment, and one sample of m serves all p-values and quantiles, normal or t.

The directions are scrambled Sobol points. Their weights are calibrated: sums of powers of the a_i'u, and the range that
the same u has under equal variances, have known means over the sphere, which the weights reproduce.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy.special import betaln, chdtrc, chdtri, fdtrc, ndtri
from scipy.stats import qmc

from podium.analysis.simultaneous.studentised_range import range_sf
from podium.arrays import FloatArray

REPLICATES = 8  # independent scramblings, from which the error is estimated
BINS = 512
_MIN_POINTS = 1 << 8  # per replicate
_FIRST_POINTS = 1 << 11  # per replicate, for the usual accuracy
_MAX_POINTS = 1 << 17  # per replicate
_MAX_WORK = 1 << 30  # points × statistics, all replicates
_CHUNK = 1 << 21  # numbers in one intermediate array
_CACHED = 1 << 18
_MAX_KEPT = 1 << 14  # numbers in the unit vectors whose sample is kept
# Powers 4, 8, 16 of the projections. The sum of powers 2q is dominated by exceedances of √(2q), so these cover the
# relevant critical values; higher powers are dominated by directions too rare to be sampled.
_DOUBLINGS = 3
_LEVELS = (0.9, 0.5, 0.2, 0.05, 0.01, 0.001)  # where the range under equal variances is calibrated


@dataclass(frozen=True, eq=False)
class RadialSample:
    """Weighted values of m(u), in bins; one row of weights per scrambling.

    `error` is the largest standard error of a tail probability that is about 0.1, 0.05 or 0.01.
    """

    support: FloatArray
    weights: FloatArray
    dimension: int
    points: int
    error: float = np.nan

    def sf(self, c: FloatArray, df: FloatArray) -> FloatArray:
        """P(max > c) for each scrambling: an array of scramblings × values."""
        out = np.empty((len(self.weights), len(c)))
        step = max(1, _CHUNK // len(self.support))
        for start in range(0, len(c), step):
            part = slice(start, start + step)
            out[:, part] = self.weights @ radius_sf(c[part] / self.support[:, None], df[part], self.dimension)
        return out


def radius_sf(radius: FloatArray, df: FloatArray, dimension: int) -> FloatArray:
    """P(r > radius), where r² is χ² with `dimension` degrees of freedom, over a χ²/df where df is finite."""
    normal = np.isinf(df)
    out = np.empty(radius.shape)
    out[..., normal] = chdtrc(dimension, radius[..., normal] ** 2)
    out[..., ~normal] = fdtrc(dimension, df[~normal], radius[..., ~normal] ** 2 / dimension)
    return out


def radial_sample(rows: FloatArray, *, equal: FloatArray | None, seed: int, accuracy: float) -> RadialSample:
    """Draw directions until the standard error of a tail probability near 0.05 is below `accuracy`, up to a limit.

    Parameters
    ----------
    rows : ndarray of shape (statistics, dimensions)
        The unit vectors a_i.
    equal : ndarray of shape (K, dimensions) or None
        For all pairs of K estimates: maps a direction to K independent normal variables minus their mean.
    """
    draw = _kept_sample if rows.size <= _MAX_KEPT else _new_sample
    return draw(_Content(rows), None if equal is None else _Content(equal), seed, accuracy)


class _Content:
    """An array that equals another one of the same content, so that what follows from it can be looked up."""

    __slots__ = ("array", "key")

    def __init__(self, array: FloatArray) -> None:
        self.array = array
        self.key = (array.shape, array.strides, array.tobytes())

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Content) and self.key == other.key


def _new_sample(vectors: _Content, map_to_equal: _Content | None, seed: int, accuracy: float) -> RadialSample:
    rows, equal = vectors.array, None if map_to_equal is None else map_to_equal.array
    most = most_points(len(rows))
    points = int(np.clip(1 << int(np.ceil(np.log2(max(0.1 / accuracy, 1.0)))), _MIN_POINTS, _FIRST_POINTS))
    points = min(points, most)
    while True:
        sample = _draw(rows, equal, seed, points)
        error = _error_near_the_level(sample)
        if error <= accuracy or points >= most:
            return replace(sample, error=error)
        growth = np.clip((error / accuracy) ** 2, 2, 8)
        points = min(most, points << int(np.ceil(np.log2(growth))))


_kept_sample = lru_cache(maxsize=8)(_new_sample)  # the same statistics at another level, or adjusted otherwise


def most_points(statistics: int) -> int:
    """How many directions per scrambling are drawn at most: a power of two, fewer the more statistics there are."""
    return 1 << int(np.log2(np.clip(_MAX_WORK // (REPLICATES * statistics), 1 << 9, _MAX_POINTS)))


def directions(n: int, dimension: int, seed: int, replicate: int) -> FloatArray:
    """Scrambled Sobol points (n a power of two), projected onto the unit sphere."""
    draw = _kept_directions if n <= _FIRST_POINTS else _new_directions
    return draw(n, dimension, seed, replicate)


def _new_directions(n: int, dimension: int, seed: int, replicate: int) -> FloatArray:
    generator = np.random.default_rng([seed, replicate])
    uniform = qmc.Sobol(dimension, rng=generator, bits=32).random(n)
    normal = ndtri(np.clip(uniform, 2.0**-33, 1 - 2.0**-33))
    unit: FloatArray = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    unit.flags.writeable = False
    return unit


_kept_directions = lru_cache(maxsize=4 * REPLICATES)(_new_directions)  # comparisons of the same size share them


def _draw(rows: FloatArray, equal: FloatArray | None, seed: int, points: int) -> RadialSample:
    dimension = rows.shape[1]
    known = _known_means(len(rows), dimension, equal)
    edges = np.geomspace(_smallest_maximum(rows), 1 + 1e-9, BINS + 1)
    counts, sums = np.zeros(BINS), np.zeros(BINS)
    weights = np.empty((REPLICATES, BINS))
    for replicate in range(REPLICATES):
        u = directions(points, dimension, seed, replicate)
        largest, controls = _project(u, rows, equal)
        place = np.clip(np.searchsorted(edges, largest) - 1, 0, BINS - 1)
        weights[replicate] = np.bincount(place, _calibrate(controls, known), minlength=BINS)
        counts += np.bincount(place, minlength=BINS)
        sums += np.bincount(place, largest, minlength=BINS)
    filled = counts > 0
    support, shares = sums[filled] / counts[filled], weights[:, filled]
    support.flags.writeable = shares.flags.writeable = False
    return RadialSample(support, shares, dimension, REPLICATES * points)


def _project(u: FloatArray, rows: FloatArray, equal: FloatArray | None) -> tuple[FloatArray, FloatArray]:
    """The maximum m(u), and the control variates: sums of powers, and range probabilities under equal variances."""
    largest = np.empty(len(u), np.float32)
    powers = np.empty((_DOUBLINGS, len(u)), np.float32)
    # Single precision, in chunks that fit in the cache: the rounding error is far below the sampling error.
    single, across = u.astype(np.float32), np.ascontiguousarray(rows.T, np.float32)
    step = max(16, _CACHED // len(rows))
    room = np.empty((step, len(rows)), np.float32)
    for start in range(0, len(u), step):
        part = slice(start, start + step)
        power = np.matmul(single[part], across, out=room[: len(single[part])])
        np.square(power, out=power)
        largest[part] = power.max(axis=1)
        for i in range(_DOUBLINGS):
            powers[i, part] = np.einsum("ij,ij->i", power, power)
            if i < _DOUBLINGS - 1:
                np.square(power, out=power)
    m = np.sqrt(largest.astype(np.float64))
    if equal is None:
        return m, powers.T.astype(np.float64)
    span = np.ptp(u @ equal.T, axis=1) / np.sqrt(2)
    ranges = chdtrc(u.shape[1], (_equal_critical(equal) / span[:, None]) ** 2)
    return m, np.c_[powers.T, ranges]


def _known_means(n: int, dimension: int, equal: FloatArray | None) -> FloatArray:
    """Means of the control variates over the sphere: moments of a Beta distribution, and exact range probabilities."""
    order = 2.0 ** np.arange(1, _DOUBLINGS + 1)
    half = (dimension - 1) / 2
    moments = n * np.exp(betaln(order + 0.5, half) - betaln(0.5, half)) if dimension > 1 else np.full(len(order), n)
    return moments if equal is None else np.r_[moments, range_sf(np.sqrt(2) * _equal_critical(equal), len(equal))]


def _equal_critical(equal: FloatArray | None) -> FloatArray:
    """Where to calibrate: near the quantiles of the range at some levels (approximately, by Bonferroni)."""
    if equal is None:
        return np.empty(0)
    pairs = len(equal) * (len(equal) - 1) / 2
    return -ndtri(np.array(_LEVELS) / 2 / pairs ** np.linspace(0.6, 1, len(_LEVELS)))


def _calibrate(controls: FloatArray, known: FloatArray) -> FloatArray:
    """Weights of the regression estimator: they sum to 1 and reproduce the known means."""
    n = len(controls)
    scale = controls.std(axis=0)
    use = scale > 1e-12 * np.abs(known)
    if not use.any():
        return np.full(n, 1 / n)
    centred = (controls[:, use] - controls[:, use].mean(axis=0)) / scale[use]
    gap = (known[use] - controls[:, use].mean(axis=0)) / scale[use]
    coefficient = np.linalg.lstsq(centred.T @ centred / n, gap, rcond=1e-10)[0]
    weights: FloatArray = (1 + centred @ coefficient) / n
    return weights


def _smallest_maximum(rows: FloatArray) -> float:
    """Lower bound of m(u): the mean of (a_i'u)² is at least the smallest eigenvalue of the mean of a_i a_i'."""
    smallest = np.linalg.eigvalsh(rows.T @ rows / len(rows))[0]
    return float(np.sqrt(max(smallest, 1e-12)))


def _error_near_the_level(sample: RadialSample) -> float:
    """Largest standard error of the tail probability where it is about 0.1, 0.05 and 0.01."""
    c = np.sqrt(chdtri(sample.dimension, np.array([0.1, 0.05, 0.01])))
    mean_weight = sample.weights.mean(axis=0)
    low, high = np.zeros(3), c  # m ≤ 1, so the quantile of the maximum is at most that of the radius
    for _ in range(12):
        middle = (low + high) / 2
        above = mean_weight @ radius_sf(middle / sample.support[:, None], np.full(3, np.inf), sample.dimension)
        larger = above > np.array([0.1, 0.05, 0.01])
        low, high = np.where(larger, middle, low), np.where(larger, high, middle)
    spread = sample.sf((low + high) / 2, np.full(3, np.inf)).std(axis=0, ddof=1)
    return float(spread.max() / np.sqrt(REPLICATES))
