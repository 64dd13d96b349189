"""Sufficient statistics of the rows of a design.

A row is one replication of one data set: the observed values y_k of some algorithms S. Given the effects of data set
and algorithm, its covariance is V₀ = s·11' + diag(d), where s is the variance of the replication and d that of the
residuals. A model never needs V₀ itself, only four quantities per data set (Z is the incidence of algorithms):

    A = Z'V₀⁻¹Z,   b = Z'V₀⁻¹y,   q = y'V₀⁻¹y,   log|V₀|.

By Woodbury's formula V₀⁻¹ = W - γ w w', W = diag(w) = diag(1/d), γ = s / (1 + s Σ_S w). Where all residual variances
in a row are equal, γ depends only on the number of observed algorithms, and sums over all rows with the same number
suffice: the cost of one evaluation does not depend on the number of replications.

To avoid cancellation, all y are deviations from the mean of their cell (data set and algorithm).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from podium.arrays import FloatArray, IntArray


class Moments(NamedTuple):
    """A, b, q and log|V₀| of each data set; b and q of the deviations from the cell means."""

    A: FloatArray
    b: FloatArray
    q: FloatArray
    logdet: FloatArray


class SufficientStatistics(Protocol):
    """The rows of a design, reduced for one structure of the residual variances."""

    @property
    def cell_n(self) -> FloatArray:
        """Number of values in each cell, data sets × algorithms."""

    @property
    def cell_mean(self) -> FloatArray:
        """Mean of each cell, 0 where it is empty."""

    @property
    def residual_parameters(self) -> int:
        """Number of residual variances."""

    def moments(self, s: float, d: FloatArray) -> Moments:
        """A, b, q and log|V₀| at these variances."""

    def slopes(self, s: float, d: FloatArray, spread: FloatArray, offset: FloatArray) -> tuple[float, FloatArray]:
        """Derivatives by s and by d of Σ tr(A·spread) + (y - Z·offset)'V₀⁻¹(y - Z·offset) + log|V₀|.

        `offset` is the fitted minus the observed cell means; `spread` has a K × K matrix for each data set.
        """

    def without_values(self) -> SufficientStatistics:
        """Return the same design with all values set to zero."""


def cell_statistics(values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Mask, deviations from cell means (0 where missing), cell counts and cell means of an M × B × K array."""
    observed = ~np.isnan(values)
    count = observed.sum(axis=1).astype(np.float64)
    total = np.where(observed, values, 0.0).sum(axis=1)
    mean = total / np.maximum(count, 1)
    deviation = np.where(observed, values - mean[:, None, :], 0.0)
    # A second pass removes what rounding has left.
    left = deviation.sum(axis=1) / np.maximum(count, 1)
    mean = mean + left
    deviation = np.where(observed, deviation - left[:, None, :], 0.0)
    return observed, deviation, count, mean


@dataclass(frozen=True, eq=False, repr=False)
class SizeGroups:
    """Sums over all rows of a data set that have the same number of observed algorithms.

    Serves one residual variance for all, or one per data set.

    Attributes
    ----------
    dataset, size, rows : ndarray of shape (groups,)
        Data set, number of observed algorithms and number of rows of each group; ordered by data set.
    together : ndarray of shape (groups, K, K)
        How often two algorithms were observed in the same row.
    weighted : ndarray of shape (groups, K)
        Sum over the rows with algorithm k of the row sums.
    squares : ndarray of shape (groups,)
        Sum of the squared row sums.
    total : ndarray of shape (M,)
        Sum of squares of all deviations.
    """

    cell_n: FloatArray
    cell_mean: FloatArray
    dataset: IntArray
    size: FloatArray
    rows: FloatArray
    together: FloatArray
    weighted: FloatArray
    squares: FloatArray
    total: FloatArray
    starts: IntArray
    per_dataset: bool

    @classmethod
    def of(cls, values: FloatArray, *, per_dataset: bool) -> SizeGroups:
        """Reduce an M × B × K array; every data set must have a value."""
        observed, deviation, count, mean = cell_statistics(values)
        k = values.shape[2]
        size = observed.sum(axis=2)
        row_sum = deviation.sum(axis=2)
        m, b = np.nonzero(size)
        order = np.argsort(m * (k + 1) + size[m, b], kind="stable")
        m, b = m[order], b[order]
        key = m * (k + 1) + size[m, b]
        first = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
        ends = np.r_[first[1:], len(key)]
        together = np.empty((len(first), k, k))
        weighted = np.zeros((len(first), k))
        for g, (start, end) in enumerate(zip(first, ends, strict=True)):
            sums = row_sum[m[start:end], b[start:end]]
            if size[m[start], b[start]] == k:
                together[g] = end - start
                weighted[g] = sums.sum()
            else:
                mask = observed[m[start:end], b[start:end]].astype(np.float64)
                together[g] = mask.T @ mask
                weighted[g] = mask.T @ sums
        dataset = m[first]
        return cls(
            cell_n=count,
            cell_mean=mean,
            dataset=dataset,
            size=size[m[first], b[first]].astype(np.float64),
            rows=(ends - first).astype(np.float64),
            together=together,
            weighted=weighted,
            squares=np.add.reduceat(row_sum[m, b] ** 2, first),
            total=np.einsum("mbk,mbk->m", deviation, deviation),
            starts=np.flatnonzero(np.r_[True, dataset[1:] != dataset[:-1]]),
            per_dataset=per_dataset,
        )

    @property
    def residual_parameters(self) -> int:
        """One for all, or one per data set."""
        return len(self.cell_n) if self.per_dataset else 1

    def moments(self, s: float, d: FloatArray) -> Moments:
        """A, b, q and log|V₀| at these variances."""
        d = np.broadcast_to(d, len(self.cell_n))
        dg = d[self.dataset]
        row = dg + self.size * s
        shrink = s / (dg * row)
        A = -self._sum(shrink[:, None, None] * self.together)
        diagonal = np.arange(A.shape[1])
        A[:, diagonal, diagonal] += self.cell_n / d[:, None]
        b = -self._sum(shrink[:, None] * self.weighted)
        q = self.total / d - self._sum(shrink * self.squares)
        logdet = self._sum(self.rows * ((self.size - 1) * np.log(dg) + np.log(row)))
        return Moments(A, b, q, logdet)

    def slopes(self, s: float, d: FloatArray, spread: FloatArray, offset: FloatArray) -> tuple[float, FloatArray]:
        """Derivatives by s and by d; see `SufficientStatistics.slopes`."""
        d = np.broadcast_to(d, len(self.cell_n))
        dg = d[self.dataset]
        row = dg + self.size * s
        second = spread + offset[:, :, None] * offset[:, None, :]
        within_rows = (
            np.einsum("gkl,gkl->g", second[self.dataset], self.together)
            - 2 * np.einsum("gk,gk->g", offset[self.dataset], self.weighted)
            + self.squares
        )
        overall = np.einsum("mk,mkk->m", self.cell_n, second) + self.total
        by_s = float((-within_rows / row**2 + self.rows * self.size / row).sum())
        shrink_by_d = -s * (dg + row) / (dg * row) ** 2
        by_d = -overall / d**2 + self._sum(-shrink_by_d * within_rows + self.rows * ((self.size - 1) / dg + 1 / row))
        return by_s, by_d if self.per_dataset else np.array([by_d.sum()])

    def without_values(self) -> SizeGroups:
        """Return the same design with all values set to zero."""
        return replace(
            self,
            weighted=np.zeros_like(self.weighted),
            squares=np.zeros_like(self.squares),
            total=np.zeros_like(self.total),
        )

    def _sum(self, by_group: FloatArray) -> FloatArray:
        """Sum over the groups of each data set."""
        return np.asarray(np.add.reduceat(by_group, self.starts, axis=0))


@dataclass(frozen=True, eq=False, repr=False)
class Rows:
    """All rows, for one residual variance per algorithm."""

    cell_n: FloatArray
    cell_mean: FloatArray
    mask: FloatArray
    deviation: FloatArray

    @classmethod
    def of(cls, values: FloatArray) -> Rows:
        """Take an M × B × K array."""
        observed, deviation, count, mean = cell_statistics(values)
        return cls(cell_n=count, cell_mean=mean, mask=observed.astype(np.float64), deviation=deviation)

    @property
    def residual_parameters(self) -> int:
        """One per algorithm."""
        return int(self.cell_n.shape[1])

    def moments(self, s: float, d: FloatArray) -> Moments:
        """A, b, q and log|V₀| at these variances."""
        w = 1 / d
        weight = self.mask * w
        growth = 1 + s * weight.sum(axis=2)
        shrink = s / growth
        z = self.deviation @ w
        A = -np.swapaxes(weight * shrink[:, :, None], 1, 2) @ weight
        diagonal = np.arange(len(d))
        A[:, diagonal, diagonal] += self.cell_n * w
        b = -((shrink * z)[:, None, :] @ weight)[:, 0, :]
        q = (self.deviation**2).sum(axis=1) @ w - (shrink * z**2).sum(axis=1)
        logdet = self.cell_n @ np.log(d) + np.log(growth).sum(axis=1)
        return Moments(A, b, q, logdet)

    def slopes(self, s: float, d: FloatArray, spread: FloatArray, offset: FloatArray) -> tuple[float, FloatArray]:
        """Derivatives by s and by d; see `SufficientStatistics.slopes`."""
        w = 1 / d
        weight = self.mask * w
        load = weight.sum(axis=2)
        growth = 1 + s * load
        shrink = s / growth
        residual = self.deviation - self.mask * offset[:, None, :]
        z = residual @ w
        along = weight @ spread
        size = z**2 + np.einsum("mbk,mbk->mb", along, weight)
        by_s = float((-size / growth**2 + load / growth).sum())
        own = residual**2 - 2 * shrink[:, :, None] * (z[:, :, None] * residual + along)
        own += (shrink**2 * size + shrink)[:, :, None]
        diagonal = np.einsum("mk,mkk->k", self.cell_n, spread)
        by_w = (own * self.mask).sum(axis=(0, 1)) + diagonal - self.cell_n.sum(axis=0) * d
        return by_s, -by_w * w**2

    def without_values(self) -> Rows:
        """Return the same design with all values set to zero."""
        return replace(self, deviation=np.zeros_like(self.deviation))
