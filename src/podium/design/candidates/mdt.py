"""mdt: a tree whose splits are linear discriminants of all attributes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.arrays import BoolArray, FloatArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import Classifier, Codes, one_hot, parameter
from podium.design.candidates.tree import LEAF, Tree, pessimistic, shares

RIDGE = 1e-3  # added to the diagonal of the scatter within groups, in units of its mean
NO_GAIN = 1e-9


@dataclass(kw_only=True, eq=False)
class MultivariateTree(Classifier):
    """Linear discriminant tree (Yıldız & Alpaydın 2000).

    At each node the classes form two groups, Fisher's linear discriminant separates the groups, and the observations
    are split along it where the information gain is largest. The two groups start from the two classes whose means
    are farthest apart; classes change sides as long as that raises the gain (Guo & Gelfand 1992). The tree is pruned
    by pessimistic errors, like c45.

    Parameters
    ----------
    min_leaf : int
        Smallest leaf.
    confidence : float
        Confidence level of the pessimistic errors; smaller ones prune more.
    """

    min_leaf: int = parameter(5, whole=True, minimum=1)
    confidence: float = parameter(0.25, minimum=0, maximum=1)

    scale = True

    def learn(self, X: pd.DataFrame, codes: Codes) -> None:
        """Grow and prune."""
        full = grow(self.encode(X), one_hot(codes, len(self.classes_)), self.min_leaf)
        self.tree = full.pruned(pessimistic(full, self.confidence))
        self.tuned = {"leaves": self.tree.leaves}

    def probabilities(self, X: pd.DataFrame) -> FloatArray:
        """Return the class shares of each observation's leaf."""
        return shares(self.tree)[self.tree.apply(self.matrix(X))]


@dataclass(frozen=True)
class LinearSplit:
    """A direction, the threshold on it, and the information gain of the split."""

    direction: FloatArray
    threshold: float
    gain: float


def grow(Z: FloatArray, Y: FloatArray, min_leaf: int) -> Tree:
    """Grow a full tree on a matrix and 0/1 columns for the classes."""
    left, right, splits, counts = [], [], [], []
    members = [np.arange(len(Z))]
    for node, rows in enumerate(members):  # the list grows while it is read: parents before children
        z, y = Z[rows], Y[rows]
        split = best_split(z, y, min_leaf)
        is_leaf = split is None
        split = split or LinearSplit(np.zeros(Z.shape[1]), 0.0, 0.0)
        left.append(LEAF if is_leaf else len(members))
        right.append(LEAF if is_leaf else len(members) + 1)
        splits.append(split)
        counts.append(y.sum(axis=0))
        if not is_leaf:
            go_left = (z * split.direction).sum(axis=1) <= split.threshold
            members += [rows[go_left], rows[~go_left]]
        members[node] = rows[:0]
    value = np.array(counts)
    size = value.sum(axis=1)
    return Tree(
        left=np.array(left, dtype=np.intp),
        right=np.array(right, dtype=np.intp),
        attribute=np.zeros(len(left), dtype=np.intp),
        threshold=np.array([split.threshold for split in splits]),
        missing_left=np.zeros(len(left), dtype=bool),
        value=value,
        size=size,
        impurity=entropy(value),
        weights=np.array([split.direction for split in splits]),
    )


def best_split(z: FloatArray, y: FloatArray, min_leaf: int) -> LinearSplit | None:
    """Return the best split of a node, or None if there is none with a gain."""
    present = np.flatnonzero(y.any(axis=0))
    if len(present) < 2 or len(z) < 2 * min_leaf:
        return None
    means = np.array([z[y[:, g] > 0].mean(axis=0) for g in present])
    side = _first_sides(means)
    best = _split_between(z, y, y[:, present] @ side > 0, min_leaf)
    improved = len(present) > 2
    while improved:
        improved = False
        for g in range(len(present)):
            other = np.where(np.arange(len(present)) == g, -side, side)
            if np.abs(other.sum()) == len(present):  # all classes on one side
                continue
            split = _split_between(z, y, y[:, present] @ other > 0, min_leaf)
            if split is not None and (best is None or split.gain > best.gain + NO_GAIN):
                best, side, improved = split, other, True
    return best


def _first_sides(means: FloatArray) -> FloatArray:
    """Give each class the side, 1 or -1, of the nearer of the two classes farthest apart."""
    distance = ((means[:, None] - means[None]) ** 2).sum(axis=2)
    one, two = np.unravel_index(distance.argmax(), distance.shape)
    side = np.where(distance[:, one] <= distance[:, two], 1.0, -1.0)
    side[one], side[two] = 1.0, -1.0
    return side


def _split_between(z: FloatArray, y: FloatArray, group: BoolArray, min_leaf: int) -> LinearSplit | None:
    """Split along Fisher's discriminant of two groups of observations."""
    centres = np.where(group[:, None], z[group].mean(axis=0), z[~group].mean(axis=0))
    scatter = (z - centres).T @ (z - centres)
    ridge = RIDGE * max(np.trace(scatter) / len(scatter), 1e-9)
    direction = np.linalg.solve(scatter + ridge * np.eye(len(scatter)), centres[group][0] - centres[~group][0])
    length = np.linalg.norm(direction)
    if length == 0:
        return None
    direction = direction / length
    along = (z * direction).sum(axis=1)
    order = np.argsort(along, kind="stable")
    values, counted = along[order], np.cumsum(y[order], axis=0)
    n_left = np.arange(1, len(z))
    allowed = (np.diff(values) > 1e-12) & (n_left >= min_leaf) & (n_left[::-1] >= min_leaf)
    if not allowed.any():
        return None
    left, total = counted[:-1], counted[-1]
    after = (n_left * entropy(left) + n_left[::-1] * entropy(total - left)) / len(z)
    gain = np.where(allowed, entropy(total[None])[0] - after, -np.inf)
    at = int(gain.argmax())
    if gain[at] <= NO_GAIN:
        return None
    return LinearSplit(direction, float((values[at] + values[at + 1]) / 2), float(gain[at]))


def entropy(counts: FloatArray) -> FloatArray:
    """Return the entropy of each row of class counts, in bits."""
    part = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
    bits: FloatArray = -(part * np.log2(np.where(part > 0, part, 1.0))).sum(axis=1)
    return bits


MDT = NamedCandidate(
    "mdt",
    "multivariate decision tree",
    {"classification": MultivariateTree},
    rule="linear discriminants as splits, pruned by pessimistic errors",
)
