"""Sufficient statistics of the rows of a design.

A row is one replication of one data set: the observed values y_k of some algorithms S. Given the effects of data set
and algorithm, its covariance is V₀ = s·11' + diag(d), where s is the variance of the replication and d that of the
residuals. A model never needs V₀ itself, only four quantities per data set (Z is the incidence of algorithms):

    A = Z'V₀⁻¹Z,   b = Z'V₀⁻¹y,   q = y'V₀⁻¹y,   log|V₀|.

With weights w = 1/d, their sum w₊ over the row, shares p = w / w₊ and the weighted mean ȳ = p'y of the row,

    V₀⁻¹ = (diag(w) - w w' / w₊) + τ p p',   τ = w₊ / (1 + s w₊):

the first part sees deviations from ȳ only, the second ȳ only. Both are added up separately, and all y are deviations
from a centre of their cell (data set and algorithm): nothing cancels, even where some d is almost zero.

Where all residual variances in a row are equal, τ depends only on the number of observed algorithms, and sums over all
rows with the same number suffice: the cost of one evaluation does not depend on the number of replications.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from podium.arrays import BoolArray, FloatArray, IntArray


class Moments(NamedTuple):
    """A, b, q and log|V₀| of each data set; b and q of the deviations from these centres."""

    centre: FloatArray
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
    def centre(self) -> FloatArray:
        """What the values of each cell are deviations from: about their mean; 0 where the cell is empty."""

    @property
    def residual_parameters(self) -> int:
        """Number of residual variances."""

    def moments(self, s: float, d: FloatArray) -> Moments:
        """Centres, A, b, q and log|V₀| at these variances."""

    def slopes(
        self, s: float, d: FloatArray, spread: FloatArray, seen: FloatArray, offset: FloatArray
    ) -> tuple[float, FloatArray]:
        """Derivatives by s and by d of Σ tr(A·spread) + (y - Z·offset)'V₀⁻¹(y - Z·offset) + log|V₀|.

        `offset` is the fitted cell means minus the centres; `spread` has a K × K matrix for each data set, and `seen`
        the trace of A·spread.
        """

    def without_values(self) -> SufficientStatistics:
        """Return the same design with all values set to zero."""


def cell_statistics(values: FloatArray) -> tuple[BoolArray, FloatArray, FloatArray, FloatArray]:
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


def _centred(deviation: FloatArray, observed: BoolArray) -> FloatArray:
    """Deviations from the means of their rows, 0 where missing."""
    mean = deviation.sum(axis=2) / np.maximum(observed.sum(axis=2), 1)
    return np.where(observed, deviation - mean[:, :, None], 0.0)


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
    inner : ndarray of shape (M, K, K)
        How often an algorithm was observed, on the diagonal, minus its shares of all rows.
    inner_weighted : ndarray of shape (M, K)
        Sum of the deviations of algorithm k from the means of its rows.
    inner_squares : ndarray of shape (M,)
        Sum of squares of all deviations from the means of their rows.
    total : ndarray of shape (M,)
        Sum of squares of all deviations from the cell means.
    """

    cell_n: FloatArray
    centre: FloatArray
    dataset: IntArray
    size: FloatArray
    rows: FloatArray
    together: FloatArray
    weighted: FloatArray
    squares: FloatArray
    inner: FloatArray
    inner_weighted: FloatArray
    inner_squares: FloatArray
    total: FloatArray
    starts: IntArray
    per_dataset: bool

    @classmethod
    def of(cls, values: FloatArray, *, per_dataset: bool) -> SizeGroups:
        """Reduce an M × B × K array; every data set must have a value."""
        observed, deviation, count, centre = cell_statistics(values)
        k = values.shape[2]
        size = observed.sum(axis=2)
        total = np.einsum("mbk,mbk->m", deviation, deviation)
        m, b = np.nonzero(size)
        order = np.argsort(m * (k + 1) + size[m, b], kind="stable")
        m, b = m[order], b[order]
        key = m * (k + 1) + size[m, b]
        first = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
        ends = np.r_[first[1:], len(key)]
        together = np.empty((len(first), k, k))
        for g, (start, end) in enumerate(zip(first, ends, strict=True)):
            mask = observed[m[start:end], b[start:end]].astype(np.float64)
            together[g] = mask.T @ mask
        dataset = m[first]
        starts = np.flatnonzero(np.r_[True, dataset[1:] != dataset[:-1]])
        inner = -np.add.reduceat(together / size[m[first], b[first]][:, None, None], starts, axis=0)
        _complete_diagonal(inner)
        if not (size[m, b] == k).all():
            # Least squares within rows: where rows are incomplete, cell means also differ by the rows they are from.
            shift = np.einsum(
                "mkl,ml->mk", np.linalg.pinv(inner, 1e-9, hermitian=True), _centred(deviation, observed).sum(axis=1)
            )
            centre = centre + shift
            deviation = np.where(observed, deviation - shift[:, None, :], 0.0)
        row_sum, centred = deviation.sum(axis=2), _centred(deviation, observed)
        weighted = np.zeros((len(first), k))
        for g, (start, end) in enumerate(zip(first, ends, strict=True)):
            sums = row_sum[m[start:end], b[start:end]]
            weighted[g] = observed[m[start:end], b[start:end]].T @ sums
        return cls(
            cell_n=count,
            centre=centre,
            dataset=dataset,
            size=size[m[first], b[first]].astype(np.float64),
            rows=(ends - first).astype(np.float64),
            together=together,
            weighted=weighted,
            squares=np.add.reduceat(row_sum[m, b] ** 2, first),
            inner=inner,
            inner_weighted=centred.sum(axis=1),
            inner_squares=np.einsum("mbk,mbk->m", centred, centred),
            total=total,
            starts=starts,
            per_dataset=per_dataset,
        )

    @property
    def residual_parameters(self) -> int:
        """One for all, or one per data set."""
        return len(self.cell_n) if self.per_dataset else 1

    def moments(self, s: float, d: FloatArray) -> Moments:
        """A, b, q and log|V₀| at these variances."""
        d = self._by_dataset(d)
        dg = d[self.dataset]
        row = dg + self.size * s
        share = 1 / (self.size * row)
        A = self.inner / d[:, None, None] + self._sum(share[:, None, None] * self.together)
        b = self.inner_weighted / d[:, None] + self._sum(share[:, None] * self.weighted)
        q = self.inner_squares / d + self._sum(share * self.squares)
        logdet = self._sum(self.rows * ((self.size - 1) * np.log(dg) + np.log(row)))
        return Moments(self.centre, A, b, q, logdet)

    def slopes(
        self, s: float, d: FloatArray, spread: FloatArray, seen: FloatArray, offset: FloatArray
    ) -> tuple[float, FloatArray]:
        """Derivatives by s and by d; see `SufficientStatistics.slopes`."""
        d = self._by_dataset(d)
        dg = d[self.dataset]
        row = dg + self.size * s
        spread_rows = np.einsum("gkl,gkl->g", spread[self.dataset], self.together)
        shift = offset[self.dataset]
        offset_rows = (
            np.einsum("gk,gkl,gl->g", shift, self.together, shift)
            - 2 * np.einsum("gk,gk->g", shift, self.weighted)
            + self.squares
        )
        offset_inner = (
            np.einsum("mk,mkl,ml->m", offset, self.inner, offset)
            - 2 * np.einsum("mk,mk->m", offset, self.inner_weighted)
            + self.inner_squares
        )
        within_rows = spread_rows + offset_rows
        spread_inner = seen - self._sum(spread_rows / (self.size * row))  # tr(inner·spread) / d
        by_s = float((-within_rows / row**2 + self.rows * self.size / row).sum())
        by_row = -within_rows / (self.size * row**2) + self.rows * ((self.size - 1) / dg + 1 / row)
        by_d = -offset_inner / d**2 - spread_inner / d + self._sum(by_row)
        return by_s, by_d if self.per_dataset else np.array([by_d.sum()])

    def without_values(self) -> SizeGroups:
        """Return the same design with all values set to zero."""
        return replace(
            self,
            weighted=np.zeros_like(self.weighted),
            squares=np.zeros_like(self.squares),
            inner_weighted=np.zeros_like(self.inner_weighted),
            inner_squares=np.zeros_like(self.inner_squares),
            total=np.zeros_like(self.total),
        )

    def _by_dataset(self, d: FloatArray) -> FloatArray:
        """Residual variance of each data set."""
        return d if self.per_dataset else np.full(len(self.cell_n), d[0])

    def _sum(self, by_group: FloatArray) -> FloatArray:
        """Sum over the groups of each data set."""
        return np.asarray(np.add.reduceat(by_group, self.starts, axis=0))


@dataclass(frozen=True, eq=False, repr=False)
class AllRows:
    """All rows, for one residual variance per algorithm."""

    cell_n: FloatArray
    centre: FloatArray
    mask: FloatArray
    deviation: FloatArray

    @classmethod
    def of(cls, values: FloatArray) -> AllRows:
        """Take an M × B × K array."""
        observed, deviation, count, mean = cell_statistics(values)
        return cls(cell_n=count, centre=mean, mask=observed.astype(np.float64), deviation=deviation)

    @property
    def residual_parameters(self) -> int:
        """One per algorithm."""
        return int(self.cell_n.shape[1])

    def moments(self, s: float, d: FloatArray) -> Moments:
        """A, b, q and log|V₀| at these variances."""
        weight, share, tau = self._weights(s, d)
        A = -np.swapaxes(share, 1, 2) @ weight
        _complete_diagonal(A)
        A += np.swapaxes(share * tau[:, :, None], 1, 2) @ share
        logdet = self.cell_n @ np.log(d) + np.log1p(s * weight.sum(axis=2)).sum(axis=1)
        # The centres are moved to where b is zero: with some d almost zero, b and q would be large and cancel.
        empty = np.eye(len(d)) * (self.cell_n == 0)[:, :, None]
        mean = (share * self.deviation).sum(axis=2)
        left = self.mask * (self.deviation - mean[:, :, None])
        b = (weight * left + share * (tau * mean)[:, :, None]).sum(axis=1)
        shift = np.linalg.solve(A + empty, b[:, :, None])[:, :, 0]
        deviation = self.deviation - self.mask * shift[:, None, :]
        mean = (share * deviation).sum(axis=2)
        left = self.mask * (deviation - mean[:, :, None])
        b = (weight * left + share * (tau * mean)[:, :, None]).sum(axis=1)
        q = (weight * left**2).sum(axis=(1, 2)) + (tau * mean**2).sum(axis=1)
        return Moments(self.centre + shift, A, b, q, logdet)

    def slopes(
        self, s: float, d: FloatArray, spread: FloatArray, seen: FloatArray, offset: FloatArray
    ) -> tuple[float, FloatArray]:
        """Derivatives by s and by d; see `SufficientStatistics.slopes`."""
        weight, share, tau = self._weights(s, d)
        residual = self.deviation - self.mask * offset[:, None, :]
        mean = (share * residual).sum(axis=2)
        along = share @ spread
        size = (along * share).sum(axis=2)
        by_s = float((tau - tau**2 * (mean**2 + size)).sum())
        pull = share * tau[:, :, None]  # V₀⁻¹1
        left = residual - mean[:, :, None]
        variance = np.einsum("mkk->mk", spread)[:, None, :] - 2 * along + size[:, :, None]
        covariance = along - size[:, :, None]
        square = (weight * left + pull * mean[:, :, None]) ** 2
        square += weight**2 * variance + 2 * weight * pull * covariance + pull**2 * size[:, :, None]
        return by_s, (weight * (1 - share) + share * pull - square).sum(axis=(0, 1))

    def _weights(self, s: float, d: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """w, p and τ of each row."""
        weight = self.mask / d
        load = weight.sum(axis=2)
        return weight, weight / np.where(load > 0, load, 1.0)[:, :, None], load / (1 + s * load)

    def without_values(self) -> AllRows:
        """Return the same design with all values set to zero."""
        return replace(self, deviation=np.zeros_like(self.deviation))


def _complete_diagonal(matrices: FloatArray) -> None:
    """Set the diagonal so that the rows add up to zero, without cancellation."""
    diagonal = np.arange(matrices.shape[1])
    matrices[:, diagonal, diagonal] = 0.0
    matrices[:, diagonal, diagonal] = -matrices.sum(axis=2)
