"""Runs that stop early: trials are released stage by stage, and a stopping rule decides after each stage.

A *sequence* is what the rule decides about: a data set, or all of them where the scope is the domain. A decision
depends on the trials of its stage and of earlier stages, never on later trials, on the order in which trials end, or on
what runs them. It is stored in the warehouse as soon as it is made, and is never revised: a run that was interrupted
continues from the decisions that it finds, and makes those that are due.

While the last trials of a stage are under way, idle workers run trials of the next one. If the stage then turns out to
be the last, these trials are superfluous: they stay in the warehouse and do not count.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.analysis.methods.pairwise.corrected_t import sample_ratio
from podium.analysis.methods.pairwise_test import Structure
from podium.analysis.notes import Note
from podium.analysis.pairs import both_ways
from podium.analysis.sequential.sequential import build_test, design_notes
from podium.analysis.sequential.sequential_tests import BURN_IN, FIRST_SHARE
from podium.analysis.sequential.stopping_rule import PairDecisions, StoppingRule
from podium.arrays import BoolArray, FloatArray, Int64Array
from podium.design.resampling import CrossValidation, FreshDraws, Reserve
from podium.design.spec.parts import placed
from podium.design.stopping import OPTIONS, Stopping
from podium.errors import InputError
from podium.running.plan import Plan
from podium.running.progress import Decided
from podium.store.decision import SIDES, Decision, Look, PairDecision, identity_for, stopped_cells
from podium.store.record import STATUSES, TrialKey, TrialRecord, TrialStatus

if TYPE_CHECKING:
    from podium.design.experiment import Experiment
    from podium.store.warehouse import Warehouse

_SAMPLES_LOOKED_AT = 50  # replications whose samples show how a design draws them


# ---- from the declaration to the rule -------------------------------------------------------------------------------


def rules_for(experiment: Experiment) -> list[StoppingRule]:
    """Return the rule for each sequence of an experiment: one per data set, or one for the domain.

    Raises
    ------
    DesignError
        If the rule has no such test or bounds.
    """
    stopping = experiment.stopping
    assert stopping is not None
    with placed("stopping"):
        return [_rule(stopping, experiment, datasets) for datasets in _sequences(experiment)]


def _sequences(experiment: Experiment) -> list[list[str]]:
    names = [dataset.name for dataset in experiment.datasets]
    domain = experiment.stopping is not None and experiment.stopping.scope == "domain"
    return [names] if domain else [[name] for name in names]


def _rule(stopping: Stopping, experiment: Experiment, datasets: Sequence[str]) -> StoppingRule:
    ends = stopping.looks(experiment.shape[1])
    sizes = tuple(b - a for a, b in pairwise((0, *ends)))
    algorithms = [algorithm.name for algorithm in experiment.algorithms]
    infos = {measure.name: measure.info for measure in experiment.measures}
    measures = stopping.measures or tuple(infos)
    settings = _settings(stopping, experiment, datasets)
    areas = tuple(stopping.margin(name) for name in measures)
    if stopping.control is None and not stopping.pairs:  # the order of two algorithms has no meaning
        areas = tuple(None if area is None else both_ways(area) for area in areas)
    return StoppingRule(
        test=tuple(build_test(stopping.kind, sizes, settings, stopping.alpha, infos[name], 0.0) for name in measures),
        alpha=stopping.alpha,
        alternative=stopping.alternative,
        control=None if stopping.control is None else algorithms.index(stopping.control),
        pairs=tuple((algorithms.index(a), algorithms.index(b)) for a, b in stopping.pairs) or None,
        equivalence=areas if any(area is not None for area in areas) else None,
        racing=stopping.racing,
    )


def _settings(stopping: Stopping, experiment: Experiment, datasets: Sequence[str]) -> dict[str, Any]:
    """Return all options of the rule; those that are not given are as in `podium.sequential`."""
    usual: dict[str, Any] = dict.fromkeys(OPTIONS[stopping.kind])
    if stopping.kind == "combination":
        usual |= {"method": "wilcoxon", "combine": "fisher", "reject": FIRST_SHARE * stopping.alpha, "accept": 0.9}
        usual |= {"rule": "constant", "exhaust": True}
    elif stopping.kind == "group sequential":
        usual |= {"method": "t", "boundary": "obrien-fleming"}
        if stopping.method == "corrected t":
            usual["ratio"] = _ratio(experiment, datasets)
    elif stopping.kind == "asymptotic":
        usual |= {"burn_in": BURN_IN}
    return {**usual, **stopping.options()}


def _ratio(experiment: Experiment, datasets: Sequence[str]) -> float:
    """Return n_test/n_learn of the samples of data sets, by which 'corrected t' corrects for their overlap."""
    if isinstance(experiment.resampling, FreshDraws):
        raise InputError(
            "`method='corrected t'` is for resampled data sets; these samples are drawn afresh. Use method='t'.",
            path=("method",),
        )
    return float(np.mean([sample_ratio(_structure(experiment, name))[0] for name in datasets]))


def _structure(experiment: Experiment, dataset: str) -> Structure:
    """Return what is known about the first replications of a data set before they are run."""
    n = min(experiment.shape[1], _SAMPLES_LOOKED_AT)
    if isinstance(experiment.resampling, FreshDraws):
        return Structure(independent=np.ones(n, np.int64))
    splits = [experiment.sample(dataset, b) for b in range(1, n + 1)]
    return Structure.of(
        {
            "repeat": np.array([split.repeat for split in splits], np.int64),
            "fold": np.array([split.fold for split in splits], np.int64),
            "n_learn": np.array([len(split.learn) for split in splits], np.int64),
            "n_test": np.array([len(split.test) for split in splits], np.int64),
        }
    )


def cautions(experiment: Experiment) -> list[Note]:
    """List what a stopping rule cannot guarantee for a design, before anything is run."""
    stopping = experiment.stopping
    if stopping is None:
        return []
    rule = rules_for(experiment)[0]
    measures = len(stopping.measures or experiment.measures)
    corrected = stopping.ratio is not None or stopping.method == "corrected t"
    structure = _structure(experiment, experiment.datasets[0].name)
    found = list(design_notes(rule, structure, len(experiment.algorithms), measures, corrected=corrected))
    scheme = experiment.resampling.then if isinstance(experiment.resampling, Reserve) else experiment.resampling
    if isinstance(scheme, CrossValidation) and any(end % scheme.folds for end in stopping.looks(experiment.shape[1])):
        found.append(Note("stages split repeats", folds=scheme.folds))
    if stopping.scope == "domain":
        found.append(Note("these data sets only", datasets=experiment.shape[0]))
    return found


# ---- decisions ------------------------------------------------------------------------------------------------------


class DecisionMaker:
    """Makes the decisions of a run; it keeps no state, so the same trials give the same decisions."""

    def __init__(self, experiment: Experiment, design: Mapping[str, Any]) -> None:
        assert experiment.stopping is not None
        self._design = design
        self._rules = rules_for(experiment)
        self.domain = experiment.stopping.scope == "domain"
        self.ends = tuple(design["stopping"]["looks"])
        self.measures = tuple(design["stopping"]["measures"])
        infos = {measure.name: measure.info for measure in experiment.measures}
        self._signs = [int(infos[name].sign) for name in self.measures]

    @property
    def sequences(self) -> list[str]:
        """The names of the sequences: those of the data sets, or nothing for the domain."""
        return [""] if self.domain else list(self._design["datasets"])

    def rows(self, sequence: int) -> slice:
        """Return the positions of the data sets of a sequence."""
        return slice(None) if self.domain else slice(sequence, sequence + 1)

    def decide(self, sequence: int, values: FloatArray, before: Decision | None) -> Decision:
        """Decide after the next stage, from the values of its data sets until then, shape (M, n, K, J).

        In a domain, the mean over the data sets is tested: a replication counts for an algorithm if it has a value on
        each of them.
        """
        stage = 1 if before is None else before.stage + 1
        seen = values.mean(axis=0)
        stages = [seen[a:b] for a, b in pairwise((0, *self.ends[:stage]))]
        found = self._rules[sequence].decide(stages, self._signs)
        name = self.sequences[sequence]
        pairs = self._pairs(found, seen, stage, before)
        dropped = self._dropped(found, before)
        over = all(pair.decided for pair in pairs)
        return Decision(
            dataset=name,
            stage=stage,
            replications=self.ends[stage - 1],
            ending="decided" if over else "maximum" if stage == len(self.ends) else "",
            dropped=() if over or stage == len(self.ends) else dropped,
            pairs=pairs,
            identity=identity_for(self._design, name),
        )

    def _pairs(
        self, found: PairDecisions, seen: FloatArray, stage: int, before: Decision | None
    ) -> tuple[PairDecision, ...]:
        """Return what is known about each pair; what was decided before stays as it is."""
        earlier = {} if before is None else {(pair.measure, pair.a, pair.b): pair for pair in before.pairs}
        algorithms = self._design["algorithms"]
        pairs = []
        for h, (a, b, j) in enumerate(zip(found.first, found.second, found.measure, strict=True)):
            key = self.measures[j], algorithms[a], algorithms[b]
            known = earlier.get(key)
            if known is not None and known.decided:
                pairs.append(known)
                continue
            differences = seen[:, a, j] - seen[:, b, j]
            there = differences[~np.isnan(differences)]
            numbers = np.stack([table[stage - 1, h] for table in (found.pvalue, found.reject, found.accept)], axis=1)
            pairs.append(
                PairDecision(
                    measure=key[0],
                    a=key[1],
                    b=key[2],
                    outcome=str(found.state[h]),  # type: ignore[arg-type]  # checked there
                    stage=stage,
                    replications=len(there),
                    estimate=float(there.mean()) if len(there) else float("nan"),
                    level=float(found.level[stage - 1, h]),
                    looks=tuple(
                        Look(side, *map(float, row))
                        for side, row in zip(SIDES, numbers, strict=True)
                        if not np.isnan(row[0])
                    ),
                )
            )
        return tuple(pairs)

    def _dropped(self, found: PairDecisions, before: Decision | None) -> tuple[str, ...]:
        """Return the algorithms that are left out from here on, those of earlier stages included."""
        now = {self._design["algorithms"][k] for k in np.flatnonzero(found.dropped)}
        now |= set() if before is None else set(before.dropped)
        return tuple(name for name in self._design["algorithms"] if name in now)


# ---- the plan -------------------------------------------------------------------------------------------------------


class AdaptivePlan(Plan):
    """The trials left to do, released stage by stage; it makes decisions when stages end, and has them stored."""

    def __init__(
        self, experiment: Experiment, warehouse: Warehouse, design: Mapping[str, Any], retry: Sequence[TrialStatus] = ()
    ) -> None:
        self._decisions = DecisionMaker(experiment, design)
        self._design = design
        self._store: Callable[[Iterable[Decision]], None] = warehouse.append_decisions
        self._datasets, self._algorithms = tuple(design["datasets"]), tuple(design["algorithms"])
        self._rows = {name: m for m, name in enumerate(self._datasets)}
        self._columns = {name: k for k, name in enumerate(self._algorithms)}
        everything = {**design, "stopping": None}  # also trials that decisions have made superfluous
        codes = warehouse.status_codes(everything)
        names = [entry["name"] for entry in design["measures"]]
        values = warehouse.results(everything).values[..., [names.index(name) for name in self._decisions.measures]]
        again = np.isin(codes, [STATUSES.index(status) + 1 for status in retry])
        self._values = values.copy()
        self._left: BoolArray = (codes == 0) | again  # trials that have not ended
        self._unsent = self._left.copy()
        self._stopped = np.zeros(codes.shape, bool)
        self._newest: list[Decision | None] = [None] * len(self._decisions.sequences)
        self._released = [0] * len(self._newest)  # replications until which trials were released
        self._ready: list[tuple[int, int, int]] = []  # a heap of replication, data set, algorithm
        for decision in warehouse.decisions(design):
            self._accept(self._decisions.sequences.index(decision.dataset), decision)
        self._settle(range(len(self._newest)))

    def __len__(self) -> int:
        """Return the number of trials that can be sent at once."""
        return len(self._ready)

    def __iter__(self) -> Iterator[TrialKey]:
        yield from (self._key(np.array([m, b, k])) for b, m, k in sorted(self._ready))

    @property
    def most(self) -> int:
        """Number of trials that have not ended and may still be needed."""
        return int(np.sum(self._left & ~self._stopped))

    @property
    def over(self) -> bool:
        """Whether no trial is needed any more; those that are under way are superfluous."""
        return self.most == 0

    @property
    def decided(self) -> Decided:
        """What the rule has decided so far."""
        return Decided(
            sequences=len(self._newest),
            ended=sum(decision is not None and decision.stops for decision in self._newest),
            saved=int(np.sum(self._left & self._stopped)),
        )

    def counts(self) -> Int64Array:
        """Count what may still be needed, by data set and algorithm."""
        counts: Int64Array = np.sum(self._left & ~self._stopped, axis=1, dtype=np.int64)
        return counts

    def take(self, most: int) -> list[TrialKey]:
        """Take trials of the stages that are under way, in the order of replication, data set, algorithm."""
        taken = [heapq.heappop(self._ready) for _ in range(min(most, len(self._ready)))]
        return [self._sent(m, b, k) for b, m, k in taken]

    def take_ahead(self, most: int) -> list[TrialKey]:
        """Take trials of the next stage of sequences whose decision is not made yet."""
        found: list[TrialKey] = []
        ends = self._decisions.ends
        for s in range(len(self._newest)):
            stage = self._stage(s)
            if stage is None or stage == len(ends) or len(found) == most:
                continue
            rows = self._decisions.rows(s)
            part = slice(ends[stage - 1], ends[stage])
            wanted = self._unsent[rows, part] & ~self._stopped[rows, part]
            for b, m, k in np.argwhere(wanted.transpose(1, 0, 2))[: most - len(found)].tolist():
                found.append(self._sent(m + (rows.start or 0), b + part.start, k))
        return found

    def put_back(self, keys: Sequence[TrialKey]) -> None:
        """Put trials back that were taken and not run."""
        for key in keys:
            m, b, k = self._at(key)
            self._unsent[m, b, k] = True
            if b < self._released[self._sequence(m)] and not self._stopped[m, b, k]:
                heapq.heappush(self._ready, (b, m, k))

    def note(self, records: Iterable[TrialRecord]) -> None:
        """Take note of trials that have ended, and make the decisions that are due."""
        concerned = set()
        for record in records:
            m, b, k = self._at(record.key)
            self._left[m, b, k] = self._unsent[m, b, k] = False
            for j, name in enumerate(self._decisions.measures):
                value = record.values.get(name, np.nan)
                if np.isfinite(value):
                    self._values[m, b, k, j] = value
            concerned.add(self._sequence(m))
        self._settle(sorted(concerned))

    def _settle(self, sequences: Iterable[int]) -> None:
        """Decide as long as a stage has ended, and release the trials of the next one."""
        for s in sequences:
            while (stage := self._stage(s)) is not None and not self._waits(s, self._decisions.ends[stage - 1]):
                rows, part = self._decisions.rows(s), slice(self._decisions.ends[stage - 1])
                seen = np.where(self._stopped[rows, part, :, None], np.nan, self._values[rows, part])
                decision = self._decisions.decide(s, seen, self._newest[s])
                self._store([decision])
                self._accept(s, decision)
            self._release(s)

    def _stage(self, s: int) -> int | None:
        """Return the number of the stage that a sequence is in; None if it has ended."""
        newest = self._newest[s]
        if newest is None:
            return 1
        return None if newest.stops else newest.stage + 1

    def _waits(self, s: int, until: int) -> bool:
        """Return whether trials of a sequence have not ended."""
        rows = self._decisions.rows(s)
        return bool(np.any(self._left[rows, :until] & ~self._stopped[rows, :until]))

    def _accept(self, s: int, decision: Decision) -> None:
        self._newest[s] = decision
        rows = self._decisions.rows(s)
        self._stopped[rows] |= stopped_cells(self._design, [decision])[rows]

    def _release(self, s: int) -> None:
        """Make ready the trials that the stage of a sequence needs, or that are still missing after its end."""
        stage, newest = self._stage(s), self._newest[s]
        until = self._decisions.ends[stage - 1] if stage is not None else newest.replications if newest else 0
        rows, start = self._decisions.rows(s), self._released[s]
        part = slice(start, until)
        wanted = self._unsent[rows, part] & ~self._stopped[rows, part]
        for m, b, k in np.argwhere(wanted).tolist():
            heapq.heappush(self._ready, (b + start, m + (rows.start or 0), k))
        self._released[s] = max(start, until)

    def _sequence(self, m: int) -> int:
        return 0 if self._decisions.domain else m

    def _sent(self, m: int, b: int, k: int) -> TrialKey:
        self._unsent[m, b, k] = False
        return TrialKey(self._datasets[m], b + 1, self._algorithms[k])

    def _at(self, key: TrialKey) -> tuple[int, int, int]:
        return self._rows[key.dataset], key.replication - 1, self._columns[key.algorithm]
