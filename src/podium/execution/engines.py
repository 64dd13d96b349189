"""Where trials run: the supervised pool, or any executor of `concurrent.futures`."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

import cloudpickle

from podium.errors import ExecutionError, InputError, MissingExtraError
from podium.execution.pool import SupervisedPool, WorkerLost
from podium.execution.trial import Chunk, Trials
from podium.warehouse.record import TrialKey, TrialRecord

if TYPE_CHECKING:
    from podium.setup.experiment import Experiment

ExecutorLike: TypeAlias = Executor | Callable[[], Executor] | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of one fit: seconds and bytes; None for no limit."""

    seconds: float | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Loss:
    """What is left of a chunk whose process did not survive.

    `records` are the trials that had ended; `culprit` says what became of the one that was running, or is None if it
    is not known which one it was.
    """

    records: list[TrialRecord]
    culprit: str | None
    message: str


class Engine(Protocol):
    """What the runner asks of a place where trials run."""

    workers: int

    def submit(self, keys: Sequence[TrialKey]) -> Future[Chunk]:
        """Send trials on their way."""
        ...

    def loss(self, error: BaseException, keys: Sequence[TrialKey]) -> Loss:
        """Explain why the future of these trials ended in an error."""
        ...

    def close(self, *, at_once: bool = False) -> None:
        """Give the processes back; at once: end running trials."""
        ...


class PoolEngine:
    """The default: the supervised pool."""

    def __init__(self, experiment: Experiment, workers: int | None, limits: Limits) -> None:
        payload = cloudpickle.dumps(experiment)
        self._token = _token(payload)
        self._pool = SupervisedPool(
            workers,
            deadline=limits.seconds,
            memory=limits.memory,
            initializer=install,
            initargs=(self._token, payload),
        )
        self.workers = self._pool.workers

    def submit(self, keys: Sequence[TrialKey]) -> Future[Chunk]:
        """Send trials on their way."""
        return self._pool.submit(run_installed, self._token, list(keys))

    def loss(self, error: BaseException, keys: Sequence[TrialKey]) -> Loss:
        """Blame the trial that was running: the pool knows which had ended."""
        if isinstance(error, WorkerLost):
            return Loss(error.parts, "timeout" if error.timed_out else "crashed", str(error))
        raise error

    def close(self, *, at_once: bool = False) -> None:
        """End the processes."""
        if at_once:
            self._pool.kill()
        else:
            self._pool.shutdown()


class ExecutorEngine:
    """Any executor. With limits, each of its processes runs the trials in a supervised child of its own."""

    def __init__(
        self, experiment: Experiment, make: Callable[[], Executor], workers: int | None, limits: Limits, *, ours: bool
    ) -> None:
        self._make = make
        self._ours = ours
        self._executor = make()
        self._payload = cloudpickle.dumps(experiment)
        self._token = _token(self._payload)
        self._limits = limits
        self.workers = workers or int(getattr(self._executor, "_max_workers", 0) or os.cpu_count() or 1)

    def submit(self, keys: Sequence[TrialKey]) -> Future[Chunk]:
        """Send trials on their way; a broken executor is made anew."""
        call = (run_anywhere, self._token, self._payload, list(keys), self._limits)
        try:
            return self._executor.submit(*call)
        except BrokenExecutor:
            self._renew()
            return self._executor.submit(*call)

    def loss(self, error: BaseException, keys: Sequence[TrialKey]) -> Loss:
        """Blame a trial only if it was alone; others are tried again one at a time."""
        if isinstance(error, WorkerLost):
            return Loss(error.parts, "timeout" if error.timed_out else "crashed", str(error))
        text = f"{type(error).__name__}: {error}"
        return Loss([], "crashed" if len(keys) == 1 else None, text)

    def close(self, *, at_once: bool = False) -> None:
        """Shut an executor down that was made here; one that was handed in stays the caller's."""
        if self._ours:
            self._executor.shutdown(wait=not at_once, cancel_futures=True)

    def _renew(self) -> None:
        if not self._ours:
            raise ExecutionError(
                "The executor broke when one of its processes died, and a broken executor cannot be mended. "
                "What was measured is kept. Hand in a function that makes an executor (executor=lambda: ...), "
                "or leave `executor` out for the supervised pool, and run again."
            )
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._make()


def engine_for(experiment: Experiment, executor: ExecutorLike, workers: int | None, limits: Limits) -> Engine:
    """Make the engine a user asks for."""
    if executor is None or executor == "pool":
        return PoolEngine(experiment, workers, limits)
    if isinstance(executor, str):
        return ExecutorEngine(experiment, _named(executor, workers), workers, limits, ours=True)
    if isinstance(executor, Executor) or hasattr(executor, "submit"):
        return ExecutorEngine(experiment, lambda: executor, workers, limits, ours=False)
    if callable(executor):
        return ExecutorEngine(experiment, executor, workers, limits, ours=True)
    raise InputError(
        "`executor` must be None, 'pool', 'threads', 'processes', 'loky', an executor of concurrent.futures or a "
        f"function that makes one; got {type(executor).__name__}."
    )


def _named(name: str, workers: int | None) -> Callable[[], Executor]:
    if name == "threads":
        from concurrent.futures import ThreadPoolExecutor

        return lambda: ThreadPoolExecutor(workers)
    if name == "processes":
        from concurrent.futures import ProcessPoolExecutor

        return lambda: ProcessPoolExecutor(workers)
    if name == "loky":
        try:
            from loky import ProcessPoolExecutor as LokyExecutor
        except ImportError:
            raise MissingExtraError("The executor 'loky'", "loky", "loky") from None
        return lambda: LokyExecutor(workers)
    raise InputError(f"`executor` must be 'pool', 'threads', 'processes' or 'loky'; got {name!r}.")


# ---- in the process that runs the trials ------------------------------------------------------------------------------

_installed: dict[str, Trials] = {}
_guards: dict[tuple[str, Limits], SupervisedPool] = {}


def install(token: str, payload: bytes) -> None:
    """Unpack an experiment once per process."""
    if token not in _installed:
        _installed.clear()
        _installed[token] = Trials(cloudpickle.loads(payload))


def run_installed(token: str, keys: Sequence[TrialKey]) -> Chunk:
    """Run trials of an installed experiment."""
    return _installed[token].run_many(keys)


def run_anywhere(token: str, payload: bytes, keys: Sequence[TrialKey], limits: Limits) -> Chunk:
    """Run trials in a process or thread of a foreign executor."""
    if limits.seconds is None and limits.memory is None:
        install(token, payload)
        # Threads share this module, and a `Trials` remembers the samples it drew: each call has its own.
        return _installed[token].copy().run_many(keys)
    guard = _guards.get((token, limits))
    if guard is None:
        guard = SupervisedPool(
            1, deadline=limits.seconds, memory=limits.memory, initializer=install, initargs=(token, payload)
        )
        _guards[token, limits] = guard
    return guard.submit(run_installed, token, list(keys)).result()


def _token(payload: bytes) -> str:
    return hashlib.blake2b(payload, digest_size=8).hexdigest()
