"""A small supervised pool of processes: a crash or a deadline costs one task and never a neighbour.

The pools of the standard library give up all their work when one process dies, and cannot end a task that hangs.
Here each slot has one process, one connection and one deadline. A task may report parts of its outcome as it goes;
what it reported before its process died is not lost.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, ParamSpec, TypeVar

import cloudpickle

from podium.errors import ExecutionError

P = ParamSpec("P")
T = TypeVar("T")

_GRACE_SECONDS = 5.0


class WorkerLost(ExecutionError):
    """The process of a task died, or was ended at its deadline.

    Attributes
    ----------
    parts : list
        What the task had reported before.
    timed_out : bool
        True if the pool ended it at the deadline.
    """

    def __init__(self, message: str, parts: list[Any], timed_out: bool) -> None:
        super().__init__(message)
        self.parts = parts
        self.timed_out = timed_out


@dataclass
class _Task:
    future: Future[Any]
    call: bytes
    parts: list[Any] = field(default_factory=list)


@dataclass
class _Slot:
    """One process and what it is doing."""

    number: int
    process: subprocess.Popen[bytes]
    connection: Connection
    task: _Task | None = None
    ready: bool = False
    since: float = 0.0


class SupervisedPool(Executor):
    """Processes under supervision, with the interface of `concurrent.futures.Executor`.

    Parameters
    ----------
    workers : int, default: number of cores
    deadline : float, optional
        Seconds a task may go without finishing or reporting a part; then its process is ended.
    memory : int, optional
        Bytes of address space a process may use; beyond it, allocations fail with MemoryError.
    initializer, initargs : callable and its arguments
        Called once in every new process. Its outcome, if not None, is passed to nobody; use module state.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        deadline: float | None = None,
        memory: int | None = None,
        initializer: Callable[..., Any] | None = None,
        initargs: Sequence[Any] = (),
    ) -> None:
        if os.name != "posix":
            raise ExecutionError("The supervised pool needs a POSIX system; use executor='loky' or 'threads'.")
        self.workers = workers or os.cpu_count() or 1
        self.deadline = deadline
        self._setup = cloudpickle.dumps((memory, initializer, tuple(initargs), list(sys.path)))
        self._waiting: deque[_Task] = deque()
        self._slots: dict[int, _Slot] = {}
        self._numbers = itertools.count()
        self._lock = threading.RLock()
        self._closed = False
        self._wake_r, self._wake_w = os.pipe()
        self._thread = threading.Thread(target=self._supervise, name="podium pool", daemon=True)
        self._thread.start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Queue a call; the future's exception is a `WorkerLost` if its process did not survive."""
        future: Future[T] = Future()
        task = _Task(future, cloudpickle.dumps((fn, args, kwargs)))
        with self._lock:
            if self._closed:
                raise RuntimeError("the pool is closed")
            self._waiting.append(task)
        self._wake()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the work finish (or cancel what has not begun), then end all processes."""
        with self._lock:
            self._closed = True
            if cancel_futures:
                while self._waiting:
                    self._waiting.popleft().future.cancel()
        self._wake()
        if wait:
            self._thread.join()

    def kill(self) -> None:
        """End all processes at once; running tasks fail with `WorkerLost`."""
        with self._lock:
            self._closed = True
            while self._waiting:
                self._waiting.popleft().future.cancel()
            for slot in self._slots.values():
                slot.process.kill()
        self._wake()
        self._thread.join()

    # ---- the supervising thread ------------------------------------------------------------------------------------

    def _supervise(self) -> None:
        try:
            while True:
                self._fill_slots()
                if self._finished():
                    return
                self._listen()
                self._enforce_deadlines()
        finally:
            for slot in list(self._slots.values()):
                self._end(slot)
            os.close(self._wake_r)

    def _finished(self) -> bool:
        with self._lock:
            busy = any(slot.task for slot in self._slots.values())
            return self._closed and not busy and not self._waiting

    def _fill_slots(self) -> None:
        """Give waiting tasks to idle processes; start processes while there is work for them."""
        with self._lock:
            idle = [slot for slot in self._slots.values() if slot.task is None]
            while self._waiting and (idle or len(self._slots) < self.workers):
                slot = idle.pop() if idle else self._start()
                task = self._waiting.popleft()
                if not task.future.set_running_or_notify_cancel():
                    idle.append(slot)
                    continue
                slot.task, slot.since = task, time.monotonic()
                self._send(slot, task.call)

    def _start(self) -> _Slot:
        here, there = Pipe()
        command = [sys.executable, "-m", "podium.execution.worker", str(there.fileno())]
        # A process of its own, not a fork: threads of this one cannot hurt it, and it never imports the user's script.
        process = subprocess.Popen(command, pass_fds=[there.fileno()], stdin=subprocess.DEVNULL)
        there.close()
        slot = _Slot(next(self._numbers), process, here)
        self._slots[slot.number] = slot
        self._send(slot, self._setup)
        return slot

    def _send(self, slot: _Slot, message: bytes) -> None:
        try:
            slot.connection.send_bytes(message)
        except OSError:
            pass  # the process is gone; `_listen` finds out and says so

    def _listen(self) -> None:
        """Wait for a message, the end of a process, new work or a deadline, and handle all that came."""
        by_connection = {slot.connection: slot for slot in self._slots.values()}
        for source in wait([*by_connection, self._wake_r], timeout=self._patience()):
            if source == self._wake_r:
                os.read(self._wake_r, 4096)
                continue
            slot = by_connection[source]  # type: ignore[index]
            try:
                kind, content = slot.connection.recv()
            except (EOFError, OSError):
                self._lose(slot)
                continue
            self._receive(slot, kind, content)

    def _patience(self) -> float | None:
        if self.deadline is None:
            return None
        running = [slot.since + self.deadline - time.monotonic() for slot in self._slots.values() if _ticks(slot)]
        return max(0.0, min(running)) if running else None

    def _receive(self, slot: _Slot, kind: str, content: Any) -> None:
        slot.since = time.monotonic()
        if kind == "ready":
            slot.ready = True
            return
        task = slot.task
        assert task is not None
        if kind == "part":
            task.parts.append(content)
            return
        slot.task = None
        if kind == "done":
            task.future.set_result(content)
        else:
            task.future.set_exception(content)

    def _enforce_deadlines(self) -> None:
        if self.deadline is None:
            return
        for slot in list(self._slots.values()):
            if _ticks(slot) and time.monotonic() - slot.since > self.deadline:
                self._lose(slot, timed_out=True)

    def _lose(self, slot: _Slot, *, timed_out: bool = False) -> None:
        """Take a process out of the pool, and tell the one task it had."""
        self._end(slot, at_once=timed_out)
        if slot.task is None:
            return
        status = slot.process.returncode
        if not slot.ready:
            slot.task.future.set_exception(
                ExecutionError(f"A worker process could not be set up (exit status {status}); its output says why.")
            )
            return
        message = (
            f"ended after {self.deadline:g} s"
            if timed_out
            else f"killed by signal {-status}"
            if status is not None and status < 0
            else f"the process exited with status {status}"
        )
        slot.task.future.set_exception(WorkerLost(message, slot.task.parts, timed_out))

    def _end(self, slot: _Slot, *, at_once: bool = False) -> None:
        with self._lock:
            self._slots.pop(slot.number, None)
        if at_once:
            slot.process.kill()
        slot.connection.close()  # a healthy process sees the end of its connection and exits
        try:
            slot.process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            slot.process.kill()
            slot.process.wait()

    def _wake(self) -> None:
        try:
            os.write(self._wake_w, b"x")
        except OSError:
            pass  # the thread has ended


def _ticks(slot: _Slot) -> bool:
    """Tell whether the deadline runs: there is a task, and the process has been set up."""
    return slot.task is not None and slot.ready
