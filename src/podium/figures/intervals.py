"""Interval plot: one interval per algorithm, to see which overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from podium.analysis.blocks import ordered_blocks
from podium.analysis.describe.intervals import Kind
from podium.analysis.describe.intervals import intervals as interval_frame
from podium.analysis.describe.statistic import Phi
from podium.arrays import FloatArray
from podium.figures.numbers import FigureNumbers
from podium.results import Results


@dataclass(frozen=True, eq=False, kw_only=True)
class Intervals(FigureNumbers):
    """Numbers of an interval plot.

    Attributes
    ----------
    estimate, lower, upper : ndarray of float
    kind : {"percentile", "normal", "t", "bootstrap"}
    level : float
    legend : str
        What the intervals are.
    """

    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    kind: Kind
    level: float
    legend: str


def intervals(
    results: Results,
    measure: str | None = None,
    *,
    kind: Kind = "percentile",
    level: float = 0.95,
    statistic: Phi = "mean",
    resamples: int = 2000,
    seed: int = 0,
    order: Sequence[str] | None = None,
    missing: str = "raise",
) -> Intervals:
    """Compute the numbers of an interval plot, algorithms ordered by mean.

    For the arguments see `podium.summaries.intervals`.
    """
    frame = interval_frame(
        results,
        measure,
        kind=kind,
        level=level,
        statistic=statistic,
        resamples=resamples,
        seed=seed,
        missing=missing,
    )
    table = ordered_blocks(results, measure, missing=missing, order=order)
    frame = frame.loc[list(table.algorithms)]
    return Intervals.of(
        table,
        estimate=frame["estimate"].to_numpy(float, copy=True),
        lower=frame["lower"].to_numpy(float, copy=True),
        upper=frame["upper"].to_numpy(float, copy=True),
        kind=kind,
        level=level,
        legend=frame.attrs["legend"]["lower"].removeprefix("lower end of the "),
    )
