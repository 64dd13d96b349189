"""The elbow of a scree curve."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from podium.arrays import FloatArray

RULE = "chord"
_TIED = 0.99  # distances to the chord that are at least this share of the largest are as good


def chord_distances(k: Sequence[int], criteria: Sequence[float]) -> FloatArray:
    """How far the root of the criterion is below the line between its ends; both axes from 0 to 1."""
    x = np.asarray(k, np.float64)
    y = np.sqrt(np.maximum(np.asarray(criteria, np.float64), 0.0))
    x = (x - x[0]) / (x[-1] - x[0])
    fall = y[0] - y[-1]
    return np.asarray(1 - x - (y - y[-1]) / fall) if fall > 0 else np.zeros_like(x)


def elbow_of(k: Sequence[int], criteria: Sequence[float]) -> int | None:
    """Return the smallest k that is about as far below the chord as any; None with fewer than three."""
    if len(k) < 3:
        return None
    distances = chord_distances(k, criteria)
    most = float(distances.max())
    if most <= 0:
        return int(k[0])
    return int(k[int(np.flatnonzero(distances >= _TIED * most)[0])])
