"""Cochran's Q test: algorithms compared by outcomes that are 0 or 1."""

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
    sums_reference,
)
from podium.analysis.methods.permutation import doubled
from podium.analysis.methods.ranks import quadratic_statistic
from podium.arrays import FloatArray
from podium.errors import InputError, join_names


def cochran_test(
    outcomes: FloatArray, *, distribution: ChiDistribution = "chi2", permutations: int | None = None, seed: int = 0
) -> GlobalOutcome:
    """Test whether the algorithms differ at all where every outcome is 0 or 1, such as wrong or right.

    The value of a block must be 0 or 1 as well: a data set with replications has such a value only if `aggregate` gives
    one (``"min"`` and ``"max"`` do).

    Parameters
    ----------
    distribution : {"chi2", "permutation"}
        χ² with K - 1 degrees of freedom, or permutations within blocks (exact where they are few).
    permutations, seed : int, optional
        Number (10,000 by default) and seed of the permutations, with ``distribution="permutation"``.

    References
    ----------
    W. G. Cochran (1950). The comparison of percentages in matched samples. Biometrika 37, 256–266.

    Examples
    --------
    >>> import numpy as np, podium
    >>> right = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0]])
    >>> labels = {"replication": None, "algorithm": ["a", "b", "c"]}
    >>> print(podium.inference.cochran_q(podium.read(right, labels=labels, measure="accuracy")))
    Cochran's Q test: statistic = 5.2000, df = 2, p = 0.074 (6 replications)
    """
    permutations = check_distribution(distribution, get_args(ChiDistribution), permutations)
    # Costs of a measure whose greater values are better are 0 and -1.
    strange = np.unique(np.abs(outcomes[~np.isin(np.abs(outcomes), (0.0, 1.0))]))
    if strange.size:
        raise InputError(
            "`cochran_q` needs outcomes 0 and 1 in every block; these results have "
            f"{join_names([f'{value:.4g}' for value in strange], most=3, quote=False)}. Use `friedman`."
        )
    statistic = quadratic_statistic(outcomes)
    df = outcomes.shape[1] - 1.0
    if distribution == "chi2":
        return GlobalOutcome(statistic=statistic, pvalue=float(chdtrc(df, statistic)), df=(df,))
    return sums_reference(doubled(np.abs(outcomes)), statistic, permutations, seed)


COCHRAN_Q = GlobalTest(name="cochran_q", title="Cochran's Q test", function=cochran_test, caution=EXCHANGEABLE)
