"""Hierarchical clustering of relations by their distances."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import cophenet
from scipy.spatial.distance import squareform

from podium.arrays import FloatArray, IntArray
from podium.checks import check_choice, is_whole, record, shown
from podium.errors import InputError
from podium.typesetting.html import described

Linkage: TypeAlias = Literal["complete", "average", "single"]
ROUNDING = 1e-12  # relative difference of equal distances


@record(eq=False)
class Clustering:
    """A hierarchy of clusters.

    Attributes
    ----------
    labels : tuple of str
    tree : ndarray of float, shape (n − 1, 4)
        One row per merge, in the form of `scipy.cluster.hierarchy.linkage`: the two clusters, the distance between
        them, the size of the new cluster. Numbers below n are single labels, n + s is the cluster of step s. The
        tighter of the two clusters comes first.
    linkage : str
    """

    labels: tuple[str, ...]
    tree: FloatArray
    linkage: Linkage

    def __post_init__(self) -> None:
        if self.tree.shape != (len(self.labels) - 1, 4):
            raise InputError(
                f"`tree` must have a row for each of the {len(self.labels) - 1} merges and 4 columns; "
                f"got shape {self.tree.shape}."
            )

    def __repr__(self) -> str:
        return f"<Clustering of {len(self.labels)} relations: {self.linkage} linkage>"

    def _repr_html_(self) -> str:
        merged: list[str] = list(self.labels)
        for a, b in self.merges:
            merged.append(f"{merged[a]}, {merged[b]}")
        steps = [(f"{height:g}", text) for height, text in zip(self.heights, merged[len(self.labels) :], strict=True)]
        return described(f"{self.linkage} linkage: joined at the distance", steps)

    @property
    def merges(self) -> IntArray:
        """The two clusters merged at each step."""
        return self.tree[:, :2].astype(np.intp)

    @property
    def heights(self) -> FloatArray:
        """The distance at which they are merged."""
        return self.tree[:, 2]

    @property
    def order(self) -> tuple[str, ...]:
        """Labels from left to right as the leaves of the dendrogram; of two clusters the tighter one is on the left."""
        return tuple(self.labels[i] for i in self._leaves(1)[0])

    def cophenetic(self) -> pd.DataFrame:
        """Height at which each pair of labels is first in one cluster."""
        square = squareform(cophenet(self.tree)) if len(self.tree) else np.zeros((1, 1))
        return pd.DataFrame(square, index=list(self.labels), columns=list(self.labels))

    def groups(self, count: int) -> tuple[tuple[str, ...], ...]:
        """Cut the hierarchy into `count` clusters, listed from left to right."""
        n = len(self.labels)
        if not is_whole(count) or not 1 <= count <= n:
            raise InputError(f"`count` must lie between 1 and {n}, the number of relations; got {shown(count)}.")
        place = {leaf: at for at, leaf in enumerate(self._leaves(1)[0])}
        clusters = sorted(self._leaves(count), key=lambda leaves: place[leaves[0]])
        return tuple(tuple(self.labels[i] for i in leaves) for leaves in clusters)

    def _leaves(self, count: int) -> list[tuple[int, ...]]:
        """Positions of the labels in each of `count` clusters, those of the left one of two first."""
        n = len(self.labels)
        members: dict[int, tuple[int, ...]] = {i: (i,) for i in range(n)}
        for step, (left, right) in enumerate(self.merges[: n - count].tolist()):
            members[n + step] = members.pop(left) + members.pop(right)
        return list(members.values())


def agglomerate(distances: FloatArray, labels: tuple[str, ...], linkage: Linkage) -> Clustering:
    """Merge the two nearest clusters until one is left (Lance & Williams 1967); of equally near pairs, the first.

    Distances that count pairs have many ties, and the tree depends on how they are broken. Here the order of the labels
    decides, also between distances that differ by rounding only; `scipy.cluster.hierarchy.linkage` breaks ties in the
    order of its search, which is not documented.
    """
    check_choice(linkage, get_args(Linkage), "linkage")
    n = len(labels)
    apart = distances.astype(np.float64)
    np.fill_diagonal(apart, np.inf)
    number, size, tight = np.arange(n), np.ones(n), np.full(n, -1.0)
    tree = np.zeros((n - 1, 4))
    for step in range(n - 1):
        nearest = apart <= apart.min() * (1 + ROUNDING)
        i, j = (int(position) for position in np.unravel_index(int(nearest.argmax()), apart.shape))
        height, total = apart[i, j], size[i] + size[j]
        # The tighter cluster goes to the left; of equally tight ones (two labels, above all) the earlier.
        equal = abs(tight[i] - tight[j]) <= ROUNDING * height
        left, right = sorted((i, j), key=lambda cluster: number[cluster] if equal else tight[cluster])
        tree[step] = number[left], number[right], height, total
        if linkage == "complete":
            joined = np.maximum(apart[i], apart[j])
        elif linkage == "single":
            joined = np.minimum(apart[i], apart[j])
        else:
            joined = (size[i] * apart[i] + size[j] * apart[j]) / total
        apart[i, :] = apart[:, i] = joined
        apart[j, :] = apart[:, j] = apart[i, i] = np.inf
        number[i], size[i], tight[i] = n + step, total, height
    return Clustering(labels, tree, linkage)
