"""Parallel coordinates of data and archetypes, and of coefficients."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from podium.arrays import FloatArray
from podium.checks import record
from podium.figures.archetype_groups import GroupedObservations, grouped, shown_rows

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
    >>> numbers = podium.figures.archetype_profiles(podium.ArchetypalAnalysis(2).fit(X))
    >>> numbers.archetypes.shape
    (2, 3)
    """
    solution, groups, place = grouped(archetypes, group)
    rows = shown_rows(len(solution.data), most)
    lowest, highest = np.nanmin(solution.data, axis=0), np.nanmax(solution.data, axis=0)
    span = np.where(highest > lowest, highest - lowest, 1.0)
    return ArchetypeProfiles(
        columns=solution.columns,
        names=solution.names,
        data=(solution.data[rows] - lowest) / span,
        archetypes=(solution.prototypes - lowest) / span,
        lowest=lowest,
        highest=highest,
        groups=groups,
        group=place[rows],
        n=len(solution.data),
        method=solution.method,
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
    >>> numbers = podium.figures.archetype_coefficients(podium.ArchetypalAnalysis(2).fit(X))
    >>> numbers.means.sum().round(6)
    np.float64(1.0)
    """
    solution, groups, place = grouped(archetypes, group)
    rows = shown_rows(len(solution.data), most)
    return ArchetypeCoefficients(
        names=solution.names,
        coefficients=solution.coefficients[rows],
        means=np.array([solution.coefficients[place == g].mean(axis=0) for g in range(len(groups))]),
        groups=groups,
        group=place[rows],
        n=len(solution.data),
        method=solution.method,
    )
