"""Strip plot: every single value of every algorithm."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from podium.analysis.blocks import ordered_blocks
from podium.arrays import FloatArray, IntArray
from podium.checks import check_count, record
from podium.plot.figures.density import scaled_densities
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
from podium.results import Results

__all__ = ["Strip", "strip"]


@record(eq=False, kw_only=True)
class Strip(FigureNumbers):
    """Numbers of a strip plot.

    Attributes
    ----------
    algorithm : ndarray of int
        Position of the algorithm of each dot.
    value : ndarray of float
        Its value.
    offset : ndarray of float
        How far it is moved aside, within (-1, 1), so dots at equal values do not hide each other: further, the more
        values there are around it. No random numbers are used.
    means : ndarray of float
        Mean of each algorithm.
    dots : int
        Number of values; more than there are dots if these were thinned.
    """

    algorithm: IntArray
    value: FloatArray
    offset: FloatArray
    means: FloatArray
    dots: int


@panel
def strip(
    results: Results,
    measure: str | None = None,
    *,
    order: Sequence[str] | None = None,
    most: int = MAX_MARKS,
    missing: str = "raise",
) -> Strip:
    """Compute the numbers of a strip plot, algorithms ordered by mean."""
    check_count(most, "most")
    table = ordered_blocks(results, measure, missing=missing, order=order)
    columns = columns_of(table.values)
    each = max(2, most // len(columns))
    chosen = [column[evenly(len(column), each)] for column in columns]
    density = scaled_densities(columns, chosen, logarithmic=table.measure.scale == "log")
    offsets = [(2 * van_der_corput(len(some)) - 1) * height for some, height in zip(chosen, density, strict=True)]
    return Strip(
        **from_blocks(table),
        algorithm=np.repeat(np.arange(len(columns)), [len(some) for some in chosen]),
        value=np.concatenate(chosen),
        offset=np.concatenate(offsets),
        means=means_of(columns),
        dots=int(sum(len(column) for column in columns)),
    )
