"""The paired permutation t test: random signs of the differences."""

from __future__ import annotations

import numpy as np

from podium.analysis.inference.pairwise.t import paired_t_test
from podium.analysis.inference.pairwise_test import PairOutcome, PairwiseTest, Structure, two_sided_from
from podium.analysis.inference.permutation import monte_carlo_p
from podium.analysis.inference.student import mean_difference
from podium.analysis.notes import Note
from podium.arrays import FloatArray, Int64Array
from podium.checks import MOST_DRAWS, check_count, random_generator

_ALL_SIGNS = 14  # up to here all 2^n signs are tried
_CHUNK = 4_000_000


def permutation_t_test(
    differences: FloatArray,
    structure: Structure | None = None,
    *,
    alpha: float = 0.05,
    intervals: bool | None = None,
    permutations: int = 10_000,
    seed: int = 0,
) -> PairOutcome:
    """Test the mean difference by random signs: which of the two algorithms is a is a coin toss in every block.

    All 2^n signs up to 14 blocks, random ones beyond. The interval is Student's. As a t statistic orders the signs
    in the same way as the mean does, this is the permutation version of the paired t test.
    """
    check_count(permutations, "permutations", most=MOST_DRAWS)
    n = differences.shape[1]
    observed = mean_difference(differences)
    low, high, tried = _sign_counts(differences, permutations, seed)
    exact = n <= _ALL_SIGNS
    less, greater = (low / tried, high / tried) if exact else (monte_carlo_p(low, tried), monte_carlo_p(high, tried))
    student = paired_t_test(differences, alpha=alpha)
    note = Note("random signs", signs=tried, error=float(np.sqrt(0.0475 / tried)))
    return PairOutcome(
        estimate=observed,
        statistic=student.statistic,
        less=less,
        greater=greater,
        two_sided=two_sided_from(less, greater),
        lower=student.lower,
        upper=student.upper,
        details={"exact": exact, "signs": tried},
        notes=(Note("exact signs") if exact else note,),
    )


def _sign_counts(differences: FloatArray, permutations: int, seed: int) -> tuple[Int64Array, Int64Array, int]:
    """How many sign patterns give a sum at most, and at least, as large as the observed one."""
    pairs, n = differences.shape
    observed = differences.sum(axis=1)
    slack = 1e-9 * np.abs(differences).sum(axis=1)
    low, high = np.zeros(pairs, np.int64), np.zeros(pairs, np.int64)
    rng = random_generator(seed)
    total = 2**n if n <= _ALL_SIGNS else permutations
    step = max(1, _CHUNK // max(n, pairs))
    for start in range(0, total, step):
        size = min(step, total - start)
        if n <= _ALL_SIGNS:
            bits = (np.arange(start, start + size)[:, None] >> np.arange(n)) & 1
        else:
            bits = rng.integers(0, 2, size=(size, n), dtype=np.int8)
        sums = (2.0 * bits - 1.0) @ differences.T
        low += (sums <= observed + slack).sum(axis=0)
        high += (sums >= observed - slack).sum(axis=0)
    return low, high, total


PERMUTATION_T = PairwiseTest(
    name="permutation t", title="paired permutation t test", function=permutation_t_test, estimand="mean"
)
