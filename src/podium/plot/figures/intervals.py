"""Interval plot: one interval per algorithm, to see which overlap."""

from __future__ import annotations

from collections.abc import Sequence

from podium.analysis.blocks import ordered_blocks
from podium.analysis.describe.intervals import Kind
from podium.analysis.describe.intervals import intervals as interval_frame
from podium.analysis.describe.statistic import StatisticLike
from podium.arrays import FloatArray
from podium.checks import record
from podium.plot.figures.numbers import FigureNumbers, floats_of, from_blocks
from podium.results import Results

__all__ = ["Intervals", "intervals"]


@record(eq=False, kw_only=True)
class Intervals(FigureNumbers):
    """Numbers of an interval plot.

    Attributes
    ----------
    estimate, lower, upper : ndarray of float
    kind : {"percentile", "normal", "t", "bootstrap"}
    alpha : float
    """

    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    kind: Kind
    alpha: float


def intervals(
    results: Results,
    measure: str | None = None,
    *,
    kind: Kind = "percentile",
    alpha: float = 0.05,
    statistic: StatisticLike = "mean",
    resamples: int | None = None,
    seed: int = 0,
    order: Sequence[str] | None = None,
    missing: str = "raise",
) -> Intervals:
    """Compute the numbers of an interval plot, algorithms ordered by mean.

    Parameters
    ----------
    kind : {"percentile", "normal", "t", "bootstrap"}
        Where the performance lies, or how well its mean (or, by the bootstrap, any statistic) is known; see
        `podium.summaries.intervals`.
    alpha : float, default 0.05
        The intervals have confidence 1 - alpha, or contain that share of the values.
    statistic : str or function, default "mean"
        What the bootstrap is for; the other kinds are for the mean.
    resamples : int, optional
        Number of bootstrap samples, with ``kind="bootstrap"``: 2,000 by default.
    seed : int, default 0
        Seed of the bootstrap.
    """
    frame = interval_frame(
        results,
        measure,
        kind=kind,
        alpha=alpha,
        statistic=statistic,
        resamples=resamples,
        seed=seed,
        missing=missing,
    )
    table = ordered_blocks(results, measure, missing=missing, order=order)
    columns = frame.loc[list(table.algorithms)]
    return Intervals(
        **from_blocks(table),
        **floats_of(columns, "estimate", "lower", "upper"),
        kind=kind,
        alpha=alpha,
    )
