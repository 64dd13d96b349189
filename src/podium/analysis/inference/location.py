"""Where paired differences lie: median and Hodges–Lehmann estimate, with distribution-free intervals."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import ndtri

from podium.analysis.describe.median_interval import sign_depth
from podium.arrays import FloatArray

_EXACT = 50  # blocks up to which the signed rank distribution is counted
_CHUNK = 8_000_000


def pseudomedian_interval(differences: FloatArray, level: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Hodges–Lehmann estimate and interval of each row: median and order statistics of the averages of two.

    The interval inverts Wilcoxon's signed rank test (Hodges & Lehmann 1963, Annals of Mathematical Statistics 34,
    598–611; Hollander & Wolfe 1999, section 3.3). With too few blocks for the level it is infinite.
    """
    pairs, n = differences.shape
    i, j = np.triu_indices(n)
    total = len(i)
    k = signed_rank_depth(n, level)
    wanted = sorted({(total - 1) // 2, total // 2, max(k - 1, 0), total - max(k, 1)})
    estimate, lower, upper = np.empty(pairs), np.full(pairs, -np.inf), np.full(pairs, np.inf)
    step = max(1, _CHUNK // total)
    for start in range(0, pairs, step):
        rows = slice(start, start + step)
        part = differences[rows]
        averages = np.partition((part[:, i] + part[:, j]) / 2, wanted, axis=1)
        estimate[rows] = (averages[:, (total - 1) // 2] + averages[:, total // 2]) / 2
        if k > 0:
            lower[rows], upper[rows] = averages[:, k - 1], averages[:, total - k]
    return estimate, lower, upper


def median_interval(differences: FloatArray, level: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Median and interval of each row from order statistics, which inverts the sign test; it keeps the level exactly.

    The depth comes from the binomial distribution, not from a half-width of the normal one.
    """
    pairs, n = differences.shape
    ordered = np.sort(differences, axis=1)
    k = sign_depth(n, 1 - level)
    lower = ordered[:, k - 1] if k > 0 else np.full(pairs, -np.inf)
    upper = ordered[:, n - k] if k > 0 else np.full(pairs, np.inf)
    return np.median(ordered, axis=1), lower, upper


def agreeing_interval(
    lower: FloatArray, upper: FloatArray, less: FloatArray, greater: FloatArray, alpha: float
) -> tuple[FloatArray, FloatArray]:
    """Make the interval of a test by ranks or signs agree with the test about 0, where ties set them apart.

    Order statistics ignore ties and blocks without a difference; the test does not. Where it does not reject, 0 is
    included. Where it rejects a ≥ b (or a ≤ b) at the level alpha/2, it rejects, along with 0, every difference on
    that side of 0, and the interval ends there.
    """
    open_ = np.minimum(less, greater) > alpha / 2
    lower, upper = np.where(open_, np.minimum(lower, 0.0), lower), np.where(open_, np.maximum(upper, 0.0), upper)
    below, above = less <= alpha / 2, greater <= alpha / 2
    return np.where(above, np.maximum(lower, 0.0), lower), np.where(below, np.minimum(upper, 0.0), upper)


def signed_rank_depth(n: int, level: float) -> int:
    """How many order statistics to go in from each end: the number of w with P(W ≤ w) at most (1 - level)/2."""
    share = (1 - level) / 2
    if n <= _EXACT:
        return int((_signed_rank_cdf(n) <= share).sum())
    mean, sd = n * (n + 1) / 4, np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return max(0, int(np.floor(mean + ndtri(share) * sd)))


@lru_cache(maxsize=64)
def _signed_rank_cdf(n: int) -> FloatArray:
    chances = np.ones(1)
    for rank in range(1, n + 1):
        longer = np.zeros(len(chances) + rank)
        longer[: len(chances)] += chances / 2
        longer[rank:] += chances / 2
        chances = longer
    return np.cumsum(chances)
