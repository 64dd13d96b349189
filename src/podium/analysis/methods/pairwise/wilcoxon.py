"""Wilcoxon's signed rank test, for many pairs at once, exact where blocks are few.

It conditions on what was observed: the ranks of the absolute differences, with their ties and zeros. Hence equal
algorithms get p = 1, and ties do not call for an approximation.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeAlias, get_args

import numpy as np
from scipy.special import ndtr

from podium.analysis.methods.location import agreeing_interval, pseudomedian_interval
from podium.analysis.methods.pairwise_test import PairOutcome, PairwiseTest, Structure, two_sided_from
from podium.arrays import BoolArray, FloatArray, Int64Array
from podium.checks import check_choice
from podium.results.ranks import ROUNDING

Zeros: TypeAlias = Literal["drop", "pratt", "split"]

EXACT_BLOCKS = 50  # up to here the null distribution is counted, beyond it the normal one is used


def wilcoxon_test(
    differences: FloatArray,
    structure: Structure | None = None,
    *,
    alpha: float = 0.05,
    intervals: bool = True,
    zeros: Zeros = "drop",
) -> PairOutcome:
    """Wilcoxon's signed rank test of each row of differences.

    It assumes that the differences are symmetric about their centre. Where they are skewed, it rejects equal means
    more often than alpha allows, and equal medians, too: see the sign test (medians) and the bootstrap t test (means).

    Parameters
    ----------
    differences : ndarray, shape (P, n)
    structure : Structure, optional
        Not used: the blocks are treated as independent.
    alpha : float
        Error level of the interval of each pair.
    intervals : bool, default True
        Whether to compute Hodges–Lehmann estimates and their intervals; p-values alone are quicker.
    zeros : {"drop", "pratt", "split"}
        Leave blocks without a difference out (Wilcoxon), rank them but leave them out of the sums (Pratt), or
        give half of their ranks to each side.
    """
    check_choice(zeros, get_args(Zeros), "zeros")
    pairs = len(differences)
    ranks, positive = _signed_ranks(differences, zeros)
    plus = np.where(positive, ranks, 0.0).sum(axis=1)
    minus = ranks.sum(axis=1) - plus
    used = (ranks > 0).sum(axis=1)
    less, greater = _p_values(ranks, plus, minus, used)
    estimate = lower = upper = np.full(pairs, np.nan)
    if intervals:
        estimate, lower, upper = pseudomedian_interval(differences, 1 - alpha)
        lower, upper = agreeing_interval(lower, upper, less, greater, alpha)
    return PairOutcome(
        estimate=estimate,
        statistic=plus - minus,
        less=less,
        greater=greater,
        two_sided=two_sided_from(less, greater),
        lower=lower,
        upper=upper,
        details={
            "w_plus": plus,
            "w_minus": minus,
            "n_used": used,
            "exact": bool(used.max(initial=0) <= EXACT_BLOCKS),
        },
    )


def _signed_ranks(differences: FloatArray, zeros: Zeros) -> tuple[FloatArray, BoolArray]:
    """Ranks of the absolute differences in increasing order, 0 for blocks that do not count, and which are positive.

    Positive numbers are ordered like their bit patterns. With the sign in the last bit, which is far below rounding
    noise, one sort of whole numbers orders sizes and signs together.
    """
    n = differences.shape[1]
    keys = np.abs(differences).view(np.int64)
    keys = np.sort((keys & ~np.int64(1)) | (differences > 0), axis=1)
    positive = (keys & 1) == 1
    sizes = (keys & ~np.int64(1)).view(np.float64)
    none = sizes == 0
    ranks = np.broadcast_to(np.arange(1.0, n + 1.0), sizes.shape).copy()
    new = np.ones(sizes.shape, bool)
    new[:, 1:] = np.diff(sizes, axis=1) > ROUNDING * sizes[:, 1:]  # the differences are rounded to their blocks' digits
    tied = np.flatnonzero(~(new | none).all(axis=1))
    if tied.size:
        ranks[tied] = _averaged(new[tied])
    if zeros == "drop":
        ranks -= none.sum(axis=1, keepdims=True)
    return np.where(none, 0.0, ranks), positive


def _averaged(new: BoolArray) -> FloatArray:
    """Ranks with ties averaged; `new` says where in the order another value begins."""
    n = new.shape[1]
    places = np.arange(1.0, n + 1.0)
    last = np.ones(new.shape, bool)
    last[:, :-1] = new[:, 1:]
    lowest = np.maximum.accumulate(np.where(new, places, 0.0), axis=1)
    highest = np.minimum.accumulate(np.where(last, places, n)[:, ::-1], axis=1)[:, ::-1]
    return (lowest + highest) / 2


def _p_values(
    ranks: FloatArray, plus: FloatArray, minus: FloatArray, used: Int64Array
) -> tuple[FloatArray, FloatArray]:
    """P-values against less and greater: P(W+ ≤ w) and P(W+ ≥ w) when every sign is a fair coin."""
    less, greater = np.ones(len(ranks)), np.ones(len(ranks))
    spread = np.sqrt((ranks**2).sum(axis=1))
    many = used > EXACT_BLOCKS
    z = np.divide(plus - minus, spread, out=np.zeros(len(ranks)), where=spread > 0)
    less[many], greater[many] = ndtr(z[many]), ndtr(-z[many])
    few = np.flatnonzero(~many & (used > 0))
    if few.size:
        whole = np.rint(2 * ranks[few]).astype(np.int64)
        if (whole == whole[0]).all():  # as where nothing is tied
            patterns, which = whole[:1], np.zeros(len(whole), np.intp)
        else:
            patterns, which = np.unique(whole, axis=0, return_inverse=True)
        for i, pattern in enumerate(patterns):
            below = _counted(tuple(pattern[pattern > 0].tolist()))
            rows = few[which == i]
            at = np.rint(2 * plus[rows]).astype(np.int64)
            less[rows] = below[at]
            greater[rows] = 1.0 - np.where(at > 0, below[at - 1], 0.0)
    return less, np.maximum(greater, 0.0)


@lru_cache(maxsize=4096)
def _counted(weights: tuple[int, ...]) -> FloatArray:
    """Distribution function of a sum of independent terms that are 0 or the weight, each with probability 1/2."""
    chances = np.zeros(sum(weights) + 1)
    chances[0] = 1.0
    for weight in weights:
        shifted = np.zeros_like(chances)
        shifted[weight:] = chances[: len(chances) - weight]
        chances = (chances + shifted) / 2
    return np.minimum(np.cumsum(chances), 1.0)


WILCOXON = PairwiseTest(
    name="wilcoxon", title="Wilcoxon signed rank test", function=wilcoxon_test, estimand="pseudomedian"
)
