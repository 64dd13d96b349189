"""Interrupts that are noticed between two steps, so that no step is cut off."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def stop_requests() -> Iterator[Callable[[], bool]]:
    """Turn Ctrl-C and SIGTERM into a flag while the block runs; a second Ctrl-C interrupts at once.

    Yields a function that returns whether to stop. Handlers can be set in the main thread only, and one that other code
    has set is left alone; then the function always returns False.
    """
    requested = threading.Event()
    before: dict[signal.Signals, Any] = {}

    def request(number: int, frame: FrameType | None) -> None:
        if requested.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        requested.set()

    if threading.current_thread() is threading.main_thread():
        for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
            if signal.getsignal(number) == usual:
                before[number] = signal.signal(number, request)
    try:
        yield requested.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
