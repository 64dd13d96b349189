"""loess: local polynomial regression of one to four attributes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import Regressor, parameter
from podium.design.candidates.spl import numeric_only

AT_ONCE = 2_000_000  # numbers held by one block of local fits


@dataclass(kw_only=True, eq=False)
class LocalRegression(Regressor):
    """Local polynomials with tricube weights (Cleveland 1979; Cleveland & Devlin 1988), computed at each point.

    Parameters
    ----------
    span : float
        Share of the learning sample that is local.
    degree : {0, 1, 2}
        Degree of the polynomials.
    """

    span: float = parameter(0.75, above=0)
    degree: int = parameter(2, whole=True, minimum=0, maximum=2)

    def learn(self, X: pd.DataFrame, y: FloatArray) -> None:
        """Keep the learning sample, its attributes on comparable scales."""
        numeric_only(X, 4, "loess")
        Z = self.encode(X)
        self.spread = np.array([trimmed_deviation(column) for column in Z.T]) if Z.shape[1] > 1 else np.ones(1)
        self.Z, self.y = Z / self.spread, y

    def respond(self, X: pd.DataFrame) -> FloatArray:
        """Fit a polynomial at each observation and return its value there."""
        Q = self.matrix(X) / self.spread
        block = max(1, AT_ONCE // (len(self.Z) * monomials(Q[:1], self.degree).shape[1]))
        parts = [self._local(Q[start : start + block]) for start in range(0, len(Q), block)]
        return np.concatenate(parts)

    def _local(self, Q: FloatArray) -> FloatArray:
        away = self.Z[None] - Q[:, None]
        distance = np.sqrt((away**2).sum(axis=2))
        n, width = distance.shape[1], Q.shape[1]
        nearest = min(n, max(1, int(n * self.span + 1e-5)))
        reach = np.partition(distance, nearest - 1, axis=1)[:, nearest - 1] * max(1.0, self.span) ** (1 / width)
        scale = np.where(reach > 0, reach, 1.0)[:, None]
        relative = np.where(reach[:, None] > 0, distance / scale, np.where(distance > 0, 1.0, 0.0))
        root = np.sqrt(np.clip(1 - relative**3, 0.0, None) ** 3)
        lone = root.sum(axis=1) == 0  # all neighbours are equally far away
        root[lone] = relative[lone] <= 1 + 1e-12
        centre = (root**2 * self.y).sum(axis=1) / (root**2).sum(axis=1)
        # Scaled and centred at the local mean, so that the least-norm solution is sensible where points coincide.
        design = monomials(away / scale[..., None], self.degree) * root[..., None]
        solution = np.linalg.pinv(design, rcond=1e-7) @ (root * (self.y - centre[:, None]))[..., None]
        return np.asarray(centre + solution[:, 0, 0], dtype=np.float64)


def monomials(away: FloatArray, degree: int) -> FloatArray:
    """Return the monomials up to the degree, the constant first."""
    columns = [np.ones(away.shape[:-1])]
    for order in range(1, degree + 1):
        for chosen in combinations_with_replacement(range(away.shape[-1]), order):
            columns.append(np.prod([away[..., j] for j in chosen], axis=0))
    return np.stack(columns, axis=-1)


def trimmed_deviation(values: FloatArray) -> float:
    """Return the standard deviation without the tenth of the values at each end; 1 if it is 0."""
    cut = int(np.ceil(0.1 * len(values)))
    kept = np.sort(values)[cut : len(values) - cut]
    return float(kept.std(ddof=1)) or 1.0 if len(kept) > 1 else 1.0


LOESS = NamedCandidate(
    "loess",
    "local polynomial regression",
    {"regression": LocalRegression},
    rule="degree 2, span 3/4",
    settled_by=("span", "degree"),
)
