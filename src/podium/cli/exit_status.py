"""What the exit status of a command means; `podium --help` lists them.

Ctrl-C ends with one line and one exit status, whatever it cuts off.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType

DONE = 0
DAMAGED = 1
READER_GONE = 1
WRONG = 2
FAILED_TRIALS = 3
UNFINISHED = 4
INTERRUPTED = 130

FAILURES = ("failed", "timeout", "crashed")  # statuses of trials that went wrong; skipped ones did not


def of_run(counts: Mapping[str, int]) -> int:
    """Return the exit status of a run from its numbers of trials by status.

    >>> of_run({"done": 10, "failed": 0}), of_run({"done": 9, "failed": 1}), of_run({"failed": 1, "left": 2})
    (0, 3, 4)
    """
    if counts.get("left", 0):
        return UNFINISHED
    return FAILED_TRIALS if any(counts.get(status, 0) for status in FAILURES) else DONE


class _Handler:
    """The usual handler of Ctrl-C, which also remembers that it was called.

    An import or a library that is cut off may turn the interrupt into an error of its own.
    """

    as_usual = True  # a run may replace it, as it may replace Python's

    def __init__(self) -> None:
        self.called = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.called = True
        raise KeyboardInterrupt


@contextmanager
def errors_of_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt in place of any error that follows Ctrl-C."""
    before = signal.getsignal(signal.SIGINT)
    handler = before if isinstance(before, _Handler) else _Handler()  # a verb may call others
    usual = before == signal.default_int_handler and threading.current_thread() is threading.main_thread()
    if usual:
        signal.signal(signal.SIGINT, handler)
    try:
        yield
    except Exception as error:
        if handler.called:
            raise KeyboardInterrupt from error
        raise
    finally:
        if usual:
            signal.signal(signal.SIGINT, before)


def interrupted(name: str, message: str = "interrupted.") -> int:
    """Say in one line that the user has stopped a command; return the exit status."""
    fresh_line = "\n" if sys.stderr.isatty() else ""  # the terminal has echoed ^C, perhaps after a progress bar
    print(f"{fresh_line}{name}: {message}", file=sys.stderr, flush=True)
    exec("")  # Python would end by the signal, not with our status, if Ctrl-C had cut off an `exec`, as dataclasses use
    return INTERRUPTED
