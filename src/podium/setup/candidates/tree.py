"""A binary tree in flat arrays, and how to shorten it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from podium.arrays import BoolArray, FloatArray, IntArray

Nodes = IntArray
LEAF = -1


@dataclass(frozen=True, eq=False, kw_only=True)
class Tree:
    """Nodes in an order in which parents come before their children; node 0 is the root.

    Attributes
    ----------
    left, right : array of int
        Children of each node, -1 for a leaf.
    weights : array, shape (nodes, attributes), or None
        A split is on the weighted sum of the attributes, or on one ``attribute`` where this is None.
    attribute : array of int
        The attribute each node splits on.
    threshold : array
        Smaller or equal values go left.
    missing_left : array of bool
        Where missing values go.
    value : array, shape (nodes, outputs)
        Class counts, or the mean response.
    size : array
        Number of observations.
    impurity : array
        Impurity, or variance of the response.
    """

    left: Nodes
    right: Nodes
    attribute: Nodes
    threshold: FloatArray
    missing_left: BoolArray
    value: FloatArray
    size: FloatArray
    impurity: FloatArray
    weights: FloatArray | None = None

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return int((self.left == LEAF).sum())

    def apply(self, X: FloatArray) -> Nodes:
        """Return the leaf of each observation."""
        node = np.zeros(len(X), dtype=np.intp)
        row = np.arange(len(X))
        while len(inner := row[self.left[node[row]] != LEAF]):
            at = node[inner]
            x = X[inner, self.attribute[at]] if self.weights is None else (X[inner] * self.weights[at]).sum(axis=1)
            go_left = np.where(np.isnan(x), self.missing_left[at], x <= self.threshold[at])
            node[inner] = np.where(go_left, self.left[at], self.right[at])
            row = inner
        return node

    def pruned(self, collapsed: BoolArray) -> Tree:
        """Return the tree in which these nodes are leaves, without what was below them."""
        kept = representatives(self.left, self.right, collapsed[None])[0] == np.arange(len(self.left))
        number = np.cumsum(kept) - 1
        inner = (self.left != LEAF) & ~collapsed & kept
        return replace(
            self,
            left=np.where(inner, number[self.left], LEAF)[kept],
            right=np.where(inner, number[self.right], LEAF)[kept],
            attribute=self.attribute[kept],
            threshold=self.threshold[kept],
            missing_left=self.missing_left[kept],
            value=self.value[kept],
            size=self.size[kept],
            impurity=self.impurity[kept],
            weights=None if self.weights is None else self.weights[kept],
        )


def flat(model: Any) -> Tree:
    """Read a tree that scikit-learn has grown."""
    grown = model.tree_
    value = grown.value[:, 0, :]
    size = grown.n_node_samples.astype(float)
    if hasattr(model, "classes_"):
        value = np.rint(value / value.sum(axis=1, keepdims=True) * size[:, None])
    return Tree(
        left=grown.children_left.astype(np.intp),
        right=grown.children_right.astype(np.intp),
        attribute=grown.feature.astype(np.intp),
        threshold=grown.threshold.copy(),
        missing_left=grown.missing_go_to_left.astype(bool),
        value=value.copy(),
        size=size,
        impurity=grown.impurity.copy(),
    )


def representatives(left: Nodes, right: Nodes, collapsed: BoolArray) -> Nodes:
    """Return which node stands for each node when some are made leaves.

    Parameters
    ----------
    left, right : array
    collapsed : array of bool, shape (trees, nodes)
        Each row says which nodes are leaves in one pruned tree.

    Returns
    -------
    array, shape (trees, nodes)
        The node itself, or the collapsed ancestor nearest to the root.
    """
    stands = np.tile(np.arange(len(left)), (len(collapsed), 1))
    for parent in np.flatnonzero(left != LEAF):
        gone = collapsed[:, parent] | (stands[:, parent] != parent)
        for child in (left[parent], right[parent]):
            stands[gone, child] = stands[gone, parent]
    return stands
