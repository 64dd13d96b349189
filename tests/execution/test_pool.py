"""The supervised pool: an executor in which a crash or a deadline costs one task."""

from __future__ import annotations

import io
import os
import sys
import threading
import time
from concurrent.futures import CancelledError
from importlib import import_module
from pkgutil import iter_modules

import pytest
import sklearn
import trouble

from podium.errors import ExecutionError
from podium.execution.in_process import InProcessPool
from podium.execution.limits import Limits
from podium.execution.pool import SupervisedPool, TaskFuture, WorkerLost
from podium.execution.progress import RunBar, RunLog, Tally
from podium.execution.tasks import Payload, TrialPool
from podium.execution.trial import Chunk
from podium.warehouse.record import TrialKey, TrialRecord


def test_parts_marks_and_neighbours_survive_a_crash_and_a_deadline() -> None:
    parts: list[int] = []
    # The initializer imports this module, so that the deadline is that of the task alone.
    with SupervisedPool(2, deadline=1.0, initializer=trouble.steps, initargs=(0, int), on_part=parts.append) as pool:
        crash = pool.submit(trouble.steps, 2, os.abort)
        hang = pool.submit(trouble.steps, 3, lambda: time.sleep(60))
        neighbours = [pool.submit(pow, 2, k) for k in range(8)]
        assert [future.result() for future in neighbours] == [2**k for k in range(8)]
        with pytest.raises(WorkerLost, match=r"^killed by signal SIGABRT$") as crashed:
            crash.result()
        with pytest.raises(WorkerLost, match=r"^ended after 1 s$") as late:
            hang.result()
        error = pool.submit(divmod, 1, 0)
        with pytest.raises(ZeroDivisionError):
            error.result()
    assert (crash.parts, crashed.value.mark, crashed.value.timed_out) == ([0, 1], 2, False)
    assert (hang.parts, late.value.mark, late.value.timed_out) == ([0, 1, 2], 3, True)
    assert sorted(parts) == [0, 0, 1, 1, 2]


def test_a_process_that_cannot_be_set_up_says_why() -> None:
    explained = pytest.raises(ExecutionError, match=r"(?s)could not be set up: Traceback.*invalid literal for int")
    with SupervisedPool(1, initializer=int, initargs=("seven",)) as pool, explained:
        pool.submit(pow, 2, 2).result()


@pytest.mark.parametrize(("reported", "blamed"), [(2, 2), (1, None), (0, None)])
def test_a_crash_is_blamed_on_a_trial_only_if_its_process_was_checked_before(reported: int, blamed: int | None) -> None:
    pool = TrialPool(Payload.of(trouble.experiment(trouble.Majority())), 1, Limits())
    pool.close(at_once=True)
    future: TaskFuture[Chunk] = TaskFuture()
    future.parts += [[TrialRecord(key=TrialKey("toy", i, "Majority"), status="done")] for i in range(reported)]
    future.set_exception(WorkerLost("killed by signal SIGABRT", 2, False))
    chunk = pool.outcome(future)
    assert chunk.lost is not None
    assert (chunk.done, chunk.lost.at) == (reported, blamed)


def test_after_a_crash_there_is_a_check_after_each_trial() -> None:
    pool = TrialPool(Payload.of(trouble.experiment(trouble.Majority(), trouble.Aborts(), replications=3)), 1, Limits())
    try:
        keys = [TrialKey("toy", 1, "Aborts"), TrialKey("toy", 1, "Majority"), TrialKey("toy", 2, "Majority")]
        first = pool.outcome(pool.submit(keys, 1.0))
        second = pool.outcome(pool.submit(keys[::-1], 1.0))
    finally:
        pool.close(at_once=True)
    assert first.lost is not None
    assert first.done == first.lost.at == 0
    assert second.lost is not None
    assert second.done == second.lost.at == 2
    assert [record.key for record in second.records] == keys[:0:-1]


def test_what_is_imported_later_is_there_before_the_next_task_begins() -> None:
    names = [f"sklearn.{module.name}" for module in iter_modules(sklearn.__path__) if not module.name.startswith("_")]
    late = next(name for name in names if name not in sys.modules and name != "sklearn.conftest")
    with SupervisedPool(1) as pool:
        assert late not in pool.submit(trouble.loaded).result()
    import_module(late)
    with SupervisedPool(1) as pool:
        assert late in pool.submit(trouble.loaded).result()


def test_a_plain_pool_that_is_killed_cancels_what_has_not_begun() -> None:
    pool, go_on = InProcessPool(int, ()), threading.Event()
    running, waiting = pool.submit(go_on.wait), pool.submit(int)
    killing = threading.Thread(target=pool.kill)
    killing.start()
    with pytest.raises(CancelledError):
        waiting.result()
    go_on.set()
    assert running.result()
    killing.join()


def test_the_bar_is_drawn_over_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    stream = io.StringIO()
    bar = RunBar(stream, every=0.0)
    tally = Tally(total=4, started=time.monotonic() - 10)
    for status in ("done", "failed"):
        tally.add(TrialRecord(key=TrialKey("iris", 1, "svm"), status=status, message="one over zero"))
    bar.update(tally)
    bar.close(tally)
    drawn, last = stream.getvalue().rstrip("\n").split("\n")
    assert last == "First failed: svm on iris, replication 1: one over zero"
    lines = drawn.split("\r")[1:]
    assert len(lines) == 2
    assert lines[0] == lines[1]
    assert lines[0].rstrip() == "[███████████████···············] 2 of 4 trials, 0.2/s, 10 s left, 1 failed"


def test_the_log_has_a_line_from_time_to_time(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "podium")
    log = RunLog(every=0.0)
    tally = Tally(total=2, started=time.monotonic() - 10)
    log.update(tally)
    for i in (1, 2):
        tally.add(TrialRecord(key=TrialKey("iris", i, "svm"), status="failed", message="one over zero"))
    log.close(tally)
    assert caplog.messages == [
        "0 of 2 trials, 0.0/s, ? left",
        "2 of 2 trials, 0.2/s, 2 failed after 10 s",
        "First failed: svm on iris, replication 1: one over zero",
    ]
