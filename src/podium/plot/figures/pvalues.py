"""Table of p-values of all pairs, best algorithm first."""

from __future__ import annotations

import numpy as np

from podium.analysis.comparison import Comparison
from podium.arrays import FloatArray, StrArray
from podium.checks import expect, record
from podium.plot.figures.numbers import ComparisonNumbers, from_comparison

__all__ = ["PValues", "pvalues"]


@record(eq=False, kw_only=True)
class PValues(ComparisonNumbers):
    """Numbers of a p-value table.

    Attributes
    ----------
    matrix : ndarray of float, shape (K, K)
        Adjusted p-values; NaN on the diagonal and where a pair was not tested.
    decisions : ndarray of str, shape (K, K)
        Of the row against the column: "better", "worse", "equivalent", "undecided", or "" where nothing was tested.
    adjust : str
    """

    matrix: FloatArray
    decisions: StrArray
    adjust: str


def pvalues(comparison: Comparison) -> PValues:
    """Compute the numbers of a p-value table.

    Examples
    --------
    >>> import podium
    >>> comparison = podium.compare(podium.examples.load_demsar2006(), method="wilcoxon")
    >>> podium.plot.figures.pvalues(comparison).matrix.shape
    (4, 4)
    """
    expect(comparison, Comparison, "comparison")
    order = np.array([comparison.algorithms.index(name) for name in comparison.layout])
    matrix = comparison.matrix("adjusted").to_numpy(copy=True)
    np.fill_diagonal(matrix, np.nan)
    decisions = np.full(matrix.shape, "", dtype="<U10")
    leads = comparison._first_leads()
    for i, j, lead, decision in zip(comparison.first, comparison.second, leads, comparison.decision, strict=True):
        if not np.isnan(matrix[i, j]):
            better = decision == "better"
            decisions[i, j] = "worse" if better and not lead else decision
            decisions[j, i] = "worse" if better and lead else decision
    return PValues(
        **from_comparison(comparison),
        matrix=matrix[np.ix_(order, order)],
        decisions=decisions[np.ix_(order, order)],
        adjust=comparison.adjust,
    )
