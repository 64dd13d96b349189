"""Multi-comparison matrix: for every pair the mean difference, wins, ties and losses, and the p-value."""

from __future__ import annotations

import numpy as np

from podium.analysis.blocks import PAIR_POLICIES, best_first, to_blocks
from podium.analysis.comparison import Comparison
from podium.arrays import FloatArray, IntArray, StrArray
from podium.checks import expect, record
from podium.errors import InputError
from podium.plot.figures.numbers import ComparisonNumbers, from_comparison
from podium.plot.figures.pvalues import pvalues
from podium.results import Results

__all__ = ["MultiComparison", "multi_comparison"]


@record(eq=False, kw_only=True)
class MultiComparison(ComparisonNumbers):
    """Numbers of a multi-comparison matrix; entries are of the row against the column.

    Attributes
    ----------
    means : ndarray of float
        Mean of each algorithm over the blocks.
    difference : ndarray of float, shape (K, K)
        Mean of the row minus mean of the column.
    wins, ties, losses : ndarray of int, shape (K, K)
        In how many blocks the row is better than, equal to, and worse than the column.
    matrix : ndarray of float, shape (K, K)
        Adjusted p-values; NaN where a pair was not tested.
    decisions : ndarray of str, shape (K, K)
        "better", "worse", "equivalent", "undecided" or "".
    """

    means: FloatArray
    difference: FloatArray
    wins: IntArray
    ties: IntArray
    losses: IntArray
    matrix: FloatArray
    decisions: StrArray


def multi_comparison(comparison: Comparison, results: Results | None = None) -> MultiComparison:
    """Compute the numbers of a multi-comparison matrix, the algorithm with the best mean first.

    Parameters
    ----------
    results : Results, optional
        What was compared; needed where the comparison itself has no wins and means (``method="mixed"``).

    References
    ----------
    A. Ismail-Fawaz et al. (2023). An approach to multiple comparison benchmark evaluations that is stable under
    manipulation of the comparate set. arXiv:2305.11921.

    Examples
    --------
    >>> import podium
    >>> comparison = podium.compare(podium.examples.load_demsar2006(), method="wilcoxon")
    >>> numbers = podium.plot.figures.multi_comparison(comparison)
    >>> numbers.algorithms[0], numbers.wins[0].tolist()
    ('C4.5+m+cf', [0, 6, 9, 11])
    """
    expect(comparison, Comparison, "comparison")
    if results is not None:
        names = list(comparison.algorithms)
        results = expect(results, Results, "results").select(measure=comparison.measure.name, algorithms=names)
    wins, common, means = comparison.wins, comparison.common, comparison.means
    if wins is None or common is None or means is None:
        if results is None:
            raise InputError(
                f"The comparison by {comparison.title} does not count how often each algorithm was better; pass the "
                "results too: multi_comparison(comparison, results)."
            )
        blocks = to_blocks(results, unit=comparison.unit, missing="available", allowed=PAIR_POLICIES)
        wins, common, means = blocks.wins, blocks.common, blocks.means
    table = pvalues(comparison)
    order = best_first(comparison.measure.sign * means, comparison.algorithms)
    if not comparison.ordered:
        order = np.array([comparison.algorithms.index(name) for name in comparison.layout])
    place = np.array([table.algorithms.index(comparison.algorithms[i]) for i in order])
    square = np.ix_(order, order)
    wins, common = wins[square], common[square]
    return MultiComparison(
        **from_comparison(comparison, tuple(comparison.algorithms[i] for i in order)),
        means=means[order],
        difference=means[order][:, None] - means[order][None, :],
        wins=wins,
        ties=common - wins - wins.T - np.diag(np.diag(common)),
        losses=wins.T.copy(),
        matrix=table.matrix[np.ix_(place, place)],
        decisions=table.decisions[np.ix_(place, place)],
    )
