"""The plan of a run: the trials that a warehouse does not have yet, in chunks worth sending."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from podium.arrays import AnyIntArray, BoolArray, Int64Array
from podium.running.progress import Decided
from podium.store.record import STATUSES, TrialKey, TrialRecord, TrialStatus

if TYPE_CHECKING:
    from podium.design.experiment import Experiment
    from podium.store.warehouse import Warehouse

_LARGEST_CHUNK = 2000


class Plan:
    """The trials left to do, in the order of replication, data set, algorithm.

    A run that is cut short then has about the same number of replications of each data set, and the trials that are
    left take about as long each as those before. Only positions are kept, three small integers per trial, so a plan of
    millions of trials fits in memory.
    """

    def __init__(self, experiment: Experiment, todo: BoolArray) -> None:
        self._datasets = tuple(dataset.name for dataset in experiment.datasets)
        self._algorithms = tuple(algorithm.name for algorithm in experiment.algorithms)
        self._positions = np.argwhere(todo.transpose(1, 0, 2)).astype(np.int32)[:, [1, 0, 2]]
        self._next = 0
        self._again: deque[TrialKey] = deque()

    def __len__(self) -> int:
        return len(self._positions) - self._next + len(self._again)

    def take(self, most: int) -> list[TrialKey]:
        """Take the next trials; those put back come first."""
        keys = [self._again.popleft() for _ in range(min(most, len(self._again)))]
        stop = min(self._next + most - len(keys), len(self._positions))
        keys += [self._key(at) for at in self._positions[self._next : stop]]
        self._next = stop
        return keys

    def put_back(self, keys: Sequence[TrialKey]) -> None:
        """Put trials back that were taken and not run."""
        self._again.extendleft(reversed(keys))

    def take_ahead(self, most: int) -> list[TrialKey]:
        """Take trials that may turn out not to be needed, for workers that would be idle; here there are none."""
        return []

    def note(self, records: Iterable[TrialRecord]) -> None:
        """Take note of trials that have ended; here nothing follows from it."""

    @property
    def over(self) -> bool:
        """Whether trials that are under way are not needed any more; here they always are."""
        return False

    @property
    def most(self) -> int:
        """Number of trials that are left, without those under way."""
        return len(self)

    @property
    def decided(self) -> Decided | None:
        """What a stopping rule has decided; None where there is no such rule."""
        return None

    def __iter__(self) -> Iterator[TrialKey]:
        yield from self._again
        yield from (self._key(at) for at in self._positions[self._next :])

    def counts(self) -> Int64Array:
        """Count what is left, by data set and algorithm."""
        counts = np.zeros((len(self._datasets), len(self._algorithms)), np.int64)
        np.add.at(counts, (self._positions[self._next :, 0], self._positions[self._next :, 2]), 1)
        for key in self._again:
            counts[self._datasets.index(key.dataset), self._algorithms.index(key.algorithm)] += 1
        return counts

    def _key(self, at: AnyIntArray) -> TrialKey:
        return TrialKey(self._datasets[at[0]], int(at[1]) + 1, self._algorithms[at[2]])


def plan_trials(
    experiment: Experiment,
    warehouse: Warehouse,
    design: Mapping[str, Any],
    retry: Sequence[TrialStatus] = (),
    *,
    without: BoolArray | Literal[False] = False,
) -> Plan:
    """Plan the trials of a design that a warehouse does not have, and those to be retried, without some of them."""
    codes = warehouse.status_codes(design)
    again = np.isin(codes, [STATUSES.index(status) + 1 for status in retry])
    return Plan(experiment, ((codes == 0) | again) & ~np.asarray(without))


class ChunkSize:
    """How many trials to send at once: enough to be worth the trip, few enough to lose little."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._size = 1

    @property
    def size(self) -> int:
        """Number of trials for the next chunk."""
        return self._size

    def learn(self, trials: int, seconds: float) -> None:
        """Adapt to how long some trials took; grow at most fourfold, so that one quick trial does not mislead."""
        if trials:
            wanted = int(self._seconds / max(seconds / trials, 1e-6))
            self._size = max(1, min(wanted, 4 * self._size, _LARGEST_CHUNK))
