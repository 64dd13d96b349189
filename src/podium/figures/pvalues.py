"""Table of p-values of all pairs, best algorithm first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.analysis.comparison import Comparison
from podium.arrays import FloatArray, StrArray
from podium.checks import expect
from podium.figures.numbers import FigureNumbers, data_of


@dataclass(frozen=True, eq=False, kw_only=True)
class PValues(FigureNumbers):
    """Numbers of a p-value table.

    Attributes
    ----------
    matrix : ndarray of float, shape (K, K)
        Adjusted p-values; NaN on the diagonal and where a pair was not tested.
    decisions : ndarray of str, shape (K, K)
        Of the row against the column: "better", "worse", "equivalent", "undecided", or "" where nothing was tested.
    method, adjustment : str
    alpha : float
    """

    matrix: FloatArray
    decisions: StrArray
    method: str
    adjustment: str
    alpha: float


def pvalues(comparison: Comparison) -> PValues:
    """Compute the numbers of a p-value table.

    Examples
    --------
    >>> import podium
    >>> from podium.analysis.compare import compare
    >>> pvalues(compare(podium.datasets.load_demsar2006(), method="wilcoxon")).matrix.shape
    (4, 4)
    """
    expect(comparison, Comparison, "comparison")
    order = np.array([comparison.algorithms.index(name) for name in comparison.order])
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
        algorithms=comparison.order,
        measure=comparison.measure,
        data=data_of(comparison),
        unit=comparison.unit,
        blocks=comparison.n,
        matrix=matrix[np.ix_(order, order)],
        decisions=decisions[np.ix_(order, order)],
        method=comparison.title,
        adjustment=comparison.adjust,
        alpha=comparison.alpha,
    )
