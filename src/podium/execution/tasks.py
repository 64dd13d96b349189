"""The tasks sent to worker processes: install an experiment once, then run chunks of its trials."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

import cloudpickle

from podium.errors import ExecutionError
from podium.execution.limits import Limits
from podium.execution.pool import SupervisedPool, WorkerLost
from podium.execution.trial import Chunk, Lost, Trials
from podium.execution.worker import NO_MARK, report
from podium.warehouse.record import TrialKey, TrialRecord

if TYPE_CHECKING:
    from podium.setup.experiment import Experiment

_KEPT = 4  # experiments that a process remembers


class Parcel(NamedTuple):
    """An experiment on its way to another process: its token, and its content unless that is there already."""

    token: str
    content: bytes | None

    @classmethod
    def of(cls, experiment: Experiment) -> Self:
        """Pack an experiment; the error for one that cannot be sent to another process names the culprit."""
        try:
            content = cloudpickle.dumps(experiment)
        except Exception as error:
            culprit = _unsendable(experiment)
            raise ExecutionError(f"{culprit} cannot be sent to another process: {error}") from error
        return cls(hashlib.blake2b(content, digest_size=8).hexdigest(), content)

    @property
    def label(self) -> Parcel:
        """The parcel without its content."""
        return Parcel(self.token, None)


def _unsendable(experiment: Experiment) -> str:
    parts = {"data set": experiment.datasets, "algorithm": experiment.algorithms, "measure": experiment.measures}
    for noun, things in parts.items():
        for thing in things:
            try:
                cloudpickle.dumps(thing)
            except Exception:
                return f"The {noun} {thing.name!r}"
    return "The experiment"


_installed: dict[str, Trials] = {}


def install(parcel: Parcel) -> Trials | None:
    """Unpack an experiment once per process; None if its content is still missing."""
    trials = _installed.get(parcel.token)
    if trials is None and parcel.content is not None:
        trials = Trials(cloudpickle.loads(parcel.content))
        trials.warm_up()
        for token in list(_installed)[: 1 - _KEPT]:
            _installed.pop(token, None)
        _installed[parcel.token] = trials
    return trials


def run_installed(token: str, keys: Sequence[TrialKey], seconds: float, memory: int | None) -> Chunk:
    """Run trials in a process of the supervised pool."""
    return _installed[token].run_many(keys, seconds, memory, report)


def run_anywhere(parcel: Parcel, keys: Sequence[TrialKey], seconds: float, limits: Limits) -> Chunk:
    """Run trials in a process or thread of another executor; none of them if it does not have the experiment."""
    trials = install(parcel)
    if trials is None:
        return Chunk([], 0, 0.0)
    if limits:
        return _guard(parcel, trials, limits).run(keys, seconds)
    # Threads share this module, and a `Trials` remembers the samples it drew: each call has its own.
    return trials.copy().run_many(keys, seconds)


class _Guard:
    """A supervised process that runs the trials of one thread of another executor."""

    def __init__(self, token: str, trials: Trials, limits: Limits) -> None:
        self.token = token
        self.limits = limits
        self._reported: list[list[TrialRecord]] = []
        self.pool = SupervisedPool(
            1,
            deadline=limits.seconds,
            initializer=_install_trials,
            initargs=(token, trials),
            on_part=self._reported.append,
        )

    def run(self, keys: Sequence[TrialKey], seconds: float) -> Chunk:
        """Run trials; a crash or a deadline ends the chunk, which then names the trial."""
        self._reported.clear()
        try:
            chunk = self.pool.submit(run_installed, self.token, list(keys), seconds, self.limits.memory).result()
        except WorkerLost as loss:
            return lost_chunk(loss)
        return chunk._replace(records=[*(record for part in self._reported for record in part), *chunk.records])


_guards: dict[int, _Guard] = {}


def _guard(parcel: Parcel, trials: Trials, limits: Limits) -> _Guard:
    """Return the guard of this thread."""
    thread = threading.get_ident()
    guard = _guards.get(thread)
    if guard is None or (guard.token, guard.limits) != (parcel.token, limits):
        if guard is not None:
            guard.pool.kill()
        guard = _guards[thread] = _Guard(parcel.token, trials.copy(), limits)
    return guard


def _install_trials(token: str, trials: Trials) -> None:
    trials.warm_up()
    _installed[token] = trials


def close_guards(token: str, *, at_once: bool) -> None:
    """End the guards of an experiment in this process; those in other processes end with these."""
    for thread in [thread for thread, guard in _guards.items() if guard.token == token]:
        guard = _guards.pop(thread)
        if at_once:
            guard.pool.kill()
        else:
            guard.pool.shutdown()


def lost_chunk(loss: WorkerLost) -> Chunk:
    """Return the outcome of trials whose process died or was ended: what they reported, and which one was running."""
    records = [record for part in loss.parts for record in part]
    at = loss.mark if loss.mark != NO_MARK else None
    return Chunk(records, len(records), 0.0, Lost("timeout" if loss.timed_out else "crashed", str(loss), at))
