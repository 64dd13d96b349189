"""Following a run: a warehouse is polled by a connection that only reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from podium.checks import check_call
from podium.errors import counted
from podium.results import Results
from podium.warehouse import Warehouse
from podium.warehouse.status import Status
from podium.warehouse.text import printable

MOST_FAILURES = 20  # reasons that are listed


@check_call
@dataclass(frozen=True, kw_only=True)
class Failure:
    """Why some trials of an algorithm have no value.

    Attributes
    ----------
    algorithm, status, reason : str
    trials : int
        How many there are.
    """

    algorithm: str
    status: str
    reason: str
    trials: int

    def __str__(self) -> str:
        return f"{self.algorithm}: {counted(self.trials, 'trial')} {self.status}: {self.reason}"


@check_call
@dataclass(frozen=True, kw_only=True)
class RunState:
    """How far a run has come.

    Attributes
    ----------
    counts : mapping of str to int
        Number of trials by status, as `Warehouse.status` counts them.
    failures : tuple of Failure
        The most frequent reasons.

    Examples
    --------
    >>> state = RunState(counts={"done": 7, "failed": 1, "left": 2}, failures=())
    >>> state.complete, state.tried, state.total
    (False, 8, 10)
    >>> state.progress
    '8 of 10 trials, 1 failed'
    """

    counts: Mapping[str, int]
    failures: tuple[Failure, ...]

    @property
    def total(self) -> int:
        """Number of trials of the design."""
        return sum(self.counts.values())

    @property
    def tried(self) -> int:
        """Number of trials that have ended, or are not to be run."""
        return self.total - self.counts.get("left", 0)

    @property
    def complete(self) -> bool:
        """Whether no trial is left."""
        return self.counts.get("left", 0) == 0

    @property
    def progress(self) -> str:
        """Say how far the run has come."""
        rest = [
            f"{count:,} {status}" for status, count in self.counts.items() if count and status not in ("done", "left")
        ]
        return ", ".join([f"{self.tried:,} of {counted(self.total, 'trial')}", *rest])


def run_state(status: Status) -> RunState:
    """Take from a status what a page shows of it."""
    failures = [
        Failure(
            algorithm=printable(str(row["algorithm"])),
            status=str(row["status"]),
            reason=printable(str(row["message"] or row["error_type"])),
            trials=int(row["trials"]),
        )
        for row in status.problems.head(MOST_FAILURES).to_dict("records")
    ]
    return RunState(counts=dict(status.counts), failures=tuple(failures))


class Follower:
    """Polls a warehouse; a poll costs little while nothing changes.

    The state of the run is never ahead of the results: a run that is complete has all its values.

    Parameters
    ----------
    address : str
        Path or URL of the warehouse.
    """

    def __init__(self, address: str) -> None:
        self._warehouse = Warehouse(address, readonly=True)
        self._seen: tuple[Any, ...] = ()

    def poll(self) -> tuple[Results, RunState] | None:
        """Return the results and the state of the run, or None if nothing has been written since the last poll."""
        seen = self._warehouse.attempts, len(self._warehouse.designs()), len(self._warehouse.decisions())
        if seen == self._seen:
            return None
        state = run_state(self._warehouse.status())  # first: trials may end before the results are read
        results = self._warehouse.results()
        self._seen = seen  # what was written in the meantime is seen by the next poll
        return results, state

    def close(self) -> None:
        """Close the connection."""
        self._warehouse.close()
