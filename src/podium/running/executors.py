"""Where trials run: the supervised pool, or any executor with the interface of `concurrent.futures`."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence, Set
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from functools import partial
from importlib import import_module
from inspect import signature
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeAlias, cast

from podium.checks import describe, did_you_mean
from podium.design.untrusted_text import name_of, text_of
from podium.errors import ExecutionError, InputError, MissingExtraError, join_names
from podium.running.limits import Limits
from podium.running.pool import TaskFuture
from podium.running.tasks import Payload, TrialPool, close_pools, run_in_executor
from podium.running.trial import Chunk, Lost
from podium.store.record import TrialKey, TrialRecord

if TYPE_CHECKING:
    from podium.design.experiment import Experiment

ExecutorLike: TypeAlias = Executor | Callable[[], Executor] | str | None
_NAMES = ("pool", "threads", "loky")

# The overhead of sending a chunk is negligible from about a fifth of a second on.
CHUNK_SECONDS = 0.4
# A larger experiment (in bytes) is not sent with every chunk, only to processes that do not have it.
_LIGHT = 100_000
# Without this, an interpreter would run a module such as struct.py that is in the working folder.
_SAFE_PATH = {"PYTHONSAFEPATH": "1"}
# Errors of Dask and Ray that mean that a process died; a library whose error arrives has been imported.
_DEAD_WORKER = (
    ("distributed.scheduler", "KilledWorker"),
    ("ray.exceptions", "WorkerCrashedError"),
    ("ray.exceptions", "NodeDiedError"),
)


class PoolBackend:
    """The default: the supervised pool."""

    def __init__(self, payload: Payload, workers: int | None, limits: Limits) -> None:
        self._reports: SimpleQueue[list[TrialRecord]] = SimpleQueue()
        self.workers = workers or os.cpu_count() or 1
        self._pool = TrialPool(payload, self.workers, limits, self._reports.put)

    def submit(self, keys: Sequence[TrialKey]) -> Future[Chunk]:
        """Start some trials."""
        return self._pool.submit(keys, CHUNK_SECONDS)

    def arrived(self) -> list[TrialRecord]:
        """Return what trials under way have reported since the last call."""
        records: list[TrialRecord] = []
        while not self._reports.empty():
            records += self._reports.get()
        return records

    def outcome(self, future: Future[Chunk], keys: Sequence[TrialKey]) -> Chunk:
        """Return the outcome of these trials, whose future is done, without what arrived before."""
        assert isinstance(future, TaskFuture)
        chunk = self._pool.outcome(future)
        return chunk._replace(records=chunk.records[sum(map(len, future.parts)) :])

    def close(self, *, at_once: bool = False) -> None:
        """End the processes; `at_once` also ends running trials."""
        self._pool.close(at_once=at_once)


class ExecutorBackend:
    """Any executor: each of its threads waits for its own supervised process, which runs the trials."""

    def __init__(
        self, payload: Payload, make: Callable[[], Executor], workers: int | None, limits: Limits, *, ours: bool
    ) -> None:
        self._make = make
        self._ours = ours
        self._limits = limits
        self._payload = payload
        self._executor = self._made()
        self._has_worked = False
        self.workers = workers or int(getattr(self._executor, "_max_workers", 0) or os.cpu_count() or 1)
        self._payloads_due = self.workers

    def submit(self, keys: Sequence[TrialKey]) -> Future[Chunk]:
        """Start some trials; a broken executor is replaced."""
        full = self._payloads_due > 0 or len(self._payload.content or b"") <= _LIGHT
        self._payloads_due -= self._payloads_due > 0
        payload = self._payload if full else self._payload.reference
        task = partial(run_in_executor, payload, list(keys), CHUNK_SECONDS, self._limits)
        try:
            return self._executor.submit(task)
        except BrokenExecutor:
            self._renew()
            return self._executor.submit(task)

    def arrived(self) -> list[TrialRecord]:
        """Return nothing: other executors report a chunk when it ends."""
        return []

    def outcome(self, future: Future[Chunk], keys: Sequence[TrialKey]) -> Chunk:
        """Return the outcome of these trials; if a process died, which of them was the cause is unknown."""
        try:
            chunk = future.result()
        except CancelledError as error:
            raise ExecutionError(f"The executor cancelled {len(keys)} trials. Everything measured is kept.") from error
        except Exception as error:
            if not _means_dead_worker(error) and not self._has_worked:
                raise ExecutionError(
                    f"The executor could not run a single trial: {name_of(error)}: {text_of(error)}"
                ) from error
            return Chunk([], 0, 0.0, Lost("crashed", f"{name_of(error)}: {text_of(error)}", None))
        if chunk.done:
            self._has_worked = True
        elif chunk.lost is None:  # it reached a process that does not have the experiment yet
            self._payloads_due += 1
        return chunk

    def close(self, *, at_once: bool = False) -> None:
        """Shut down an executor that was made here; one that was passed in stays open."""
        close_pools(self._payload.token, at_once=at_once)
        if self._ours:
            _shut_down(self._executor, at_once=at_once)

    def _renew(self) -> None:
        if not self._ours:
            raise ExecutionError(
                "The executor broke when one of its processes died, and a broken executor cannot be reused. What was "
                "measured is kept. Pass a function that makes an executor (executor=lambda: ...), or omit `executor` "
                "to use the supervised pool, and run again."
            )
        _shut_down(self._executor, at_once=True)
        self._executor = self._made()
        self._payloads_due = self.workers

    def _made(self) -> Executor:
        try:
            executor = self._make()
        except Exception as error:
            raise InputError(f"`executor` cannot make an executor: {type(error).__name__}: {error}") from error
        if not hasattr(executor, "submit"):
            raise InputError(f"`executor` must make an executor of concurrent.futures; it made {describe(executor)}.")
        return executor


Backend: TypeAlias = PoolBackend | ExecutorBackend  # where the runner has trials run


def _shut_down(executor: Executor, *, at_once: bool) -> None:
    killing = {"kill_workers": True} if "kill_workers" in signature(executor.shutdown).parameters else {}  # loky
    if killing:
        _ensure_trackers()  # they must hear of the end of its semaphores
    executor.shutdown(wait=not at_once, **killing if at_once else {})


def _means_dead_worker(error: Exception) -> bool:
    """Return whether this error of an executor means that one of its processes died."""
    kinds = [getattr(sys.modules.get(module), name, None) for module, name in _DEAD_WORKER]
    return isinstance(error, (BrokenExecutor, *(kind for kind in kinds if kind is not None)))


def backend_for(
    experiment: Experiment,
    executor: ExecutorLike,
    workers: int | None,
    limits: Limits,
    environment: Sequence[str] = (),
) -> Backend:
    """Return the backend for the argument `executor`, which `check_executor` has accepted."""
    payload = Payload.of(experiment, environment)
    if executor is None or executor == "pool":
        return PoolBackend(payload, workers, limits)
    if isinstance(executor, str):
        return ExecutorBackend(payload, _named(executor, workers), workers, limits, ours=True)
    if hasattr(executor, "submit") and not isinstance(executor, type):
        given = cast(Executor, executor)
        return ExecutorBackend(payload, lambda: given, workers, limits, ours=False)
    return ExecutorBackend(payload, executor, workers, limits, ours=True)


def check_executor(executor: object) -> None:
    """Refuse what is not an executor, the name of one or a function that makes one."""
    known = executor in _NAMES if isinstance(executor, str) else executor is None or callable(executor)
    if not known and not callable(getattr(executor, "submit", None)):  # mpi4py and Dask do not subclass `Executor`
        raise InputError(
            "`executor` must be 'pool', 'threads', 'loky', an executor of concurrent.futures or a function that makes "
            f"one; got {describe(executor)}.{did_you_mean(executor, _NAMES)}"
        )


def check_environment(environment: object) -> tuple[str, ...]:
    """Return the names of environment variables as a tuple; refuse what does not name one that is set."""
    names = (environment,) if isinstance(environment, str) else environment
    if not isinstance(names, Sequence | Set) or not all(isinstance(name, str) for name in names):
        raise InputError(
            f"`environment` must be the name of an environment variable or a list of them; got {describe(environment)}."
        )
    missing = [name for name in names if name not in os.environ]
    if missing:
        raise InputError(
            f"`environment`: {join_names(missing)} is not set in this process. Set it first, or leave it out."
        )
    return tuple(names)


def _named(name: str, workers: int | None) -> Callable[[], Executor]:
    if name == "threads":
        from concurrent.futures import ThreadPoolExecutor

        return lambda: ThreadPoolExecutor(workers or os.cpu_count())
    try:
        from loky import ProcessPoolExecutor as LokyExecutor
    except ImportError:
        raise MissingExtraError("The executor 'loky'", "loky", "loky") from None

    def make() -> Executor:
        _ensure_trackers()
        return cast(Executor, LokyExecutor(workers, env=dict(_SAFE_PATH)))

    return make


def _ensure_trackers() -> None:
    """Make sure that the resource trackers of this process run: helpers that multiprocessing and loky need.

    They are interpreters, which the libraries start in the working folder when they first need them. If one has been
    killed since, this would be noticed late and far from here: when the semaphores of an executor are garbage
    collected.
    """
    before = {name: os.environ.get(name) for name in _SAFE_PATH}
    os.environ.update(_SAFE_PATH)
    try:
        with warnings.catch_warnings(), suppress(ImportError):  # loky may be that of joblib, which has its own
            warnings.simplefilter("ignore")  # one that was ended is started again
            for library in ("multiprocessing", "loky.backend"):
                import_module(f"{library}.resource_tracker").ensure_running()
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
