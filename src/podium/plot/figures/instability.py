"""The process behind a split of a tree: departures from the model of a node along a variable."""

from __future__ import annotations

from podium.analysis.trees import BradleyTerryTree
from podium.arrays import FloatArray
from podium.checks import expect, record
from podium.plot.figures.numbers import Numbers, copy_fields

__all__ = ["InstabilityNumbers", "instability"]


@record(eq=False, kw_only=True)
class InstabilityNumbers(Numbers):
    """Numbers of a drawing of departures along a variable.

    Attributes
    ----------
    algorithms : tuple of str
        The objects of the tree.
    variable : str
    node : int
    values : ndarray of float
        Values of the variable in the node, in increasing order; positions in `levels` where it has levels.
    levels : tuple of str
        Empty for numbers.
    path : ndarray of shape (values, K)
        Of a number: departures of all subjects up to a value, a Brownian bridge where nothing changes. Of levels:
        departures in each.
    threshold : float
        Where the node is split by this variable; NaN where it is not, and for sets of levels.
    left : tuple of str
        The levels that go left.
    statistic, pvalue : float
        Of the test, the p-value adjusted; NaN where it was not made.
    """

    algorithms: tuple[str, ...]
    variable: str
    node: int
    values: FloatArray
    levels: tuple[str, ...]
    path: FloatArray
    threshold: float
    left: tuple[str, ...]
    statistic: float
    pvalue: float


def instability(tree: BradleyTerryTree, *, variable: str | None = None, node: int = 1) -> InstabilityNumbers:
    """Compute the numbers of a drawing of departures along a variable (Eugster 2011, figure 5.3a).

    Parameters
    ----------
    variable : str, optional
        A covariate; by default the one that splits the node, or else the one with the smallest p-value.
    node : int, default 1
        Number of a node.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> import podium
    >>> size = np.arange(100)
    >>> outcome = np.where(size % 10 < np.where(size > 49, 8, 1), 1, -1)
    >>> pairs = podium.PairedComparisons.from_frame(pd.DataFrame({"svm:lda": outcome}))
    >>> tree = podium.bradley_terry_tree(pairs, pd.DataFrame({"size": size}), min_size=20)
    >>> numbers = podium.plot.figures.instability(tree)
    >>> int(numbers.path[:, 0].argmin()), numbers.threshold
    (49, 49.0)
    """
    found = expect(tree, BradleyTerryTree, "tree").instability(variable, node)
    split = found.split
    return InstabilityNumbers(
        algorithms=found.objects,
        **copy_fields(found, "variable", "node", "values", "levels", "path", "statistic"),
        threshold=float("nan") if split is None or split.threshold is None else split.threshold,
        left=() if split is None else split.left,
        pvalue=found.adjusted,
    )
