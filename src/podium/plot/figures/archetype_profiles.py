"""Parallel coordinates of data and archetypes, and of coefficients."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from podium.arrays import FloatArray
from podium.checks import record
from podium.plot.figures.archetype_groups import GroupedObservations, grouped

__all__ = ["ArchetypeCoefficients", "ArchetypeProfiles", "archetype_coefficients", "archetype_profiles"]


@record(eq=False, kw_only=True)
class ArchetypeProfiles(GroupedObservations):
    """Numbers of parallel coordinates of data and archetypes.

    Attributes
    ----------
    columns : tuple of str
        The variables.
    data : ndarray of float, shape (shown, m)
        Observations, each variable from 0 (its smallest value) to 1 (its greatest).
    archetypes : ndarray of float, shape (k, m)
        In the same units.
    lowest, highest : ndarray of float
        The smallest and the greatest value of each variable.
    names, groups : tuple of str
        The archetypes, and the groups of observations.
    group : ndarray of int
        The group of each observation that is shown.
    n : int
        Number of observations.
    method : str
    """

    columns: tuple[str, ...]
    data: FloatArray
    archetypes: FloatArray
    lowest: FloatArray
    highest: FloatArray


def ranges_of(data: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the smallest and the greatest value of each variable, and what lies between them, 1 for a constant."""
    lowest, highest = np.nanmin(data, axis=0), np.nanmax(data, axis=0)
    return lowest, highest, np.where(highest > lowest, highest - lowest, 1.0)


def archetype_profiles(archetypes: Any, *, group: Iterable[object] | None = None, most: int = 500) -> ArchetypeProfiles:
    """Compute the numbers of parallel coordinates of data and archetypes.

    Parameters
    ----------
    most : int, default 500
        Largest number of observations shown.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 3))
    >>> numbers = podium.plot.figures.archetype_profiles(podium.ArchetypalAnalysis(2).fit(X))
    >>> numbers.archetypes.shape
    (2, 3)
    """
    solution, rows, _, shared = grouped(archetypes, group, most)
    lowest, highest, span = ranges_of(solution.data)
    return ArchetypeProfiles(
        columns=solution.columns,
        data=(solution.data[rows] - lowest) / span,
        archetypes=(solution.prototypes - lowest) / span,
        lowest=lowest,
        highest=highest,
        **shared,
    )


@record(eq=False, kw_only=True)
class ArchetypeCoefficients(GroupedObservations):
    """Numbers of parallel coordinates of coefficients.

    Attributes
    ----------
    coefficients : ndarray of float, shape (shown, k)
    means : ndarray of float, shape (groups, k)
        Mean coefficients of each group.
    names, groups : tuple of str
        The archetypes, and the groups of observations.
    group : ndarray of int
        The group of each observation that is shown.
    n : int
        Number of observations.
    method : str
    """

    coefficients: FloatArray
    means: FloatArray


def archetype_coefficients(
    archetypes: Any, *, group: Iterable[object] | None = None, most: int = 500
) -> ArchetypeCoefficients:
    """Compute the numbers of parallel coordinates of coefficients.

    Parameters
    ----------
    most : int, default 500
        Largest number of observations shown.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 3))
    >>> numbers = podium.plot.figures.archetype_coefficients(podium.ArchetypalAnalysis(2).fit(X))
    >>> numbers.means.sum().round(6)
    np.float64(1.0)
    """
    solution, rows, place, shared = grouped(archetypes, group, most)
    return ArchetypeCoefficients(
        coefficients=solution.coefficients[rows],
        means=np.array([solution.coefficients[place == g].mean(axis=0) for g in range(len(shared["groups"]))]),
        **shared,
    )
