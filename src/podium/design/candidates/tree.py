"""`Tree`: a binary tree in flat arrays, and its pruning by cost-complexity (CART) or pessimistic errors (C4.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.arrays import BoolArray, FloatArray, IntArray

Nodes = IntArray
LEAF = -1
TIE = 1e-12  # relative difference below which two complexities are equal


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
        children = {
            "left": np.where(inner, number[self.left], LEAF),
            "right": np.where(inner, number[self.right], LEAF),
        }
        parts = {**vars(self), **children}
        left: dict[str, Any] = {name: None if part is None else part[kept] for name, part in parts.items()}
        return Tree(**left)


def flat(model: Any) -> Tree:
    """Read a tree grown by scikit-learn."""
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


def shares(tree: Tree) -> FloatArray:
    """Return the class shares of each node."""
    part: FloatArray = tree.value / tree.value.sum(axis=1, keepdims=True)
    return part


# ---- pruning --------------------------------------------------------------------------------------------------------


def collapse_points(tree: Tree, risk: FloatArray) -> FloatArray:
    """Return for each inner node the complexity α at which weakest-link pruning makes it a leaf.

    The pruned tree for α minimises R(T) + α |T|, where R(T) adds up the risks of the leaves (Breiman, Friedman,
    Olshen & Stone 1984, sec. 3.3). A node that disappears with an ancestor gets the value of that ancestor; leaves get
    infinity.

    Parameters
    ----------
    tree : Tree
    risk : array
        Risk of each node as a leaf, as its part of the mean loss over all observations.
    """
    point = np.full(len(risk), np.inf)
    below, leaves = risk.copy(), np.ones(len(risk))
    parent = np.full(len(risk), LEAF)
    inner = np.flatnonzero(tree.left != LEAF)
    for t in inner[::-1]:
        children = tree.left[t], tree.right[t]
        below[t], leaves[t] = sum(below[c] for c in children), sum(leaves[c] for c in children)
        for child in children:
            parent[child] = t
    alive = tree.left != LEAF
    alpha, tie = 0.0, TIE * risk[0]
    while alive[0]:
        nodes = np.flatnonzero(alive)
        gain = (risk[nodes] - below[nodes]) / (leaves[nodes] - 1)
        alpha = float(gain.min()) if gain.min() > alpha + tie else alpha
        for t in nodes[gain <= alpha + tie]:
            if not alive[t]:  # gone with an ancestor in this round
                continue
            fewer, worse = leaves[t] - 1, risk[t] - below[t]
            for gone in _descent(tree, t, alive):
                point[gone], alive[gone] = alpha, False
            while t != LEAF:
                leaves[t], below[t] = leaves[t] - fewer, below[t] + worse
                t = parent[t]
    return point


def _descent(tree: Tree, node: int, alive: BoolArray) -> list[int]:
    """Return a node and the inner nodes below it."""
    found, open_nodes = [], [node]
    while open_nodes:
        t = open_nodes.pop()
        if alive[t]:
            found.append(t)
            open_nodes += [int(tree.left[t]), int(tree.right[t])]
    return found


def complexities(point: FloatArray) -> FloatArray:
    """Return the complexities at which the tree becomes smaller, starting with 0, each once."""
    found = np.unique(point[np.isfinite(point)])
    return np.concatenate([[0.0], found[found > 0]])


def between(alphas: FloatArray) -> FloatArray:
    """Return a typical complexity for each pruned tree: geometric means (Breiman et al. 1984, sec. 3.4.2)."""
    return np.append(np.sqrt(alphas[:-1] * alphas[1:]), np.inf)


def predictions(tree: Tree, point: FloatArray, alphas: FloatArray, leaf: IntArray) -> IntArray:
    """Return the node that predicts each observation in the tree pruned at each complexity.

    Parameters
    ----------
    tree, point
        The tree, and where its nodes collapse.
    alphas : array
        Complexities.
    leaf : array of int
        Leaf of each observation in the full tree.

    Returns
    -------
    array of int, shape (complexities, observations)
    """
    return representatives(tree.left, tree.right, point <= alphas[:, None])[:, leaf]


def one_standard_error(losses: FloatArray) -> int:
    """Return the last row whose mean loss is within one standard error of the smallest (the 1-SE rule).

    Parameters
    ----------
    losses : array, shape (models, observations)
        Cross-validated loss of each observation, models from complex to simple. The standard error is that of the
        mean loss of the best model; for 0/1 losses it is √(R(1 - R)/n) (Breiman et al. 1984, sec. 3.4.3).

    Examples
    --------
    >>> import numpy as np
    >>> wrong = [10, 8, 9, 12, 30]  # of 100; the standard error of 0.08 is 0.027, so up to 0.107 is allowed
    >>> one_standard_error(np.array([[1.0] * w + [0.0] * (100 - w) for w in wrong]))
    2
    """
    means = losses.mean(axis=1)
    best = int(means.argmin())
    error = losses[best].std() / np.sqrt(losses.shape[1])
    return int(np.flatnonzero(means <= means[best] + error + 1e-12)[-1])


def pessimistic(tree: Tree, confidence: float) -> BoolArray:
    """Return which nodes error-based pruning makes leaves (Quinlan 1993, ch. 4).

    From the leaves to the root, a subtree is replaced by a leaf if that does not raise the estimated number of errors
    by more than 0.1; each node's estimate is the upper limit of its error probability.
    """
    errors = tree.size - tree.value.max(axis=1)
    estimate = tree.size * upper_limit(errors, tree.size, confidence)
    collapsed = np.zeros(len(errors), dtype=bool)
    for t in np.flatnonzero(tree.left != LEAF)[::-1]:
        below = estimate[tree.left[t]] + estimate[tree.right[t]]
        collapsed[t] = estimate[t] <= below + 0.1
        if not collapsed[t]:
            estimate[t] = below
    return collapsed


def upper_limit(errors: FloatArray, n: FloatArray, confidence: float) -> FloatArray:
    """Return the upper confidence limit of an error probability, given the number of errors in n cases.

    Examples
    --------
    >>> [round(float(upper_limit(0, n, 0.25)), 3) for n in (6, 9, 1)]  # Quinlan (1993), p. 41
    [0.206, 0.143, 0.75]
    """
    from scipy.special import betaincinv

    errors, n = np.asarray(errors, dtype=float), np.asarray(n, dtype=float)
    with np.errstate(invalid="ignore"):
        limit = betaincinv(errors + 1, np.maximum(n - errors, 1e-300), 1 - confidence)
    return np.where(errors >= n, 1.0, limit)
