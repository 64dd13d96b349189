"""Cochran's Q test: algorithms compared by outcomes that are 0 or 1."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
from scipy.special import chdtrc

from podium.analysis.blocks import Unit
from podium.analysis.inference.global_test import GlobalOutcome, GlobalTest, check_distribution, sums_reference
from podium.analysis.inference.permutation import doubled
from podium.analysis.inference.ranks import quadratic_statistic
from podium.analysis.omnibus import Omnibus
from podium.arrays import FloatArray
from podium.checks import check_call
from podium.errors import InputError, listing
from podium.results import Results

ChiDistribution: TypeAlias = Literal["chi2", "permutation"]


@check_call
def cochran_q(
    results: Results,
    measure: str | None = None,
    *,
    distribution: ChiDistribution = "chi2",
    unit: Unit | None = None,
    missing: str = "raise",
    alpha: float = 0.05,
    permutations: int = 10_000,
    seed: int = 0,
) -> Omnibus:
    """Test whether the algorithms differ at all where every outcome is 0 or 1, such as wrong or right.

    Parameters
    ----------
    results, measure, unit, missing, alpha, permutations, seed
        As for `friedman`; all values must be 0 or 1, and a data set must have one replication if there are several.
    distribution : {"chi2", "permutation"}
        χ² with K - 1 degrees of freedom, or permutations within blocks (exact where they are few).

    References
    ----------
    W. G. Cochran (1950). The comparison of percentages in matched samples. Biometrika 37, 256–266.

    Examples
    --------
    >>> import numpy as np, podium
    >>> right = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0]])
    >>> labels = {"replication": None, "algorithm": ["a", "b", "c"]}
    >>> print(podium.inference.cochran_q(podium.read(right, labels=labels, measure="accuracy")))
    Cochran's Q test: statistic = 5.2000, df = 2, p = 0.0743 (6 replications)
    """
    return COCHRAN_Q(
        results,
        measure,
        unit=unit,
        missing=missing,
        alpha=alpha,
        distribution=distribution,
        permutations=permutations,
        seed=seed,
    )


def cochran_test(
    outcomes: FloatArray, *, distribution: ChiDistribution = "chi2", permutations: int = 10_000, seed: int = 0
) -> GlobalOutcome:
    """Cochran's Q of a table of 0/1 outcomes (or 0/-1), with its p-value."""
    check_distribution(distribution, get_args(ChiDistribution), permutations)
    strange = np.unique(np.abs(outcomes[~np.isin(np.abs(outcomes), (0.0, 1.0))]))
    if strange.size:
        raise InputError(
            "`cochran_q` needs outcomes 0 and 1 in every block; these results have "
            f"{listing([f'{value:.4g}' for value in strange], most=3, quote=False)}. Use `friedman`."
        )
    statistic = quadratic_statistic(outcomes)
    df = outcomes.shape[1] - 1.0
    if distribution == "chi2":
        return GlobalOutcome(statistic=statistic, pvalue=float(chdtrc(df, statistic)), df=(df,))
    return sums_reference(doubled(np.abs(outcomes)), statistic, permutations, seed)


COCHRAN_Q = GlobalTest(name="cochran_q", title="Cochran's Q test", function=cochran_test, public=cochran_q)
