"""Interrupts that are noticed between two steps, so that no step is cut off."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

MEMORY = ":memory:"


class RunInterrupted(KeyboardInterrupt):
    """A run was stopped by Ctrl-C or SIGTERM.

    Attributes
    ----------
    kept, total : int
        How many of the trials of this run had ended, and are in the warehouse.
    warehouse : str
        Its file or address; ``":memory:"`` if it was only in memory.
    """

    def __init__(self, kept: int, total: int, warehouse: str) -> None:
        super().__init__(kept, total, warehouse)
        self.kept, self.total, self.warehouse = kept, total, warehouse

    @property
    def what_was_kept(self) -> str:
        """What was kept, and where, as a sentence without its full stop."""
        kept = f"stopped; {self.kept:,} of {self.total:,} trials"
        if self.warehouse == MEMORY:
            return f"{kept} had ended, and were in memory only"
        return f"{kept} are kept in {self.warehouse!r}"

    def __str__(self) -> str:
        if self.warehouse == MEMORY:
            return f"{self.what_was_kept}. To keep them: podium.run(experiment, 'FILE.db')"
        return f"{self.what_was_kept}. To resume: podium.run(experiment, {self.warehouse!r})"


@contextmanager
def stop_requests() -> Iterator[Callable[[], bool]]:
    """Turn Ctrl-C and SIGTERM into a flag while the block runs; a second Ctrl-C interrupts at once.

    Yields a function that returns whether to stop. Handlers can be set in the main thread only, and one that other code
    has set is left alone, unless it has the attribute ``as_usual``; then the function always returns False.
    """
    requested = threading.Event()
    before: dict[signal.Signals, Any] = {}

    def request(number: int, frame: FrameType | None) -> None:
        if requested.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        requested.set()

    if threading.current_thread() is threading.main_thread():
        for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
            handler = signal.getsignal(number)
            if handler == usual or getattr(handler, "as_usual", False):
                before[number] = signal.signal(number, request)
    try:
        yield requested.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
