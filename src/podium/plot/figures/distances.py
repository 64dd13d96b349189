"""Distances between relations: the table in the order of its dendrogram, and the dendrogram."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import numpy as np

from podium.analysis.consensus import Clustering, Distances
from podium.analysis.consensus import distances as distances_between
from podium.analysis.consensus.clustering import Linkage
from podium.analysis.domain import Domain
from podium.analysis.domain.distances import leaf_order
from podium.analysis.relation import Relation
from podium.arrays import FloatArray
from podium.checks import check_choice, record
from podium.plot.figures.numbers import Numbers

__all__ = ["DistanceTable", "distances"]


@record(eq=False, kw_only=True)
class DistanceTable(Numbers):
    """Numbers of a distance table with its dendrogram.

    Attributes
    ----------
    labels : tuple of str
        The relations in the order of the leaves; of a domain turned so that neighbours are near.
    matrix : ndarray of float, shape (n, n)
        Their distances in this order.
    links : ndarray of float, shape (n − 1, 4, 2)
        The dendrogram: four points (position, height) of each bracket; leaves are at the positions 0, 1, ...
    metric, linkage : str
    algorithms : tuple of str
        Of the relations, where they are those of a domain.
    winners : tuple of str
        The algorithm that wins each of them alone; empty text where several are first, nothing where not known.
    """

    labels: tuple[str, ...]
    matrix: FloatArray
    links: FloatArray
    metric: str
    linkage: str
    algorithms: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()

    @property
    def height(self) -> float:
        """Height of the dendrogram."""
        return float(self.links[:, :, 1].max(initial=0.0)) or 1.0


def distances(
    relations: Distances | Mapping[str, Relation] | Domain, *, linkage: Linkage = "complete"
) -> DistanceTable:
    """Compute the numbers of a distance table.

    Parameters
    ----------
    relations : Distances, mapping of Relation, or Domain
        What `podium.relations.distances` or `podium.domain` returns, or relations, by name.
    linkage : {"complete", "average", "single"}
        How clusters are joined.

    Examples
    --------
    >>> import podium
    >>> chains = {"iris": "a < b < c", "sonar": "c < b < a", "wine": "a < b ~ c"}
    >>> relations = {name: podium.Relation.from_chain(chain) for name, chain in chains.items()}
    >>> numbers = podium.plot.figures.distances(relations)
    >>> numbers.labels
    ('sonar', 'iris', 'wine')
    """
    check_choice(linkage, get_args(Linkage), "linkage")
    given = relations.distances if isinstance(relations, Domain) else relations
    given = given if isinstance(given, Distances) else distances_between(given)
    domain = relations if isinstance(relations, Domain) else None
    clusters = given.cluster(linkage) if domain is None or linkage != "complete" else domain.clustering
    order = clusters.order if domain is None else leaf_order(given, clusters)
    won = {} if domain is None else {name: one.winners for name, one in domain.local.items()}
    at = [given.labels.index(label) for label in order]
    return DistanceTable(
        labels=order,
        matrix=given.matrix[np.ix_(at, at)],
        links=brackets(clusters, order),
        metric=given.metric,
        linkage=linkage,
        algorithms=() if domain is None else domain.algorithms,
        winners=tuple(won[label][0] if len(won[label]) == 1 else "" for label in order if won),
    )


def brackets(clusters: Clustering, order: tuple[str, ...]) -> FloatArray:
    """Points of the brackets of a dendrogram with these leaves, in the order of the merges."""
    n = len(clusters.labels)
    place = {label: position for position, label in enumerate(order)}
    x = [float(place[label]) for label in clusters.labels]
    y = [0.0] * n
    links = np.zeros((len(clusters.merges), 4, 2))
    for step, (left, right) in enumerate(clusters.merges):
        height = float(clusters.heights[step])
        links[step] = [(x[left], y[left]), (x[left], height), (x[right], height), (x[right], y[right])]
        x.append((x[left] + x[right]) / 2)
        y.append(height)
    return links
