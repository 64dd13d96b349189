"""A number belongs to the model it names: what one model does to its data changes no number of another."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

import podium

EXECUTORS: dict[str, dict[str, Any]] = {
    "pool": {"workers": 1},
    "threads": {"executor": "threads", "workers": 1},
    "processes": {"executor": lambda: ProcessPoolExecutor(1), "workers": 1},
    "loky": {"executor": "loky", "workers": 1},
}


class Vandal(ClassifierMixin, BaseEstimator):
    """Writes zeros over everything it is given, past every protection."""

    def fit(self, X: Any, y: Any) -> Vandal:
        self.classes_ = np.unique(y)
        self._overwrite(X)
        y[:] = y[0]
        return self

    def predict(self, X: Any) -> Any:
        self._overwrite(X)
        return np.full(len(X), self.classes_[0])

    def predict_proba(self, X: Any) -> Any:
        self._overwrite(X)
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))

    @staticmethod
    def _overwrite(X: Any) -> None:
        for name in X.columns:
            values = X[name].to_numpy()
            values.flags.writeable = True
            values[:] = 0


def errors(algorithms: dict[str, Any], measures: Any = "misclassification", **where: Any) -> podium.Results:
    experiment = podium.Experiment(podium.dataset("wine"), algorithms, podium.Bootstrap(3), measures, seed=1)
    return podium.run(experiment, progress="quiet", **(where or EXECUTORS["threads"]))


@pytest.mark.parametrize("where", EXECUTORS.values(), ids=EXECUTORS)
def test_a_pipeline_that_scales_in_place_changes_no_other_number(where: dict[str, Any]) -> None:
    scaling = make_pipeline(StandardScaler(copy=False), LogisticRegression(max_iter=1000))
    both = errors({"first": scaling, "second": KNeighborsClassifier()}, **where)
    alone = errors({"second": KNeighborsClassifier()}, **where)
    assert np.array_equal(both.select(algorithm="second").values, alone.values)


@pytest.mark.parametrize("first", [Vandal(), make_pipeline(MinMaxScaler(copy=False), KNeighborsClassifier())])
def test_neither_does_one_that_overwrites_its_data(first: Any) -> None:
    both = errors({"first": first, "second": KNeighborsClassifier()})
    assert np.array_equal(both.select(algorithm="second").values, errors({"second": KNeighborsClassifier()}).values)


@pytest.mark.parametrize("first", [LinearRegression(copy_X=False), Ridge(copy_X=False), Lasso(copy_X=False)])
def test_regression_in_place_changes_no_other_number(first: Any) -> None:
    def run(algorithms: dict[str, Any]) -> podium.Results:
        data = podium.generator("friedman1", n=80)
        experiment = podium.Experiment(data, algorithms, podium.Bootstrap(3), "squared error", seed=1)
        return podium.run(experiment, progress="quiet", **EXECUTORS["threads"])

    both = run({"first": first, "second": KNeighborsRegressor()})
    assert np.array_equal(both.select(algorithm="second").values, run({"second": KNeighborsRegressor()}).values)


def share_of_first(model: Any, learn: Any, test: Any) -> float:
    return float(np.mean(model.predict(test.X) == model.classes_[0]))


def spoil(model: Any, learn: Any, test: Any) -> float:
    Vandal._overwrite(test.X)
    Vandal._overwrite(learn.X)
    return 0.0


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_measure_does_not_depend_on_those_before_it(seed: int) -> None:
    scaling = make_pipeline(StandardScaler(copy=False), LogisticRegression(max_iter=1000))
    measures = [
        "misclassification",
        "deviance",
        podium.measure({"scorer": "neg_log_loss"}, name="scorer"),
        podium.measure(spoil, direction="lower"),
        podium.measure(share_of_first, direction="lower"),
        "auc",
    ]
    order = np.random.default_rng(seed).permutation(len(measures))
    together = errors({"a": scaling}, [measures[i] for i in order])
    for measure in measures:
        alone = errors({"a": scaling}, [measure])
        name = alone.measure_names[0]
        assert np.array_equal(together.select(measure=name).values, alone.values), name
