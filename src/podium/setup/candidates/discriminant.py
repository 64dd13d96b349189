"""Linear and quadratic discriminant analysis (lda, qda)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.setup.candidates.base import Classifier, Codes, softmax

SINGULAR = 1e-8  # smallest over largest eigenvalue below which a covariance is not inverted as it is
FLOOR = 1e-6  # added to the diagonal then, in units of an attribute's variance


class DiscriminantAnalysis(Classifier, ABC):
    """Classes as normal distributions; their shares in the learning sample are the prior probabilities."""

    nominal = "treatment"
    scale = True

    def learn(self, X: pd.DataFrame, codes: Codes) -> None:
        """Estimate class shares, means and covariances."""
        Z = self.encode(X)
        sizes = np.bincount(codes)
        self.log_shares = np.log(sizes / len(codes))
        self.means = np.array([Z[codes == g].mean(axis=0) for g in range(len(sizes))])
        self.factors = [np.linalg.cholesky(S) for S in self.covariances(Z - self.means[codes], codes)]

    def probabilities(self, X: pd.DataFrame) -> FloatArray:
        """Return the posterior probabilities."""
        from scipy.linalg import solve_triangular

        Z = self.matrix(X)
        logits = np.empty((len(Z), len(self.means)))
        for g, (mean, log_share) in enumerate(zip(self.means, self.log_shares, strict=True)):
            L = self.factors[g % len(self.factors)]
            distance = (solve_triangular(L, (Z - mean).T, lower=True) ** 2).sum(axis=0)
            logits[:, g] = log_share - distance / 2 - np.log(np.diag(L)).sum()
        return softmax(logits)

    @abstractmethod
    def covariances(self, within: FloatArray, codes: Codes) -> list[FloatArray]:
        """Return one covariance for all classes, or one for each."""


@dataclass(kw_only=True, eq=False)
class LinearDiscriminantAnalysis(DiscriminantAnalysis):
    """One covariance for all classes."""

    def covariances(self, within: FloatArray, codes: Codes) -> list[FloatArray]:
        """Return the pooled covariance."""
        return [pooled_covariance(within, classes=codes.max() + 1)]


@dataclass(kw_only=True, eq=False)
class QuadraticDiscriminantAnalysis(DiscriminantAnalysis):
    """A covariance for each class.

    The covariance of a class that is singular, because the class is small or an attribute is constant within it,
    gives way to the average of it and the pooled one, with the weights n_g - 1 and the number of columns.
    """

    def covariances(self, within: FloatArray, codes: Codes) -> list[FloatArray]:
        """Return the covariance of each class."""
        pooled = pooled_covariance(within, classes=codes.max() + 1)
        return [self._of_class(within[codes == g], pooled) for g in range(codes.max() + 1)]

    @staticmethod
    def _of_class(deviations: FloatArray, pooled: FloatArray) -> FloatArray:
        freedom, width = len(deviations) - 1, len(pooled)
        scatter = deviations.T @ deviations
        if freedom >= width and not is_singular(scatter):
            return scatter / freedom
        average: FloatArray = (scatter + width * pooled) / (freedom + width)
        return average


def pooled_covariance(within: FloatArray, classes: int) -> FloatArray:
    """Return the covariance within classes, shrunk where it is singular.

    Collinear or constant columns and more columns than observations make it singular. It then gives way to the
    estimate of Ledoit & Wolf (2004), which moves it towards a multiple of the identity as far as the data ask for.
    """
    freedom = len(within) - classes
    scatter = within.T @ within
    if freedom >= within.shape[1] and not is_singular(scatter):
        return scatter / freedom
    from sklearn.covariance import ledoit_wolf

    shrunk, _ = ledoit_wolf(within, assume_centered=True)
    regular: FloatArray = shrunk + FLOOR * np.eye(len(scatter))
    return regular


def is_singular(S: FloatArray) -> bool:
    """Tell whether a symmetric matrix cannot be inverted safely."""
    eigenvalues = np.linalg.eigvalsh(S)
    return bool(eigenvalues[0] <= SINGULAR * eigenvalues[-1])
