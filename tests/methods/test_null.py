"""Attained errors: every procedure keeps its level where it should (more in benchmarks/calibration).

A share of rejections among R samples may exceed the level by three standard errors. An adjustment must also keep its
level where some algorithms differ and others do not.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.special import ndtr

from podium.analysis.adjustment import ADJUSTMENTS, adjust_pvalues
from podium.analysis.methods.omnibus.aligned_ranks import aligned_test
from podium.analysis.methods.omnibus.cochran_q import cochran_test
from podium.analysis.methods.omnibus.friedman import friedman_test
from podium.analysis.methods.omnibus.quade import quade_test
from podium.analysis.methods.omnibus.skillings_mack import skillings_mack_test
from podium.analysis.methods.pairwise_test import PAIRWISE_TESTS, Structure
from podium.analysis.methods.permutation import exact_sums
from podium.analysis.methods.ranks import permuted_rank_pairs, rank_blocks, rank_pairs

ALPHA = 0.05


def limit(samples: int, alpha: float = ALPHA) -> float:
    return alpha + 3 * np.sqrt(alpha * (1 - alpha) / samples)


@pytest.mark.parametrize("rounded", [False, True], ids=["values", "rounded values"])
def test_global_tests(rounded: bool) -> None:
    samples = 550  # at a true level of 0.1 more than 96% of these tests fail
    rng = np.random.default_rng(1)
    tests = {
        "friedman": lambda x: friedman_test(x).pvalue,
        "iman-davenport": lambda x: friedman_test(x, distribution="F").pvalue,
        "quade": lambda x: quade_test(x).pvalue,
        "aligned ranks": lambda x: aligned_test(x).pvalue,
        "skillings-mack": lambda x: skillings_mack_test(np.where(rng.random(x.shape) < 0.1, np.nan, x)).pvalue,
    }
    rejected = dict.fromkeys(tests, 0)
    for _ in range(samples):
        values = rng.normal(size=(15, 4)) + rng.normal(size=(15, 1))
        values = np.round(values, 0) if rounded else values
        for name, test in tests.items():
            rejected[name] += test(values) <= ALPHA
    for name, count in rejected.items():
        assert count / samples <= limit(samples), name
        assert count / samples >= 0.02, name  # and they reject at all


def test_cochran() -> None:
    samples = 2000
    rng = np.random.default_rng(2)
    shares = np.array(
        [cochran_test((rng.random((30, 3)) < rng.random((30, 1))).astype(float)).pvalue for _ in range(samples)]
    )
    assert 0.02 <= (shares <= ALPHA).mean() <= limit(samples)


def test_exact_permutations_hold_their_level_exactly() -> None:
    rng = np.random.default_rng(3)
    ranks = rank_blocks(np.round(rng.random((7, 4)), 1))
    sums, chances = exact_sums(np.rint(2 * ranks).astype(np.int64))
    statistic = (sums**2).sum(axis=1)
    for alpha in (0.01, 0.05, 0.2):
        rejected = np.array([chances[statistic >= s].sum() <= alpha + 1e-12 for s in statistic])
        assert chances[rejected].sum() <= alpha + 1e-9


@pytest.mark.parametrize("name", ["wilcoxon", "sign", "t", "permutation t"])
@pytest.mark.parametrize("law", ["normal", "laplace", "rounded"])
def test_tests_of_pairs(name: str, law: str) -> None:
    samples = 6000
    rng = np.random.default_rng(4)
    d = rng.laplace(size=(samples, 15)) if law == "laplace" else rng.normal(size=(samples, 15))
    d = np.round(d, 0) if law == "rounded" else d
    options = {"permutations": 999} if name == "permutation t" else {}
    found = PAIRWISE_TESTS[name].function(d, Structure(), alpha=0.05, intervals=False, **options)
    for p in (found.two_sided, found.less, found.greater):
        assert (p <= ALPHA).mean() <= limit(samples)
    assert (found.two_sided <= ALPHA).mean() >= 0.015


def test_resampled_tests_on_correlated_replications() -> None:
    """Replications correlated as Nadeau & Bengio model it: the plain t test breaks down, the corrected one holds."""
    samples, n, ratio = 6000, 30, 1 / 9
    rho = ratio / (1 + ratio)
    rng = np.random.default_rng(5)
    d = np.sqrt(rho) * rng.normal(size=(samples, 1)) + np.sqrt(1 - rho) * rng.normal(size=(samples, n))
    sizes = Structure(n_learn=np.full(n, 90), n_test=np.full(n, 10))
    corrected = PAIRWISE_TESTS["corrected t"].function(d, sizes, alpha=0.05)
    assert 0.03 <= (corrected.two_sided <= ALPHA).mean() <= limit(samples)
    assert (PAIRWISE_TESTS["t"].function(d, sizes, alpha=0.05).two_sided <= ALPHA).mean() > 0.3
    folds = Structure(repeat=np.repeat(np.arange(5), 2), fold=np.tile([0, 1], 5))
    for name in ("5x2cv t", "5x2cv F"):
        p = PAIRWISE_TESTS[name].function(rng.normal(size=(samples, 10)), folds, alpha=0.05).two_sided
        assert (p <= ALPHA).mean() <= limit(samples), name


@pytest.mark.parametrize("different", [0, 1, 3], ids=["all equal", "one differs", "three differ"])
def test_single_step_over_pairs(different: int) -> None:
    samples, n, k = 700, 20, 6
    first, second = np.triu_indices(k, 1)
    null = (first >= different) & (second >= different)
    rng = np.random.default_rng(6)
    shift = np.r_[3.0 * np.arange(different, 0, -1), np.zeros(k - different)]
    ranks = rank_blocks(rng.normal(size=(samples * n, k)) + shift).reshape(samples, n, k)
    # Where all equal algorithms lie within 1.9 standard errors, no pair has a p-value below 0.057, even on its own.
    spread = np.ptp(ranks[..., different:].mean(axis=1), axis=1)
    far = ranks[spread > 1.9 * np.sqrt(k * (k + 1) / (6 * n))]
    errors = controls = 0
    for table in far:
        errors += (rank_pairs(table, first, second).single_step[null] <= ALPHA).any()
        many = rank_pairs(table, np.arange(k - 1), np.full(k - 1, k - 1), control=True)
        controls += (many.single_step[different:] <= ALPHA).any()
    assert errors / samples <= limit(samples)
    assert controls / samples <= limit(samples)


def test_without_ties_both_variances_are_the_same() -> None:
    ranks = rank_blocks(np.random.default_rng(6).normal(size=(20, 6)))
    first, second = np.triu_indices(6, 1)
    ties, plain = (rank_pairs(ranks, first, second, variance=name) for name in ("ties", "plain"))
    assert ties.error == pytest.approx(plain.error, rel=1e-12)
    np.testing.assert_allclose(ties.single_step, plain.single_step, rtol=1e-12)


def test_permutation_over_pairs() -> None:
    samples, k = 200, 3
    first, second = np.triu_indices(k, 1)
    rng = np.random.default_rng(7)
    errors = 0
    for i in range(samples):
        ranks = rank_blocks(rng.normal(size=(12, k)))
        errors += (permuted_rank_pairs(ranks, first, second, permutations=499, seed=i).single_step <= ALPHA).any()
    assert errors / samples <= limit(samples)


def attained(name: str, different: int, samples: int, k: int) -> float:
    """How often a pair of equal algorithms is rejected, of all pairs of k normal means; the first few differ."""
    first, second = np.triu_indices(k, 1)
    null = (first >= different) & (second >= different)
    means = np.random.default_rng(8).normal(size=(samples, k))
    means[:, :different] += 20.0 * np.arange(1, different + 1)
    p = 2 * ndtr(-np.abs(means[:, first] - means[:, second]) / np.sqrt(2))
    return share_rejected(name, p, null)


def share_rejected(name: str, pvalues: np.ndarray, null: np.ndarray | slice = slice(None)) -> float:
    """The share of rows in which a true hypothesis is rejected after adjustment.

    An adjusted p-value is never below its own (test_adjust.py), so only rows with a small one need adjusting.
    """
    small = pvalues[(pvalues[:, null] <= ALPHA).any(axis=1)]
    return sum((adjust_pvalues(row, name)[null] <= ALPHA).any() for row in small) / len(pvalues)


STRONG = [n for n, a in ADJUSTMENTS.items() if a.controls == "family-wise error rate" and not a.caution]


@pytest.mark.parametrize("name", STRONG)
@pytest.mark.parametrize("different", [0, 1, 2], ids=["all equal", "one differs", "two differ"])
def test_adjustments_hold_where_some_differ(name: str, different: int) -> None:
    """One or two bad algorithms and the others equal: no pair of equals may be rejected too often."""
    slow = ADJUSTMENTS[name].logical or name == "rom"
    samples, k = (
        (300, 4) if slow else (1000, 6)
    )  # at a true level of 0.1 more than 99% of 1,000 samples exceed the limit
    assert attained(name, different, samples, k) <= limit(samples)


def test_cautions_are_deserved() -> None:
    """Finner and Li are offered with a caution: if they kept their level, the caution would have to go."""
    assert attained("finner", 0, 2000, 6) <= limit(2000)
    assert attained("finner", 1, 2000, 6) > 0.1
    means = np.random.default_rng(1).normal(size=(4000, 6))
    against_control = 2 * ndtr(-np.abs(means[:, :5] - means[:, 5:]) / np.sqrt(2))
    assert share_rejected("li", against_control) > limit(4000)
    assert share_rejected("holm", against_control) <= limit(4000)
    assert {name for name, a in ADJUSTMENTS.items() if a.caution} == {"finner", "li"}


@pytest.mark.parametrize("name", ["bh", "by"])
def test_false_discoveries(name: str) -> None:
    samples, k = 1500, 6
    first, second = np.triu_indices(k, 1)
    rng = np.random.default_rng(9)
    for different in (0, 2, 4):
        means = rng.normal(size=(samples, k))
        means[:, :different] += 5.0 * np.arange(1, different + 1)
        null = (first >= different) & (second >= different)
        p = 2 * ndtr(-np.abs(means[:, first] - means[:, second]) / np.sqrt(2))
        rejected = np.array([adjust_pvalues(row, name) <= ALPHA for row in p])
        shares = (rejected & null).sum(axis=1) / np.maximum(rejected.sum(axis=1), 1)
        assert shares.mean() <= ALPHA + 3 * shares.std() / np.sqrt(samples)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_conover_with_two_algorithms_and_few_blocks(n: int) -> None:
    """All 2^n outcomes: those in which all blocks agree have the probability 2^(1 - n), which is their p-value."""
    errors = 0
    for order in product([0, 1], repeat=n):
        ranks = np.array([[1.0, 2.0], [2.0, 1.0]])[list(order)]
        found = rank_pairs(ranks, np.array([0]), np.array([1]), variance="conover")
        errors += bool(found.pvalue[0] <= ALPHA)
        if len(set(order)) == 1:
            assert found.pvalue == pytest.approx([2.0 ** (1 - n)])
    assert errors / 2**n <= ALPHA
