"""Intervals: published ones, formulas, coverage, laws."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from made_results import flipped, made, shuffled, tables, with_gaps
from scipy import stats

from podium.analysis.describe import intervals, overlaps
from slow_laws import few_examples

ERROR = "Misclassification"


@pytest.mark.parametrize(("alpha", "key"), [(0.1, "alpha_0.05"), (0.05, "alpha_0.025")])
def test_percentile_intervals_of_r(monks3, golden, alpha: float, key: str) -> None:
    # Eugster (2011), figure 2.1, has 90% intervals; R's order statistics, printed with 15 digits.
    table = golden["percentile_intervals"][key]
    frame = intervals(monks3, ERROR, alpha=alpha).loc[table["rows"], ["lower", "upper"]]
    np.testing.assert_allclose(frame, table["matrix"], rtol=1e-12, atol=1e-15)


def test_all_percentile_intervals_of_figure_2_1_overlap(monks3, golden) -> None:
    frame = intervals(monks3, ERROR, alpha=0.1)
    table = golden["percentile_intervals"]["overlap_alpha_0.05"]
    met = overlaps(frame).loc[table["labels"], table["labels"]]
    assert met.to_numpy().astype(int).tolist() == table["matrix"]
    assert frame.attrs["order"] == "knn ~ lda ~ nnet ~ rf ~ rpart ~ svm"


def test_mean_intervals_of_the_report_of_2008(monks3) -> None:
    # Eugster, Hothorn & Leisch (2008), section 3.1: mean ± 1.96 SD/√B; blue (svm) and red (rpart) overlap, and so do
    # yellow (knn) and purple (lda); green (nnet) overlaps with none.
    frame = intervals(monks3, ERROR, kind="normal")
    values = monks3.to_wide(ERROR)
    half = 1.96 * values.std() / np.sqrt(250)
    np.testing.assert_allclose(frame["lower"], (values.mean() - half)[frame.index], atol=1e-7)
    np.testing.assert_allclose(frame["upper"], (values.mean() + half)[frame.index], atol=1e-7)
    assert frame.attrs["order"] == "rpart ~ svm < rf < nnet < knn ~ lda"


def test_t_intervals_are_those_of_scipy() -> None:
    values = np.random.default_rng(1).normal(size=(7, 2))
    frame = intervals(made(values), kind="t", alpha=0.1).loc[["a0", "a1"]]
    for k in range(2):
        expected = stats.ttest_1samp(values[:, k], 0).confidence_interval(0.9)
        assert frame.iloc[k][["lower", "upper"]].tolist() == pytest.approx([expected.low, expected.high], rel=1e-12)


def test_the_bootstrap_of_the_mean_has_the_known_spread() -> None:
    # Var*(mean) = (n-1)/n · s²/n, and the percentile interval of a mean is nearly normal for n = 200.
    values = np.random.default_rng(2).normal(size=(200, 3))
    frame = intervals(made(values), kind="bootstrap", resamples=20_000, seed=3).loc[["a0", "a1", "a2"]]
    half = (frame["upper"] - frame["lower"]) / 2
    np.testing.assert_allclose(half, 1.959964 * values.std(axis=0, ddof=0) / np.sqrt(200), rtol=0.03)


def test_the_bootstrap_of_any_statistic_is_that_of_scipy() -> None:
    # scipy.stats.bootstrap, percentile method; both are random: ends agree within Monte Carlo error.
    values = np.random.default_rng(4).gamma(2, size=60)
    frame = intervals(made(values[:, None]), kind="bootstrap", statistic="q75", resamples=20_000, seed=5)

    def upper_quartile(x: np.ndarray, axis: int) -> np.ndarray:
        return np.quantile(x, 0.75, axis=axis)

    other = stats.bootstrap((values,), upper_quartile, n_resamples=20_000, method="percentile").confidence_interval
    np.testing.assert_allclose(frame[["lower", "upper"]].iloc[0], [other.low, other.high], atol=0.08)


@pytest.mark.parametrize(
    ("kind", "low", "high"), [("t", 0.93, 0.97), ("bootstrap", 0.91, 0.96), ("normal", 0.92, 0.96)]
)
def test_coverage_of_the_mean(kind: str, low: float, high: float) -> None:
    # 1,500 independent samples of size 30 from N(0, 1), as 1,500 algorithms; Monte Carlo error of a share: 0.006.
    values = np.random.default_rng(7).normal(size=(30, 1500))
    frame = intervals(made(values), kind=kind, resamples=600 if kind == "bootstrap" else None)
    assert low < ((frame["lower"] <= 0) & (frame["upper"] >= 0)).mean() < high


@few_examples()
@given(tables(30, 4))
def test_percentile_intervals_contain_at_least_their_share_of_the_values(table: np.ndarray) -> None:
    frame = intervals(made(table), alpha=0.2).loc[[f"a{k}" for k in range(table.shape[1])]]
    inside = (table >= frame["lower"].to_numpy()) & (table <= frame["upper"].to_numpy())
    assert (inside.mean(axis=0) >= 0.8 - 1e-12).all()


def test_a_whole_rank_is_not_rounded_up() -> None:
    # 100 · 0.95 is 95, though floating-point numbers say 95.00000000000001.
    frame = intervals(made(np.arange(1, 101)[:, None]), alpha=0.1)
    assert frame.loc["a0", ["lower", "upper"]].tolist() == [5, 95]


@pytest.mark.parametrize("kind", ["percentile", "normal", "t", "bootstrap"])
def test_direction_and_order_of_rows_change_nothing(monks3, kind: str) -> None:
    resamples = 200 if kind == "bootstrap" else None
    frame = intervals(monks3, ERROR, kind=kind, resamples=resamples)
    pd.testing.assert_frame_equal(intervals(shuffled(monks3), ERROR, kind=kind, resamples=resamples), frame, rtol=1e-12)
    turned = intervals(flipped(monks3), ERROR, kind=kind, resamples=resamples)
    np.testing.assert_allclose(-turned["upper"], frame["lower"], rtol=1e-12)
    np.testing.assert_allclose(-turned["lower"], frame["upper"], rtol=1e-12)
    assert turned.attrs["order"] == frame.attrs["order"]


def test_overlapping_that_is_not_transitive_has_no_order() -> None:
    frame = pd.DataFrame({"lower": [0, 2, 4], "upper": [3, 5, 7]}, index=list("abc"))
    assert overlaps(frame).loc["a"].tolist() == [True, True, False]
    values = np.array([[0.0, 2.0, 4.0], [3.0, 5.0, 7.0]])
    assert intervals(made(values), alpha=0.1).attrs["order"] is None


def test_missing_cells_where_they_can_be_left_out() -> None:
    results = with_gaps(made([[1, 2], [3, 4], [5, 9]]), (0, 2, 1))
    frame = intervals(results, alpha=0.5, missing="available")
    assert frame["n"].to_dict() == {"a0": 2, "a1": 2}
    pd.testing.assert_frame_equal(
        intervals(results, kind="bootstrap", missing="available"),
        intervals(results, kind="bootstrap", missing="drop-block"),
    )
