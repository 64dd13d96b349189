"""The progress of an analysis over many data sets: a bar on standard error, lines in the log, or nothing."""

from __future__ import annotations

import logging
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TextIO, TypeAlias, TypeVar, get_args

from podium.checks import check_choice, describe
from podium.errors import InputError

Item = TypeVar("Item")

logger = logging.getLogger("podium")

QUIET_FOR = 2.0  # seconds; an analysis that is shorter shows no bar
EVERY_BAR, EVERY_LINE = 0.2, 30.0  # seconds between two drawings, and between two lines


@dataclass
class DatasetTally:
    """The data sets of an analysis, counted.

    Attributes
    ----------
    total, ended : int
        How many there are, and how many are analysed.
    started : float
        When the analysis began, by the monotonic clock.
    """

    total: int
    ended: int = 0
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Seconds since the analysis began."""
        return time.monotonic() - self.started

    def __str__(self) -> str:
        rate = self.ended / self.seconds if self.seconds > 0 else 0.0
        left = f", {(self.total - self.ended) / rate:,.0f} s left" if rate and self.ended < self.total else ""
        return f"{self.ended:,} of {self.total:,} data sets{left}"


class Follower(Protocol):
    """What shows the progress: called after each data set, and at the end."""

    def update(self, tally: Any) -> None:
        """Show how many data sets are analysed."""

    def close(self, tally: Any) -> None:
        """Show that the analysis has ended."""


Progress: TypeAlias = Literal["auto", "bar", "log", "quiet"] | Follower


class Quiet:
    """Shows nothing."""

    def update(self, tally: DatasetTally) -> None:
        """Do nothing."""

    def close(self, tally: DatasetTally) -> None:
        """Do nothing."""


class Bar:
    """A bar, redrawn in place; it appears only if the analysis takes a while."""

    def __init__(self, stream: TextIO, wait: float) -> None:
        self._stream, self._wait, self._last, self._drawn = stream, wait, float("-inf"), False

    def update(self, tally: DatasetTally) -> None:
        """Draw the bar a few times a second."""
        now = time.monotonic()
        if tally.seconds >= self._wait and now - self._last >= EVERY_BAR:
            self._last = now
            self._draw(tally)

    def close(self, tally: DatasetTally) -> None:
        """Draw the final state, if there was a bar."""
        if self._drawn or not self._wait:
            self._draw(tally)
            self._stream.write("\n")
            self._stream.flush()

    def _draw(self, tally: DatasetTally) -> None:
        columns = shutil.get_terminal_size().columns
        text = f" {tally}"
        room = max(5, min(30, columns - len(text) - 3))
        filled = round(room * tally.ended / tally.total)
        line = f"[{'█' * filled}{'·' * (room - filled)}]{text}"
        self._stream.write("\r" + line[: columns - 1].ljust(columns - 1))
        self._stream.flush()
        self._drawn = True


class Log:
    """A line in the log ``podium`` from time to time."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def update(self, tally: DatasetTally) -> None:
        """Log a line if the last one was long enough ago."""
        now = time.monotonic()
        if now - self._last >= EVERY_LINE:
            self._last = now
            logger.info("%s", str(tally))

    def close(self, tally: DatasetTally) -> None:
        """Log that the analysis has ended."""
        logger.info("%s after %.0f s", str(tally), tally.seconds)


def follower_for(progress: Progress) -> Follower:
    """Choose by name: ``"auto"`` is a bar in a terminal and in a notebook, and elsewhere nothing."""
    if not isinstance(progress, str):
        if callable(getattr(progress, "update", None)) and callable(getattr(progress, "close", None)):
            return progress
        raise InputError(
            "`progress` must be 'auto', 'bar', 'log' or 'quiet', or an object with `update` and `close`; "
            f"got {describe(progress)}."
        )
    check_choice(progress, get_args(get_args(Progress)[0]), "progress")
    if progress == "log":
        return Log()
    if sys.stderr is None or progress == "quiet":
        return Quiet()
    if progress == "bar":
        return Bar(sys.stderr, 0.0)
    return Bar(sys.stderr, QUIET_FOR) if sys.stderr.isatty() or _in_notebook() else Quiet()


def followed(items: Iterable[Item], total: int, progress: Follower) -> Iterator[Item]:
    """Pass the items on, and show how many there were."""
    tally = DatasetTally(total)
    try:
        for item in items:
            tally.ended += 1
            progress.update(tally)
            yield item
    finally:
        progress.close(tally)


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    return shell is not None and hasattr(shell, "kernel")
