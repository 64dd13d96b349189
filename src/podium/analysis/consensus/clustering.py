"""Hierarchical clustering of a distance matrix, with ties broken by the order of the labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from podium.arrays import FloatArray, IntArray
from podium.checks import did_you_mean
from podium.errors import InputError, listing

Linkage: TypeAlias = Literal["complete", "average", "single"]


@dataclass(frozen=True, eq=False)
class Clustering:
    """A hierarchy of clusters.

    Attributes
    ----------
    labels : tuple of str
    merges : ndarray of int, shape (n − 1, 2)
        Which two clusters are joined at each step. Numbers below n are single labels, n + s is the cluster of step s.
    heights : ndarray of float
        The distance at which they are joined.
    linkage : str
    """

    labels: tuple[str, ...]
    merges: IntArray
    heights: FloatArray
    linkage: Linkage

    def __repr__(self) -> str:
        return f"<Clustering of {len(self.labels)} relations: {self.linkage} linkage>"

    @property
    def order(self) -> tuple[str, ...]:
        """Labels from left to right as the leaves of the dendrogram; of two clusters the tighter one is left."""
        return tuple(self.labels[i] for i in self.leaves(len(self.labels) + len(self.merges) - 1))

    def leaves(self, cluster: int) -> list[int]:
        """Positions of the labels of a cluster, from left to right."""
        n = len(self.labels)
        found, todo = [], [cluster]
        while todo:
            here = todo.pop()
            if here < n:
                found.append(here)
            else:
                left, right = (int(part) for part in self.merges[here - n])
                todo += [right, left]
        return found

    def cophenetic(self) -> pd.DataFrame:
        """Height at which each pair of labels first belongs to one cluster."""
        n = len(self.labels)
        square = np.zeros((n, n))
        for step, (left, right) in enumerate(self.merges):
            inside, outside = self.leaves(int(left)), self.leaves(int(right))
            square[np.ix_(inside, outside)] = square[np.ix_(outside, inside)] = self.heights[step]
        return pd.DataFrame(square, index=list(self.labels), columns=list(self.labels))

    def groups(self, count: int) -> tuple[tuple[str, ...], ...]:
        """Cut the hierarchy into so many clusters, from left to right."""
        n = len(self.labels)
        if not 1 <= count <= n:
            raise InputError(f"`count` must lie between 1 and {n}, the number of relations; got {count!r}.")
        active = {*range(n)}
        for step in range(n - count):
            active -= {int(part) for part in self.merges[step]}
            active.add(n + step)
        place = {label: i for i, label in enumerate(self.order)}
        found = [tuple(self.labels[i] for i in self.leaves(cluster)) for cluster in active]
        return tuple(sorted(found, key=lambda group: place[group[0]]))


def agglomerate(matrix: FloatArray, labels: tuple[str, ...], linkage: Linkage) -> Clustering:
    """Join the two nearest clusters until one is left (Lance & Williams 1967); of equal pairs the first is taken."""
    if linkage not in get_args(Linkage):
        known = get_args(Linkage)
        raise InputError(f"`linkage` must be one of {listing(known)}; got {linkage!r}.{did_you_mean(linkage, known)}")
    n = len(labels)
    apart = matrix.astype(np.float64).copy()
    apart[np.tril_indices(n)] = np.inf  # each pair once, at its first label
    number, sizes, tight = np.arange(n), np.ones(n), np.full(n, -1.0)
    merges, heights = np.zeros((max(n - 1, 0), 2), np.intp), np.zeros(max(n - 1, 0))
    for step in range(n - 1):
        i, j = (int(x) for x in np.unravel_index(int(apart.argmin()), apart.shape))
        heights[step] = apart[i, j]
        # The tighter cluster goes left; of equally tight ones (two labels, above all) the earlier.
        left_first = (tight[i], number[i]) <= (tight[j], number[j])
        merges[step] = (number[i], number[j]) if left_first else (number[j], number[i])
        others = np.array([k for k in range(n) if k not in (i, j) and sizes[k] > 0], int)
        to_i, to_j = (apart[np.minimum(others, x), np.maximum(others, x)] for x in (i, j))
        if linkage == "complete":
            joined = np.maximum(to_i, to_j)
        elif linkage == "single":
            joined = np.minimum(to_i, to_j)
        else:
            joined = (sizes[i] * to_i + sizes[j] * to_j) / (sizes[i] + sizes[j])
        apart[j, :] = apart[:, j] = np.inf
        apart[np.minimum(others, i), np.maximum(others, i)] = joined
        number[i], tight[i], sizes[i], sizes[j] = n + step, heights[step], sizes[i] + sizes[j], 0
    return Clustering(labels, merges, heights, linkage)
