"""Scores within blocks: the one statistic behind Friedman, aligned ranks, Quade and Cochran.

A test of this family gives every cell a score, centred in its block. If the algorithms perform alike, all
arrangements of the scores within a block are equally likely, and the column sums have mean 0 and covariance
V (I - J/K) with V the sum over blocks of their sample variances.
"""

from __future__ import annotations

from podium.arrays import FloatArray
from podium.results.ranks import rank_rows


def rank_blocks(costs: FloatArray) -> FloatArray:
    """Rank each row, 1 for the smallest cost, ties averaged; NaN is ranked last."""
    return rank_rows(costs, "average")


def centred(scores: FloatArray) -> FloatArray:
    """Scores minus the mean of their block."""
    inside: FloatArray = scores - scores.mean(axis=1, keepdims=True)
    return inside


def variance_of_sums(scores: FloatArray) -> float:
    """V: variance of the column sums under permutation, given the scores and hence their ties."""
    inside = centred(scores)
    return float((inside**2).sum() / (scores.shape[1] - 1))


def quadratic_statistic(scores: FloatArray) -> float:
    """Sum of the squared column sums over V; 0 where no block tells any two algorithms apart.

    Asymptotically χ² with K - 1 degrees of freedom. With ranks it is the tie-corrected Friedman statistic, with
    0/1 outcomes Cochran's Q, with aligned ranks the statistic of Hodges & Lehmann.
    """
    sums = centred(scores).sum(axis=0)
    variance = variance_of_sums(scores)
    return float((sums**2).sum() / variance) if variance > 0 else 0.0
