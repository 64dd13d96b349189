"""The Quade test: ranks within blocks, weighted by how much the block spreads the algorithms."""

from __future__ import annotations

from math import inf
from typing import Literal, TypeAlias, get_args

import numpy as np
from scipy.special import fdtrc

from podium.analysis.methods.global_test import (
    EXCHANGEABLE,
    GlobalOutcome,
    GlobalTest,
    check_distribution,
    permuted_reference,
)
from podium.analysis.methods.ranks import centred, chance_of_agreement, rank_blocks, rank_together
from podium.arrays import FloatArray

QuadeDistribution: TypeAlias = Literal["F", "permutation"]


def quade_test(
    costs: FloatArray, *, distribution: QuadeDistribution = "F", permutations: int | None = None, seed: int = 0
) -> GlobalOutcome:
    """Test whether the algorithms differ at all; blocks in which they differ more count more.

    Ranks within blocks are weighted by the rank of the block's range. This needs values that can be compared
    between blocks; for data sets of different scales use `friedman`.

    Parameters
    ----------
    distribution : {"F", "permutation"}
        F with K - 1 and (n - 1)(K - 1) degrees of freedom, or Monte Carlo permutations within blocks.
    permutations, seed : int, optional
        Number (10,000 by default) and seed of the permutations, with ``distribution="permutation"``.

    References
    ----------
    D. Quade (1979). Using weighted rankings in the analysis of complete blocks with additive block effects. Journal
    of the American Statistical Association 74, 680–683.

    Examples
    --------
    >>> import podium
    >>> print(podium.inference.quade(podium.examples.load_demsar2006()))
    Quade test: statistic = 4.6279, df = 3, 39, p = 0.007 (14 data sets)
    """
    permutations = check_distribution(distribution, get_args(QuadeDistribution), permutations)
    n, k = costs.shape
    scores = centred(weighted_ranks(costs))
    total = float((scores**2).sum())
    statistic = _quade_f(scores.sum(axis=0), total, n)
    if distribution == "permutation":
        return permuted_reference(scores, statistic, permutations, seed)
    df = (k - 1.0, (k - 1.0) * (n - 1.0))
    if total == 0:
        return GlobalOutcome(statistic=statistic, pvalue=1.0, df=df)
    by_f = float(fdtrc(*df, statistic)) if statistic < inf else 0.0
    # Infinite with the same order in all blocks; no p-value is below the probability of that.
    return GlobalOutcome(statistic=statistic, pvalue=max(by_f, chance_of_agreement(scores)), df=df)


def weighted_ranks(costs: FloatArray) -> FloatArray:
    """Ranks within blocks, times the rank of the range of the block among all blocks (Quade 1979)."""
    weight = rank_together(np.ptp(costs, axis=1), np.abs(costs).max(axis=1))
    return weight[:, None] * rank_blocks(costs)


def _quade_f(sums: FloatArray, total: float, n: int) -> float:
    """F = (n - 1) B / (A - B), A the sum of squared scores, B that of squared sums over n (Quade 1979)."""
    between = float((sums**2).sum()) / n
    if total == 0:
        return 0.0
    return (n - 1) * between / (total - between) if total - between > 1e-9 * total else inf


QUADE = GlobalTest(name="quade", title="Quade test", function=quade_test, caution=EXCHANGEABLE)
