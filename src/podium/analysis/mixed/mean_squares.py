"""Mean squares of complete designs, and the variance components they give in closed form.

The strata of a complete design (M data sets × B replications × K algorithms) have the expected mean squares

    data set              λ₁ = σ² + K σ₃² + B σ₂² + B K σ₁²      M - 1
    data set × algorithm  λ₂ = σ² + B σ₂²                        (M - 1)(K - 1)
    replication           λ₃ = σ² + K σ₃²                        M (B - 1)
    residual              λ₄ = σ²                                M (B - 1)(K - 1)

and the restricted likelihood is a product over the strata. So the REML estimates solve these equations, as long as no
variance becomes negative. Under ML, fixed effects do not reduce the degrees of freedom of their stratum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.analysis.mixed.likelihood import Estimation
from podium.analysis.mixed.sufficient_statistics import SizeGroups
from podium.arrays import FloatArray


@dataclass(frozen=True)
class Strata:
    """Sums of squares of a complete design.

    Attributes
    ----------
    dataset, algorithm, interaction, replication, residual : float
        Sums of squares.
    m, b, k : int
        Numbers of data sets, replications and algorithms.
    """

    dataset: float
    algorithm: float
    interaction: float
    replication: float
    residual: float
    m: int
    b: int
    k: int

    @property
    def constant_differences(self) -> bool:
        """Whether the algorithms differ by the same amounts in all rows of a data set, up to rounding."""
        total = self.dataset + self.algorithm + self.interaction + self.replication + self.residual
        # The residual sum is what is left of the rows' total, so that less than its rounding error is nothing.
        return self.residual <= max(1e-24 * total, 4e-15 * (self.replication + self.residual))


def strata_of(statistics: SizeGroups) -> Strata:
    """Sums of squares of a complete design."""
    m, k = statistics.centre.shape
    b = int(statistics.rows[0])
    cell = statistics.centre
    by_dataset, by_algorithm, overall = cell.mean(axis=1), cell.mean(axis=0), cell.mean()
    interaction = cell - by_dataset[:, None] - by_algorithm + overall
    rows = float(statistics.squares.sum()) / k
    return Strata(
        dataset=float(b * k * ((by_dataset - overall) ** 2).sum()),
        algorithm=float(b * m * ((by_algorithm - overall) ** 2).sum()),
        interaction=float(b * (interaction**2).sum()),
        replication=rows,
        residual=max(float(statistics.total.sum()) - rows, 0.0),
        m=m,
        b=b,
        k=k,
    )


def within_variances(strata: Strata, estimation: Estimation, *, fixed_cells: bool) -> tuple[float, float] | None:
    """Variances of replications and residuals; None if the first would be negative.

    `fixed_cells`: the cell means are fixed effects, as with one data set and in the survey model.
    """
    rows = strata.m * (strata.b if fixed_cells and estimation == "ML" else strata.b - 1)
    if rows == 0:
        return None
    residual = strata.residual / (rows * (strata.k - 1))
    replication = (strata.replication / rows - residual) / strata.k
    return None if replication < 0 else (replication, residual)


def scalar_variances(strata: Strata, estimation: Estimation) -> tuple[float, float, float, float] | None:
    """Variances of data sets, data set × algorithm, replications and residuals; None if one would be negative."""
    inner = within_variances(strata, estimation, fixed_cells=False)
    if inner is None:
        return None
    s, d = inner
    m, b, k = strata.m, strata.b, strata.k
    units = m - 1 if estimation == "REML" else m
    second = strata.interaction / (units * (k - 1))
    interaction = (second - d) / b
    dataset = (strata.dataset / units - second - k * s) / (b * k)
    return None if min(interaction, dataset) < 0 else (dataset, interaction, s, d)


def unstructured_variances(
    statistics: SizeGroups, strata: Strata, estimation: Estimation
) -> tuple[FloatArray, float, float] | None:
    """Covariance G of the data set effects, and variances of replications and residuals; None if G is indefinite.

    The cell means of data sets have covariance G + (s J + d I) / B, which their sample covariance estimates.
    """
    inner = within_variances(strata, estimation, fixed_cells=False)
    if inner is None:
        return None
    s, d = inner
    deviation = statistics.centre - statistics.centre.mean(axis=0)
    units = strata.m - 1 if estimation == "REML" else strata.m
    sample = deviation.T @ deviation / units
    G = sample - (s + d * np.eye(strata.k)) / strata.b
    smallest = np.linalg.eigvalsh(G)[0]
    return None if smallest < 0 else (G, s, d)
