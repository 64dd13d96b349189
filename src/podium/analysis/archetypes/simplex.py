"""Least squares on the simplex: coefficients that are not negative and sum to one, for many rows at once.

The active set method of Lawson and Hanson (1974), with the sum as a constraint instead of a penalty. Rows with the same
support share one small linear system, so that the work is done on whole arrays.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from podium.arrays import BoolArray, FloatArray, IntArray

_FLAT = 1e-12  # what is added to the diagonal, relative to it: points that coincide leave the system solvable
_DUAL = 1e-10  # a gradient below this, relative to its parts, is zero
_ALL_SUPPORTS = 4  # points up to which the systems of all supports are solved in advance
_GATHERED = 2**18  # numbers up to which each row has a matrix of its own in memory
_SHARED = 8  # rows per support from which on it pays to go from support to support


def simplex_least_squares(points: FloatArray, targets: FloatArray, start: FloatArray | None = None) -> FloatArray:
    """Minimise ``‖targets − A points‖`` over A with rows on the simplex.

    Parameters
    ----------
    points : ndarray of shape (k, m)
    targets : ndarray of shape (n, m)
    start : ndarray of shape (n, k), optional
        Coefficients on the simplex from which each row descends; the nearest points by default.

    Returns
    -------
    ndarray of shape (n, k)
        No row has a greater sum of squares than that of `start`.
    """
    gram = points @ points.T
    cross = targets @ points.T
    if len(points) == 1:
        return np.ones((len(targets), 1))
    return solve_rows(gram, cross, nearest(gram, cross) if start is None else start)


def nearest(gram: FloatArray, cross: FloatArray) -> FloatArray:
    """Coefficients that choose the nearest point of each row."""
    found = np.argmin(np.diag(gram) - 2 * cross, axis=1)
    chosen = np.zeros_like(cross)
    chosen[np.arange(len(cross)), found] = 1.0
    return chosen


def solve_rows(gram: FloatArray, cross: FloatArray, start: FloatArray) -> FloatArray:
    """Minimise ``aᵀ gram a / 2 − aᵀ c`` on the simplex for every row c of `cross`, from coefficients on it."""
    n, k = cross.shape
    scale = float(gram.diagonal().sum()) / k or 1.0
    lifted = gram + scale  # adds a constant on the simplex, and makes the system regular
    lifted.flat[:: k + 1] += _FLAT * scale
    systems = _Systems(lifted)
    slack = _DUAL * (scale + max(float(cross.max(initial=0.0)), -float(cross.min(initial=0.0))))
    solved, support = start, start > 0
    rows: IntArray | None = None  # all of them
    a, c, mask = solved, cross, support
    for _ in range(10 * k + 10):
        best = systems.solve(c, mask)
        outside = best < 0
        blocked = np.unique(np.flatnonzero(outside) // k)  # rows with a coefficient below zero
        if len(blocked):
            best[blocked], mask[blocked] = _towards(a[blocked], best[blocked], outside[blocked])
        gradient = best @ gram
        gradient -= c
        gradient -= np.einsum("ij,ij->i", best, gradient)[:, None]
        gradient[mask] = 0.0
        gradient[blocked] = 0.0
        falling = np.unique(np.flatnonzero(gradient < -slack) // k)
        mask[falling, gradient[falling].argmin(axis=1)] = True
        open_rows = np.union1d(falling, blocked) if len(blocked) else falling
        if rows is None:
            solved, support, rows = best, mask, np.arange(n)
        else:
            solved[rows] = best
        if not len(open_rows):
            break
        rows, a, c, mask = rows[open_rows], best[open_rows], c[open_rows], mask[open_rows]
    solved /= (solved @ np.ones(k))[:, None]
    return solved


def _towards(a: FloatArray, best: FloatArray, outside: BoolArray) -> tuple[FloatArray, BoolArray]:
    """Go from coefficients on the simplex towards others until the first is zero."""
    step = np.full_like(a, np.inf)
    step[outside] = a[outside] / (a[outside] - best[outside])
    first = step.argmin(axis=1)
    every = np.arange(len(a))
    length = np.minimum(step[every, first], 1.0)[:, None]
    moved = a + length * (best - a)
    moved[step <= length] = 0.0
    np.maximum(moved, 0.0, out=moved)
    return moved, moved > 0


def _cells(masks: BoolArray) -> tuple[BoolArray, FloatArray]:
    """Which cells of the matrix belong to each support, and what stands in the others: a one on the diagonal."""
    k = masks.shape[1]
    outer = np.zeros((len(masks), k, k))
    outer[:, np.arange(k), np.arange(k)] = ~masks
    return masks[:, :, None] & masks[:, None, :], outer


@cache
def _every_support(k: int) -> tuple[BoolArray, FloatArray]:
    return _cells((np.arange(2**k)[:, None] >> np.arange(k)) % 2 == 1)


class _Systems:
    """Solutions on each support, with the sum of the coefficients one; signs are free."""

    def __init__(self, gram: FloatArray) -> None:
        self.gram = gram
        self.k = len(gram)
        self.bits = 1 << np.arange(self.k, dtype=np.int64)
        self.known = self.k <= _ALL_SUPPORTS
        if self.known:
            self.operator, self.share = self._operators(*_every_support(self.k))

    def _operators(self, inner: BoolArray, outer: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Matrix and vector by which a row becomes its solution, for each support."""
        inverse = np.where(inner, np.linalg.inv(np.where(inner, self.gram, outer)), 0.0)
        ones = inverse.sum(axis=2)
        total = ones.sum(axis=1, keepdims=True)
        share = ones / np.where(total > 0, total, 1.0)
        return inverse - share[:, :, None] * ones[:, None, :], share

    def solve(self, cross: FloatArray, support: BoolArray) -> FloatArray:
        code = support @ self.bits
        operator, share, group = (self.operator, self.share, code) if self.known else (None, None, code)
        if operator is None or share is None:
            present, group = np.unique(code, return_inverse=True)
            operator, share = self._operators(*_cells((present[:, None] & self.bits) != 0))
        if self.known and len(cross) * len(operator) * self.k <= _GATHERED:  # all supports at once
            every = cross @ operator.transpose(1, 0, 2).reshape(self.k, -1)
            every += share.ravel()
            return np.asarray(every.reshape(len(cross), -1, self.k)[np.arange(len(cross)), group])
        size = max(_GATHERED // self.k**2, 1)
        solved = np.empty_like(cross)
        if len(cross) <= size or len(cross) < _SHARED * len(operator):  # a matrix for each row, some rows at a time
            for i in range(0, len(cross), size):
                part = group[i : i + size]
                solved[i : i + size] = np.matmul(cross[i : i + size, None, :], operator[part])[:, 0] + share[part]
            return solved
        order = np.argsort(group, kind="stable")
        ends = np.searchsorted(group[order], np.arange(len(operator) + 1))
        for g in np.flatnonzero(np.diff(ends)):
            rows = order[ends[g] : ends[g + 1]]
            solved[rows] = cross[rows] @ operator[g] + share[g]
        return solved
