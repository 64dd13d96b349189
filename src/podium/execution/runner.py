"""Run an experiment: send what is missing, keep what comes, and lose nothing whatever happens."""

from __future__ import annotations

import dataclasses
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from typing import TYPE_CHECKING

from podium.errors import DesignChangedError, InputError
from podium.execution.engines import Engine, ExecutorLike, Limits, engine_for
from podium.execution.environment import environment
from podium.execution.plan import ChunkSize, Plan, plan_trials
from podium.execution.progress import Progress, ProgressMode, Tally, progress_for
from podium.execution.trial import Chunk
from podium.results import Results
from podium.warehouse.record import TrialKey, TrialRecord
from podium.warehouse.warehouse import Warehouse

if TYPE_CHECKING:
    from podium.setup.experiment import Experiment

# A chunk is worth its trip from about a fifth of a second on; half a second is lost at most when a run is killed.
_CHUNK_SECONDS = 0.4
_CHUNKS_PER_WORKER = 2


def run(
    experiment: Experiment,
    warehouse: str | Path | Warehouse = ":memory:",
    *,
    executor: ExecutorLike = None,
    workers: int | None = None,
    seconds_per_fit: float | None = None,
    memory_per_fit: int | None = None,
    seconds: float | None = None,
    retry: Sequence[str] = (),
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
        Where trials run: None for the supervised pool; ``"threads"``, ``"processes"`` or ``"loky"``; any executor of
        `concurrent.futures`, such as ``dask.distributed.Client().get_executor()``; or a function that makes one.
    workers : int, optional
        Number of workers; all cores by default.
    seconds_per_fit, memory_per_fit : float and int, optional
        Limits of one trial, in seconds and bytes. A trial beyond them ends as ``"timeout"``, ``"failed"`` (its
        allocation was refused) or ``"crashed"``.
    seconds : float, optional
        Limit of the whole run; what has begun is finished, the rest is left for the next run.
    retry : sequence of str
        Statuses to try again: ``"failed"``, ``"timeout"``, ``"crashed"``, ``"skipped"``.
    progress : {"auto", "bar", "log", "quiet"} or Progress
        A bar in a terminal, lines in the log named ``podium``, or nothing.

    Returns
    -------
    Results
        With a missing cell and its reason for every trial that did not end as done.
    """
    follower = progress_for(progress) if isinstance(progress, str) else progress
    if seconds is not None and seconds <= 0:
        raise InputError(f"`seconds` must be positive; got {seconds!r}.")
    store = warehouse if isinstance(warehouse, Warehouse) else Warehouse(warehouse)
    try:
        adopt_design(experiment, store)
        plan = plan_trials(experiment, store, retry)
        if len(plan):
            limits = Limits(seconds=seconds_per_fit, memory=memory_per_fit)
            engine = engine_for(experiment, executor, workers, limits)
            _Run(plan, engine, store, follower, seconds).go()
        return store.results()
    finally:
        if store is not warehouse:
            store.close()


def adopt_design(experiment: Experiment, warehouse: Warehouse) -> None:
    """Record the design in a new warehouse, extend an old one, refuse one that contradicts it."""
    before = warehouse.design
    document = {
        "datasets": [dataset.name for dataset in experiment.datasets],
        "algorithms": [algorithm.name for algorithm in experiment.algorithms],
        "replications": experiment.shape[1],
        "measures": [dataclasses.asdict(measure.info) for measure in experiment.measures],
        "experiment": experiment.to_dict(),
    }
    if before is not None:
        changes = experiment.changes(before["experiment"])
        if changes:
            raise DesignChangedError(
                f"The warehouse {warehouse.name!r} was made with another design:\n"
                + "\n".join(f"  {line}" for line in changes)
                + "\nWhat was measured is kept. Use the old design, or another warehouse for the new one."
            )
    if before != document:
        warehouse.set_design(document, experiment.fingerprint())


class _Run:
    """One run: a bounded window of chunks on their way, until the plan is empty."""

    def __init__(
        self, plan: Plan, engine: Engine, warehouse: Warehouse, progress: Progress, seconds: float | None
    ) -> None:
        self._plan = plan
        self._engine = engine
        self._warehouse = warehouse
        self._progress = progress
        self._until = float("inf") if seconds is None else time.monotonic() + seconds
        self._chunk = ChunkSize(_CHUNK_SECONDS)
        self._tally = Tally(total=len(plan))
        self._under_way: dict[Future[Chunk], list[TrialKey]] = {}
        self._suspects: deque[TrialKey] = deque()

    def go(self) -> None:
        """Run to the end of the plan, to the time limit, or to an interrupt."""
        try:
            self._fill()
            while self._under_way:
                self._progress.update(self._tally)
                ended, _ = wait(self._under_way, timeout=1.0, return_when=FIRST_COMPLETED)
                self._collect(ended)
                self._fill()
        except BaseException:
            self._engine.close(at_once=True)
            self._collect([future for future in self._under_way if future.done() and not future.cancelled()])
            raise
        else:
            self._engine.close()
        finally:
            self._progress.close(self._tally)

    def _fill(self) -> None:
        """Send chunks while there is room. Suspects go alone, so that the one that kills can be told."""
        if time.monotonic() > self._until:
            return
        while self._suspects:
            if self._under_way:
                return
            self._send([self._suspects.popleft()])
        while len(self._plan) and len(self._under_way) < _CHUNKS_PER_WORKER * self._engine.workers:
            self._send(self._plan.take(self._fair_size()))

    def _fair_size(self) -> int:
        """Keep the last chunks small enough for all workers to have some."""
        share = -(-len(self._plan) // (_CHUNKS_PER_WORKER * self._engine.workers))
        return max(1, min(self._chunk.size, share))

    def _send(self, keys: list[TrialKey]) -> None:
        self._under_way[self._engine.submit(keys)] = keys

    def _collect(self, futures: Sequence[Future[Chunk]] | set[Future[Chunk]]) -> None:
        """Keep what came, in one transaction."""
        records: list[TrialRecord] = []
        for future in futures:
            keys = self._under_way.pop(future)
            error = future.exception()
            if error is None:
                chunk = future.result()
                self._chunk.learn(chunk.records, chunk.seconds)
                records += chunk.records
            else:
                records += self._mourn(error, keys)
        self._warehouse.append(records)
        for record in records:
            self._tally.add(record.status)

    def _mourn(self, error: BaseException, keys: list[TrialKey]) -> list[TrialRecord]:
        """Keep what a lost chunk had finished, blame the one trial that ended it, and do the rest again."""
        loss = self._engine.loss(error, keys)
        left = keys[len(loss.records) :]
        if loss.culprit is None:
            self._suspects.extend(left)
            return loss.records
        blamed, rest = left[0], left[1:]
        self._plan.hand_back(rest)
        record = TrialRecord(
            key=blamed,
            status=loss.culprit,  # type: ignore[arg-type]
            started=time.time(),
            host=environment(),
            error_type="Timeout" if loss.culprit == "timeout" else "Crash",
            message=loss.message,
        )
        return [*loss.records, record]
