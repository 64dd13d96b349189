"""Box plot: the five-number summary of each algorithm, and outliers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from podium.analysis.blocks import Blocks, ordered_blocks
from podium.arrays import FloatArray, IntArray
from podium.checks import check_count, is_number, record, shown
from podium.errors import InputError
from podium.plot.figures.numbers import (
    MAX_MARKS,
    FigureNumbers,
    columns_of,
    evenly,
    from_blocks,
    means_of,
    panel,
    quartiles_of,
)
from podium.results import Results

__all__ = ["Box", "box"]

LONGEST_REACH = 1_000_000


@record(eq=False, kw_only=True)
class Box(FigureNumbers):
    """Numbers of a box plot.

    Attributes
    ----------
    quartiles : ndarray of float, shape (algorithms, 3)
        25%, 50% and 75%.
    whiskers : ndarray of float, shape (algorithms, 2)
        The outermost values within `reach` interquartile ranges of the box (Tukey 1977).
    means : ndarray of float
    outlier_algorithm, outlier_value : ndarray
        Position of the algorithm, and value, of each value beyond the whiskers.
    outliers : int
        How many there are; more than are given if these were thinned.
    reach : float
    """

    quartiles: FloatArray
    whiskers: FloatArray
    means: FloatArray
    outlier_algorithm: IntArray
    outlier_value: FloatArray
    outliers: int
    reach: float


@panel
def box(
    results: Results,
    measure: str | None = None,
    *,
    reach: float = 1.5,
    order: Sequence[str] | None = None,
    most: int = MAX_MARKS,
    missing: str = "raise",
) -> Box:
    """Compute the numbers of a box plot, algorithms ordered by mean.

    Parameters
    ----------
    reach : float, default 1.5
        Longest whiskers, in interquartile ranges; values beyond them are outliers.
    """
    if not is_number(reach) or not 0 <= reach <= LONGEST_REACH:
        raise InputError(f"`reach` must be a number from 0 to {LONGEST_REACH:,}; got {shown(reach)}.")
    check_count(most, "most")
    return box_of(ordered_blocks(results, measure, missing=missing, order=order), reach, most)


def box_of(table: Blocks, reach: float = 1.5, most: int = MAX_MARKS) -> Box:
    """Compute the numbers of a box plot of a table, with its algorithms in their order."""
    columns = columns_of(table.values)
    each = max(2, most // len(columns))
    quartiles, whiskers, outside = [], [], []
    for column in columns:
        quartiles.append(quartiles_of(column))
        if not len(column):
            whiskers.append(np.full(2, np.nan))
            outside.append(column)
            continue
        low, _, high = quartiles[-1]
        far = reach * (high - low)
        near = column[(column >= low - far) & (column <= high + far)]
        whiskers.append(np.array([min(near[0], low), max(near[-1], high)]))
        outside.append(column[(column < low - far) | (column > high + far)])
    marked = [some[evenly(len(some), each)] for some in outside]
    return Box(
        **from_blocks(table),
        quartiles=np.array(quartiles),
        whiskers=np.array(whiskers),
        means=means_of(columns),
        outlier_algorithm=np.repeat(np.arange(len(columns)), [len(some) for some in marked]),
        outlier_value=np.concatenate(marked),
        outliers=int(sum(len(some) for some in outside)),
        reach=float(reach),
    )
