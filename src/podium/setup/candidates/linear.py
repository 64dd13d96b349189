"""Linear regression (lm) and robust linear regression (rlm)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.setup.candidates.base import Regressor

MAD_OF_NORMAL = 0.6745  # median absolute deviation of a standard normal variable, as rounded by Huber


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


@dataclass(kw_only=True, eq=False)
class RobustRegression(LinearRegression):
    """Huber's M-estimator by iteratively reweighted least squares; the scale is the median absolute residual.

    Parameters
    ----------
    k : float
        Residuals beyond k scales lose weight; 1.345 has 95 % efficiency for normal errors.
    iterations : int
        Iterations at most.
    """

    k: float = 1.345
    iterations: int = 200

    def learn(self, X: pd.DataFrame, y: FloatArray) -> None:
        """Iterate from least squares until the coefficients stay."""
        Z = with_constant(self.encode(X))
        beta = least_squares(Z, y)
        for _ in range(self.iterations):
            residuals = np.abs(y - Z @ beta)
            scale = float(np.median(residuals)) / MAD_OF_NORMAL
            if scale <= 1e-12 * max(float(np.abs(y).max()), 1e-300):
                break  # half of the observations are met exactly
            weights = np.minimum(1.0, self.k * scale / np.maximum(residuals, 1e-300))
            before, beta = beta, least_squares(Z * np.sqrt(weights)[:, None], y * np.sqrt(weights))
            if np.abs(beta - before).max() <= 1e-10 * max(float(np.abs(beta).max()), 1e-300):
                break
        self.coefficients = beta


def with_constant(Z: FloatArray) -> FloatArray:
    """Put a column of ones in front."""
    return np.column_stack([np.ones(len(Z)), Z])


def least_squares(Z: FloatArray, y: FloatArray) -> FloatArray:
    """Return the coefficients."""
    return np.asarray(np.linalg.lstsq(Z, y, rcond=None)[0], dtype=np.float64)
