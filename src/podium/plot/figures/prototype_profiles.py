"""Prototypes of several methods, side by side."""

from __future__ import annotations

import numpy as np

from podium.analysis.archetypes.prototypes import Prototypes
from podium.arrays import FloatArray
from podium.checks import expect, record
from podium.plot.figures.archetype_profiles import ranges_of
from podium.plot.figures.numbers import Numbers

__all__ = ["PrototypeProfiles", "prototype_profiles"]


@record(eq=False, kw_only=True)
class PrototypeProfiles(Numbers):
    """Numbers of prototypes of several methods.

    Attributes
    ----------
    columns : tuple of str
        The variables.
    methods : tuple of str
    prototypes : ndarray of float, shape (methods, k, m)
        Each variable from 0 (its smallest value) to 1 (its greatest).
    quartiles : ndarray of float, shape (3, m)
        Quartiles of the data, in the same units.
    n : int
        Number of observations.
    """

    columns: tuple[str, ...]
    methods: tuple[str, ...]
    prototypes: FloatArray
    quartiles: FloatArray
    n: int

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The methods, which have colours."""
        return self.methods


def prototype_profiles(prototypes: Prototypes) -> PrototypeProfiles:
    """Compute the numbers of prototypes of several methods.

    Parameters
    ----------
    prototypes : Prototypes
        What `podium.archetypal.prototypes` returns.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 2))
    >>> podium.plot.figures.prototype_profiles(podium.archetypal.prototypes(X, 2)).methods
    ('archetypes', 'k-means', 'k-medians', 'fuzzy k-means')
    """
    found = expect(prototypes, Prototypes, "prototypes")
    first = next(iter(found.solutions.values()))
    lowest, _, span = ranges_of(first.data)
    return PrototypeProfiles(
        columns=first.columns,
        methods=found.methods,
        prototypes=np.array([(solution.prototypes - lowest) / span for solution in found.solutions.values()]),
        quartiles=(np.nanquantile(first.data, [0.25, 0.5, 0.75], axis=0) - lowest) / span,
        n=len(first.data),
    )
