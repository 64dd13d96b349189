"""Rounding decides nothing: what is equal up to rounding is equal, and what is not, is not, whatever else is compared."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import podium
from podium.analysis.blocks import paired_differences, snap
from podium.results import Results
from podium.results.ranks import ROUNDING

GOOD, GAP = np.random.default_rng(6).uniform([[0.1], [0.01]], [[0.2], [0.05]], (2, 12))
WORSE = GOOD + GAP


def scores(values: np.ndarray) -> Results:
    values = np.asarray(values, float)
    labels = {"dataset": [f"d{i}" for i in range(len(values))], "algorithm": list("abcdef")[: values.shape[1]]}
    return podium.read(values, labels=labels, measure="error", direction="lower")


@pytest.mark.parametrize("huge", [1e9, 1e11, 1e13, 1e200])
def test_an_algorithm_that_diverges_hides_no_difference_between_others(huge: float) -> None:
    results = scores(np.column_stack([GOOD, WORSE, np.full(12, huge)]))
    expected = {
        "wilcoxon": stats.wilcoxon(GOOD, WORSE).pvalue,
        "t": stats.ttest_rel(GOOD, WORSE).pvalue,
        "sign": stats.binomtest(0, 12).pvalue,
    }
    for method, pvalue in expected.items():
        found = podium.compare(results, method=method, adjust="none")
        assert found.pair("a", "b").pvalue == pytest.approx(pvalue, rel=1e-6), method
        assert found.order == ("a", "b", "c")
    assert podium.friedman(results).mean_ranks.tolist() == [1, 2, 3]


def test_the_order_of_a_comparison_agrees_with_its_decisions() -> None:
    for huge in (1e9, 1e13, 1e20):
        found = podium.compare(scores(np.column_stack([WORSE, GOOD, np.full(12, huge)])), method="t")
        assert found.pair("b", "a").decision == "better"
        assert found.order == ("b", "a", "c")
        assert [tuple(row) for row in found.frame()[["a", "b"]].to_numpy()] == [("b", "a"), ("b", "c"), ("a", "c")]


def test_whole_numbers_differ_by_one_whatever_their_size() -> None:
    results = scores([[1.5e12, 1.5e12 + 1, 1.5e12 + 2]] * 6)
    assert podium.friedman(results).pvalue == pytest.approx(
        stats.friedmanchisquare(*results.values[:, 0, :, 0].T).pvalue
    )
    assert podium.compare(results, method="sign", adjust="none").pvalue == pytest.approx(stats.binomtest(0, 6).pvalue)


def test_a_common_offset_leaves_the_statistic_as_precise_as_the_values() -> None:
    values = 1e9 + np.random.default_rng(4).normal(size=(12, 3)) + [0, 0.8, 1.6]
    found = podium.compare(scores(values), method="t").statistic
    pairs = [(0, 1), (0, 2), (1, 2)]
    assert found == pytest.approx([stats.ttest_rel(values[:, i], values[:, j]).statistic for i, j in pairs], rel=1e-5)


decimals = st.lists(st.tuples(st.integers(500, 999), st.integers(-3, 3)), min_size=4, max_size=12)


@pytest.mark.parametrize("method", ["sign", "wilcoxon"])
@given(table=decimals, margin=st.integers(1, 12))
def test_the_unit_of_decimal_numbers_does_not_matter(method: str, table: list[tuple[int, int]], margin: int) -> None:
    whole = np.array([[value + margin * steps, value] for value, steps in table], float)
    tenths = np.round(whole / 10, 1)
    inside = podium.compare(scores(whole), method=method, equivalence=margin)
    found = podium.compare(scores(tenths), method=method, equivalence=margin / 10)
    assert found.pvalue == pytest.approx(inside.pvalue, rel=1e-9)
    assert found.equivalence_pvalues == pytest.approx(inside.equivalence_pvalues, rel=1e-9, nan_ok=True)
    assert found.decision.tolist() == inside.decision.tolist()


def test_wins_count_what_the_tests_count() -> None:
    values = np.array([[0.1 + 0.2, 0.3], [0.7, 0.7], [0.5, 0.4]])
    labels = {"replication": None, "algorithm": ["a", "b"]}
    results = podium.read(values, labels=labels, measure="error", direction="lower")
    found = podium.compare(results, method="sign")
    assert found.wins.tolist() == [[0, 0], [1, 0]]
    assert found.superiority == pytest.approx([1 / 3])  # one loss and two ties
    effects = podium.inference.effect_sizes(results)
    assert effects["superiority"].tolist() == pytest.approx([2 / 3])


def test_decimal_differences_are_decimal_numbers() -> None:
    a, b = np.array([[0.3, 70.7, 1e-9 + 2e-10]]), np.array([[0.2, 70.0, 1e-9]])
    assert paired_differences(a, b)[0, :2].tolist() == [0.1, 0.7]
    assert paired_differences(a, b)[0, 2] == pytest.approx(2e-10, rel=1e-6)
    assert paired_differences(a, b, 0.1)[0, 0] == 0


def test_differences_of_one_size_are_recognised_in_blocks_of_any_size() -> None:
    b = np.array([[0.9, 0.09, 0.009, 0.5]])
    found = paired_differences(b + np.array([[2, -2, 2, 3]]) / 71, b)[0]
    assert found[0] == -found[1] == found[2] != found[3]
    assert found[0] == pytest.approx(2 / 71, rel=1e-13)


def test_tiny_and_huge_numbers_are_not_rounded_away() -> None:
    sizes = np.array([0.0, 5e-324, 1e-300, 1e-20, 1.0, 1e20, 1e300])
    assert snap(sizes, sizes) == pytest.approx(sizes, rel=1e-14)
    assert ROUNDING < 1e-13
