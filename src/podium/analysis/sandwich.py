"""Robust covariance of estimates: from the scores of independent clusters, where a model is not trusted.

The scores of a cluster, a data set or a user, are added up, and their variation between clusters replaces what the
model says (Liang & Zeger 1986). A few clusters that happen to agree would make estimates certain; the covariance is
therefore never taken as smaller than that of the model in any direction.

K.-Y. Liang, S. L. Zeger (1986). Longitudinal data analysis using generalized linear models. Biometrika 73, 13–22.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from podium.arrays import FloatArray


def covariance_between(inverse: FloatArray, scores: FloatArray) -> FloatArray:
    """Covariance of estimates from the inverse of the information, and the scores of clusters (rows)."""
    count = len(scores)
    free = scores - scores.mean(axis=0)  # their mean is 0, except for a penalty of the likelihood
    return np.asarray(inverse @ (free.T @ free) @ inverse.T * count / (count - 1))


def larger_covariance(one: FloatArray, other: FloatArray) -> FloatArray:
    """The larger of two covariance matrices in every direction in which they can be compared.

    With X such that one = X Λ X' and other = X X', it is X max(Λ, 1) X'; it changes with a change of parameters as
    covariance matrices do.
    """
    values, vectors = eigh(one, other)
    X = other @ vectors
    return np.asarray((X * np.maximum(values, 1.0)) @ X.T)
