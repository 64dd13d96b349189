"""Computation times on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from podium.analysis.blocks import ordered_blocks
from podium.arrays import FloatArray, IntArray
from podium.checks import check_count, expect, record
from podium.errors import InputError, join_names
from podium.plot.figures.numbers import (
    MAX_MARKS,
    FigureNumbers,
    columns_of,
    evenly,
    from_blocks,
    means_of,
    panel,
    van_der_corput,
)
from podium.results import MeasureInfo, Results

__all__ = ["Time", "time"]

TIME_WORDS = ("time", "second", "secs", "elapsed", "duration", "latency")
TIME_UNITS = ("s", "sec", "seconds", "ms", "min", "h")


@record(eq=False, kw_only=True)
class Time(FigureNumbers):
    """Numbers of a plot of computation times.

    Attributes
    ----------
    algorithm, value, offset : ndarray
        The dots, as in `Strip`. Values that are not above 0 (the clock was too coarse) are drawn at `floor`.
    means, medians : ndarray of float
    floor : float or None
        Where values that cannot be shown on a logarithmic axis are drawn: at half the smallest value above 0.
    floored : int
        How many values are drawn there.
    dots : int
        Number of values; more than there are dots if these were thinned.
    """

    algorithm: IntArray
    value: FloatArray
    offset: FloatArray
    means: FloatArray
    medians: FloatArray
    floor: float | None
    floored: int
    dots: int

    @property
    def logarithmic(self) -> bool:
        """Always."""
        return True


@panel
def time(
    results: Results,
    measure: str | None = None,
    *,
    order: Sequence[str] | None = None,
    most: int = MAX_MARKS,
    missing: str = "raise",
) -> Time:
    """Compute the numbers of a plot of computation times, the fastest mean first.

    Parameters
    ----------
    measure : str, optional
        The measure; by default the only one that is known to be a time.
    """
    check_count(most, "most")
    table = ordered_blocks(results, time_measure(results) if measure is None else measure, missing=missing, order=order)
    columns = columns_of(table.values)
    pooled = np.concatenate(columns)
    above = pooled[pooled > 0]
    if not len(above):
        raise InputError(f"`measure={table.measure.name!r}` has no value above 0 to show on a logarithmic axis.")
    floor = float(above.min()) / 2
    each = max(2, most // len(columns))
    chosen = [np.maximum(column, floor)[evenly(len(column), each)] for column in columns]
    floored = int((pooled <= 0).sum())
    return Time(
        **from_blocks(table),
        algorithm=np.repeat(np.arange(len(columns)), [len(some) for some in chosen]),
        value=np.concatenate(chosen),
        offset=np.concatenate([2 * van_der_corput(len(some)) - 1 for some in chosen]),
        means=means_of(columns),
        medians=np.array([np.median(column) if len(column) else np.nan for column in columns]),
        floor=floor if floored else None,
        floored=floored,
        dots=len(pooled),
    )


def time_measure(results: Results) -> str:
    """Find the one measure that is a time."""
    found = [info.name for info in expect(results, Results, "results").measures if is_time(info)]
    if len(found) != 1:
        what = f"several are times: {join_names(found)}" if found else "none is known to be a time"
        raise InputError(f"Say which `measure` is the time; of {join_names(results.measure_names, most=12)} {what}.")
    return found[0]


def is_time(info: MeasureInfo) -> bool:
    """Find out whether a measure is a time, by its units, or by its scale and name."""
    named = any(word in info.name.lower() for word in TIME_WORDS)
    return info.units in TIME_UNITS or (named and info.scale == "log")
