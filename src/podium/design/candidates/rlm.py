"""rlm: robust linear regression."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import parameter
from podium.design.candidates.lm import LinearRegression, least_squares, with_constant

MAD_OF_NORMAL = 0.6745  # median absolute deviation of a standard normal variable, as rounded by Huber


@dataclass(kw_only=True, eq=False)
class RobustRegression(LinearRegression):
    """Huber's M-estimator by iteratively reweighted least squares; the scale is the median absolute residual.

    Parameters
    ----------
    k : float
        Residuals beyond k scales lose weight; 1.345 has 95% efficiency for normal errors.
    iterations : int
        Maximum number of iterations.
    """

    k: float = parameter(1.345, above=0)
    iterations: int = parameter(200, whole=True, minimum=1)

    def learn(self, X: pd.DataFrame, y: FloatArray) -> None:
        """Iterate from least squares until the coefficients no longer change."""
        Z = with_constant(self.encode(X))
        beta = least_squares(Z, y)
        for _ in range(self.iterations):
            residuals = np.abs(y - Z @ beta)
            scale = float(np.median(residuals)) / MAD_OF_NORMAL
            if scale <= 1e-12 * max(float(np.abs(y).max()), 1e-300):
                break  # half of the observations are fitted exactly
            weights = np.minimum(1.0, self.k * scale / np.maximum(residuals, 1e-300))
            before, beta = beta, least_squares(Z * np.sqrt(weights)[:, None], y * np.sqrt(weights))
            if np.abs(beta - before).max() <= 1e-10 * max(float(np.abs(beta).max()), 1e-300):
                break
        self.coefficients = beta


RLM = NamedCandidate("rlm", "robust linear regression", {"regression": RobustRegression}, rule="Huber's M-estimator")
