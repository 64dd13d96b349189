"""Histograms of the performance distributions, with bins common to all algorithms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from podium.analysis.blocks import ordered_blocks
from podium.arrays import FloatArray, IntArray
from podium.checks import check_count, record
from podium.plot.figures.numbers import FigureNumbers, columns_of, from_blocks, means_of, panel
from podium.results import Results

__all__ = ["Histogram", "histogram"]

MIN_BINS, MAX_BINS = 8, 60


@record(eq=False, kw_only=True)
class Histogram(FigureNumbers):
    """Numbers of histograms.

    Attributes
    ----------
    edges : ndarray of float, shape (bins + 1,)
    counts : ndarray of int, shape (algorithms, bins)
    means : ndarray of float
    """

    edges: FloatArray
    counts: IntArray
    means: FloatArray


@panel
def histogram(
    results: Results,
    measure: str | None = None,
    *,
    bins: int | None = None,
    order: Sequence[str] | None = None,
    missing: str = "raise",
) -> Histogram:
    """Compute the numbers of histograms, algorithms ordered by mean.

    Parameters
    ----------
    bins : int, optional
        Number of bins; by default from the rule of Freedman and Diaconis (1981) for the algorithm that varies
        least, between 8 and 60.
    """
    if bins is not None:
        check_count(bins, "bins", most=10_000)
    table = ordered_blocks(results, measure, missing=missing, order=order)
    columns = columns_of(table.values)
    logarithmic = table.measure.scale == "log" and all((column > 0).all() for column in columns)
    scaled = [np.log10(column) if logarithmic else column for column in columns]
    pooled = np.concatenate(scaled)
    low, high = float(pooled.min()), float(pooled.max())
    if low == high:
        low, high = low - (abs(low) or 1.0) * 0.05, high + (abs(high) or 1.0) * 0.05
    edges = np.linspace(low, high, (bins or _bins(scaled, high - low)) + 1)
    return Histogram(
        **from_blocks(table),
        edges=10**edges if logarithmic else edges,
        counts=np.array([np.histogram(column, edges)[0] for column in scaled]),
        means=means_of(columns),
    )


def _bins(columns: list[FloatArray], span: float) -> int:
    widths = []
    for column in columns:
        if len(column) > 1:
            low, high = np.quantile(column, [0.25, 0.75])
            widths.append(2 * (high - low) * len(column) ** (-1 / 3))
    narrow = min((width for width in widths if width > 0), default=span / MIN_BINS)
    return int(np.clip(np.ceil(span / narrow), MIN_BINS, MAX_BINS))
