"""lm: linear regression."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import Regressor


@dataclass(kw_only=True, eq=False)
class LinearRegression(Regressor):
    """Least squares; the solution of least norm where attributes are collinear."""

    nominal = "treatment"
    scale = True

    def learn(self, X: pd.DataFrame, y: FloatArray) -> None:
        """Solve the least squares problem."""
        self.coefficients = least_squares(with_constant(self.encode(X)), y)

    def respond(self, X: pd.DataFrame) -> FloatArray:
        """Return the linear predictor."""
        return with_constant(self.matrix(X)) @ self.coefficients


def with_constant(Z: FloatArray) -> FloatArray:
    """Put a column of ones in front."""
    return np.column_stack([np.ones(len(Z)), Z])


def least_squares(Z: FloatArray, y: FloatArray) -> FloatArray:
    """Return the coefficients."""
    return np.asarray(np.linalg.lstsq(Z, y, rcond=None)[0], dtype=np.float64)


LM = NamedCandidate("lm", "linear regression", {"regression": LinearRegression})
