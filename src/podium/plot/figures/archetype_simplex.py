"""Coefficients of archetypes in a triangle, or in a polygon for more than three."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from podium.arrays import FloatArray, IntArray
from podium.checks import record
from podium.errors import InputError
from podium.plot.figures.archetype_groups import GroupedObservations, grouped

__all__ = ["ArchetypeSimplex", "archetype_simplex"]


@record(eq=False, kw_only=True)
class ArchetypeSimplex(GroupedObservations):
    """Numbers of a simplex plot.

    Attributes
    ----------
    corners : ndarray of float, shape (k, 2)
        Places of the archetypes, on a circle of radius 1.
    points : ndarray of float, shape (shown, 2)
        Observations, as means of the corners with their coefficients. For three archetypes this is the ternary plot;
        for more, different coefficients can have the same place.
    names, groups : tuple of str
        The archetypes, and the groups of observations.
    group : ndarray of int
        The group of each observation that is shown.
    n : int
        Number of observations.
    method : str
    """

    corners: FloatArray
    points: FloatArray


def archetype_simplex(archetypes: Any, *, group: Iterable[object] | None = None, most: int = 2000) -> ArchetypeSimplex:
    """Compute the numbers of a simplex plot.

    Archetypes that contribute to the same observations are neighbours on the circle.

    Parameters
    ----------
    archetypes : ArchetypalAnalysis, ArchetypePath or DomainArchetypes
        What was fitted, with at least three archetypes; of a path the solution at its elbow.
    most : int, default 2000
        Largest number of observations shown.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 3))
    >>> podium.plot.figures.archetype_simplex(podium.ArchetypalAnalysis(3).fit(X)).corners.round(2) + 0
    array([[ 0.  ,  1.  ],
           [-0.87, -0.5 ],
           [ 0.87, -0.5 ]])
    """
    solution, rows, _, shared = grouped(archetypes, group, most)
    k = solution.k
    if k < 3:
        raise InputError(f"A simplex plot needs at least three archetypes; got {k}.")
    angle = np.pi / 2 + 2 * np.pi * np.arange(k) / k
    corners = np.empty((k, 2))
    corners[_around(solution.coefficients)] = np.column_stack([np.cos(angle), np.sin(angle)])
    return ArchetypeSimplex(
        corners=corners,
        points=solution.coefficients[rows] @ corners,
        **shared,
    )


def _around(coefficients: FloatArray) -> IntArray:
    """Order of the archetypes on the circle: each is followed by the one with which it shares most, of those left."""
    k = coefficients.shape[1]
    if k == 3:
        return np.arange(3)
    shared = coefficients.T @ coefficients
    order, left = [0], list(range(1, k))
    while left:
        best = max(left, key=lambda j: (shared[order[-1], j], -j))
        order.append(best)
        left.remove(best)
    return np.array(order)
