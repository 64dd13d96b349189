"""The nearest point in the convex hull of observations.

Wolfe's method: a point of the hull is kept as a convex combination of a few observations. The observation that lies
furthest in the direction of the target joins them; those that are not needed leave.

References
----------
P. Wolfe (1976). Finding the nearest point in a polytope. Mathematical Programming 11, 128–149.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dposv

from podium.arrays import FloatArray, IntArray

_TOUCHES = 1e-10  # an observation this little further than the point, relative to the spread, does not join
_FLAT = 1e-12  # what is added to the diagonal, relative to it: observations that coincide leave it solvable


@dataclass(frozen=True, eq=False)
class HullPoint:
    """A point as a convex combination of observations.

    Attributes
    ----------
    rows : ndarray of int
        The observations.
    shares : ndarray of float
        Positive, and with sum one.
    point : ndarray of float
    """

    rows: IntArray
    shares: FloatArray
    point: FloatArray


def vertex(data: FloatArray, row: int) -> HullPoint:
    """One observation as a point of the hull."""
    return HullPoint(np.array([row]), np.ones(1), data[row].copy())


def project(data: FloatArray, target: FloatArray, start: HullPoint, most: int = 50) -> HullPoint:
    """Find the point of the hull nearest to `target`, from a point of the hull; never further away than that one."""
    rows, shares = list(start.rows), start.shares
    chosen = data[rows]
    if len(rows) > 1:
        rows, shares, chosen = _settle(rows, shares, chosen, target)
    for _ in range(most):
        point = shares @ chosen
        direction = target - point
        ahead = data @ direction
        row = int(ahead.argmax())
        gain = ahead[row] - point @ direction
        if gain <= _TOUCHES * (abs(ahead[row]) + direction @ direction) + 1e-300 or row in rows:
            break
        rows, shares, chosen = _settle(
            [*rows, row], np.append(shares, 0.0), np.concatenate([chosen, data[row : row + 1]]), target
        )
    return HullPoint(np.array(rows), shares, shares @ chosen)


def _settle(
    rows: list[int], shares: FloatArray, chosen: FloatArray, target: FloatArray
) -> tuple[list[int], FloatArray, FloatArray]:
    """Minimise over the combinations of the chosen observations; those with share zero leave."""
    while True:
        best = _affine(chosen - target)
        if best.min() > 0:
            return rows, best, chosen
        falling = best <= 0
        steps = np.full(len(best), np.inf)
        steps[falling] = shares[falling] / np.maximum(shares[falling] - best[falling], 1e-300)
        first = int(steps.argmin())
        shares = shares + min(float(steps[first]), 1.0) * (best - shares)
        shares[first] = 0.0
        stay = shares > 0
        if not stay.any():
            stay[int(best.argmax())] = True
            shares[stay] = 1.0
        rows = [row for row, kept in zip(rows, stay.tolist(), strict=True) if kept]
        shares, chosen = shares[stay] / shares[stay].sum(), chosen[stay]
        if len(rows) == 1:
            return rows, np.ones(1), chosen


def _affine(offsets: FloatArray) -> FloatArray:
    """Shares with sum one, of any sign, whose combination of the offsets is shortest."""
    p = len(offsets)
    if p == 1:
        return np.ones(1)
    gram = offsets @ offsets.T
    scale = float(gram.diagonal().sum()) / p or 1.0
    gram += scale
    gram.flat[:: p + 1] += _FLAT * scale
    _, solved, failed = dposv(gram, np.ones(p))
    if failed:
        solved = np.linalg.lstsq(gram, np.ones(p), rcond=None)[0]
    return np.asarray(solved / solved.sum())
