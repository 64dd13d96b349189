"""Preview a run: what it would do, and how long it would take, estimated by a pilot."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.checks import check_call, is_number
from podium.design.experiment import Experiment
from podium.design.stopping import Stopping
from podium.errors import InputError
from podium.progress import duration
from podium.running.design import EarlierTrials, agree, check_accept, unidentified_notes
from podium.running.executors import Backend, ExecutorLike, backend_for, check_environment
from podium.running.limits import Limits
from podium.running.plan import Plan, plan_trials
from podium.running.rescoring import Rescoring
from podium.running.runner import check_arguments, stopping_notes, with_stopping
from podium.running.trial import Chunk
from podium.store.location import holds_nothing
from podium.store.predictions import largest_size
from podium.store.record import TrialKey, TrialRecord, check_statuses
from podium.store.status import count_problems, problem_lines, problem_of
from podium.store.warehouse import Warehouse, opened
from podium.typesetting import Table

if TYPE_CHECKING:
    from podium.analysis.notes import Note

_PILOT_TRIALS = 3


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class Preview:
    """What a run would do.

    Attributes
    ----------
    total : int
        Number of trials of the experiment.
    left : DataFrame
        Number of trials left to do, by data set (rows) and algorithm (columns).
    seconds_per_trial : DataFrame
        Seconds of one trial in the pilot, by data set and algorithm; NaN where there was none.
    workers : int
    seconds : float
        Estimated seconds of the run; NaN without a pilot.
    at_least : bool
        True if a trial of the pilot did not end in time, so the estimate is too low.
    earlier : tuple of EarlierTrials
        Trials in the warehouse that were made with something other than what the experiment has now.
    unidentified : tuple of str
        What cannot be identified by its content, and why: its trials cannot be resumed.
    rescored : DataFrame
        Number of trials that are measured again from kept predictions, without a fit, by data set and algorithm.
    kept_bytes : int
        Upper bound on the bytes that the kept predictions take.
    stopping : str
        The stopping rule in a line; empty without one. All numbers are then those of a run that is not stopped early.
    notes : tuple of Note
        What the stopping rule cannot guarantee for this design.
    problems : DataFrame
        What went wrong in the pilot, the most frequent first: status, algorithm, measure, error_type, message, trials
        (their number). Where a trial is done but a measure has no value, `measure` names it and `message` says why.
    """

    total: int
    left: pd.DataFrame
    seconds_per_trial: pd.DataFrame
    workers: int
    seconds: float
    at_least: bool
    problems: pd.DataFrame
    earlier: tuple[EarlierTrials, ...] = ()
    unidentified: tuple[str, ...] = ()
    rescored: pd.DataFrame = field(default_factory=pd.DataFrame)
    kept_bytes: int = 0
    stopping: str = ""
    notes: tuple[Note, ...] = ()

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int = 100) -> str:
        """Return all of it as plain text, in lines of at most `width` characters where words allow it."""
        n = int(self.left.to_numpy().sum())
        most = "At most " if self.stopping else ""
        said = [f"{most}{n:,} of {self.total:,} trials are left to do.", *map(str, self.earlier)]
        if self.stopping:
            said.append(f"Stopping rule: {self.stopping}.")
        said += [*map(str, self.notes), *unidentified_notes(self.unidentified)]
        again = int(self.rescored.to_numpy().sum())
        if again:
            are = "trial is" if again == 1 else "trials are"
            said.append(f"{again:,} {are} measured again from kept predictions, without a fit.")
        if self.kept_bytes:
            said.append(f"Kept predictions take at most {_megabytes(self.kept_bytes)}.")
        lines = [line for each in said for line in textwrap.wrap(each, width, break_on_hyphens=False)]
        if n:
            lines += ["", "Trials left", self.left.to_string(line_width=width)]
        if n and np.isfinite(self.seconds):
            times = self.seconds_per_trial.to_string(float_format="{:.3g}".format, na_rep="?", line_width=width)
            lines += ["", "Seconds of one trial", times]
            more = "more than " if self.at_least else "at most about " if self.stopping else "about "
            with_workers = f"{self.workers} worker{'' if self.workers == 1 else 's'}"
            lines += ["", f"By this pilot, the run takes {more}{duration(self.seconds)} with {with_workers}."]
        if len(self.problems):
            lines += ["", "Problems in the pilot", *problem_lines(self.problems, width)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        n = int(self.left.to_numpy().sum())
        title = f"{n:,} of {self.total:,} trials are left to do"
        if np.isfinite(self.seconds) and n:
            title += f": {'more than' if self.at_least else 'about'} {duration(self.seconds)}, {self.workers} at once"
        parts = [Table.from_frame(self.left.rename_axis("data set"), title, notes=[str(one) for one in self.earlier])]
        if len(self.problems):
            parts.append(Table.from_frame(self.problems, "Problems in the pilot"))
        return "".join(part.html() for part in parts)


@check_call
def preview(
    experiment: Experiment,
    warehouse: str | Path | Warehouse = ":memory:",
    *,
    executor: ExecutorLike = None,
    workers: int | None = None,
    seconds_per_fit: float | None = None,
    memory_per_fit: int | None = None,
    environment: str | Sequence[str] = (),
    retry: str | Sequence[str] = (),
    accept: str | Sequence[str] = (),
    pilot_seconds: float = 20.0,
    stopping: Stopping | Mapping[str, Any] | str | None = None,
) -> Preview:
    """Show what `podium.run` would do, and estimate its time by a pilot; nothing is written.

    Parameters
    ----------
    experiment, warehouse, executor, workers, seconds_per_fit, memory_per_fit, environment, retry, accept, stopping
        As in `podium.run`.
    pilot_seconds : float, default 20
        Time for the pilot, in which up to three trials of each algorithm on each data set are run and discarded; 0
        for no pilot.

    Returns
    -------
    Preview

    Examples
    --------
    >>> import podium
    >>> experiment = podium.Experiment("monks3", ["lda", "constant"], podium.Bootstrap(replications=50), "accuracy")
    >>> print(podium.preview(experiment, pilot_seconds=0))
    100 of 100 trials are left to do.
    <BLANKLINE>
    Trials left
            lda  constant
    monks3   50        50
    """
    check_arguments(experiment, warehouse, executor, workers)
    experiment = with_stopping(experiment, stopping)
    statuses = check_statuses(retry, "retry")
    accepted = check_accept(accept)
    variables = check_environment(environment)
    limits = Limits(seconds=seconds_per_fit, memory=memory_per_fit)
    if not (is_number(pilot_seconds) and pilot_seconds >= 0):
        raise InputError(f"`pilot_seconds` must be a number of at least 0; got {pilot_seconds!r:.60}.")
    fresh = isinstance(warehouse, str | Path) and holds_nothing(warehouse)
    with opened(":memory:" if fresh else warehouse, readonly=not fresh) as store:
        agreement = agree(experiment, store, accepted)
        again = Rescoring(experiment, store, agreement.document).trials
        plan = plan_trials(experiment, store, agreement.document, statuses, without=again)
    rows = pd.Index([dataset.name for dataset in experiment.datasets])
    columns = pd.Index([algorithm.name for algorithm in experiment.algorithms])
    counts = plan.counts()
    problems: list[dict[str, str]] = []
    times, at_least, n_workers = np.full(counts.shape, np.nan), False, workers or 1
    if pilot_seconds and len(plan):
        backend = backend_for(experiment, executor, workers, limits, variables)
        n_workers = backend.workers
        pilot = _Pilot(backend, plan, rows, columns, pilot_seconds, seconds_per_fit)
        times, at_least = pilot.times()
        problems = pilot.problems
    return Preview(
        total=int(np.prod(experiment.shape[:3])),
        left=pd.DataFrame(counts, rows, columns),
        seconds_per_trial=pd.DataFrame(times, rows, columns),
        workers=n_workers,
        seconds=float((counts * _filled(times)).sum() / n_workers),
        at_least=at_least,
        problems=count_problems(problems),
        earlier=agreement.earlier,
        unidentified=agreement.problems,
        rescored=pd.DataFrame(again.sum(axis=1), rows, columns),
        kept_bytes=_kept_bytes(experiment, counts.sum(axis=1).tolist()),
        stopping="" if experiment.stopping is None else experiment.stopping.outline(experiment.shape[1]),
        notes=tuple(stopping_notes(experiment)),
    )


def _kept_bytes(experiment: Experiment, trials: Sequence[int]) -> int:
    """Return an upper bound on the bytes of the predictions of these trials, by the size of the first sample."""
    if not experiment.keep:
        return 0
    sizes = [
        largest_size(experiment.samples(dataset.name, 1)[1], dataset.task, experiment.keep) if n else 0
        for dataset, n in zip(experiment.datasets, trials, strict=True)
    ]
    return sum(n * size for n, size in zip(trials, sizes, strict=True))


def _megabytes(size: int) -> str:
    """Write an upper limit, rounded up.

    >>> _megabytes(20_000), _megabytes(1_250_000_000)
    ('0.1 MB', '1.3 GB')
    """
    unit, name = (10**6, "MB") if size < 10**9 else (10**9, "GB")
    return f"{-(-10 * size // unit) / 10:,.1f} {name}"


def _filled(times: FloatArray) -> FloatArray:
    """Guess the times that the pilot did not reach: the algorithm's mean, else the mean of all."""
    known = np.isfinite(times)
    if not known.any():
        return times
    sums, counts = np.where(known, times, 0.0).sum(axis=0), known.sum(axis=0)
    means = np.where(counts > 0, sums / np.maximum(counts, 1), times[known].mean())
    return np.where(known, times, means)


class _Pilot:
    """Runs a few trials of each algorithm on each data set; keeps their times, and what went wrong."""

    def __init__(
        self,
        backend: Backend,
        plan: Plan,
        rows: pd.Index[str],
        columns: pd.Index[str],
        seconds: float,
        deadline: float | None,
    ) -> None:
        self._backend = backend
        self._rows, self._columns = rows, columns
        self._until = time.monotonic() + seconds
        self._deadline = deadline
        self._times = np.full((len(rows), len(columns)), np.nan)
        self._todo: dict[tuple[str, str], list[TrialKey]] = {}
        for key in plan:
            cell = self._todo.setdefault((key.dataset, key.algorithm), [])
            if len(cell) < _PILOT_TRIALS:
                cell.append(key)
            elif key.replication > _PILOT_TRIALS and len(self._todo) == len(rows) * len(columns):
                break
        self._under_way: dict[Future[Chunk], tuple[list[TrialKey], float]] = {}
        self.problems: list[dict[str, str]] = []

    def times(self) -> tuple[FloatArray, bool]:
        """Return seconds per trial by data set and algorithm, and whether some of them are too low."""
        cells = iter(self._todo.values())
        try:
            self._send(cells)
            while self._under_way and time.monotonic() < self._until:
                ended, _ = wait(self._under_way, timeout=0.1, return_when=FIRST_COMPLETED)
                for future in ended:
                    self._note(future)
                self._look_at(self._backend.arrived())
                self._send(cells)
        finally:
            self._backend.close(at_once=True)
        unended = list(self._under_way.values())
        for keys, begun in unended[: self._backend.workers]:
            self._set(keys, time.monotonic() - begun)
        return self._times, bool(unended)

    def _send(self, cells: Iterator[list[TrialKey]]) -> None:
        while len(self._under_way) < self._backend.workers and time.monotonic() < self._until:
            keys = next(cells, None)
            if keys is None:
                return
            self._under_way[self._backend.submit(keys)] = keys, time.monotonic()

    def _note(self, future: Future[Chunk]) -> None:
        keys, begun = self._under_way.pop(future)
        chunk = self._backend.outcome(future, keys)
        self._look_at(chunk.records)
        if chunk.lost is not None:
            lost = TrialRecord(key=keys[0], status=chunk.lost.status, message=chunk.lost.message)
            self.problems.append(problem_of(lost))
        if chunk.lost is None:
            self._set(keys, chunk.seconds / max(chunk.done, 1))
        elif chunk.lost.status == "timeout" and self._deadline is not None:
            self._set(keys, self._deadline)
        else:
            self._set(keys, time.monotonic() - begun)

    def _look_at(self, records: Sequence[TrialRecord]) -> None:
        for record in records:
            problem = problem_of(record)
            if record.status != "done":
                self.problems.append(problem)
            self.problems += [
                {**problem, "measure": measure, "message": reason} for measure, reason in record.undefined.items()
            ]

    def _set(self, keys: list[TrialKey], seconds: float) -> None:
        at = self._rows.get_loc(keys[0].dataset), self._columns.get_loc(keys[0].algorithm)
        self._times[at] = seconds
