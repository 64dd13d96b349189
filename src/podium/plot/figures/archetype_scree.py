"""Scree curve of archetypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.analysis.archetypes.path import ArchetypePath
from podium.arrays import FloatArray, IntArray
from podium.checks import expect, record
from podium.plot.figures.numbers import Numbers

__all__ = ["ArchetypeScree", "archetype_scree"]


@record(eq=False, kw_only=True)
class ArchetypeScree(Numbers):
    """Numbers of a scree curve.

    Attributes
    ----------
    k : ndarray of int
        Numbers of archetypes.
    rss : ndarray of float
        Residual sums of squares.
    criterion : ndarray of float
        What the family minimises, by which the elbow is found: the RSS (with weights, that of the moved data), or the
        sum of the losses of a robust family.
    elbow : int or None
        None if the curve has no elbow, or fewer than three points.
    rule : str
        How the elbow was found.
    method : str
    """

    k: IntArray
    rss: FloatArray
    criterion: FloatArray
    elbow: int | None
    rule: str
    method: str


def archetype_scree(archetypes: Any) -> ArchetypeScree:
    """Compute the numbers of a scree curve.

    Parameters
    ----------
    archetypes : ArchetypePath
        What `podium.archetypes` returns, or the archetypes of a domain.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 3))
    >>> podium.plot.figures.archetype_scree(podium.archetypes(X, k=range(1, 4))).k
    array([1, 2, 3])
    """
    path = expect(getattr(archetypes, "path", archetypes), ArchetypePath, "archetypes")
    return ArchetypeScree(
        k=np.array(path.k),
        rss=np.array([solution.rss for solution in path.solutions]),
        criterion=np.array([solution.criterion for solution in path.solutions]),
        elbow=path.elbow,
        rule=path.rule,
        method=path.solutions[0].method,
    )
