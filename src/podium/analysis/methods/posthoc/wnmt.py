"""The Wilcoxon–Nemenyi–McDonald–Thompson test, and the Nemenyi–Wilcoxon–Wilcox–Miller test against a control.

M. Hollander, D. A. Wolfe (1999). Nonparametric Statistical Methods, 2nd edition. Wiley, sections 7.3 and 7.4.
"""

from __future__ import annotations

from typing import Literal

from podium.analysis.methods.rank_test import MEAN_RANKS, RankTest, mean_rank_pairs
from podium.analysis.methods.ranks import RankOutcome, Tail, rank_pairs
from podium.arrays import FloatArray, IntArray
from podium.checks import check_choice


def wnmt_test(
    ranks: FloatArray,
    first: IntArray,
    second: IntArray,
    *,
    control: bool,
    tail: Tail,
    distribution: Literal["asymptotic", "permutation"] = "asymptotic",
    permutations: int | None = None,
    seed: int = 0,
    ties: Literal["corrected", "plain"] = "corrected",
) -> RankOutcome:
    """Compare mean ranks, with the variance of permuted ranks given their ties."""
    check_choice(ties, ("corrected", "plain"), "ties")
    if ties == "plain" and distribution == "asymptotic" and permutations is None:
        return rank_pairs(ranks, first, second, variance="plain", control=control, tail=tail)
    return mean_rank_pairs(
        ranks,
        first,
        second,
        control=control,
        tail=tail,
        distribution=distribution,
        permutations=permutations,
        seed=seed,
    )


WNMT = RankTest(name="wnmt", title="Wilcoxon–Nemenyi–McDonald–Thompson test", function=wnmt_test, caution=MEAN_RANKS)
NWWM = RankTest(
    name="nwwm",
    title="Nemenyi–Wilcoxon–Wilcox–Miller test",
    function=wnmt_test,
    control_of="wnmt",
    caution=MEAN_RANKS,
)
