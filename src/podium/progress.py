"""Progress: how it is requested, and how it is shown, as a bar on standard error or as lines in the log."""

from __future__ import annotations

import logging
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TextIO, TypeAlias, TypeVar, cast, get_args

from podium.checks import check_call, check_choice, describe
from podium.errors import InputError

Item = TypeVar("Item")

logger = logging.getLogger("podium")

ProgressMode: TypeAlias = Literal["auto", "bar", "log", "quiet"]

QUIET_FOR = 2.0  # seconds; an analysis that is shorter shows no bar
EVERY_BAR, EVERY_LINE = 0.2, 30.0  # seconds between two drawings, and between two lines


@check_call
class Progress:
    """Follows a run or an analysis. This one shows nothing; derive from it to show the progress in your own way."""

    def update(self, tally: Any) -> None:
        """Show the progress; called several times a second in a run, and after each step of an analysis."""

    def close(self, tally: Any) -> None:
        """Show how it ended."""


@dataclass
class StepTally:
    """The steps of an analysis, counted.

    Attributes
    ----------
    total, ended : int
        How many there are, and how many have ended.
    noun : str
        What a step is about, in the plural.
    at_work : str
        The name of the step being made, where steps have names.
    started : float
        When the analysis began, by the monotonic clock.
    """

    total: int
    ended: int = 0
    noun: str = "steps"
    at_work: str = ""
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Seconds since the analysis began."""
        return time.monotonic() - self.started

    def __str__(self) -> str:
        rate = self.ended / self.seconds if self.seconds > 0 else 0.0
        left = f", {duration((self.total - self.ended) / rate)} left" if rate and self.ended < self.total else ""
        name = f": {self.at_work}" if self.at_work else ""
        return f"{self.ended:,} of {self.total:,} {self.noun}{left}{name}"


class Bar(Progress):
    """A bar in a terminal, redrawn in place.

    Parameters
    ----------
    stream : file, optional
        Where it is drawn; standard error by default.
    wait : float, default 0
        Seconds before it appears; what is over by then shows no bar.
    every : float, default 0.2
        Seconds between two drawings.
    """

    def __init__(self, stream: TextIO | None = None, *, wait: float = 0.0, every: float = EVERY_BAR) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._wait, self._every, self._last = wait, every, float("-inf")

    def update(self, tally: Any) -> None:
        """Draw the bar a few times a second."""
        now = time.monotonic()
        if tally.seconds >= self._wait and now - self._last >= self._every:
            self._last = now
            self._draw(tally)

    def close(self, tally: Any) -> None:
        """Draw the final state, unless it was over before the bar appeared."""
        if self._last > float("-inf") or not self._wait:
            self._draw(tally)
            self._stream.write("\n")
            self._stream.flush()

    def _draw(self, tally: Any) -> None:
        columns = shutil.get_terminal_size().columns
        text = f" {tally}"
        room = max(5, min(30, columns - len(text) - 3))
        filled = round(room * tally.ended / tally.total) if tally.total else room
        line = f"[{'█' * filled}{'·' * (room - filled)}]{text}"
        self._stream.write("\r" + line[: columns - 1].ljust(columns - 1))
        self._stream.flush()


class Log(Progress):
    """A line in the log ``podium`` from time to time."""

    def __init__(self, every: float = EVERY_LINE) -> None:
        self._every = every
        self._last = time.monotonic()

    def update(self, tally: Any) -> None:
        """Log a line if the last one was long enough ago."""
        now = time.monotonic()
        if now - self._last >= self._every:
            self._last = now
            logger.info("%s", str(tally))

    def close(self, tally: Any) -> None:
        """Log how it ended."""
        logger.info("%s after %s", str(tally), duration(tally.seconds))


def check_progress(progress: object) -> ProgressMode | Progress:
    """Refuse what is neither a mode nor an object with `update` and `close`."""
    if isinstance(progress, str):
        check_choice(progress, get_args(ProgressMode), "progress")
    elif not all(callable(getattr(progress, name, None)) for name in ("update", "close")):
        raise InputError(
            "`progress` must be 'auto', 'bar', 'log' or 'quiet', or an object with `update` and `close`; got "
            f"{describe(progress)}."
        )
    return cast(ProgressMode | Progress, progress)


def progress_of_analysis(progress: object, *, wait: float = QUIET_FOR, every: float = EVERY_BAR) -> Progress:
    """Choose by name: ``"auto"`` is a bar in a terminal and in a notebook after a while, and elsewhere nothing."""
    checked = check_progress(progress)
    if not isinstance(checked, str):
        return checked
    if checked == "log":
        return Log()
    if checked == "quiet" or sys.stderr is None:
        return Progress()
    if checked == "bar":
        return Bar(every=every)
    return Bar(wait=wait, every=every) if sys.stderr.isatty() or notebook_shell() is not None else Progress()


def followed(
    items: Iterable[Item], total: int, noun: str, progress: Progress, size: Callable[[Item], int] = lambda item: 1
) -> Iterator[Item]:
    """Pass on items that are finished, and show how many there were; `size` is how many steps an item stands for."""
    tally = StepTally(total, noun=noun)
    try:
        for item in items:
            tally.ended += size(item)
            progress.update(tally)
            yield item
    finally:
        progress.close(tally)


def announced(items: Sequence[Item], name: Callable[[Item], str], noun: str, progress: Progress) -> Iterator[Item]:
    """Pass on items that are to be worked on, and show which one is at work."""
    tally = StepTally(len(items), noun=noun)
    try:
        for item in items:
            tally.at_work = name(item)
            progress.update(tally)
            yield item
            tally.ended += 1
        tally.at_work = ""
    finally:
        progress.close(tally)


def notebook_shell() -> Any:
    """Return the shell of IPython inside a notebook; None elsewhere, also in IPython in a terminal.

    IPython is looked up among the imported modules: it is there if and only if it runs this code.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    return shell if hasattr(shell, "kernel") else None


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
