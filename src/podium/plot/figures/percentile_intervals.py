"""Percentile intervals: the middle part of each performance distribution."""

from __future__ import annotations

from collections.abc import Sequence

from podium.plot.figures.intervals import Intervals, intervals
from podium.plot.figures.numbers import panel
from podium.results import Results

__all__ = ["percentile_intervals"]


@panel
def percentile_intervals(
    results: Results,
    measure: str | None = None,
    *,
    alpha: float = 0.05,
    order: Sequence[str] | None = None,
    missing: str = "raise",
) -> Intervals:
    """Compute the interval that contains the middle part of the values of each algorithm, ordered by mean.

    Parameters
    ----------
    alpha : float, default 0.05
        The intervals contain a share of 1 - alpha of the values.
    """
    return intervals(results, measure, kind="percentile", alpha=alpha, order=order, missing=missing)
