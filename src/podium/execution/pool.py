"""A small supervised pool of processes: a crash or a deadline costs one task and never another one.

The pools of the standard library drop all their work when one process dies, and cannot end a task that hangs. Here each
slot has one process, one connection and one deadline. A task may report parts of its outcome and mark which step it is
at; what it reported before its process died is not lost, and the mark shows which step killed it.
"""

from __future__ import annotations

import itertools
import mmap
import os
import signal
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, ParamSpec, TypeVar

import cloudpickle

from podium.errors import ExecutionError
from podium.execution.isolation import Surroundings, surroundings
from podium.execution.nursery import Template, setup_for
from podium.execution.worker import MARK, NO_MARK

P = ParamSpec("P")
T = TypeVar("T")

_LONGEST_WAIT = 3600.0  # seconds; the operating system refuses waits of weeks


class WorkerLost(ExecutionError):
    """The process of a task died, or was ended at its deadline.

    Attributes
    ----------
    mark : int
        The step it was at; -1 if it had not begun.
    timed_out : bool
        True if the pool ended it at the deadline.
    """

    def __init__(self, message: str, mark: int, timed_out: bool) -> None:
        super().__init__(message)
        self.mark = mark
        self.timed_out = timed_out

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.mark, self.timed_out)


class TaskFuture(Future[T]):
    """The future of a task; `parts` is what the task has reported so far."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[Any] = []


@dataclass
class _Task:
    future: TaskFuture[Any]
    call: bytes


@dataclass
class _Slot:
    """One worker process and what it is doing."""

    number: int
    template: Template
    connection: Connection
    marks: mmap.mmap
    task: _Task | None = None
    ready: bool = False
    ending: bool = False
    timed_out: bool = False
    since: float = 0.0

    @property
    def idle(self) -> bool:
        """Whether it can be given a task."""
        return self.task is None and not self.ending

    @property
    def ticking(self) -> bool:
        """Whether the deadline runs: there is a task, and the process is there."""
        return self.task is not None and self.ready and not self.ending

    @property
    def begun(self) -> float:
        """When the task, or the part of it that is marked, began."""
        return max(self.since, float(MARK.unpack_from(self.marks)[1]))

    @property
    def mark(self) -> int:
        """The step the task is at."""
        return int(MARK.unpack_from(self.marks)[0])

    def give(self, task: _Task) -> None:
        """Send a task to the process; if the process is gone, the supervisor notices."""
        MARK.pack_into(self.marks, 0, NO_MARK, 0.0)
        self.task, self.since = task, time.monotonic()
        with suppress(OSError):
            self.connection.send_bytes(task.call)

    def kill(self) -> None:
        """End the process and all processes it started, at once."""
        self.ending = True
        self.template.kill(self.number)


class SupervisedPool(Executor):
    """Processes under supervision, with the interface of `concurrent.futures.Executor`.

    Parameters
    ----------
    workers : int, default: number of cores
    deadline : float, optional
        Seconds a task may go without finishing or setting a mark; then its process is ended.
    initializer, initargs : callable and its arguments
        Called once in every new process.
    on_part : callable, optional
        Called with every part that a task reports, in a thread of the pool, before the task's future is done.
    around : Surroundings, default: those of this process
        Folder, environment variables and path of modules of the processes.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        deadline: float | None = None,
        initializer: Callable[..., Any] | None = None,
        initargs: Sequence[Any] = (),
        on_part: Callable[[Any], Any] | None = None,
        around: Surroundings | None = None,
    ) -> None:
        if os.name != "posix":
            raise ExecutionError("Trials run in processes that need a POSIX system.")
        self.workers = workers or os.cpu_count() or 1
        self.deadline = deadline
        self._on_part = on_part
        self._setup = setup_for(initializer, tuple(initargs), around or surroundings())
        self._template: Template | None = None
        self._waiting: deque[_Task] = deque()
        self._slots: dict[int, _Slot] = {}
        self._numbers = itertools.count()
        self._lock = threading.RLock()
        self._closed = False
        self._wake_r, self._wake_w = os.pipe()
        self._thread = threading.Thread(target=self._supervise, name="podium pool", daemon=True)
        self._thread.start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> TaskFuture[T]:
        """Queue a call; the future's exception is a `WorkerLost` if its process did not survive."""
        future: TaskFuture[T] = TaskFuture()
        task = _Task(future, cloudpickle.dumps((fn, args, kwargs)))
        with self._lock:
            if self._closed:
                raise RuntimeError("the pool is closed")
            self._waiting.append(task)
            self._wake()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the work finish (or cancel what has not begun), then end all processes."""
        self._close(cancel=cancel_futures)
        if wait:
            self._thread.join()

    def kill(self) -> None:
        """End all processes at once; running tasks fail with `WorkerLost`."""
        self._close(cancel=True, kill=True)
        self._thread.join()

    def _close(self, *, cancel: bool, kill: bool = False) -> None:
        with self._lock:
            self._closed = True
            while cancel and self._waiting:
                self._waiting.popleft().future.cancel()
            for slot in self._slots.values() if kill else ():
                slot.kill()
            self._wake()

    def _wake(self) -> None:
        if self._wake_w >= 0:
            os.write(self._wake_w, b"x")

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
            for slot in self._slots.values():
                slot.connection.close()  # a process that is not stuck then exits
            if self._template is not None:
                self._template.close()
            with self._lock:
                os.close(self._wake_r)
                os.close(self._wake_w)
                self._wake_w = -1

    def _finished(self) -> bool:
        with self._lock:
            busy = any(slot.task for slot in self._slots.values())
            return self._closed and not busy and not self._waiting

    def _fill_slots(self) -> None:
        """Give waiting tasks to idle processes; start processes while there is work for them."""
        with self._lock:
            idle = [slot for slot in self._slots.values() if slot.idle]
            while self._waiting and (idle or len(self._slots) < self.workers):
                task = self._waiting.popleft()
                if task.future.set_running_or_notify_cancel():
                    (idle.pop() if idle else self._start()).give(task)

    def _start(self) -> _Slot:
        if self._template is None:
            self._template = Template(self._setup)
        here, there = Pipe()
        with tempfile.TemporaryFile() as shared:
            shared.truncate(MARK.size)
            shared.flush()
            slot = _Slot(next(self._numbers), self._template, here, mmap.mmap(shared.fileno(), MARK.size))
            self._template.fork(slot.number, [there.fileno(), shared.fileno()])
        there.close()
        self._slots[slot.number] = slot
        return slot

    def _listen(self) -> None:
        """Wait for a message, the end of a process, new work or a deadline, and handle it."""
        by_connection = {slot.connection: slot for slot in self._slots.values() if not slot.connection.closed}
        sources: list[Any] = [self._wake_r, *by_connection]
        if self._template is not None:
            sources.append(self._template.connection)
        ready = wait(sources, timeout=self._patience())
        if self._wake_r in ready:
            os.read(self._wake_r, 4096)
        for connection, slot in by_connection.items():
            if connection in ready:
                self._read(slot)
        if self._template is not None and self._template.connection in ready:
            self._hear_of(self._template)

    def _hear_of(self, template: Template) -> None:
        """Handle a message of the template; its end is the end of all its workers."""
        try:
            kind, content = template.connection.recv()
        except (EOFError, OSError):
            self._drop_template("its process ended")
            return
        if kind == "ready":
            template.ready = True
        elif kind == "unusable":
            self._drop_template(content)
        elif kind == "ended":
            number, status = content
            slot = self._slots[number]
            while not slot.connection.closed and slot.connection.poll():
                self._read(slot)
            self._lose(slot, _cause(status))

    def _drop_template(self, why: str) -> None:
        for slot in list(self._slots.values()):
            MARK.pack_into(slot.marks, 0, NO_MARK, 0.0)  # which of its workers is to blame is not known
            slot.timed_out = False
            self._lose(slot, why)
        template, self._template = self._template, None
        assert template is not None
        template.close()

    def _patience(self) -> float | None:
        if self.deadline is None:
            return None
        left = [slot.begun + self.deadline - time.monotonic() for slot in self._slots.values() if slot.ticking]
        return min(max(0.0, min(left)), _LONGEST_WAIT) if left else None

    def _read(self, slot: _Slot) -> None:
        """Read and handle one message of a worker. A connection that ends, or makes no sense, ends its worker."""
        try:
            message = slot.connection.recv_bytes()
        except (EOFError, OSError):
            slot.connection.close()
            slot.kill()
            return
        try:
            kind, content, *last = cloudpickle.loads(message)
        except Exception as error:
            kind, content, last = "error", ExecutionError(f"The outcome of a task cannot be read: {error!r}."), [True]
        if kind == "ready":
            slot.ready, slot.since = True, time.monotonic()
        elif slot.task is None:
            slot.kill()  # it has nothing to say
        elif kind == "part":
            slot.task.future.parts.append(content)
            if self._on_part is not None:
                self._on_part(content)
        else:
            future, slot.task = slot.task.future, None
            if last == [True]:
                slot.kill()
            if kind == "done":
                future.set_result(content)
            else:
                future.set_exception(content)

    def _enforce_deadlines(self) -> None:
        if self.deadline is None:
            return
        for slot in list(self._slots.values()):
            if slot.ticking and time.monotonic() - slot.begun > self.deadline:
                slot.timed_out = True
                slot.kill()

    def _lose(self, slot: _Slot, cause: str) -> None:
        """Remove a process that has ended from the pool, and fail the one task it had."""
        with self._lock:
            del self._slots[slot.number]
        mark = slot.mark
        slot.connection.close()
        slot.marks.close()
        if slot.task is None:
            return
        if slot.template.ready:
            message = f"ended after {self.deadline:g} s" if slot.timed_out else cause
            error: ExecutionError = WorkerLost(message, mark, slot.timed_out)
        else:
            error = ExecutionError(f"A worker process could not be set up: {cause.strip()}")
        slot.task.future.set_exception(error)


def _cause(status: int) -> str:
    """Put an exit status into words.

    >>> _cause(-6), _cause(3)
    ('killed by signal SIGABRT', 'the process exited with status 3')
    """
    if status >= 0:
        return f"the process exited with status {status}"
    hint = " (often for lack of memory)" if -status == signal.SIGKILL else ""
    try:
        return f"killed by signal {signal.Signals(-status).name}{hint}"
    except ValueError:
        return f"killed by signal {-status}"
