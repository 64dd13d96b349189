"""Place counts: how often each algorithm takes each place on the data sets of a domain, alone or shared."""

from __future__ import annotations

import numpy as np

from podium.analysis.domain import Domain
from podium.arrays import IntArray
from podium.checks import expect, record
from podium.figures.numbers import Numbers

__all__ = ["PlaceCounts", "place_counts"]


@record(eq=False, kw_only=True)
class PlaceCounts(Numbers):
    """Numbers of place counts.

    Attributes
    ----------
    algorithms : tuple of str
        Most first places first.
    counts : ndarray of int, shape (algorithms, places)
        On how many data sets an algorithm takes a place: 1 + the number of better ones.
    alone : ndarray of int, shape (algorithms, places)
        On how many of them no other algorithm takes that place.
    datasets : int
    """

    algorithms: tuple[str, ...]
    counts: IntArray
    alone: IntArray
    datasets: int


def place_counts(domain: Domain) -> PlaceCounts:
    """Count the places of each algorithm on the data sets of a domain."""
    places = expect(domain, Domain, "domain").places
    k = len(places)
    order = list(domain.place_frame().index)
    table = places.loc[order].to_numpy()
    taken = np.stack([table == place for place in range(1, k + 1)], axis=1)  # algorithms × places × data sets
    unshared = taken.sum(axis=0) == 1
    return PlaceCounts(
        algorithms=tuple(order),
        counts=taken.sum(axis=2),
        alone=(taken & unshared).sum(axis=2),
        datasets=table.shape[1],
    )
