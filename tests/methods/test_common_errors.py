"""Errors that other tools for comparing algorithms make or made: podium does not make them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, studentized_range

import podium
from podium.analysis.compare import compare
from podium.analysis.methods import PAIRWISE_TESTS, effect_sizes, friedman, paired_test
from podium.analysis.methods.omnibus.friedman import friedman_test
from podium.analysis.methods.rank_test import RANK_TESTS
from podium.analysis.methods.ranks import critical_value, rank_blocks
from podium.errors import InputError
from podium.plot.figures.critical_difference import critical_difference
from podium.results import Results

INDEPENDENT = ["wilcoxon", "sign", "t", "permutation t"]
ALL = [*(test.name for test in RANK_TESTS.values() if not test.control_of), *INDEPENDENT]


# Demšar (2006), table 5 (a): critical values of the two-tailed Nemenyi test
TABLE_5A = {
    0.05: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
    0.10: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
}
# Table 5 (b): Bonferroni–Dunn, including the control in the number of classifiers
TABLE_5B = {
    0.05: [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.724, 2.773],
    0.10: [1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539],
}


def test_critical_values_are_those_of_k_algorithms_not_of_k_plus_one() -> None:
    for alpha, row in TABLE_5A.items():
        for k, printed in enumerate(row, start=2):
            assert critical_value(alpha, k, adjust="single-step") == pytest.approx(printed, abs=1.1e-3)
    for alpha, row in TABLE_5B.items():
        for k, printed in enumerate(row, start=2):
            found = critical_value(alpha, k, adjust="bonferroni", control=True)
            # for nine classifiers the table prints 2.724, the quantile of 0.05 / 16 is 2.734
            assert found == pytest.approx(printed, abs=1.1e-3 if (alpha, k) != (0.05, 9) else 0.011)
    for k in (2, 3, 10, 50, 57, 120, 200):
        expected = studentized_range.isf(0.05, k, np.inf) / np.sqrt(2)
        assert critical_value(0.05, k, adjust="single-step") == pytest.approx(expected, abs=1e-6)


def test_many_algorithms_and_any_level(table: Callable[..., Results]) -> None:
    found = compare(table(np.random.default_rng(0).random((20, 100))), method="nemenyi", alpha=0.03)
    expected = 4.43314494455 * np.sqrt(100 * 101 / (6 * 20))  # R 4.2.2: qtukey(0.97, 100, Inf) / sqrt(2)
    assert found.critical_difference == pytest.approx(expected, rel=1e-7)


def test_nemenyi_of_two_algorithms_is_a_normal_test(table: Callable[..., Results]) -> None:
    ranks = rank_blocks(np.random.default_rng(1).random((25, 2)))
    found = compare(table(ranks), method="nemenyi")
    z = (ranks.mean(axis=0)[0] - ranks.mean(axis=0)[1]) / np.sqrt(2 * 3 / (6 * 25))
    assert found.adjusted[0] == pytest.approx(2 * norm.sf(abs(z)), rel=1e-12)
    assert found.critical_value == pytest.approx(norm.isf(0.025))


def test_infinite_degrees_of_freedom_unless_asked(table: Callable[..., Results]) -> None:
    results = table(np.random.default_rng(1).random((6, 3)))
    assert compare(results, method="nemenyi").critical_difference == pytest.approx(1.353, abs=5e-4)
    asked = compare(results, method="nemenyi", df=15)
    assert asked.critical_difference == pytest.approx(1.500, abs=5e-4)
    assert (asked.adjusted >= compare(results, method="nemenyi").adjusted).all()


@pytest.mark.parametrize("method", ALL)
def test_block_effects_do_not_matter(table: Callable[..., Results], method: str) -> None:
    rng = np.random.default_rng(4)
    values = np.round(rng.normal([0, 0.5, 1, 1.5], size=(15, 4)), 3)
    shifted = values + 100 * rng.integers(0, 9, (15, 1))
    one, two = compare(table(values), method=method), compare(table(shifted), method=method)
    np.testing.assert_allclose(one.pvalue, two.pvalue, atol=1e-9)
    np.testing.assert_allclose(one.adjusted, two.adjusted, atol=1e-9)


def test_all_ties_and_complete_agreement_have_defined_p_values(table: Callable[..., Results]) -> None:
    same = table(np.ones((6, 3)))
    assert friedman(same).pvalue == 1.0
    for method in ALL:
        found = compare(same, method=method)
        assert found.adjusted.tolist() == [1.0, 1.0, 1.0]
        assert found.groups() == [("a0", "a1", "a2")]
    agreed = table(np.tile([1.0, 2.0, 3.0], (20, 1)) + np.arange(20)[:, None] * [0.0, 0.001, 0.002])
    assert np.isinf(friedman(agreed, distribution="F").statistic)
    assert friedman(agreed, distribution="F").significant
    conover = compare(agreed, method="conover")
    # Conover (1999), section 5.8: the probability that all blocks have one order of three is 6^(1 - n).
    assert conover.adjusted == pytest.approx([6.0**-19] * 3)
    assert (conover.decision == "better").all()


@pytest.mark.parametrize("method", ALL)
@pytest.mark.parametrize("n", [10, 20, 60])
def test_equal_columns_have_p_one(table: Callable[..., Results], method: str, n: int) -> None:
    column = np.random.default_rng(0).random((n, 1))
    found = compare(table(np.hstack([column, column, column + 1])), method=method)
    assert found.pair("a0", "a1")["pvalue"] == 1.0
    assert ("a0", "a1") in found.groups()
    for zeros in ("drop", "pratt", "split"):
        assert paired_test(column[:, 0], column[:, 0], zeros=zeros).pvalue == 1.0


def test_no_pair_differs_after_a_global_test_that_is_not_significant(table: Callable[..., Results]) -> None:
    # A pair may look different although the global test does not: K = 8 equal algorithms, 12 blocks.
    rng = np.random.default_rng(0)
    for _ in range(400):
        values = rng.random((12, 8))
        ranks = rank_blocks(values)
        if friedman_test(ranks).pvalue > 0.05:
            found = compare(table(values), method="conover", adjust="none")
            if (found.adjusted <= 0.05).any():
                break
    assert not found.significant.any()
    assert found.groups() == [found.order]
    assert set(found.decision) == {"undecided"}
    assert (found.pvalue <= 0.05).any()  # the p-values are still shown
    assert str(found.notes[-1]).startswith("The global test finds no difference (Friedman test (tie-corrected), p = 0.")
    assert len(critical_difference(found).bars) == 1
    ungated = compare(table(values), method="conover", adjust="none", omnibus=False)
    assert ungated.significant.any()
    assert str(found.relation()).count("<") == 0


def test_replications_are_not_data_sets(table: Callable[..., Results]) -> None:
    values = np.random.default_rng(0).random((10, 4, 3))
    once, twice = table(values), table(np.concatenate([values, values], axis=1))
    for method in ALL:
        one, two = compare(once, method=method), compare(twice, method=method)
        assert (one.n, two.n) == (10, 10)
        np.testing.assert_allclose(one.adjusted, two.adjusted)
        assert one.critical_difference == two.critical_difference
    with pytest.raises(InputError, match="pseudo-replication"):
        compare(once, unit="replication")
    ragged = once.to_long()
    ragged = ragged[~((ragged["dataset"] == "d3") & (ragged["replication"] > 2))]
    uneven = compare(podium.read(ragged), method="nemenyi")
    assert (uneven.n, uneven.missing.missing) == (10, 0)
    assert "The 2 to 4 replications of each data set were reduced to their mean first" in str(uneven.notes[0])


def test_tests_and_effects_are_paired(table: Callable[..., Results]) -> None:
    assert not {"welch", "mann-whitney", "ttest_ind", "kruskal"} & set(PAIRWISE_TESTS)
    rng = np.random.default_rng(0)
    values = rng.normal([0.0, 0.5], size=(30, 2))
    shifted = values + 100 * rng.integers(0, 9, (30, 1))
    columns = ["wins", "ties", "losses", "superiority", "superiority lower", "superiority upper"]
    one, two = effect_sizes(table(values)), effect_sizes(table(shifted))
    assert one[columns].equals(two[columns])
    np.testing.assert_allclose(one["difference"], two["difference"])


def test_pairs_are_counted_once(monks3: Results) -> None:
    all_of_them = compare(monks3, method="t", adjust="bonferroni")
    np.testing.assert_allclose(all_of_them.adjusted, np.minimum(15 * all_of_them.pvalue, 1))
    control = compare(monks3, method="t", adjust="bonferroni", control="lda")
    np.testing.assert_allclose(control.adjusted, np.minimum(5 * control.pvalue, 1))
    matrix = all_of_them.matrix()
    assert isinstance(matrix, pd.DataFrame)
    np.testing.assert_array_equal(matrix, matrix.T)
    assert (np.diag(matrix) == 1).all()
