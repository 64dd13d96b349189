"""A closed test of all pairs by signed ranks, for so few blocks that an adjusted test of each pair cannot reject.

The pairs that are equal among K algorithms are always those inside the groups of some partition of the algorithms
(Shaffer 1986). Each partition is tested: under its hypothesis the values of a group are exchangeable within every
block, so permuting them there gives an exact test. A pair is called different only if every partition that puts the two
into one group is rejected; its adjusted p-value is the largest p-value of these partitions. Whatever the truth is, it
is one of the partitions, so the probability of any false difference is at most alpha (Marcus, Peritz & Gabriel 1976).
The partition whose only group is the pair itself is tested by Wilcoxon's signed rank test of that pair: without it no
pair can be called different, whatever the others do.

R. Marcus, E. Peritz, K. R. Gabriel (1976). On closed testing procedures with special reference to ordered analysis of
variance. Biometrika 63, 655–660. — J. P. Shaffer (1986). Modified sequentially rejective multiple test procedures.
Journal of the American Statistical Association 81, 826–831.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from itertools import permutations as orders_of
from math import factorial
from typing import ClassVar

import numpy as np

from podium.analysis.blocks import VALUE_POLICIES, all_pairs, snap
from podium.analysis.comparison import Comparison, with_interval_notes
from podium.analysis.inference.pairwise.wilcoxon import WILCOXON, wilcoxon_test
from podium.analysis.inference.permutation import monte_carlo_error, monte_carlo_p
from podium.analysis.notes import Note
from podium.analysis.procedure import Procedure, Request
from podium.arrays import FloatArray, IntArray
from podium.checks import check_call, check_count, random_generator
from podium.errors import InputError
from podium.results.ranks import rank_rows

MOST_ALGORITHMS = 10  # 115,975 partitions


def closed_test(
    costs: FloatArray, *, control: int | None = None, permutations: int = 10_000, seed: int = 0
) -> FloatArray:
    """Adjusted p-values of all pairs, or of all others with the control, in their usual order.

    The statistic of a group is the sum over its pairs of the squared sums of signed ranks, over their variance under
    permutation; the differences of all pairs and blocks of the group are ranked together. With a control only its
    pairs count. The statistic of a partition is the sum of those of its groups, which are permuted independently.

    Parameters
    ----------
    costs : ndarray, shape (n, K)
    control : int, optional
        Column of the control.
    permutations : int, default 10_000
        Number of random permutations within blocks.
    seed : int, default 0
    """
    check_count(permutations, "permutations")
    rng = random_generator(seed)
    k = costs.shape[1]
    rows, columns = _usual_order(costs)
    ordered = costs[rows][:, columns]
    place = np.argsort(columns)
    if control is None:
        first, second = all_pairs(k)
        largest = _over_partitions(ordered, permutations, rng)
    else:
        first = np.delete(np.arange(k), control)
        second = np.full(k - 1, control)
        largest = _over_groups_with(ordered, int(place[control]), permutations, rng)
    return np.array([largest[place[i], place[j]] for i, j in zip(first, second, strict=True)])


def _usual_order(costs: FloatArray) -> tuple[IntArray, IntArray]:
    """Order blocks and algorithms by their values, so that random permutations do not depend on the order given."""
    above = snap(costs - costs.min(axis=1, keepdims=True), max(float(np.ptp(costs, axis=1).max()), 1e-300))
    return np.lexsort(np.sort(above, axis=1).T[::-1]), np.lexsort(np.sort(above, axis=0)[::-1])


def _over_partitions(costs: FloatArray, permutations: int, rng: np.random.Generator) -> FloatArray:
    """For every two algorithms, the largest p-value of the partitions that put them into one group, shape (K, K)."""
    k = costs.shape[1]
    alone = _pair_pvalues(costs)
    everyone = range(k)
    observed: dict[int, float] = {}
    drawn: dict[int, FloatArray] = {}
    for size in range(2, k + 1):
        for members in combinations(everyone, size):
            mask = sum(1 << i for i in members)
            observed[mask], drawn[mask] = _group_statistics(costs[:, members], None, permutations, rng)
    largest = dict.fromkeys(observed, 0.0)
    for groups, statistic, null in _partitions((1 << k) - 1, observed, drawn, np.zeros(permutations, np.float32)):
        if not groups:
            continue
        if len(groups) == 1 and groups[0].bit_count() == 2:
            i, j = (b for b in everyone if groups[0] >> b & 1)
            p = alone[i, j]
        else:
            p = _p(statistic, null)
        for group in groups:
            largest[group] = max(largest[group], p)
    found = np.zeros((k, k))
    for i, j in combinations(everyone, 2):
        both = 1 << i | 1 << j
        found[i, j] = found[j, i] = max(p for group, p in largest.items() if group & both == both)
    return found


def _over_groups_with(costs: FloatArray, control: int, permutations: int, rng: np.random.Generator) -> FloatArray:
    """For each algorithm and the control, the largest p-value of the groups that hold both, shape (K, K)."""
    k = costs.shape[1]
    alone = _pair_pvalues(costs)
    found = np.zeros((k, k))
    others = [i for i in range(k) if i != control]
    for size in range(1, k):
        for group in combinations(others, size):
            if size == 1:
                p = alone[group[0], control]
            else:
                p = _p(*_group_statistics(costs[:, (control, *group)], 0, permutations, rng))
            for i in group:
                found[i, control] = max(found[i, control], p)
    return found


def _pair_pvalues(costs: FloatArray) -> FloatArray:
    """Two-sided p-values of Wilcoxon's signed rank test of each pair, shape (K, K)."""
    k = costs.shape[1]
    first, second = all_pairs(k)
    p = np.zeros((k, k))
    p[first, second] = wilcoxon_test(_differences(costs, first, second), intervals=False).two_sided
    return np.maximum(p, p.T)


def _differences(costs: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    return snap(costs.T[first] - costs.T[second], np.abs(costs).max(axis=1))


def _group_statistics(
    costs: FloatArray, control: int | None, permutations: int, rng: np.random.Generator
) -> tuple[float, FloatArray]:
    """Statistic of a group as it was observed, and after random permutations within blocks."""
    n, m = costs.shape
    first, second = all_pairs(m)
    signed = signed_ranks(_differences(costs, first, second))
    variance = float((signed**2).mean(axis=0).sum())
    if variance == 0:
        return 0.0, np.zeros(permutations, np.float32)
    square = np.zeros((n, m, m))
    square[:, first, second], square[:, second, first] = signed.T, -signed.T
    if control is not None:
        first, second = first[first == control], second[first == control]
    observed = float((square[:, first, second].sum(axis=0) ** 2).sum() / variance)
    sums = np.zeros((permutations, len(first)), np.float32)  # ranks are halves of whole numbers: the sums are exact
    drawn = np.empty_like(sums)
    few = factorial(m) <= permutations
    cells = _arranged_cells(_arrangements(m), first, second) if few else None
    for block in square.astype(np.float32):
        if cells is not None:
            np.take(block.ravel()[cells], rng.integers(0, len(cells), permutations), axis=0, out=drawn, mode="clip")
            sums += drawn
        else:
            orders = rng.permuted(np.broadcast_to(np.arange(m), (permutations, m)), axis=1)
            sums += block.ravel()[_arranged_cells(orders, first, second)]
    sums *= sums
    return observed, sums.sum(axis=1) / np.float32(variance)


@lru_cache(maxsize=MOST_ALGORITHMS)
def _arrangements(m: int) -> IntArray:
    return np.array(list(orders_of(range(m))), np.intp)


def _arranged_cells(orders: IntArray, first: IntArray, second: IntArray) -> IntArray:
    """Where in a table of m × m the pairs are found after the algorithms were put into some orders."""
    cells: IntArray = orders[:, first] * orders.shape[1] + orders[:, second]
    return cells


def signed_ranks(differences: FloatArray) -> FloatArray:
    """Ranks of the sizes of all differences together, ties averaged, with their signs; zeros have no rank."""
    sizes = np.abs(differences)
    there = sizes > 0
    ranks = np.zeros(sizes.shape)
    if there.any():
        ranks[there] = rank_rows(sizes[there], "average")
    return np.sign(differences) * ranks


def _partitions(
    rest: int, observed: dict[int, float], drawn: dict[int, FloatArray], null: FloatArray
) -> Iterator[tuple[tuple[int, ...], float, FloatArray]]:
    """List the partitions of a set of bits: groups of two or more, statistic as observed, and as drawn."""
    if rest == 0:
        yield (), 0.0, null
        return
    lowest = rest & -rest
    others = rest ^ lowest
    subset = others
    while True:
        group = lowest | subset
        if subset == 0:
            yield from _partitions(others, observed, drawn, null)
            return
        for groups, statistic, total in _partitions(rest ^ group, observed, drawn, null + drawn[group]):
            yield (group, *groups), observed[group] + statistic, total
        subset = (subset - 1) & others


def _p(observed: float, drawn: FloatArray) -> float:
    reached = int(np.count_nonzero(drawn >= observed * (1 - 1e-5)))  # ties up to the rounding of single precision
    return float(monte_carlo_p(reached, len(drawn)))


@check_call
@dataclass(frozen=True, kw_only=True)
class ClosedTest(Procedure):
    """A test of each pair, adjusted by a closed test over the partitions of the algorithms."""

    common: ClassVar[tuple[str, ...]] = ("control",)

    def compare(self, request: Request) -> Comparison:
        """Test each pair by Wilcoxon's signed ranks, and adjust the p-values by the closed test."""
        if request.adjust is not None:
            raise InputError(f"`method={self.name!r}` has its own adjustment; leave `adjust` out.")
        if request.alternative != "two-sided":
            raise InputError(f"`method={self.name!r}` is two-sided; use 'wilcoxon' for `alternative`.")
        blocks = request.blocks(VALUE_POLICIES)
        k = len(blocks.algorithms)
        if k > MOST_ALGORITHMS:
            raise InputError(
                f"`method={self.name!r}` tests all partitions of the algorithms, which is feasible up to "
                f"{MOST_ALGORITHMS} of them; there are {k}. Use 'wilcoxon' with adjust='shaffer'."
            )
        single = WILCOXON.compare(replace(request, adjust="bonferroni", options={}))
        control = None if request.control is None else blocks.position(request.control)
        adjusted: FloatArray = self.function(blocks.costs, control=control, **request.options)
        notes = single.notes
        permutations: int = request.options.get("permutations", self.options["permutations"].default) if k > 2 else 0
        if permutations:
            error = float(monte_carlo_error(request.alpha, permutations))
            notes += (Note("permutations pairs", permutations=permutations, alpha=request.alpha, error=error),)
        adjusted = np.maximum(adjusted, single.pvalue)
        open_ = adjusted > request.alpha  # where the test does not reject, the interval takes in 0, and still holds
        found = single.replace(
            method=self.title,
            procedure=self.name,
            adjusted=adjusted,
            lower=np.where(open_, np.minimum(single.lower, 0.0), single.lower),
            upper=np.where(open_, np.maximum(single.upper, 0.0), single.upper),
            adjust="closed",
            permutations=permutations,
            notes=notes,
        )
        return with_interval_notes(found)


CLOSED_SIGNED_RANKS = ClosedTest(name="closed signed ranks", title="closed test by signed ranks", function=closed_test)
