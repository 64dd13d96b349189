"""Ranks within blocks: scores of global tests, and pairs compared by their mean ranks.

A global test of this family gives every cell a score, centred in its block. If the algorithms perform equally well, all
arrangements of the scores within a block are equally likely, and the column sums have mean 0 and covariance V (I - J/K)
with V the sum over blocks of their sample variances.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Literal, TypeAlias

import numpy as np
from scipy.special import gammaln, ndtr, ndtri, stdtr, stdtrit

from podium.analysis.methods.permutation import doubled, exact_sums, monte_carlo_p, random_sums
from podium.analysis.simultaneous.studentised_range import control_ppf, control_sf, range_ppf, range_sf
from podium.arrays import FloatArray, Int64Array, IntArray
from podium.checks import record
from podium.results.ranks import ROUNDING, rank_rows

Variance: TypeAlias = Literal["ties", "plain", "conover"]
Tail: TypeAlias = Literal["two-sided", "less", "greater"]  # of a - b


def rank_blocks(costs: FloatArray) -> FloatArray:
    """Rank each row, 1 for the smallest cost, ties averaged; NaN is ranked last."""
    return rank_rows(costs, "average")


def rank_together(values: FloatArray, sizes: FloatArray) -> FloatArray:
    """Rank all numbers of an array together, 1 for the smallest, ties averaged.

    Numbers are equal if they differ by rounding alone. `sizes` are those of the numbers that each was computed from,
    and so of its rounding errors. A block of huge numbers thus does not make others equal.
    """
    numbers, noise = values.ravel(), ROUNDING * np.broadcast_to(sizes, values.shape).ravel()
    order = np.argsort(numbers, kind="stable")
    noise = noise[order]
    starts = np.ones(len(order), bool)
    starts[1:] = np.diff(numbers[order]) > np.maximum(noise[1:], noise[:-1])
    group = np.cumsum(starts) - 1
    tied = np.bincount(group)
    ranks = np.empty(len(order))
    ranks[order] = (np.cumsum(tied) - (tied - 1) / 2)[group]
    return ranks.reshape(values.shape)


def centred(scores: FloatArray) -> FloatArray:
    """Scores minus the mean of their block."""
    inside: FloatArray = scores - scores.mean(axis=1, keepdims=True)
    return inside


def variance_of_sums(scores: FloatArray) -> float:
    """V: variance of the column sums under permutation, given the scores and hence their ties."""
    inside = centred(scores)
    return float((inside**2).sum() / (scores.shape[1] - 1))


def quadratic_statistic(scores: FloatArray) -> float:
    """Sum of the squared column sums over V; 0 where all algorithms are tied in every block.

    Asymptotically χ² with K - 1 degrees of freedom. With ranks it is the tie-corrected Friedman statistic, with
    0/1 outcomes Cochran's Q, with aligned ranks the statistic of Hodges & Lehmann.
    """
    sums = centred(scores).sum(axis=0)
    variance = variance_of_sums(scores)
    return float((sums**2).sum() / variance) if variance > 0 else 0.0


@record(kw_only=True)
class RankOutcome:
    """Differences of mean ranks of some pairs, with tests.

    Attributes
    ----------
    estimate, statistic, pvalue, single_step : ndarray
        Difference of mean ranks a - b, its standardised form, the p-value of the pair alone, and the one adjusted
        for the largest of all differences (None where there is no such adjustment).
    error : float
        Standard error of a difference of mean ranks under the hypothesis of equal performance.
    df : float or None
        Degrees of freedom; infinite for normal statistics, None where a statistic has neither a normal nor a t
        distribution, so that there is no critical difference.
    exact : bool
    permutations : int
        Number of random permutations behind the p-values; 0 if none.
    """

    estimate: FloatArray
    statistic: FloatArray
    pvalue: FloatArray
    single_step: FloatArray | None
    error: float
    df: float | None = inf
    exact: bool = False
    permutations: int = 0


def rank_pairs(
    ranks: FloatArray,
    first: IntArray,
    second: IntArray,
    *,
    variance: Variance = "ties",
    control: bool = False,
    tail: Tail = "two-sided",
    df: float = inf,
) -> RankOutcome:
    """Compare pairs by their mean ranks over the blocks.

    Parameters
    ----------
    ranks : ndarray, shape (n, K)
    first, second : ndarray of int
        The pairs; with `control` the second of each is the control.
    variance : {"ties", "plain", "conover"}
        Variance of a difference of mean ranks: that of permuted ranks given their ties (as in the
        Wilcoxon–Nemenyi–McDonald–Thompson test), K(K + 1)/(6n) (Nemenyi; Demšar 2006, section 3.2.2), or what is left
        after differences between algorithms are removed (Conover 1999, section 5.8), with a t distribution.
    control : bool
        Whether these are all differences from one control, which makes the single-step adjustment smaller.
    tail : {"two-sided", "less", "greater"}
        One-sided alternatives are for comparisons with a control.
    df : float
        Degrees of freedom of the studentised range; infinite for large samples, as these tests are defined.
    """
    k = ranks.shape[1]
    mean = ranks.mean(axis=0)
    estimate = mean[first] - mean[second]
    error, df = _standard_error(ranks, variance, df)
    certain = np.where(np.abs(estimate) > 1e-12, np.copysign(inf, estimate), 0.0)
    statistic = estimate / error if error > 0 else certain  # without any variance a difference is certain
    pvalue = _tail(statistic, tail, df)
    if error == 0:
        pvalue = np.maximum(pvalue, chance_of_agreement(ranks) / (1 if tail == "two-sided" else 2))
    return RankOutcome(
        estimate=estimate,
        statistic=statistic,
        pvalue=pvalue,
        single_step=_single_step(statistic, pvalue, k, len(first), control, tail, df),
        error=error,
        df=df,
    )


def _standard_error(ranks: FloatArray, variance: Variance, df: float) -> tuple[float, float]:
    n, k = ranks.shape
    if variance == "plain":
        return sqrt(k * (k + 1) / (6 * n)), df
    if variance == "ties":
        return sqrt(2 * variance_of_sums(ranks)) / n, df
    freedom = (n - 1.0) * (k - 1.0)
    sums = ranks.sum(axis=0)
    rest = n * float((ranks**2).sum()) - float((sums**2).sum())
    return sqrt(max(2 * rest / freedom, 0.0)) / n if rest > 1e-9 * n * n * k else 0.0, freedom


def chance_of_agreement(ranks: FloatArray) -> float:
    """Probability that exchangeable algorithms have the same order in all blocks, given the ties of each block.

    Without ties it is (1/K!)^(n-1): W. J. Conover (1999). Practical Nonparametric Statistics, section 5.8. With ties it
    is that of all other blocks following the block with the most arrangements. Statistics of agreement are largest
    there, so that no p-value by permutations within blocks is smaller.
    """
    ordered = np.sort(ranks, axis=1)
    place = np.ones(len(ranks))  # of a rank among those that are tied with it
    arrangements = np.full(len(ranks), gammaln(ranks.shape[1] + 1))  # logarithms of their numbers
    for column in range(1, ranks.shape[1]):
        place = np.where(ordered[:, column] == ordered[:, column - 1], place + 1, 1.0)
        arrangements -= np.log(place)
    return min(1.0, float(np.exp(arrangements.max() - arrangements.sum())))


def _tail(statistic: FloatArray, tail: Tail, df: float) -> FloatArray:
    side = {"two-sided": -np.abs(statistic), "less": statistic, "greater": -statistic}[tail]
    below = ndtr(side) if np.isinf(df) else stdtr(df, side)
    return np.minimum(2 * below, 1.0) if tail == "two-sided" else np.asarray(below)


def _single_step(
    statistic: FloatArray,
    pvalue: FloatArray,
    k: int,
    pairs: int,
    control: bool,
    tail: Tail,
    df: float,
) -> FloatArray:
    """P-value of the largest difference among all; normal statistics unless df is finite."""
    if pairs == 1:
        return pvalue
    if control:
        side = np.abs(statistic) if tail == "two-sided" else statistic * (-1 if tail == "less" else 1)
        return control_sf(side, pairs, two_sided=tail == "two-sided")
    return np.maximum(range_sf(np.sqrt(2.0) * np.abs(statistic), k, df), pvalue)


def critical_value(
    alpha: float,
    k: int,
    *,
    adjust: str,
    control: bool = False,
    tail: Tail = "two-sided",
    df: float = inf,
) -> float | None:
    """How many standard errors apart two mean ranks must be; None where the adjustment has no such number.

    Examples
    --------
    >>> round(critical_value(0.05, 4, adjust="single-step"), 3)  # Demšar (2006), table 5
    2.569
    >>> round(critical_value(0.05, 4, adjust="bonferroni", control=True), 3)
    2.394
    """
    sides = 2 if tail == "two-sided" else 1
    pairs = k - 1 if control else k * (k - 1) // 2
    if adjust == "single-step" and pairs > 1:
        if control:
            return control_ppf(alpha, pairs, two_sided=sides == 2)
        return range_ppf(alpha, k, df) / sqrt(2)
    share = {"none": alpha, "bonferroni": alpha / pairs, "sidak": -np.expm1(np.log1p(-alpha) / pairs)}
    share["single-step"] = alpha
    if adjust not in share:
        return None
    p = share[adjust] / sides
    return float(-ndtri(p) if np.isinf(df) else -stdtrit(df, p))


def permuted_rank_pairs(
    ranks: FloatArray,
    first: IntArray,
    second: IntArray,
    *,
    control: bool = False,
    tail: Tail = "two-sided",
    permutations: int = 100_000,
    seed: int = 0,
) -> RankOutcome:
    """Compare pairs by mean ranks, with p-values from permutations of the ranks within blocks.

    The largest difference of rank sums over all compared pairs gives the single-step p-values; as all pairs have the
    same null distribution, one of them gives the p-values of single pairs. All arrangements are counted where they
    are few and all pairs are compared two-sidedly; else random ones are drawn.
    """
    normal = rank_pairs(ranks, first, second, variance="ties", control=control, tail=tail)
    scores = doubled(ranks)
    sums = scores.sum(axis=0)
    observed = _signed(sums[first] - sums[second], tail)
    exact = None if control or tail != "two-sided" else exact_sums(scores)
    if exact is not None:
        states, chances = exact
        single = _upper_tail(states[:, -1] - states[:, 0], chances, observed)
        i, j = np.triu_indices(ranks.shape[1], 1)
        gaps = (states[:, j] - states[:, i]).ravel()
        alone = _upper_tail(gaps, np.repeat(chances / len(i), len(i)), observed)
        return _with_p(normal, alone, single, exact=True)
    reached, reached_alone = np.zeros(len(first), np.int64), np.zeros(len(first), np.int64)
    for drawn in random_sums(scores, permutations, seed):
        one = np.sort(_signed(drawn[:, 0] - drawn[:, 1], tail))
        # The columns are exchangeable under the hypothesis, so any may represent the control.
        from_control = _signed(drawn[:, 1:] - drawn[:, :1], tail)
        largest = from_control.max(axis=1) if control else np.ptp(drawn, axis=1)
        reached += len(drawn) - np.searchsorted(np.sort(largest), observed, side="left")
        reached_alone += len(drawn) - np.searchsorted(one, observed, side="left")
    return _with_p(
        normal,
        monte_carlo_p(reached_alone, permutations),
        monte_carlo_p(reached, permutations),
        permutations=permutations,
    )


def _signed(differences: Int64Array, tail: Tail) -> Int64Array:
    """Turn differences so that large ones are evidence against the hypothesis."""
    if tail == "two-sided":
        return np.abs(differences)
    return -differences if tail == "less" else differences


def _upper_tail(values: Int64Array, chances: FloatArray, observed: Int64Array) -> FloatArray:
    order = np.argsort(values)
    above = np.concatenate([np.cumsum(chances[order][::-1])[::-1], [0.0]])
    tail: FloatArray = np.minimum(above[np.searchsorted(values[order], observed, side="left")], 1.0)
    return tail


def _with_p(
    normal: RankOutcome, pvalue: FloatArray, single: FloatArray, *, exact: bool = False, permutations: int = 0
) -> RankOutcome:
    return RankOutcome(
        estimate=normal.estimate,
        statistic=normal.statistic,
        pvalue=pvalue,
        single_step=np.maximum(single, pvalue),
        error=normal.error,
        df=None,
        exact=exact,
        permutations=permutations,
    )
