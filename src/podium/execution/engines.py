"""Where trials run: the supervised pool, or any executor of `concurrent.futures`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from functools import partial
from inspect import signature
from queue import SimpleQueue
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

from podium.errors import ExecutionError, InputError, MissingExtraError
from podium.execution.limits import Limits
from podium.execution.pool import SupervisedPool, WorkerLost
from podium.execution.remote import Parcel, close_guards, install, lost_chunk, run_anywhere, run_installed
from podium.execution.trial import Chunk, Lost
from podium.warehouse.record import TrialKey, TrialRecord

if TYPE_CHECKING:
    from podium.setup.experiment import Experiment

ExecutorLike: TypeAlias = Executor | Callable[[], Executor] | str | None

# A chunk is worth its trip from about a fifth of a second on.
CHUNK_SECONDS = 0.4
# An experiment of more bytes than this is not sent with every chunk, but to processes that lack it.
_LIGHT = 100_000


class Engine(Protocol):
    """What the runner asks of a place where trials run."""

    workers: int

    def submit(self, keys: Sequence[TrialKey]) -> Future[Chunk]:
        """Send trials on their way."""
        ...

    def arrived(self) -> list[TrialRecord]:
        """Return what trials under way have reported since the last call."""
        ...

    def outcome(self, future: Future[Chunk], keys: Sequence[TrialKey]) -> Chunk:
        """Say what came of these trials, whose future is done."""
        ...

    def close(self, *, at_once: bool = False) -> None:
        """Give the processes back; at once: end running trials."""
        ...


class PoolEngine:
    """The default: the supervised pool."""

    def __init__(self, experiment: Experiment, workers: int | None, limits: Limits) -> None:
        self._parcel = Parcel.of(experiment)
        self._memory = limits.memory
        self._reports: SimpleQueue[list[TrialRecord]] = SimpleQueue()
        self._pool = SupervisedPool(
            workers,
            deadline=limits.seconds,
            initializer=install,
            initargs=(self._parcel,),
            on_part=self._reports.put,
        )
        self.workers = self._pool.workers

    def submit(self, keys: Sequence[TrialKey]) -> Future[Chunk]:
        """Send trials on their way."""
        return self._pool.submit(run_installed, self._parcel.token, list(keys), CHUNK_SECONDS, self._memory)

    def arrived(self) -> list[TrialRecord]:
        """Return what trials under way have reported since the last call."""
        records: list[TrialRecord] = []
        while not self._reports.empty():
            records += self._reports.get()
        return records

    def outcome(self, future: Future[Chunk], keys: Sequence[TrialKey]) -> Chunk:
        """Say what came of these trials; the pool knows which one was running when a process died."""
        try:
            return future.result()
        except WorkerLost as loss:
            return lost_chunk(loss)._replace(records=[])  # they have arrived already

    def close(self, *, at_once: bool = False) -> None:
        """End the processes."""
        if at_once:
            self._pool.kill()
        else:
            self._pool.shutdown()


class ExecutorEngine:
    """Any executor. With limits, each of its threads runs the trials in a supervised process of its own."""

    def __init__(
        self, experiment: Experiment, make: Callable[[], Executor], workers: int | None, limits: Limits, *, ours: bool
    ) -> None:
        self._make = make
        self._ours = ours
        self._limits = limits
        self._parcel = Parcel.of(experiment)
        self._executor = make()
        self._has_worked = False
        self.workers = workers or int(getattr(self._executor, "_max_workers", 0) or os.cpu_count() or 1)
        self._owed = self.workers

    def submit(self, keys: Sequence[TrialKey]) -> Future[Chunk]:
        """Send trials on their way; a broken executor is made anew."""
        full = self._owed > 0 or len(self._parcel.content or b"") <= _LIGHT
        self._owed -= self._owed > 0
        parcel = self._parcel if full else self._parcel.label
        task = partial(run_anywhere, parcel, list(keys), CHUNK_SECONDS, self._limits)
        try:
            return self._executor.submit(task)
        except BrokenExecutor:
            self._renew()
            return self._executor.submit(task)

    def arrived(self) -> list[TrialRecord]:
        """Nothing: executors of others tell what came of a chunk when it ends."""
        return []

    def outcome(self, future: Future[Chunk], keys: Sequence[TrialKey]) -> Chunk:
        """Say what came of these trials; a process that died takes innocent ones with it, so nobody is blamed."""
        try:
            chunk = future.result()
        except CancelledError as error:
            raise ExecutionError(f"The executor gave up {len(keys)} trials. What was measured is kept.") from error
        except Exception as error:
            if not _is_death(error) and not self._has_worked:
                raise ExecutionError(
                    f"The executor could not run a single trial: {type(error).__name__}: {error}"
                ) from error
            return Chunk([], 0, 0.0, Lost("crashed", f"{type(error).__name__}: {error}", None))
        if chunk.done:
            self._has_worked = True
        elif chunk.lost is None:  # it came to a process that does not have the experiment yet
            self._owed += 1
        return chunk

    def close(self, *, at_once: bool = False) -> None:
        """Shut an executor down that was made here; one that was handed in stays the caller's."""
        close_guards(self._parcel.token, at_once=at_once)
        if self._ours:
            _shut_down(self._executor, at_once=at_once)

    def _renew(self) -> None:
        if not self._ours:
            raise ExecutionError(
                "The executor broke when one of its processes died, and a broken executor cannot be mended. "
                "What was measured is kept. Hand in a function that makes an executor (executor=lambda: ...), "
                "or leave `executor` out for the supervised pool, and run again."
            )
        _shut_down(self._executor, at_once=True)
        self._executor = self._make()
        self._owed = self.workers


def _shut_down(executor: Executor, *, at_once: bool) -> None:
    killing = {"kill_workers": True} if "kill_workers" in signature(executor.shutdown).parameters else {}  # of loky
    executor.shutdown(wait=not at_once, **killing if at_once else {})


def _is_death(error: Exception) -> bool:
    """Tell whether an executor says by this error that a process died."""
    deaths = ("KilledWorker", "WorkerCrashedError", "NodeDiedError")  # of Dask and Ray
    return isinstance(error, BrokenExecutor) or type(error).__name__ in deaths


def engine_for(experiment: Experiment, executor: ExecutorLike, workers: int | None, limits: Limits) -> Engine:
    """Make the engine a user asks for."""
    if workers is not None and workers < 1:
        raise InputError(f"`workers` must be at least 1; got {workers!r}.")
    if executor is None or executor == "pool":
        return PoolEngine(experiment, workers, limits)
    if isinstance(executor, str):
        return ExecutorEngine(experiment, _named(executor, workers), workers, limits, ours=True)
    if hasattr(executor, "submit"):  # also what is no subclass, such as the executors of mpi4py and Dask
        given = cast(Executor, executor)
        return ExecutorEngine(experiment, lambda: given, workers, limits, ours=False)
    if callable(executor):
        return ExecutorEngine(experiment, executor, workers, limits, ours=True)
    raise InputError(
        "`executor` must be None, 'pool', 'threads', 'loky', an executor of concurrent.futures or a function that "
        f"makes one; got {executor!r}."
    )


def _named(name: str, workers: int | None) -> Callable[[], Executor]:
    if name == "threads":
        from concurrent.futures import ThreadPoolExecutor

        return lambda: ThreadPoolExecutor(workers or os.cpu_count())
    if name == "loky":
        try:
            from loky import ProcessPoolExecutor as LokyExecutor
        except ImportError:
            raise MissingExtraError("The executor 'loky'", "loky", "loky") from None
        return lambda: LokyExecutor(workers)
    raise InputError(f"`executor` must be 'pool', 'threads' or 'loky', or an executor; got {name!r}.")
