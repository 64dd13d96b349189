"""Podium places: sums, ties, the UCI podium, invariances."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from made_results import flipped, made, several, shuffled, tables, with_gaps

import podium
from podium.analysis.describe import places
from podium.analysis.describe.places import count_places
from slow_laws import few_examples

ERROR = "Misclassification"


def counts(frame: pd.DataFrame) -> np.ndarray:
    return frame[list(range(1, len(frame) + 1))].to_numpy(float)


@pytest.mark.parametrize("options", [{"ties": "shared"}, {"ties": "random", "seed": 1}])
def test_each_place_is_taken_once_in_each_block(monks3, options) -> None:
    table = counts(places(monks3, ERROR, **options))
    np.testing.assert_allclose(table.sum(axis=0), 250)
    np.testing.assert_allclose(table.sum(axis=1), 250)


@few_examples()
@given(tables())
def test_shared_places_add_up_and_keep_the_mean_rank(table: np.ndarray) -> None:
    frame = places(made(table))
    shares = counts(frame)
    np.testing.assert_allclose(shares.sum(axis=0), len(table))
    np.testing.assert_allclose(shares.sum(axis=1), len(table))
    weighted = shares @ np.arange(1, len(frame) + 1) / len(table)
    np.testing.assert_allclose(weighted, frame["mean place"])


def test_mean_places_are_the_rank_sums_of_the_friedman_test(monks3) -> None:
    # Eugster (2011), section 2.3.
    published = {"lda": 1260, "knn": 1233, "nnet": 1062.5, "rf": 748, "rpart": 482, "svm": 464.5}
    assert (places(monks3, ERROR)["mean place"] * 250).round(9).to_dict() == published


def test_what_figure_2_3_shows(monks3) -> None:
    # Eugster (2011), section 2.2: rf has only a few second and most third places; nnet has results in all places and
    # is clearly the algorithm with most fourth places; whenever rpart or svm is best, another one is nearly always
    # equal, whereas rf, if best, really is.
    frame = places(monks3, ERROR)
    table = frame[list(range(1, 7))]
    assert table.loc["rf", 2] < 10
    assert table.loc["rf"].idxmax() == 3
    assert (table.loc["nnet"] > 0).all()
    assert table[4].idxmax() == "nnet"
    assert frame.loc["rf", "outright"] > 60
    assert frame.loc[["svm", "rpart"], "outright"].max() < 10


def test_the_podium_of_the_uci_domain(reference) -> None:
    # Place = 1 + number of algorithms that are significantly better, from the 21 relations computed with R;
    # Eugster (2011), section 4.1: svm is first 13 times, 6 times exclusively, and never worse than third.
    golden = json.loads(reference("golden/eugster/uci.json").read_text())["podium"]
    table = golden["places"]
    values = np.array(table["matrix"], float).T[:, None, :]
    labels = {"dataset": table["cols"], "replication": ["all"], "algorithm": table["rows"]}
    results = podium.read(values, labels=labels, measure="place", direction="lower")
    frame = places(results, ties="min")
    assert frame[1].to_dict() == golden["first"]
    assert frame["outright"].to_dict() == golden["first_exclusive"]
    assert frame.loc["svm", "worst place"] == 3


def test_places_of_demsar_by_hand() -> None:
    # Three data sets, two of them with ties.
    values = [[0.9, 0.9, 0.5], [0.7, 0.8, 0.6], [0.5, 0.5, 0.5]]
    frame = places(made(values, direction="higher", names=["a", "b", "c"]))
    third = 1 / 3
    assert counts(frame.loc[["a", "b", "c"]]).tolist() == [
        pytest.approx([0.5 + third, 1.5 + third, third]),
        pytest.approx([1.5 + third, 0.5 + third, third]),
        pytest.approx([third, third, 2 + third]),
    ]
    assert frame["outright"].to_dict() == {"b": 1, "a": 0, "c": 0}
    assert frame["worst place"].to_dict() == {"b": 1, "a": 2, "c": 3}


def test_random_ties_depend_on_the_seed_and_the_names_only(monks3) -> None:
    frame = places(monks3, ERROR, ties="random", seed=7)
    pd.testing.assert_frame_equal(places(shuffled(monks3), ERROR, ties="random", seed=7), frame)
    assert not places(monks3, ERROR, ties="random", seed=8)[1].equals(frame[1])


def test_random_ties_are_fair() -> None:
    # Two algorithms that are always equal share first places by a fair coin: 2000 ± 4 · 22.
    first = places(made(np.ones((4000, 2))), ties="random", seed=3)[1]
    assert abs(first.iloc[0] - 2000) < 90


def test_direction_changes_nothing(monks3) -> None:
    pd.testing.assert_frame_equal(places(flipped(monks3), ERROR), places(monks3, ERROR))
    one = places(monks3, ERROR, ties="random", seed=2)
    pd.testing.assert_frame_equal(places(flipped(monks3), ERROR, ties="random", seed=2), one)


def test_several_data_sets_are_placed_by_their_means() -> None:
    results = several(m=5, k=3)
    means = results.values[..., 0].mean(axis=1)
    first = np.array(results.algorithms)[means.argmin(axis=1)]
    frame = places(results)
    assert frame[1].to_dict() == {name: (first == name).sum() for name in frame.index}
    assert frame.attrs["legend"][1].startswith("number of data sets in which")


def test_missing_cells_may_be_placed_last() -> None:
    results = with_gaps(made([[1, 2], [1, 2], [1, 2]]), (0, 0, 0))
    frame = places(results, missing="worst-rank")
    assert counts(frame.loc[["a0", "a1"]]).tolist() == [[2, 1], [1, 2]]
    assert counts(places(results, missing="drop-block")).tolist() == [[2, 0], [0, 2]]
    assert counts(places(results, missing="available")).tolist() == [[2, 0], [0, 2]]


def test_counting_shares_is_counting_by_hand() -> None:
    low = np.array([[1.0, 1.0, 3.0], [1.0, 2.0, 3.0]])
    high = np.array([[2.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
    assert count_places(low, high).tolist() == [[1.5, 0.5, 0], [0.5, 1.5, 0], [0, 0, 2]]


def test_random_ties_are_the_same_for_the_same_seed() -> None:
    tied = made([[1, 1]] * 20)
    assert places(tied, ties="random").equals(places(tied, ties="random", seed=0))
