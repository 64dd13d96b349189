"""The elbow of a scree curve.

The point furthest below the chord between the ends of the curve, both axes from 0 to 1. The curve is that of the norm
of the residuals, the root of the RSS. Among points that are within one percent of the greatest distance the first is
taken: in the UCI domain (M. J. A. Eugster 2011, section 4.4) four and five archetypes differ by a tenth of that.
A curve that is nowhere below the chord by more than one percent of its height has no elbow.
``benchmarks/archetypal_analysis.py elbow`` compares with other rules.

References
----------
V. Satopää, J. Albrecht, D. Irwin, B. Raghavan (2011). Finding a "kneedle" in a haystack: detecting knee points in
system behavior. 31st International Conference on Distributed Computing Systems Workshops, 166–171.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from podium.arrays import FloatArray

RULE = "chord"
MIN_CURVE_POINTS = 3  # points of a curve that can bend
_TIED = 0.99  # distances to the chord that are at least this share of the largest are as good

_BENT = 0.01  # distance to the chord up to which the curve is as good as straight


def chord_distances(k: Sequence[int], criteria: Sequence[float]) -> FloatArray:
    """How far the root of the criterion is below the line between its ends; both axes from 0 to 1."""
    x = np.asarray(k, np.float64)
    y = np.sqrt(np.maximum(np.asarray(criteria, np.float64), 0.0))
    x = (x - x[0]) / (x[-1] - x[0])
    fall = y[0] - y[-1]
    return np.asarray(1 - x - (y - y[-1]) / fall) if fall > 0 else np.zeros_like(x)


def elbow_of(k: Sequence[int], criteria: Sequence[float]) -> int | None:
    """Return the smallest k that is about as far below the chord as any; None without an elbow, or fewer than three."""
    if len(k) < MIN_CURVE_POINTS:
        return None
    distances = chord_distances(k, criteria)
    most = float(distances.max())
    if most <= _BENT:
        return None
    return int(k[int(np.flatnonzero(distances >= _TIED * most)[0])])
