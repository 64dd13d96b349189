"""The aligned ranks test: ranks over all blocks, after the mean of each block was subtracted."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
from scipy.special import chdtrc

from podium.analysis.blocks import Unit
from podium.analysis.inference.global_test import GlobalOutcome, GlobalTest, check_distribution, permuted_reference
from podium.analysis.inference.ranks import centred, quadratic_statistic, rank_blocks
from podium.analysis.omnibus import Omnibus
from podium.arrays import FloatArray
from podium.checks import check_call
from podium.results import Results
from podium.results.aggregation import Aggregation

ChiDistribution: TypeAlias = Literal["chi2", "permutation"]


@check_call
def aligned_ranks(
    results: Results,
    measure: str | None = None,
    *,
    distribution: ChiDistribution = "chi2",
    unit: Unit | None = None,
    aggregate: Aggregation = "mean",
    missing: str = "raise",
    alpha: float = 0.05,
    permutations: int = 10_000,
    seed: int = 0,
) -> Omnibus:
    """Test whether the algorithms differ at all, by ranks over all blocks after the blocks were aligned.

    The mean of each block is subtracted, and all cells are ranked together. With few algorithms this uses more of the
    data than ranks within blocks do. It needs values that can be compared between blocks.

    Parameters
    ----------
    results, measure, unit, aggregate, missing, alpha, permutations, seed
        As for `friedman`; ``"worst-rank"`` does not apply.
    distribution : {"chi2", "permutation"}
        χ² with K - 1 degrees of freedom, or Monte Carlo permutations within blocks.

    References
    ----------
    J. L. Hodges, E. L. Lehmann (1962). Rank methods for combination of independent experiments in analysis of
    variance. Annals of Mathematical Statistics 33, 482–497.

    Examples
    --------
    >>> import podium
    >>> print(podium.inference.aligned_ranks(podium.datasets.load_demsar2006()))
    Aligned ranks test: statistic = 11.6476, df = 3, p = 0.0087 (14 data sets)
    """
    return ALIGNED_RANKS(
        results,
        measure,
        unit=unit,
        aggregate=aggregate,
        missing=missing,
        alpha=alpha,
        distribution=distribution,
        permutations=permutations,
        seed=seed,
    )


def aligned_test(
    costs: FloatArray, *, distribution: ChiDistribution = "chi2", permutations: int = 10_000, seed: int = 0
) -> GlobalOutcome:
    """Statistic of aligned ranks of a table of costs, with its p-value."""
    check_distribution(distribution, get_args(ChiDistribution), permutations)
    aligned = np.round(centred(costs) / max(float(np.abs(costs).max()), 1e-300), 12)
    scores = rank_blocks(aligned.reshape(1, -1)).reshape(costs.shape)
    statistic = quadratic_statistic(scores)
    if distribution == "permutation":
        return permuted_reference(centred(scores), statistic, permutations, seed)
    df = costs.shape[1] - 1.0
    return GlobalOutcome(statistic=statistic, pvalue=float(chdtrc(df, statistic)), df=(df,))


ALIGNED_RANKS = GlobalTest(
    name="aligned_ranks", title="aligned ranks test", function=aligned_test, public=aligned_ranks
)
