"""One trial: fit one algorithm to one learning sample, and measure it. Pure: no files, no database."""

from __future__ import annotations

import time
import traceback
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from podium.execution.environment import environment
from podium.execution.worker import report
from podium.setup.fitting import fit_and_measure
from podium.warehouse.record import TrialKey, TrialRecord

if TYPE_CHECKING:
    from podium.setup.dataset import Sample
    from podium.setup.experiment import Experiment
    from podium.setup.resampling import Split

_LONGEST_TRACEBACK = 20_000


class Chunk(NamedTuple):
    """What came of some trials, and how long they took together."""

    records: list[TrialRecord]
    seconds: float


class Trials:
    """The trials of an experiment as a process runs them: the samples of a replication are drawn once."""

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._algorithms = {algorithm.name: algorithm for algorithm in experiment.algorithms}
        self._drawn: tuple[tuple[str, int], Sample, Sample, Split | None] | None = None

    def copy(self) -> Trials:
        """Return the same trials with a memory of their own."""
        return Trials(self._experiment)

    def run(self, key: TrialKey) -> TrialRecord:
        """Run one trial; whatever goes wrong in it becomes its record."""
        seed = self._experiment.seed_of(*key)
        started = time.time()
        try:
            learn, test, split = self._samples(key.dataset, key.replication)
            outcome = fit_and_measure(self._algorithms[key.algorithm], learn, test, self._experiment.measures, seed)
        except Exception as error:
            return failed(key, error, seed=seed, started=started)
        return TrialRecord(
            key=key,
            status="done",
            values=outcome.values,
            repeat=split.repeat if split is not None else -1,
            fold=split.fold if split is not None else -1,
            n_learn=len(learn),
            n_test=len(test),
            seed=seed,
            started=started,
            fit_seconds=outcome.fit_seconds,
            predict_seconds=outcome.predict_seconds,
            host=environment(),
            warnings=tuple(outcome.warnings),
        )

    def run_many(self, keys: Sequence[TrialKey]) -> Chunk:
        """Run several trials, reporting each as it ends."""
        begun = time.perf_counter()
        records = []
        for key in keys:
            record = self.run(key)
            report(record)
            records.append(record)
        return Chunk(records, time.perf_counter() - begun)

    def _samples(self, dataset: str, replication: int) -> tuple[Sample, Sample, Split | None]:
        if self._drawn is None or self._drawn[0] != (dataset, replication):
            learn, test = self._experiment.samples(dataset, replication)
            split = self._experiment.structure(dataset, replication)
            self._drawn = ((dataset, replication), learn, test, split)
        return self._drawn[1:]


def failed(key: TrialKey, error: BaseException, *, seed: int, started: float) -> TrialRecord:
    """Make the record of a trial that raised; an error that says so is a skip."""
    skipped = type(error).__name__ == "SkipTrial"
    text = "".join(traceback.format_exception(error))
    return TrialRecord(
        key=key,
        status="skipped" if skipped else "failed",
        seed=seed,
        started=started,
        host=environment(),
        error_type=type(error).__name__,
        message=str(error),
        traceback=text[-_LONGEST_TRACEBACK:],
    )
