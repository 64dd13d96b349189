"""One trial: fit one algorithm to one learning sample, and measure it. Pure: no files, no database."""

from __future__ import annotations

import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from podium.design.algorithm import Algorithm
from podium.design.evaluation import Outcome, fit_and_measure
from podium.design.factories import FunctionFactory
from podium.design.resampling import FreshDraws
from podium.design.sample import Sample
from podium.design.untrusted_text import name_of, text_of, traceback_of
from podium.errors import FitError, SkipTrial, UndefinedError
from podium.running.environment import environment
from podium.running.isolation import altered, left_behind, restore, seconds_between_checks
from podium.running.limits import limited_memory
from podium.running.worker import end_copies, mark, report, retire
from podium.store.predictions import encode
from podium.store.record import TrialKey, TrialRecord, TrialStatus

if TYPE_CHECKING:
    from podium.design.experiment import Experiment

T = TypeVar("T")

# Finished trials are reported at once; several within this time are reported together.
REPORT_SECONDS = 0.05


class Lost(NamedTuple):
    """What ended the process of some trials: the one at position `at`; None if it is not known which."""

    status: TrialStatus
    message: str
    at: int | None


class Chunk(NamedTuple):
    """The outcome of some trials.

    `done` of them have ended, in the order they were given; their records are here unless they were reported before.
    `alarmed` means that code changed something in its process that is not checked after every trial.
    """

    records: list[TrialRecord]
    done: int
    seconds: float
    lost: Lost | None = None
    alarmed: bool = False


class _Drawn(NamedTuple):
    """The samples of one replication, and its place in a cross-validation."""

    dataset: str
    replication: int
    learn: Sample
    test: Sample
    repeat: int
    fold: int


class Trials:
    """The trials of an experiment as a process runs them: the samples of a replication are drawn once."""

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._algorithms = {algorithm.name: algorithm for algorithm in experiment.algorithms}
        self._tasks = {dataset.name: dataset.task for dataset in experiment.datasets}
        self._drawn: _Drawn | None = None
        self._ended = 0

    def run(self, key: TrialKey, memory: int | None = None) -> TrialRecord:
        """Run one trial; whatever goes wrong in it becomes its record."""
        seed = self._experiment.seed_of(*key)
        started = time.time()
        try:
            drawn = self._samples(key.dataset, key.replication)
            with limited_memory(memory):
                outcome = fit_and_measure(
                    _own(self._algorithms[key.algorithm]),
                    drawn.learn,
                    drawn.test,
                    [measure if measure.known else _own(measure) for measure in self._experiment.measures],
                    seed,
                    task=self._tasks[key.dataset],
                    keep=self._experiment.keep,
                )
            if outcome.values and all(value != value for value in outcome.values.values()):
                return _valueless(key, outcome, seed=seed, started=started)
            return TrialRecord(
                key=key,
                status="done",
                values=outcome.values,
                undefined=outcome.undefined,
                repeat=drawn.repeat,
                fold=drawn.fold,
                n_learn=len(drawn.learn),
                n_test=len(drawn.test),
                seed=seed,
                started=started,
                fit_seconds=outcome.fit_seconds,
                predict_seconds=outcome.predict_seconds,
                host=environment(),
                warnings=outcome.warnings,
                kept=b"" if outcome.kept is None else encode(outcome.kept),
            )
        except BaseException as error:
            restore()  # writing about the error must not depend on what the trial has set
            return failed(key, error, seed=seed, started=started)
        finally:
            end_copies()

    def run_many(
        self,
        keys: Sequence[TrialKey],
        seconds: float,
        memory: int | None = None,
        *,
        most: int | None = None,
        careful: bool = False,
    ) -> Chunk:
        """Run trials in a worker until none is left, the time is up, or the worker is no longer as it was.

        Trials that have ended are reported when a check has found all modules unchanged. If it finds a change, all
        trials since the last check except the first must be run again. If `careful`, there is a check after each trial.
        """
        begun = looked = now = time.perf_counter()
        kept = 0
        records: list[TrialRecord] = []
        unreported: list[TrialRecord] = []
        for i, key in enumerate(keys):
            mark(i)
            records.append(self.run(key, memory))
            self._ended += 1
            worn = restore() or left_behind() or self._ended == most
            now = time.perf_counter()
            over = now - begun >= seconds or i + 1 == len(keys)
            if careful or worn or over or now - looked >= seconds_between_checks(REPORT_SECONDS):
                changed = altered()
                if changed and len(records) > 1:
                    del records[1:]
                    retire()
                    return Chunk(unreported + records, kept + 1, now - begun, alarmed=True)
                kept += len(records)
                if worn or changed:
                    retire()
                if worn or changed or over:
                    break
                if not report(records):
                    unreported += records
                records, looked = [], time.perf_counter()
        return Chunk(unreported + records, kept, now - begun)

    def _samples(self, dataset: str, replication: int) -> _Drawn:
        held = self._drawn
        if held is None or (held.dataset, held.replication) != (dataset, replication):
            self._drawn = held = self._draw(dataset, replication)
        return held

    def _draw(self, dataset: str, replication: int) -> _Drawn:
        if isinstance(self._experiment.resampling, FreshDraws):
            return _Drawn(dataset, replication, *self._experiment.samples(dataset, replication), -1, -1)
        split = self._experiment.sample(dataset, replication)
        data = self._experiment.dataset(dataset)
        return _Drawn(dataset, replication, data.take(split.learn), data.take(split.test), split.repeat, split.fold)


def _own(thing: T) -> T:
    """Copy an algorithm or a measure for one trial: it may be an object that remembers its calls."""
    if isinstance(thing, Algorithm) and not isinstance(thing.make, FunctionFactory):
        return thing  # the model is copied, or made by podium
    try:
        return deepcopy(thing)
    except Exception:  # whatever its class raises
        return thing


def _valueless(key: TrialKey, outcome: Outcome, *, seed: int, started: float) -> TrialRecord:
    """Return the record of a trial that failed because no measure has a value."""
    reasons = "; ".join(f"{name}: {reason}" for name, reason in outcome.undefined.items())
    record = failed(key, UndefinedError(f"no measure has a value: {reasons}"), seed=seed, started=started)
    return replace(record, undefined={name: outcome.undefined.get(name, "") for name in outcome.values})


def failed(key: TrialKey, error: BaseException, *, seed: int, started: float) -> TrialRecord:
    """Return the record of a trial that raised: failed, or skipped if the algorithm asked for it."""
    origin = error.__cause__ if isinstance(error, FitError) and error.__cause__ is not None else error
    skipped = isinstance(origin, SkipTrial)
    return TrialRecord(
        key=key,
        status="skipped" if skipped else "failed",
        seed=seed,
        started=started,
        host=environment(),
        error_type=name_of(origin),
        message=text_of(origin if skipped else error),
        traceback="" if skipped else traceback_of(error),
    )
