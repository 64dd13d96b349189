"""The process in a slot of the pool: connect, take calls, answer, until the connection ends."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import cloudpickle

_connection: Connection | None = None


def report(part: Any) -> None:
    """Send a part of the running task's outcome to the pool; it also starts the task's deadline anew.

    Outside a process of the pool this does nothing.
    """
    if _connection is not None:
        _connection.send(("part", part))


def serve(descriptor: int) -> None:
    """Serve calls until the pool closes the connection."""
    global _connection
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    _connection = Connection(descriptor)
    try:
        memory, initializer, initargs, path = cloudpickle.loads(_connection.recv_bytes())
        sys.path[:] = path
        limit_memory(memory)
        if initializer is not None:
            initializer(*initargs)
        _connection.send(("ready", None))
        while True:
            _answer(_connection, *cloudpickle.loads(_connection.recv_bytes()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass


def _answer(connection: Connection, function: Callable[..., Any], args: Any, kwargs: Any) -> None:
    try:
        outcome = ("done", function(*args, **kwargs))
    except Exception as error:
        outcome = ("error", error)
    try:
        connection.send(outcome)
    except (TypeError, AttributeError, ValueError) as error:  # what cannot be sent is told in words
        connection.send(("error", RuntimeError(f"the outcome of a task could not be sent: {error!r}; {outcome[1]!r}")))


def limit_memory(limit: int | None) -> None:
    """Limit the address space of this process, where the system can."""
    if limit is None:
        return
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


if __name__ == "__main__":
    from podium.execution import worker  # this file under its own name, so that `report` finds the connection

    worker.serve(int(sys.argv[1]))
