"""Pairs after the Quade test: ranks within blocks, weighted by how much the block spreads the algorithms.

D. Quade (1979). Using weighted rankings in the analysis of complete blocks with additive block effects. Journal of the
American Statistical Association 74, 680–683. — W. J. Conover (1999). Practical Nonparametric Statistics, 3rd edition.
Wiley, section 5.8.
"""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from typing import Any

from podium.analysis.methods.omnibus.quade import QUADE, weighted_ranks
from podium.analysis.methods.rank_test import RankTest, mean_rank_pairs
from podium.analysis.methods.ranks import RankOutcome
from podium.arrays import FloatArray, IntArray


def quade_scores(costs: FloatArray) -> FloatArray:
    """Weighted ranks, the weights 1 on average: the mean of a column is a weighted mean of its ranks."""
    return weighted_ranks(costs) * 2 / (len(costs) + 1)


@wraps(mean_rank_pairs, assigned=())
def quade_pairs(ranks: FloatArray, first: IntArray, second: IntArray, **options: Any) -> RankOutcome:
    """Compare weighted mean ranks, with their variance under permutations within blocks.

    Without ties the variance of a difference is K(K + 1)(2n + 1) / (9n(n + 1)). García, Fernández, Luengo and Herrera
    (2010, Information Sciences 180, 2044–2064) print (K - 1)/2 times that, which is right for K = 3 only.
    """
    whole = len(ranks) + 1  # times this, scores are whole or half numbers, and comparisons of sums are exact
    found = mean_rank_pairs(ranks * whole, first, second, **options)
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
        "controlled only where all algorithms are exchangeable. Where two vary in opposite directions over the "
        "blocks, equally good ones are called different more often than alpha allows (14% at 5%, 18% against a "
        "control); 'wilcoxon' compares each pair by itself."
    ),
)
