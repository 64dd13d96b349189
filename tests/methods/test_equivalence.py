"""Equivalence by the interval of the mean difference: against SciPy, with ties, one-sided, invariances, level."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import skew, ttest_1samp
from scipy.stats import t as student

import podium
from podium.analysis.methods.equivalence import mean_above_pvalues, mean_interval
from podium.errors import InputError
from podium.results import Results

VALUES = np.random.default_rng(1).normal(0, 0.02, size=(14, 3)) + np.array([0.2, 0.2, 0.23])


METHODS = ["t", "wilcoxon", "sign", "permutation t", "bootstrap t", "wnmt"]


@pytest.mark.parametrize("method", METHODS)
def test_as_scipy(method: str, table: Callable[..., Results]) -> None:
    # SciPy 1.17: one-sided t tests of symmetric differences, which have no skewness, less either end of the area
    half = np.random.default_rng(1).normal(0, 0.02, 8)
    d = 0.006 + np.concatenate([half, -half])
    found = podium.compare(table(np.column_stack([d, np.zeros(16)]), rows="dataset"), method=method, equivalence=0.02)
    expected = max(ttest_1samp(d, -0.02, alternative="greater").pvalue, ttest_1samp(d, 0.02, alternative="less").pvalue)
    assert found.equivalence_pvalues == pytest.approx([expected], rel=1e-9)
    ends = ttest_1samp(d, 0).confidence_interval(0.95)
    assert np.ravel(found.equivalence_interval) == pytest.approx([ends.low, ends.high], rel=1e-9)


def test_the_interval_allows_for_skewness() -> None:
    # By definition (Hall 1992), with the skewness of scipy.stats.skew: at the end of the longer tail, here the upper,
    # the transformed statistic has the quantile of Student's t; at the other end the interval is Student's.
    d = np.random.default_rng(2).lognormal(size=30)
    (lower,), (upper,) = mean_interval(d[None, :], 0.05)
    error, q = np.std(d, ddof=1) / np.sqrt(30), skew(d) * (29 / 30) ** 1.5 / np.sqrt(30)
    t = (d.mean() - upper) / error
    assert t + q * t**2 / 3 + q**2 * t**3 / 27 + q / 6 == pytest.approx(student.ppf(0.025, 29), rel=1e-9)
    assert lower == pytest.approx(d.mean() - student.ppf(0.975, 29) * error, rel=1e-9)
    assert mean_above_pvalues(-d[None, :], -upper) == pytest.approx(0.025, rel=1e-6)
    assert mean_above_pvalues(d[None, :], lower) == pytest.approx(0.025, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_ties_do_not_make_a_pair_equivalent(method: str, table: Callable[..., Results]) -> None:
    right = np.zeros((1000, 2))
    right[:702, 0] = right[89:702, 1] = 1
    questions = podium.read(
        1 - right, labels={"replication": None, "algorithm": ["a", "b"]}, measure="error", direction="lower"
    )
    found = podium.compare(questions, method=method, equivalence=0.01)
    assert found.decision.tolist() == ["better"]
    assert not found.inside.any()
    assert found.equivalence_pvalues[0] > 0.5
    tied = np.zeros((40, 2))
    tied[:4, 0] = 0.3
    assert podium.compare(table(tied, rows="dataset"), method=method, equivalence=0.01).decision[0] != "equivalent"


@pytest.mark.parametrize("method", [*METHODS, "mixed"])
def test_identical_columns_are_equivalent_and_constant_differences_are_not(
    method: str, table: Callable[..., Results]
) -> None:
    values = np.repeat(np.random.default_rng(3).random((20, 1)), 2, axis=1)
    same = podium.compare(table(values, rows="dataset"), method=method, equivalence=0.01)
    assert same.decision.tolist() == ["equivalent"]
    assert not same.significant.any()
    if method != "mixed":  # which has no standard error without any variance
        assert same.equivalence_pvalues.tolist() == [0.0]
    shifted = values + np.array([0.0, 2.0**-8])
    apart = podium.compare(table(shifted, rows="dataset"), method=method, equivalence=0.01)
    assert apart.decision.tolist() == ["better"]  # every block has the same difference, and so no spread is known


def test_a_difference_that_does_not_matter_is_both(table: Callable[..., Results]) -> None:
    values = np.random.default_rng(4).normal([0, 0.002], 0.001, (40, 2))
    found = podium.compare(table(values, rows="dataset"), method="wilcoxon", equivalence=0.01)
    assert found.decision.tolist() == ["equivalent"]
    assert found.significant.all()
    assert not found.relevant.any()


@pytest.mark.parametrize("ties", [0.0, 0.5, 0.9, 0.95])
def test_level_at_the_edge_of_the_area_with_ties(ties: float) -> None:
    # The mean difference is the end of the area. Nominal: 0.025 at each end. Samples with identical columns are left out.
    rng = np.random.default_rng(5)
    samples, n, edge = 4000, 40, 0.01
    mean = edge / (1 - ties)
    for made in (rng.normal(mean, 0.02, (samples, n)), rng.uniform(0.5, 1.5, (samples, n)) * mean):
        d = np.where(rng.random(made.shape) < ties, 0.0, made)
        lower, upper = mean_interval(d[d.any(axis=1)], 0.05)
        errors = ((lower >= -edge) & (upper <= edge)).sum() / samples
        assert errors <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / samples)


@pytest.mark.parametrize("method", ["signed rank", "sign", "hierarchical"])
def test_ties_do_not_make_a_pair_equivalent_in_a_posterior(method: str) -> None:
    tied = np.zeros((40, 3, 2))
    tied[:, :, :] = np.random.default_rng(6).normal(size=(40, 3, 1))
    tied[:4, :, 0] += 0.3
    results = podium.read(
        tied, labels={"dataset": None, "replication": None, "algorithm": ["a", "b"]}, measure="error", direction="lower"
    )
    options = {"ratio": 0.1, "draws": 100, "chains": 2, "warmup": 100} if method == "hierarchical" else {}
    found = podium.inference.compare_bayes(results, method=method, equivalence=0.01, **options)
    assert found.equivalent[0] > 0.95
    assert found.mean_equivalent[0] < 0.5
    assert found.decision().tolist() == ["undecided"]


# One-sided tests


def fourteen_wins(**options: object) -> podium.Comparison:
    """Compare `new` with `old`, which has more error on each of 14 data sets."""
    old = np.random.default_rng(7).normal(0.3, 0.05, 14)
    results = podium.read(
        np.column_stack([old - np.arange(1, 15) / 1000, old]),
        labels={"dataset": None, "algorithm": ["new", "old"]},
        measure="error",
        direction="lower",
    )
    return podium.compare(results, method="wilcoxon", control="old", **options)


def test_a_winner_is_not_shown_to_be_worse() -> None:
    found = fourteen_wins(alternative="worse")
    assert (found.alternative, found.decision.tolist()) == ("worse", ["undecided"])
    assert "new is not shown to be worse than old" in found.text()


@pytest.mark.parametrize("area", [(-np.inf, 0.01), (-0.02, 0.0), (-1, 0.01), 0.02])
def test_a_one_sided_test_does_not_call_a_winner_equivalent(area: object) -> None:
    found = fourteen_wins(alternative="worse", equivalence=area)
    assert found.inside.all()  # which shows that it is not worse by more than the margin
    assert found.decision.tolist() == ["undecided"]
    assert found.equivalence_pvalues[0] < 0.025


@pytest.mark.parametrize("area", [(-np.inf, 0.01), (-0.02, 0.0)])
@pytest.mark.parametrize("alternative", ["two-sided", "better"])
def test_a_one_sided_margin_does_not_make_a_winner_equivalent(alternative: str, area: object) -> None:
    assert fourteen_wins(alternative=alternative, equivalence=area).decision.tolist() == ["better"]


def test_columns_only_with_an_area(table: Callable[..., Results]) -> None:
    results = table(VALUES, rows="dataset")
    assert podium.compare(results, method="t").equivalence_pvalues is None
    with pytest.raises(InputError, match="equivalence="):
        podium.compare(results, method="t").equivalence_frame()
    found = podium.compare(results, method="t", equivalence=0.02)
    frame = found.equivalence_frame()
    assert (frame["adjusted"] >= frame["pvalue"]).all()
    assert frame[["a", "b", "decision"]].equals(found.frame()[["a", "b", "decision"]])


def test_invariances(table: Callable[..., Results]) -> None:
    one = podium.compare(table(VALUES, rows="dataset"), method="wilcoxon", equivalence=0.02)
    other = podium.compare(table(5 - 3 * VALUES[::-1], rows="dataset"), method="wilcoxon", equivalence=0.06)
    np.testing.assert_allclose(one.equivalence_pvalues, other.equivalence_pvalues)
