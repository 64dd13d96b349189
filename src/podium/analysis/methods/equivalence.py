"""Equivalence: whether the mean difference lies in an area, by one interval for it, whatever tests the difference.

The area is in the units of the measure, and so must be what is compared with it. Where many blocks are tied, the median
difference and the Hodges–Lehmann estimate are 0 however large the mean difference is.

Levels of intervals, and one-sided bounds, agree with adjusted p-values as far as possible. Intervals that hold together
are Bonferroni's or Šidák's: single steps. Against one-sided alternatives Holm's step-down procedure has bounds that
agree with it: 0 for the hypotheses that it rejects, and for the others the bounds at the level of its last step. For
two-sided tests in steps there are no such intervals; a note then names the pairs that differ although their interval
contains 0.

K. Strassburger, F. Bretz (2008). Compatible simultaneous lower confidence bounds for the Holm procedure and other
Bonferroni-based closed tests. Statistics in Medicine 27, 4914–4927. — O. Guilbaud (2008). Simultaneous confidence
regions corresponding to Holm's step-down procedure and other closed-testing procedures. Biometrical Journal 50,
678–692.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import stdtr, stdtrit

from podium.analysis.blocks import Blocks
from podium.analysis.methods.ranks import Tail
from podium.analysis.pairs import both_ways
from podium.analysis.procedure import Request
from podium.arrays import BoolArray, FloatArray
from podium.results.aggregation import power_of_two, sample_deviation


def mean_interval(differences: FloatArray, alpha: float) -> tuple[FloatArray, FloatArray]:
    r"""Interval for the mean of each row: Student's, with an end farther out where the skewness calls for it.

    Differences that are often 0 are skewed, and Student's interval ends too early on the side of the longer tail. There
    Hall's transformation moves it. With :math:`q` the sample skewness over :math:`\sqrt n`,
    :math:`T + q T^2/3 + q^2 T^3/27 + q/6` has about the distribution that :math:`T` has without skewness. NaN are
    values that are missing; the interval of fewer than two is NaN, and that of equal values has no width.

    P. Hall (1992). On the removal of skewness by transformation. Journal of the Royal Statistical Society B 54,
    221–228.
    """
    mean, error, df, skewness = _moments(differences)
    reach = np.asarray(stdtrit(df, 1 - alpha / 2), float)

    def turned_back(deviate: FloatArray) -> FloatArray:
        shifted = deviate - skewness / 6
        root = np.cbrt(1 + skewness * shifted)
        return np.asarray(3 * shifted / (root**2 + root + 1))

    lower: FloatArray = mean - np.maximum(reach, turned_back(reach)) * error
    upper: FloatArray = mean - np.minimum(-reach, turned_back(-reach)) * error
    return lower, upper


def mean_above_pvalues(differences: FloatArray, origin: float, ratio: float = 0.0) -> FloatArray:
    """P-values of each row against a mean of at most `origin`: the level at which `mean_interval` excludes it.

    NaN for fewer than two values, and for equal ones, which show no spread. `ratio` is the size of the test sample over
    that of the learning sample where learning samples overlap, as in the corrected t test.
    """
    mean, error, df, skewness = _moments(differences)
    error = error * np.sqrt(1 + (df + 1) * ratio)
    t = np.divide(mean - origin, error, out=np.full(len(mean), np.nan), where=error > 0)
    t = np.clip(t, -1e50, 1e50)  # so that the terms of its transformation have a sum
    transformed = t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6
    return np.asarray(np.maximum(stdtr(df, -t), stdtr(df, -transformed)))


def mean_in_area_pvalues(differences: FloatArray, area: tuple[float, float]) -> FloatArray:
    """P-values of two one-sided tests: the mean of each row is above the lower end of the area, and below the upper.

    D. J. Schuirmann (1987). A comparison of the two one-sided tests procedure and the power approach for assessing
    the equivalence of average bioavailability. Journal of Pharmacokinetics and Biopharmaceutics 15, 657–680.
    """
    return np.maximum(mean_above_pvalues(differences, area[0]), mean_above_pvalues(-differences, -area[1]))


def mean_in_area_chances(differences: FloatArray, area: tuple[float, float], ratio: float = 0.0) -> FloatArray:
    """Probability that the mean of each row lies in an area: what the p-values of its two ends leave; 1 if all are 0.

    Without skewness it is that of Student's posterior under a flat prior. NaN for equal values other than 0.
    """
    below = mean_above_pvalues(differences, area[0], ratio)
    above = mean_above_pvalues(-differences, -area[1], ratio)
    return np.where((differences == 0).all(axis=1), 1.0, np.maximum(1 - below - above, 0.0))


def mean_equivalence(request: Request, blocks: Blocks, adjust: str) -> dict[str, Any]:
    """Fields of a comparison that say whether the mean differences lie in the area of equivalence, if there is one."""
    if request.equivalence is None:
        return {}
    differences = blocks.differences(*blocks.pairs(request.control))
    tested = int(((~np.isnan(differences)).sum(axis=1) >= 2).sum())
    area = request.equivalence if request.control is not None else both_ways(request.equivalence)
    return {
        "equivalence_interval": mean_interval(differences, interval_alpha(adjust, request.alpha, tested)),
        "equivalence_pvalue": mean_in_area_pvalues(differences, area),
    }


def _moments(differences: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Mean of each row, its standard error and degrees of freedom, and the skewness over the root of the number."""
    unit = power_of_two(differences)
    values = np.sort(differences / unit, axis=1)  # sums do not depend on the order of the blocks
    there = ~np.isnan(values)
    n = there.sum(axis=1)
    sd = sample_deviation(values, axis=1)
    values = np.where(there, values, 0.0)
    mean = values.sum(axis=1) / np.maximum(n, 1)
    sd = np.where(sd <= 1e-12 * np.abs(values).max(axis=1), 0.0, sd)
    cubes = np.where(there, values - mean[:, None], 0.0) ** 3
    scale = sd**3 * n**1.5
    skewness = np.divide(cubes.sum(axis=1), scale, out=np.zeros(len(n)), where=scale > 0)
    return mean * unit[:, 0], sd / np.sqrt(np.maximum(n, 1)) * unit[:, 0], n - 1.0, skewness


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
