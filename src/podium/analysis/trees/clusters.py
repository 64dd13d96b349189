"""Comparisons that are not independent: those of one data set, of one replication, or of one user.

On a replication every pair is compared by the same scores, and replications of a data set resemble each other. The
covariance of the estimates is then larger than the model says.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_solve

from podium.analysis.sandwich import covariance_between, larger_covariance
from podium.analysis.trees.likelihood import PairModel, derivatives, factor_of
from podium.analysis.trees.paired_comparisons import LOSS, TIE, WIN, PairedComparisons
from podium.arrays import FloatArray, IntArray


def clustered_covariance(pairs: PairedComparisons, model: PairModel, beta: FloatArray, cluster: IntArray) -> FloatArray:
    """Covariance of the log worths, K × K, where comparisons of a cluster are not independent.

    Parameters
    ----------
    pairs, model
        The comparisons, and the pairs of the model, which are the same.
    beta : ndarray
        Estimates: log worths relative to object 0, then ties and order where the model has them.
    cluster : ndarray of int
        The cluster of each comparison, counted from 0.
    """
    k, count = model.objects, int(cluster.max()) + 1
    counts = pairs.counts
    _, _, information, p = derivatives(model, counts, counts.sum(axis=1), beta)
    inverse = cho_solve(factor_of(information), np.eye(len(beta)))
    chance, outcome, weight = p[pairs.pair], pairs.outcome, pairs.weight
    scores = np.zeros((count, k + model.extra))
    for side, win in ((model.first, WIN), (model.second, LOSS)):
        left = (outcome == win) + 0.5 * (outcome == TIE) - chance[:, win] - 0.5 * chance[:, TIE]
        scores[:, :k] += np.bincount(cluster * k + side[pairs.pair], weight * left, count * k).reshape(count, k)
    if model.ties:
        scores[:, k] = np.bincount(cluster, weight * ((outcome == TIE) - chance[:, TIE]), count)
    if model.order_effect:
        scores[:, -1] = np.bincount(cluster, weight * ((outcome == WIN) - chance[:, WIN]), count)
    between = covariance_between(inverse, scores[:, 1:])
    whole = np.zeros((k, k))
    whole[1:, 1:] = larger_covariance(between[: k - 1, : k - 1], inverse[: k - 1, : k - 1])
    return whole
