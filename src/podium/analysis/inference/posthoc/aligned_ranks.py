"""Pairs after the aligned ranks test: ranks over all blocks, after the mean of each block was subtracted.

J. L. Hodges, E. L. Lehmann (1962). Rank methods for combination of independent experiments in analysis of variance.
Annals of Mathematical Statistics 33, 482–497.
"""

from __future__ import annotations

from typing import Literal

from podium.analysis.inference.global_test import check_distribution
from podium.analysis.inference.omnibus.aligned_ranks import ALIGNED_RANKS, ranks_of_all
from podium.analysis.inference.rank_test import RankTest
from podium.analysis.inference.ranks import RankOutcome, Tail, permuted_rank_pairs, rank_pairs
from podium.arrays import FloatArray, IntArray


def aligned_pairs(
    ranks: FloatArray,
    first: IntArray,
    second: IntArray,
    *,
    control: bool,
    tail: Tail,
    distribution: Literal["asymptotic", "permutation"] = "asymptotic",
    permutations: int | None = None,
    seed: int = 0,
) -> RankOutcome:
    """Compare mean aligned ranks, with their variance under permutations within blocks.

    That variance belongs to the ranks at hand. García, Fernández, Luengo and Herrera (2010, Information Sciences 180,
    2044–2064) print K(n + 1)/6; if all nK ranks were dealt out at random, it would be K(nK + 1)/6, about K times that.
    """
    permutations = check_distribution(distribution, ("asymptotic", "permutation"), permutations)
    if distribution == "asymptotic":
        return rank_pairs(ranks, first, second, variance="ties", control=control, tail=tail)
    return permuted_rank_pairs(ranks, first, second, control=control, tail=tail, permutations=permutations, seed=seed)


ALIGNED_PAIRS = RankTest(
    name="aligned ranks",
    title="comparison of mean aligned ranks",
    function=aligned_pairs,
    scores=ranks_of_all,
    estimand="mean aligned rank",
    gate=ALIGNED_RANKS,
    caution=(
        "Aligned ranks of two algorithms depend on the others: the error over all pairs is controlled only where all "
        "algorithms are exchangeable. 'wilcoxon' compares each pair by itself."
    ),
)
