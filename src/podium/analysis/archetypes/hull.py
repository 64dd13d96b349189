"""The nearest point in the convex hull of observations.

Wolfe's method: a point of the hull is kept as a convex combination of a few observations. The observation that lies
furthest in the direction of the target joins them; those that are not needed leave.

References
----------
P. Wolfe (1976). Finding the nearest point in a polytope. Mathematical Programming 11, 128–149.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.linalg.lapack import dposv

from podium.arrays import BoolArray, FloatArray, IntArray

_TOUCHES = 1e-10  # an observation further than the point by less than this, relative to the spread, does not join
_FLAT = 1e-12  # what is added to the diagonal, relative to it: observations that coincide leave it solvable


@dataclass(frozen=True, eq=False, slots=True)
class HullPoint:
    """A point as a convex combination of observations.

    Attributes
    ----------
    rows : ndarray of int
        The observations.
    shares : ndarray of float
        Positive, and with sum one.
    members : ndarray of shape (len(rows), m)
        The values of these observations.
    point : ndarray of float
    """

    rows: IntArray
    shares: FloatArray
    members: FloatArray
    point: FloatArray


def vertex(data: FloatArray, row: int) -> HullPoint:
    """One observation as a point of the hull."""
    return HullPoint(np.array([row]), np.ones(1), data[row : row + 1], data[row].copy())


def project(
    data: FloatArray, target: FloatArray, start: HullPoint, most: int = 50, allowed: BoolArray | None = None
) -> HullPoint:
    """Find the point of the hull nearest to `target`, from a point of the hull; never further away than that one.

    At most `most` observations join; with `allowed`, only the allowed ones.
    """
    held = start if len(start.shares) == 1 else _settle(start.rows, start.shares, start.members, target)
    for _ in range(most):
        direction = target - held.point
        ahead = data @ direction
        if allowed is not None:
            ahead[~allowed] = -np.inf
        row = int(ahead.argmax())
        furthest = float(ahead[row])
        gain = furthest - float(held.point @ direction)
        if gain <= _TOUCHES * (abs(furthest) + float(direction @ direction)) + 1e-300 or row in held.rows.tolist():
            break
        held = _settle(
            np.concatenate([held.rows, [row]]),
            np.concatenate([held.shares, [0.0]]),
            np.concatenate([held.members, data[row : row + 1]]),
            target,
        )
    return held


def _settle(rows: IntArray, shares: FloatArray, members: FloatArray, target: FloatArray) -> HullPoint:
    """Minimise over the combinations of the chosen observations; those with share zero leave."""
    while True:
        best = _affine(members - target)
        if min(best.tolist()) > 0:
            return HullPoint(rows, best, members, best @ members)
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
        rows, shares, members = rows[stay], shares[stay] / shares[stay].sum(), members[stay]


def _affine(offsets: FloatArray) -> FloatArray:
    """Shares with sum one, of any sign, whose combination of the offsets is shortest."""
    p = len(offsets)
    ones, lift = _constants(p)
    if p == 1:
        return ones
    gram = offsets @ offsets.T
    gram += (float(gram.trace()) / p or 1.0) * lift
    _, solved, failed = dposv(gram, ones)
    if failed:
        solved = np.linalg.lstsq(gram, ones, rcond=None)[0]
    return np.asarray(solved / float(solved @ ones))


@cache
def _constants(p: int) -> tuple[FloatArray, FloatArray]:
    """Ones, and what makes a matrix of products regular, which is a constant on the simplex."""
    return np.ones(p), 1 + _FLAT * np.eye(p)
