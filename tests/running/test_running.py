"""Running again, extending, refusing, limits of the whole run, interrupts, previews and the status."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trouble

import podium
from podium.errors import DesignChangedError, ExecutionError, InputError
from podium.running.progress import Tally
from podium.running.runner import run
from podium.store.warehouse import Warehouse

# Most of what is tested here does not depend on where trials run.
FAST: dict[str, Any] = {"executor": "threads", "workers": 2, "progress": "quiet"}
HERE = pytest.mark.usefixtures("in_this_process")


class Follows:
    """Remembers the progress of a run."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def update(self, tally: Tally) -> None:
        self.seen.append(str(tally))

    def close(self, tally: Tally) -> None:
        self.last = tally


def fits(log: Path) -> int:
    return len(log.read_text().split()) if log.exists() else 0


# Again, and more


def test_running_again_does_nothing(tmp_path: Path) -> None:
    design = trouble.experiment(trouble.Logs(str(tmp_path / "log")))
    first = run(design, tmp_path / "w.db", **FAST)
    again = run(design, tmp_path / "w.db", **FAST)
    assert np.array_equal(first.values, again.values)
    assert fits(tmp_path / "log") == 4


@HERE
def test_more_replications_algorithms_and_data_sets_extend(tmp_path: Path) -> None:
    logging = trouble.Logs(str(tmp_path / "log"))
    small = run(trouble.experiment(logging, replications=3), tmp_path / "w.db", **FAST)
    large = trouble.experiment(trouble.FirstRow(), logging, replications=5, datasets=("new", "toy"))
    extended = run(large, tmp_path / "w.db", **FAST)
    assert extended.shape == (2, 5, 2, 1)
    assert fits(tmp_path / "log") == 10
    assert np.array_equal(extended.values[1, :3, 1, 0], small.values[0, :, 0, 0])
    assert np.array_equal(extended.values, run(large, **FAST).values)


@HERE
def test_less_is_shown_and_nothing_is_lost(tmp_path: Path) -> None:
    large = trouble.experiment(trouble.FirstRow(), trouble.Logs(str(tmp_path / "log")), replications=3)
    run(large, tmp_path / "w.db", **FAST)
    assert run(trouble.experiment(trouble.FirstRow(), replications=2), tmp_path / "w.db", **FAST).shape == (1, 2, 1, 1)
    assert run(large, tmp_path / "w.db", **FAST).shape == (1, 3, 2, 1)
    assert fits(tmp_path / "log") == 3


@HERE
def test_a_changed_design_is_refused_with_the_difference(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    run(trouble.experiment(trouble.FirstRow()), path, **FAST)
    changed = trouble.experiment(trouble.FirstRow(), seed=2)
    with pytest.raises(DesignChangedError) as refusal:
        run(changed, path, **FAST)
    assert str(refusal.value) == (
        f"The warehouse {str(path)!r} was made with another design:\n"
        "  the seed was 0 and is 2\n"
        "Everything measured is kept. Use the old design, or another warehouse for the new one."
    )
    with pytest.raises(DesignChangedError):
        podium.preview(changed, path, pilot_seconds=0)


# Limits and interrupts


def test_a_limit_of_the_whole_run_leaves_the_rest_for_the_next(tmp_path: Path) -> None:
    design = trouble.experiment(trouble.Logs(str(tmp_path / "log"), 0.05), replications=40)
    follows = Follows()
    part = run(design, tmp_path / "w.db", executor="threads", workers=2, seconds=0.3, progress=follows)
    measured = int(np.isfinite(part.values).sum())
    assert 0 < measured < 40
    assert follows.last.ended == measured
    whole = run(design, tmp_path / "w.db", **FAST)
    assert np.isfinite(whole.values).all()
    assert fits(tmp_path / "log") == 40


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_an_interrupt_keeps_what_was_measured(tmp_path: Path, number: signal.Signals) -> None:
    design = trouble.experiment(trouble.Logs(str(tmp_path / "log"), 0.05), replications=40)
    before = signal.getsignal(number)

    def interrupt() -> None:
        while fits(tmp_path / "log") < 10:
            time.sleep(0.01)
        os.kill(os.getpid(), number)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt) as stop:
        run(design, tmp_path / "w.db", workers=1, progress="quiet")
    assert signal.getsignal(number) == before
    with Warehouse(tmp_path / "w.db", readonly=True) as warehouse:
        counts = warehouse.counts()
        attempts = len(warehouse.trials(every_attempt=True))
    assert set(counts) == {"done"}, "trials that were running count as not tried"
    assert 0 < counts["done"] == attempts < 40
    where = repr(str(tmp_path / "w.db"))
    assert str(stop.value) == (
        f"stopped; {attempts} of 40 trials are kept in {where}. To resume: podium.run(experiment, {where})"
    )
    assert np.isfinite(run(design, tmp_path / "w.db", **FAST).values).all()


# Executors


def test_an_executor_that_cannot_work_is_not_mistaken_for_a_failing_trial(tmp_path: Path) -> None:
    class Broken(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(ModuleNotFoundError("No module named 'podium'"))
            return future

    with pytest.raises(ExecutionError) as error:
        run(trouble.experiment(trouble.FirstRow()), tmp_path / "w.db", executor=Broken(), progress="quiet")
    assert str(error.value) == (
        "The executor could not run a single trial: ModuleNotFoundError: No module named 'podium'"
    )
    with Warehouse(tmp_path / "w.db", readonly=True) as warehouse:
        assert warehouse.counts() == {}


def test_what_cannot_be_sent_to_another_process_is_named() -> None:
    stuck = trouble.Majority()
    stuck.lock = threading.Lock()  # type: ignore[attr-defined]
    with pytest.raises(ExecutionError, match=r"^The algorithm 'Majority' cannot be sent to another process: "):
        run(trouble.experiment(stuck), progress="quiet")


def test_a_wrong_argument_is_named() -> None:
    with pytest.raises(
        InputError, match=r"^`seconds_per_fit` must be a positive number of seconds, or .*; got '1m'\.$"
    ):
        run(trouble.experiment(trouble.FirstRow()), seconds_per_fit="1m")  # type: ignore[arg-type]


@pytest.mark.parametrize("call", [podium.run, podium.preview])
@pytest.mark.parametrize(
    "wrong",
    [
        {"executor": "thread"},
        {"retry": "broken"},
        {"memory_per_fit": "2GB"},
        {"workers": 0},
        {"experiment": "small.yaml"},
    ],
)
def test_a_refused_run_leaves_no_file(call: Any, wrong: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError):
        call(**{"experiment": trouble.experiment(trouble.FirstRow()), "warehouse": tmp_path / "refused.db", **wrong})
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_not_a_warehouse_is_refused(tmp_path: Path) -> None:
    path, content = tmp_path / "notes.db", b"These are notes. " * 100
    path.write_bytes(content)
    with pytest.raises(InputError, match="file is not a database"):
        podium.preview(trouble.experiment(trouble.FirstRow()), path, pilot_seconds=0)
    assert path.read_bytes() == content


# Previews, status and progress


@HERE
def test_a_preview_writes_nothing_and_counts_what_is_left(tmp_path: Path) -> None:
    small = trouble.experiment(trouble.FirstRow(), replications=3)
    assert podium.preview(small, tmp_path / "w.db", pilot_seconds=0).left.to_numpy().tolist() == [[3]]
    assert not (tmp_path / "w.db").exists()
    run(small, tmp_path / "w.db", **FAST)
    large = trouble.experiment(trouble.FirstRow(), trouble.Mean(), replications=5)
    shown = podium.preview(large, tmp_path / "w.db", pilot_seconds=0)
    assert shown.left.to_numpy().tolist() == [[2, 5]]
    assert str(shown) == "7 of 10 trials are left to do.\n\nTrials left\n     FirstRow  Mean\ntoy         2     5"
    with Warehouse(tmp_path / "w.db", readonly=True) as warehouse:
        assert len(warehouse.designs()) == 1


def test_a_pilot_estimates_the_time(tmp_path: Path) -> None:
    slow = trouble.experiment(trouble.Logs(str(tmp_path / "log"), 0.2), trouble.FirstRow(), replications=50)
    shown = podium.preview(slow, executor="threads", workers=2, pilot_seconds=600)
    assert fits(tmp_path / "log") in (1, 2), "two fits of 0.2 s fill a chunk of 0.4 s, one if the machine is slow"
    assert shown.seconds_per_trial.loc["toy", "Logs"] >= 0.2
    assert shown.seconds == pytest.approx(50 * shown.seconds_per_trial.to_numpy().sum() / 2)
    assert not shown.at_least
    assert f"By this pilot, the run takes about {shown.seconds:.0f} s with 2 workers." in str(shown)


def test_a_pilot_that_does_not_end_says_so() -> None:
    endless = trouble.experiment(trouble.Hangs(), replications=3)
    shown = podium.preview(endless, workers=1, pilot_seconds=1.0)
    assert shown.at_least
    assert "By this pilot, the run takes more than" in str(shown)


@HERE
def test_the_status_says_how_many_and_why(tmp_path: Path) -> None:
    design = trouble.experiment(trouble.FirstRow(), trouble.Raises(), trouble.Skips(), replications=3)
    run(design, tmp_path / "w.db", **FAST)
    run(design.replace(resampling=podium.Bootstrap(replications=4)), tmp_path / "w.db", seconds=1e-9, **FAST)
    with Warehouse(tmp_path / "w.db", readonly=True) as warehouse:
        status = warehouse.status()
    assert status.counts == {"done": 3, "failed": 3, "timeout": 0, "crashed": 0, "skipped": 3, "stopped": 0, "left": 3}
    assert "3 × failed   Raises: The fit of 'Raises' failed: ZeroDivisionError: one over zero" in status.text(300)
