"""The Skillings–Mack test: ranks among the cells that are present."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
from scipy.special import chdtrc

from podium.analysis.blocks import RANK_POLICIES
from podium.analysis.methods.global_test import (
    EXCHANGEABLE,
    ChiDistribution,
    GlobalOutcome,
    GlobalTest,
    check_distribution,
    monte_carlo_outcome,
)
from podium.analysis.methods.permutation import shuffled_scores
from podium.analysis.methods.ranks import rank_blocks
from podium.analysis.notes import Note
from podium.arrays import FloatArray, IntArray
from podium.errors import InputError


def skillings_mack_test(
    costs: FloatArray, *, distribution: ChiDistribution = "chi2", permutations: int | None = None, seed: int = 0
) -> GlobalOutcome:
    """Test whether the algorithms differ at all where cells are missing, by ranks among those that are present.

    Without missing cells it is the (tie-corrected) Friedman test. Blocks with fewer than two values do not count.
    It assumes that cells are missing for reasons unrelated to the value they would have had. Where an algorithm fails
    because the data set is hard for it, rank it last instead (``friedman(missing="worst-rank")``).

    Parameters
    ----------
    distribution : {"chi2", "permutation"}
        χ², or Monte Carlo permutations among the cells that are present.
    permutations, seed : int, optional
        Number (10,000 by default) and seed of the permutations, with ``distribution="permutation"``.

    References
    ----------
    J. H. Skillings, G. A. Mack (1981). On the use of a Friedman-type statistic in balanced and unbalanced block
    designs. Technometrics 23, 171–177.

    Examples
    --------
    >>> import numpy as np, podium
    >>> error = np.array([[0.3, 0.2, 0.1], [0.4, np.nan, 0.2], [0.5, 0.1, 0.2], [np.nan, 0.2, 0.1], [0.4, 0.3, 0.1]])
    >>> labels = {"replication": None, "algorithm": ["a", "b", "c"]}
    >>> print(podium.inference.skillings_mack(podium.read(error, labels=labels, measure="error")))
    Skillings–Mack test: statistic = 6.1321, df = 2, p = 0.047 (5 replications)
    """
    permutations = check_distribution(distribution, get_args(ChiDistribution), permutations)
    counts = (~np.isnan(costs)).sum(axis=1)
    if (counts > 1).sum() < 2:
        raise InputError("`skillings_mack` needs two blocks with two values each; other blocks do not count.")
    short = int((counts < 2).sum())
    notes = (Note("short blocks", blocks=short),) if short else ()
    costs = costs[counts > 1]
    there = ~np.isnan(costs)
    size = there.sum(axis=1, keepdims=True)
    scores = np.where(there, (rank_blocks(costs) - (size + 1) / 2) * np.sqrt(12 / (size + 1)), 0.0)
    if distribution == "permutation":
        order = _own_order(np.where(there, scores, np.inf))
        scores, there = scores[:, order], there[:, order]
    # The covariance of the scores of a block, given its ties, is the block's variance times (I - J/k).
    spread = (scores**2).sum(axis=1) / (size[:, 0] - 1)
    mask = there.astype(float)
    covariance = np.diag(spread @ mask) - (mask * (spread / size[:, 0])[:, None]).T @ mask
    inverse = np.linalg.pinv(covariance, rcond=1e-10, hermitian=True)
    df = float(np.linalg.matrix_rank(covariance, hermitian=True, rtol=1e-10))
    sums = scores.sum(axis=0)
    statistic = float(sums @ inverse @ sums)
    if df == 0:  # every block is tied throughout
        outcome = GlobalOutcome(statistic=0.0, pvalue=1.0, df=(costs.shape[1] - 1.0,))
    elif distribution == "chi2":
        outcome = GlobalOutcome(statistic=statistic, pvalue=float(chdtrc(df, statistic)), df=(df,))
    else:
        reached = 0
        for shuffled in shuffled_scores(np.where(there, scores, np.nan), permutations, seed):
            moved = np.nan_to_num(shuffled).sum(axis=1)
            reached += int((((moved @ inverse) * moved).sum(axis=1) >= statistic * (1 - 1e-9)).sum())
        outcome = monte_carlo_outcome(statistic, reached, permutations)
    return replace(outcome, n=len(costs), notes=notes)


def _own_order(scores: FloatArray) -> IntArray:
    """Order algorithms by their scores in all blocks, so that what is drawn for them does not depend on their order.

    Algorithms are alike if they have the same scores in blocks that are alike, and blocks are alike if they have the
    same scores of algorithms that are alike. Both are told apart step by step, as vertices of a graph are by their
    neighbours (Weisfeiler & Leman 1968).
    """
    algorithms, blocks, count = np.zeros(scores.shape[1], np.intp), np.zeros(len(scores), np.intp), 0
    while count < (count := len(np.unique(algorithms)) + len(np.unique(blocks))):
        blocks = _kinds(scores, blocks, algorithms)
        algorithms = _kinds(scores.T, algorithms, blocks)
    return np.argsort(algorithms, kind="stable")


def _kinds(scores: FloatArray, kinds: IntArray, others: IntArray) -> IntArray:
    """Number rows by their kinds so far and their scores in columns of each kind."""
    order = np.lexsort((scores, np.broadcast_to(others, scores.shape)))
    told = np.column_stack([kinds, np.take_along_axis(scores, order, axis=1)])
    return np.unique(told, axis=0, return_inverse=True)[1].reshape(-1)


SKILLINGS_MACK = GlobalTest(
    name="skillings_mack",
    title="Skillings–Mack test",
    function=skillings_mack_test,
    policies=("available", *RANK_POLICIES),
    caution=EXCHANGEABLE,
)
