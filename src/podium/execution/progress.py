"""The progress of a run: a bar in a terminal, lines in a log, or nothing."""

from __future__ import annotations

import logging
import shutil
import sys
import time
from dataclasses import dataclass, field
from typing import Literal, TextIO, TypeAlias, cast

from podium.checks import check_call, check_choice, describe
from podium.errors import InputError
from podium.warehouse.record import TrialRecord

logger = logging.getLogger("podium")

ProgressMode: TypeAlias = Literal["auto", "bar", "log", "quiet"]


@check_call
@dataclass
class Tally:
    """The trials of a run, counted.

    Attributes
    ----------
    total : int
        Number of trials that the run has to do.
    ended : int
        Number of trials that have ended so far, in whatever way.
    problems : dict of str to int
        Number of those that are not done, by status.
    first_problem : TrialRecord, optional
        The first of them.
    started : float
        When the run began, by the monotonic clock.
    """

    total: int
    ended: int = 0
    problems: dict[str, int] = field(default_factory=dict)
    first_problem: TrialRecord | None = None
    started: float = field(default_factory=time.monotonic)

    def add(self, record: TrialRecord) -> None:
        """Count one more trial."""
        self.ended += 1
        if record.status != "done":
            self.problems[record.status] = self.problems.get(record.status, 0) + 1
            self.first_problem = self.first_problem or record

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.started

    @property
    def rate(self) -> float:
        """Trials per second so far."""
        return self.ended / self.seconds if self.seconds > 0 else 0.0

    def __str__(self) -> str:
        left = (self.total - self.ended) / self.rate if self.rate else float("inf")
        eta = "" if self.ended >= self.total else f", {duration(left)} left"
        problems = "".join(f", {count} {status}" for status, count in sorted(self.problems.items()))
        return f"{self.ended:,} of {self.total:,} trials, {self.rate:,.1f}/s{eta}{problems}"


@check_call
class Progress:
    """Follows a run. This one shows nothing; derive from it to show the progress in your own way."""

    def update(self, tally: Tally) -> None:
        """Show the progress; called several times a second."""

    def close(self, tally: Tally) -> None:
        """Show how the run ended."""


class Bar(Progress):
    """A bar in a terminal, redrawn in place."""

    def __init__(self, stream: TextIO | None = None, every: float = 0.2) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._every = every
        self._last = float("-inf")

    def update(self, tally: Tally) -> None:
        """Draw the bar a few times a second."""
        now = time.monotonic()
        if now - self._last >= self._every:
            self._last = now
            self._draw(tally)

    def close(self, tally: Tally) -> None:
        """Draw the final state."""
        self._draw(tally)
        self._stream.write("\n" + "".join(f"{line}\n" for line in _first_problem(tally)))
        self._stream.flush()

    def _draw(self, tally: Tally) -> None:
        columns = shutil.get_terminal_size().columns
        text = f" {tally}"
        room = max(5, min(30, columns - len(text) - 3))
        filled = round(room * tally.ended / tally.total) if tally.total else room
        line = f"[{'█' * filled}{'·' * (room - filled)}]{text}"
        self._stream.write("\r" + line[: columns - 1].ljust(columns - 1))
        self._stream.flush()


class Log(Progress):
    """A line in the log ``podium`` now and then."""

    def __init__(self, every: float = 30.0) -> None:
        self._every = every
        self._last = time.monotonic()

    def update(self, tally: Tally) -> None:
        """Log a line if the last one was long enough ago."""
        now = time.monotonic()
        if now - self._last >= self._every:
            self._last = now
            logger.info("%s", str(tally))

    def close(self, tally: Tally) -> None:
        """Log how the run ended."""
        logger.info("%s after %s", str(tally), duration(tally.seconds))
        for line in _first_problem(tally):
            logger.warning("%s", line)


def _first_problem(tally: Tally) -> list[str]:
    record = tally.first_problem
    return [] if record is None else [f"First {record.status}: {record.key}. {record.message or record.error_type}"]


def progress_for(progress: object) -> Progress:
    """Choose by name; ``"auto"`` is a bar in a terminal and a log elsewhere."""
    if not isinstance(progress, str):
        if callable(getattr(progress, "update", None)) and callable(getattr(progress, "close", None)):
            return cast(Progress, progress)
        raise InputError(
            "`progress` must be 'auto', 'bar', 'log' or 'quiet', or an object with `update` and `close`; "
            f"got {describe(progress)}."
        )
    kinds: dict[str, type[Progress]] = {"bar": Bar, "log": Log, "quiet": Progress}
    check_choice(progress, ["auto", *kinds], "progress")
    return kinds[("bar" if sys.stderr.isatty() else "log") if progress == "auto" else progress]()


def duration(seconds: float) -> str:
    """Write a time span in the unit that suits it.

    >>> duration(4000)
    '1 h 07 min'
    """
    if seconds != seconds or seconds == float("inf"):
        return "?"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
