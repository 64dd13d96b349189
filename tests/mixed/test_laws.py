"""Transformations of the data that must change nothing, or must change the outcome in a known way."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.analysis.mixed import MixedFit, mixed
from podium.analysis.mixed.compare import compare_mixed
from slow_laws import few_examples

COVARIANCES = ["scalar", "unstructured"]


@pytest.fixture(params=[0.0, 0.15], ids=["complete", "incomplete"])
def values(request, draw) -> np.ndarray:
    return draw(np.random.default_rng(7), (9, 4, 4), means=np.array([0.0, 0.3, 1.5, 1.6]), missing=request.param)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_order_of_labels_does_not_matter(of, values: np.ndarray, covariance: str) -> None:
    results = of(values)
    rng = np.random.default_rng(0)
    mixed_up = results.select(
        dataset=list(rng.permutation(results.datasets)),
        algorithm=list(rng.permutation(results.algorithms)),
        replication=[int(b) for b in rng.permutation(results.replications)],
    )
    one, two = (mixed(r, covariance=covariance) for r in (results, mixed_up))
    assert one.criterion == pytest.approx(two.criterion, abs=1e-7)
    np.testing.assert_allclose(one.estimates, two.estimates[one.estimates.index], atol=1e-7)
    np.testing.assert_allclose(one.components["variance"], two.components["variance"], rtol=2e-5, atol=1e-9)
    # Singular fits end within the tolerance of the solver.
    np.testing.assert_allclose(one.omnibus().pvalue, two.omnibus().pvalue, rtol=2e-4)
    first, second = one.contrasts().frame(), two.contrasts().frame()
    assert list(zip(first["a"], first["b"], strict=True)) == list(zip(second["a"], second["b"], strict=True))
    np.testing.assert_allclose(first["adjusted"], second["adjusted"], atol=1e-3)


def test_direction_and_sign_together_change_nothing(of, values: np.ndarray) -> None:
    lower, greater = of(values), of(-values, "higher")
    one, two = compare_mixed(lower), compare_mixed(greater)
    assert str(one.relation()) == str(two.relation())
    np.testing.assert_allclose(one.estimate, -two.estimate, atol=1e-9)
    np.testing.assert_allclose(one.adjusted, two.adjusted, atol=1e-9)
    assert list(one.decision) == list(two.decision)
    assert one.order == two.order


def test_an_area_with_unequal_ends_does_not_depend_on_the_order_of_the_pair(of) -> None:
    values = 0.1 * np.random.default_rng(0).normal(size=(1, 30, 2)) + [0.0, 0.4]  # a0 - a1 is in [-0.5, -0.3]
    for turned in (values, values[..., ::-1], -values):
        comparison = compare_mixed(of(turned), equivalence=(-0.1, 0.6))
        assert (list(comparison.decision), comparison.area) == (["better"], (-0.1, 0.1))
        assert list(compare_mixed(of(turned), equivalence=(-0.7, 0.6)).decision) == ["equivalent"]
    # Against a control, and in contrasts of one's own, the difference has a direction.
    for control, decision in (("a0", "equivalent"), ("a1", "better")):
        against = compare_mixed(of(values), control=control, equivalence=(-0.1, 0.6))
        assert (list(against.decision), against.area) == ([decision], (-0.1, 0.6))
    for row, decision in (([-1, 1], "equivalent"), ([1, -1], "better")):
        assert list(mixed(of(values)).contrasts([row], equivalence=(-0.1, 0.6)).decision) == [decision]


@cache
def plain_fit(of, draw, residual: str) -> MixedFit:
    """The model of values that are neither shifted nor scaled."""
    return mixed(of(draw(np.random.default_rng(5), (6, 5, 3), missing=0.1)), residual=residual)


@few_examples()
@given(st.floats(-1e3, 1e3), st.floats(1e-4, 1e4), st.sampled_from(["common", "algorithm", "dataset"]))
def test_shift_and_scale(of, draw, shift: float, scale: float, residual: str) -> None:
    values = draw(np.random.default_rng(5), (6, 5, 3), missing=0.1)
    one, two = plain_fit(of, draw, residual), mixed(of(shift + scale * values), residual=residual)
    np.testing.assert_allclose(two.estimates, shift + scale * one.estimates, rtol=1e-6, atol=1e-6 * scale)
    np.testing.assert_allclose(two.components["variance"], scale**2 * one.components["variance"], rtol=1e-4)
    # The density scales with 1 / scale in each of the n - K dimensions.
    n = one.nobs - 3
    assert two.criterion == pytest.approx(one.criterion + 2 * n * np.log(scale), abs=1e-4 + 1e-6 * n)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_effects_of_data_sets_and_replications_do_not_change_differences(of, draw, covariance: str) -> None:
    # Blocks are blocks: what all algorithms share must not change their comparison.
    rng = np.random.default_rng(8)
    values = draw(rng, (8, 5, 3), interaction=3.0, residual=0.5)
    moved = values + 100 * rng.normal(size=(8, 1, 1)) + 10 * rng.normal(size=(8, 5, 1))
    one, two = (mixed(of(v), covariance=covariance) for v in (values, moved))
    np.testing.assert_allclose(one.contrasts().lower, two.contrasts().lower, rtol=1e-6)
    assert one.omnibus().pvalue == pytest.approx(two.omnibus().pvalue, rel=1e-6)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_copies_of_replications_do_not_narrow_the_intervals_of_a_domain(of, draw, covariance: str) -> None:
    # What is to be generalised to are data sets; their number has not changed.
    values = draw(np.random.default_rng(9), (8, 5, 3))
    one, two = (mixed(of(v), covariance=covariance) for v in (values, np.tile(values, (1, 3, 1))))
    np.testing.assert_allclose(one.contrasts().se, two.contrasts().se, rtol=1e-9)
    # In the survey model the replications are the units, and copies would count.
    survey = [mixed(of(v), model="survey").contrasts().se for v in (values, np.tile(values, (1, 3, 1)))]
    assert (survey[1] < survey[0]).all()


def test_equal_algorithms_are_equal(of, draw) -> None:
    values = draw(np.random.default_rng(10), (1, 20, 3))
    values[..., 2] = values[..., 1]
    pair = mixed(of(values)).contrasts().pair("a1", "a2")
    assert (pair["estimate"], pair["adjusted"], pair["decision"]) == (0.0, 1.0, "undecided")


def test_two_algorithms_are_the_paired_t_test(of, draw) -> None:
    from scipy.stats import ttest_rel

    values = draw(np.random.default_rng(11), (1, 15, 2), replication=1.0)
    expected = ttest_rel(values[0, :, 0], values[0, :, 1])
    comparison = mixed(of(values)).contrasts()
    assert comparison.statistic[0] == pytest.approx(expected.statistic, rel=1e-9)
    assert comparison.adjusted[0] == comparison.pvalue[0] == pytest.approx(expected.pvalue, rel=1e-9)
    assert mixed(of(values)).omnibus().pvalue == pytest.approx(expected.pvalue, rel=1e-9)
    ends = expected.confidence_interval(0.95)
    assert (comparison.lower[0], comparison.upper[0]) == pytest.approx((ends.low, ends.high), rel=1e-7)


def test_pairs_of_the_unstructured_model_are_paired_t_tests_of_data_set_means(of, draw) -> None:
    from scipy.stats import ttest_rel

    values = draw(np.random.default_rng(12), (12, 6, 3))
    comparison = mixed(of(values), covariance="unstructured").contrasts()
    means = values.mean(axis=1)
    for i, (a, b) in enumerate(zip(comparison.first, comparison.second, strict=True)):
        expected = ttest_rel(means[:, a], means[:, b])
        assert comparison.statistic[i] == pytest.approx(expected.statistic, rel=1e-8)
        assert comparison.pvalue[i] == pytest.approx(expected.pvalue, rel=1e-8)


def test_shares_add_up(of, values: np.ndarray) -> None:
    for options in ({}, {"covariance": "unstructured"}, {"residual": "algorithm"}, {"estimation": "ML"}):
        assert mixed(of(values), **options).components["share"].sum() == pytest.approx(1)


def test_values_are_fitted_values_and_residuals(of, values: np.ndarray) -> None:
    frame = mixed(of(values)).frame()
    np.testing.assert_allclose(frame["fitted"] + frame["residual"], frame["value"], atol=1e-12)
    assert len(frame) == (~np.isnan(values)).sum()
    assert list(frame.columns) == ["dataset", "replication", "algorithm", "value", "fitted", "residual"]
