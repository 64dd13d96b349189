"""Every executor gives the same numbers, keeps models apart, and loses one trial to a crash or a hang."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cloudpickle
import hostile
import numpy as np
import pytest
import trouble
import zoo
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from test_same_numbers import assert_same, design

import podium
from podium.errors import InputError
from podium.store import Warehouse


# Of a module: pytest runs the tests of one executor after the other, and each is started once.
@pytest.fixture(scope="module", params=["pool", "threads", "processes", "dask"])  # loky is in `test_hostile`
def place(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """The arguments of `run` for an executor; those with processes of their own are made once."""
    if request.param == "processes":
        with ProcessPoolExecutor(2) as processes:
            yield {"executor": processes, "workers": 2}
    elif request.param == "dask":
        yield {"executor": request.getfixturevalue("cluster").get_executor(), "workers": 2}
    else:
        yield {"executor": request.param, "workers": 3}


# The trials of the pool run in children of this process, those of Dask in children of one that was started elsewhere.
here_and_elsewhere = pytest.mark.parametrize("place", ["pool", "dask"], indirect=True)
elsewhere = pytest.mark.parametrize("place", ["dask"], indirect=True)


@pytest.fixture(scope="module")
def by_one_worker() -> podium.Results:
    return podium.run(design(), workers=1, progress="quiet")


@pytest.mark.parametrize("place", ["pool", "threads", "processes"], indirect=True)  # on Dask, see the neighbours below
def test_numbers_are_those_of_one_worker(place: dict[str, Any], by_one_worker: podium.Results) -> None:
    assert_same(podium.run(design(), progress="quiet", **place), by_one_worker)


# Neighbours


@pytest.fixture(scope="module")
def alone() -> podium.Results:
    """The innocent alone, each in an experiment and in processes of its own."""
    full = zoo.experiment(replications=2)
    innocent = [algorithm for algorithm in full.algorithms if algorithm.name in zoo.INNOCENT]
    return podium.run(full.replace(algorithms=innocent), progress="quiet", workers=1, trials_per_worker=1)


@here_and_elsewhere
def test_nothing_that_an_algorithm_does_reaches_another(place: dict[str, Any], alone: podium.Results) -> None:
    replications = 2 if place["executor"] == "pool" else 1
    full = zoo.experiment(replications)
    few = place if place["workers"] < 3 else {**place, "workers": 1}  # so that all meet in one process
    with Warehouse(":memory:") as warehouse:
        results = podium.run(full, warehouse, progress="quiet", **few)
        attempts = warehouse.trials(every_attempt=True)
    assert len(attempts) == replications * len(full.algorithms), "each trial is recorded once, also after a fork"
    assert set(attempts["status"]) == {"done"}
    for algorithm in zoo.INNOCENT:
        ours, own = results.select(algorithm=algorithm), alone.select(algorithm=algorithm)
        differing = np.any(ours.values != own.values[:, :replications], axis=(0, 1, 2))
        assert [name for name, differs in zip(ours.measure_names, differing, strict=True) if differs] == [], algorithm


def hashes() -> float:
    """What the sentinel sees of hashes and sets."""
    measures = [measure for measure in zoo.MEASURES if measure.name == "hashes"]
    experiment = podium.Experiment([trouble.toy()], [zoo.Sentinel()], podium.Bootstrap(1), measures)
    return float(podium.run(experiment, workers=1, progress="quiet").values[0, 0, 0, 0])


@elsewhere
def test_hashes_and_sets_are_the_same_in_every_run(place: dict[str, Any], alone: podium.Results) -> None:
    """Also in a run that another process starts, which has hashes of its own."""
    assert place["executor"].submit(os.getenv, "PYTHONHASHSEED").result() == "7"
    expected = alone.select(algorithm="Sentinel", measure="hashes").values[0, 0, 0, 0]
    assert place["executor"].submit(hashes).result() == expected


# Changes


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


@here_and_elsewhere
def test_a_changed_model_is_measured_and_an_equal_search_is_resumed(
    place: dict[str, Any], changed_alone: podium.Results
) -> None:
    with Warehouse(":memory:") as warehouse:
        for C in (1.0, 1e-6):
            results = podium.run(changing(C), warehouse, progress="quiet", **place)
        assert [revision.trials for revision in warehouse.history()] == [4, 2]
        before = warehouse.results(design=1)
    assert results == changed_alone
    assert not np.array_equal(before.values, results.values)


# Crashes and hangs


@pytest.fixture(scope="module")
def undisturbed() -> podium.Results:
    """What algorithms that behave give when they are alone."""
    design = trouble.experiment(trouble.Majority(), trouble.FirstRow(), replications=1)
    return podium.run(design, executor="threads", workers=1, progress="quiet")


@here_and_elsewhere
def test_without_limits_a_crash_costs_one_trial(
    place: dict[str, Any], tmp_path: Path, undisturbed: podium.Results
) -> None:
    mixed = trouble.experiment(trouble.Majority(), trouble.Aborts(), trouble.FirstRow(), replications=1)
    results = podium.run(mixed, tmp_path / "w.db", progress="quiet", **place)
    with Warehouse(tmp_path / "w.db", readonly=True) as warehouse:
        trials = warehouse.trials(every_attempt=True).set_index("algorithm")
    assert dict(trials["status"]) == {"Majority": "done", "Aborts": "crashed", "FirstRow": "done"}
    assert trials.loc["Aborts", "message"] == "killed by signal SIGABRT"
    assert np.array_equal(results.values[:, :, [0, 2]], undisturbed.values)


@pytest.mark.parametrize("place", ["pool", "threads", "dask"], indirect=True)
def test_each_hang_costs_its_own_trial(place: dict[str, Any]) -> None:
    hanging = trouble.experiment(*(kind() for kind in hostile.HANGING), replications=1)
    with Warehouse(":memory:") as warehouse:
        podium.run(
            hanging, warehouse, seconds_per_fit=0.3, progress="quiet", **place
        )  # they hang whatever the limit is
        attempts = warehouse.trials(every_attempt=True).set_index("algorithm")
    assert attempts.index.is_unique
    hostile.assert_expected(attempts, hostile.HANGING)


# What a task carries


class Recording(ThreadPoolExecutor):
    """Pickles every task, as an executor on other machines does, and keeps the bytes."""

    def __init__(self) -> None:
        super().__init__(1)
        self.tasks: list[bytes] = []

    def submit(self, task: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        self.tasks.append(cloudpickle.dumps((task, arguments, options)))
        return super().submit(task, *arguments, **options)


@pytest.mark.parametrize("named", [[], ["PODIUM_SENT"]])
def test_tasks_carry_the_variables_that_the_caller_names_and_no_others(
    named: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PODIUM_SECRET", "a marked secret")
    monkeypatch.setenv("PODIUM_SENT", "a value to send")
    with Recording() as executor:
        podium.run(trouble.experiment(trouble.Majority()), executor=executor, environment=named, progress="quiet")
    assert executor.tasks
    assert not any(b"a marked secret" in task for task in executor.tasks)
    assert all((b"a value to send" in task) == bool(named) for task in executor.tasks)


def test_a_named_variable_reaches_trials_in_a_process_that_does_not_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = trouble.experiment(trouble.NeedsVariable())
    with ProcessPoolExecutor(1) as processes:
        processes.submit(os.getpid).result()  # its process has the environment of this moment
        monkeypatch.setenv(trouble.VARIABLE, "7")
        without = podium.run(experiment, executor=processes, progress="quiet")
        sent = podium.run(experiment, executor=processes, environment=trouble.VARIABLE, progress="quiet")
    assert np.isnan(without.values).all()
    assert np.isfinite(sent.values).all()


def test_a_variable_that_is_not_set_is_refused_before_anything_is_opened(tmp_path: Path) -> None:
    where = tmp_path / "runs.db"
    with pytest.raises(InputError, match="PODIUM_UNSET"):
        podium.run(trouble.experiment(trouble.Majority()), where, environment="PODIUM_UNSET", progress="quiet")
    assert not where.exists()
