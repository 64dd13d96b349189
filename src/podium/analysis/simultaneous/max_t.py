"""`Maximum`: the distribution of the largest |T_i| of correlated normal or t statistics.

Statistics that one common factor correlates need Dunnett's integral alone. `step_down` tests ever smaller families.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.interpolate import CubicSpline
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from podium.analysis.simultaneous.contrasts import contrast_correlation, is_all_pairs, pair_rows, unit_rows
from podium.analysis.simultaneous.quasi_monte_carlo import (
    REPLICATES,
    RadialSample,
    directions,
    radial_sample,
    radius_sf,
)
from podium.analysis.simultaneous.studentised_range import range_sf, scale_rule
from podium.arrays import FloatArray
from podium.checks import check_probability
from podium.errors import InputError

_MAX_WORK = 1 << 27
_TABLE = 2049
_CHUNK = 1 << 20  # numbers in one intermediate array
ACCURACY = 5e-5
_LARGEST = 37.0  # beyond it the normal tail underflows
_FEW = 8  # up to this many degrees of freedom are solved one by one, more are interpolated


class Maximum(ABC):
    """Distribution of the largest absolute value of several statistics with known correlation.

    Attributes
    ----------
    method : str
        How the probabilities are computed.
    points : int
        Number of quasi-random directions; 0 where an integral is computed.
    accuracy : float
        Monte Carlo standard error of probabilities of 0.1 and less; 0 where an integral is computed.
    """

    method: str
    points: int = 0
    accuracy: float = 0.0

    def sf(self, statistic: npt.ArrayLike, df: npt.ArrayLike = np.inf) -> FloatArray:
        """P(max |T_i| > |statistic|): the single-step adjusted p-value of each statistic.

        Parameters
        ----------
        statistic : array_like
        df : array_like, default ∞
            Degrees of freedom of the t distribution, one for all or one per statistic; ∞ for the normal.
        """
        c, df, shape = _paired(statistic, df)
        sf: FloatArray = np.clip(self._sf(c, df), single_sf(c, df), 1.0).reshape(shape)
        return sf[()]

    def error(self, statistic: npt.ArrayLike, df: npt.ArrayLike = np.inf) -> FloatArray:
        """Monte Carlo standard error of `sf`; zeros where an integral is computed."""
        c, df, shape = _paired(statistic, df)
        return self._error(c, df).reshape(shape)[()]

    def quantile(self, probability: float = 0.95, df: npt.ArrayLike = np.inf) -> FloatArray:
        """The c with P(max |T_i| ≤ c) = probability: the critical value of simultaneous intervals.

        Parameters
        ----------
        probability : float
        df : array_like, default ∞
            As for `sf`; there is one quantile per entry.
        """
        check_probability(probability, "probability")
        wanted = _positive_df(df)
        inverse, place = np.unique(1 / wanted, return_inverse=True)
        found = (
            self._quantiles(probability, inverse) if len(inverse) <= _FEW else self._interpolated(probability, inverse)
        )
        return np.asarray(found[place].reshape(np.shape(wanted)))[()]

    @abstractmethod
    def _sf(self, c: FloatArray, df: FloatArray) -> FloatArray: ...

    def _error(self, c: FloatArray, df: FloatArray) -> FloatArray:
        return np.zeros(len(c))

    def _interpolated(self, probability: float, inverse_df: FloatArray) -> FloatArray:
        """The quantile is a smooth function of 1 / df: interpolate between Chebyshev nodes on the range of these."""
        middle, half = (inverse_df[0] + inverse_df[-1]) / 2, (inverse_df[-1] - inverse_df[0]) / 2
        if half <= 1e-9 * middle:
            return np.full(len(inverse_df), self._quantiles(probability, np.array([middle]))[0])
        angles = np.pi * (np.arange(_FEW) + 0.5) / _FEW
        at_nodes = self._quantiles(probability, middle + half * np.cos(angles))
        coefficients = 2 / _FEW * np.cos(np.outer(np.arange(_FEW), angles)) @ at_nodes
        coefficients[0] /= 2
        return np.asarray(np.polynomial.chebyshev.chebval((inverse_df - middle) / half, coefficients))

    def _quantiles(self, probability: float, inverse_df: FloatArray) -> FloatArray:
        """Solve log sf = log(1 - probability) for log c by a bracketed secant method, for all df at once."""
        with np.errstate(divide="ignore"):
            df = 1 / inverse_df
        target = np.log1p(-probability)

        def excess(x: FloatArray) -> FloatArray:
            return np.asarray(np.log(np.maximum(self._sf(np.exp(x), df), 1e-300)) - target)

        low = np.log(single_quantile(probability, df))  # a single statistic exceeds it less often than the largest does
        high = low + 0.5
        above, below = excess(low), excess(high)
        while (below > 0).any():
            high = high + 1.0
            below = excess(high)
        for _ in range(60):
            x = low - above * (high - low) / np.where(above > below, below - above, -1.0)
            inner = 0.02 * (high - low)
            x = np.clip(x, low + inner, high - inner)
            value = excess(x)
            up = value > 0
            low, above = np.where(up, x, low), np.where(up, value, above)
            high, below = np.where(up, high, x), np.where(up, below, value)
            if (np.minimum(np.abs(value), high - low) < 1e-11).all():
                break
        return np.exp(x)


class SingleMaximum(Maximum):
    """A single statistic, or several that are equal up to sign."""

    method = "one statistic"

    def _sf(self, c: FloatArray, df: FloatArray) -> FloatArray:
        return single_sf(c, df)


class TabulatedMaximum(Maximum):
    """The normal tail probability is one integral; it is tabulated, and averaged over the scale for t statistics."""

    def __init__(self, method: str, grid: FloatArray, normal_sf: FloatArray) -> None:
        self.method = method
        self._log_sf = CubicSpline(grid, np.log(np.maximum(normal_sf, 1e-320)))

    def _sf(self, c: FloatArray, df: FloatArray) -> FloatArray:
        out = np.empty(len(c))
        for one in np.unique(df):
            there = df == one
            scale, weights = scale_rule(one)
            level = np.minimum(c[there, None] * scale, _LARGEST)
            out[there] = np.exp(np.minimum(self._log_sf(level), 0.0)) @ weights
        return out


class SampledMaximum(Maximum):
    """Spherical-radial quasi-Monte Carlo; see `podium.analysis.simultaneous.quasi_monte_carlo`."""

    method = "spherical-radial quasi-Monte Carlo"

    def __init__(self, sample: RadialSample) -> None:
        self._sample = sample
        self.points, self.accuracy = sample.points, sample.error

    def _sf(self, c: FloatArray, df: FloatArray) -> FloatArray:
        return np.asarray(self._sample.sf(c, df).mean(axis=0))

    def _error(self, c: FloatArray, df: FloatArray) -> FloatArray:
        return np.asarray(self._sample.sf(c, df).std(axis=0, ddof=1) / np.sqrt(REPLICATES))


def max_abs(correlation: npt.ArrayLike, *, seed: int = 0, accuracy: float = ACCURACY) -> Maximum:
    """Distribution of the largest |T_i| of statistics with this correlation matrix, which may be singular.

    Parameters
    ----------
    correlation : array_like of shape (n, n)
    seed : int
        Seed of the quasi-random directions; the same seed gives the same numbers.
    accuracy : float
        Target standard error of probabilities of 0.1 and less. The work is bounded: with more than a thousand
        statistics of very unequal correlation the error may be up to twice as large; `Maximum.error` returns it.

    Examples
    --------
    >>> import numpy as np
    >>> print(max_abs(np.eye(3)).quantile(0.95).round(4))      # three independent statistics
    2.3877
    """
    matrix = np.asarray(correlation, dtype=np.float64)
    _check_correlation(matrix)
    rows = unit_rows(matrix)
    if rows.shape[1] == 1:
        return SingleMaximum()
    loadings = one_factor_loadings(matrix)
    if loadings is not None:
        grid = _grid()
        return TabulatedMaximum("integral over one common factor", grid, one_factor_sf(grid, loadings))
    return SampledMaximum(radial_sample(rows, equal=None, seed=seed, accuracy=accuracy))


def max_abs_contrasts(
    contrasts: npt.ArrayLike, covariance: npt.ArrayLike, *, seed: int = 0, accuracy: float = ACCURACY
) -> Maximum:
    """Distribution of the largest |T_i|, where T_i is contrast i of estimates, over its standard error.

    Differences of all pairs with equal variances have the studentised range distribution, comparisons of independent
    estimates with a control Dunnett's; both are computed as integrals. All others are sampled.

    Parameters
    ----------
    contrasts : array_like of shape (n, K)
        One contrast per row, such as `all_pairs_contrasts` makes.
    covariance : array_like of shape (K, K)
        Covariance matrix of the estimates.
    seed, accuracy
        As for `max_abs`.
    """
    matrix = np.atleast_2d(np.asarray(contrasts, dtype=np.float64))
    cov = np.asarray(covariance, dtype=np.float64)
    if matrix.ndim != 2 or cov.shape != (matrix.shape[1],) * 2:
        raise InputError(
            f"`contrasts` must have one column per estimate, and `covariance` one row and column: "
            f"got shapes {matrix.shape} and {cov.shape}."
        )
    correlation = contrast_correlation(matrix, cov)
    if is_all_pairs(matrix) and matrix.shape[1] > 2:
        variance = np.einsum("ik,kl,il->i", matrix, cov, matrix)
        if np.ptp(variance) < 1e-9 * variance.max():
            return _range_maximum(matrix.shape[1])
        both = pair_rows(matrix, cov)
        if both is not None:
            rows, equal = both
            return SampledMaximum(radial_sample(rows, equal=equal, seed=seed, accuracy=accuracy))
    return max_abs(correlation, seed=seed, accuracy=accuracy)


@lru_cache(maxsize=16)
def _range_maximum(k: int) -> TabulatedMaximum:
    """Cached, because every complete design with k algorithms needs the same table."""
    grid = _grid()
    return TabulatedMaximum("studentised range", grid, range_sf(np.sqrt(2) * grid, k))


def _grid() -> FloatArray:
    """Where the normal tail is tabulated: densely where it curves."""
    return np.concatenate([np.linspace(0, 6, 121)[:-1], np.linspace(6, _LARGEST, 156)])


def _paired(statistic: npt.ArrayLike, df: npt.ArrayLike) -> tuple[FloatArray, FloatArray, tuple[int, ...]]:
    size, df = np.broadcast_arrays(np.abs(np.asarray(statistic, dtype=np.float64)), _positive_df(df))
    return size.ravel(), df.ravel(), size.shape


def _positive_df(df: npt.ArrayLike) -> FloatArray:
    array = np.asarray(df, dtype=np.float64)
    if not (array > 0).all():
        raise InputError(f"`df` must be positive; got {array.min():g}.")
    return array


def single_sf(c: FloatArray, df: FloatArray) -> FloatArray:
    """Two-sided p-value of each statistic on its own."""
    normal = np.isinf(df)
    alone = 2 * np.where(normal, ndtr(-c), stdtr(np.where(normal, 1.0, df), -c))
    return np.asarray(alone)


def single_quantile(probability: float, df: FloatArray) -> FloatArray:
    """Two-sided quantile of one statistic."""
    normal = np.isinf(df)
    tail = (1 - probability) / 2
    return np.asarray(np.where(normal, -ndtri(tail), -stdtrit(np.where(normal, 1.0, df), tail)))


def _check_correlation(matrix: FloatArray) -> None:
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) == 0:
        raise InputError(f"`correlation` must be a square matrix; got shape {matrix.shape}.")
    if not np.isfinite(matrix).all():
        raise InputError("`correlation` has entries that are not finite numbers.")
    if np.abs(np.diag(matrix) - 1).max() > 1e-6 or np.abs(matrix - matrix.T).max() > 1e-6:
        raise InputError("`correlation` must be symmetric with ones on its diagonal.")
    smallest = float(np.linalg.eigvalsh(matrix)[0])
    if smallest < -1e-6:
        raise InputError(f"`correlation` must be positive semidefinite; its smallest eigenvalue is {smallest:.3g}.")


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


def step_down(
    contrasts: npt.ArrayLike,
    covariance: npt.ArrayLike,
    statistic: npt.ArrayLike,
    df: npt.ArrayLike = np.inf,
    *,
    seed: int = 0,
) -> FloatArray:
    """Adjusted p-values of the step-down procedure (as Holm's) that uses the joint distribution.

    The largest statistic is compared with the maximum of all, the next with the maximum of those that remain, and
    so on (Romano and Wolf 2005; Westfall and Young 1993). The p-values are never larger than the single-step ones, and
    the family-wise error is controlled as well.

    Parameters
    ----------
    contrasts, covariance
        As for `max_abs_contrasts`.
    statistic : array_like
        One statistic per contrast.
    df : array_like, default ∞
        Degrees of freedom, one for all or one per statistic.
    seed : int
        Seed of the quasi-random directions.
    """
    rows = unit_rows(contrast_correlation(np.atleast_2d(np.asarray(contrasts, float)), np.asarray(covariance, float)))
    size, df = np.broadcast_arrays(np.abs(np.asarray(statistic, float)), np.asarray(df, float))
    order = np.argsort(-size, kind="stable")
    dimension = rows.shape[1]
    points = 1 << int(np.clip(np.log2(_MAX_WORK / len(rows)), 12, 17))
    projected = np.abs(directions(points, dimension, seed, 0) @ rows[order].T)
    # Position j: the maximum over the statistics from the j-th largest down.
    remaining = np.maximum.accumulate(projected[:, ::-1], axis=1)[:, ::-1]
    grid = np.linspace(0, 1, _TABLE)[1:]
    adjusted = np.empty(len(rows))
    for j, which in enumerate(order):
        table = radius_sf(size[which] / grid, np.full(len(grid), df[which]), dimension)
        adjusted[j] = np.interp(remaining[:, j], grid, table).mean()
    out = np.empty(len(rows))
    out[order] = np.minimum(np.maximum.accumulate(adjusted), 1.0)
    return out
