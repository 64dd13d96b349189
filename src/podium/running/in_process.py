"""Running trials in this process, one after the other, where worker processes cannot be forked.

Numbers are the same unless an algorithm leaves something behind that others see. Limits are not enforced and crashes
are not contained: a trial that ends its process ends this one.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from podium.running.pool import MessageCheck, TaskFuture

P = ParamSpec("P")
T = TypeVar("T")

_one_at_a_time = threading.Lock()  # trials seed the generators of the process


class InProcessPool(ThreadPoolExecutor):
    """One thread, with the interface of the supervised pool."""

    def __init__(self, initializer: Callable[..., Any], initargs: Sequence[Any]) -> None:
        super().__init__(1, initializer=initializer, initargs=tuple(initargs))
        logging.getLogger("podium").warning(
            "This system cannot fork processes: trials run in one process, without limits, and a crash ends the run. "
            "With a process pool or loky as executor, several run at a time."
        )

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> TaskFuture[T]:
        """Queue a call."""
        future: TaskFuture[T] = TaskFuture()

        def call() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                with _one_at_a_time:
                    outcome = fn(*args, **kwargs)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(outcome)

        # A call that is cancelled before it begins cancels the future that others wait for.
        super().submit(call).add_done_callback(lambda queued: queued.cancelled() and future.cancel())
        return future

    def submit_checked(
        self, is_valid: MessageCheck, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> TaskFuture[T]:
        """Queue a call; it returns its outcome in this process, so the outcome need not be checked."""
        return self.submit(fn, *args, **kwargs)

    def kill(self) -> None:
        """Cancel what has not begun; what runs cannot be ended."""
        self.shutdown(wait=True, cancel_futures=True)
