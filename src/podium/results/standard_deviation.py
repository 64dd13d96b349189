"""Standard deviations of numbers of any size."""

from __future__ import annotations

import numpy as np

from podium.arrays import FloatArray


def power_of_two(values: FloatArray, axis: int = 1) -> FloatArray:
    """Return the largest power of two that is not above the largest size along an axis; 1 where all are 0.

    Values divided by it lose no digit, and their squares neither vanish nor overflow.
    """
    size = np.abs(values).max(axis=axis, initial=0.0, where=~np.isnan(values), keepdims=True)
    unit: FloatArray = np.ldexp(1.0, np.frexp(np.where(size > 0, size, 1.0))[1] - 1)
    return unit


def sample_deviation(values: FloatArray, axis: int = 0) -> FloatArray:
    """Return the standard deviation with n - 1 along an axis, without missing values; NaN for fewer than two."""
    unit = power_of_two(values, axis)
    n = np.sum(~np.isnan(values), axis=axis, keepdims=True)
    scaled = values / unit
    centred = scaled - np.nansum(scaled, axis=axis, keepdims=True) / np.maximum(n, 1)
    squares = np.nansum(centred**2, axis=axis, keepdims=True)
    variance = np.divide(squares, n - 1, out=np.full(n.shape, np.nan), where=n > 1)
    deviation: FloatArray = (np.sqrt(variance) * unit).squeeze(axis)
    return deviation
