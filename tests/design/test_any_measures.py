"""The numbers of an algorithm do not depend on which measures are requested, nor on their order."""

from __future__ import annotations

import random
import threading
from copy import copy
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import podium
from podium.design.algorithm import as_algorithm
from podium.design.evaluation import Outcome, fit_and_measure
from podium.design.measure import as_measure
from podium.design.spec.entry import set_fields
from podium.errors import FitError, SkipTrial

ROWS = np.random.default_rng(1).permutation(178)
LEARN, TEST = podium.Dataset.named("wine").take(ROWS[:60]), podium.Dataset.named("wine").take(ROWS[60:110])


class Chance(ClassifierMixin, BaseEstimator):
    """Draws from the global generators in every call."""

    def fit(self, X: Any, y: Any) -> Chance:
        self.classes_ = np.unique(y)
        self.drawn_ = np.random.random() + random.random()  # noqa: NPY002, what bad citizens do
        return self

    def predict(self, X: Any) -> Any:
        return self.classes_[np.random.randint(3, size=len(X))]  # noqa: NPY002

    def predict_proba(self, X: Any) -> Any:
        table = np.random.random((len(X), 3)) + random.random()  # noqa: NPY002
        return table / table.sum(axis=1, keepdims=True)


class Learner(Chance):
    """Changes with every prediction, and holds what it was shown."""

    def fit(self, X: Any, y: Any) -> Learner:
        super().fit(X, y)
        self.asked_ = 0
        self.seen_: list[Any] = []
        return self

    def predict(self, X: Any) -> Any:
        self.asked_ += 1
        self.seen_.append(X)
        return self.classes_[(np.arange(len(X)) + self.asked_) % 3]

    def predict_proba(self, X: Any) -> Any:
        self.asked_ += 1
        table = 1.0 + (np.arange(len(X))[:, None] + self.asked_ + np.arange(3)) % 3
        return table / table.sum(axis=1, keepdims=True)


class Uncopied(Learner):
    """Cannot be copied: it holds a lock."""

    def fit(self, X: Any, y: Any) -> Uncopied:
        super().fit(X, y)
        self.lock_ = threading.Lock()
        return self


class Buffered(Learner):
    """Returns the same piece of memory from every call."""

    def fit(self, X: Any, y: Any) -> Buffered:
        super().fit(X, y)
        self.table_ = np.zeros((50, 3))
        return self

    def predict(self, X: Any) -> Any:
        self.table_[:] = 0.0
        return self.classes_[super().predict_proba(X).argmax(axis=1)]

    def predict_proba(self, X: Any) -> Any:
        self.table_[:] = super().predict_proba(X)
        return self.table_


class NoProbabilities(Learner):
    """Fails to predict probabilities."""

    def predict_proba(self, X: Any) -> Any:
        raise RuntimeError("no probabilities today")


ZOO = {
    "chance": Chance(),
    "learner": Learner(),
    "uncopied": Uncopied(),
    "buffered": Buffered(),
    "no probabilities": NoProbabilities(),
    "in place": make_pipeline(StandardScaler(copy=False), LogisticRegression()),
    "decision values": SVC(),
    "neighbours": KNeighborsClassifier(),
}


def vandal(model: Any, learn: podium.design.Sample, test: podium.design.Sample) -> float:
    """Spoil everything within reach."""
    value = float(np.mean(np.asarray(model.predict(test.X)) == test.y.to_numpy())) + random.random()
    np.seterr(all="raise")
    learn.X.iloc[:, :] = 0.0
    test.y.iloc[:] = test.y.iloc[0]
    if hasattr(model, "__dict__"):
        model.__dict__.clear()
    return value


def of_the_record(fitted: podium.design.Fitted) -> float:
    """Use what was recorded, then spoil it."""
    value = float(np.mean(fitted.score.to_numpy()[:, 0])) + np.random.random()  # noqa: NPY002
    fitted.prediction[:] = fitted.prediction[0]
    fitted.score.iloc[:, :] = 0.0
    return value


MEASURES = [
    podium.Measure.named("misclassification"),
    podium.Measure.named("deviance"),
    podium.Measure.named("auc"),
    podium.Measure.named("model size"),
    as_measure({"scorer": "accuracy"}, "scorer"),
    podium.Measure("vandal", vandal, direction="higher"),
    podium.Measure("of_the_record", of_the_record, direction="higher"),
]


def measured(model: Any, measures: list[podium.Measure]) -> Outcome | None:
    try:
        return fit_and_measure(podium.Algorithm("it", model), LEARN, TEST, measures, seed=5)
    except FitError:
        return None


@pytest.mark.parametrize("model", ZOO.values(), ids=ZOO)
def test_a_number_does_not_depend_on_what_else_is_measured(model: Any) -> None:
    alone = {m.name: measured(model, [m]) for m in MEASURES}
    sets = [*map(list, pairwise([*MEASURES, MEASURES[0]])), MEASURES, MEASURES[::-1]]
    for chosen in sets:
        together = measured(model, chosen)
        for m in chosen:
            one = alone[m.name]
            if one is None or together is None:  # no measure had a value
                assert all(each is None or np.isnan(each.values[m.name]) for each in (one, together)), (m, chosen)
                continue
            assert np.array_equal(together.values[m.name], one.values[m.name], equal_nan=True), (m, chosen)
            assert together.undefined.get(m.name) == one.undefined.get(m.name)


def test_a_call_that_fails_costs_the_measures_that_need_it() -> None:
    outcome = measured(ZOO["no probabilities"], MEASURES[:4])
    assert outcome is not None
    assert outcome.undefined == {
        "deviance": "The prediction of 'it' failed: RuntimeError: no probabilities today",
        "auc": "The prediction of 'it' failed: RuntimeError: no probabilities today",
    }
    with pytest.raises(FitError, match="no probabilities today") as caught:
        fit_and_measure(as_algorithm(ZOO["no probabilities"]), LEARN, TEST, MEASURES[1:3], seed=5)
    assert isinstance(caught.value.__cause__, RuntimeError)


@pytest.mark.parametrize("error", [SkipTrial("not for me"), MemoryError()], ids=["skipped", "memory"])
def test_a_model_that_does_not_apply_or_runs_out_of_memory_ends_the_trial(error: Exception) -> None:
    class Ends(Learner):
        def predict_proba(self, X: Any) -> Any:
            raise error

    with pytest.raises(FitError) as caught:
        fit_and_measure(podium.Algorithm("Ends", Ends()), LEARN, TEST, MEASURES[:2], seed=5)
    assert caught.value.__cause__ is error


def test_a_measure_that_does_not_need_the_model_does_not_see_it() -> None:
    curious = copy(podium.Measure.named("misclassification"))
    set_fields(curious, function=lambda fitted: fitted.model.classes_)
    outcome = measured(ZOO["neighbours"], [curious, podium.Measure.named("accuracy")])
    assert outcome is not None
    assert outcome.undefined == {
        "misclassification": "it looks at `classes_` of the model, but its `needs` do not name the model"
    }
