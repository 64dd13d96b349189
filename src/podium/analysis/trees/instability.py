"""Tests of parameter instability, which ask whether the scores of the subjects change along a covariate.

A. Zeileis, K. Hornik (2007). Generalized M-fluctuation tests for parameter instability. Statistica Neerlandica 61,
488–508.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from podium.analysis.trees.covariates import Covariate
from podium.analysis.trees.sup_lm import log_chi2_sf, log_sup_lm_sf
from podium.arrays import FloatArray, IntArray

TRIM = 0.1  # share of the subjects at both ends of a numeric covariate where no split is tried
FLAT = 1e-8  # directions with less than this share of the variance are left out: their scores are rounding errors


@dataclass(frozen=True, eq=False)
class StabilityTest:
    """Outcome of the test of one covariate.

    `log_pvalue` is that of the limit distribution, also where `pvalue` is by permutation or underflows.
    """

    statistic: float
    pvalue: float
    log_pvalue: float
    tested: bool


NOT_TESTED = StabilityTest(0.0, float("nan"), float("nan"), False)


def decorrelated_scores(scores: FloatArray, size: float) -> FloatArray:
    """Scale scores to unit covariance: U = J^(-1/2) ψ / √n; directions in which nothing varies are left out.

    Parameters
    ----------
    scores : ndarray of shape (subjects, parameters)
    size : float
        Mean square of the weight of a subject's comparisons. Where all objects are separated, all scores are rounding
        errors, which only their size shows.
    """
    n = len(scores)
    values, vectors = np.linalg.eigh(scores.T @ scores / n)
    kept = values > FLAT * max(float(values[-1]), size)
    result: FloatArray = scores @ (vectors[:, kept] / np.sqrt(values[kept])) / np.sqrt(n)
    return result


def test_covariate(
    process: FloatArray,
    covariate: Covariate,
    min_size: int,
    block_ends: bool,
    permutations: int,
    rng: np.random.Generator,
) -> StabilityTest:
    """Test one covariate: supLM for numbers, χ² for levels."""
    if len(covariate.present()) < 2:
        return NOT_TESTED
    if covariate.kind == "numeric":
        return _numeric(process, covariate.values, min_size, block_ends, permutations, rng)
    return _levels(process, covariate.values, permutations, rng)


def _numeric(
    process: FloatArray,
    values: FloatArray,
    min_size: int,
    block_ends: bool,
    permutations: int,
    rng: np.random.Generator,
) -> StabilityTest:
    n, p = process.shape
    start = max(int(np.ceil(TRIM * n)), min_size)
    stop = n - start
    if start > stop:
        return NOT_TESTED
    order = np.argsort(values, kind="stable")
    at = np.arange(start, stop + 1)
    if block_ends:  # between equal values nothing can be split
        ordered = values[order]
        at = at[ordered[at - 1] < ordered[np.minimum(at, n - 1)]]
        if not len(at):
            return NOT_TESTED
    weight = 1.0 / ((at / n) * (1 - at / n))
    statistic = float(((np.cumsum(process[order], axis=0)[at - 1] ** 2).sum(axis=1) * weight).max())
    log_pvalue = log_sup_lm_sf(statistic, p, start / n, stop / n, n)
    pvalue = np.exp(log_pvalue)
    if permutations:
        pvalue = _by_permutation(statistic, process, permutations, rng, lambda U: _largest(U, at, weight))
    return StabilityTest(statistic, float(pvalue), log_pvalue, True)


def _largest(U: FloatArray, at: IntArray, weight: FloatArray) -> FloatArray:
    """Statistics of permuted processes, permutations × n × p."""
    path = np.cumsum(U, axis=1)[:, at - 1]
    found: FloatArray = ((path**2).sum(axis=2) * weight).max(axis=1)
    return found


def _levels(process: FloatArray, values: FloatArray, permutations: int, rng: np.random.Generator) -> StabilityTest:
    n, p = process.shape
    present, place = np.unique(values, return_inverse=True)
    member = np.zeros((len(present), n))
    member[place, np.arange(n)] = 1.0
    share = member.sum(axis=1) / n

    def statistic_of(U: FloatArray) -> FloatArray:
        sums = np.einsum("cn,knp->kcp", member, U)
        total: FloatArray = ((sums**2).sum(axis=2) / share).sum(axis=1)
        return total

    statistic = float(statistic_of(process[None])[0])
    log_pvalue = log_chi2_sf(statistic, p * (len(present) - 1))
    pvalue = np.exp(log_pvalue)
    if permutations:
        pvalue = _by_permutation(statistic, process, permutations, rng, statistic_of)
    return StabilityTest(statistic, float(pvalue), log_pvalue, True)


def _by_permutation(
    statistic: float,
    process: FloatArray,
    permutations: int,
    rng: np.random.Generator,
    statistic_of: Callable[[FloatArray], FloatArray],
) -> float:
    n, p = process.shape
    chunk = max(int(2e6 / max(n * p, 1)), 1)
    reached, slack = 0, 1e-9 * max(statistic, 1.0)
    for start in range(0, permutations, chunk):
        size = min(chunk, permutations - start)
        shuffled = rng.permuted(np.broadcast_to(np.arange(n), (size, n)), axis=1)
        reached += int((statistic_of(process[shuffled]) >= statistic - slack).sum())
    return (1 + reached) / (1 + permutations)
