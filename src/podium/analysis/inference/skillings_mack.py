"""The Skillings–Mack test: ranks among the cells that are there."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from scipy.special import chdtrc

from podium.analysis.blocks import RANK_POLICIES, Unit, to_blocks
from podium.analysis.inference.permutation import monte_carlo_p, shuffled_scores
from podium.analysis.inference.reference import Reference, check_distribution, omnibus_of
from podium.analysis.inference.scores import rank_blocks
from podium.analysis.notes import Note
from podium.analysis.omnibus import Omnibus
from podium.arrays import FloatArray
from podium.errors import InputError, listing
from podium.results import Results
from podium.results.aggregation import Aggregation
from podium.results.missing import MissingPolicy

ChiDistribution: TypeAlias = Literal["chi2", "permutation"]


def skillings_mack(
    results: Results,
    measure: str | None = None,
    *,
    distribution: ChiDistribution = "chi2",
    unit: Unit | None = None,
    aggregate: Aggregation = "mean",
    missing: str = "available",
    alpha: float = 0.05,
    permutations: int = 10_000,
    seed: int = 0,
) -> Omnibus:
    """Test whether the algorithms differ at all where cells are missing, by ranks among those that are there.

    Without missing cells it is the (tie-corrected) Friedman test. Blocks with fewer than two values tell nothing.
    It asks that cells are missing for reasons that have nothing to do with the value they would have had: where an
    algorithm fails because the data set is hard for it, rank it last instead (``friedman(missing="worst-rank")``).

    Parameters
    ----------
    results, measure, unit, aggregate, alpha, permutations, seed
        As for `friedman`. With unit ``"dataset"`` the replications that are there are reduced.
    distribution : {"chi2", "permutation"}
        χ², or Monte Carlo permutations among the cells that are there.
    missing : {"available", "raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value"}

    References
    ----------
    J. H. Skillings, G. A. Mack (1981). On the use of a Friedman-type statistic in balanced and unbalanced block
    designs. Technometrics 23, 171–177.

    Examples
    --------
    >>> import numpy as np, podium
    >>> from podium.analysis.inference import skillings_mack
    >>> error = np.array([[0.3, 0.2, 0.1], [0.4, np.nan, 0.2], [0.5, 0.1, 0.2], [np.nan, 0.2, 0.1], [0.4, 0.3, 0.1]])
    >>> labels = {"replication": None, "algorithm": ["a", "b", "c"]}
    >>> print(skillings_mack(podium.read(error, labels=labels, measure="error")))
    Skillings–Mack test: statistic = 6.1321, df = 2, p = 0.0466 (5 replications)
    """
    check_distribution(distribution, ("chi2", "permutation"), permutations)
    allowed: tuple[MissingPolicy, ...] = (*RANK_POLICIES, "available")
    blocks = to_blocks(results, measure, unit=unit, aggregate=aggregate, missing=missing, allowed=allowed)
    costs = blocks.costs
    if blocks.missing.policy == "worst-rank":
        costs = rank_blocks(costs)
    counts = (~np.isnan(costs)).sum(axis=1)
    never = [name for name, column in zip(blocks.algorithms, costs.T, strict=True) if np.isnan(column).all()]
    if never:
        raise InputError(f"There is no value at all of {listing(never)}. Leave out what was never run.")
    if (counts > 1).sum() < 2:
        raise InputError("`skillings_mack` needs two blocks with two values each; the others tell nothing.")
    outcome = skillings_mack_test(costs, distribution=distribution, permutations=permutations, seed=seed)
    notes: tuple[Note, ...] = ()
    if (counts < 2).any():
        notes = (Note("short blocks", blocks=int((counts < 2).sum())),)
    return omnibus_of("skillings_mack", "Skillings–Mack test", blocks, outcome, alpha, notes, n=int((counts > 1).sum()))


def skillings_mack_test(
    costs: FloatArray, *, distribution: ChiDistribution = "chi2", permutations: int = 10_000, seed: int = 0
) -> Reference:
    """Skillings–Mack statistic of a table of costs with NaN for missing cells, with its p-value.

    Ranks of a block with k_i values are centred and weighted by the root of 12/(k_i + 1); their covariance given the
    ties is the block's variance times (I - J/k_i), which without ties is the matrix of Skillings & Mack (1981). Blocks
    with fewer than two values are left out.
    """
    costs = costs[(~np.isnan(costs)).sum(axis=1) > 1]
    there = ~np.isnan(costs)
    size = there.sum(axis=1, keepdims=True)
    scores = np.where(there, (rank_blocks(costs) - (size + 1) / 2) * np.sqrt(12 / (size + 1)), 0.0)
    spread = (scores**2).sum(axis=1) / (size[:, 0] - 1)
    mask = there.astype(float)
    covariance = np.diag(spread @ mask) - (mask * (spread / size[:, 0])[:, None]).T @ mask
    inverse = np.linalg.pinv(covariance, rcond=1e-10, hermitian=True)
    df = float(np.linalg.matrix_rank(covariance, hermitian=True, rtol=1e-10))
    sums = scores.sum(axis=0)
    statistic = float(sums @ inverse @ sums)
    if df == 0:  # every block is tied throughout
        return Reference(statistic=0.0, pvalue=1.0, df=(costs.shape[1] - 1.0,))
    if distribution == "chi2":
        return Reference(statistic=statistic, pvalue=float(chdtrc(df, statistic)), df=(df,))
    reached = 0
    for shuffled in shuffled_scores(np.where(there, scores, np.nan), permutations, seed):
        moved = np.nan_to_num(shuffled).sum(axis=1)
        reached += int((((moved @ inverse) * moved).sum(axis=1) >= statistic * (1 - 1e-9)).sum())
    return Reference(statistic=statistic, pvalue=float(monte_carlo_p(reached, permutations)), permutations=permutations)
