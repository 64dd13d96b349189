"""constant: a control that ignores the attributes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import Classifier, Codes, Regressor


@dataclass(kw_only=True, eq=False)
class MajorityClass(Classifier):
    """Predicts the most frequent class of the learning sample, with the class shares as probabilities."""

    def learn(self, X: pd.DataFrame, codes: Codes) -> None:
        """Count the classes."""
        self.shares = np.bincount(codes) / len(codes)

    def probabilities(self, X: pd.DataFrame) -> FloatArray:
        """Return the class shares for every observation."""
        return np.tile(self.shares, (len(X), 1))


@dataclass(kw_only=True, eq=False)
class MeanResponse(Regressor):
    """Predicts the mean response of the learning sample."""

    def learn(self, X: pd.DataFrame, y: FloatArray) -> None:
        """Take the mean."""
        self.mean = float(y.mean())

    def respond(self, X: pd.DataFrame) -> FloatArray:
        """Return the mean for every observation."""
        return np.full(len(X), self.mean)


CONSTANT = NamedCandidate(
    "constant",
    "majority class or mean response",
    {"classification": MajorityClass, "regression": MeanResponse},
    rule="a control that ignores the attributes",
)
