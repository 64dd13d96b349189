"""Whatever an algorithm does costs only its own trials, and each trial ends with a status and a reason."""

from __future__ import annotations

import os
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trouble

from podium.errors import ExecutionError
from podium.results.cube import REASON_NAMES
from podium.running.runner import run
from podium.store.warehouse import Warehouse

GOOD = trouble.Majority()
LONG = 50.0  # seconds that no trial takes unless it hangs, on however busy a machine
SHORT = 0.3  # for one that hangs whatever the limit is


@pytest.fixture(scope="module")
def undisturbed() -> np.ndarray:
    """The numbers of the well-behaved algorithm when it is alone."""
    return run(trouble.experiment(GOOD), executor="threads", workers=1, progress="quiet").values[:, :, 0, 0]


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A warehouse after a run in which everything goes wrong that can."""
    path = tmp_path_factory.mktemp("trouble") / "trouble.db"
    kinds = [trouble.Raises, trouble.Exits, trouble.Aborts, trouble.Killed, trouble.Hungry]
    kinds += [trouble.PredictsNaN, trouble.PredictsTooMany, trouble.Skips, trouble.Warns, trouble.Mute]
    ending = [GOOD, *(kind() for kind in kinds)]
    for models, seconds in ((ending, LONG), ([*ending, trouble.Hangs()], SHORT)):
        design = trouble.experiment(*models, replications=1)
        run(design, path, workers=2, seconds_per_fit=seconds, memory_per_fit=2**30, progress="quiet")
    return Warehouse(path, readonly=True)


EXPECTED = {
    "Majority": ("done", "", ""),
    "Warns": ("done", "", ""),
    "Raises": ("failed", "ZeroDivisionError", "The fit of 'Raises' failed: ZeroDivisionError: one over zero"),
    "Exits": ("failed", "SystemExit", "3"),
    "Mute": ("failed", "UndefinedError", "no measure has a value: misclassification: Mute does not predict"),
    "Hangs": ("timeout", "Timeout", "ended after 0.3 s"),
    "Aborts": ("crashed", "Crash", "killed by signal SIGABRT"),
    "Killed": ("crashed", "Crash", "killed by signal SIGKILL (often for lack of memory)"),
    "Skips": ("skipped", "SkipTrial", "only for wide data"),
}


@pytest.mark.parametrize("algorithm", EXPECTED)
def test_a_trial_ends_with_a_status_and_its_reason(ended: Warehouse, algorithm: str) -> None:
    trials = ended.trials()
    own = trials[trials["algorithm"] == algorithm]
    found = set(zip(own["status"], own["error_type"], own["message"], strict=True))
    assert found == {EXPECTED[algorithm]}
    assert len(own) == 1


@pytest.mark.parametrize(
    ("algorithm", "kind", "part"),
    [
        ("Hungry", "MemoryError", "Unable to allocate 4.00 GiB"),
        ("PredictsNaN", "InputError", "`predict` must return a class for each observation"),
        ("PredictsTooMany", "InputError", "one per observation; got shape"),
    ],
)
def test_refused_memory_and_refused_predictions_are_failures(
    ended: Warehouse, algorithm: str, kind: str, part: str
) -> None:
    trials = ended.trials()
    own = trials[trials["algorithm"] == algorithm]
    assert set(own["status"]) == {"failed"}
    assert set(own["error_type"]) == {kind}
    assert all(part in message for message in own["message"])


def test_a_failure_has_its_traceback_and_a_fit_its_warnings(ended: Warehouse) -> None:
    trials = ended.trials().set_index(["algorithm", "replication"])
    assert 'raise ZeroDivisionError("one over zero")' in trials.loc[("Raises", 1), "traceback"]
    assert list(trials.loc[("Warns", 1), "warnings"]) == ["UserWarning: this will not end well"]


def test_neighbours_are_untouched(ended: Warehouse, undisturbed: np.ndarray) -> None:
    results = ended.results().select(algorithm="Majority")
    assert np.array_equal(results.values[:, :, 0, 0], undisturbed[:, :1])


def test_every_trial_was_attempted_once_and_has_its_seed(ended: Warehouse) -> None:
    attempts = ended.trials(every_attempt=True)
    assert not attempts.duplicated(["dataset", "replication", "algorithm"]).any()
    assert attempts["seed"].nunique() == len(attempts)


def test_missing_cells_carry_their_reason(ended: Warehouse) -> None:
    results = ended.results()
    names = [REASON_NAMES[code] for code in results.reasons[0, 0, :, 0]]
    found = dict(zip(results.algorithms, names, strict=True))
    assert {name: found[name] for name in ("Majority", "Raises", "Hangs", "Aborts", "Skips")} == {
        "Majority": "",
        "Raises": "failed",
        "Hangs": "timeout",
        "Aborts": "crashed",
        "Skips": "skipped",
    }


@pytest.mark.usefixtures("in_this_process")
def test_retry_runs_trials_with_the_given_statuses_again(tmp_path: Path) -> None:
    design = trouble.experiment(trouble.FailsOnce(str(tmp_path / "seen")), trouble.Raises(), replications=1)
    options = {"executor": "threads", "workers": 1, "progress": "quiet"}
    first = run(design, tmp_path / "w.db", **options)
    assert np.isnan(first.values).all()
    again = run(design, tmp_path / "w.db", **options)
    assert np.isnan(again.values).all()
    retried = run(design, tmp_path / "w.db", retry=["failed"], **options)
    assert np.isnan(retried.values[0, 0, :, 0]).tolist() == [False, True]
    with Warehouse(tmp_path / "w.db", readonly=True) as warehouse:
        assert len(warehouse.trials(every_attempt=True)) == 4
        assert warehouse.counts() == {"done": 1, "failed": 1}


class BreaksOnce(ProcessPoolExecutor):
    """A pool whose process is killed from outside in the middle of its first task."""

    made = 0

    def __init__(self) -> None:
        super().__init__(1)
        BreaksOnce.made += 1

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if BreaksOnce.made == 1 and not self._broken:
            return super().submit(os._exit, 1)
        return super().submit(fn, *args, **kwargs)


def test_a_pool_that_breaks_is_replaced(tmp_path: Path, undisturbed: np.ndarray) -> None:
    results = run(trouble.experiment(GOOD), tmp_path / "w.db", executor=BreaksOnce, progress="quiet")
    assert np.array_equal(results.values[:, :, 0, 0], undisturbed)


def test_a_broken_pool_that_cannot_be_replaced_ends_the_run(tmp_path: Path) -> None:
    with ProcessPoolExecutor(1) as executor:
        with suppress(BrokenExecutor):
            executor.submit(os._exit, 1).result()
        with pytest.raises(ExecutionError) as error:
            run(trouble.experiment(GOOD), tmp_path / "w.db", executor=executor, progress="quiet")
    assert "a broken executor cannot be reused. What was measured is kept." in str(error.value)
