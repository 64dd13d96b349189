"""Distances between relations: the table in the order of its dendrogram, and the dendrogram."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from podium.analysis.consensus import Clustering, Distances
from podium.analysis.consensus import distances as distances_between
from podium.analysis.consensus.clustering import Linkage
from podium.analysis.preference import Relation
from podium.arrays import FloatArray
from podium.checks import check_call
from podium.figures.numbers import Numbers

__all__ = ["DistanceTable", "distances"]


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class DistanceTable(Numbers):
    """Numbers of a distance table with its dendrogram.

    Attributes
    ----------
    labels : tuple of str
        The relations in the order of the leaves.
    matrix : ndarray of float, shape (n, n)
        Their distances in this order.
    links : ndarray of float, shape (n − 1, 4, 2)
        The dendrogram: four points (position, height) of each bracket; leaves are at the positions 0, 1, ...
    metric, linkage : str
    """

    labels: tuple[str, ...]
    matrix: FloatArray
    links: FloatArray
    metric: str
    linkage: str

    @property
    def height(self) -> float:
        """Height of the dendrogram."""
        return float(self.links[:, :, 1].max(initial=0.0)) or 1.0


def distances(relations: Distances | Mapping[str, Relation], *, linkage: Linkage = "complete") -> DistanceTable:
    """Compute the numbers of a distance table.

    Parameters
    ----------
    relations : Distances or mapping of Relation
        What `podium.relations.distances` returns, or relations, by name.
    linkage : {"complete", "average", "single"}
        How clusters are joined.

    Examples
    --------
    >>> import podium
    >>> chains = {"iris": "a < b < c", "sonar": "c < b < a", "wine": "a < b ~ c"}
    >>> numbers = podium.figures.distances({name: podium.Relation.from_chain(chain) for name, chain in chains.items()})
    >>> numbers.labels
    ('sonar', 'iris', 'wine')
    """
    given = relations if isinstance(relations, Distances) else distances_between(relations)
    clusters = given.cluster(linkage)
    at = [given.labels.index(label) for label in clusters.order]
    return DistanceTable(
        labels=clusters.order,
        matrix=given.matrix[np.ix_(at, at)],
        links=brackets(clusters),
        metric=given.metric,
        linkage=linkage,
    )


def brackets(clusters: Clustering) -> FloatArray:
    """Points of the brackets of a dendrogram, in the order of the merges."""
    n = len(clusters.labels)
    place = {label: position for position, label in enumerate(clusters.order)}
    x = [float(place[label]) for label in clusters.labels]
    y = [0.0] * n
    links = np.zeros((len(clusters.merges), 4, 2))
    for step, (left, right) in enumerate(clusters.merges):
        height = float(clusters.heights[step])
        links[step] = [(x[left], y[left]), (x[left], height), (x[right], height), (x[right], y[right])]
        x.append((x[left] + x[right]) / 2)
        y.append(height)
    return links
