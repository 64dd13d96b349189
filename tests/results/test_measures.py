"""Measures: what their names imply, what the caller says, what a file says."""

from __future__ import annotations

import pandas as pd
import pytest
from sklearn.metrics import get_scorer_names

import podium
from podium import MeasureInfo
from podium.results.known_measures import known_measure
from podium.results.measure_info import parse_direction

TRIALS = pd.DataFrame({"algorithm": ["a", "b"], "accuracy": [0.9, 0.8], "fit_time": [1.0, 2.0]})
WIDE = pd.DataFrame({"dataset": ["d", "e"], "a": [0.9, 0.8], "b": [0.7, 0.6]})


@pytest.mark.parametrize(
    ("name", "direction", "units"),
    [
        ("Misclassification", "lower", ""),
        ("accuracy", "higher", ""),
        ("Accuracy (%)", "higher", "%"),
        ("balanced_accuracy", "higher", ""),
        ("mean_test_f1_macro", "higher", ""),
        ("roc_auc_ovr_weighted", "higher", ""),
        ("neg_log_loss", "higher", ""),
        ("test_neg_mean_squared_error", "higher", ""),
        ("neg mean absolute error", "higher", ""),
        ("classif.auc", "higher", ""),
        ("R²", "higher", ""),
        ("Cohen's kappa", None, ""),
        ("fit_time", "lower", "s"),
        ("training time [ms]", "lower", "ms"),
        ("pd", "higher", ""),
        ("pf", "lower", ""),
        ("area_under_roc_curve", "higher", ""),
        ("score", None, ""),
        ("value", None, ""),
        ("size", None, ""),
        ("-accuracy", "lower", ""),
        ("\u2212RMSE", "higher", ""),
        ("test_-RMSE", "higher", ""),
        ("--accuracy", None, ""),
        ("\u0394accuracy", None, ""),
        ("~accuracy", None, ""),
        ("accuracy (std)", None, ""),
        ("accuracy (sd)", None, ""),
        ("accuracy (rank)", None, ""),
        ("accuracy (error)", None, ""),
        ("time (log)", None, ""),
        ("time (sec)", "lower", "sec"),
        ("memory [GB]", "lower", "GB"),
        ("accuracy %", "higher", ""),
        ("0/1 loss", "lower", ""),
        ("R^2", "higher", ""),
        ("F1-score", "higher", ""),
        ("seed", None, ""),
    ],
)
def test_known_names(name: str, direction: str | None, units: str) -> None:
    info = known_measure(name)
    if direction is None:
        assert info is None
    else:
        assert info is not None
        assert (info.name, info.direction, info.units) == (name, direction, units)


def test_every_scorer_of_scikit_learn_that_is_known_is_greater_is_better() -> None:
    """A scorer is greater-is-better by definition, so any name that is known must say so."""
    names = set(get_scorer_names()) - {"max_error"}  # older versions had this one negated and not called so
    known = {name: info.direction for name in names if (info := known_measure(name))}
    assert len(known) > 40
    assert set(known.values()) == {"higher"}


@pytest.mark.parametrize(
    ("word", "direction"),
    [("lower", "lower"), ("Minimize", "lower"), ("ascending", "lower"), (" max ", "higher"), ("higher", "higher")],
)
def test_words_for_directions(word: str, direction: str) -> None:
    assert parse_direction(word) == direction
    assert MeasureInfo("x", word).direction == direction


# Who wins


@pytest.mark.parametrize("column", ["score", "value", "x"])
def test_a_column_that_does_not_say_what_it_measures_is_given_a_name(column: str) -> None:
    trials = TRIALS[["algorithm", "accuracy"]].rename(columns={"accuracy": column})
    assert podium.read(trials, measure="error").directions == {"error": "lower"}


def test_names_imply_directions() -> None:
    results = podium.read(TRIALS)
    assert results.directions == {"accuracy": "higher", "fit_time": "lower"}
    assert results.measures[1] == MeasureInfo("fit_time", "lower", units="s", scale="log")


def test_an_argument_wins_over_the_name() -> None:
    results = podium.read(
        TRIALS,
        direction={"accuracy": "lower"},
        units={"accuracy": "%", "fit_time": "ms"},
        scale={"fit_time": "linear"},
    )
    assert results.measures == (
        MeasureInfo("accuracy", "lower", units="%"),
        MeasureInfo("fit_time", "lower", units="ms", scale="linear"),
    )


def test_one_word_holds_for_all_measures_that_do_not_contradict_it() -> None:
    trials = TRIALS.rename(columns={"fit_time": "x"}).assign(auc=1.0)
    assert set(podium.read(trials, direction="higher").directions.values()) == {"higher"}
    assert set(podium.read(trials, maximize=True, units="%").directions.values()) == {"higher"}


def test_one_word_reverses_a_single_known_measure() -> None:
    assert podium.read(WIDE, measure="accuracy", direction="lower").directions == {"accuracy": "lower"}


@pytest.mark.parametrize("maximize", [True, {"score": True}])
def test_maximize_means_the_same_as_direction(maximize: bool | dict[str, bool]) -> None:
    assert podium.read(WIDE, measure="score", maximize=maximize).directions == {"score": "higher"}
    assert podium.read(WIDE, maximize=False).measures == (MeasureInfo("value", "lower"),)


def test_a_table_wins_over_the_name_and_an_argument_over_the_table() -> None:
    long = pd.DataFrame(
        {
            "algorithm": ["a", "b"],
            "measure": ["accuracy", "accuracy"],
            "value": [1, 2],
            "direction": ["lower", "lower"],
            "units": ["points", "points"],
            "scale": ["log", "log"],
        }
    )
    assert podium.read(long).measures == (MeasureInfo("accuracy", "lower", units="points", scale="log"),)
    assert podium.read(long, direction="higher", units="%").measures == (
        MeasureInfo("accuracy", "higher", units="%", scale="log"),
    )
    assert podium.read(long.drop(columns="direction")).measures == (
        MeasureInfo("accuracy", "higher", units="points", scale="log"),
    )
    assert podium.read(long.assign(units=None)).measures[0].units == ""


def test_arguments_win_over_existing_results() -> None:
    results = podium.read(podium.read(TRIALS), units={"accuracy": "%"}, direction={"fit_time": "higher"})
    assert results.measures == (
        MeasureInfo("accuracy", "higher", units="%"),
        MeasureInfo("fit_time", "higher", units="s", scale="log"),
    )
