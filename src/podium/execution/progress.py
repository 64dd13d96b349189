"""The progress of a run: a bar in a terminal or a notebook, lines in a log or on standard error, or nothing."""

from __future__ import annotations

import html
import logging
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TextIO, TypeAlias, cast

from podium.checks import check_call, check_choice, describe
from podium.errors import InputError, named
from podium.warehouse.record import TrialRecord

logger = logging.getLogger("podium")

ProgressMode: TypeAlias = Literal["auto", "bar", "log", "quiet"]

FIRST_LINE, NEXT_LINES = 5.0, 30.0  # seconds after which lines appear where there is no terminal


@check_call
@dataclass(frozen=True, kw_only=True)
class Decided:
    """What a stopping rule has decided in a run so far.

    Attributes
    ----------
    sequences : int
        Number of data sets that it decides about; 1 for the domain.
    ended : int
        Number of those that have ended.
    saved : int
        Number of trials that are not run because of decisions.
    """

    sequences: int
    ended: int
    saved: int

    def __str__(self) -> str:
        return f"{self.ended:,} of {self.sequences:,} ended, {self.saved:,} trials saved"


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
    stopping : Decided, optional
        What a stopping rule has decided; `total` is then the number of trials at most.
    """

    total: int
    ended: int = 0
    problems: dict[str, int] = field(default_factory=dict)
    first_problem: TrialRecord | None = None
    started: float = field(default_factory=time.monotonic)
    stopping: Decided | None = None

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
        most, decided = ("", "") if self.stopping is None else ("at most ", f", {self.stopping}")
        return f"{self.ended:,} of {most}{self.total:,} trials, {self.rate:,.1f}/s{eta}{decided}{problems}"


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
    """A line in the log ``podium`` from time to time."""

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


class Lines(Progress):
    """A line on standard error from time to time, for output that goes to a file: nothing is redrawn there."""

    def __init__(self, stream: TextIO | None = None, first: float = FIRST_LINE, every: float = NEXT_LINES) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._every = every
        self._next = time.monotonic() + first

    def update(self, tally: Tally) -> None:
        """Write a line if the last one was long enough ago."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + self._every
            self._write(str(tally))

    def close(self, tally: Tally) -> None:
        """Write how the run ended, if there was anything to do."""
        if tally.total:
            self._write(f"{tally} after {duration(tally.seconds)}")
        for line in _first_problem(tally):
            self._write(line)

    def _write(self, line: str) -> None:
        self._stream.write(f"podium: {line}\n")
        self._stream.flush()


class NotebookBar(Progress):
    """A bar in the output of a notebook cell, redrawn in place.

    Parameters
    ----------
    display : callable
        IPython's `display`: with ``display_id=True`` it returns a handle whose `update` replaces what is shown.
    every : float, default 0.3
        Seconds between two drawings.
    """

    def __init__(self, display: Callable[..., Any], every: float = 0.3) -> None:
        self._display = display
        self._every = every
        self._last = float("-inf")
        self._handle: Any = None

    def update(self, tally: Tally) -> None:
        """Draw the bar a few times a second."""
        now = time.monotonic()
        if now - self._last >= self._every:
            self._last = now
            self._draw(tally, [])

    def close(self, tally: Tally) -> None:
        """Draw the final state."""
        self._draw(tally, _first_problem(tally))

    def _draw(self, tally: Tally, problems: list[str]) -> None:
        shown = _Shown(tally, problems)
        if self._handle is None:
            self._handle = self._display(shown, display_id=True)
        else:
            self._handle.update(shown)


class _Shown:
    """The state of a run, as text and as HTML: what a notebook displays."""

    def __init__(self, tally: Tally, problems: list[str]) -> None:
        self._text = "\n".join([str(tally), *problems])
        self._ended, self._total = tally.ended, tally.total

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        lines = "<br>".join(html.escape(line) for line in self._text.split("\n"))
        value, most = (self._ended, self._total) if self._total else (1, 1)
        return f'<div><progress value="{value}" max="{most}" style="width:20em"></progress> {lines}</div>'


def notebook_display() -> Callable[..., Any] | None:
    """Return IPython's `display` inside a notebook; None elsewhere, also in IPython in a terminal.

    IPython is looked up among the imported modules: it is there if and only if it runs this code.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    display: Callable[..., Any] | None = getattr(sys.modules.get("IPython.display"), "display", None)
    return display


def _first_problem(tally: Tally) -> list[str]:
    record = tally.first_problem
    return [] if record is None else [f"First {record.status}: {record.key}. {record.message or record.error_type}"]


def progress_for(progress: object) -> Progress:
    """Choose by name.

    ``"auto"`` is a bar in a terminal and in a notebook. Elsewhere it is the log ``podium``, if that is enabled, and
    otherwise a line on standard error from time to time.
    """
    if not isinstance(progress, str):
        if callable(getattr(progress, "update", None)) and callable(getattr(progress, "close", None)):
            return cast(Progress, progress)
        raise InputError(
            f"{named('progress')} must be 'auto', 'bar', 'log' or 'quiet', or an object with `update` and `close`; "
            f"got {describe(progress)}."
        )
    check_choice(progress, ["auto", "bar", "log", "quiet"], "progress")
    if progress == "quiet":
        return Progress()
    if progress == "log":
        return Log()
    display = notebook_display()
    if display is not None:
        return NotebookBar(display)
    if progress == "bar" or (sys.stderr is not None and sys.stderr.isatty()):
        return Bar()
    if logger.isEnabledFor(logging.INFO) and logger.hasHandlers():
        return Log()
    return Progress() if sys.stderr is None else Lines()


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
