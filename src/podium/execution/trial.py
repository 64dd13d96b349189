"""One trial: fit one algorithm to one learning sample, and measure it. Pure: no files, no database."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from podium.errors import FitError, SkipTrial, UndefinedError
from podium.execution.environment import environment
from podium.execution.limits import limited_memory
from podium.execution.worker import mark
from podium.setup.dataset import Sample
from podium.setup.evaluation import Outcome, fit_and_measure
from podium.setup.factories import CandidateFactory
from podium.setup.resampling import FreshDraws
from podium.warehouse.predictions import encode
from podium.warehouse.record import TrialKey, TrialRecord, TrialStatus

if TYPE_CHECKING:
    from podium.setup.experiment import Experiment

# Finished trials are reported at once; several within this time are reported together.
REPORT_SECONDS = 0.05
_LONGEST_TRACEBACK = 20_000
_LATE_IMPORTS = (
    "scipy.interpolate",
    "scipy.optimize",
    "scipy.spatial",
    "sklearn.covariance",
    "sklearn.ensemble",
    "sklearn.linear_model",
    "sklearn.svm",
)


class Lost(NamedTuple):
    """What ended the process of some trials: the one at position `at`; None if it is not known which."""

    status: TrialStatus
    message: str
    at: int | None


class Chunk(NamedTuple):
    """The outcome of some trials.

    `done` of them have ended, in the order they were given; their records are here unless they were reported before.
    """

    records: list[TrialRecord]
    done: int
    seconds: float
    lost: Lost | None = None


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

    def copy(self) -> Trials:
        """Return the same trials without the samples drawn so far."""
        return Trials(self._experiment)

    def warm_up(self) -> None:
        """Import what candidates would import in their first fit, so that it does not count as time of the fit."""
        if any(isinstance(algorithm.make, CandidateFactory) for algorithm in self._algorithms.values()):
            for module in _LATE_IMPORTS:
                import_module(module)

    def run(self, key: TrialKey, memory: int | None = None) -> TrialRecord:
        """Run one trial; whatever goes wrong in it becomes its record."""
        seed = self._experiment.seed_of(*key)
        started = time.time()
        try:
            drawn = self._samples(key.dataset, key.replication)
            with limited_memory(memory):
                outcome = fit_and_measure(
                    self._algorithms[key.algorithm],
                    drawn.learn,
                    drawn.test,
                    self._experiment.measures,
                    seed,
                    task=self._tasks[key.dataset],
                    keep=self._experiment.keep,
                )
            _require_a_value(outcome)
        except (Exception, SystemExit) as error:
            return failed(key, error, seed=seed, started=started)
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

    def run_many(
        self,
        keys: Sequence[TrialKey],
        seconds: float,
        memory: int | None = None,
        report: Callable[[list[TrialRecord]], None] | None = None,
    ) -> Chunk:
        """Run trials until none is left or the time is up; pass those that have ended to `report` now and then."""
        begun = reported = now = time.perf_counter()
        records: list[TrialRecord] = []
        done = 0
        for done, key in enumerate(keys, start=1):
            mark(done - 1)
            records.append(self.run(key, memory))
            now = time.perf_counter()
            if report is not None and now - reported >= REPORT_SECONDS:
                report(records)
                records, reported = [], now
            if now - begun >= seconds:
                break
        return Chunk(records, done, now - begun)

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


def _require_a_value(outcome: Outcome) -> None:
    """Count a trial as failed if nothing could be measured of it."""
    if outcome.values and all(value != value for value in outcome.values.values()):
        reasons = "; ".join(f"{name}: {reason}" for name, reason in outcome.undefined.items())
        raise UndefinedError(f"no measure has a value: {reasons}")


def failed(key: TrialKey, error: BaseException, *, seed: int, started: float) -> TrialRecord:
    """Return the record of a trial that raised: failed, or skipped if the algorithm asked for it."""
    origin = error.__cause__ if isinstance(error, FitError) and error.__cause__ is not None else error
    skipped = isinstance(origin, SkipTrial)
    text = "" if skipped else "".join(traceback.format_exception(error))
    return TrialRecord(
        key=key,
        status="skipped" if skipped else "failed",
        seed=seed,
        started=started,
        host=environment(),
        error_type=type(origin).__name__,
        message=str(origin if skipped else error),
        traceback=text[-_LONGEST_TRACEBACK:],
    )
