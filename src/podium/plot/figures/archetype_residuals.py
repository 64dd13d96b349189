"""Residuals and robust weights of the observations."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.analysis.archetypes.solution import OUTLYING, as_solution
from podium.arrays import BoolArray, FloatArray
from podium.checks import record
from podium.plot.figures.archetype_groups import shown_rows
from podium.plot.figures.numbers import Numbers

__all__ = ["ArchetypeResiduals", "archetype_residuals"]


@record(eq=False, kw_only=True)
class ArchetypeResiduals(Numbers):
    """Numbers of a plot of residuals and weights.

    Attributes
    ----------
    place : ndarray of float
        Place of each observation in the table, from 1.
    residuals : ndarray of float
        Length of the residual of each observation.
    weights : ndarray of float
        Its robust weight.
    outlying : ndarray of bool
        Whether its weight is below 0.1.
    n : int
        Number of observations.
    method : str
    """

    place: FloatArray
    residuals: FloatArray
    weights: FloatArray
    outlying: BoolArray
    n: int
    method: str


def archetype_residuals(archetypes: Any, *, most: int = 5000) -> ArchetypeResiduals:
    """Compute the numbers of a plot of residuals and weights.

    Parameters
    ----------
    most : int, default 5000
        Largest number of observations shown; all outliers are among them.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 2))
    >>> X[7] = 40
    >>> fitted = podium.ArchetypalAnalysis(3, family="robust").fit(X)
    >>> bool(podium.plot.figures.archetype_residuals(fitted).outlying[7])
    True
    """
    solution = as_solution(archetypes)
    outlying = solution.weights < OUTLYING
    rows = np.union1d(shown_rows(len(solution.data), most), np.flatnonzero(outlying))
    return ArchetypeResiduals(
        place=np.asarray(rows + 1, np.float64),
        residuals=solution.residuals[rows],
        weights=solution.weights[rows],
        outlying=outlying[rows],
        n=len(solution.data),
        method=solution.method,
    )
