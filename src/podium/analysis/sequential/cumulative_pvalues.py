"""P-values of paired tests on accumulating replications: of the first b, for every b; many pairs at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy.special import betainc, ndtr, stdtr

from podium.analysis.methods.pairwise.wilcoxon import EXACT_BLOCKS, wilcoxon_test
from podium.analysis.methods.pairwise_test import PairwiseTest, Structure, two_sided_from
from podium.analysis.methods.ranks import Tail
from podium.arrays import AnyArray, BoolArray, FloatArray, Int64Array
from podium.results.aggregation import power_of_two
from podium.results.ranks import ROUNDING

_CELLS = 30_000_000  # comparisons of two differences held at once


def accumulating_pvalues(
    differences: FloatArray,
    test: PairwiseTest,
    tail: Tail,
    structure: Structure,
    start: int,
    options: Mapping[str, Any],
) -> FloatArray:
    """P-values of the first b differences of each row, shape (P, n); NaN for b < `start`.

    Signed ranks, signs and means are updated from one replication to the next; other tests are run again.
    """
    found = np.full(differences.shape, np.nan)
    if start > differences.shape[1]:
        return found
    if is_updated(test, options):
        found[:, start - 1 :] = _UPDATED[test.name](differences, tail)[:, start - 1 :]
        return found
    n = differences.shape[1]
    for b in range(start, n + 1):
        part = structure.take(np.arange(n) < b)
        found[:, b - 1] = test.function(differences[:, :b], part, intervals=False, **options).pvalue(tail)
    return found


def is_updated(test: PairwiseTest, options: Mapping[str, Any]) -> bool:
    """Return whether a test is updated from one replication to the next; it then looks at the differences alone."""
    return test.name in _UPDATED and not options


def _of_tails(less: FloatArray, greater: FloatArray, tail: Tail) -> FloatArray:
    if tail == "two-sided":
        return two_sided_from(less, greater)
    return less if tail == "less" else greater


def _t(differences: FloatArray, tail: Tail) -> FloatArray:
    """Student's t of the first b differences, from running sums about the first one."""
    n = np.arange(1, differences.shape[1] + 1)
    differences = differences / power_of_two(differences)
    origin = differences[:, :1]
    away = differences - origin
    mean = np.cumsum(away, axis=1) / n
    square = np.cumsum(away**2, axis=1) - n * mean**2
    size = np.maximum.accumulate(np.abs(differences), axis=1)
    mean = mean + origin
    mean = np.where(np.abs(mean) <= 1e-14 * size, 0.0, mean)
    with np.errstate(divide="ignore", invalid="ignore"):
        sd = np.sqrt(np.maximum(square, 0.0) / (n - 1))
        sd = np.where(sd <= 1e-12 * size, 0.0, sd)
        statistic = np.where(sd > 0, mean / (sd / np.sqrt(n)), np.where(mean == 0, 0.0, np.copysign(np.inf, mean)))
        less, greater = stdtr(n - 1.0, statistic), stdtr(n - 1.0, -statistic)
    same = (mean == 0) & (sd == 0)
    return _of_tails(np.where(same, 1.0, less), np.where(same, 1.0, greater), tail)


def _sign(differences: FloatArray, tail: Tail) -> FloatArray:
    """Exact binomial test of the signs of the first b differences."""
    more, fewer = np.cumsum(differences > 0, axis=1), np.cumsum(differences < 0, axis=1)
    less = np.where(fewer > 0, betainc(np.maximum(fewer, 1), more + 1, 0.5), 1.0)
    greater = np.where(more > 0, betainc(np.maximum(more, 1), fewer + 1, 0.5), 1.0)
    return _of_tails(less, greater, tail)


def _wilcoxon(differences: FloatArray, tail: Tail) -> FloatArray:
    """Signed ranks of the first b differences: exact as long as no more than 50 count, then normal.

    The next difference takes its rank among those before it, and moves up those that are larger by one place. What each
    row needs is how many of those before are smaller, equal and larger, with their signs: one comparison of all pairs
    of replications, instead of a ranking for each b.
    """
    rows, n = differences.shape
    found = np.ones((rows, n))
    used = np.cumsum(differences != 0, axis=1)
    chunk = max(1, _CELLS // max(n * n, 1))
    for start in range(0, rows, chunk):
        part = slice(start, min(rows, start + chunk))
        statistic, variance = _signed_rank_sums(differences[part])
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where(variance > 0, statistic / np.sqrt(variance), 0.0)
        found[part] = _of_tails(ndtr(z), ndtr(-z), tail)
    for b in range(1, n + 1):
        few = np.flatnonzero(used[:, b - 1] <= EXACT_BLOCKS)
        if not few.size:
            break
        found[few, b - 1] = wilcoxon_test(differences[few, :b], intervals=False).pvalue(tail)
    return found


def _signed_rank_sums(differences: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Sum of signed ranks of the first b differences, and of squared ranks, for every b; shapes (P, n)."""
    codes = _size_codes(np.abs(differences)).astype(np.int32)
    signs = np.sign(differences)
    counts = signs != 0
    n = differences.shape[1]
    before = np.tri(n, k=-1, dtype=bool)
    statistic, squares = np.empty(differences.shape), np.empty(differences.shape)
    for i, code in enumerate(codes):
        # Columns: whether a difference counts, and its sign; sums of up to 2^24 ones are exact in single precision.
        marks = np.stack([counts[i], signs[i]], axis=1).astype(np.float32)
        below, signs_below = _matched((code[:, None] > code[None, :]) & before, marks)
        tied, signs_tied = np.zeros(n), np.zeros(n)
        if code.max() < n - 1:
            tied, signs_tied = _matched((code[:, None] == code[None, :]) & before, marks)
        moved = np.cumsum(signs[i]) - signs[i] - signs_below - signs_tied / 2
        step = signs[i] * (1.0 + below + tied / 2) + moved
        statistic[i] = np.cumsum(np.where(counts[i], step, 0.0))
        m = np.cumsum(counts[i]).astype(float)
        lost = np.cumsum(np.where(counts[i], 3.0 * (tied + 1) * tied, 0.0))  # of t³ - t over groups of t ties
        squares[i] = m * (m + 1) * (2 * m + 1) / 6 - lost / 12
    return statistic, squares


def _matched(earlier: BoolArray, marks: AnyArray) -> AnyArray:
    """Sums of the marks of those that are marked in each row, one array per mark."""
    return (earlier.astype(np.float32) @ marks).T.astype(float)


def _size_codes(sizes: FloatArray) -> Int64Array:
    """Whole numbers in the order of the sizes, the same for those that differ by rounding only."""
    order = np.argsort(sizes, axis=1, kind="stable")
    ordered = np.take_along_axis(sizes, order, axis=1)
    new = np.zeros(sizes.shape, np.int64)
    new[:, 1:] = np.diff(ordered, axis=1) > ROUNDING * ordered[:, 1:]
    codes = np.empty(sizes.shape, np.int64)
    np.put_along_axis(codes, order, np.cumsum(new, axis=1), axis=1)
    return codes


_UPDATED: Mapping[str, Callable[[FloatArray, Tail], FloatArray]] = MappingProxyType(
    {"wilcoxon": _wilcoxon, "sign": _sign, "t": _t}
)


def point_of_significance(pvalues: FloatArray, alpha: float) -> FloatArray:
    """Π: number of replications from which all p-values are at most alpha, of each row; infinite if none."""
    with np.errstate(invalid="ignore"):
        significant = pvalues <= alpha
    streak = np.cumprod(significant[:, ::-1], axis=1).sum(axis=1)  # how long it has been significant at the end
    return np.where(streak > 0, pvalues.shape[1] - streak + 1.0, np.inf)
