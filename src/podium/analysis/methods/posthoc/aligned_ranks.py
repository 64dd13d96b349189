"""Pairs after the aligned ranks test: ranks over all blocks, after the mean of each block was subtracted.

J. L. Hodges, E. L. Lehmann (1962). Rank methods for combination of independent experiments in analysis of variance.
Annals of Mathematical Statistics 33, 482–497.
"""

from __future__ import annotations

from podium.analysis.methods.omnibus.aligned_ranks import ALIGNED_RANKS, ranks_of_all
from podium.analysis.methods.rank_test import RankTest, mean_rank_pairs

# The variance of a difference is that of the observed ranks. García, Fernández, Luengo and Herrera (2010, Information
# Sciences 180, 2044–2064) print K(n + 1)/6; if all nK ranks were assigned at random, it would be K(nK + 1)/6, about K
# times that.
ALIGNED_PAIRS = RankTest(
    name="aligned ranks",
    title="comparison of mean aligned ranks",
    function=mean_rank_pairs,
    scores=ranks_of_all,
    estimand="mean aligned rank",
    gate=ALIGNED_RANKS,
    caution=(
        "Aligned ranks of two algorithms depend on the others: the error over all pairs is controlled only where all "
        "algorithms are exchangeable. Where two vary in opposite directions over the blocks, equally good ones are "
        "called "
        "different more often than alpha allows (12% at 5%, 15% against a control); 'wilcoxon' compares each "
        "pair by itself."
    ),
)
