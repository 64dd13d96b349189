"""Run an experiment: send what is missing, keep what comes, and lose nothing whatever happens."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from typing import TYPE_CHECKING

from podium.execution.adopting import adopt_design
from podium.execution.arguments import check_arguments
from podium.execution.engines import CHUNK_SECONDS, Engine, ExecutorLike, engine_for
from podium.execution.environment import environment
from podium.execution.interrupts import stop_requests
from podium.execution.limits import Limits, check_amount
from podium.execution.opening import opened
from podium.execution.plan import ChunkSize, Plan, plan_trials
from podium.execution.progress import Progress, ProgressMode, Tally, progress_for
from podium.execution.trial import Chunk, Lost
from podium.results import Results
from podium.warehouse.record import TrialKey, TrialRecord
from podium.warehouse.warehouse import Warehouse

if TYPE_CHECKING:
    from podium.setup.experiment import Experiment

_CHUNKS_PER_WORKER = 2
_TICK_SECONDS = 0.2


def run(
    experiment: Experiment,
    warehouse: str | Path | Warehouse = ":memory:",
    *,
    executor: ExecutorLike = None,
    workers: int | None = None,
    seconds_per_fit: float | None = None,
    memory_per_fit: int | None = None,
    seconds: float | None = None,
    retry: str | Sequence[str] = (),
    progress: ProgressMode | Progress = "auto",
) -> Results:
    """Run what a warehouse does not have of an experiment, and return everything it then has.

    Every algorithm sees the same learning sample of a (data set, replication). Seeds derive from identity, so the
    numbers (times aside) do not depend on the number of workers, on their order, or on interruptions. Running again
    does only what is missing.

    Parameters
    ----------
    experiment : Experiment
    warehouse : path, URL or Warehouse
        A file (made if it is not there) or a ``postgresql://`` URL. By default nothing outlives the process.
    executor : None, str, Executor or callable
        Where trials run: None for the supervised pool; ``"threads"`` or ``"loky"``; any executor of
        `concurrent.futures`, such as ``dask.distributed.Client().get_executor()``; or a function that makes one.
    workers : int, optional
        Number of workers; by default all cores, or what the executor says.
    seconds_per_fit, memory_per_fit : float and int, optional
        Limits of one trial (fit, prediction and measures), in seconds and bytes. A trial beyond them ends as
        ``"timeout"``, as ``"failed"`` (its allocation was refused) or ``"crashed"``. With a limit, executors of others
        run their trials in supervised processes, too.
    seconds : float, optional
        Limit of the whole run; what has begun is finished, the rest is left for the next run.
    retry : str or sequence of str
        Statuses to try again: ``"failed"``, ``"timeout"``, ``"crashed"``, ``"skipped"``.
    progress : {"auto", "bar", "log", "quiet"} or Progress
        A bar in a terminal, lines in the log named ``podium``, or nothing.

    Returns
    -------
    Results
        With a missing cell and its reason for every trial that did not end as done.

    Raises
    ------
    DesignChangedError
        If the warehouse was made with another design; the message says what differs.
    BusyError
        If another run is writing into the warehouse.
    KeyboardInterrupt
        After Ctrl-C (or SIGTERM), when everything measured is kept; the message says how to go on.

    Examples
    --------
    >>> import podium
    >>> experiment = podium.Experiment("monks3", ["lda", "constant"], podium.Bootstrap(replications=2), "accuracy")
    >>> podium.run(experiment, workers=1).shape
    (1, 2, 2, 1)
    """
    check_arguments(experiment, warehouse, workers, executor, retry)
    follower = progress_for(progress) if isinstance(progress, str) else progress
    check_amount(seconds, "seconds", "seconds")
    limits = Limits(seconds=seconds_per_fit, memory=memory_per_fit)
    with opened(warehouse) as store, store.claimed():
        adopt_design(experiment, store)
        plan = plan_trials(experiment, store, retry)
        if len(plan):
            engine = engine_for(experiment, executor, workers, limits)
            _Run(experiment, plan, engine, store.append, follower, seconds).go(f"are kept in {store.name!r}")
        return store.results()


class _Run:
    """One run: a bounded window of chunks on their way, until the plan is empty."""

    def __init__(
        self,
        experiment: Experiment,
        plan: Plan,
        engine: Engine,
        keep: Callable[[list[TrialRecord]], None],
        progress: Progress,
        seconds: float | None,
    ) -> None:
        self._experiment = experiment
        self._plan = plan
        self._engine = engine
        self._keep = keep
        self._progress = progress
        self._until = float("inf") if seconds is None else time.monotonic() + seconds
        self._chunk = ChunkSize(CHUNK_SECONDS)
        self._tally = Tally(total=len(plan))
        self._under_way: dict[Future[Chunk], list[TrialKey]] = {}
        self._suspects: deque[TrialKey] = deque()
        self._alone: TrialKey | None = None

    def go(self, kept: str) -> None:
        """Run to the end of the plan or to the time limit; an interrupt ends it early, with everything kept."""
        try:
            with stop_requests() as stopped:
                try:
                    self._fill()
                    while self._under_way and not stopped():
                        self._progress.update(self._tally)
                        ended, _ = wait(self._under_way, timeout=_TICK_SECONDS, return_when=FIRST_COMPLETED)
                        self._collect(ended)
                        self._fill()
                except BaseException:
                    self._stop()
                    raise
                if stopped():
                    self._stop()
                else:
                    self._engine.close()
        finally:
            self._progress.close(self._tally)
        if stopped():
            raise KeyboardInterrupt(f"stopped; {self._tally.done:,} of {self._tally.total:,} trials {kept}")

    def _fill(self) -> None:
        """Send chunks while there is room. Suspects go alone, so that the one that kills can be told."""
        if time.monotonic() > self._until:
            return
        if self._suspects or self._alone is not None:
            if not self._under_way:
                self._alone = self._suspects.popleft()
                self._send([self._alone])
            return
        while len(self._plan) and len(self._under_way) < _CHUNKS_PER_WORKER * self._engine.workers:
            self._send(self._plan.take(self._fair_size()))

    def _fair_size(self) -> int:
        """Keep the last chunks small enough for all workers to have some."""
        share = -(-len(self._plan) // (_CHUNKS_PER_WORKER * self._engine.workers))
        return max(1, min(self._chunk.size, share))

    def _send(self, keys: list[TrialKey]) -> None:
        self._under_way[self._engine.submit(keys)] = keys

    def _collect(self, ended: set[Future[Chunk]]) -> None:
        """Keep what came, in one transaction."""
        records: list[TrialRecord] = []
        try:
            for future in ended:
                keys, alone = self._under_way.pop(future), self._alone
                self._alone = None
                chunk = self._engine.outcome(future, keys)
                records += chunk.records
                if chunk.lost is None:
                    self._chunk.learn(chunk.done, chunk.seconds)
                    self._plan.hand_back(keys[chunk.done :])
                elif chunk.lost.at is None and keys != [alone]:
                    self._suspects.extend(keys[chunk.done :])
                else:
                    records += self._blame(chunk.lost, keys, chunk.done)
        finally:
            self._keep_records(self._engine.arrived() + records)

    def _blame(self, lost: Lost, keys: list[TrialKey], done: int) -> list[TrialRecord]:
        """Record the one trial that ended its process, and do the others again that had not ended.

        A process that died after it had told what came of a trial did not die of that one.
        """
        at = lost.at or 0
        self._plan.hand_back([key for i, key in enumerate(keys) if i >= done and i != at])
        if at < done:
            return []
        return [
            TrialRecord(
                key=keys[at],
                status=lost.status,
                seed=self._experiment.seed_of(*keys[at]),
                started=time.time(),
                host=environment(),
                error_type="Timeout" if lost.status == "timeout" else "Crash",
                message=lost.message,
            )
        ]

    def _stop(self) -> None:
        """End everything, and keep what had ended by then; what was still running is nobody's fault."""
        for future in self._under_way:
            future.cancel()
        self._engine.close(at_once=True)
        ended = [future for future in self._under_way if future.done() and not future.cancelled()]
        whole = [future.result().records for future in ended if future.exception() is None]
        self._keep_records([*self._engine.arrived(), *(record for records in whole for record in records)])

    def _keep_records(self, records: list[TrialRecord]) -> None:
        self._keep(records)
        for record in records:
            why = record.message or record.error_type
            self._tally.add(record.status, f"First {record.status}: {record.key}. {why}")
