"""Bootstrap of a statistic: draw blocks with replacement, the same for all algorithms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from podium.arrays import FloatArray
from podium.errors import InputError, MissingCellsError

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
    if resamples < 1:
        raise InputError(f"`resamples` must be 1 or greater; got {resamples!r}.")
    if np.isnan(values).any():
        raise MissingCellsError("The bootstrap draws whole blocks; use missing='drop-block' or 'worst-value'.")
    n, k = values.shape
    random = np.random.default_rng(seed)
    draws = np.empty((resamples, k))
    step = max(1, CELLS_AT_ONCE // (n * k))
    for start in range(0, resamples, step):
        stop = min(start + step, resamples)
        drawn = random.integers(0, n, size=(stop - start, n)).T
        draws[start:stop] = reduce(values[drawn])
    return draws


def percentile_ends(draws: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Take the ends of percentile intervals, as order statistics of the rows.

    With n rows and α = (1 - level) / 2 these are the ⌈nα⌉-th and the ⌈n(1-α)⌉-th value: the percentile interval of
    Efron and Tibshirani (1993, chapter 13), as in Eugster (2011), section 2.1.
    """
    n = len(draws)
    tail = (1 - level) / 2
    ordered = np.sort(draws, axis=0)
    return ordered[_position(n * tail)], ordered[_position(n * (1 - tail))]


def _position(rank: float) -> int:
    """Turn a rank into an index; a whole number that rounding has pushed up a little is not rounded up again."""
    return max(int(np.ceil(np.round(rank, 9))) - 1, 0)


def check_level(level: float) -> None:
    """Refuse a level outside (0, 1)."""
    if not 0 < level < 1:
        raise InputError(f"`level` must lie between 0 and 1; got {level!r}.")
