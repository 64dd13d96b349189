"""Bootstrap of a statistic: draw blocks with replacement, the same for all algorithms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from podium.arrays import FloatArray
from podium.checks import check_count, random_generator
from podium.errors import MissingCellsError

CELLS_AT_ONCE = 4_000_000  # 32 MB of float


def bootstrap(
    values: FloatArray, reduce: Callable[[FloatArray], FloatArray], *, resamples: int, seed: int
) -> FloatArray:
    """Compute a statistic on resampled blocks.

    Parameters
    ----------
    values : ndarray of float, shape (blocks, algorithms)
    reduce : callable
        From an array to the statistic along its first axis.
    resamples : int
    seed : int

    Returns
    -------
    ndarray of float, shape (resamples, algorithms)
    """
    check_count(resamples, "resamples")
    random = random_generator(seed)
    if np.isnan(values).any():
        raise MissingCellsError("The bootstrap draws whole blocks; use missing='drop-block' or 'worst-value'.")
    n, k = values.shape
    draws = np.empty((resamples, k))
    step = max(1, CELLS_AT_ONCE // (n * k))
    for start in range(0, resamples, step):
        stop = min(start + step, resamples)
        drawn = random.integers(0, n, size=(stop - start, n)).T
        draws[start:stop] = reduce(values[drawn])
    return draws


def percentile_ends(draws: FloatArray, alpha: float) -> tuple[FloatArray, FloatArray]:
    """Take the ends of percentile intervals, as order statistics of the rows.

    With n rows these are the ⌈nα/2⌉-th and the ⌈n(1-α/2)⌉-th value: the percentile interval of Efron and Tibshirani
    (1993, chapter 13), as in Eugster (2011), section 2.1.
    """
    n = len(draws)
    tail = alpha / 2
    ordered = np.sort(draws, axis=0)
    return ordered[_position(n * tail)], ordered[_position(n * (1 - tail))]


def _position(rank: float) -> int:
    """Turn a rank into an index; a whole number that rounding has pushed up a little is not rounded up again."""
    return max(int(np.ceil(np.round(rank, 9))) - 1, 0)
