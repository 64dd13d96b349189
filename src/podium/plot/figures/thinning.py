"""Thinning: a bounded number of marks that still shows the whole range."""

from __future__ import annotations

import numpy as np

from podium.arrays import FloatArray, IntArray

MAX_MARKS = 12_000


def evenly(n: int, most: int) -> IntArray:
    """Choose at most `most` of n ordered items, evenly spread, the first and the last among them.

    >>> evenly(7, 3)
    array([0, 3, 6])
    """
    if n <= most:
        return np.arange(n)
    if most == 1:
        return np.array([n // 2])
    return np.round(np.linspace(0, n - 1, most)).astype(np.int64)


def van_der_corput(n: int) -> FloatArray:
    """First n numbers of the van der Corput sequence in base 2: evenly spread in (0, 1), in no visible order.

    >>> van_der_corput(4)
    array([0.5  , 0.25 , 0.75 , 0.125])
    """
    index = np.arange(1, n + 1)
    result = np.zeros(n)
    weight = 0.5
    while index.any():
        result += weight * (index & 1)
        index >>= 1
        weight /= 2
    return result
