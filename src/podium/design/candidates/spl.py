"""spl: cubic smoothing spline of one attribute."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import Regressor
from podium.design.encoding import is_nominal
from podium.errors import InputError, join_names

DENSE = 1000  # distinct values up to which the spline's eigenvalues are computed


@dataclass(kw_only=True, eq=False)
class SmoothingSpline(Regressor):
    """A natural cubic smoothing spline of one attribute, straight beyond the data.

    The penalty minimises generalised cross-validation over all observations, also those that share a value of the
    attribute (Hastie, Tibshirani & Friedman 2009, sec. 5.4; Green & Silverman 1994, ch. 2 and 3).
    """

    def learn(self, X: pd.DataFrame, y: FloatArray) -> None:
        """Choose the penalty and fit."""
        from scipy.interpolate import CubicSpline, make_smoothing_spline

        numeric_only(X, 1, "spl")
        x, place = np.unique(self.encode(X)[:, 0], return_inverse=True)
        weights = np.bincount(place).astype(float)
        means = np.bincount(place, y) / weights
        within = float(((y - means[place]) ** 2).sum())
        if len(x) < 4:
            line = np.polyfit(x, means, min(1, len(x) - 1), w=np.sqrt(weights))
            fitted = np.polyval(line, x)
        elif len(x) <= DENSE:
            fitted, self.tuned = smoothed(x, means, weights, within)
        else:  # hardly any values coincide then, so that both criteria agree
            fitted = make_smoothing_spline(x, means, weights)(x)
        self.first, self.last = float(x[0]), float(x[-1])
        self.curve = CubicSpline(x, fitted, bc_type="natural") if len(x) > 1 else None
        self.level = float(fitted.mean())

    def respond(self, X: pd.DataFrame) -> FloatArray:
        """Return the curve, continued by straight lines."""
        x = self.matrix(X)[:, 0]
        if self.curve is None:
            return np.full(len(x), self.level)
        inside = np.clip(x, self.first, self.last)
        return self.curve(inside) + self.curve(inside, 1) * (x - inside)


def smoothed(
    x: FloatArray, means: FloatArray, weights: FloatArray, within: float
) -> tuple[FloatArray, dict[str, float]]:
    """Fit a natural smoothing spline to group means; return its values there, the penalty and the degrees of freedom.

    The penalty matrix is K = Q R⁻¹ Qᵀ (Green & Silverman 1994, sec. 2.1.2). With the eigenvalues d of
    W^-½ K W^-½, the smoother has the eigenvalues 1/(1 + λd), and GCV(λ) = n RSS/(n - tr S)², where RSS includes
    the squares within groups.
    """
    from scipy.optimize import minimize_scalar

    n, scale = weights.sum(), x[-1] - x[0]
    h = np.diff(x) / scale
    m = len(x)
    Q, R = np.zeros((m, m - 2)), np.zeros((m - 2, m - 2))
    inner = np.arange(m - 2)
    Q[inner, inner], Q[inner + 2, inner] = 1 / h[:-1], 1 / h[1:]
    Q[inner + 1, inner] = -1 / h[:-1] - 1 / h[1:]
    R[inner, inner] = (h[:-1] + h[1:]) / 3
    R[inner[:-1], inner[1:]] = R[inner[1:], inner[:-1]] = h[1:-1] / 6
    root = np.sqrt(weights)
    B = Q / root[:, None]
    d, U = np.linalg.eigh(B @ np.linalg.solve(R, B.T))
    d = np.where(np.arange(m) < 2, 0.0, np.maximum(d, 0.0))  # straight lines are not penalised
    coordinates = U.T @ (root * means)

    def criterion(log_penalty: float) -> float:
        shrink = 1 / (1 + np.exp(log_penalty) * d)
        rss = ((1 - shrink) ** 2 * coordinates**2).sum() + within
        return float(n * rss / (n - shrink.sum()) ** 2)

    grid = np.linspace(-np.log(d[-1]) - 5, -np.log(d[2]) + 12, 97)  # from interpolation to a straight line
    values = [criterion(g) for g in grid]
    at = int(np.argmin(values))
    bounds = grid[max(at - 1, 0)], grid[min(at + 1, len(grid) - 1)]
    best = minimize_scalar(criterion, bounds=bounds, method="bounded", options={"xatol": 1e-9}).x
    shrink = 1 / (1 + np.exp(best) * d)
    fitted: FloatArray = (U @ (shrink * coordinates)) / root
    return fitted, {"lambda": float(np.exp(best) * scale**3), "df": float(shrink.sum())}


def numeric_only(X: pd.DataFrame, most: int, method: str) -> None:
    """Refuse attributes that a smoother cannot use."""
    nominal = [name for name in X.columns if is_nominal(X[name])]
    if nominal or X.shape[1] > most:
        wanted = "exactly one numeric attribute" if most == 1 else f"one to {most} numeric attributes"
        found = f"the nominal {join_names(nominal)}" if nominal else f"{X.shape[1]} attributes"
        raise InputError(f"{method!r} is for {wanted}; the learning sample has {found}. Leave {method!r} out here.")


SPL = NamedCandidate(
    "spl",
    "cubic smoothing spline of one attribute",
    {"regression": SmoothingSpline},
    rule="penalty by generalised cross-validation",
)
