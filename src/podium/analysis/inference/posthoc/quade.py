"""Pairs after the Quade test: ranks within blocks, weighted by how much the block spreads the algorithms.

D. Quade (1979). Using weighted rankings in the analysis of complete blocks with additive block effects. Journal of the
American Statistical Association 74, 680–683. — W. J. Conover (1999). Practical Nonparametric Statistics, 3rd edition.
Wiley, section 5.8.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from podium.analysis.inference.global_test import check_distribution
from podium.analysis.inference.omnibus.quade import QUADE, weighted_ranks
from podium.analysis.inference.rank_test import RankTest
from podium.analysis.inference.ranks import RankOutcome, Tail, permuted_rank_pairs, rank_pairs
from podium.arrays import FloatArray, IntArray


def quade_scores(costs: FloatArray) -> FloatArray:
    """Weighted ranks, the weights 1 on average: the mean of a column is a weighted mean of its ranks."""
    return weighted_ranks(costs) * 2 / (len(costs) + 1)


def quade_pairs(
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
    """Compare weighted mean ranks, with their variance under permutations within blocks.

    Without ties the variance of a difference is K(K + 1)(2n + 1) / (9n(n + 1)). García, Fernández, Luengo and Herrera
    (2010, Information Sciences 180, 2044–2064) print (K - 1)/2 times that, which is right for K = 3 only.
    """
    permutations = check_distribution(distribution, ("asymptotic", "permutation"), permutations)
    if distribution == "asymptotic":
        return rank_pairs(ranks, first, second, variance="ties", control=control, tail=tail)
    whole = len(ranks) + 1  # times this, scores are whole or half numbers, and comparisons of sums are exact
    found = permuted_rank_pairs(
        ranks * whole, first, second, control=control, tail=tail, permutations=permutations, seed=seed
    )
    return replace(found, estimate=found.estimate / whole, error=found.error / whole)


QUADE_PAIRS = RankTest(
    name="quade",
    title="comparison of weighted mean ranks after Quade",
    function=quade_pairs,
    scores=quade_scores,
    estimand="weighted mean rank",
    gate=QUADE,
    caution=(
        "The weights of the blocks and the ranks of two algorithms depend on the others: the error over all pairs is "
        "controlled only where all algorithms are exchangeable. 'wilcoxon' compares each pair by itself."
    ),
)
