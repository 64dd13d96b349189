"""Measures that were added or changed, computed from kept predictions instead of a fit."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.arrays import BoolArray
from podium.design.evaluation import measure_again, rescorable
from podium.design.predictions import KEEP, Kept
from podium.progress import Progress
from podium.running.environment import environment
from podium.running.interrupts import RunInterrupted, stop_requests
from podium.running.progress import Tally
from podium.store.predictions import kind_code
from podium.store.record import TrialIdentity, TrialKey, TrialRecord

if TYPE_CHECKING:
    from podium.design.experiment import Experiment
    from podium.design.measure import Measure
    from podium.design.sample import Sample
    from podium.store.warehouse import Warehouse

_IMPOSSIBLE = 255
_BATCH = 500  # trials that are written at once


def rescore(
    experiment: Experiment, warehouse: Warehouse, design: Mapping[str, Any], progress: Progress, seconds: float | None
) -> Tally:
    """Measure again the trials that need no fit; an interrupt ends it early, with everything kept."""
    rescoring = Rescoring(experiment, warehouse, design)
    tally = Tally(total=len(rescoring))
    if not tally.total:
        return tally
    with stop_requests() as stopped:

        def on_done(records: list[TrialRecord]) -> bool:
            for record in records:
                tally.add(record)
            progress.update(tally)
            return stopped()

        rescoring.go(seconds, on_done)
    if stopped():
        progress.close(tally)
        raise RunInterrupted(tally.ended, tally.total, warehouse.name)
    return tally


class Rescoring:
    """The trials of a design whose missing measures can all be computed from kept predictions.

    Attributes
    ----------
    trials : ndarray of bool, shape (M, B, K)
        Which trials these are.
    """

    def __init__(self, experiment: Experiment, warehouse: Warehouse, design: Mapping[str, Any]) -> None:
        self._experiment = experiment
        self._warehouse = warehouse
        self._design = design
        kept = warehouse.kept_trials(design)
        has, self._numbers = kept.measured, kept.numbers
        wanted = np.array([_kinds_for(measure) for measure in experiment.measures], np.uint8)
        needed = np.bitwise_or.reduce(np.where(has, np.uint8(0), wanted), axis=3)
        self.trials: BoolArray = (self._numbers > 0) & has.any(axis=3) & ((needed & ~kept.kinds) == 0)
        if self.trials.any():
            self.trials &= warehouse.status_codes(design) == 0
        self._lacks: BoolArray = ~has

    def __len__(self) -> int:
        return int(self.trials.sum())

    def go(self, seconds: float | None, on_done: Callable[[list[TrialRecord]], bool]) -> None:
        """Measure these trials again and keep the records.

        Parameters
        ----------
        seconds : float, optional
            Time limit; the rest is left to the run.
        on_done : callable
            Called with the records that were kept; it returns whether to stop.
        """
        until = float("inf") if seconds is None else time.monotonic() + seconds
        known = self._known()
        batch: list[TrialRecord] = []
        for m, b in np.argwhere(self.trials.any(axis=2)):
            batch += self._replication(int(m), int(b), known)
            over = time.monotonic() > until
            if len(batch) >= _BATCH or over:
                self._warehouse.append(batch)
                if on_done(batch) or over:
                    return
                batch = []
        self._warehouse.append(batch)
        on_done(batch)

    def _known(self) -> dict[TrialKey, TrialRecord]:
        """Merge the attempts at these trials: the newest value of each measure."""
        known: dict[TrialKey, TrialRecord] = {}
        wanted = {key for _, _, _, key in self._keys(self.trials)}
        for record in self._warehouse.records(design=self._design, kept=False):
            if record.key in wanted and record.status == "done":
                known[record.key] = _joined(known.get(record.key), record, self._design)
        return known

    def _replication(self, m: int, b: int, known: Mapping[TrialKey, TrialRecord]) -> Iterator[TrialRecord]:
        """Measure the trials of one replication again; its samples are drawn once."""
        problem = self._experiment.datasets[m]
        learn, test = self._experiment.samples(problem.name, b + 1)
        here = np.zeros_like(self.trials)
        here[m, b] = self.trials[m, b]
        kept = self._warehouse.kept(self._numbers[here].tolist())
        for _, _, k, key in self._keys(here):
            content = kept[int(self._numbers[m, b, k])]
            if not _same_sample(content, test):
                continue  # the data were accepted although they differ: the trial is run again
            measures = [x for x, lacks in zip(self._experiment.measures, self._lacks[m, b, k], strict=True) if lacks]
            seed = self._experiment.seed_of(*key)
            with np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                values, undefined = measure_again(content, key.algorithm, learn, test, measures, seed, problem.task)
            record = self._record(known[key], values, undefined)
            if any(value == value for value in record.values.values()):  # else it is run again, and fails as it would
                yield record

    def _record(self, old: TrialRecord, values: Mapping[str, float], undefined: Mapping[str, str]) -> TrialRecord:
        identities = self._design["identities"]["measures"]
        return replace(
            old,
            values={**old.values, **values},
            undefined={**old.undefined, **undefined},
            identity=TrialIdentity(
                old.identity.dataset,
                old.identity.algorithm,
                {**old.identity.measures, **{name: identities[name][0] for name in values}},
            ),
            started=time.time(),
            host=environment(),
        )

    def _keys(self, cells: BoolArray) -> Iterator[tuple[int, int, int, TrialKey]]:
        datasets, algorithms = self._experiment.datasets, self._experiment.algorithms
        for m, b, k in np.argwhere(cells).tolist():
            yield m, b, k, TrialKey(datasets[m].name, b + 1, algorithms[k].name)


def _kinds_for(measure: Measure) -> int:
    """Return the code of what must have been kept for a measure."""
    for keep in (("predictions",), ("probabilities",), KEEP):
        if rescorable(measure, frozenset(keep)):
            return kind_code(keep) & kind_code(("predictions", "probabilities"))
    return _IMPOSSIBLE


def _joined(earlier: TrialRecord | None, record: TrialRecord, design: Mapping[str, Any]) -> TrialRecord:
    """Join an attempt with those before it: the measures of the design, each with its newest value."""
    counted = design["identities"]["measures"]
    names = [n for n in record.values if record.identity.measures.get(n, "") in counted.get(n, ())]
    values = {} if earlier is None else dict(earlier.values)
    reasons = {} if earlier is None else dict(earlier.undefined)
    identities = {} if earlier is None else dict(earlier.identity.measures)
    for name in names:
        values[name] = record.values[name]
        identities[name] = record.identity.measures.get(name, "")
        reasons.pop(name, None)
    reasons.update({name: record.undefined[name] for name in names if name in record.undefined})
    return replace(
        record, values=values, undefined=reasons, identity=record.identity._replace(measures=identities), kept=b""
    )


def _same_sample(kept: Kept, test: Sample) -> bool:
    """Return whether predictions were made for this test sample."""
    same_rows = (kept.rows is None) == (test.rows is None) and (
        kept.rows is None or np.array_equal(kept.rows, np.asarray(test.rows))
    )
    if not same_rows or (kept.truth is None) != (test.y is None):
        return False
    if kept.truth is None or test.y is None:
        return True
    categorical = hasattr(test.y, "cat")
    return np.array_equal(
        kept.truth.cat.codes if categorical else kept.truth, test.y.cat.codes if categorical else test.y
    )
