"""A tree of Bradley–Terry models: its nodes from top to bottom, with the worths in its leaves."""

from __future__ import annotations

import numpy as np

from podium.analysis.blocks import Unit
from podium.analysis.trees import BradleyTerryTree
from podium.arrays import BoolArray, FloatArray, IntArray
from podium.checks import expect, record
from podium.plot.figures.numbers import Numbers

__all__ = ["PreferenceTree", "preference_tree"]


@record(eq=False, kw_only=True)
class PreferenceTree(Numbers):
    """Numbers of a drawing of a tree. Nodes are in depth-first order, the root first.

    Attributes
    ----------
    algorithms : tuple of str
        In the order of the tree.
    parent : ndarray of int
        Position of the parent of each node; -1 for the root.
    depth : ndarray of int
        Number of splits above each node.
    leaf : ndarray of bool
    size : ndarray of int
        Number of subjects in each node.
    variable : tuple of str
        The variable of the split that leads to each node; empty for the root.
    condition : tuple of str
        Which values lead to it: ``"≤ 12"``, ``"> 12"`` or levels; empty for the root.
    pvalue : ndarray of float
        Adjusted p-value of the split of each node; NaN for leaves.
    worth : ndarray of shape (nodes, K)
        Worths of the algorithms in each node; NaN where one was not compared with the others.
    unit : {"replication", "dataset"}
        What a subject is.
    classical_warning : bool
        Whether replications of the same data sets were tested as if they were independent.
    """

    algorithms: tuple[str, ...]
    parent: IntArray
    depth: IntArray
    leaf: BoolArray
    size: IntArray
    variable: tuple[str, ...]
    condition: tuple[str, ...]
    pvalue: FloatArray
    worth: FloatArray
    unit: Unit
    classical_warning: bool


def preference_tree(tree: BradleyTerryTree) -> PreferenceTree:
    """Compute the numbers of a drawing of a tree.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> import podium
    >>> size = np.arange(100)
    >>> outcome = np.where(size % 10 < np.where(size > 49, 8, 1), 1, -1)
    >>> pairs = podium.PairedComparisons.from_frame(pd.DataFrame({"svm:lda": outcome}))
    >>> tree = podium.bradley_terry_tree(pairs, pd.DataFrame({"size": size}), min_size=20)
    >>> numbers = podium.plot.figures.preference_tree(tree)
    >>> numbers.variable, numbers.condition
    (('', 'size', 'size'), ('', '≤ 49', '> 49'))
    """
    nodes = expect(tree, BradleyTerryTree, "tree").nodes
    place = {node.node: i for i, node in enumerate(nodes)}
    variable, condition = [""] * len(nodes), [""] * len(nodes)
    for node in nodes:
        if node.split is None:
            continue
        split = node.split
        if split.threshold is not None:
            sides = (f"≤ {split.threshold:g}", f"> {split.threshold:g}")
        else:
            sides = (", ".join(split.left), ", ".join(split.right))
        for child, side in zip(node.children, sides, strict=True):
            variable[place[child]], condition[place[child]] = split.variable, side
    return PreferenceTree(
        algorithms=tree.objects,
        parent=np.array([place.get(node.parent, -1) for node in nodes]),
        depth=np.array([node.depth for node in nodes]),
        leaf=np.array([node.split is None for node in nodes]),
        size=np.array([node.n for node in nodes]),
        variable=tuple(variable),
        condition=tuple(condition),
        pvalue=np.array([node.tests["adjusted"].loc[node.split.variable] if node.split else np.nan for node in nodes]),
        worth=np.array([node.worth.to_numpy() for node in nodes]),
        unit=tree.unit,
        classical_warning=tree.classical_warning,
    )
