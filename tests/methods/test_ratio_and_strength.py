"""The ratio of sample sizes and the strength of a prior: one rule each, whatever the method."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import podium
from podium.errors import InputError
from podium.inference import compare_bayes, confidence_sequence, paired_test, plackett_luce

ONE = podium.read(
    np.random.default_rng(0).normal(size=(40, 2)) + np.array([0, 1]),
    labels={"replication": None, "algorithm": ["a", "b"]},
    measure="error",
    direction="lower",
)
SEVERAL = podium.read(
    np.random.default_rng(1).normal(size=(4, 5, 2)) + np.array([0, 1]),
    labels={"dataset": list("uvwx"), "replication": None, "algorithm": ["a", "b"]},
    measure="error",
    direction="lower",
)
WITH_RATIO: dict[str, Callable[[object], object]] = {
    "correlated t": lambda ratio: compare_bayes(ONE, ratio=ratio),
    "hierarchical": lambda ratio: compare_bayes(SEVERAL, method="hierarchical", ratio=ratio, draws=5, warmup=5),
    "corrected t": lambda ratio: podium.compare(ONE, method="corrected t", ratio=ratio),
    "paired test": lambda ratio: paired_test([1.0, 2, 4], [2.0, 2, 5], "corrected t", ratio=ratio),
    "group sequential": lambda ratio: podium.sequential(
        ONE, kind="group sequential", method="corrected t", pair=("a", "b"), ratio=ratio
    ),
    "asymptotic": lambda ratio: podium.sequential(ONE, kind="asymptotic", pair=("a", "b"), ratio=ratio),
    "confidence sequence": lambda ratio: confidence_sequence(ONE, pair=("a", "b"), kind="asymptotic", ratio=ratio),
}


@pytest.mark.parametrize("call", WITH_RATIO.values(), ids=WITH_RATIO.keys())
def test_a_ratio_is_checked_by_one_rule(call: Callable[[object], object]) -> None:
    for wrong in (-1, np.inf, 1001):
        with pytest.raises(InputError, match="`ratio` must be a number from 0 to 1000"):
            call(wrong)
    for good in (0, 1 / 9, 1):
        call(good)


@pytest.mark.parametrize("ratio", [0, 1e-300, 1, 1000])
def test_every_accepted_ratio_gives_finite_bounds(ratio: float) -> None:
    found = compare_bayes(ONE, ratio=ratio).frame()
    assert np.isfinite(found[["lower", "upper"]].to_numpy()).all()
    found = podium.compare(ONE, method="corrected t", ratio=ratio).frame()
    assert np.isfinite(found[["lower", "upper"]].to_numpy()).all()


def test_without_overlap_the_corrected_t_test_is_the_t_test() -> None:
    corrected, plain = (
        paired_test([1.0, 2, 4, 7], [2.0, 2, 5, 9], method, **options)
        for method, options in (("corrected t", {"ratio": 0}), ("t", {}))
    )
    assert (corrected.statistic, corrected.pvalue) == (plain.statistic, plain.pvalue)


def test_the_strength_of_a_prior_is_checked_by_one_rule() -> None:
    for wrong in (-1, 1e308):
        with pytest.raises(InputError, match="`strength` must be a number of at least 0 and at most 1,000,000; got"):
            plackett_luce(SEVERAL, strength=wrong)
        with pytest.raises(InputError, match="`strength` must be a number above 0 and at most 1,000,000; got"):
            compare_bayes(SEVERAL, method="sign", strength=wrong)
    assert np.isfinite(plackett_luce(SEVERAL, strength=1_000_000).covariance).all()
