"""The paired t test."""

from __future__ import annotations

import numpy as np

from podium.analysis.methods.pairwise_test import PairOutcome, PairwiseTest, Structure
from podium.analysis.methods.student import mean_difference, sample_sd, t_outcome
from podium.arrays import FloatArray


def paired_t_test(
    differences: FloatArray, structure: Structure | None = None, *, alpha: float = 0.05, intervals: bool = True
) -> PairOutcome:
    """Student's t of each row of differences, taken as independent."""
    n = differences.shape[1]
    error = sample_sd(differences) / np.sqrt(n)
    return t_outcome(mean_difference(differences), error, n - 1, alpha)


PAIRED_T = PairwiseTest(name="t", title="paired t test", function=paired_t_test, estimand="mean")
