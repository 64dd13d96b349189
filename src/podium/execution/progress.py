"""How a run tells of itself: a bar in a terminal, lines in a log, or nothing."""

from __future__ import annotations

import logging
import shutil
import sys
import time
from dataclasses import dataclass, field
from typing import Literal, Protocol, TextIO, TypeAlias

from podium.errors import InputError

logger = logging.getLogger("podium")

ProgressMode: TypeAlias = Literal["auto", "bar", "log", "quiet"]


@dataclass
class Tally:
    """Where a run stands."""

    total: int
    done: int = 0
    trouble: dict[str, int] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)
    first_trouble: str = ""

    def add(self, status: str, why: str = "") -> None:
        """Count one more trial; the first that went wrong is told at the end."""
        self.done += 1
        if status != "done":
            self.trouble[status] = self.trouble.get(status, 0) + 1
            self.first_trouble = self.first_trouble or why

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.started

    @property
    def rate(self) -> float:
        """Trials per second so far."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    def __str__(self) -> str:
        left = (self.total - self.done) / self.rate if self.rate else float("inf")
        eta = "" if self.done >= self.total else f", {duration(left)} left"
        trouble = "".join(f", {count} {status}" for status, count in sorted(self.trouble.items()))
        return f"{self.done:,} of {self.total:,} trials, {self.rate:,.1f}/s{eta}{trouble}"


class Progress(Protocol):
    """Whatever follows a run."""

    def update(self, tally: Tally) -> None:
        """Say where the run stands; called often."""
        ...

    def close(self, tally: Tally) -> None:
        """Say how it ended."""
        ...


class Bar:
    """A bar that is drawn over itself in a terminal."""

    def __init__(self, stream: TextIO | None = None, every: float = 0.2) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._every = every
        self._last = float("-inf")

    def update(self, tally: Tally) -> None:
        """Draw the bar, a few times a second."""
        now = time.monotonic()
        if now - self._last >= self._every:
            self._last = now
            self._draw(tally)

    def close(self, tally: Tally) -> None:
        """Draw the last state and leave it standing."""
        self._draw(tally)
        self._stream.write("\n" + (f"{tally.first_trouble}\n" if tally.first_trouble else ""))
        self._stream.flush()

    def _draw(self, tally: Tally) -> None:
        columns = shutil.get_terminal_size().columns
        text = f" {tally}"
        room = max(5, min(30, columns - len(text) - 3))
        filled = round(room * tally.done / tally.total) if tally.total else room
        line = f"[{'█' * filled}{'·' * (room - filled)}]{text}"
        self._stream.write("\r" + line[: columns - 1].ljust(columns - 1))
        self._stream.flush()


class Log:
    """A line in the log ``podium`` now and then."""

    def __init__(self, every: float = 30.0) -> None:
        self._every = every
        self._last = time.monotonic()

    def update(self, tally: Tally) -> None:
        """Log a line when it is time."""
        now = time.monotonic()
        if now - self._last >= self._every:
            self._last = now
            logger.info("%s", str(tally))

    def close(self, tally: Tally) -> None:
        """Log how it ended."""
        logger.info("%s after %s", str(tally), duration(tally.seconds))
        if tally.first_trouble:
            logger.warning("%s", tally.first_trouble)


class Quiet:
    """Nothing."""

    def update(self, tally: Tally) -> None:
        """Say nothing."""

    def close(self, tally: Tally) -> None:
        """Say nothing."""


def progress_for(mode: ProgressMode) -> Progress:
    """Choose by name; ``"auto"`` is a bar in a terminal and a log elsewhere."""
    if mode == "auto":
        mode = "bar" if sys.stderr.isatty() else "log"
    kinds: dict[str, type[Bar] | type[Log] | type[Quiet]] = {"bar": Bar, "log": Log, "quiet": Quiet}
    if mode not in kinds:
        raise InputError(f"`progress` must be 'auto', 'bar', 'log' or 'quiet'; got {mode!r}.")
    return kinds[mode]()


def duration(seconds: float) -> str:
    """Write a time span the way people say it.

    >>> duration(4000)
    '1 h 07 min'
    """
    if seconds != seconds or seconds == float("inf"):
        return "?"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
