"""The numbers depend on the design alone: not on workers, their order, or neighbours in a process."""

from __future__ import annotations

import time
from concurrent.futures import Executor, Future
from queue import LifoQueue
from threading import Thread
from typing import Any

import numpy as np
import pytest
import trouble

import podium
from podium.results import Results
from podium.running.runner import run

DATASETS = ("one", "two", "three")
IN_ONE_THREAD: dict[str, Any] = {"executor": "threads", "workers": 1, "progress": "quiet"}


def design(**more: Any) -> Any:
    algorithms = [trouble.Guesser(), trouble.FirstRow(), trouble.Mean(), trouble.Majority()]
    return trouble.experiment(*algorithms, datasets=DATASETS, replications=4, **more)


@pytest.fixture(scope="module")
def by_one_worker() -> Results:
    return run(design(), workers=1, progress="quiet")


class Backwards(Executor):
    """Runs what it was given last first, after a wait in which more can come."""

    def __init__(self) -> None:
        self._todo: LifoQueue[Any] = LifoQueue()
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._todo.put((future, fn, args))
        return future

    def _work(self) -> None:
        while True:
            time.sleep(0.01)
            future, fn, args = self._todo.get()
            future.set_result(fn(*args))


def test_one_thread_gives_the_same(by_one_worker: Results) -> None:
    assert_same(run(design(), **IN_ONE_THREAD), by_one_worker)


def assert_same(results: Results, other: Results) -> None:
    assert results.algorithms == other.algorithms
    assert np.array_equal(results.values, other.values)


@pytest.mark.usefixtures("in_this_process")
def test_this_very_process_gives_the_same(by_one_worker: Results) -> None:
    assert_same(run(design(), progress="quiet"), by_one_worker)


def test_the_order_of_trials_does_not_matter(by_one_worker: Results) -> None:
    assert_same(run(design(), executor=Backwards(), workers=4, progress="quiet"), by_one_worker)


@pytest.mark.usefixtures("in_this_process")
def test_the_order_of_the_design_does_not_matter(by_one_worker: Results) -> None:
    turned = trouble.experiment(
        trouble.Majority(),
        trouble.Mean(),
        trouble.FirstRow(),
        trouble.Guesser(),
        datasets=DATASETS[::-1],
        replications=4,
    )
    results = run(turned, **IN_ONE_THREAD)
    assert np.array_equal(results.values[::-1, :, ::-1], by_one_worker.values)


@pytest.mark.usefixtures("in_this_process")
def test_all_algorithms_see_the_same_learning_sample() -> None:
    twins = [podium.Algorithm(name, trouble.FirstRow()) for name in ("first", "second", "third")]
    scheme = podium.Bootstrap(replications=20)
    paired = podium.Experiment([trouble.toy()], twins, scheme, ["misclassification"])
    values = run(paired, **IN_ONE_THREAD).values[0, :, :, 0]
    assert (values == values[:, :1]).all()
    assert len(np.unique(values[:, 0])) > 2


@pytest.mark.usefixtures("in_this_process")
def test_an_algorithm_that_overwrites_its_sample_affects_no_other() -> None:
    alone = run(trouble.experiment(trouble.Mean(), replications=10), **IN_ONE_THREAD)
    beside = run(trouble.experiment(trouble.Vandal(), trouble.Mean(), replications=10), **IN_ONE_THREAD)
    assert np.array_equal(beside.values[:, :, 1], alone.values[:, :, 0])


@pytest.mark.usefixtures("in_this_process")
def test_another_seed_gives_other_numbers(by_one_worker: Results) -> None:
    other = run(design(seed=2), **IN_ONE_THREAD)
    assert not np.array_equal(other.values, by_one_worker.values)
