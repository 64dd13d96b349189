"""Files and objects of other tools, each read in one line; the origin of the files is in tests/reference/README.md."""

from __future__ import annotations

import enum
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.tree import DecisionTreeClassifier

import podium
from podium.errors import AmbiguousInputError, DirectionError, LabelError

FILES = Path(__file__).parents[1] / "reference" / "formats"


def test_optuna_trials_of_a_file() -> None:
    results = podium.read(FILES / "optuna_trials.csv", direction="higher")
    assert results.form == "trials of optuna"
    assert results.datasets == ("iris",)  # a user attribute
    table = pd.read_csv(FILES / "optuna_trials.csv")
    done = table[table["state"] == "COMPLETE"]
    assert sorted(results.values[results.present]) == pytest.approx(sorted(done["value"]))
    assert "classifier=svc, svc_c=1.95789" in results.algorithms
    reasons = results.missing_frame().query("reason != 'absent'")
    assert sorted(reasons["reason"]) == ["failed", "skipped"]  # one failed, one was pruned
    with pytest.raises(DirectionError, match=r"direction=\{'objective': 'lower'\}"):
        podium.read(FILES / "optuna_trials.csv")
    named = podium.read(FILES / "optuna_trials.csv", measure="accuracy")
    assert named.directions == {"accuracy": "higher"}


def test_optuna_with_two_objectives() -> None:
    with pytest.warns(podium.errors.ImplausibleValuesWarning):  # the sample has accuracies beyond 1
        results = podium.read(FILES / "optuna_two_objectives.csv")
    assert results.directions == {"accuracy": "higher", "seconds": "lower"}
    assert results.shape == (1, 1, 4, 2)


class StudyDirection(enum.IntEnum):  # as optuna 5.0.0 defines it; its text is its number
    NOT_SET = 0
    MINIMIZE = 1
    MAXIMIZE = 2


@pytest.mark.parametrize(("given", "meant"), [(StudyDirection.MINIMIZE, "lower"), (StudyDirection.MAXIMIZE, "higher")])
def test_a_study_of_optuna(given: StudyDirection, meant: str) -> None:
    class Study:  # the part of optuna.Study that is read
        directions = (given,)

        def trials_dataframe(self) -> pd.DataFrame:
            return pd.DataFrame(
                {"number": [0, 1, 2], "value": [0.3, 0.2, 0.4], "params_depth": [1, 2, 1], "state": ["COMPLETE"] * 3}
            )

    results = podium.read(Study())
    assert results.directions == {"objective": meant}
    assert results.algorithms == ("depth=1", "depth=2")
    assert results.select(algorithm="depth=1").values.ravel().tolist() == [0.3, 0.4]  # tried again: a replication


def test_excel() -> None:
    pytest.importorskip("openpyxl")
    results = podium.read(FILES / "scores.xlsx", sheet="accuracy", measure="accuracy")
    assert results.values[:, 0, :, 0].tolist() == [[0.97, 0.96], [0.98, 0.71]]
    with pytest.raises(AmbiguousInputError, match=r"Say which one to read: sheet='accuracy'\.$"):
        podium.read(FILES / "scores.xlsx")
    with pytest.raises(LabelError, match="`sheet` names 'none'"):
        podium.read(FILES / "scores.xlsx", sheet="none")


def test_cv_results_of_a_search() -> None:
    X, y = load_iris(return_X_y=True)
    model = DecisionTreeClassifier(random_state=0)
    search = GridSearchCV(model, {"max_depth": [1, 3]}, cv=StratifiedKFold(3)).fit(X, y)
    results = podium.read(search.cv_results_)
    assert results.algorithms == ("max_depth=1", "max_depth=3")
    splits = [search.cv_results_[f"split{i}_test_score"] for i in range(3)]
    assert np.array_equal(results.values[0, :, :, 0], splits)
    assert results.directions == {"score": "higher"}
    file = podium.read(FILES / "cv_results.csv")  # two scorers, written by pandas
    assert (file.shape, file.form) == ((1, 3, 4, 2), "cv_results_ of a scikit-learn search")
    assert "criterion=gini, max_depth=3" in file.algorithms


def test_cross_validate() -> None:
    X, y = load_iris(return_X_y=True)
    models = {f"depth {d}": DecisionTreeClassifier(max_depth=d, random_state=0) for d in (1, 3)}
    outcomes = {name: cross_validate(model, X, y, cv=StratifiedKFold(3)) for name, model in models.items()}
    results = podium.read(outcomes, dataset="iris")
    assert results == podium.results.read_cross_validate(outcomes, dataset="iris")
    assert (results.datasets, results.form) == (("iris",), "the outcome of scikit-learn's cross_validate")
    with pytest.raises(AmbiguousInputError, match="for one algorithm, which does not name it"):
        podium.read(outcomes["depth 1"])


def test_mlr3() -> None:
    scores = podium.read(FILES / "mlr3_score.csv")
    assert scores.shape == (1, 3, 2, 2)
    assert scores.directions == {"classif.ce": "lower", "time_train": "lower"}
    assert scores.replication_frame()["fold"].tolist() == [1, 2, 3]
    means = podium.read(FILES / "mlr3_aggregate.csv")
    assert means.shape == (2, 1, 2, 1)
    assert means.select(dataset="sonar", measure="classif.ce").values.ravel() == pytest.approx(
        scores.select(measure="classif.ce").aggregate().values.ravel(), abs=1e-6
    )


def test_results_of_the_automl_benchmark() -> None:
    results = podium.read(FILES / "automl_results.csv")
    assert results.directions == {"result": "higher"}
    assert results.missing_frame()[["dataset", "algorithm", "reason"]].to_numpy().tolist() == [
        ["kddcup", "constantpredictor", "failed"]
    ]
    assert podium.read(FILES / "automl_results.csv", measure="logloss").directions == {"logloss": "lower"}


def test_openml_evaluations_of_a_file() -> None:
    results = podium.read(FILES / "openml_evaluations.csv")
    assert results.values[0, :, :, 0].tolist() == [[0.93, 0.95], [0.97, 0.97]]
    assert results.algorithms == ("weka.J48(1)", "weka.NaiveBayes(1)")


def test_benchopt_without_its_own_function() -> None:
    row = {"dataset_name": "simulated", "idx_rep": 0, "stop_val": 10, "time": 0.2}
    frame = pd.DataFrame([row, row]).assign(solver_name=["cd", "pgd"], objective_value=[1.5, 1.7])
    assert podium.read(frame).directions == {"objective_value": "lower", "time": "lower"}


def test_lm_evaluation_harness() -> None:
    results = podium.read(FILES / "lm_eval" / "*" / "results_*.json")
    assert results.algorithms == ("EleutherAI/pythia-160m", "EleutherAI/pythia-410m")
    assert results.datasets == ("arc_easy", "mmlu_anatomy", "mmlu_virology", "wikitext")  # the group mmlu is left out
    assert results.directions == {"acc": "higher", "acc_norm": "higher", "word_perplexity": "lower"}
    assert results.select(dataset="arc_easy", measure="acc").values.ravel().tolist() == [0.36, 0.45]
    assert results.form == "results of lm-evaluation-harness"
    assert results.origin.startswith("2 files, the first results_2024")


def test_samples_of_lm_evaluation_harness_are_replications() -> None:
    paths = sorted((FILES / "lm_eval").glob("*/samples_*.jsonl"))
    results = podium.read(paths)
    assert results.shape == (1, 5, 2, 2)
    assert results.datasets == ("arc_easy",)
    assert results.algorithms == ("EleutherAI/pythia-160m", "EleutherAI/pythia-410m")
    first = [json.loads(line)["acc"] for line in paths[0].read_text().splitlines()]
    assert results.values[0, :, 0, 0].tolist() == first


def test_decimal_commas() -> None:
    results = podium.read(FILES / "decimal_commas.csv", measure="accuracy")
    assert results.values[:, 0, :, 0].tolist() == [[0.97, 0.96], [0.98, 0.71]]


def test_columns_with_two_levels_in_either_order() -> None:
    columns = pd.MultiIndex.from_product([["accuracy", "fit time"], ["svm", "knn"]])
    frame = pd.DataFrame([[0.9, 0.8, 0.1, 0.2], [0.7, 0.6, 0.3, 0.4]], ["iris", "wine"], columns)
    results = podium.read(frame)
    assert results == podium.read(frame.swaplevel(axis="columns"))
    assert results.select(measure="fit time", algorithm="knn").values.ravel().tolist() == [0.2, 0.4]
    frame.columns = pd.MultiIndex.from_product([["a", "b"], ["svm", "knn"]])
    with pytest.raises(AmbiguousInputError, match=r"frame\.columns\.names = \['measure', 'algorithm'\]"):
        podium.read(frame)
    frame.columns.names = ["model", "dataset"]
    frame.index.name = "fold"
    assert podium.read(frame.reset_index(drop=True), measure="accuracy").shape == (2, 2, 2, 1)


OWN = podium.Experiment(
    "iris",
    ["lda", "constant"],
    podium.Bootstrap(replications=2),
    ["accuracy", podium.Measure("odd", lambda model, learn, test: 1.0, direction="lower")],
)


@pytest.mark.usefixtures("in_this_process")
def test_trials_exported_from_a_warehouse(tmp_path: Path) -> None:
    files = [tmp_path / "trials.csv", tmp_path / "trials.parquet"]
    with podium.Warehouse(tmp_path / "own.db") as warehouse:
        results = podium.run(OWN, warehouse, executor="threads", workers=1, progress="quiet")
        for file in files:
            warehouse.export_trials(file)
    for file in files:
        again = podium.read(file)
        assert again == results
        assert again.form == "exported trials of podium"


def test_every_export_of_results(tmp_path: Path) -> None:
    results = podium.read(FILES / "mlr3_score.csv")
    forms: list[Any] = [results.to_long(), results.to_trials(), results.to_json(), json.loads(results.to_json())]
    for form in forms:
        assert podium.read(form) == results
    for frame in (results.to_long(), results.to_trials()):
        for index in (True, False):
            frame.to_csv(tmp_path / "table.csv", index=index)
            assert podium.read(tmp_path / "table.csv") == results
    assert podium.read(results.write(tmp_path / "a.jsonl")) == results
    for form in (results.to_array(), results.to_xarray()):
        assert np.array_equal(podium.read(form).values, results.values)
    levels = ("dataset", "algorithm", "measure", "replication")
    assert podium.read(results.to_nested(), levels=levels).shape == results.shape
    with pytest.raises(AmbiguousInputError, match="levels=\\('dataset', 'algorithm', 'measure', 'replication'\\)"):
        podium.read(results.to_nested())
    one = results.select(measure="classif.ce")
    one.to_wide().to_csv(tmp_path / "wide.csv")
    assert podium.read(tmp_path / "wide.csv", measure="classif.ce").shape == one.shape


def test_columns_that_are_named_win_over_the_tool() -> None:
    columns = {"dataset": "task_id", "algorithm": "resampling_id", "replication": "nr"}
    results = podium.read(FILES / "mlr3_aggregate.csv", columns=columns, measure="classif.ce")
    assert (results.form, results.algorithms) == ("table of trials", ("cv",))
