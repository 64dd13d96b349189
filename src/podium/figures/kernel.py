"""Kernel density estimates on a grid, fast for any number of values."""

from __future__ import annotations

import numpy as np

from podium.arrays import FloatArray


def bandwidth(values: FloatArray, smallest: float) -> float:
    """Bandwidth by Silverman's rule of thumb (1986, eq. 3.31): 0.9 · min(SD, IQR / 1.34) · n^(-1/5).

    Where the quartiles coincide the SD alone decides; `smallest` is a lower bound for values that hardly vary.
    """
    if len(values) < 2:
        return smallest
    sd = float(np.std(values, ddof=1))
    low, high = np.quantile(values, [0.25, 0.75])
    spread = min(sd, float(high - low) / 1.34) or sd
    return max(0.9 * spread / float(len(values) ** 0.2), smallest)


def density(values: FloatArray, grid: FloatArray, width: float) -> FloatArray:
    """Gaussian kernel density estimate on an evenly spaced grid that covers the values.

    Values are spread linearly over the two grid points around them (Wand & Jones 1995, appendix D), then the grid
    is convolved with the kernel; on a grid of 512 points the error is far below what a drawing shows.
    """
    step = grid[1] - grid[0]
    where = (values - grid[0]) / step
    left = np.clip(np.floor(where).astype(int), 0, len(grid) - 2)
    share = where - left
    mass = np.bincount(left, 1 - share, len(grid)) + np.bincount(left + 1, share, len(grid))
    reach = min(int(np.ceil(5 * width / step)), len(grid) - 1)
    offsets = np.arange(-reach, reach + 1) * step
    kernel = np.exp(-0.5 * (offsets / width) ** 2)
    kernel /= kernel.sum() * step
    return np.convolve(mass / len(values), kernel)[reach : reach + len(grid)]
