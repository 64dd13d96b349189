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
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, ParamSpec, TypeVar

import cloudpickle

from podium.errors import ExecutionError
from podium.execution.worker import MARK, NO_MARK

P = ParamSpec("P")
T = TypeVar("T")

_LONGEST_WAIT = 3600.0  # seconds; the operating system refuses waits of weeks
_GRACE_SECONDS = 5.0
# Numbers must not depend on how many processes share the machine, and sums in threads depend on their number.
_SINGLE_THREADED = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


class WorkerLost(ExecutionError):
    """The process of a task died, or was ended at its deadline.

    Attributes
    ----------
    parts : list
        What the task had reported before.
    mark : int
        The step it was at; -1 if it had not begun.
    timed_out : bool
        True if the pool ended it at the deadline.
    """

    def __init__(self, message: str, parts: list[Any], mark: int, timed_out: bool) -> None:
        super().__init__(message)
        self.parts = parts
        self.mark = mark
        self.timed_out = timed_out

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.parts, self.mark, self.timed_out)


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
    marks: mmap.mmap
    task: _Task | None = None
    ready: bool = False
    since: float = 0.0

    @property
    def ticking(self) -> bool:
        """Whether the deadline runs: there is a task, and the process has been set up."""
        return self.task is not None and self.ready

    @property
    def begun(self) -> float:
        """When the task, or the part of it that is marked, began."""
        return max(self.since, float(MARK.unpack_from(self.marks)[1]))

    @property
    def mark(self) -> int:
        """The step the task is at."""
        return int(MARK.unpack_from(self.marks)[0])

    def give(self, task: _Task) -> None:
        """Send a task to the process."""
        MARK.pack_into(self.marks, 0, NO_MARK, 0.0)
        self.task, self.since = task, time.monotonic()
        self.send(task.call)

    def send(self, message: bytes) -> None:
        """Send a message; if the process is gone, the supervisor notices."""
        with suppress(OSError):
            self.connection.send_bytes(message)

    def kill(self) -> None:
        """End the process and all processes it started, at once."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def join(self) -> None:
        """Wait for the end of the process; kill it if that takes long."""
        try:
            self.process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            self.process.wait()
        self.marks.close()


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
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        deadline: float | None = None,
        initializer: Callable[..., Any] | None = None,
        initargs: Sequence[Any] = (),
        on_part: Callable[[Any], Any] | None = None,
    ) -> None:
        if os.name != "posix":
            raise ExecutionError("The supervised pool needs a POSIX system; use executor='loky' or 'threads'.")
        self.workers = workers or os.cpu_count() or 1
        self.deadline = deadline
        self._on_part = on_part
        self._setup = cloudpickle.dumps((list(sys.path), cloudpickle.dumps((initializer, tuple(initargs)))))
        self._environment = {**dict.fromkeys(_SINGLE_THREADED, "1"), **os.environ}
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
            slots = list(self._slots.values())
            for slot in slots:
                slot.connection.close()  # a process that is not stuck then exits
            for slot in slots:
                slot.join()
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
            idle = [slot for slot in self._slots.values() if slot.task is None]
            while self._waiting and (idle or len(self._slots) < self.workers):
                task = self._waiting.popleft()
                if task.future.set_running_or_notify_cancel():
                    (idle.pop() if idle else self._start()).give(task)

    def _start(self) -> _Slot:
        here, there = Pipe()
        with tempfile.TemporaryFile() as shared:
            shared.truncate(MARK.size)
            shared.flush()
            descriptors = (there.fileno(), shared.fileno())
            # Not a fork: the threads of this process cannot harm it, and it never imports the user's script. In a
            # session of its own, it can be ended together with the processes that it starts.
            process = subprocess.Popen(
                [sys.executable, "-m", "podium.execution.worker", *map(str, descriptors), str(os.getpid())],
                pass_fds=descriptors,
                stdin=subprocess.DEVNULL,
                env=self._environment,
                start_new_session=True,
            )
            marks = mmap.mmap(shared.fileno(), MARK.size)
        there.close()
        slot = _Slot(next(self._numbers), process, here, marks)
        self._slots[slot.number] = slot
        slot.send(self._setup)
        return slot

    def _listen(self) -> None:
        """Wait for a message, the end of a process, new work or a deadline, and handle it."""
        by_connection = {slot.connection: slot for slot in self._slots.values()}
        for source in wait([*by_connection, self._wake_r], timeout=self._patience()):
            if source == self._wake_r:
                os.read(self._wake_r, 4096)
                continue
            slot = by_connection[source]  # type: ignore[index]
            try:
                message = slot.connection.recv_bytes()
            except (EOFError, OSError):
                self._lose(slot)
            else:
                self._receive(slot, message)

    def _patience(self) -> float | None:
        if self.deadline is None:
            return None
        left = [slot.begun + self.deadline - time.monotonic() for slot in self._slots.values() if slot.ticking]
        return min(max(0.0, min(left)), _LONGEST_WAIT) if left else None

    def _receive(self, slot: _Slot, message: bytes) -> None:
        try:
            kind, content = cloudpickle.loads(message)
        except Exception as error:
            kind, content = "error", ExecutionError(f"The outcome of a task cannot be read: {error!r}.")
        if kind == "ready":
            slot.ready, slot.since = True, time.monotonic()
        elif kind == "unusable":
            self._lose(slot, why=str(content))
        elif kind == "part":
            assert slot.task is not None
            slot.task.parts.append(content)
            if self._on_part is not None:
                self._on_part(content)
        else:
            assert slot.task is not None
            future, slot.task = slot.task.future, None
            if kind == "done":
                future.set_result(content)
            else:
                future.set_exception(content)

    def _enforce_deadlines(self) -> None:
        if self.deadline is None:
            return
        for slot in list(self._slots.values()):
            if slot.ticking and time.monotonic() - slot.begun > self.deadline:
                self._lose(slot, timed_out=True)

    def _lose(self, slot: _Slot, *, timed_out: bool = False, why: str = "") -> None:
        """Remove a process from the pool, and fail the one task it had."""
        with self._lock:
            del self._slots[slot.number]
        if timed_out:
            slot.kill()
        mark = slot.mark
        slot.connection.close()
        slot.join()
        status = slot.process.returncode
        if slot.task is None:
            return
        if slot.ready:
            message = f"ended after {self.deadline:g} s" if timed_out else _cause(status)
            error: ExecutionError = WorkerLost(message, slot.task.parts, mark, timed_out)
        else:
            error = ExecutionError(f"A worker process could not be set up: {why.strip() or _cause(status)}")
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
