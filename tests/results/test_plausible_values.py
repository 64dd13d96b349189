"""Values that a measure cannot have, mixed scales, and index columns are reported when a table is read."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import AmbiguousInputError, ImplausibleValuesWarning, IndexColumnWarning, PodiumWarning


@pytest.fixture
def scores() -> pd.DataFrame:
    values = np.random.default_rng(1).uniform(0.6, 0.99, (6, 3)).round(3)
    frame = pd.DataFrame(values, columns=["svm", "knn", "rf"])
    frame.insert(0, "dataset", list("abcdef"))
    return frame


def told(frame: pd.DataFrame, **options: object) -> ImplausibleValuesWarning:
    with pytest.warns(ImplausibleValuesWarning) as caught:
        podium.read(frame, **{"measure": "accuracy", **options})
    assert len(caught) == 1
    assert caught[0].filename == __file__  # the line of the caller, not of podium
    assert isinstance(caught[0].message, ImplausibleValuesWarning)
    return caught[0].message


def test_one_percentage_among_fractions(scores: pd.DataFrame) -> None:
    scores.loc[2, "knn"] = 81.2
    warning = told(scores)
    assert warning.measure == "accuracy"
    assert warning.limits == (0, 1)
    assert warning.cells == (("c", 1, "knn", 81.2),)
    assert warning.algorithms == ()
    assert str(warning) == (
        "The measure 'accuracy' has values between 0 and 1. 81.2 (knn on c) is on another scale than the rest. Fractions "
        "and percentages seem to be mixed: give all values on one scale. If all are percentages, say units='%'."
    )


def test_an_algorithm_in_percent(scores: pd.DataFrame) -> None:
    warning = told(scores.assign(knn=100 * scores["knn"]))
    assert warning.algorithms == ("knn",)
    assert len(warning.cells) == 6
    assert "All values of 'knn' are outside that range" in str(warning)


def test_one_fraction_among_percentages(scores: pd.DataFrame) -> None:
    percent = scores.assign(**{name: 100 * scores[name] for name in ("svm", "knn", "rf")})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        podium.read(percent, measure="accuracy")  # all on one scale
    percent.loc[1, "svm"] = 0.81
    assert told(percent).cells == (("b", 1, "svm", 0.81),)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        podium.read(percent, measure="accuracy", units="%")  # an accuracy of 0.81 %: the caller says so
    percent.loc[1, "svm"] = 812.0
    assert told(percent).cells == told(percent, units="%").cells == (("b", 1, "svm", 812.0),)


@pytest.mark.parametrize(
    ("measure", "value"),
    [("AUC", -0.2), ("error rate", 1.2), ("F1 (%)", 101.0), ("test_recall", 1.01), ("kappa", -1.5), ("R2", 1.5)],
)
def test_outside_the_limits(scores: pd.DataFrame, measure: str, value: float) -> None:
    scores.loc[0, "rf"] = value
    assert ("a", 1, "rf", value) in told(scores, measure=measure).cells


@pytest.mark.parametrize("measure", ["error", "loss", "RMSE", "runtime", "accuracy (std)", "my score"])
def test_names_without_limits_are_left_alone(scores: pd.DataFrame, measure: str) -> None:
    scores.loc[0, "rf"] = 81.2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        podium.read(scores, measure=measure, direction="lower")


def test_every_measure_of_a_table_of_trials_is_checked() -> None:
    frame = pd.DataFrame(
        {
            "dataset": list("aabb"),
            "algorithm": list("xyxy"),
            "accuracy": [0.9, 0.8, 88.0, 0.7],
            "auc": [0.9, 0.8, 0.7, 2.0],
        }
    )
    with pytest.warns(ImplausibleValuesWarning) as caught:
        podium.read(frame)
    assert [warning.message.measure for warning in caught] == ["accuracy", "auc"]


def test_edges_are_inside(scores: pd.DataFrame) -> None:
    scores.loc[0, ["svm", "knn"]] = [0.0, 1.0 + 1e-12]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        podium.read(scores, measure="accuracy")
        podium.read(scores.assign(svm=np.nan), measure="accuracy")


@pytest.mark.parametrize("name", ["Unnamed: 0", "Unnamed: 0.1", "level_0"])
def test_a_saved_index_is_left_out_and_reported(scores: pd.DataFrame, name: str) -> None:
    plain = podium.read(scores, measure="accuracy")
    for index in (range(6), range(1, 7), [3, 0, 5, 1, 2, 4]):
        found = podium.read(scores.assign(**{name: index}), measure="accuracy")
        assert found == plain
        assert f"left out as an index: '{name}'" in found.origin
    trials = pd.DataFrame(
        {name: range(4), "dataset": list("aabb"), "algorithm": list("xyxy"), "accuracy": [0.9, 0.8, 0.7, 0.6]}
    )
    assert podium.read(trials).measure_names == ("accuracy",)
    assert f"left out as an index: '{name}'" in podium.read(trials).origin


def test_a_saved_index_that_is_asked_for(scores: pd.DataFrame) -> None:
    numbered = scores.drop(columns="dataset").assign(**{"Unnamed: 0": range(6)})
    found = podium.read(numbered, measure="accuracy", columns={"replication": "Unnamed: 0"})
    assert found.replications == (0, 1, 2, 3, 4, 5)


@pytest.mark.parametrize("name", ["index", "ID", "row", "#"])
def test_a_column_named_like_an_index_is_refused(scores: pd.DataFrame, name: str) -> None:
    with pytest.raises(AmbiguousInputError, match="is named like an index, and no two of its whole numbers are equal"):
        podium.read(scores.assign(**{name: [7, 3, 5, 1, 2, 4]}), measure="accuracy")
    podium.read(scores.assign(**{name: scores["svm"]}), measure="accuracy")  # values: an algorithm with a strange name


def test_a_column_that_counts_is_reported(scores: pd.DataFrame) -> None:
    with pytest.warns(IndexColumnWarning) as caught:
        found = podium.read(scores.assign(number=range(1, 7)), measure="loss")
    assert caught[0].message.column == "number"
    assert caught[0].filename == __file__
    assert "number" in found.algorithms
    assert issubclass(IndexColumnWarning, PodiumWarning)


def test_a_column_that_counts_within_data_sets_is_reported(scores: pd.DataFrame) -> None:
    replicated = scores.assign(dataset=list("aaabbb"), attempt=[1, 2, 3, 1, 2, 3])
    with pytest.warns(IndexColumnWarning, match="'attempt' counts the rows, 1 to 3"):
        podium.read(replicated, measure="loss", rows="replication")
    named = podium.read(replicated, measure="loss", columns={"replication": "attempt"})
    assert "attempt" not in named.algorithms
    assert named.shape[:2] == (2, 3)


@pytest.mark.parametrize(
    ("name", "values", "like"),
    [
        ("seed", [42] * 6, "a seed"),
        ("random_state", [1, 2, 1, 2, 1, 2], "a seed"),
        ("n_samples", [150, 178, 569, 214, 150, 1000], "the size of a data set"),
        ("n", [150, 178, 569, 214, 150, 1000], "the size of a data set"),
        ("timestamp", [1700000000 + i for i in range(6)], "a time stamp"),
    ],
)
def test_a_column_that_belongs_to_its_row_is_refused(scores: pd.DataFrame, name: str, values: list, like: str) -> None:
    with pytest.raises(AmbiguousInputError, match=f"The column '{name}' is named like {like}, and holds whole numbers"):
        podium.read(scores.assign(**{name: values}), measure="loss")
    podium.read(scores.assign(**{name: scores["svm"]}), measure="loss")  # values: an algorithm with a strange name


def test_a_short_name_among_whole_numbers_is_an_algorithm() -> None:
    errors = pd.DataFrame({"dataset": list("abc"), "m": [3, 1, 4], "n": [1, 5, 9]})
    assert podium.read(errors, measure="errors", rows="dataset", direction="lower").algorithms == ("m", "n")


def test_times_that_are_always_0_were_not_measured() -> None:
    rows = [
        {"dataset": f"d{i}", "algorithm": name, "error": 0.1 * i, "fit time": time * (1 + i)}
        for i in range(6)
        for name, time in (("a", 0.0), ("b", 2.0))
    ]
    found = told(pd.DataFrame(rows), measure=None)
    assert (found.measure, found.algorithms) == ("fit time", ("a",))
    with pytest.warns(ImplausibleValuesWarning):
        analyses = podium.show.report.Analyses(podium.read(pd.DataFrame(rows)))
    assert analyses.costs == ()
    assert len(analyses.implausible) == 1
