"""Percentiles of archetypes among the observations."""

from __future__ import annotations

from typing import Any

from podium.analysis.archetypes.solution import as_solution
from podium.arrays import FloatArray
from podium.checks import record
from podium.plot.figures.numbers import Numbers

__all__ = ["ArchetypePercentiles", "archetype_percentiles"]


@record(eq=False, kw_only=True)
class ArchetypePercentiles(Numbers):
    """Numbers of bars of archetypes.

    Attributes
    ----------
    columns : tuple of str
        The variables.
    names : tuple of str
        The archetypes.
    percentiles : ndarray of float, shape (k, m)
        Percentage of observations with a value that is not greater.
    values : ndarray of float, shape (k, m)
        The values, in the units of the data.
    n : int
        Number of observations.
    method : str
    """

    columns: tuple[str, ...]
    names: tuple[str, ...]
    percentiles: FloatArray
    values: FloatArray
    n: int
    method: str

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The archetypes, which have colours."""
        return self.names


def archetype_percentiles(archetypes: Any) -> ArchetypePercentiles:
    """Compute the numbers of bars of archetypes.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 3))
    >>> podium.plot.figures.archetype_percentiles(podium.ArchetypalAnalysis(2).fit(X)).percentiles.shape
    (2, 3)
    """
    solution = as_solution(archetypes)
    return ArchetypePercentiles(
        columns=solution.columns,
        names=solution.names,
        percentiles=solution.percentiles().to_numpy(),
        values=solution.prototypes.copy(),
        n=len(solution.data),
        method=solution.method,
    )
