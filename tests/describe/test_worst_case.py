"""Worst case: the published m-worst values, minimax, epsilon, bootstrap."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_results import flipped, made, shuffled, tables, with_gaps

from podium.analysis.describe import worst_case
from podium.analysis.describe.statistic import bootstrap
from podium.analysis.describe.worst_case import mth_worst

ERROR = "Misclassification"


def test_the_m_worst_values_as_published(monks3) -> None:
    # Eugster (2011), section 2.1, "m = 12": lda .0495, knn .0545, nnet .051, rf .0432, rpart .0202, svm .02.
    # They are the 95% quantiles (type 7), not the 12th worst values.
    frame = worst_case(monks3, ERROR, quantile=0.95)
    printed = {"lda": 0.0495, "knn": 0.0545, "nnet": 0.0510, "rf": 0.0432, "rpart": 0.0202, "svm": 0.0200}
    assert frame["m-worst"].round(4).to_dict() == printed
    assert frame.attrs["order"] == "svm < rpart < rf < lda < nnet < knn"


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("quantile_0.95_type7", {"quantile": 0.95}),
        ("value_12th_worst", {"m": 12}),
        ("value_13th_worst", {"m": 13}),
        ("mean_of_12_worst", {"m": 12, "average": True}),
    ],
)
def test_what_r_computes(monks3, golden, key: str, options) -> None:
    expected = pd.Series(golden["m_worst"][key])
    found = worst_case(monks3, ERROR, **options)["m-worst"][expected.index]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_the_12th_worst_values_give_the_same_order(monks3, golden) -> None:
    assert worst_case(monks3, ERROR, m=12).attrs["order"] == golden["point_preferences"]["worst12"]["chain"]


def test_minimax(monks3) -> None:
    # Eugster (2011), section 2.1; lda and rpart have the same worst value.
    frame = worst_case(monks3, ERROR)
    assert frame.attrs["order"] == "svm < lda ~ rpart < rf < nnet < knn"
    assert frame["place"].to_dict() == {"svm": 1, "rpart": 2, "lda": 2, "rf": 4, "nnet": 5, "knn": 6}
    assert (frame["worst"] == frame["m-worst"]).all()


def test_a_neighbourhood_of_a_thousandth(monks3) -> None:
    # Eugster, Hothorn & Leisch (2008), section 3.1: with epsilon = 0.001 blue (svm) and red (rpart) become equal.
    frame = worst_case(monks3, ERROR, quantile=0.95, epsilon=0.001)
    assert frame.attrs["order"] == "rpart ~ svm < rf < lda < nnet < knn"
    assert frame["place"].tolist() == [1, 1, 3, 4, 5, 6]


def test_direction_and_order_of_rows_change_nothing(monks3) -> None:
    options = {"quantile": 0.95, "interval": True, "resamples": 100, "seed": 4}
    frame = worst_case(monks3, ERROR, **options)
    pd.testing.assert_frame_equal(worst_case(shuffled(monks3), ERROR, **options), frame, rtol=1e-12)
    turned = worst_case(flipped(monks3), ERROR, **options)
    assert turned.attrs["order"] == frame.attrs["order"]
    np.testing.assert_allclose(-turned["m-worst"], frame["m-worst"])
    np.testing.assert_allclose(-turned["upper"], frame["lower"])


@given(tables(), st.integers(1, 12), st.booleans())
def test_m_worst_by_sorting(table: np.ndarray, m: int, average: bool) -> None:
    m = min(m, len(table))
    tail = np.sort(table, axis=0)[len(table) - m :]
    expected = tail.mean(axis=0) if average else tail[0]
    np.testing.assert_allclose(mth_worst(table, m, average), expected)


def test_the_bootstrap_of_the_maximum_has_the_known_distribution() -> None:
    # P(max* = j-th smallest of n) = (j/n)^n - ((j-1)/n)^n.
    n = 8
    draws = bootstrap(np.arange(1.0, n + 1)[:, None], partial(mth_worst, m=1, average=False), resamples=40_000, seed=1)[
        :, 0
    ]
    share = np.bincount(draws.astype(int), minlength=n + 1)[1:] / len(draws)
    j = np.arange(1, n + 1)
    np.testing.assert_allclose(share, (j / n) ** n - ((j - 1) / n) ** n, atol=0.01)


def test_bootstrap_intervals_contain_the_value_and_are_reproducible(monks3) -> None:
    frame = worst_case(monks3, ERROR, m=12, interval=True, resamples=500, seed=1)
    assert ((frame["lower"] <= frame["m-worst"]) & (frame["m-worst"] <= frame["upper"])).all()
    pd.testing.assert_frame_equal(worst_case(monks3, ERROR, m=12, interval=True, resamples=500, seed=1), frame)
    assert not worst_case(monks3, ERROR, m=12, interval=True, resamples=500, seed=2)["lower"].equals(frame["lower"])
    assert list(frame.attrs["legend"]) == list(frame.columns)


def test_drawing_in_pieces_changes_nothing(monkeypatch) -> None:
    values = np.random.default_rng(0).normal(size=(20, 3))
    whole = bootstrap(values, partial(mth_worst, m=2, average=False), resamples=50, seed=9)
    monkeypatch.setattr("podium.analysis.describe.statistic.CELLS_AT_ONCE", 20 * 3 * 7)
    np.testing.assert_array_equal(
        bootstrap(values, partial(mth_worst, m=2, average=False), resamples=50, seed=9), whole
    )


def test_the_worst_case_is_that_of_the_blocks_in_common() -> None:
    results = with_gaps(made([[1, 9], [3, 4], [3, 5]]), (0, 0, 0))
    assert worst_case(results, missing="available")["worst"].to_dict() == {"a0": 3, "a1": 5}
