"""A worker process: it receives calls, sends outcomes, and ends with its connection."""

from __future__ import annotations

import mmap
import os
import struct
import time
from multiprocessing.connection import Connection
from typing import Any

import cloudpickle

from podium.design.untrusted_text import name_of, text_of

HEADER = struct.Struct("<8sQ")  # before each message to the pool: a sign that it is one, and its length
SIGN = b"podium\x00\x01"
MARK = struct.Struct("<qd")  # the number of the current step, and when it began (system-wide monotonic clock)
NO_MARK = -1

_dumps, _write = cloudpickle.dumps, os.write  # a task may replace them
_connection: Connection | None = None
_marks: mmap.mmap | None = None
_process = 0  # the process that is the worker; one that it forks is not
_retiring = False


def mark(number: int) -> None:
    """Mark the step the running task is at, so that the pool knows it after a crash; the deadline restarts.

    This takes a microsecond: the mark is written to memory shared with the pool. Outside a pool nothing happens.
    """
    if _marks is not None:
        MARK.pack_into(_marks, 0, number, time.monotonic())


def report(part: Any) -> bool:
    """Send a part of the running task's outcome to the pool: it is safe there whatever happens next.

    Return whether there is a pool.
    """
    if _connection is None:
        return False
    _send(_connection, ("part", part))
    return True


def retire() -> None:
    """End this process after the running task; the pool replaces it."""
    global _retiring
    _retiring = True


def end_copies() -> None:
    """End this process if it is a copy of the worker: a task called `os.fork` and returned in both processes."""
    if _process and os.getpid() != _process:
        os._exit(0)


def _leave() -> None:
    """Give up what belongs to the worker, in a process that it forked."""
    global _connection, _marks
    if _connection is not None:
        _connection.close()
    _connection = _marks = None


def serve(descriptor: int, marks: int) -> None:
    """Serve calls until the pool closes the connection, or until this process retires."""
    global _connection, _marks, _process
    _process = os.getpid()
    _connection = connection = Connection(descriptor)
    _marks = mmap.mmap(marks, MARK.size)
    os.close(marks)
    os.register_at_fork(after_in_child=_leave)
    try:
        _send(connection, ("ready", None))
        while not _retiring:
            _answer(connection, connection.recv_bytes())
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass


def _answer(connection: Connection, call: bytes) -> None:
    try:
        function, args, kwargs = cloudpickle.loads(call)
        kind, outcome = "done", function(*args, **kwargs)
    except (BrokenPipeError, ConnectionResetError):  # of `report`: the pool is gone
        raise
    except BaseException as error:
        kind, outcome = "error", error
    end_copies()
    try:
        _send(connection, (kind, outcome, _retiring))
    except OSError:
        raise
    except BaseException as error:  # describe what cannot be sent
        text = f"the outcome of a task could not be sent: {text_of(error)}"
        text += f"; {name_of(outcome)}: {text_of(outcome)}" if isinstance(outcome, BaseException) else ""
        _send(connection, ("error", RuntimeError(text), _retiring))


def _send(connection: Connection, content: Any) -> None:
    message = _dumps(content)
    rest = memoryview(HEADER.pack(SIGN, len(message)) + message)
    while rest:
        rest = rest[_write(connection.fileno(), rest) :]
