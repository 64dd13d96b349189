"""Free step-down adjustment: single-step tests of ever smaller families."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from podium.analysis.simultaneous.contrasts import contrast_correlation, unit_rows
from podium.analysis.simultaneous.quasi_monte_carlo import directions, radius_sf
from podium.arrays import FloatArray

_MAX_WORK = 1 << 27
_TABLE = 2049


def step_down(
    contrasts: npt.ArrayLike,
    covariance: npt.ArrayLike,
    statistic: npt.ArrayLike,
    df: npt.ArrayLike = np.inf,
    *,
    seed: int = 0,
) -> FloatArray:
    """Adjusted p-values of the step-down procedure (as Holm's) that uses the joint distribution.

    The largest statistic is compared with the maximum of all, the next with the maximum of those that remain, and
    so on (Romano and Wolf 2005; Westfall and Young 1993). The p-values are never larger than the single-step ones, and
    the family-wise error is controlled as well.

    Parameters
    ----------
    contrasts, covariance
        As for `max_abs_contrasts`.
    statistic : array_like
        One statistic per contrast.
    df : array_like, default ∞
        Degrees of freedom, one for all or one per statistic.
    seed : int
        Seed of the quasi-random directions.
    """
    rows = unit_rows(contrast_correlation(np.atleast_2d(np.asarray(contrasts, float)), np.asarray(covariance, float)))
    size, df = np.broadcast_arrays(np.abs(np.asarray(statistic, float)), np.asarray(df, float))
    order = np.argsort(-size, kind="stable")
    dimension = rows.shape[1]
    points = 1 << int(np.clip(np.log2(_MAX_WORK / len(rows)), 12, 17))
    projected = np.abs(directions(points, dimension, seed, 0) @ rows[order].T)
    # Position j: the maximum over the statistics from the j-th largest down.
    remaining = np.maximum.accumulate(projected[:, ::-1], axis=1)[:, ::-1]
    grid = np.linspace(0, 1, _TABLE)[1:]
    adjusted = np.empty(len(rows))
    for j, which in enumerate(order):
        table = radius_sf(size[which] / grid, np.full(len(grid), df[which]), dimension)
        adjusted[j] = np.interp(remaining[:, j], grid, table).mean()
    out = np.empty(len(rows))
    out[order] = np.minimum(np.maximum.accumulate(adjusted), 1.0)
    return out
