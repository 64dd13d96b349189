"""The aligned ranks test: ranks over all blocks, after the mean of each block was subtracted."""

from __future__ import annotations

from typing import get_args

import numpy as np
from scipy.special import chdtrc

from podium.analysis.methods.global_test import (
    EXCHANGEABLE,
    ChiDistribution,
    GlobalOutcome,
    GlobalTest,
    check_distribution,
    permuted_reference,
)
from podium.analysis.methods.ranks import centred, quadratic_statistic, rank_together
from podium.arrays import FloatArray


def aligned_test(
    costs: FloatArray, *, distribution: ChiDistribution = "chi2", permutations: int | None = None, seed: int = 0
) -> GlobalOutcome:
    """Test whether the algorithms differ at all, by ranks over all blocks after the blocks were aligned.

    The mean of each block is subtracted, and all cells are ranked together. With few algorithms this uses more of the
    data than ranks within blocks do. It needs values that can be compared between blocks.

    Parameters
    ----------
    distribution : {"chi2", "permutation"}
        χ² with K - 1 degrees of freedom, or Monte Carlo permutations within blocks.
    permutations, seed : int, optional
        Number (10,000 by default) and seed of the permutations, with ``distribution="permutation"``.

    References
    ----------
    J. L. Hodges, E. L. Lehmann (1962). Rank methods for combination of independent experiments in analysis of
    variance. Annals of Mathematical Statistics 33, 482–497.

    Examples
    --------
    >>> import podium
    >>> print(podium.inference.aligned_ranks(podium.examples.load_demsar2006()))
    Aligned ranks test: statistic = 11.6476, df = 3, p = 0.009 (14 data sets)
    """
    permutations = check_distribution(distribution, get_args(ChiDistribution), permutations)
    scores = ranks_of_all(costs)
    statistic = quadratic_statistic(scores)
    if distribution == "permutation":
        return permuted_reference(centred(scores), statistic, permutations, seed)
    df = costs.shape[1] - 1.0
    return GlobalOutcome(statistic=statistic, pvalue=float(chdtrc(df, statistic)), df=(df,))


def ranks_of_all(costs: FloatArray) -> FloatArray:
    """Ranks over all cells, after the mean of each block was subtracted."""
    return rank_together(centred(costs), np.abs(costs).max(axis=1, keepdims=True))


ALIGNED_RANKS = GlobalTest(
    name="aligned_ranks", title="aligned ranks test", function=aligned_test, caution=EXCHANGEABLE
)
