"""Data sets that reverse the order of the others: Page's test against SciPy, and its error by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, page_trend_test

import podium
from podium.analysis.describe.quartile_chart import reversal_pvalues


@pytest.mark.parametrize(("k", "n", "method"), [(3, 5, "exact"), (5, 6, "exact"), (10, 8, "asymptotic")])
def test_pvalues_are_those_of_pages_test(k: int, n: int, method: str) -> None:
    """SciPy tests the ranks of the second data set against the reverse of the order of the first, and vice versa."""
    rng = np.random.default_rng(k)
    costs = [np.arange(k) + 0.01 * rng.normal(size=(n, k)), rng.normal(size=(n, k))]
    ranks = [one.argsort(axis=1).argsort(axis=1) + 1 for one in costs]
    order = [one.sum(axis=0).argsort(kind="stable").argsort() + 1 for one in ranks]
    raw = [
        page_trend_test(ranks[m], ranked=True, predicted_ranks=k + 1 - order[1 - m], method=method).pvalue
        for m in (0, 1)
    ]
    low = min(raw)
    holm = [min(1.0, 2 * low) if p == low else max(p, min(1.0, 2 * low)) for p in raw]
    assert reversal_pvalues(costs, list("abcdefghij")[:k]) == pytest.approx(holm, rel=1e-9)


def test_two_algorithms_are_compared_by_a_sign_test() -> None:
    costs = [np.tile([0.0, 1.0], (8, 1)), np.tile([0.0, 1.0], (8, 1)), np.tile([1.0, 0.0], (8, 1))]
    found = reversal_pvalues(costs, ["a", "b"])
    assert found[2] == pytest.approx(3 * binom.cdf(0, 8, 0.5))
    assert found[:2] == pytest.approx([1.0, 1.0])


def test_equal_algorithms_have_no_striking_data_set() -> None:
    """At most 5% of 200 experiments with 8 data sets, 5 replications and 4 equal algorithms, plus 3 standard errors."""
    rng = np.random.default_rng(1)
    wrong = [bool((reversal_pvalues(list(rng.normal(size=(8, 5, 4))), list("abcd")) <= 0.05).any()) for _ in range(200)]
    assert np.mean(wrong) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)
    values = rng.normal(size=(8, 5, 4))
    labels = {"dataset": [f"d{i}" for i in range(8)], "replication": None, "algorithm": list("abcd")}
    report = podium.inference.rank_report(podium.read(values, labels=labels, measure="loss", direction="lower"))
    assert max(part.reversed for part in report.chart.sections) > 0.5
    assert report.striking == ()


def test_it_needs_two_replications_and_another_data_set() -> None:
    one = np.array([[1.0, 2.0, 3.0]])
    assert np.isnan(reversal_pvalues([one, np.tile(one, (9, 1))], list("abc"))).all()
