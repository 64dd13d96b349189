"""The progress of a run: a bar in a terminal or a notebook, lines in a log or on standard error, or nothing."""

from __future__ import annotations

import html
import logging
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TextIO

from podium.checks import check_call
from podium.progress import Bar, Log, Progress, check_progress, duration, logger, notebook_shell
from podium.store.record import TrialRecord, printable
from podium.store.status import short_lines

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
    undefined : dict of str to int
        Number of those that are done without a value, by measure.
    reasons : dict of str to str
        Why the first of them has none, by measure.
    started : float
        When the run began, by the monotonic clock.
    stopping : Decided, optional
        What a stopping rule has decided; `total` is then the number of trials at most.
    """

    total: int
    ended: int = 0
    problems: dict[str, int] = field(default_factory=dict)
    first_problem: TrialRecord | None = None
    undefined: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)
    stopping: Decided | None = None

    def add(self, record: TrialRecord) -> None:
        """Count one more trial."""
        self.ended += 1
        if record.status != "done":
            self.problems[record.status] = self.problems.get(record.status, 0) + 1
            self.first_problem = self.first_problem or record
        else:
            for name, reason in record.undefined.items():
                self.undefined[name] = self.undefined.get(name, 0) + 1
                self.reasons.setdefault(name, reason)

    @property
    def without_value(self) -> tuple[str, ...]:
        """The measures that have no value in any trial that is done."""
        done = self.ended - sum(self.problems.values())
        return tuple(name for name, count in self.undefined.items() if count == done)

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
        silent = "".join(f", {name} without a value" for name in self.without_value)
        return f"{self.ended:,} of {most}{self.total:,} trials, {self.rate:,.1f}/s{eta}{decided}{problems}{silent}"


class RunBar(Bar):
    """A bar in a terminal, redrawn in place; at the end with the problems."""

    def close(self, tally: Tally) -> None:
        """Draw the final state."""
        super().close(tally)
        self._stream.write("".join(f"{line}\n" for line in _problems(tally)))
        self._stream.flush()


class RunLog(Log):
    """A line in the log ``podium`` from time to time; at the end with the problems."""

    def close(self, tally: Tally) -> None:
        """Log how the run ended."""
        super().close(tally)
        if problem := _problems(tally):
            logger.warning("%s", " ".join(problem))


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
        for line in _problems(tally, taken=len("podium: ")):
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
        self._draw(tally, _problems(tally))

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
    """Return IPython's `display` inside a notebook; None elsewhere."""
    if notebook_shell() is None:
        return None
    return getattr(sys.modules.get("IPython.display"), "display", None)


def _problems(tally: Tally, taken: int = 0) -> list[str]:
    """Show the first trial that went wrong, and measures without any value; the warehouse has the whole messages."""
    record, texts = tally.first_problem, []
    if record is not None:
        texts.append(f"First {record.status}: {record.key}: {record.message or record.error_type}")
    texts += [f"{name} has no value in any trial: {tally.reasons[name]}" for name in tally.without_value]
    width = min(100, max(40, shutil.get_terminal_size((100, 24)).columns)) - taken
    return [line for text in texts for line in short_lines(printable(text), width)]


def progress_for(progress: object) -> Progress:
    """Choose by name.

    ``"auto"`` is a bar in a terminal and in a notebook. Elsewhere it is the log ``podium``, if that is enabled, and
    otherwise a line on standard error from time to time.
    """
    checked = check_progress(progress)
    if not isinstance(checked, str):
        return checked
    if checked == "quiet":
        return Progress()
    if checked == "log":
        return RunLog()
    display = notebook_display()
    if display is not None:
        return NotebookBar(display)
    if checked == "bar" or (sys.stderr is not None and sys.stderr.isatty()):
        return RunBar()
    if logger.isEnabledFor(logging.INFO) and logger.hasHandlers():
        return RunLog()
    return Progress() if sys.stderr is None else Lines()
