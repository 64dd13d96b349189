"""Simultaneous intervals: the difference of every pair, with the area of differences that do not matter."""

from __future__ import annotations

import numpy as np

from podium.analysis.comparison import Comparison
from podium.analysis.notes import blocks_in_words
from podium.arrays import BoolArray, FloatArray, StrArray
from podium.checks import expect, record
from podium.errors import InputError
from podium.plot.figures.numbers import ComparisonNumbers, floats_of, from_comparison

__all__ = ["SimultaneousIntervals", "simultaneous_intervals"]


@record(eq=False, kw_only=True)
class SimultaneousIntervals(ComparisonNumbers):
    """Numbers of a plot of simultaneous intervals.

    Attributes
    ----------
    first, second : tuple of str
        The algorithms of each pair, the one with the better estimate first.
    estimate, lower, upper : ndarray of float
        Difference first - second, and the ends of its interval; an end may be infinite.
    significant : ndarray of bool
        Whether the pair differs at level alpha.
    decisions : ndarray of str
        "better" (the first), "equivalent" or "undecided".
    equivalence : ndarray of shape (P, 2) or None
        The area of differences that do not matter, for each pair in the order used here.
    combinations : tuple of str
        Those of these names that stand for a combination of algorithms, a side of a contrast.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    significant: BoolArray
    decisions: StrArray
    equivalence: FloatArray | None
    combinations: tuple[str, ...]

    @property
    def value_parts(self) -> tuple[str, str]:
        """Text for the axis of differences: what is shown, and which differences favour the first algorithm."""
        side = "negative" if self.measure.sign == 1 else "positive"
        return f"{self.estimand_label}, {self.measure_label}", f"({side} favours the first)"


def simultaneous_intervals(comparison: Comparison) -> SimultaneousIntervals:
    """Compute the numbers of a plot of simultaneous intervals.

    Parameters
    ----------
    comparison : Comparison
        A comparison with intervals, such as ``podium.compare(results, method="mixed")``.

    Examples
    --------
    >>> import podium
    >>> comparison = podium.compare(podium.examples.load_demsar2006(), method="mixed", missing="available")
    >>> numbers = podium.plot.figures.simultaneous_intervals(comparison)
    >>> f"{numbers.first[0]} - {numbers.second[0]}: {numbers.lower[0]:.3f} to {numbers.upper[0]:.3f}"
    'C4.5+m+cf - C4.5+m: -0.012 to 0.025'
    """
    frame = expect(comparison, Comparison, "comparison").frame()
    if frame[["lower", "upper"]].isna().any(axis=None):
        raise InputError(f"This comparison has no intervals to draw: {comparison.method}. Use method='mixed'.")
    if np.isinf(frame[["lower", "upper"]].to_numpy(float)).all():
        blocks = blocks_in_words(comparison.unit, comparison.n, comparison.datasets)
        raise InputError(
            f"Every interval of this comparison is infinite: {blocks} are too few for {len(frame)} simultaneous "
            f"intervals ({comparison.method}). Use method='t' or method='mixed', or more blocks."
        )
    where = frame.set_index(["a", "b"]).index
    names = comparison.algorithms
    flags = {
        frozenset((names[i], names[j])): bool(flag)
        for i, j, flag in zip(comparison.first, comparison.second, comparison.significant, strict=True)
    }
    return SimultaneousIntervals(
        **from_comparison(comparison),
        first=tuple(frame["a"]),
        second=tuple(frame["b"]),
        **floats_of(frame, "estimate", "lower", "upper"),
        significant=np.array([flags[frozenset(pair)] for pair in where]),
        decisions=frame["decision"].to_numpy(str),
        equivalence=_areas(comparison, list(where)),
        combinations=_combinations(comparison),
    )


def _combinations(comparison: Comparison) -> tuple[str, ...]:
    if comparison.contrasts is None:
        return ()
    return tuple(name for name in comparison.algorithms if name not in comparison.contrasts.columns)


def _areas(comparison: Comparison, pairs: list[tuple[str, str]]) -> FloatArray | None:
    """Reverse the area together with the pairs: against a control it has a direction."""
    if comparison.area is None:
        return None
    names = comparison.algorithms
    compared = {(names[i], names[j]) for i, j in zip(comparison.first, comparison.second, strict=True)}
    low, high = comparison.area
    return np.array([(low, high) if pair in compared else (-high, -low) for pair in pairs])
