"""The worker process of the pool: connect, receive calls, send outcomes, until the connection ends."""

from __future__ import annotations

import mmap
import os
import signal
import struct
import sys
import threading
import time
import traceback
from multiprocessing.connection import Connection
from typing import Any

import cloudpickle

MARK = struct.Struct("<qd")  # the number of the current step, and when it began (system-wide monotonic clock)
NO_MARK = -1
_PARENT_CHECK_SECONDS = 0.5

_connection: Connection | None = None
_marks: mmap.mmap | None = None


def mark(number: int) -> None:
    """Mark the step the running task is at, so that the pool knows it after a crash; the deadline restarts.

    This takes a microsecond: the mark is written to memory shared with the pool. Outside a pool nothing happens.
    """
    if _marks is not None:
        MARK.pack_into(_marks, 0, number, time.monotonic())


def report(part: Any) -> None:
    """Send a part of the running task's outcome to the pool: it is safe there whatever happens next."""
    if _connection is not None:
        _connection.send(("part", part))


def serve(descriptor: int, marks: int, parent: int) -> None:
    """Serve calls until the pool closes the connection."""
    global _connection, _marks
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _connection = Connection(descriptor)
    _marks = mmap.mmap(marks, MARK.size)
    os.close(marks)
    try:
        if not _set_up(_connection):
            return
        while True:
            _answer(_connection, _connection.recv_bytes())
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass


def _set_up(connection: Connection) -> bool:
    try:
        sys.path[:], content = cloudpickle.loads(connection.recv_bytes())
        initializer, initargs = cloudpickle.loads(content)  # may need modules on that path
        if initializer is not None:
            initializer(*initargs)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        raise
    except Exception:
        connection.send(("unusable", traceback.format_exc()))
        return False
    connection.send(("ready", None))
    return True


def _answer(connection: Connection, call: bytes) -> None:
    try:
        function, args, kwargs = cloudpickle.loads(call)
        outcome = ("done", function(*args, **kwargs))
    except (BrokenPipeError, ConnectionResetError):  # of `report`: the pool is gone
        raise
    except Exception as error:
        outcome = ("error", error)
    try:
        connection.send(outcome)
    except (TypeError, AttributeError, ValueError) as error:  # describe what cannot be sent
        connection.send(("error", RuntimeError(f"the outcome of a task could not be sent: {error!r}; {outcome[1]!r}")))


def _end_with(parent: int) -> None:
    """End this process and its children when the parent is gone, even while a task hangs."""
    while os.getppid() == parent:
        time.sleep(_PARENT_CHECK_SECONDS)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    from podium.execution import worker  # this file under its own name, so that `report` finds the connection

    worker.serve(*map(int, sys.argv[1:]))
