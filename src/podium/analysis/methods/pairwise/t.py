"""The paired t test, and Student's t of many rows of paired differences at once."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr, stdtrit

from podium.analysis.methods.pairwise_test import PairOutcome, PairwiseTest, Structure, two_sided_from
from podium.arrays import FloatArray
from podium.results.aggregation import sample_deviation


def t_outcome(mean: FloatArray, error: FloatArray, df: int, alpha: float) -> PairOutcome:
    """Turn means and standard errors into tests; without any variance a difference other than 0 is certain."""
    statistic = safe_ratio(mean, error)
    level = 1 - alpha
    half = stdtrit(df, (1 + level) / 2) * error
    less, greater = stdtr(df, statistic), stdtr(df, -statistic)
    same = (mean == 0) & (error == 0)
    less, greater = np.where(same, 1.0, less), np.where(same, 1.0, greater)
    return PairOutcome(
        estimate=mean,
        statistic=statistic,
        less=less,
        greater=greater,
        two_sided=two_sided_from(less, greater),
        lower=mean - half,
        upper=mean + half,
        df=np.full(len(mean), float(df)),
    )


def mean_difference(differences: FloatArray) -> FloatArray:
    """Mean of each row; exactly 0 where only rounding errors are left, so that they never order equal algorithms."""
    mean = differences.mean(axis=1)
    noise = 16 * np.finfo(float).eps * np.abs(differences).mean(axis=1)
    return np.where(np.abs(mean) <= noise, 0.0, mean)


def safe_ratio(top: FloatArray, bottom: FloatArray) -> FloatArray:
    """Divide; a number over zero is infinite, and zero over zero is zero."""
    safe = np.where(bottom > 0, bottom, 1.0)
    return np.where(bottom > 0, top / safe, np.where(top == 0, 0.0, np.copysign(np.inf, top)))


def sample_sd(differences: FloatArray) -> FloatArray:
    """Sample standard deviation of each row; exactly 0 where all differences are equal up to rounding."""
    deviation = sample_deviation(differences, axis=1)
    negligible = deviation <= 1e-12 * np.abs(differences).max(axis=1)
    return np.where(negligible, 0.0, deviation)


def paired_t_test(
    differences: FloatArray, structure: Structure | None = None, *, alpha: float = 0.05, intervals: bool = True
) -> PairOutcome:
    """Student's t of each row of differences, taken as independent."""
    n = differences.shape[1]
    error = sample_sd(differences) / np.sqrt(n)
    return t_outcome(mean_difference(differences), error, n - 1, alpha)


PAIRED_T = PairwiseTest(name="t", title="paired t test", function=paired_t_test, estimand="mean")
