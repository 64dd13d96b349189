"""Where paired differences lie: median and Hodges–Lehmann estimate, with distribution-free intervals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from podium.analysis.describe.intervals import sign_depth
from podium.arrays import FloatArray, IntArray

_EXACT = 50  # blocks up to which the signed rank distribution is counted
LISTED = 100  # blocks up to which averages of two differences are listed, which is quicker there
_CHUNK = 8_000_000


def pseudomedian_interval(differences: FloatArray, level: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Hodges–Lehmann estimate and interval of each row: median and order statistics of the averages of two.

    The interval inverts Wilcoxon's signed rank test (Hodges & Lehmann 1963, Annals of Mathematical Statistics 34,
    598–611; Hollander & Wolfe 1999, section 3.3). With too few blocks for the level it is infinite.
    """
    pairs, n = differences.shape
    total = n * (n + 1) // 2
    k = signed_rank_depth(n, level)
    ranks = sorted({(total - 1) // 2, total // 2, max(k - 1, 0), total - max(k, 1)})
    found = dict(zip(ranks, walsh_order_statistics(differences, ranks).T, strict=True))
    estimate = (found[(total - 1) // 2] + found[total // 2]) / 2
    if k == 0:
        return estimate, np.full(pairs, -np.inf), np.full(pairs, np.inf)
    return estimate, found[k - 1], found[total - k]


def walsh_order_statistics(differences: FloatArray, ranks: Sequence[int]) -> FloatArray:
    """Order statistics of the averages of two entries of each row, by increasing ranks from 0; shape (P, ranks)."""
    pairs, n = differences.shape
    found = np.empty((pairs, len(ranks)))
    if n > LISTED:
        for i, row in enumerate(np.sort(differences, axis=1)):
            found[i] = _SumsOfTwo(row).order_statistics(ranks)
        return found / 2
    first, second = _two_of(n)
    step = max(1, _CHUNK // len(first))
    for start in range(0, pairs, step):
        part = differences[start : start + step]
        averages = np.partition((part[:, first] + part[:, second]) / 2, ranks, axis=1)
        found[start : start + step] = averages[:, ranks]
    return found


class _Threshold(NamedTuple):
    """How many sums of two are below a value: each number's with those from itself up to, and without, a place."""

    value: float
    ends: IntArray
    total: int


class _SumsOfTwo:
    """The sums of two of n sorted numbers, of a number with itself, too; few of them are ever listed.

    A binary search for each number counts the sums below a threshold. Two thresholds enclose a wanted sum, at first
    those that the sums of a few of the numbers suggest; bisection brings them together until a few n sums are between
    them, which are listed. That is O(n log n). A count may be wrong about sums within `noise` of its threshold;
    since the sum that is found must be farther from both, it is the very number that sorting all sums would give.
    """

    def __init__(self, ordered: FloatArray) -> None:
        n = len(ordered)
        starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        self.values, self.places = ordered[starts], np.arange(len(starts))
        self.before = np.append(starts, n)  # how many numbers are smaller than each distinct one
        self.weights = np.diff(self.before)
        self.doubles = self.weights * (self.weights + 1) // 2  # sums of equal numbers
        self.offsets = np.append(0, np.cumsum(self.doubles - self.weights * self.before[1:]))
        self.noise = 16 * np.finfo(float).eps * max(abs(ordered[0]), abs(ordered[-1])) + np.finfo(float).tiny
        few = int(2 * np.sqrt(n)) + 1
        sample = ordered[(2 * np.arange(few) + 1) * n // (2 * few)]
        first, second = _two_of(few)
        self.sample, self.margin = np.sort(sample[first] + sample[second]), few // 7 + 1

    def order_statistics(self, ranks: Sequence[int]) -> list[float]:
        """Find the sums of increasing ranks, from 0."""
        found: list[float] = []
        low = high = _Threshold(0.0, self.places, 0)
        sums, through = np.empty(0), np.empty(0, np.int64)
        for rank in ranks:
            if not low.total <= rank < high.total:
                low, high = self._enclose(rank)
                sums, through = self._between(low, high)
            while True:
                at = int(np.searchsorted(through, rank, side="right"))
                if at < len(sums) and low.value + self.noise < sums[at] < high.value - self.noise:
                    break
                low, high = self._below(low.value - 4 * self.noise), self._below(high.value + 4 * self.noise)
                sums, through = self._between(low, high)
            found.append(float(sums[at]))
        return found

    def _enclose(self, rank: int) -> tuple[_Threshold, _Threshold]:
        """Find two thresholds with the sum of this rank, and a few n sums, between them."""
        n, k, apart = int(self.before[-1]), len(self.values), 8 * self.noise
        total = n * (n + 1) // 2
        low = _Threshold(2 * self.values[0] - apart, self.places, 0)
        high = _Threshold(2 * self.values[-1] + apart, np.full(k, k), total)
        middle = int(rank / total * len(self.sample))
        guesses = [
            self.sample[min(middle + self.margin, len(self.sample) - 1)] + apart,
            self.sample[max(middle - self.margin, 0)] - apart,
        ]
        while (high.ends - low.ends).sum() > 4 * n and high.value - low.value > 2 * apart:
            value = guesses.pop() if guesses else (low.value + high.value) / 2
            if low.value < value < high.value:
                tried = self._below(value)
                low, high = (tried, high) if tried.total <= rank else (low, tried)
        return low, high

    def _below(self, value: float) -> _Threshold:
        """Count the sums below a value."""
        ends, half = self.places.copy(), int(np.searchsorted(self.values, value / 2))
        increasing = value - self.values[:half][::-1]  # which is quicker to search for
        np.maximum(np.searchsorted(self.values, increasing)[::-1], self.places[:half] + 1, out=ends[:half])
        return _Threshold(value, ends, int(self.weights[:half] @ self.before[ends[:half]] + self.offsets[half]))

    def _between(self, low: _Threshold, high: _Threshold) -> tuple[FloatArray, IntArray]:
        """List the sums between two thresholds in increasing order, and how many sums there are up to each."""
        width = high.ends - low.ends
        first = np.repeat(self.places, width)
        second = np.arange(len(first)) + np.repeat(high.ends - np.cumsum(width), width)
        sums = self.values[first] + self.values[second]
        if len(self.values) == self.before[-1]:  # no number occurs twice
            return np.sort(sums), low.total + np.arange(1, len(sums) + 1)
        order = np.argsort(sums)
        counts = np.where(first == second, self.doubles[first], self.weights[first] * self.weights[second])
        return sums[order], low.total + np.cumsum(counts[order])


@lru_cache(maxsize=64)
def _two_of(n: int) -> tuple[IntArray, IntArray]:
    return np.triu_indices(n)


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
