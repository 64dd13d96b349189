"""Data sets whose replications rank the algorithms against the order of the other data sets: Page's trend test.

E. B. Page (1963). Ordered hypotheses for multiple treatments: a significance test for linear ranks. Journal of the
American Statistical Association 58, 216–230.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations

import numpy as np
from scipy.special import ndtr

from podium.analysis.adjustment import adjust_pvalues
from podium.arrays import FloatArray
from podium.results.ranks import rank_rows

MAX_EXACT = 8  # algorithms; for more the sum of products is nearly normal


def reversal_pvalues(costs: Sequence[FloatArray], names: Sequence[str]) -> FloatArray:
    """P-value of each data set against "it does not reverse the order of the others", adjusted by Holm.

    Where no algorithm differs from another, the order of the other data sets is any order to the replications of one,
    so the probability of any p-value of at most alpha is at most alpha.

    Parameters
    ----------
    costs : sequence of ndarray
        Replications × algorithms of each data set, low values are better. Rows with a missing value are left out.
    names : sequence of str
        The algorithms; they decide between equal mean ranks.

    Returns
    -------
    ndarray of float
        NaN for data sets with fewer than two complete replications, and where there is no other.
    """
    complete = [rows[~np.isnan(rows).any(axis=1)] for rows in costs]
    ranks = {m: rank_rows(rows, "average") for m, rows in enumerate(complete) if len(rows) > 1}
    found = np.full(len(costs), np.nan)
    if len(ranks) < 2:
        return found
    means = {m: one.mean(axis=0) for m, one in ranks.items()}
    total = np.sum(list(means.values()), axis=0)
    for m in ranks:
        others = np.round(total - means[m], 9)
        place = np.empty(len(names))
        place[np.lexsort((np.array(names, str), others))] = np.arange(1, len(names) + 1)
        found[m] = _trend_pvalue(float((ranks[m] @ place).sum()), len(names), len(complete[m]))
    tested = list(ranks)
    found[tested] = adjust_pvalues(found[tested], "holm")
    return found


def _trend_pvalue(statistic: float, k: int, n: int) -> float:
    """Probability that n random permutations of k ranks agree with the order as little; tied ranks agree less often."""
    if k > MAX_EXACT:
        mean, variance = n * k * (k + 1) ** 2 / 4, n * k**2 * (k + 1) ** 2 * (k - 1) / 144
        return float(ndtr((statistic - mean) / np.sqrt(variance)))
    least = n * k * (k + 1) * (k + 2) // 6
    return float(min(_sums(k, n)[: int(np.ceil(statistic - 1e-9)) - least + 1].sum(), 1.0))


@lru_cache(maxsize=64)
def _sums(k: int, n: int) -> FloatArray:
    """Distribution of the sum of products of 1 to k with n random permutations of them, from the smallest on."""
    if n == 1:
        products = np.array(list(permutations(range(1, k + 1)))) @ np.arange(1, k + 1)
        counts = np.bincount(products - products.min())
        return np.asarray(counts / counts.sum(), float)
    half = _sums(k, n // 2)
    whole = np.convolve(half, half)
    return whole if n % 2 == 0 else np.convolve(whole, _sums(k, 1))
