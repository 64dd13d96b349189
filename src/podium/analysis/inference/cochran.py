"""Cochran's Q test: algorithms compared by outcomes that are 0 or 1."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from scipy.special import chdtrc

from podium.analysis.blocks import VALUE_POLICIES, Unit, to_blocks
from podium.analysis.inference.permutation import doubled
from podium.analysis.inference.reference import Reference, check_distribution, omnibus_of, sums_reference
from podium.analysis.inference.scores import quadratic_statistic
from podium.analysis.omnibus import Omnibus
from podium.arrays import FloatArray
from podium.errors import InputError, listing
from podium.results import Results

ChiDistribution: TypeAlias = Literal["chi2", "permutation"]


def cochran_q(
    results: Results,
    measure: str | None = None,
    *,
    distribution: ChiDistribution = "chi2",
    unit: Unit | None = None,
    missing: str = "raise",
    alpha: float = 0.05,
    permutations: int = 100_000,
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
    >>> from podium.analysis.inference import cochran_q
    >>> right = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0]])
    >>> labels = {"replication": None, "algorithm": ["a", "b", "c"]}
    >>> print(cochran_q(podium.read(right, labels=labels, measure="accuracy")))
    Cochran's Q test: statistic = 5.2000, df = 2, p = 0.0743 (6 replications)
    """
    check_distribution(distribution, ("chi2", "permutation"), permutations)
    blocks = to_blocks(results, measure, unit=unit, missing=missing, allowed=VALUE_POLICIES)
    strange = np.unique(blocks.values[~np.isin(blocks.values, (0.0, 1.0))])
    if strange.size:
        raise InputError(
            f"`cochran_q` needs outcomes 0 and 1 in every block; {blocks.measure.name} has "
            f"{listing([f'{value:.4g}' for value in strange], most=3, quote=False)}. Use `friedman`."
        )
    outcome = cochran_test(blocks.costs, distribution=distribution, permutations=permutations, seed=seed)
    return omnibus_of("cochran_q", "Cochran's Q test", blocks, outcome, alpha)


def cochran_test(
    outcomes: FloatArray, *, distribution: ChiDistribution = "chi2", permutations: int = 100_000, seed: int = 0
) -> Reference:
    """Cochran's Q of a table of 0/1 outcomes (or 0/-1), with its p-value."""
    statistic = quadratic_statistic(outcomes)
    df = outcomes.shape[1] - 1.0
    if distribution == "chi2":
        return Reference(statistic=statistic, pvalue=float(chdtrc(df, statistic)), df=(df,))
    return sums_reference(doubled(np.abs(outcomes)), statistic, permutations, seed)
