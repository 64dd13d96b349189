"""Credible intervals: the difference of every pair, with the area of equivalence and three probabilities."""

from __future__ import annotations

import numpy as np

from podium.analysis.methods.bayes.comparison import BayesComparison
from podium.arrays import FloatArray, StrArray
from podium.checks import expect, record
from podium.plot.figures.numbers import FigureNumbers, copy_fields, floats_of

__all__ = ["CredibleIntervals", "credible_intervals"]


@record(eq=False, kw_only=True)
class CredibleIntervals(FigureNumbers):
    """Numbers of a plot of credible intervals.

    Attributes
    ----------
    first, second : tuple of str
        The algorithms of each pair, the one that is more probably better first.
    estimate, lower, upper : ndarray of float
        Posterior median of the difference first - second, and the ends of its interval.
    better, equivalent, worse : ndarray of float
        Probabilities that the first is better, that the difference does not matter, and that the second is better.
    decisions : ndarray of str
        "better" (the first), "equivalent" or "undecided".
    equivalence : ndarray of shape (P, 2) or None
        The area of differences that do not matter, for each pair in the order used here.
    method : str
    alpha : float
        The intervals have probability 1 - alpha.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    better: FloatArray
    equivalent: FloatArray
    worse: FloatArray
    decisions: StrArray
    equivalence: FloatArray | None
    method: str
    alpha: float

    @property
    def value_parts(self) -> tuple[str, str]:
        """Text for the axis of differences: what is shown, and which differences favour the first algorithm."""
        side = "negative" if self.measure.sign == 1 else "positive"
        return f"difference, {self.measure_label}", f"({side} favours the first)"


def credible_intervals(comparison: BayesComparison) -> CredibleIntervals:
    """Compute the numbers of a plot of credible intervals.

    Parameters
    ----------
    comparison : BayesComparison
        The outcome of `podium.inference.compare_bayes`.

    Examples
    --------
    >>> import podium
    >>> iris = podium.examples.load_ulas2008().select(dataset="iris", algorithms=["c45", "svr", "mlp"])
    >>> numbers = podium.plot.figures.credible_intervals(podium.inference.compare_bayes(iris, equivalence=1))
    >>> numbers.first, numbers.second
    (('svr', 'c45', 'svr'), ('c45', 'mlp', 'mlp'))
    """
    frame = expect(comparison, BayesComparison, "comparison").frame()
    names = comparison.algorithms
    asked = {(names[i], names[j]) for i, j in zip(comparison.first, comparison.second, strict=True)}
    low, high = comparison.equivalence
    pairs = list(zip(frame["a"], frame["b"], strict=True))
    areas = np.array([(low, high) if pair in asked else (-high, -low) for pair in pairs])
    return CredibleIntervals(
        algorithms=_best_first(comparison),
        **copy_fields(comparison, "measure", "unit", "n", "datasets", "method", "alpha"),
        first=tuple(frame["a"]),
        second=tuple(frame["b"]),
        **floats_of(frame, "estimate", "lower", "upper", "better", "equivalent", "worse"),
        decisions=frame["decision"].to_numpy(str),
        equivalence=areas if low < high else None,
    )


def _best_first(comparison: BayesComparison) -> tuple[str, ...]:
    """Order the algorithms by their mean probability of being better; equal ones by name."""
    lead = np.zeros(len(comparison.algorithms))
    np.add.at(lead, comparison.first, comparison.better - comparison.worse)
    np.add.at(lead, comparison.second, comparison.worse - comparison.better)
    order = np.lexsort((np.array(comparison.algorithms), -np.round(lead, 10)))
    return tuple(comparison.algorithms[i] for i in order)
