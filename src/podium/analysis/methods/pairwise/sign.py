"""The sign test, for many pairs at once."""

from __future__ import annotations

import numpy as np
from scipy.special import betainc

from podium.analysis.methods.location import agreeing_interval, median_interval
from podium.analysis.methods.pairwise_test import PairOutcome, PairwiseTest, Structure, two_sided_from
from podium.arrays import FloatArray


def sign_test(
    differences: FloatArray,
    structure: Structure | None = None,
    *,
    alpha: float = 0.05,
    intervals: bool = True,
) -> PairOutcome:
    """Sign test of each row of differences: exact binomial, blocks without a difference left out.

    The estimate is the share of blocks with a greater value of a minus the share with a smaller one; the interval
    is that of the median difference.
    """
    pairs, n = differences.shape
    more, fewer = (differences > 0).sum(axis=1), (differences < 0).sum(axis=1)
    decided = more + fewer
    # P(X ≤ x) of a binomial variable with chance 1/2 is an incomplete beta function.
    less = np.where(fewer > 0, betainc(np.maximum(fewer, 1), more + 1, 0.5), 1.0)
    greater = np.where(more > 0, betainc(np.maximum(more, 1), fewer + 1, 0.5), 1.0)
    empty = np.full(pairs, np.nan)
    lower, upper = empty, empty
    if intervals:
        lower, upper = agreeing_interval(*median_interval(differences, 1 - alpha)[1:], less, greater, alpha)
    return PairOutcome(
        estimate=(more - fewer) / n,
        statistic=(more - fewer).astype(float),
        less=less,
        greater=greater,
        two_sided=two_sided_from(less, greater),
        lower=lower,
        upper=upper,
        in_units=False,
        details={"greater": more, "ties": n - decided, "smaller": fewer},
    )


SIGN = PairwiseTest(name="sign", title="sign test", function=sign_test, estimand="net share")
