"""lda: linear discriminant analysis, and what it shares with qda."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import Classifier, Codes, softmax

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
        return [pooled_covariance(within, classes=int(codes.max()) + 1)]


def pooled_covariance(within: FloatArray, classes: int) -> FloatArray:
    """Return the covariance within classes, shrunk where it is singular.

    Collinear or constant columns and more columns than observations make it singular. It is then replaced by
    the estimate of Ledoit & Wolf (2004), which shrinks it towards a multiple of the identity; the data decide how far.
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
    """Return whether a symmetric matrix cannot be inverted safely."""
    eigenvalues = np.linalg.eigvalsh(S)
    return bool(eigenvalues[0] <= SINGULAR * eigenvalues[-1])


LDA = NamedCandidate("lda", "linear discriminant analysis", {"classification": LinearDiscriminantAnalysis})
