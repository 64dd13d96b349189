"""Complete designs: variance components from mean squares.

The strata of a complete design (M data sets × B replications × K algorithms) have the mean squares and expectations

    data set              λ₁ = σ² + K σ₃² + B σ₂² + B K σ₁²      M - 1
    data set × algorithm  λ₂ = σ² + B σ₂²                        (M - 1)(K - 1)
    replication           λ₃ = σ² + K σ₃²                        M (B - 1)
    residual              λ₄ = σ²                                M (B - 1)(K - 1)

and their likelihoods separate, so the REML estimates are these equations solved, as long as no variance gets negative.
For ML fixed effects do not count against the degrees of freedom of their stratum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.analysis.mixed.likelihood import Method
from podium.analysis.mixed.within import SizeGroups
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
    def exact(self) -> bool:
        """Whether the algorithms differ by the same amounts in all rows of a data set, up to rounding."""
        total = self.dataset + self.algorithm + self.interaction + self.replication + self.residual
        return self.residual <= 1e-24 * total


def strata_of(within: SizeGroups) -> Strata:
    """Sums of squares of a complete design."""
    m, k = within.cell_mean.shape
    b = int(within.rows[0])
    cell = within.cell_mean
    by_dataset, by_algorithm, overall = cell.mean(axis=1), cell.mean(axis=0), cell.mean()
    interaction = cell - by_dataset[:, None] - by_algorithm + overall
    rows = float(within.squares.sum()) / k
    return Strata(
        dataset=float(b * k * ((by_dataset - overall) ** 2).sum()),
        algorithm=float(b * m * ((by_algorithm - overall) ** 2).sum()),
        interaction=float(b * (interaction**2).sum()),
        replication=rows,
        residual=max(float(within.total.sum()) - rows, 0.0),
        m=m,
        b=b,
        k=k,
    )


def within_variances(strata: Strata, method: Method, *, fixed_cells: bool) -> tuple[float, float] | None:
    """Variances of replications and residuals; None if the first would be negative.

    `fixed_cells` tells that the cell means are fixed effects, as they are with one data set and in the survey model.
    """
    rows = strata.m * (strata.b if fixed_cells and method == "ML" else strata.b - 1)
    if rows == 0:
        return None
    residual = strata.residual / (rows * (strata.k - 1))
    replication = (strata.replication / rows - residual) / strata.k
    return None if replication < 0 else (replication, residual)


def scalar_variances(strata: Strata, method: Method) -> tuple[float, float, float, float] | None:
    """Variances of data sets, data set × algorithm, replications and residuals; None if one would be negative."""
    inner = within_variances(strata, method, fixed_cells=False)
    if inner is None:
        return None
    s, d = inner
    m, b, k = strata.m, strata.b, strata.k
    units = m - 1 if method == "REML" else m
    second = strata.interaction / (units * (k - 1))
    interaction = (second - d) / b
    dataset = (strata.dataset / units - second - k * s) / (b * k)
    return None if min(interaction, dataset) < 0 else (dataset, interaction, s, d)


def unstructured_variances(
    within: SizeGroups, strata: Strata, method: Method
) -> tuple[FloatArray, float, float] | None:
    """Covariance G of the data set effects, and variances of replications and residuals; None if G is not one.

    The cell means of data sets have covariance G + (s J + d I) / B, which their sample covariance estimates.
    """
    inner = within_variances(strata, method, fixed_cells=False)
    if inner is None:
        return None
    s, d = inner
    deviation = within.cell_mean - within.cell_mean.mean(axis=0)
    units = strata.m - 1 if method == "REML" else strata.m
    sample = deviation.T @ deviation / units
    G = sample - (s + d * np.eye(strata.k)) / strata.b
    smallest = np.linalg.eigvalsh(G)[0]
    return None if smallest < 0 else (G, s, d)
