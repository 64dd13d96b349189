"""A measure that is added later is computed from kept predictions: equal to a run, and without a fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import RidgeClassifier
from sklearn.svm import SVC

import podium

BOTH = ("predictions", "probabilities")

pytestmark = pytest.mark.usefixtures("in_this_process")


class NoProbabilities(ClassifierMixin, BaseEstimator):
    """Fails to predict probabilities."""

    def fit(self, X: Any, y: Any) -> NoProbabilities:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.classes_[0])

    def predict_proba(self, X: Any) -> Any:
        raise RuntimeError("no probabilities today")


class OtherLabels(NoProbabilities):
    """Predicts what is not a class of the data set."""

    def predict(self, X: Any) -> Any:
        return np.zeros(len(X), int)

    def predict_proba(self, X: Any) -> Any:
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


CLASSIFIERS = {"lda": "lda", "nb": "nb", "svc": SVC(), "no": NoProbabilities(), "other": OtherLabels()}
CLASS_MEASURES = ["f1", "recall", "brier", "deviance", "auc", "misclassification"]
DESIGNS: dict[str, dict[str, Any]] = {
    "classification": {
        "datasets": ["iris", "monks3"],
        "algorithms": CLASSIFIERS,
        "resampling": podium.Bootstrap(replications=2),
        "measures": CLASS_MEASURES,
    },
    "cross-validation": {
        "datasets": "wine",
        "algorithms": ["lda", "nb"],
        "resampling": podium.CrossValidation(folds=2, repeats=2),
        "measures": ["f1", "deviance"],
    },
    "regression": {
        "datasets": podium.Dataset.generated("friedman1", n=80),
        "algorithms": ["lm", "rpart"],
        "resampling": podium.Bootstrap(replications=2),
        "measures": ["r2", "rmse", podium.Measure.named("absolute error", functional=0.9), "squared error"],
    },
    "fresh draws": {
        "datasets": podium.Dataset.generated("twonorm", n=60),
        "algorithms": ["lda", "nb"],
        "resampling": podium.FreshDraws(replications=2),
        "measures": ["f1", "deviance"],
    },
}


def run(design: podium.Experiment, where: Any = ":memory:", **options: Any) -> podium.Results:
    return podium.run(design, where, executor="threads", workers=1, progress="quiet", **options)


def told(warehouse: podium.Warehouse) -> dict[Any, Any]:
    """Status, reasons and what is known of the samples, by trial."""
    trials = warehouse.trials().set_index(["dataset", "replication", "algorithm"]).sort_index()
    facts = trials[["status", "undefined", "repeat", "fold", "n_learn", "n_test", "seed", "message"]]
    return facts.astype(str).to_dict("index")


TIMES = [podium.Measure.named("fit time")]


def run_again(name: str) -> tuple[podium.Results, dict[Any, Any]]:
    """A run of a design that measures everything at once."""
    arguments = DESIGNS[name]
    with podium.Warehouse(":memory:") as warehouse:
        results = run(podium.Experiment(**{**arguments, "measures": [*TIMES, *arguments["measures"]]}), warehouse)
        return results, told(warehouse)


@pytest.mark.parametrize(
    ("name", "where"),
    [*((name, "sqlite") for name in DESIGNS), ("regression", "postgresql")],
    indirect=["where"],
)
def test_scored_again_equals_run_again(name: str, where: str) -> None:
    arguments = DESIGNS[name]
    with podium.Warehouse(where) as warehouse:
        first = podium.Experiment(**{**arguments, "measures": TIMES}, keep=BOTH)
        before = run(first, warehouse)
        whole = first.replace(measures=[*TIMES, *arguments["measures"]])
        plan = podium.preview(whole, warehouse, pilot_seconds=0)
        assert plan.left.to_numpy().sum() == 0
        assert plan.rescored.to_numpy().sum() == plan.total == np.prod(before.shape[:3])
        assert "measured again from kept predictions, without a fit" in str(plan)
        again = run(whole, warehouse)
        # A fit would have taken another time.
        assert np.array_equal(again.select(measure="fit time").values, before.select(measure="fit time").values)
        fresh, facts = run_again(name)
        assert again.measures == fresh.measures
        assert again.values[..., 1:].tobytes() == fresh.values[..., 1:].tobytes()
        assert told(warehouse) == facts
        assert again == warehouse.results()
        assert podium.preview(whole, warehouse, pilot_seconds=0).rescored.to_numpy().sum() == 0


def small(**arguments: Any) -> podium.Experiment:
    return podium.Experiment(
        **{
            "datasets": "iris",
            "algorithms": {"lda": "lda", "svc": SVC()},
            "resampling": podium.Bootstrap(replications=3),
            "measures": ["misclassification", "fit time"],
            "keep": BOTH,
            **arguments,
        }
    )


OWN = podium.Measure("own", lambda fitted: 1.0, direction="lower")


@pytest.mark.parametrize(
    ("keep", "enough", "too_little"),
    [
        (BOTH, ["f1", "brier", "auc"], ["model size", "predict time", "peak memory", {"scorer": "accuracy"}, OWN]),
        ("predictions", ["f1"], ["auc", "brier"]),
        ("probabilities", ["auc", "brier"], ["f1"]),
        ("parameters", [], ["f1"]),
        ((), [], ["f1"]),
    ],
)
def test_what_needs_more_than_was_kept_is_run_again(keep: Any, enough: list[Any], too_little: list[Any]) -> None:
    with podium.Warehouse(":memory:") as warehouse:
        run(small(keep=keep), warehouse)
        for added in (*enough, *too_little):
            design = small(keep=keep, measures=["misclassification", added])
            plan = podium.preview(design, warehouse, pilot_seconds=0)
            rescored = 6 if added in enough else 0
            assert (plan.rescored.to_numpy().sum(), plan.left.to_numpy().sum()) == (rescored, 6 - rescored), added


def test_a_changed_measure_is_scored_again_and_the_old_values_stay() -> None:
    old, new = ([podium.Measure.named(m).renamed("loss")] for m in ("brier", "deviance"))
    algorithms = ["lda", "nb"]
    with podium.Warehouse(":memory:") as warehouse:
        before = run(small(algorithms=algorithms, measures=old), warehouse)
        after = run(small(algorithms=algorithms, measures=new), warehouse)
        assert np.array_equal(after.values, run(small(algorithms=algorithms, measures=new)).values)
        assert np.array_equal(warehouse.results(design=1).values, before.values)
        assert len(warehouse.trials(every_attempt=True)) == 12


def test_a_changed_algorithm_is_not_scored_by_what_it_was_before() -> None:
    with podium.Warehouse(":memory:") as warehouse:
        run(small(), warehouse)
        changed = small(algorithms={"lda": "lda", "svc": SVC(C=1e-3)}, measures=["misclassification", "f1"])
        plan = podium.preview(changed, warehouse, pilot_seconds=0)
        assert plan.rescored.to_numpy().tolist() == [[3, 0]]
        assert plan.left.to_numpy().tolist() == [[0, 3]]
        assert np.array_equal(run(changed, warehouse).values, run(changed).values)
        assert set(warehouse.predictions(algorithm="svc")["replication"]) == {1, 2, 3}


def test_replications_that_are_new_are_run() -> None:
    with podium.Warehouse(":memory:") as warehouse:
        run(small(), warehouse)
        longer = small(resampling=podium.Bootstrap(replications=5), measures=["misclassification", "auc"])
        plan = podium.preview(longer, warehouse, pilot_seconds=0)
        assert (plan.rescored.to_numpy().sum(), plan.left.to_numpy().sum()) == (6, 4)
        assert np.array_equal(run(longer, warehouse).values, run(longer).values)


def test_without_time_the_rest_is_left_for_the_next_run() -> None:
    with podium.Warehouse(":memory:") as warehouse:
        run(small(), warehouse)
        more = small(measures=["misclassification", "auc"])
        run(more, warehouse, seconds=1e-9)
        assert 0 < podium.preview(more, warehouse, pilot_seconds=0).rescored.to_numpy().sum() < 6
        assert np.array_equal(run(more, warehouse).values, run(more).values)


def test_the_size_is_known_before(tmp_path: Any) -> None:
    for keep in ("predictions", BOTH):
        design = small(keep=keep, datasets=["iris", "monks3"])
        with podium.Warehouse(":memory:") as warehouse:
            plan = podium.preview(design, warehouse, pilot_seconds=0)
            assert "Kept predictions take at most 0.1 MB." in str(plan)
            run(design, warehouse)
            size = sum(len(record.kept) for record in warehouse.records())
        assert 0 < size <= plan.kept_bytes < 6 * size
    assert podium.preview(small(keep=()), pilot_seconds=0).kept_bytes == 0


@pytest.mark.parametrize("keep", [(), ("predictions", "probabilities")])
def test_a_trial_that_failed_without_a_value_is_run_with_other_measures(tmp_path: Path, keep: Any) -> None:
    ridge = {"ridge": RidgeClassifier()}  # has no probabilities
    first = podium.Experiment("iris", ridge, podium.Bootstrap(replications=2), "brier", keep=keep)
    path = tmp_path / "trials.db"
    assert np.isnan(podium.run(first, path, workers=1, progress="quiet").values).all()
    assert str(podium.preview(first, path, pilot_seconds=0)).startswith("0 of 2 trials")
    for measures in (["brier", "misclassification"], ["misclassification"]):
        more = first.replace(measures=measures)
        again = podium.run(more, path, workers=1, progress="quiet")
        assert np.array_equal(again.values, podium.run(more, workers=1).values, equal_nan=True)
        assert str(podium.preview(more, path, pilot_seconds=0)).startswith("0 of 2 trials")
    with podium.Warehouse(path) as warehouse, podium.Warehouse(tmp_path / "copy.db") as other:
        assert warehouse.check() == ()
        warehouse.export_trials(tmp_path / "trials.csv")
        other.import_trials(tmp_path / "trials.csv")
        assert other.results() == warehouse.results()
