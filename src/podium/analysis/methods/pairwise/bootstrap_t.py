"""The bootstrap t test: means compared without the assumption of a symmetric distribution."""

from __future__ import annotations

import numpy as np

from podium.analysis.methods.pairwise.t import mean_difference, safe_ratio, sample_sd
from podium.analysis.methods.pairwise_test import PairOutcome, PairwiseTest, Structure, drawing
from podium.analysis.methods.permutation import monte_carlo_p
from podium.analysis.notes import Note
from podium.arrays import FloatArray
from podium.checks import MAX_DRAWS, check_count, random_generator
from podium.results.aggregation import power_of_two

_CHUNK = 4_000_000


@drawing
def bootstrap_t_test(
    differences: FloatArray,
    structure: Structure | None = None,
    *,
    alpha: float = 0.05,
    intervals: bool = True,
    resamples: int = 2_000,
    seed: int = 0,
) -> PairOutcome:
    """Test the mean difference by Student's t, compared with its distribution in samples drawn from the differences.

    Two-sided p-values and intervals are symmetric: they use the absolute value of t (P. Hall 1988, On symmetric
    bootstrap confidence intervals, Journal of the Royal Statistical Society B 50, 35–45). Unlike the signed rank test
    this does not assume that the differences are symmetric; it needs a variance, and some 30 blocks where they are
    skewed.
    """
    check_count(resamples, "resamples", most=MAX_DRAWS)
    pairs, n = differences.shape
    mean, error = mean_difference(differences), sample_sd(differences) / np.sqrt(n)
    statistic = safe_ratio(mean, error)
    slack = np.where(np.isfinite(statistic), 1e-9 * np.maximum(np.abs(statistic), 1.0), 0.0)  # equal up to rounding
    less, greater, both = np.zeros(pairs, np.int64), np.zeros(pairs, np.int64), np.zeros(pairs, np.int64)
    most = int(np.floor(alpha * (resamples + 1) - 1 + 1e-9))  # this many may be as extreme where the test rejects
    largest = np.empty((0, pairs))
    centred = (differences - differences.mean(axis=1, keepdims=True)) / power_of_two(differences)
    rng = random_generator(seed)
    step = max(1, _CHUNK // max(n, pairs))
    for start in range(0, resamples, step):
        weights = rng.multinomial(n, np.full(n, 1 / n), min(step, resamples - start)).astype(float)
        drawn = weights @ centred.T / n
        variance = (weights @ (centred**2).T / n - drawn**2) / (n - 1)
        spread = (centred**2).mean(axis=1)
        drawn_t = safe_ratio(
            np.where(np.abs(drawn) > 1e-12, drawn, 0.0), np.sqrt(np.where(variance > 1e-12 * spread, variance, 0.0))
        )
        less += (drawn_t <= statistic + slack).sum(axis=0)
        greater += (drawn_t >= statistic - slack).sum(axis=0)
        both += (np.abs(drawn_t) >= np.abs(statistic) - slack).sum(axis=0)
        if most >= 0:
            largest = np.sort(np.concatenate([largest, np.abs(drawn_t)]), axis=0)[-most - 1 :]
    equal = (mean == 0) & (error == 0)
    one, other, two = (np.where(equal, 1.0, monte_carlo_p(count, resamples)) for count in (less, greater, both))
    reach = largest[0] if most >= 0 else np.full(pairs, np.inf)
    half = np.where(error > 0, reach * np.where(error > 0, error, 1.0), 0.0)
    rounding = np.where(np.isfinite(half), 1e-9 * half, 0.0)
    lower, upper = (np.where(np.abs(end) <= rounding, 0.0, end) for end in (mean - half, mean + half))
    return PairOutcome(
        estimate=mean,
        statistic=statistic,
        less=one,
        greater=other,
        two_sided=two,
        lower=lower,
        upper=upper,
        details={"resamples": resamples},
        notes=(
            Note("random draws", draws=resamples, of="resamples", p=0.05, error=float(np.sqrt(0.0475 / resamples))),
        ),
    )


BOOTSTRAP_T = PairwiseTest(
    name="bootstrap t", title="paired bootstrap t test", function=bootstrap_t_test, estimand="mean"
)
