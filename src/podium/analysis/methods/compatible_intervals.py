"""Levels of intervals, and one-sided bounds, that agree with adjusted p-values as far as possible.

Intervals that hold together are Bonferroni's or Šidák's: single steps. Against one-sided alternatives Holm's step-down
procedure has bounds that agree with it: 0 for the hypotheses that it rejects, and for the others the bounds at the
level of its last step. For two-sided tests in steps there are no such intervals; a note then names the pairs that
differ although their interval contains 0.

K. Strassburger, F. Bretz (2008). Compatible simultaneous lower confidence bounds for the Holm procedure and other
Bonferroni-based closed tests. Statistics in Medicine 27, 4914–4927. — O. Guilbaud (2008). Simultaneous confidence
regions corresponding to Holm's step-down procedure and other closed-testing procedures. Biometrical Journal 50,
678–692.
"""

from __future__ import annotations

import numpy as np

from podium.analysis.methods.ranks import Tail
from podium.arrays import BoolArray, FloatArray


def interval_alpha(adjust: str, alpha: float, pairs: int) -> float:
    """Error level of each interval, given their number."""
    if adjust == "none" or pairs < 2:
        return alpha
    return float(-np.expm1(np.log1p(-alpha) / pairs)) if adjust == "sidak" else alpha / pairs


def bound_alpha(adjust: str, alpha: float, rejected: BoolArray) -> float:
    """Error level of each one-sided bound, given which hypotheses are rejected."""
    left = int((~rejected).sum())
    return alpha / left if adjust == "holm" and left else interval_alpha(adjust, alpha, len(rejected))


def compatible_bounds(
    lower: FloatArray, upper: FloatArray, rejected: BoolArray, tail: Tail, adjust: str
) -> tuple[FloatArray, FloatArray]:
    """Turn intervals at twice the level of `bound_alpha` into one-sided bounds that agree with the decisions."""
    nearest, furthest = (
        (upper, np.full(len(upper), -np.inf)) if tail == "less" else (-lower, np.full(len(lower), -np.inf))
    )
    if adjust == "holm":
        inside = np.minimum(nearest, 0.0) if rejected.all() else np.zeros(len(nearest))
        nearest = np.where(rejected, inside, nearest)
    return (furthest, nearest) if tail == "less" else (-nearest, -furthest)
