"""Figures of Bayesian comparisons: their numbers, against the comparison and by exchanging a and b."""

from __future__ import annotations

import numpy as np
import pytest

import podium
from podium.errors import InputError
from podium.plot.figures import credible_intervals, simplex

ULAS = podium.examples.load_ulas2008().select(algorithms=["c45", "svr", "mlp"])


def by(method: str, **options: object) -> podium.inference.BayesComparison:
    return podium.inference.compare_bayes(ULAS, method=method, equivalence=1, **options)


def test_intervals_are_those_of_the_table() -> None:
    found = by("sign")
    numbers, frame = credible_intervals(found), found.frame()
    assert [*zip(numbers.first, numbers.second, strict=True)] == [*zip(frame["a"], frame["b"], strict=True)]
    for name in ("estimate", "lower", "upper", "better", "equivalent", "worse"):
        np.testing.assert_array_equal(getattr(numbers, name), frame[name])
    assert numbers.equivalence is not None
    assert (numbers.equivalence == [-1, 1]).all()
    assert credible_intervals(podium.inference.compare_bayes(ULAS, method="sign")).equivalence is None


def test_an_area_with_a_direction_is_turned_with_its_pair() -> None:
    found = podium.inference.compare_bayes(ULAS, method="sign", equivalence=(-1, 2), control="svr")
    numbers = credible_intervals(found)
    for a, area in zip(numbers.first, numbers.equivalence, strict=True):
        assert area.tolist() == ([-2, 1] if a == "svr" else [-1, 2])


@pytest.mark.parametrize("method", ["sign", "signed rank"])
def test_the_part_of_the_dots_in_a_region_is_its_probability(method: str) -> None:
    numbers = simplex(by(method), "svr", "c45")
    np.testing.assert_allclose(numbers.shares.sum(axis=1), 1)
    part = np.bincount(numbers.shares.argmax(axis=1), minlength=3) / len(numbers.shares)
    # 1,000 of the draws: three standard errors
    np.testing.assert_allclose(part, numbers.probabilities, atol=3 * np.sqrt(0.25 / 1000))
    near = np.linalg.norm(numbers.points[:, None] - [[0, 0], [0.5, 0.75**0.5], [1, 0]], axis=2).argmin(axis=1)
    np.testing.assert_array_equal(near, numbers.shares.argmax(axis=1))  # a dot is nearest to the corner of its region


def test_the_hierarchical_model_has_its_simplex() -> None:
    results = podium.examples.load_ulas2008().select(
        algorithms=["c45", "svr"], datasets=["iris", "wine", "glass", "zoo"]
    )
    found = podium.inference.compare_bayes(
        results, method="hierarchical", equivalence=1, ratio=1, draws=300, warmup=200
    )
    numbers = simplex(found)
    part = np.bincount(numbers.shares.argmax(axis=1), minlength=3) / len(numbers.shares)
    np.testing.assert_allclose(part, numbers.probabilities, atol=0.08)


def test_the_other_way_round_is_the_mirror_image() -> None:
    one, two = simplex(by("signed rank"), "svr", "c45"), simplex(by("signed rank"), "c45", "svr")
    np.testing.assert_array_equal(one.shares, two.shares[:, ::-1])
    assert one.probabilities == two.probabilities[::-1]


def test_a_test_without_shares_has_no_simplex() -> None:
    iris = podium.examples.load_ulas2008().select(dataset="iris")
    with pytest.raises(InputError, match="A simplex shows draws of three shares; the Bayesian correlated t test has"):
        simplex(podium.inference.compare_bayes(iris), "svr", "c45")
