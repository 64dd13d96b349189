"""The tasks sent to worker processes: install an experiment once, then run chunks of its trials."""

from __future__ import annotations

import hashlib
import os
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import cloudpickle

from podium.design.untrusted_text import name_of, text_of
from podium.errors import ExecutionError
from podium.running.forkserver import supported
from podium.running.in_process import InProcessPool
from podium.running.isolation import Surroundings, surroundings
from podium.running.limits import Limits
from podium.running.pool import SetupError, SupervisedPool, TaskFuture, WorkerLost
from podium.running.trial import Chunk, Lost, Trials
from podium.running.watchdog import end_with_run
from podium.running.worker import NO_MARK
from podium.store.record import TrialKey, TrialRecord, TrialStatus

if TYPE_CHECKING:
    from podium.design.experiment import Experiment


class Payload(NamedTuple):
    """An experiment sent to another process: its token, and its content unless the process already has it.

    The surroundings are those of the process that runs the experiment, whatever process starts the workers. Of its
    environment they have what a run sets and what the caller names: other variables may be secrets, and a task lies in
    the memory of a scheduler and on the wire.
    """

    token: str
    content: bytes | None
    surroundings: Surroundings

    @classmethod
    def of(cls, experiment: Experiment, environment: Sequence[str] = ()) -> Self:
        """Pack an experiment; the error for one that cannot be sent to another process names the culprit."""
        try:
            content = cloudpickle.dumps(experiment)
        except Exception as error:
            culprit = _unsendable(experiment)
            raise ExecutionError(f"{culprit} cannot be sent to another process: {error}") from error
        around = surroundings(environment)
        digest = hashlib.blake2b(content, digest_size=8)
        digest.update(repr(around).encode())
        return cls(digest.hexdigest(), content, around)

    @property
    def reference(self) -> Self:
        """The payload without its content."""
        return self._replace(content=None)


def _unsendable(experiment: Experiment) -> str:
    parts = {"data set": experiment.datasets, "algorithm": experiment.algorithms, "measure": experiment.measures}
    for noun, things in parts.items():
        for thing in things:
            try:
                cloudpickle.dumps(thing)
            except Exception:
                return f"The {noun} {thing.name!r}"
    return "The experiment"


_installed: dict[str, Trials] = {}


def install(payload: Payload) -> None:
    """Unpack an experiment in a template, whose workers then have it."""
    assert payload.content is not None
    _installed[payload.token] = Trials(cloudpickle.loads(payload.content))


def run_installed(token: str, keys: Sequence[TrialKey], seconds: float, limits: Limits, careful: bool) -> Chunk:
    """Run trials in a worker of the supervised pool."""
    return _installed[token].run_many(keys, seconds, limits.memory, most=limits.trials, careful=careful)


def _is_valid(keys: list[TrialKey], parts: list[list[TrialRecord]], kind: str, content: Any) -> bool:
    """Return whether what a worker says is about the next of its trials: an algorithm may write there, too."""
    if kind == "done" and not isinstance(content, Chunk):
        return False
    records = content.records if kind == "done" else content
    reported = sum(map(len, parts))
    return (
        isinstance(records, list)
        and all(isinstance(record, TrialRecord) for record in records)
        and [record.key for record in records] == keys[reported : reported + len(records)]
        and (kind == "part" or content.done == reported + len(records))
    )


_CAREFUL_CHUNKS = 50  # after a process was lost


def make_pool(
    workers: int | None,
    limits: Limits,
    initializer: Callable[..., Any],
    *initargs: Any,
    on_part: Callable[[Any], Any] | None = None,
    around: Surroundings | None = None,
) -> SupervisedPool | InProcessPool:
    """Make the supervised pool, or what stands in for it on a system that cannot fork."""
    if not supported():
        return InProcessPool(initializer, initargs)
    return SupervisedPool(
        workers, deadline=limits.seconds, initializer=initializer, initargs=initargs, on_part=on_part, around=around
    )


class TrialPool:
    """A supervised pool whose workers run the trials of one experiment."""

    def __init__(
        self,
        payload: Payload,
        workers: int,
        limits: Limits,
        on_report: Callable[[list[TrialRecord]], Any] | None = None,
    ) -> None:
        self._token = payload.token
        self._limits = limits
        self._careful = 0
        self._pool = make_pool(workers, limits, install, payload, on_part=on_report, around=payload.surroundings)

    def submit(self, keys: Sequence[TrialKey], seconds: float) -> TaskFuture[Chunk]:
        """Start some trials."""
        careful = self._careful > 0
        self._careful -= careful
        sent = list(keys)
        arguments = self._token, sent, seconds, self._limits, careful
        return self._pool.submit_checked(partial(_is_valid, sent), run_installed, *arguments)

    def outcome(self, future: TaskFuture[Chunk]) -> Chunk:
        """Return the outcome of some trials, with all their records.

        If their process died, the trial that was running is to blame, unless another one had ended since the last check
        of the process. Then it is unknown which of them was the cause. For some time after that, there is a check after
        each trial.
        """
        try:
            chunk = future.result()
        except (SetupError, CancelledError):
            raise
        except WorkerLost as loss:
            status: TrialStatus = "timeout" if loss.timed_out else "crashed"
            return self._lost(future, status, str(loss), loss.mark)
        except Exception as error:  # whatever a worker says, it costs its own trials
            return self._lost(future, "failed", f"{name_of(error)}: {text_of(error)}", NO_MARK)
        if chunk.alarmed:
            self._careful = _CAREFUL_CHUNKS
        return chunk._replace(records=[*(record for part in future.parts for record in part), *chunk.records])

    def _lost(self, future: TaskFuture[Chunk], status: TrialStatus, message: str, mark: int) -> Chunk:
        self._careful = _CAREFUL_CHUNKS
        records = [record for part in future.parts for record in part]
        done = len(records)
        return Chunk(records, done, 0.0, Lost(status, message, done if mark == done else None))

    def close(self, *, at_once: bool) -> None:
        """End the workers; `at_once` also ends running trials."""
        if at_once:
            self._pool.kill()
        else:
            self._pool.shutdown()


_MANY = 10_000  # workers of a pool that has one for each thread that waits for it
_pools: dict[tuple[str, Limits], TrialPool] = {}
_busy: Counter[tuple[str, Limits]] = Counter()
_lock = threading.Lock()


def run_in_executor(payload: Payload, keys: Sequence[TrialKey], seconds: float, limits: Limits) -> Chunk:
    """Run trials in a process or thread of another executor, which waits for its own worker to run them.

    None of them if this process does not have the experiment.
    """
    end_with_run(payload.surroundings)
    name = payload.token, limits
    with _lock:
        if name not in _pools:
            if payload.content is None:
                return Chunk([], 0, 0.0)
            for other in [other for other in _pools if not _busy[other]]:
                _pools.pop(other).close(at_once=True)
            _pools[name] = TrialPool(payload, _MANY, limits)
        pool = _pools[name]
        _busy[name] += 1
    try:
        return pool.outcome(pool.submit(keys, seconds))
    finally:
        _busy[name] -= 1


def close_pools(token: str, *, at_once: bool) -> None:
    """End the workers of an experiment that belong to this process; those of other processes end with these."""
    with _lock:
        closing = [_pools.pop(name) for name in list(_pools) if name[0] == token]
    for pool in closing:
        pool.close(at_once=at_once)


def _forget() -> None:
    global _lock
    _lock = threading.Lock()
    _pools.clear()
    _busy.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)  # pools belong to the process that started them
