"""Numbers of other tools: what they wrote, read as results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from podium.analysis.compare import compare
from podium.errors import InputError
from podium.results import read_benchopt, read_cross_validate, read_openml_evaluations


def test_cross_validate_of_scikit_learn() -> None:
    from sklearn.datasets import load_iris
    from sklearn.dummy import DummyClassifier
    from sklearn.model_selection import StratifiedKFold, cross_validate
    from sklearn.tree import DecisionTreeClassifier

    X, y = load_iris(return_X_y=True)
    folds = StratifiedKFold(5)
    outcomes = {
        name: cross_validate(model, X, y, cv=folds, scoring=("accuracy", "neg_log_loss"))
        for name, model in {"tree": DecisionTreeClassifier(random_state=0), "dummy": DummyClassifier()}.items()
    }
    results = read_cross_validate(outcomes, dataset="iris")
    assert results.shape == (1, 5, 2, 4)
    assert results.directions == {
        "fit time": "lower",
        "predict time": "lower",
        "accuracy": "higher",
        "neg_log_loss": "higher",
    }
    accuracy = results.select(measure="accuracy", algorithm="tree").values[0, :, 0, 0]
    assert accuracy.tolist() == outcomes["tree"]["test_accuracy"].tolist()
    nested = read_cross_validate({"iris": outcomes})
    assert nested == results


def scores_of(cv: Any, **options: Any) -> dict[str, Any]:
    """Two algorithms on the same splits of iris."""
    from sklearn.datasets import load_iris
    from sklearn.model_selection import cross_validate
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    X, y = load_iris(return_X_y=True)
    models = {"nb": GaussianNB(), "knn": KNeighborsClassifier()}
    return {name: cross_validate(model, X, y, cv=cv, **options) for name, model in models.items()}


def test_cross_validate_does_not_guess_folds() -> None:
    """Ten scores of 5×2 folds are not ten folds: their mean has about five times the variance."""
    from sklearn.model_selection import RepeatedKFold

    cv = RepeatedKFold(n_splits=2, n_repeats=5, random_state=1)
    scores = scores_of(cv)
    unknown = read_cross_validate(scores).select(measure="score")
    with pytest.raises(InputError, match="needs the sizes of learning and test samples"):
        compare(unknown, method="corrected t")
    given = read_cross_validate(scores, folds=2).select(measure="score")
    seen = read_cross_validate(scores_of(cv, return_indices=True)).select(measure="score")
    for results in (given, seen):
        assert results.structure["repeat"].tolist() == [[1, 1, 2, 2, 3, 3, 4, 4, 5, 5]]
        assert results.structure["fold"].tolist() == [[1, 2] * 5]
        assert compare(results).details["ratio"] == 1.0
    assert seen.structure["n_learn"].tolist() == seen.structure["n_test"].tolist() == [[75] * 10]


def test_cross_validate_of_random_subsamples_has_sizes_and_no_folds() -> None:
    from sklearn.model_selection import ShuffleSplit

    cv = ShuffleSplit(4, test_size=0.2, random_state=0)
    results = read_cross_validate(scores_of(cv, return_indices=True))
    assert results.structure["n_test"].tolist() == [[30] * 4]
    assert "fold" not in results.structure or (results.structure["fold"] < 0).all()


def test_cross_validate_refuses_other_splits() -> None:
    from sklearn.model_selection import KFold

    three, four = scores_of(KFold(3)), scores_of(KFold(4))
    with pytest.raises(InputError) as caught:
        read_cross_validate({"nb": three["nb"], "knn": four["knn"]})
    assert str(caught.value) == (
        "All algorithms of a data set must have the same splits; 'nb' has 3 scores, knn: 4. "
        "Call cross_validate with the same `cv` object, with a fixed random_state."
    )
    a, b = (scores_of(KFold(3, shuffle=True, random_state=seed), return_indices=True) for seed in (1, 2))
    with pytest.raises(InputError, match="those of 'knn' differ from those of 'nb'"):
        read_cross_validate({"nb": a["nb"], "knn": b["knn"]})
    with pytest.raises(InputError) as caught:
        read_cross_validate(three, folds=2)
    assert str(caught.value) == "`folds` must be a whole number of at least 2 that divides the 3 scores; got 2."


def benchopt_table() -> pd.DataFrame:
    """A table with the columns of a benchopt run: two solvers, two repetitions, three stops each."""
    rows = [
        {
            "objective_name": "lasso",
            "dataset_name": "simulated",
            "solver_name": solver,
            "idx_rep": rep,
            "stop_val": stop,
            "time": 0.1 * stop,
            "objective_value": value / stop,
        }
        for solver, value in (("cd", 1.0), ("ista", 2.0))
        for rep in (0, 1)
        for stop in (1, 2, 4)
    ]
    return pd.DataFrame(rows)


def test_benchopt_takes_the_last_stop(tmp_path: Path) -> None:
    frame = benchopt_table().sample(frac=1, random_state=0)
    frame.to_parquet(tmp_path / "benchopt_run.parquet")
    results = read_benchopt(tmp_path / "benchopt_run.parquet")
    assert results.shape == (1, 2, 2, 2)
    assert results.select(measure="objective_value").values[0, :, :, 0].tolist() == [[0.25, 0.5], [0.25, 0.5]]
    assert results.select(measure="time").values[0, 0, 0, 0] == pytest.approx(0.4)
    assert read_benchopt(frame) == results


def test_a_diverging_solver_failed() -> None:
    frame = benchopt_table()
    frame.loc[(frame.solver_name == "ista") & (frame.idx_rep == 1) & (frame.stop_val == 4), "objective_value"] = np.inf
    missing = read_benchopt(frame).missing_frame()
    assert missing[["algorithm", "replication", "measure", "reason"]].to_numpy().tolist() == [
        ["ista", 2, "objective_value", "failed"]
    ]


def test_openml_evaluations_with_and_without_folds() -> None:
    frame = pd.DataFrame(
        {
            "run_id": [1, 2],
            "data_name": ["sonar", "sonar"],
            "flow_name": ["weka.J48", "weka.RandomForest"],
            "function": ["predictive_accuracy"] * 2,
            "value": [0.7, 0.8],
            "values": [[0.6, 0.8], [0.7, 0.9]],
        }
    )
    results = read_openml_evaluations(frame)
    assert results.directions == {"accuracy": "higher"}
    assert results.values[0, :, :, 0].tolist() == [[0.6, 0.7], [0.8, 0.9]]
    single = read_openml_evaluations(frame.drop(columns="values"))
    assert single.values[0, :, :, 0].tolist() == [[0.7, 0.8]]
    with pytest.raises(InputError) as caught:
        read_openml_evaluations(frame.drop(columns=["data_name", "value"]))
    assert str(caught.value) == "These are not evaluations of OpenML: there is no column 'data_name', 'value'."
