"""A number belongs to the model it names: what one model does, to its data or to its process, changes no other one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import trouble
import zoo
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

import podium
from podium.design.measure import as_measure


@contextmanager
def trials_in_this_process() -> Iterator[None]:
    """Let trials run in this process, as on a system that cannot fork, with one thread as in any worker."""
    with pytest.MonkeyPatch.context() as patch, threadpool_limits(1):
        patch.setattr("podium.running.tasks.supported", lambda: False)
        yield


def test_a_measure_does_not_depend_on_those_before_it() -> None:
    scaling = make_pipeline(StandardScaler(copy=False), LogisticRegression(max_iter=1000))
    measures = [
        "misclassification",
        "deviance",
        as_measure({"scorer": "neg_log_loss"}, "scorer"),
        podium.Measure("spoil", zoo.spoil, direction="lower"),
        podium.Measure("share_of_first", zoo.share_of_first, direction="lower"),
        "auc",
    ]

    def run(chosen: list[Any]) -> podium.Results:
        experiment = podium.Experiment("wine", {"a": scaling}, podium.Bootstrap(2), chosen, seed=1)
        return podium.run(experiment, progress="quiet", workers=1)

    orders = [np.random.default_rng(seed).permutation(len(measures)) for seed in range(3)]
    with trials_in_this_process():
        alone = [run([measure]) for measure in measures]
        together = [run([measures[i] for i in order]) for order in orders[:2]]
    together.append(run([measures[i] for i in orders[2]]))
    for results in alone:
        name = results.measure_names[0]
        for others in together:
            assert np.array_equal(others.select(measure=name).values, results.values), name


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
    return [podium.Algorithm.named(name, **QUICK.get(name, {})) for name in names]


def curve() -> podium.Dataset:
    x = np.random.default_rng(1).uniform(size=40)
    return podium.Dataset(name="curve", X=pd.DataFrame({"x": x}), y=pd.Series(np.sin(9 * x)), task="regression")


def of_candidates(task: str, algorithms: Any, measures: Any) -> podium.Results:
    data = trouble.toy() if task == "classification" else curve()
    experiment = podium.Experiment([data], algorithms, podium.Bootstrap(1), measures)
    return podium.run(experiment, progress="quiet", workers=1)


@pytest.mark.parametrize("task", MEASURES)
def test_numbers_depend_neither_on_other_algorithms_nor_on_order_nor_on_measures(task: str) -> None:
    rng = np.random.default_rng(1)
    with trials_in_this_process():
        alone = {algorithm.name: of_candidates(task, [algorithm], MEASURES[task]) for algorithm in candidates(task)}
    assert all(np.isfinite(results.values).any() for results in alone.values())
    for share in (1.0, 0.6):
        chosen = [algorithm for algorithm in candidates(task) if rng.random() < share]
        measures = rng.permutation(MEASURES[task])[: rng.integers(1, len(MEASURES[task]) + 1)].tolist()
        others = [podium.Algorithm(kind.__name__, kind()) for kind in rng.permutation(zoo.KINDS)[:5]]
        algorithms = [*chosen, *others]
        shuffled = [algorithms[i] for i in rng.permutation(len(algorithms))]
        together = of_candidates(task, shuffled, measures)
        for name in (algorithm.name for algorithm in chosen):
            for measure in measures:
                ours = together.select(algorithm=name, measure=measure).values
                own = alone[name].select(measure=measure).values
                assert np.array_equal(ours, own, equal_nan=True), (name, measure)


# Runs and processes


@pytest.mark.parametrize(("trials", "processes"), [(1, 6), (2, 3), (None, 1)])
def test_workers_are_replaced_after_a_number_of_trials(trials: int | None, processes: int) -> None:
    measure = podium.Measure("process_of", zoo.process_of, direction="lower")
    experiment = podium.Experiment([trouble.toy()], [trouble.Majority()], podium.Bootstrap(6), [measure])
    values = podium.run(experiment, workers=1, trials_per_worker=trials, progress="quiet").values
    assert len(np.unique(values)) == processes


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_no_process_that_a_trial_started_is_left(tmp_path: Path) -> None:
    orphan = zoo.Orphan(str(tmp_path / "pid"))
    measure = podium.Measure("process", lambda model, learn, test: float(model.pid), direction="lower")
    algorithms = [podium.Algorithm("child", zoo.Child()), podium.Algorithm("orphan", orphan)]
    experiment = podium.Experiment([trouble.toy()], algorithms, podium.Bootstrap(2), [measure])
    values = podium.run(experiment, workers=1, progress="quiet").values
    assert not any(is_alive(int(process)) for process in values[0, :, 0, 0])
    assert not is_alive(int((tmp_path / "pid").read_text()))
