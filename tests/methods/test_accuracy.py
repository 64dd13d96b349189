"""Accuracy at the edges: huge blocks, many ties, tests that reject every difference."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import t

import podium
from podium.analysis.methods.pairwise.bootstrap_t import bootstrap_t_test
from podium.analysis.methods.pairwise.permutation_t import permutation_t_test
from podium.analysis.methods.pairwise.sign import sign_test
from podium.analysis.methods.pairwise.wilcoxon import wilcoxon_test
from podium.analysis.methods.pairwise_test import PAIRWISE_TESTS, PairOutcome
from podium.analysis.notes import format_p
from podium.results import Results


@pytest.mark.parametrize("name", ["aligned_ranks", "quade"])
def test_a_block_of_huge_numbers_does_not_make_other_blocks_equal(name: str, table: Callable[..., Results]) -> None:
    test = getattr(podium.inference, name)
    values = np.random.default_rng(0).integers(0, 1024, (10, 3)) / 1024 + [0, 0.25, 0.5]
    values[0] = [100, 200, 300]
    expected = test(table(values, rows="dataset")).statistic
    values[0] = [1e9, 2e9, 3e9]  # the same order, and the largest block as before
    assert test(table(values, rows="dataset")).statistic == pytest.approx(expected, rel=1e-12)
    values[0] = [1, 1.5, 2.25]
    expected = test(table(values, rows="dataset")).statistic
    values[0] += 1e9  # a shift of a block changes nothing
    assert test(table(values, rows="dataset")).statistic == pytest.approx(expected, rel=1e-12)


def test_a_huge_difference_does_not_make_others_equal() -> None:
    small = np.array([0.001, 0.002, -0.003, 0.004, 0.005, 0.006, 0.007])
    for test in (wilcoxon_test, permutation_t_test):
        expected = test(np.r_[small, 10.0][None, :]).two_sided[0]
        assert test(np.r_[small, 1e6][None, :]).two_sided[0] == expected


def test_equal_decimals_are_ties_in_blocks_of_any_size(table: Callable[..., Results]) -> None:
    a = np.array([1.3, 10.3, 100.3, 1000.3, 0.7, 5.7])
    b = np.array([1.0, 10.0, 100.0, 1000.0, 1.0, 6.0])
    assert podium.inference.paired_test(a, b, "wilcoxon").details["w_plus"] == 4 * 3.5
    found = podium.inference.aligned_ranks(table(np.column_stack([a, b]), rows="dataset"))
    assert found.statistic == pytest.approx((4 - 2) ** 2 / 6)  # only two aligned ranks, so this is McNemar's statistic


@pytest.mark.parametrize("test", [wilcoxon_test, sign_test, permutation_t_test])
@pytest.mark.parametrize("n", [5, 14, 60])  # all signs are tried up to 14 blocks, signed ranks are exact up to 50
def test_intervals_agree_with_their_test_about_zero(test: Callable[..., PairOutcome], n: int) -> None:
    rng = np.random.default_rng(n)
    smooth = rng.normal(0.4, 1, (24, n))
    tied = rng.choice([-0.02, -0.01, 0.0, 0.0, 0.0, 0.01, 0.02, 0.03], (24, n))
    often_zero = np.where(rng.random((24, n)) < 0.6, 0.0, np.abs(rng.normal(0, 1, (24, n))))
    for differences in (smooth, tied, often_zero, -often_zero):
        for alpha in (0.05, 0.01):
            found = test(differences, alpha=alpha)
            rejects = found.two_sided <= alpha
            assert ((found.lower <= 0) & (found.upper >= 0))[~rejects].all()
            less = rejects & (found.less < found.greater)
            assert (found.upper[less] <= 0).all()
            assert (found.lower[rejects & ~less] >= 0).all()


def test_the_interval_of_the_permutation_test_holds_what_it_does_not_reject() -> None:
    rng = np.random.default_rng(3)
    for n in (6, 9, 14, 20):
        differences = rng.exponential(1, (1, n)) - 0.5
        found = permutation_t_test(differences)
        for end, inward in ((found.lower[0], 1e-6), (found.upper[0], -1e-6)):
            assert permutation_t_test(differences - end - inward).two_sided[0] > 0.05
            assert permutation_t_test(differences - end + inward).two_sided[0] <= 0.05


def test_the_interval_of_the_permutation_test_covers() -> None:
    samples = np.random.default_rng(4).laplace(size=(4000, 10))
    found = permutation_t_test(samples)
    share = ((found.lower <= 0) & (found.upper >= 0)).mean()
    assert 0.95 - 3 * np.sqrt(0.0475 / 4000) <= share <= 0.97


def test_a_five_by_two_test_that_rejects_every_difference_has_no_interval_and_says_so() -> None:
    rng = np.random.default_rng(0)
    folds = 3 * rng.normal(size=(5, 1)) + 0.01 * rng.normal(size=(5, 2))
    found = podium.inference.paired_test(folds, np.zeros((5, 2)), "5x2cv F")
    assert np.isnan([found.lower, found.upper]).all()
    assert [note.code for note in found.notes] == ["no interval"]
    assert "nan" not in found.text() + str(found)
    assert "There is no interval: the 5×2 cv F test rejects every common difference" in found.text()


def test_the_interval_of_a_sign_test_is_called_that_of_the_median() -> None:
    found = podium.inference.paired_test(np.arange(1.0, 8), np.zeros(7), "sign")
    assert "The net share of blocks is 1, 95% interval of the median difference [1, 7]." in found.text()


@pytest.mark.parametrize(
    ("p", "alpha", "written"),
    [
        (0.0124, 0.05, "p = 0.012"),
        (0.00099, 0.05, "p < 0.001"),
        (0.0, 0.05, "p < 0.001"),
        (1.0, 0.05, "p = 1.000"),
        (0.0496, 0.05, "p = 0.050"),
        (0.0504, 0.05, "p = 0.0504"),
        (0.05000004, 0.05, "p = 0.05000004"),
        (0.0007, 0.0005, "p = 0.0007"),
        (0.0003, 0.0005, "p = 0.0003"),
        (np.nan, 0.05, "p undefined"),
    ],
)
def test_one_rule_for_p_values(p: float, alpha: float, written: str) -> None:
    assert format_p(p, alpha) == written


@pytest.mark.parametrize("tail", ["less", "greater"])
def test_one_sided_intervals_are_bounds(tail: str) -> None:
    """The bounds are those of scipy.stats.ttest_rel (SciPy 1.17)."""
    from scipy.stats import ttest_rel

    a, b = [0.1, 0.2, 0.3, 0.5], [0.2, 0.3, 0.5, 0.6]
    alternative = "better" if tail == "less" else "worse"
    found = podium.inference.paired_test(a, b, "t", alternative=alternative, direction="lower")
    expected = ttest_rel(a, b, alternative=tail)
    assert found.pvalue == pytest.approx(expected.pvalue)
    interval = expected.confidence_interval(0.95)
    assert (found.lower, found.upper) == pytest.approx((interval.low, interval.high))


# Means of skewed differences: shares of rejections of a true hypothesis at 5%


@pytest.mark.parametrize(
    ("method", "n", "least", "most"),
    [
        ("wilcoxon", 30, 0.13, 0.19),  # assumes symmetry
        ("wilcoxon", 100, 0.33, 0.43),
        ("sign", 100, 0.6, 0.8),  # compares medians, and these differ
        ("bootstrap t", 30, 0.03, 0.075),
        ("bootstrap t", 100, 0.03, 0.065),
    ],
)
def test_equal_means_of_exponential_differences(method: str, n: int, least: float, most: float) -> None:
    samples = np.random.default_rng(0).exponential(1, (1000, n)) - 1
    options = {"resamples": 499} if method == "bootstrap t" else {}
    found = PAIRWISE_TESTS[method].function(samples, None, alpha=0.05, intervals=False, **options)
    assert least <= (found.two_sided <= 0.05).mean() <= most


def test_the_sign_test_keeps_its_level_for_equal_medians_of_exponential_differences() -> None:
    samples = np.random.default_rng(0).exponential(1, (2000, 100)) - np.log(2)
    assert (sign_test(samples, intervals=False).two_sided <= 0.05).mean() <= 0.05
    assert (wilcoxon_test(samples, intervals=False).two_sided <= 0.05).mean() > 0.3


def test_the_interval_of_the_bootstrap_t_test_agrees_with_it_and_does_not_depend_on_units() -> None:
    samples = np.random.default_rng(1).exponential(1, (200, 12)) - 0.5
    found = bootstrap_t_test(samples, resamples=999)
    outside = (found.lower > 0) | (found.upper < 0)
    assert np.array_equal(outside, found.two_sided <= 0.05)
    scaled = bootstrap_t_test(1e-9 * samples, resamples=999)
    assert np.array_equal(scaled.two_sided, found.two_sided)
    turned = bootstrap_t_test(-samples, resamples=999)
    assert np.array_equal(turned.less, found.greater)
    assert bootstrap_t_test(np.zeros((1, 6))).two_sided[0] == 1.0


# One-sided bounds that agree with Holm's procedure


def test_bounds_against_a_control_agree_with_the_decisions(table: Callable[..., Results]) -> None:
    for seed in range(8):
        values = np.random.default_rng(seed).normal([0, 0.5, 1, 1.5, 1], 1, (9, 5))
        for method in ("t", "wilcoxon", "permutation t"):
            for alternative in ("better", "worse"):
                found = podium.compare(
                    table(values, rows="dataset"), method=method, control="a2", alternative=alternative
                )
                favourable = found.upper <= 0 if alternative == "better" else found.lower >= 0
                assert np.array_equal(favourable, found.significant)
                assert np.isinf(found.lower if alternative == "better" else found.upper).all()


def test_bounds_of_holm_cover_together(table: Callable[..., Results]) -> None:
    # Strassburger & Bretz (2008): all bounds hold together with confidence 1 - alpha. By their formulas in many
    # samples, and by the comparison in some, where none, some and all of the hypotheses are rejected.
    samples, n, alpha = 4000, 12, 0.05
    truth = np.array([-0.6, -0.3, 0.0])
    values = np.random.default_rng(3).normal(0, 1, (samples, n, 4)) + np.r_[truth, 0.0]
    differences = values[..., :3] - values[..., 3:]
    mean, error = differences.mean(axis=1), differences.std(axis=1, ddof=1) / np.sqrt(n)
    ordered = np.sort(t.cdf(mean / error, n - 1), axis=1)
    left = 3 - np.logical_and.accumulate(ordered <= alpha / np.array([3, 2, 1]), axis=1).sum(axis=1)
    rejected = mean / error <= np.sort(mean / error, axis=1)[np.arange(samples), np.maximum(2 - left, 0)][:, None]
    rejected &= (left < 3)[:, None]
    ends = mean - t.ppf(alpha / np.where(left == 0, 3, left), n - 1)[:, None] * error
    upper = np.where(rejected, np.where((left == 0)[:, None], np.minimum(ends, 0.0), 0.0), ends)
    assert (truth <= upper).all(axis=1).mean() >= 1 - alpha - 3 * np.sqrt(alpha * (1 - alpha) / samples)
    for count in range(4):
        for i in np.flatnonzero(left == count)[:6]:
            found = podium.compare(
                table(values[i], rows="dataset"), method="t", control="a3", alternative="better", alpha=alpha
            )
            assert [found.algorithms[one] for one in found.first] == ["a0", "a1", "a2"]
            np.testing.assert_allclose(found.upper, upper[i], rtol=1e-9, atol=1e-12)


def test_intervals_of_sidak_have_his_level(table: Callable[..., Results]) -> None:
    for seed in range(20):
        values = np.random.default_rng(seed).normal([0, 0.5, 1, 1.5], 1, (9, 4))
        found = podium.compare(table(values, rows="dataset"), method="t", adjust="sidak")
        outside = (found.lower > 0) | (found.upper < 0)
        assert np.array_equal(outside, found.significant)


def test_rounding_does_not_decide_in_the_bootstrap_t_test() -> None:
    """Few whole-number differences: many of the samples drawn have exactly the statistic observed."""
    rng = np.random.default_rng(0)
    samples = rng.integers(-2, 4, (40, 5)).astype(float)
    plain = bootstrap_t_test(samples, resamples=999)
    for _ in range(3):
        other = bootstrap_t_test(samples * (1 + 1e-15 * rng.normal(size=samples.shape)), resamples=999)
        for tail in ("less", "greater", "two_sided"):
            assert np.array_equal(getattr(other, tail), getattr(plain, tail))
