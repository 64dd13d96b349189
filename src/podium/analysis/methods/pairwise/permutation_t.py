"""The paired permutation t test: random signs of the differences."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from podium.analysis.methods.location import agreeing_interval
from podium.analysis.methods.pairwise.t import mean_difference, paired_t_test
from podium.analysis.methods.pairwise_test import PairOutcome, PairwiseTest, Structure, drawing, two_sided_from
from podium.analysis.methods.permutation import monte_carlo_p, ordered_rows
from podium.analysis.methods.ranks import Tail
from podium.analysis.notes import Note
from podium.arrays import AnyArray, FloatArray, Int64Array, IntArray
from podium.checks import MAX_DRAWS, check_count, random_generator
from podium.results.aggregation import power_of_two

_ALL_SIGNS = 14  # up to here all 2^n signs are tried
_CHUNK = 4_000_000


@drawing
def permutation_t_test(
    differences: FloatArray,
    structure: Structure | None = None,
    *,
    alpha: float = 0.05,
    intervals: bool | None = None,
    permutations: int = 10_000,
    seed: int = 0,
) -> PairOutcome:
    """Test the mean difference by random signs: under the hypothesis, the sign in each block is a coin toss.

    All 2^n signs up to 14 blocks, random ones beyond. As a t statistic orders the signs in the same way as the mean
    does, this is the permutation version of the paired t test. It assumes that the differences are symmetric.

    The interval holds the differences that the test does not reject. Flipping the signs of a set of blocks gives a mean
    at least as extreme if and only if the mean of this set is beyond the difference in question, so its ends are order
    statistics of the means of sets of blocks (J. A. Hartigan 1969, Using subsample values as typical values, Journal of
    the American Statistical Association 64, 1303–1317).
    """
    check_count(permutations, "permutations", most=MAX_DRAWS)
    n = differences.shape[1]
    observed = mean_difference(differences)
    exact = n <= _ALL_SIGNS
    tried = 2**n if exact else permutations
    # A difference is rejected if at most this many patterns of signs are at least as extreme.
    most = int(np.floor(alpha / 2 * tried + 1e-9 if exact else alpha / 2 * (tried + 1) - 1 + 1e-9))
    low, high, lower, upper = _sign_counts(differences, tried, seed, most if intervals is not False else None)
    less, greater = (low / tried, high / tried) if exact else (monte_carlo_p(low, tried), monte_carlo_p(high, tried))
    lower, upper = agreeing_interval(lower, upper, less, greater, alpha)  # up to rounding they do
    student = paired_t_test(differences, alpha=alpha)
    note = Note("random draws", draws=tried, of="signs", p=0.05, error=float(np.sqrt(0.0475 / tried)))
    return PairOutcome(
        estimate=observed,
        statistic=student.statistic,
        less=less,
        greater=greater,
        two_sided=two_sided_from(less, greater),
        lower=lower,
        upper=upper,
        details={"exact": exact, "signs": tried},
        notes=() if exact else (note,),
    )


def _signs(n: int, tried: int, seed: int, most: int) -> Iterator[AnyArray]:
    """All signs of n blocks, or random ones, in batches: 1 where a block keeps its sign, else 0."""
    rng = random_generator(seed) if n > _ALL_SIGNS else None
    for start in range(0, tried, most):
        size = min(most, tried - start)
        if rng is None:
            yield (np.arange(start, start + size)[:, None] >> np.arange(n)) & 1
        else:
            yield rng.integers(0, 2, size=(size, n), dtype=np.int8)


def _sign_counts(
    differences: FloatArray, tried: int, seed: int, most: int | None
) -> tuple[Int64Array, Int64Array, FloatArray, FloatArray]:
    """How many sign patterns give a sum at most, and at least, as large as the observed one; and the interval."""
    pairs, n = differences.shape
    slack = 1e-12 * np.abs(differences).sum(axis=1)
    low, high = np.zeros(pairs, np.int64), np.zeros(pairs, np.int64)
    unturned = 0  # patterns that leave all signs as they are
    smallest, largest = np.empty((0, pairs)), np.empty((0, pairs))  # of the means; the largest with a minus
    for kept in _signs(n, tried, seed, max(1, _CHUNK // max(n, pairs))):
        turned = 1.0 - kept
        sums = turned @ differences.T
        sums = np.where(np.abs(sums) <= slack, 0.0, sums)
        low += (sums >= 0).sum(axis=0)
        high += (sums <= 0).sum(axis=0)
        if most is not None:
            count = turned.sum(axis=1)
            unturned += int((count == 0).sum())
            means = sums[count > 0] / count[count > 0, None]
            smallest = _first(np.concatenate([smallest, means]), most + 1)
            largest = _first(np.concatenate([largest, -means]), most + 1)
    depth = -1 if most is None else most - unturned  # the pattern without a flip is always as extreme
    if depth < 0 or depth >= len(smallest):
        nothing = np.full(pairs, np.nan if most is None else np.inf)
        return low, high, -nothing, nothing
    return low, high, np.sort(smallest, axis=0)[depth], -np.sort(largest, axis=0)[depth]


def _first(values: FloatArray, count: int) -> FloatArray:
    """Return the smallest of each column, in any order."""
    return values if len(values) <= count else np.partition(values, count - 1, axis=0)[:count]


def step_down_pvalues(differences: FloatArray, tail: Tail, *, permutations: int = 10_000, seed: int = 0) -> FloatArray:
    """P-values of all pairs, adjusted by their joint distribution under random signs of the blocks.

    A sign is that of a whole block: it flips the differences of all pairs. The pairs are ordered by their statistics,
    and the largest is compared with the largest of all pairs under random signs, the next with the largest of those
    that are left, and so on (Romano & Wolf 2005). If the differences between equal algorithms are jointly symmetric in
    every block, then the probability of any false difference is at most alpha, whatever the other algorithms do. Up to
    14 blocks all signs are tried.

    The statistic of a pair is the sum of its differences over the root of the sum of their squares, which the signs do
    not change: its variance under random signs is 1, and for pairs with the same number of blocks its order is that of
    t statistics.

    J. P. Romano, M. Wolf (2005). Exact and approximate stepdown methods for multiple hypothesis testing. Journal of the
    American Statistical Association 100, 94–108.

    Parameters
    ----------
    differences : ndarray, shape (pairs, n)
        NaN where a block has no difference of the pair.
    tail : {"two-sided", "less", "greater"}
    permutations, seed : int
        Number and seed of the random signs, beyond 14 blocks.
    """
    check_count(permutations, "permutations", most=MAX_DRAWS)
    pairs, n = differences.shape
    there = np.nan_to_num(differences)
    if tail == "less":
        there = 0.0 - there
    there = there[:, _block_order(there, tail)]
    scale = np.abs(there).max(axis=1, keepdims=True)
    scores = there / np.where(scale > 0, scale, 1.0)
    length = np.sqrt((scores**2).sum(axis=1, keepdims=True))
    scores /= np.where(length > 0, length, 1.0)
    size = np.abs if tail == "two-sided" else np.asarray
    observed = size(scores.sum(axis=1))
    order = np.lexsort([np.arange(pairs), -observed])
    scores, observed = scores[order], observed[order]
    exact = n <= _ALL_SIGNS
    tried = 2**n if exact else permutations
    reached = np.zeros(pairs, np.int64)
    for kept in _signs(n, tried, seed, max(1, _CHUNK // max(n, pairs))):
        drawn = size((2.0 * kept - 1) @ scores.T)
        largest = np.maximum.accumulate(drawn[:, ::-1], axis=1)[:, ::-1]  # of this pair and those after it
        reached += (largest >= observed - 1e-10).sum(axis=0)
    p = reached / tried if exact else monte_carlo_p(reached, tried)
    adjusted = np.empty(pairs)
    adjusted[order] = np.maximum.accumulate(p)
    return adjusted


def joint_intervals(
    differences: FloatArray, tail: Tail, *, alpha: float, permutations: int = 10_000, seed: int = 0
) -> tuple[FloatArray, FloatArray]:
    """Intervals of the mean differences that hold for all pairs together, by inversion of the test of the largest.

    A value θ for a pair is kept if more than a share alpha of the random signs give a statistic at least as large as
    the observed one: for the differences of the pair from θ, or for those of any other pair from their mean. The first
    holds for all θ up to the mean of the blocks whose sign is turned, or of those whose sign is kept (Hartigan 1969);
    the second up to a distance from the mean that is found by solving for it. So each sign gives one end of the
    interval that it allows, and the end for alpha is an order statistic of these.

    For one pair this is exact. For several, the unknown differences of the other pairs are replaced by their means;
    the page on calibration has the coverage.

    Parameters
    ----------
    differences : ndarray, shape (pairs, n)
        NaN where a block has no difference of the pair.
    tail : {"two-sided", "less", "greater"}
        For ``"less"`` there are only upper ends, for ``"greater"`` only lower ones.
    alpha : float
    permutations, seed : int
        Number and seed of the random signs, beyond 14 blocks.
    """
    check_count(permutations, "permutations", most=MAX_DRAWS)
    if tail == "less":
        lower, upper = joint_intervals(0.0 - differences, "greater", alpha=alpha, permutations=permutations, seed=seed)
        return 0.0 - upper, 0.0 - lower
    differences = differences[:, _block_order(np.nan_to_num(differences), tail)]
    there = ~np.isnan(differences)
    count = there.sum(axis=1)
    unit = power_of_two(np.nan_to_num(differences))  # squares of very small or large numbers cannot be represented
    values = np.nan_to_num(differences) / unit
    total = values.sum(axis=1)
    mean = total / np.maximum(count, 1)
    errors = np.where(there, values - mean[:, None], 0.0)
    length = np.sqrt((errors**2).sum(axis=1))
    length[length <= 1e-12 * np.abs(values).sum(axis=1)] = 0.0  # equal in all blocks
    scores = errors / np.where(length > 0, length, 1.0)[:, None]
    spread = length / np.sqrt(np.maximum(count, 1))
    pairs, n = differences.shape
    exact = n <= _ALL_SIGNS
    tried = 2**n if exact else permutations
    depth = int(np.floor(alpha * tried + 1e-9 if exact else alpha * (tried + 1) - 1 + 1e-9))
    lowest, highest = np.empty((0, pairs)), np.empty((0, pairs))  # the highest with a minus
    for kept in _signs(n, tried, seed, max(1, _CHUNK // max(n, pairs))):
        drawn = (2.0 * kept - 1) @ scores.T
        largest = _largest_of_others(np.abs(drawn) if tail == "two-sided" else drawn)
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = spread * np.where(largest**2 < count, largest / np.sqrt(count - largest**2), np.inf)
            turned = (1.0 - kept) @ values.T
            number = (1.0 - kept) @ there.T
            of_turned = turned / number  # NaN where no block is turned: then any value is kept
            of_kept = (total - turned) / (count - number)
        low, high = np.fmin(of_turned, mean - reach), np.fmax(of_turned, mean + reach)
        free = number == 0
        if tail == "two-sided":
            low, high = np.fmin(low, of_kept), np.fmax(high, of_kept)
            free |= number == count
        lowest = _first(np.concatenate([lowest, np.where(free, -np.inf, low)]), depth + 1)
        highest = _first(np.concatenate([highest, np.where(free, -np.inf, -high)]), depth + 1)
    if not 0 <= depth < len(lowest):
        return np.full(pairs, -np.inf), np.full(pairs, np.inf)
    lower = np.where(count < 2, np.nan, np.sort(lowest, axis=0)[depth] * unit[:, 0])
    upper = np.where(count < 2, np.nan, -np.sort(highest, axis=0)[depth] * unit[:, 0])
    return lower, upper if tail == "two-sided" else np.where(count < 2, np.nan, np.inf)


def _largest_of_others(values: FloatArray) -> FloatArray:
    """Return the largest value of the other columns in each row; 0 if there are none."""
    if values.shape[1] == 1:
        return np.zeros_like(values)
    second, first = np.partition(values, -2, axis=1)[:, -2:].T
    others: FloatArray = np.where(values == first[:, None], second[:, None], first[:, None])
    return others


def _block_order(differences: FloatArray, tail: Tail) -> IntArray:
    """Order of the blocks by the values of all pairs; it does not depend on how blocks and algorithms are ordered."""
    rows = np.sort(differences, axis=1)
    if tail == "two-sided":
        rows, side = ordered_rows(differences)
        differences = np.where(side[:, None] == 0, np.abs(differences), side[:, None] * differences)
    return np.lexsort(differences[np.lexsort(rows.T[::-1])][::-1])


PERMUTATION_T = PairwiseTest(
    name="permutation t",
    title="paired permutation t test",
    function=permutation_t_test,
    estimand="mean",
    step_down=step_down_pvalues,
    joint_intervals=joint_intervals,
)
