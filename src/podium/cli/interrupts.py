"""Ctrl-C on the command line: one line and one exit status, whatever it cuts off."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from podium.cli.exit_status import INTERRUPTED


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
