"""The distribution of the largest of correlated statistics, against other ways to compute it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import multivariate_normal, studentized_range

from podium.analysis.simultaneous import (
    all_pairs_contrasts,
    control_contrasts,
    max_abs,
    max_abs_contrasts,
    quasi_monte_carlo,
    step_down,
)
from podium.analysis.simultaneous.contrasts import contrast_correlation, pair_rows, unit_rows
from podium.analysis.simultaneous.max_t import Maximum, SampledMaximum, one_factor_loadings
from podium.analysis.simultaneous.quasi_monte_carlo import _draw, most_points, radial_sample
from podium.errors import InputError
from slow_laws import few_examples

LEVELS = np.array([0.5, 1.0, 2.0, 2.5, 3.0, 4.0, 5.0])


def unequal(k: int, seed: int = 1) -> np.ndarray:
    return np.cov(np.random.default_rng(seed).normal(size=(2 * k, k)).T)


def sampled(contrasts: np.ndarray, covariance: np.ndarray, seed: int = 0) -> SampledMaximum:
    """Use Monte Carlo even where an integral is possible."""
    rows = unit_rows(contrast_correlation(contrasts, covariance))
    return SampledMaximum(radial_sample(rows, equal=None, seed=seed, accuracy=5e-5))


# Against SciPy


@pytest.mark.parametrize("k", [3, 6, 10, 30, 50])
def test_equal_variances_are_the_studentised_range(k: int) -> None:
    maximum = max_abs_contrasts(all_pairs_contrasts(k), 0.3 * np.eye(k) + 2)
    assert maximum.method == "studentised range"
    np.testing.assert_allclose(maximum.sf(LEVELS), studentized_range.sf(LEVELS * np.sqrt(2), k, np.inf), atol=1e-9)
    assert maximum.quantile(0.95) == pytest.approx(studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2), abs=1e-7)


@pytest.mark.parametrize(("k", "df"), [(3, 2), (6, 20), (10, 5), (30, 100)])
def test_equal_variances_with_t_statistics_are_the_studentised_range(k: int, df: float) -> None:
    maximum = max_abs_contrasts(all_pairs_contrasts(k), np.eye(k))
    np.testing.assert_allclose(maximum.sf(LEVELS, df), studentized_range.sf(LEVELS * np.sqrt(2), k, df), atol=2e-7)
    # Where the tail is 0.05: it decreases faster than its argument increases.
    quantile = maximum.quantile(0.95, df)
    assert studentized_range.sf(quantile * np.sqrt(2), k, df) == pytest.approx(0.05, rel=1e-6)


def test_small_probabilities_keep_their_relative_accuracy() -> None:
    # Far out the union bound of the 15 pairs is exact to four digits.
    maximum = max_abs_contrasts(all_pairs_contrasts(6), np.eye(6))
    for c in (8.0, 12.0, 20.0):
        assert maximum.sf(c) == pytest.approx(15 * 2 * ndtr(-c), rel=2e-4)


@pytest.mark.parametrize("k", [2, 3, 6])
def test_independent_statistics_multiply(k: int) -> None:
    np.testing.assert_allclose(max_abs(np.eye(k)).sf(LEVELS), 1 - (2 * ndtr(LEVELS) - 1) ** k, atol=1e-9)


def test_equal_correlation_of_one_half_is_dunnetts_table() -> None:
    # Dunnett (1964), two-sided 5% points for 3 treatments and a control: 2.35 (∞) and 2.61 with 15 df.
    maximum = max_abs_contrasts(control_contrasts(4, 0), np.eye(4))
    assert maximum.method == "integral over one common factor"
    assert maximum.quantile(0.95) == pytest.approx(2.35, abs=0.005)
    assert maximum.quantile(0.95, 15) == pytest.approx(2.61, abs=0.005)


@pytest.mark.parametrize("k", [3, 4, 5])
def test_sampling_agrees_with_the_normal_distribution_function(k: int) -> None:
    covariance = unequal(k)
    correlation = contrast_correlation(control_contrasts(k, 0), covariance)
    c = 2.2
    inside = multivariate_normal.cdf(
        np.full(k - 1, c), cov=correlation, lower_limit=np.full(k - 1, -c), abseps=1e-6, maxpts=200_000, rng=1
    )
    assert max_abs(correlation).sf(c) == pytest.approx(1 - inside, abs=1e-4)


@pytest.mark.parametrize("k", [3, 6, 10])
def test_sampling_agrees_with_the_integrals(k: int) -> None:
    exact = max_abs_contrasts(all_pairs_contrasts(k), np.eye(k))
    found = sampled(all_pairs_contrasts(k), np.eye(k))
    np.testing.assert_allclose(found.sf(LEVELS), exact.sf(LEVELS), atol=3e-4)
    np.testing.assert_allclose(found.sf(LEVELS[3:], 7), exact.sf(LEVELS[3:], 7), atol=2e-4)
    assert found.quantile(0.95) == pytest.approx(exact.quantile(0.95), abs=5e-4)


def test_sampling_agrees_with_dunnetts_integral_for_unequal_variances() -> None:
    contrasts, covariance = control_contrasts(12, 3), np.diag(np.linspace(1, 4, 12))
    exact, found = max_abs_contrasts(contrasts, covariance), sampled(contrasts, covariance)
    np.testing.assert_allclose(found.sf(LEVELS, 30), exact.sf(LEVELS, 30), atol=5e-4)


# Reproducible, and as exact as promised


def test_the_seed_determines_the_numbers() -> None:
    contrasts, covariance = all_pairs_contrasts(5), unequal(5)
    one, again = (max_abs_contrasts(contrasts, covariance, seed=3) for _ in range(2))
    assert one.quantile(0.95) == again.quantile(0.95)
    assert one.quantile(0.95) != max_abs_contrasts(contrasts, covariance, seed=4).quantile(0.95)


@pytest.mark.parametrize("k", [6, 50])
def test_nearly_equal_variances_are_known_to_one_in_ten_thousand(k: int) -> None:
    # As a few missing cells make them. Two seeds must agree.
    covariance = np.diag(np.random.default_rng(2).uniform(0.97, 1.03, k))
    one, two = (max_abs_contrasts(all_pairs_contrasts(k), covariance, seed=seed) for seed in (0, 1))
    np.testing.assert_allclose(one.sf(LEVELS), two.sf(LEVELS), atol=1e-4)
    np.testing.assert_allclose(one.sf(LEVELS[2:], 40), two.sf(LEVELS[2:], 40), atol=1e-4)


def test_unequal_variances_are_known_to_the_promised_accuracy() -> None:
    contrasts, covariance = all_pairs_contrasts(6), unequal(6)
    runs = [max_abs_contrasts(contrasts, covariance, seed=seed) for seed in range(4)]
    tail = np.array([run.sf([2.8, 3.0, 3.5]) for run in runs])
    assert tail[0, 0] < 0.1
    assert tail.std(axis=0, ddof=1).max() < 1e-4
    assert max(run.error([2.8, 3.0, 3.5]).max() for run in runs) < 1e-4


def test_fifty_algorithms_of_very_unequal_variances() -> None:
    # The hardest case: 1,225 pairs in 49 dimensions. As many points as are allowed take some seconds and are good to
    # 1e-4. Three samples of one in 32 of them show it: the error decreases at least like that of independent points.
    rows, equal = pair_rows(all_pairs_contrasts(50), unequal(50))
    share = 32
    runs = [SampledMaximum(_draw(rows, equal, seed, most_points(len(rows)) // share)) for seed in range(3)]
    critical = runs[0].quantile(0.95)
    assert np.sqrt(np.mean([run.error(critical) ** 2 for run in runs]) / share) < 1e-4
    assert runs[0].sf(critical) == pytest.approx(0.05, abs=1e-9)


def test_the_work_is_bounded_where_the_accuracy_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quasi_monte_carlo, "_MAX_WORK", 1 << 18)
    maximum = max_abs_contrasts(all_pairs_contrasts(5), unequal(5), accuracy=1e-9)
    assert maximum.points * 10 <= 1 << 18 < maximum.points * 20
    assert maximum.error(2.5) > 1e-9


def test_a_sample_is_kept_for_the_same_statistics_only() -> None:
    rows, equal = pair_rows(all_pairs_contrasts(4), unequal(4))
    other, _ = pair_rows(all_pairs_contrasts(4), unequal(4, seed=2))
    usual = {"equal": equal, "seed": 3, "accuracy": 1.0}
    found = radial_sample(rows, **usual)
    assert radial_sample(rows.copy(), **usual) is found
    fresh = _draw(rows, equal, 3, found.points // 8)
    assert np.array_equal(found.support, fresh.support) and np.array_equal(found.weights, fresh.weights)
    for changed in ({"equal": None}, {"seed": 4}, {"accuracy": 3e-4}):
        assert not np.array_equal(radial_sample(rows, **{**usual, **changed}).weights, found.weights), changed
    assert not np.array_equal(radial_sample(other, **usual).support, found.support)
    assert not found.support.flags.writeable and not found.weights.flags.writeable


def test_the_control_variates_do_not_bias() -> None:
    contrasts, covariance = all_pairs_contrasts(6), unequal(6)
    rows, equal = pair_rows(contrasts, covariance)
    plain = SampledMaximum(radial_sample(rows, equal=None, seed=1, accuracy=2e-5))
    ruled = SampledMaximum(radial_sample(rows, equal=equal, seed=2, accuracy=2e-5))
    np.testing.assert_allclose(plain.sf(LEVELS[2:]), ruled.sf(LEVELS[2:]), atol=2e-4)


# Laws


@few_examples()
@given(st.integers(0, 10_000))
def test_bounds_monotonicity_and_invariance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 5))
    rank = int(rng.integers(1, k + 1))
    rows = rng.normal(size=(k, rank))
    correlation = contrast_correlation(np.eye(k), rows @ rows.T)
    maximum = max_abs(correlation)
    sf = maximum.sf(LEVELS)
    alone = 2 * ndtr(-LEVELS)
    assert (np.diff(sf) <= 1e-12).all()
    assert (sf >= alone).all() and (sf <= np.minimum(k * alone + 3e-4, 1)).all()
    assert maximum.sf(maximum.quantile(0.9)) == pytest.approx(0.1, abs=1e-9)
    signs = rng.choice([-1.0, 1.0], size=k)
    order = rng.permutation(k)
    turned = (correlation * np.outer(signs, signs))[np.ix_(order, order)]
    np.testing.assert_allclose(max_abs(turned).sf(LEVELS), sf, atol=1.5e-3)


def test_singular_correlation_needs_no_special_treatment() -> None:
    # Two statistics that are one, and a third: the third alone decides.
    correlation = np.array([[1.0, -1.0, 0.5], [-1.0, 1.0, -0.5], [0.5, -0.5, 1.0]])
    expected = max_abs(np.array([[1.0, 0.5], [0.5, 1.0]])).sf(LEVELS)
    np.testing.assert_allclose(max_abs(correlation).sf(LEVELS), expected, atol=1e-4)
    assert max_abs(np.ones((3, 3))).quantile(0.95) == pytest.approx(1.959964, abs=1e-6)


def test_large_df_approach_the_normal_distribution() -> None:
    for maximum in (max_abs_contrasts(all_pairs_contrasts(5), c) for c in (np.eye(5), unequal(5))):
        np.testing.assert_allclose(maximum.sf(LEVELS, 1e7), maximum.sf(LEVELS), atol=1e-6)


def test_each_statistic_may_have_its_own_df() -> None:
    maximum = max_abs_contrasts(all_pairs_contrasts(4), unequal(4))
    df = np.linspace(5, 40, 30)
    one_by_one = [float(maximum.quantile(0.95, d)) for d in df]
    np.testing.assert_allclose(maximum.quantile(0.95, df), one_by_one, rtol=1e-6)
    np.testing.assert_allclose(maximum.sf(one_by_one, df), 0.05, atol=1e-7)
    # Degrees of freedom that differ by rounding only, as those of nearly balanced designs do.
    for spread in (1e-14, 1e-11, 1e-7):
        nearly = 20 * (1 + spread * np.arange(12))
        np.testing.assert_allclose(maximum.quantile(0.95, nearly), float(maximum.quantile(0.95, 20)), rtol=1e-6)


def test_one_factor_is_found_whatever_the_signs() -> None:
    loadings = np.array([0.3, 0.8, 0.5, 0.6])
    signs = np.array([1, -1, 1, -1])
    correlation = np.outer(loadings * signs, loadings * signs)
    np.fill_diagonal(correlation, 1)
    np.testing.assert_allclose(one_factor_loadings(correlation), loadings)
    correlation[0, 1] = correlation[1, 0] = 0.3
    assert one_factor_loadings(correlation) is None


# Step-down


def test_step_down_is_holm_for_independent_statistics() -> None:
    z = np.array([3.0, 2.5, 1.0, 0.2])
    alone = 2 * ndtr(-z)
    sidak = 1 - (1 - alone) ** np.arange(4, 0, -1)  # Holm's steps with Šidák's product
    expected = np.maximum.accumulate(sidak)
    found = step_down(np.eye(4)[:, [2, 0, 3, 1]], np.eye(4), z)
    np.testing.assert_allclose(found, expected, atol=2e-4)


def test_step_down_is_never_above_single_step_and_keeps_the_order() -> None:
    contrasts, covariance = all_pairs_contrasts(6), unequal(6)
    z = np.random.default_rng(5).normal(scale=2, size=15)
    found = step_down(contrasts, covariance, z)
    single = max_abs_contrasts(contrasts, covariance).sf(z)
    assert (found <= single + 3e-4).all()
    order = np.argsort(-np.abs(z))
    assert (np.diff(found[order]) >= 0).all()
    assert found[order[0]] == pytest.approx(single[order[0]], abs=3e-4)


# Input that cannot be used


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: max_abs([[1.0, 0.5], [0.4, 1.0]]),
            "`correlation` must be symmetric with ones on its diagonal.",
        ),
        (
            lambda: max_abs([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]]),
            "`correlation` must be positive semidefinite; its smallest eigenvalue is -0.8.",
        ),
    ],
)
def test_messages(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize("variances", [[1, 1, 1, 1, 3], [1, 2, 2, 2, 2], [1, 2, 3, 4, 5]])
def test_the_same_seed_gives_the_same_numbers_on_every_processor(variances: list[float]) -> None:
    """Rounding turns eigenvectors, and all of those with equal eigenvalues; directions must not turn with them."""
    contrasts, covariance = all_pairs_contrasts(5), np.diag(np.array(variances, float))
    statistic = np.linspace(0.5, 4, len(contrasts))
    rng = np.random.default_rng(0)

    def maxima(matrix: np.ndarray) -> tuple[Maximum, ...]:
        return tuple(max_abs_contrasts(rows, matrix, accuracy=1e-3) for rows in (contrasts, contrasts[:7]))

    plain = maxima(covariance)
    steps = len(set(variances)) == 2 and variances[-1] == 3  # the hardest of them; its directions are found alike
    adjusted = step_down(contrasts, covariance, statistic) if steps else None
    assert all(isinstance(one, SampledMaximum) for one in plain)
    for _ in range(2):
        rounding = 1e-15 * rng.normal(size=covariance.shape)
        other = covariance + rounding + rounding.T
        for one, two in zip(plain, maxima(other), strict=True):
            np.testing.assert_allclose(two.sf([1.5, 2.5, 3.5]), one.sf([1.5, 2.5, 3.5]), rtol=1e-7)
        if adjusted is not None:
            np.testing.assert_allclose(step_down(contrasts, other, statistic), adjusted, rtol=1e-7)
