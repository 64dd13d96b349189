"""Run an experiment: send out the missing trials, keep every outcome, lose nothing whatever happens."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.checks import check_call, check_count, check_path, describe, expect
from podium.design.experiment import Experiment
from podium.design.stopping import Stopping
from podium.design.untrusted_text import text_of
from podium.errors import DesignError, InputError
from podium.progress import Progress, ProgressMode, logger
from podium.results import Results
from podium.running.characteristics import planned_characteristics
from podium.running.design import Agreement, check_accept, record_design
from podium.running.environment import environment
from podium.running.executors import (
    CHUNK_SECONDS,
    Backend,
    ExecutorLike,
    backend_for,
    check_environment,
    check_executor,
)
from podium.running.interrupts import RunInterrupted, stop_requests
from podium.running.limits import Limits, check_amount
from podium.running.plan import ChunkSize, Plan, plan_trials
from podium.running.progress import Tally, progress_for
from podium.running.rescoring import rescore
from podium.running.trial import Chunk, Lost
from podium.store.record import TrialKey, TrialRecord, TrialStatus, check_statuses
from podium.store.warehouse import Warehouse, opened

if TYPE_CHECKING:
    from podium.analysis.notes import Note

_CHUNKS_PER_WORKER = 2
_TICK_SECONDS = 0.2
_LOSSES = {"timeout": "Timeout", "crashed": "Crash", "failed": "WorkerError"}  # types of error, by status


@check_call
def run(
    experiment: Experiment,
    warehouse: str | Path | Warehouse = ":memory:",
    *,
    executor: ExecutorLike = None,
    workers: int | None = None,
    seconds_per_fit: float | None = None,
    memory_per_fit: int | None = None,
    trials_per_worker: int | None = None,
    environment: str | Sequence[str] = (),
    seconds: float | None = None,
    retry: str | Sequence[str] = (),
    accept: str | Sequence[str] = (),
    progress: ProgressMode | Progress = "auto",
    stopping: Stopping | Mapping[str, Any] | str | None = None,
) -> Results:
    """Run the trials of an experiment that a warehouse does not have yet, and return all results.

    In each replication of a data set, every algorithm sees the same learning sample. Seeds derive from the identity of
    a trial, so the numbers (apart from times) do not depend on the number of workers, on their order, or on
    interruptions. Running again runs only what is missing. A data set, algorithm or measure that was added or changed
    since costs only its own trials; those from before the change stay in the warehouse, see `Warehouse.history`. A
    measure that can be computed from kept predictions (``Experiment(..., keep=...)``) needs no fit.

    Parameters
    ----------
    experiment : Experiment
    warehouse : path, URL or Warehouse
        A file (created if it does not exist) or a ``postgresql://`` URL. By default nothing is kept on disk.
    executor : None, str, Executor or callable
        Where trials run: None for the supervised pool; ``"threads"`` or ``"loky"``; any executor of
        `concurrent.futures`, such as ``dask.distributed.Client().get_executor()``; or a function that makes one.
    workers : int, optional
        Number of workers; by default all cores, or the number of workers of the executor.
    seconds_per_fit, memory_per_fit : float and int, optional
        Limits for one trial (fit, prediction and measures), in seconds and bytes. A trial that exceeds them ends as
        ``"timeout"``, as ``"failed"`` (its allocation was refused) or as ``"crashed"``.
    trials_per_worker : int, optional
        Number of trials after which a worker process is replaced by a new one. By default, it is replaced when a trial
        has left something in it that cannot be undone.
    environment : str or sequence of str
        Names of environment variables that are sent to the workers of an executor with their values. No others are:
        tasks may pass through a scheduler and a network. Workers started by this process inherit all of them.
    seconds : float, optional
        Limit for the whole run: trials that have started are finished, the rest are left for the next run.
    retry : str or sequence of str
        Also run trials with these statuses again: ``"failed"``, ``"timeout"``, ``"crashed"``, ``"skipped"``.
    accept : str or sequence of str
        Earlier trials that count, too: ``"versions"`` for those made with other versions of libraries, which are
        otherwise run again; ``"unknown"`` for those of unknown origin, which are otherwise refused.
        ``"stopping"`` for a stopping rule other than the one that made decisions: it decides again.
    progress : {"auto", "bar", "log", "quiet"} or Progress
        A bar in a terminal, lines in the log named ``podium``, or nothing.
    stopping : Stopping, mapping or kind of rule, optional
        When to stop before all replications are drawn; by default the rule of the experiment. The decisions are in
        `Warehouse.decisions`, and do not depend on workers, executor or interruptions.

    Returns
    -------
    Results
        With a missing cell and its reason for every trial that is not done; replications that a stopping rule has saved
        are not part of its design.

    Raises
    ------
    DesignChangedError
        If the warehouse was made with another seed or resampling, or another stopping rule has made decisions in it;
        the message says what differs.
    UnknownIdentityError
        If the warehouse has trials of unknown origin; the message says which.
    BusyError
        If another run is writing into the warehouse.
    KeyboardInterrupt
        After Ctrl-C (or SIGTERM). Everything measured is kept; the message says how to resume.

    Examples
    --------
    >>> import podium
    >>> experiment = podium.Experiment("monks3", ["lda", "constant"], podium.Bootstrap(replications=2), "accuracy")
    >>> podium.run(experiment, workers=1).shape
    (1, 2, 2, 1)
    """
    check_arguments(experiment, warehouse, executor, workers)
    experiment = with_stopping(experiment, stopping)
    statuses = check_statuses(retry, "retry")
    accepted = check_accept(accept)
    follower = progress_for(progress)
    check_amount(seconds, "seconds", "seconds")
    variables = check_environment(environment)
    limits = Limits(seconds=seconds_per_fit, memory=memory_per_fit, trials=trials_per_worker)
    with opened(warehouse) as store, store.claimed():
        agreement = record_design(experiment, store, accepted)
        if progress != "quiet":
            agreement.log()
            for note in stopping_notes(experiment):
                logger.warning("%s", note)
        began = time.monotonic()
        rescored = rescore(experiment, store, agreement.document, follower, seconds)
        if rescored.total and progress != "quiet":
            logger.info("%s trials were measured again from kept predictions, without a fit", f"{rescored.ended:,}")

        def run_left(experiment: Experiment, plan: Plan, agreement: Agreement) -> None:
            def keep(records: list[TrialRecord]) -> None:
                store.append([agreement.stamped(record) for record in records])

            left = None if seconds is None else max(0.0, seconds - (time.monotonic() - began))
            if len(plan):
                backend = backend_for(experiment, executor, workers, limits, variables)
                _Run(experiment, plan, backend, keep, follower, left).go(store.name)

        plan = make_plan(experiment, store, agreement.document, statuses)
        if rescored.total and not len(plan):
            follower.close(rescored)
        run_left(experiment, plan, agreement)
        if experiment.characteristics:
            run_left(*planned_characteristics(experiment, store, agreement, statuses))
        return store.results()


def with_stopping(experiment: Experiment, stopping: object) -> Experiment:
    """Return the experiment with the stopping rule that a call gives, if it gives one; refuse one that cannot work."""
    if stopping is not None:
        try:
            experiment = experiment.replace(stopping=stopping)
        except DesignError as error:
            raise InputError(error.message, path=error.path) from error
    stopping_notes(experiment)
    return experiment


def stopping_notes(experiment: Experiment) -> Sequence[Note]:
    """List what the stopping rule of an experiment cannot guarantee."""
    if experiment.stopping is None:
        return ()
    from podium.running.adaptive import cautions  # needs the analysis, which other runs do not import

    return cautions(experiment)


def make_plan(
    experiment: Experiment, store: Warehouse, design: Mapping[str, Any], retry: Sequence[TrialStatus]
) -> Plan:
    """Plan what is left: all of it, or stage by stage where there is a stopping rule, which decides what is due."""
    if experiment.stopping is None:
        return plan_trials(experiment, store, design, retry)
    from podium.running.adaptive import AdaptivePlan

    return AdaptivePlan(experiment, store, design, retry)


def check_arguments(experiment: object, warehouse: object, executor: object, workers: object) -> None:
    """Check what `run` and `preview` share, before anything is opened: a call that is refused leaves no file."""
    expect(experiment, Experiment, "experiment").import_code()
    if not isinstance(warehouse, str | Path | Warehouse):
        raise InputError(f"`warehouse` must be a file, a postgresql:// URL or a Warehouse; got {describe(warehouse)}.")
    if isinstance(warehouse, str | Path) and "://" not in str(warehouse):
        check_path(warehouse, "warehouse")
    check_executor(executor)
    if workers is not None:
        check_count(workers, "workers")


class _Run:
    """One run: keeps a limited number of chunks under way until the plan is empty."""

    def __init__(
        self,
        experiment: Experiment,
        plan: Plan,
        backend: Backend,
        keep: Callable[[list[TrialRecord]], None],
        progress: Progress,
        seconds: float | None,
    ) -> None:
        self._experiment = experiment
        self._plan = plan
        self._backend = backend
        self._keep = keep
        self._progress = progress
        self._until = float("inf") if seconds is None else time.monotonic() + seconds
        self._chunk = ChunkSize(CHUNK_SECONDS)
        self._tally = Tally(total=plan.most)
        self._count()
        self._under_way: dict[Future[Chunk], list[TrialKey]] = {}
        self._suspects: deque[TrialKey] = deque()
        self._alone: TrialKey | None = None

    def go(self, warehouse: str) -> None:
        """Run to the end of the plan or to the time limit; an interrupt ends it early, with everything kept."""
        try:
            with stop_requests() as stopped:
                try:
                    self._fill()
                    while self._under_way and not stopped() and not self._plan.over:
                        self._progress.update(self._tally)
                        ended, _ = wait(self._under_way, timeout=_TICK_SECONDS, return_when=FIRST_COMPLETED)
                        self._collect(ended)
                        self._fill()
                except BaseException:
                    self._stop()
                    raise
                if self._under_way:  # interrupted, or what is under way is not needed any more
                    self._stop()
                else:
                    self._backend.close()
        finally:
            self._progress.close(self._tally)
        if stopped():
            raise RunInterrupted(self._tally.ended, self._tally.total, warehouse)

    def _fill(self) -> None:
        """Send chunks while there is room. Suspects go one at a time, to find the one that kills its process."""
        if time.monotonic() > self._until:
            return
        if self._suspects or self._alone is not None:
            if not self._under_way:
                self._alone = self._suspects.popleft()
                self._send([self._alone])
            return
        while len(self._plan) and len(self._under_way) < _CHUNKS_PER_WORKER * self._backend.workers:
            self._send(self._plan.take(self._fair_size()))
        while not len(self._plan) and len(self._under_way) < self._backend.workers:
            ahead = self._plan.take_ahead(self._chunk.size)
            if not ahead:
                break
            self._send(ahead)

    def _fair_size(self) -> int:
        """Keep the last chunks small enough for all workers to have some."""
        share = -(-len(self._plan) // (_CHUNKS_PER_WORKER * self._backend.workers))
        return max(1, min(self._chunk.size, share))

    def _send(self, keys: list[TrialKey]) -> None:
        self._under_way[self._backend.submit(keys)] = keys

    def _collect(self, ended: set[Future[Chunk]]) -> None:
        """Keep the outcomes, in one transaction."""
        records: list[TrialRecord] = []
        try:
            for future in ended:
                keys, alone = self._under_way.pop(future), self._alone
                self._alone = None
                chunk = self._backend.outcome(future, keys)
                records += chunk.records
                if chunk.lost is None:
                    self._chunk.learn(chunk.done, chunk.seconds)
                    self._plan.put_back(keys[chunk.done :])
                elif chunk.lost.at is None and keys != [alone]:
                    self._suspects.extend(keys[chunk.done :])
                else:
                    records += self._blame(chunk.lost, keys, chunk.done)
        finally:
            self._keep_records(self._backend.arrived() + records)

    def _blame(self, lost: Lost, keys: list[TrialKey], done: int) -> list[TrialRecord]:
        """Record the one trial that ended its process, and put back the others that had not ended.

        A process that died after it had reported a trial did not die of that one.
        """
        at = lost.at or 0
        self._plan.put_back([key for i, key in enumerate(keys) if i >= done and i != at])
        if at < done:
            return []
        return [
            TrialRecord(
                key=keys[at],
                status=lost.status,
                seed=self._experiment.seed_of(*keys[at]),
                started=time.time(),
                host=environment(),
                error_type=_LOSSES[lost.status],
                message=text_of(lost.message),
            )
        ]

    def _stop(self) -> None:
        """End everything, and keep what had ended by then; trials that were still running count as not tried."""
        for future in self._under_way:
            future.cancel()
        self._backend.close(at_once=True)
        ended = [future for future in self._under_way if future.done() and not future.cancelled()]
        whole = [future.result().records for future in ended if future.exception() is None]
        self._keep_records([*self._backend.arrived(), *(record for records in whole for record in records)])

    def _keep_records(self, records: list[TrialRecord]) -> None:
        self._keep(records)
        for record in records:
            self._tally.add(record)
        self._plan.note(records)
        self._count()

    def _count(self) -> None:
        """Bring what the progress shows up to date with the decisions."""
        self._tally.stopping = self._plan.decided
        if self._tally.stopping is not None:
            self._tally.total = self._tally.ended + self._plan.most
