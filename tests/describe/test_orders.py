"""Orders by point estimates: those of Eugster (2011), section 2.1, epsilon, laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_results import flipped, made, shuffled, tables

import podium
from podium.analysis.describe import intervals, orders, worst_case
from podium.analysis.describe.orders import chain, classes, near, rounding

ERROR = "Misclassification"


# Eugster (2011): mean and max in section 2.1, time in section 2.5; median and quantile from R 4.2.2.
@pytest.mark.parametrize(
    ("measure", "by", "chain"),
    [
        (ERROR, "mean", "svm < rpart < rf < nnet < knn < lda"),
        (ERROR, "max", "svm < lda ~ rpart < rf < nnet < knn"),
        (ERROR, "worst", "svm < lda ~ rpart < rf < nnet < knn"),
        (ERROR, "median", "svm < rpart < rf < nnet < knn < lda"),
        (ERROR, "q95", "svm < rpart < rf < lda < nnet < knn"),
        ("Time", "mean", "rpart < lda < rf < knn < nnet < svm"),
    ],
)
def test_published_orders(monks3, measure: str, by: str, chain: str) -> None:
    assert orders(monks3, measure, statistics=by).loc[by, "order"] == chain


def test_the_order_of_a_flipped_measure_is_the_same(monks3) -> None:
    by = ["mean", "median", "best", "worst", "sd", "iqr", "range"]
    assert orders(flipped(monks3), ERROR, statistics=by)["order"].equals(orders(monks3, ERROR, statistics=by)["order"])


def test_shuffling_and_renaming_change_nothing_else(monks3) -> None:
    assert orders(shuffled(monks3), ERROR)["order"].equals(orders(monks3, ERROR)["order"])
    renamed = monks3.rename(algorithms={"svm": "zzz"})
    assert orders(renamed, ERROR, statistics="mean").loc["mean", "order"] == "zzz < rpart < rf < nnet < knn < lda"


def test_of_dispersions_the_lower_one_is_better_whatever_the_measure() -> None:
    values = [[0, 4], [1, 9]]
    assert orders(made(values, direction="higher"), statistics="sd").loc["sd", "order"] == "a0 < a1"
    assert orders(made(values, direction="lower"), statistics="sd").loc["sd", "order"] == "a0 < a1"


def test_values_within_epsilon_are_equal() -> None:
    results = made([[0.0200, 0.0202, 0.0510]], names=["blue", "red", "green"])
    assert orders(results, statistics="max").loc["max", "order"] == "blue < red < green"
    assert orders(results, statistics="max", epsilon=0.001).loc["max", "order"] == "blue ~ red < green"


def test_a_difference_of_exactly_epsilon_is_equal_in_spite_of_rounding() -> None:
    assert 0.021 - 0.020 > 0.001
    assert orders(made([[0.020, 0.021]]), statistics="mean", epsilon=0.001).loc["mean", "order"] == "a0 ~ a1"


def test_a_class_spans_at_most_epsilon_and_the_frame_says_when_it_is_not_exact() -> None:
    frame = orders(made([[0.0, 0.6, 1.2]]), statistics="mean", epsilon=1.0)
    assert frame.loc["mean"].tolist() == ["a0 ~ a1 < a2", 2, False]
    assert orders(made([[0.0, 0.6, 9.0]]), statistics="mean", epsilon=1.0).loc["mean", "exact"]


def test_own_functions_and_their_names() -> None:
    results = made([[1, 5], [2, 0], [9, 1]])
    assert orders(results, statistics={"mid": lambda x: sorted(x)[1]}).loc["mid", "order"] == "a1 < a0"


@given(tables(1, 8), st.sampled_from([0.0, 0.5, 1.0, 2.5]))
def test_classes_are_a_weak_order_that_respects_costs(table: np.ndarray, epsilon: float) -> None:
    costs = table[0]
    number = classes(costs, epsilon)
    assert set(number) == set(range(number.max() + 1))
    for i in range(len(costs)):
        for j in range(len(costs)):
            if number[i] < number[j]:
                assert costs[i] < costs[j]
            if number[i] == number[j]:
                assert abs(costs[i] - costs[j]) <= epsilon + rounding(costs)
            if epsilon == 0:
                assert (number[i] == number[j]) == (costs[i] == costs[j])


@given(tables(1, 6), st.permutations(range(6)))
def test_classes_do_not_depend_on_the_order(table: np.ndarray, order: list[int]) -> None:
    order = [i for i in order if i < table.shape[1]]
    assert classes(table[0], 1.0)[order].tolist() == classes(table[0][order], 1.0).tolist()


def test_missing_costs_are_worst_and_equal() -> None:
    costs = np.array([np.nan, 1.0, np.nan])
    assert classes(costs).tolist() == [1, 0, 1]
    assert near(costs, 0.0)[0].tolist() == [True, False, True]


def test_the_order_in_words_is_that_of_the_places() -> None:
    """Pandas loses the words beside a table; its places stay."""
    values = np.random.default_rng(4).normal(size=(12, 4)) + np.linspace(0, 1.5, 4)
    labels = {"replication": None, "algorithm": list("abcd")}
    results = podium.read(values, labels=labels, measure="error", direction="lower")
    frames = (intervals(results, kind="t"), worst_case(results, m=2, interval=True, resamples=50))
    for frame in frames:
        number = np.unique(frame["place"], return_inverse=True)[1]
        assert frame.attrs["order"] in (None, chain(list(frame.index), number))
