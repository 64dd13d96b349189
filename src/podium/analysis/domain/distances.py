"""Distances between the data sets of a domain, and between its algorithms."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import leaves_list, optimal_leaf_ordering
from scipy.spatial.distance import squareform

from podium.analysis.consensus import Clustering, Distances
from podium.analysis.consensus.profile import Profile
from podium.arrays import BoolArray, FloatArray


def dataset_distances(profile: Profile) -> Distances:
    """Distances of the relations of all data sets: the number of ordered pairs in only one of the two.

    Where algorithms are absent on a data set, the pairs that both data sets judge count, scaled up to all pairs; data
    sets without a common pair are as far apart as possible.
    """
    size, k = len(profile.voters), len(profile.algorithms)
    flat = profile.matrices("weak").reshape(size, -1).astype(np.float64)
    judged = (profile.judged & ~np.eye(k, dtype=bool)).reshape(size, -1).astype(np.float64)
    total = flat @ judged.T  # pairs of the row's relation that the column judges too
    matrix = total + total.T - 2.0 * (flat @ flat.T)
    common = judged @ judged.T
    most = float(k * (k - 1))
    matrix = np.where(common > 0, matrix * most / np.maximum(common, 1.0), most)
    np.fill_diagonal(matrix, 0.0)
    return Distances(profile.voters, np.maximum(matrix, 0.0), "symmetric difference", False)


def algorithm_distances(profile: Profile) -> Distances:
    """How many preferences of the domain change if two algorithms exchange their names, summed over the data sets.

    This is half the symmetric difference of each relation and the relation with the two exchanged; it is 0 for
    algorithms that are interchangeable on every data set. Where one of the two is absent on some data sets, the sum
    over the others is scaled up to all of them; algorithms without a common data set are as far apart as possible.
    """
    copies = np.ones(len(profile.voters))
    matrix = summed_distances(exchange_distances(profile), profile.judged, copies)
    return Distances(profile.algorithms, matrix, "symmetric difference", False)


def summed_distances(each: FloatArray, judged: BoolArray, copies: FloatArray) -> FloatArray:
    """Add the distances of algorithms over data sets, each as often as it was drawn."""
    k = each.shape[1]
    common = np.tensordot(copies, judged.astype(np.float64), axes=1)
    most = copies.sum() * (2.0 * (k - 2) + 1.0)
    total = np.tensordot(copies, each, axes=1)
    matrix: FloatArray = np.where(common > 0, total * copies.sum() / np.maximum(common, 1.0), most)
    np.fill_diagonal(matrix, 0.0)
    return matrix


def exchange_distances(profile: Profile) -> FloatArray:
    """Return the distance of each pair of algorithms on each data set, shape (data sets, algorithms, algorithms)."""
    related = profile.matrices("weak").astype(np.float64)
    k = len(profile.algorithms)
    off = ~np.eye(k, dtype=bool)
    matrix = np.zeros(related.shape)
    for a in range(k):
        # Differences to all third algorithms: column c counts for the pair (a, b) unless it is a or b.
        third = off[a][None, :] & off
        rows = np.abs(related[:, a][:, None, :] - related) * third
        columns = np.abs(related[:, :, a][:, None, :] - related.transpose(0, 2, 1)) * third
        direct = np.abs(related[:, a, :] - related[:, :, a])
        matrix[:, a] = np.where(profile.judged[:, a], rows.sum(axis=2) + columns.sum(axis=2) + direct, 0.0)
    matrix[:, ~off] = 0.0
    return matrix


def leaf_order(distances: Distances, clusters: Clustering) -> tuple[str, ...]:
    """Order the labels so that neighbours are near: the leaves of the tree, each of its branches turned as needed.

    Bar-Joseph, Gifford & Jaakkola (2001), as SciPy implements it. The order starts with the end that comes first by
    name, so that it does not depend on the order of the labels.
    """
    if len(clusters.labels) < 3:
        return tuple(sorted(clusters.labels))
    table = distances.frame().loc[list(clusters.labels), list(clusters.labels)].to_numpy()
    turned = optimal_leaf_ordering(clusters.tree, squareform(table, checks=False))
    order = tuple(clusters.labels[i] for i in leaves_list(turned))
    return order if order[0] <= order[-1] else order[::-1]
