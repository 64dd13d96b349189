"""knn, 5nn: nearest neighbours."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import isqrt
from typing import ClassVar

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import (
    Candidate,
    Classifier,
    Codes,
    Regressor,
    folds,
    one_hot,
    parameter,
    splits,
)

SAME = 1e-9  # relative difference below which two squared distances are equal
AT_ONCE = 4_000_000  # numbers held by one block of distances
NEARER, COMMONER = 1e-6, 1e-9  # weights that count only where the votes are equal


@dataclass(kw_only=True, eq=False)
class Neighbours(Candidate, ABC):
    """Averages over neighbours, and finds their best number by cross-validation between 1 and √n.

    If several observations are as far away as the k-th neighbour, all of them count. The order of the learning sample
    therefore does not matter.

    Parameters
    ----------
    k : int, optional
        Number of neighbours; chosen by cross-validation between 1 and √n if not given.
    folds : int
        Folds of that cross-validation.
    """

    k: int | None = parameter(None, whole=True, minimum=1)
    folds: int = parameter(10, whole=True, minimum=2)

    scale: ClassVar[bool] = True

    def remember(self, X: pd.DataFrame, Y: FloatArray, codes: Codes | None) -> None:
        """Choose k and keep the learning sample."""
        self.Z, self.Y = self.encode(X), Y
        self.tuned = {"k": self.choose(codes)}

    def choose(self, codes: Codes | None) -> int:
        """Return the number of neighbours with the smallest cross-validated loss; ties go to the smallest."""
        n = len(self.Z)
        if self.k is not None:
            return min(self.k, n)
        most = max(1, isqrt(n))
        fold = folds(n, self.folds, self.rng("folds"), codes=codes, rows=self.rows)
        loss = np.zeros(most)
        for learn, held in splits(fold):
            reach = min(most, int(learn.sum()))
            means = neighbour_means(self.Z[learn], self.Y[learn], self.Z[held], reach)
            loss[:reach] += self.losses(means, self.Y[held])
            loss[reach:] = np.inf
        return int(loss.argmin()) + 1

    def means(self, X: pd.DataFrame) -> FloatArray:
        """Return the mean response of the first 1, ..., k neighbours of each observation."""
        return neighbour_means(self.Z, self.Y, self.matrix(X), self.tuned["k"])

    @abstractmethod
    def losses(self, means: FloatArray, truth: FloatArray) -> FloatArray:
        """Return the total loss for each number of neighbours."""


@dataclass(kw_only=True, eq=False)
class NearestNeighbourClassifier(Neighbours, Classifier):
    """The class of most of the k nearest neighbours.

    Ties go to the class with more votes among the nearer neighbours, then to the more frequent class.
    """

    def learn(self, X: pd.DataFrame, codes: Codes) -> None:
        """Choose k and keep the learning sample."""
        self.remember(X, one_hot(codes, len(self.classes_)), codes)

    def losses(self, means: FloatArray, truth: FloatArray) -> FloatArray:
        """Count the misclassified."""
        wrong = self.favourites(means) != truth.argmax(axis=1)[:, None]
        return np.asarray(wrong.sum(axis=0), dtype=np.float64)

    def favourites(self, shares: FloatArray) -> Codes:
        """Return the class that the first 1, 2, ... neighbours vote for."""
        nearer = np.cumsum(shares, axis=1) / np.arange(1, shares.shape[1] + 1)[:, None]
        chosen: Codes = (shares + NEARER * nearer + COMMONER * self.Y.mean(axis=0)).argmax(axis=2)
        return chosen

    def decide(self, X: pd.DataFrame) -> Codes:
        """Return the class with most votes."""
        return self.favourites(self.means(X))[:, -1]

    def probabilities(self, X: pd.DataFrame) -> FloatArray:
        """Return the share of each class among the neighbours."""
        return self.means(X)[:, -1]


@dataclass(kw_only=True, eq=False)
class NearestNeighbourRegressor(Neighbours, Regressor):
    """The mean response of the k nearest neighbours."""

    def learn(self, X: pd.DataFrame, y: FloatArray) -> None:
        """Choose k and keep the learning sample."""
        self.remember(X, y[:, None], None)

    def losses(self, means: FloatArray, truth: FloatArray) -> FloatArray:
        """Add up the squared errors."""
        return np.asarray(((means[:, :, 0] - truth) ** 2).sum(axis=0), dtype=np.float64)

    def respond(self, X: pd.DataFrame) -> FloatArray:
        """Return the mean response of the neighbours."""
        return self.means(X)[:, -1, 0]


def neighbour_means(Z: FloatArray, Y: FloatArray, Q: FloatArray, most: int) -> FloatArray:
    """Return the mean response of the first 1, ..., `most` neighbours, together with all at the last one's distance.

    Parameters
    ----------
    Z, Y : array, shape (observations, columns)
        Attributes and responses of the learning sample.
    Q : array
        Attributes of the observations whose neighbours are sought.
    most : int

    Returns
    -------
    array, shape (len(Q), most, columns of Y)

    Examples
    --------
    >>> import numpy as np
    >>> neighbour_means(np.array([[0.0], [1.0], [3.0]]), np.array([[6.0], [0.0], [9.0]]), np.array([[2.0]]), 3)[0, :, 0]
    array([4.5, 4.5, 5. ])
    """
    means = np.empty((len(Q), most, Y.shape[1]))
    block = max(1, AT_ONCE // (len(Z) * (Y.shape[1] + 2)))
    for start in range(0, len(Q), block):
        means[start : start + block] = _block_of_means(Z, Y, Q[start : start + block], most)
    return means


def _block_of_means(Z: FloatArray, Y: FloatArray, Q: FloatArray, most: int) -> FloatArray:
    from scipy.spatial.distance import cdist

    distance = cdist(Q, Z, "sqeuclidean")
    order = np.argsort(distance, axis=1, kind="stable")
    ordered = np.take_along_axis(distance, order, axis=1)
    farther = ordered[:, 1:] > ordered[:, :-1] * (1 + SAME) + 1e-300
    positions = np.where(np.hstack([farther, np.ones((len(Q), 1), dtype=bool)]), np.arange(len(Z)), len(Z))
    last = np.minimum.accumulate(positions[:, ::-1], axis=1)[:, ::-1][:, :most]  # of those at the same distance
    totals = np.take_along_axis(np.cumsum(Y[order], axis=1), last[:, :, None], axis=1)
    return np.asarray(totals / (last[:, :, None] + 1), dtype=np.float64)


KNN = NamedCandidate(
    "knn",
    "k nearest neighbours",
    {"classification": NearestNeighbourClassifier, "regression": NearestNeighbourRegressor},
    rule="k between 1 and √n by 10-fold cross-validation",
    settled_by=("k",),
)
FIVE_NN = NamedCandidate("5nn", "5 nearest neighbours", {"classification": NearestNeighbourClassifier}, fixed={"k": 5})
