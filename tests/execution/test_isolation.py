"""A number belongs to the model it names: what one model does, to its data or to its process, changes no other one."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import trouble
import zoo
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer, MaxAbsScaler, MinMaxScaler, StandardScaler

import podium
from podium.warehouse.warehouse import Warehouse

EXECUTORS = ("pool", "threads", "processes", "loky", "dask")


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Callable[[str], dict[str, Any]]:
    """The arguments of `run` for an executor."""

    def arguments(name: str) -> dict[str, Any]:
        if name == "processes":
            return {"executor": lambda: ProcessPoolExecutor(1), "workers": 1}
        if name == "dask":
            return {"executor": request.getfixturevalue("cluster").get_executor(), "workers": 2}
        return {"executor": name, "workers": 1}

    return arguments


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


def errors(algorithms: dict[str, Any], measures: Any = "misclassification") -> podium.Results:
    experiment = podium.Experiment(podium.dataset("wine"), algorithms, podium.Bootstrap(3), measures, seed=1)
    return podium.run(experiment, progress="quiet", workers=1)


def in_place() -> dict[str, Any]:
    """Models that write into frames, arrays and sparse matrices."""
    logistic = LogisticRegression(max_iter=1000)
    sparse = KBinsDiscretizer(4, quantile_method="averaged_inverted_cdf")
    return {
        "frame": make_pipeline(StandardScaler(copy=False), logistic),
        "array": make_pipeline(FunctionTransformer(np.asarray), MinMaxScaler(copy=False), logistic),
        "sparse": make_pipeline(sparse, MaxAbsScaler(copy=False), logistic),
        "vandal": Vandal(),
    }


def closure() -> podium.Algorithm:
    array = np.zeros(1)
    return podium.algorithm(lambda learn: zoo.Closure(array), name="Closure")


def all_together(innocent: dict[str, Any], replications: int = 1) -> podium.Experiment:
    """Those that leave something behind, and then the innocent."""
    kinds = {kind.__name__: kind() for kind in zoo.KINDS}
    algorithms = {**kinds, **in_place(), **innocent}
    named = [podium.algorithm(thing, name=name) for name, thing in algorithms.items()]
    return podium.Experiment(
        [trouble.toy()], [closure(), *named], podium.Bootstrap(replications), ["misclassification", *zoo.MEASURES]
    )


INNOCENT = {"Sentinel": zoo.Sentinel(), "neighbours": KNeighborsClassifier(), "divides": zoo.Divides()}


@pytest.fixture(scope="module")
def alone() -> podium.Results:
    """The innocent alone, each in an experiment and in processes of its own."""
    full = all_together(INNOCENT, replications=2)
    return podium.run(full.replace(algorithms=full.algorithms[-3:]), progress="quiet", workers=1, trials_per_worker=1)


@pytest.mark.parametrize("name", EXECUTORS)
def test_nothing_that_an_algorithm_does_reaches_another(
    name: str, place: Callable[[str], dict[str, Any]], alone: podium.Results
) -> None:
    replications = 2 if name == "pool" else 1
    full = all_together(INNOCENT, replications)
    with Warehouse(":memory:") as warehouse:
        results = podium.run(full, warehouse, progress="quiet", **place(name))
        attempts = warehouse.trials(every_attempt=True)
    assert len(attempts) == replications * len(full.algorithms), "each trial is recorded once, also after a fork"
    assert set(attempts.loc[attempts["status"] != "done", "algorithm"]) == {kind.__name__ for kind in zoo.FAILS}
    for algorithm in INNOCENT:
        ours, own = results.select(algorithm=algorithm), alone.select(algorithm=algorithm)
        differing = np.any(ours.values != own.values[:, :replications], axis=(0, 1, 2))
        assert [name for name, differs in zip(ours.measure_names, differing, strict=True) if differs] == [], algorithm


def selected(C: float) -> Any:
    """A pipeline whose printed form has a memory address."""
    numbers = make_column_transformer((StandardScaler(), make_column_selector(dtype_include="number")))
    return make_pipeline(numbers, LogisticRegression(C=C))


def changing(C: float) -> podium.Experiment:
    search = GridSearchCV(selected(1.0), {"logisticregression__C": [0.1, 1.0]}, cv=2)
    algorithms = {"model": selected(C), "search": search}
    return podium.Experiment([trouble.toy()], algorithms, podium.Bootstrap(2), "misclassification")


@pytest.fixture(scope="module")
def changed_alone() -> podium.Results:
    return podium.run(changing(1e-6), progress="quiet", workers=1)


@pytest.mark.parametrize("name", EXECUTORS)
def test_a_changed_model_is_measured_and_an_equal_search_is_resumed(
    name: str, place: Callable[[str], dict[str, Any]], changed_alone: podium.Results
) -> None:
    with Warehouse(":memory:") as warehouse:
        for C in (1.0, 1e-6):
            results = podium.run(changing(C), warehouse, progress="quiet", **place(name))
        assert [revision.trials for revision in warehouse.history()] == [4, 2]
        before = warehouse.results(design=1)
    assert results == changed_alone
    assert not np.array_equal(before.values, results.values)


@pytest.mark.parametrize("first", [Vandal(), make_pipeline(MinMaxScaler(copy=False), KNeighborsClassifier())])
def test_neither_does_one_that_overwrites_its_data(first: Any) -> None:
    both = errors({"first": first, "second": KNeighborsClassifier()})
    assert np.array_equal(both.select(algorithm="second").values, errors({"second": KNeighborsClassifier()}).values)


@pytest.mark.parametrize("first", [LinearRegression(copy_X=False), Ridge(copy_X=False), Lasso(copy_X=False)])
def test_regression_in_place_changes_no_other_number(first: Any) -> None:
    def run(algorithms: dict[str, Any]) -> podium.Results:
        data = podium.generator("friedman1", n=80)
        experiment = podium.Experiment(data, algorithms, podium.Bootstrap(3), "squared error", seed=1)
        return podium.run(experiment, progress="quiet", workers=1)

    both = run({"first": first, "second": KNeighborsRegressor()})
    assert np.array_equal(both.select(algorithm="second").values, run({"second": KNeighborsRegressor()}).values)


def share_of_first(model: Any, learn: Any, test: Any) -> float:
    return float(np.mean(model.predict(test.X) == model.classes_[0]))


def spoil(model: Any, learn: Any, test: Any) -> float:
    Vandal._overwrite(test.X)
    Vandal._overwrite(learn.X)
    return 0.0


def test_a_measure_does_not_depend_on_those_before_it() -> None:
    scaling = make_pipeline(StandardScaler(copy=False), LogisticRegression(max_iter=1000))
    measures = [
        "misclassification",
        "deviance",
        podium.measure({"scorer": "neg_log_loss"}, name="scorer"),
        podium.measure(spoil, direction="lower"),
        podium.measure(share_of_first, direction="lower"),
        "auc",
    ]
    alone = [errors({"a": scaling}, [measure]) for measure in measures]
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(measures))
        together = errors({"a": scaling}, [measures[i] for i in order])
        for results in alone:
            name = results.measure_names[0]
            assert np.array_equal(together.select(measure=name).values, results.values), name


# Which others are there, in which order, and which measures

QUICK: dict[str, dict[str, Any]] = {
    "nnet": {"hidden": 1, "repeats": 1, "steps": 20},
    "rf": {"trees": 10},
    "lnp": {"epochs": 5},
    "mlp": {"epochs": 5},
    "svm": {"folds": 2, "step": 6},
    "svr": {"folds": 2, "step": 5},
    "sv2": {"folds": 2, "step": 5},
    "svl": {"folds": 2, "step": 5},
    "knn": {"folds": 2},
    "rpart": {"folds": 2},
}
MEASURES = {
    "classification": ("misclassification", "deviance", "auc", "balanced error"),
    "regression": ("squared error", "absolute error", "r2"),
}


def candidates(task: str) -> list[podium.Algorithm]:
    table = podium.candidates()
    names = [name for name, tasks in table["tasks"].items() if task in tasks]
    return [podium.algorithm(name, parameters=QUICK.get(name, {})) for name in names]


def curve() -> podium.Dataset:
    x = np.random.default_rng(1).uniform(size=40)
    return podium.Dataset(name="curve", X=pd.DataFrame({"x": x}), y=pd.Series(np.sin(9 * x)), task="regression")


def of_candidates(task: str, algorithms: Any, measures: Any) -> podium.Results:
    data = trouble.toy() if task == "classification" else curve()
    experiment = podium.Experiment([data], algorithms, podium.Bootstrap(2), measures)
    return podium.run(experiment, progress="quiet", workers=1)


def process_of(model: Any, learn: Any, test: Any) -> float:
    return float(os.getpid())


@pytest.mark.parametrize("task", MEASURES)
def test_numbers_depend_neither_on_other_algorithms_nor_on_order_nor_on_measures(task: str) -> None:
    rng = np.random.default_rng(1)
    alone = {algorithm.name: of_candidates(task, [algorithm], MEASURES[task]) for algorithm in candidates(task)}
    assert all(np.isfinite(results.values).any() for results in alone.values())
    for _ in range(3):
        chosen = [algorithm for algorithm in candidates(task) if rng.random() < 0.6]
        measures = rng.permutation(MEASURES[task])[: rng.integers(1, len(MEASURES[task]) + 1)].tolist()
        others = [podium.algorithm(kind(), name=kind.__name__) for kind in rng.permutation(zoo.KINDS)[:5]]
        algorithms = [*chosen, *others]
        shuffled = [algorithms[i] for i in rng.permutation(len(algorithms))]
        together = of_candidates(task, shuffled, measures)
        for name in (algorithm.name for algorithm in chosen):
            for measure in measures:
                ours = together.select(algorithm=name, measure=measure).values
                own = alone[name].select(measure=measure).values
                assert np.array_equal(ours, own, equal_nan=True), (name, measure)


# Runs and processes


def test_hashes_and_sets_are_the_same_in_every_run(alone: podium.Results) -> None:
    code = (
        "import numpy as np, podium, test_isolation as here\n"
        "full = here.all_together({'Sentinel': here.INNOCENT['Sentinel']})\n"
        "results = podium.run(full.replace(algorithms=full.algorithms[-1:]), workers=1, progress='quiet')\n"
        "print(*results.select(measure='hashes').values.ravel())\n"
    )
    environ = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True)
    assert float(done.stdout) == alone.select(algorithm="Sentinel", measure="hashes").values[0, 0, 0, 0]


@pytest.mark.parametrize(("trials", "processes"), [(1, 6), (2, 3), (None, 1)])
def test_workers_are_replaced_after_a_number_of_trials(trials: int | None, processes: int) -> None:
    measure = podium.measure(process_of, direction="lower")
    experiment = podium.Experiment([trouble.toy()], [trouble.Majority()], podium.Bootstrap(6), [measure])
    values = podium.run(experiment, workers=1, trials_per_worker=trials, progress="quiet").values
    assert len(np.unique(values)) == processes


PATCHING = """
import numpy as np
from trouble import Majority

before = np.median


def median(*args, **options):
    return before(*args, **options)


np.median = median


class Patient(Majority):
    pass
"""


def test_a_module_that_replaces_a_function_when_it_is_imported_wears_no_worker_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "patching.py").write_text(PATCHING)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(np, "median", np.median)
    measure = podium.measure(process_of, direction="lower")
    model = importlib.import_module("patching").Patient()
    experiment = podium.Experiment([trouble.toy()], [model], podium.Bootstrap(6), [measure])
    assert len(np.unique(podium.run(experiment, workers=1, progress="quiet").values)) == 1


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_no_process_that_a_trial_started_is_left(tmp_path: Path) -> None:
    orphan = zoo.Orphan(str(tmp_path / "pid"))
    measure = podium.measure(lambda model, learn, test: float(model.pid), name="process", direction="lower")
    algorithms = [podium.algorithm(zoo.Child(), name="child"), podium.algorithm(orphan, name="orphan")]
    experiment = podium.Experiment([trouble.toy()], algorithms, podium.Bootstrap(2), [measure])
    values = podium.run(experiment, workers=1, progress="quiet").values
    assert not any(is_alive(int(process)) for process in values[0, :, 0, 0])
    assert not is_alive(int((tmp_path / "pid").read_text()))
