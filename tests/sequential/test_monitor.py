"""Monitoring: p-values on accumulating replications, the point of consecutive significance, and what it depends on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.analysis.methods.pairwise_test import PAIRWISE_TESTS, Structure
from podium.analysis.sequential.cumulative_pvalues import accumulating_pvalues, point_of_significance
from podium.errors import InputError


@pytest.fixture(scope="module")
def error() -> podium.Results:
    return podium.examples.load_pima()


@pytest.mark.parametrize("name", ["wilcoxon", "sign", "t"])
@pytest.mark.parametrize("tail", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("decimals", [1, 12])
def test_updated_pvalues_are_those_of_the_test(name: str, tail: Any, decimals: int) -> None:
    """With ties and zeros, and beyond the 50 replications up to which signed ranks are exact."""
    differences = np.round(np.random.default_rng(0).normal(0.1, 0.5, size=(3, 90)), decimals)
    test = PAIRWISE_TESTS[name]
    found = accumulating_pvalues(differences, test, tail, Structure(), 3, {})
    for b in (3, 10, 49, 50, 51, 60, 75, 90):
        expected = test.function(differences[:, :b], Structure(), intervals=False).pvalue(tail)
        np.testing.assert_allclose(found[:, b - 1], expected, atol=1e-12)
    assert np.isnan(found[:, :2]).all()


def test_the_last_pvalue_is_that_of_compare(error: podium.Results) -> None:
    error = error.select(replications=range(1, 61))
    for method in ("wilcoxon", "sign", "t", "corrected t"):
        comparison = podium.compare(error, method=method)
        found = podium.monitor(error, method=method)
        for (a, b), p in zip(found.pairs, found.series[:, -1], strict=True):
            assert p == pytest.approx(comparison.pair(a, b)["adjusted"], rel=1e-9)
    assert podium.monitor(error, method="friedman").series[0, -1] == podium.friedman(error).pvalue


@pytest.mark.parametrize("method", ["nemenyi", "conover", "mixed"])
def test_every_procedure_of_compare_can_be_monitored(error: podium.Results, method: str) -> None:
    """With its own adjustment for all pairs; before the end as on the first replications alone."""
    some = error.select(replications=range(1, 25))
    found = podium.monitor(some, method=method, burn_in=20)
    for b in (21, 24):
        part = podium.compare(some.select(replications=range(1, b + 1)), method=method)
        for (first, second), p in zip(found.pairs, found.series[:, b - 1], strict=True):
            assert p == pytest.approx(part.pair(first, second)["adjusted"], rel=1e-6)
    assert found.adjust == "none"
    one = podium.monitor(some, method=method, burn_in=22, pair=("rf", "lda"))
    assert one.series[0, -1] == pytest.approx(found.series[found.pairs.index(("lda", "rf")), -1], rel=1e-6)
    with pytest.raises(InputError, match="compares all algorithms at once and has no direction"):
        podium.monitor(some, method=method, pair=("rf", "lda"), alternative="better")


def test_the_point_of_consecutive_significance() -> None:
    p = np.array(
        [
            [np.nan, 0.5, 0.04, 0.06, 0.05, 0.01],  # from the fifth on
            [np.nan, 0.01, 0.02, 0.03, 0.04, 0.06],  # not at the end
            [0.01] * 6,
            [np.nan] * 6,
        ]
    )
    assert point_of_significance(p, 0.05).tolist() == [5.0, np.inf, 1.0, np.inf]


def test_marginal_results_are_marked() -> None:
    """The p-values of scenario 2 before its hundredth replication, Eugster (2011), section 6.2: Π = 100 of 100."""
    series = np.concatenate([np.full(94, 0.1), [0.0532, 0.0758, 0.0792, 0.0721, 0.0620, 0.0483]])[None, :]
    found = podium.inference.Monitor(
        method="Wilcoxon signed rank test",
        procedure="wilcoxon",
        pairs=(("rf", "svm1"),),
        algorithms=("rf", "svm1"),
        dataset="pima",
        measure="error",
        alternative="better",
        adjust="none",
        alpha=0.05,
        burn_in=3,
        labels=tuple(range(100)),
        series=series,
        points=point_of_significance(series, 0.05),
    )
    assert found.point == 100
    assert found.marginal.tolist() == [True]
    assert not podium.monitor(podium.examples.load_pima(), pair=("lda", "svm1")).marginal.any()


def test_three_scenarios(error: podium.Results) -> None:
    """Section 6.2 on this run: a clear difference early, a small one late, none; as published (13, 117, infinite)."""
    early, late, never = (
        podium.monitor(error, pair=pair, alternative="better").point
        for pair in (("lda", "svm1"), ("rf", "svm1"), ("svm1", "svm2"))
    )
    assert early < 30 < late < 150
    assert never == np.inf


def test_series_and_tables(error: podium.Results) -> None:
    one = podium.monitor(error, pair=("lda", "svm1"))
    assert isinstance(one.pvalues, pd.Series)
    assert one.pvalues.index[0] == 1
    assert one.pvalues.isna().sum() == 3
    assert one.pvalues[200] < 0.001
    several = podium.monitor(error)
    assert isinstance(several.pvalues, pd.DataFrame)
    assert several.pvalues.shape == (200, 6)
    assert several.point[("lda", "svm1")] == several.points[0]
    assert several.frame().columns.tolist() == ["a", "b", "point", "pvalue", "significant", "marginal"]


def test_other_directions_and_labels_change_nothing(error: podium.Results) -> None:
    expected = podium.monitor(error, pair=("lda", "rf"), alternative="better").series
    accuracy = error.replace(values=1 - error.values, measures=(podium.MeasureInfo("accuracy", "higher"),))
    np.testing.assert_allclose(podium.monitor(accuracy, pair=("lda", "rf"), alternative="better").series, expected)
    np.testing.assert_allclose(podium.monitor(error, pair=("rf", "lda"), alternative="worse").series, expected)


def test_orders_of_the_replications(error: podium.Results) -> None:
    error = error.select(replications=range(1, 101))
    found = podium.monitor(error, pair=("lda", "rf"), rearrangements=20, seed=1)
    again = podium.monitor(error, pair=("lda", "rf"), rearrangements=20, seed=1)
    np.testing.assert_array_equal(found.rearranged, again.rearranged)
    assert found.rearranged is not None
    rng = np.random.default_rng(1)
    orders = [rng.permutation(100) for _ in range(20)]
    for i in (0, 7):
        reordered = error.replace(values=error.values[:, orders[i]])
        assert podium.monitor(reordered, pair=("lda", "rf")).points[0] == found.rearranged[i, 0]
    assert found.rearranged.shape == (20, 1)
    assert len(np.unique(found.rearranged)) > 5
    assert np.isfinite(found.rearranged).all()  # all replications together are significant in every order
    assert found.frame()["point_median"][0] == np.sort(found.rearranged[:, 0])[9]
