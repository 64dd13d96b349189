"""nb: naive Bayes with numeric and nominal attributes side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.arrays import FloatArray, IntArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import Classifier, Codes, one_hot, parameter, softmax
from podium.design.encoding import is_nominal

ZERO = 1e-3  # stands for a probability of zero, and times an attribute's spread for a standard deviation of zero


@dataclass(kw_only=True, eq=False)
class NaiveBayes(Classifier):
    """Attributes independent within classes: normal if numeric, by their shares if nominal.

    Missing values and levels that the learning sample lacks are left out of the product, both when fitting and when
    predicting.

    Parameters
    ----------
    laplace : float
        Added to each count of a level within a class. With 0, shares of zero count as 0.001.
    """

    laplace: float = parameter(0.0, minimum=0)

    nominal = "codes"
    impute = False

    def learn(self, X: pd.DataFrame, codes: Codes) -> None:
        """Estimate means, standard deviations and shares within classes."""
        Z, Y = self.encode(X), one_hot(codes, int(codes.max()) + 1)
        self.log_shares = np.log(Y.mean(axis=0))
        self.is_table = np.array([is_nominal(X[name]) for name in X.columns])
        self.tables = [self._table(Z[:, j], Y) for j in np.flatnonzero(self.is_table)]
        self.normals = [self._normal(Z[:, j], Y) for j in np.flatnonzero(~self.is_table)]

    def _table(self, levels: FloatArray, Y: FloatArray) -> FloatArray:
        """Return log shares, one row per level; a last row of zeros leaves the attribute out."""
        present = ~np.isnan(levels)
        if not present.any():
            return np.zeros((1, Y.shape[1]))
        counts = one_hot(levels[present].astype(np.intp), int(levels[present].max()) + 1).T @ Y[present]
        seen = counts.sum(axis=1) > 0
        counts[seen] += self.laplace
        totals = counts.sum(axis=0)
        shares = np.divide(counts, totals, out=np.ones_like(counts), where=totals > 0)
        logs = np.log(np.where(shares > 0, shares, ZERO))
        logs[~seen] = 0.0
        return np.vstack([logs, np.zeros(Y.shape[1])])

    def _normal(self, values: FloatArray, Y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return mean and standard deviation in each class."""
        present = ~np.isnan(values)
        x, members = values[present], Y[present]
        overall, spread = (x.mean(), x.std(ddof=1) if len(x) > 1 else 0.0) if len(x) else (0.0, 0.0)
        spread = spread if spread > 0 else 1.0
        sizes = members.sum(axis=0)
        means = np.where(sizes > 0, members.T @ x / np.maximum(sizes, 1), overall)
        squares = (members * (x[:, None] - means) ** 2).sum(axis=0)
        deviations = np.sqrt(squares / np.maximum(sizes - 1, 1))
        deviations = np.where(sizes > 1, np.maximum(deviations, ZERO * spread), spread)
        return means, deviations

    def probabilities(self, X: pd.DataFrame) -> FloatArray:
        """Return the posterior probabilities."""
        Z = self.matrix(X)
        logits = np.tile(self.log_shares, (len(Z), 1))
        for j, table in zip(np.flatnonzero(self.is_table), self.tables, strict=True):
            logits += table[_row_of(Z[:, j], len(table) - 1)]
        for j, (means, deviations) in zip(np.flatnonzero(~self.is_table), self.normals, strict=True):
            z = (Z[:, j, None] - means) / deviations
            logits += np.where(np.isnan(z), 0.0, -(z**2) / 2 - np.log(deviations))
        return softmax(logits)


def _row_of(levels: FloatArray, left_out: int) -> IntArray:
    known = ~np.isnan(levels) & (levels < left_out)
    return np.where(known, np.where(known, levels, 0), left_out).astype(np.intp)


NB = NamedCandidate("nb", "naive Bayes", {"classification": NaiveBayes})
