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
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, ParamSpec, TypeAlias, TypeVar

import cloudpickle

from podium.design.untrusted_text import safe_text, text_of
from podium.errors import ExecutionError
from podium.running.forkserver import Template, setup_for
from podium.running.isolation import Surroundings, surroundings
from podium.running.worker import HEADER, MARK, NO_MARK, SIGN

P = ParamSpec("P")
T = TypeVar("T")

_LONGEST_WAIT = 3600.0  # seconds; the operating system refuses waits of weeks
_LARGEST_MESSAGE = 2**32
_BYTES_AT_ONCE = 2**20
_MAX_OUTPUT = 50_000  # bytes of what tasks print that are shown: less than a pipe holds, so this never waits
_MAX_STARTS = 3  # of the process of one task


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


class SetupError(ExecutionError):
    """Worker processes cannot be made: no task can be run."""


class TaskFuture(Future[T]):
    """The future of a task; `parts` is what the task has reported so far."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[Any] = []


# Checks a message of a task: what it has reported so far, "part" or "done", and what it reports now.
MessageCheck: TypeAlias = Callable[[list[Any], str, Any], bool]


@dataclass
class _Task:
    future: TaskFuture[Any]
    call: bytes
    is_valid: MessageCheck
    starts: int = 0


class _Inbox:
    """What has arrived of the messages of a worker: read without waiting, and never trusted."""

    def __init__(self) -> None:
        self._data = bytearray()

    def read(self, descriptor: int) -> list[bytes]:
        """Return the messages that are complete; EOFError at the end, ValueError for what is not a message."""
        arrived = os.read(descriptor, _BYTES_AT_ONCE)
        if not arrived:
            raise EOFError
        self._data += arrived
        messages = []
        while self._data:
            head = self._data[: HEADER.size]
            if not SIGN.startswith(head[: len(SIGN)]):
                raise ValueError("garbage")
            if len(head) < HEADER.size:
                break
            _, length = HEADER.unpack(head)
            if length > _LARGEST_MESSAGE:
                raise ValueError("garbage")
            if len(self._data) < HEADER.size + length:
                break
            messages.append(bytes(self._data[HEADER.size : HEADER.size + length]))
            del self._data[: HEADER.size + length]
        return messages


@dataclass
class _Slot:
    """One worker process and what it is doing."""

    number: int
    template: Template
    connection: Connection
    marks: mmap.mmap
    output: int
    inbox: _Inbox = field(default_factory=_Inbox)
    task: _Task | None = None
    why: str = ""
    ready: bool = False
    ending: bool = False
    killed: bool = False
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
        self.ending = self.killed = True
        self.template.kill(self.number)

    def close(self) -> None:
        """Give up what belongs to the process."""
        self.connection.close()
        self.marks.close()
        self.close_output()

    def close_output(self) -> None:
        """Close what the process prints to."""
        if self.output >= 0:
            os.close(self.output)
        self.output = -1


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
        Folder and path of modules of the processes, and environment variables that are set in them. They inherit the
        others from this process.
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
        self.workers = workers or os.cpu_count() or 1
        self.deadline = deadline
        self._on_part = on_part
        around = around or surroundings()
        around = around._replace(environ={**os.environ, **around.environ})
        self._setup = setup_for(initializer, tuple(initargs), around)
        self._template: Template | None = None
        self._waiting: deque[_Task] = deque()
        self._slots: dict[int, _Slot] = {}
        self._numbers = itertools.count()
        self._lock = threading.RLock()
        self._closed = False
        self._output_left = _MAX_OUTPUT
        try:
            self._wake_r, self._wake_w = os.pipe()
            self._thread = threading.Thread(target=self._supervise, name="podium pool", daemon=True)
            self._thread.start()
        except (OSError, RuntimeError) as error:
            raise SetupError(f"Worker processes cannot be started: {error}.") from error

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> TaskFuture[T]:
        """Queue a call; the future's exception is a `WorkerLost` if its process did not survive."""
        return self.submit_checked(_anything, fn, *args, **kwargs)

    def submit_checked(
        self, is_valid: MessageCheck, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> TaskFuture[T]:
        """Queue a call whose process is ended if it sends an invalid message."""
        future: TaskFuture[T] = TaskFuture()
        task = _Task(future, cloudpickle.dumps((fn, args, kwargs)), is_valid)
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
        except Exception as error:  # no files, threads or memory left: no caller may wait forever
            self._give_up(error)
        finally:
            for slot in self._slots.values():
                slot.close()  # a process that is not stuck then exits
            if self._template is not None:
                self._template.close()
            with self._lock:
                os.close(self._wake_r)
                os.close(self._wake_w)
                self._wake_w = -1

    def _give_up(self, error: Exception) -> None:
        """Fail all tasks: the pool can no longer do anything."""
        with self._lock:
            self._closed = True
            tasks = [slot.task for slot in self._slots.values() if slot.task is not None] + list(self._waiting)
            self._waiting.clear()
        for slot in self._slots.values():
            slot.task = None
            slot.kill()
        for task in tasks:
            if task.starts or task.future.set_running_or_notify_cancel():
                task.future.set_exception(SetupError(f"Worker processes cannot be started: {text_of(error)}."))

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
                if task.starts == 0 and not task.future.set_running_or_notify_cancel():
                    continue
                task.starts += 1
                try:
                    slot = idle.pop() if idle else self._start()
                except OSError:
                    self._waiting.appendleft(task)
                    if not self._slots:
                        raise
                    self.workers = len(self._slots)  # the system has no room for more of them
                    return
                slot.give(task)

    def _start(self) -> _Slot:
        if self._template is None:
            self._template = Template(self._setup)
        with ExitStack() as on_error:
            here, there = Pipe()
            on_error.callback(here.close)
            with there, tempfile.TemporaryFile() as shared:
                shared.truncate(MARK.size)
                shared.flush()
                marks = mmap.mmap(shared.fileno(), MARK.size)
                output, printed = os.pipe()
                slot = _Slot(next(self._numbers), self._template, here, marks, output)
                self._template.fork(slot.number, [there.fileno(), shared.fileno(), printed])
                os.close(printed)
            on_error.pop_all()
        self._slots[slot.number] = slot
        return slot

    def _listen(self) -> None:
        """Wait for a message, the end of a process, new work or a deadline, and handle it."""
        by_connection = {slot.connection: slot for slot in self._slots.values() if not slot.connection.closed}
        by_output = {slot.output: slot for slot in self._slots.values() if slot.output >= 0}
        sources: list[Any] = [self._wake_r, *by_connection, *by_output]
        if self._template is not None:
            sources.append(self._template.connection)
        ready = wait(sources, timeout=self._patience())
        if self._wake_r in ready:
            os.read(self._wake_r, 4096)
        for connection, slot in by_connection.items():
            if connection in ready:
                self._read(slot)
        for output, slot in by_output.items():
            if output in ready:
                self._show(slot)
        if self._template is not None and self._template.connection in ready:
            self._read_template(self._template)

    def _show(self, slot: _Slot) -> None:
        """Show what a task prints, up to a limit; the rest is read and discarded."""
        with suppress(OSError):
            printed = os.read(slot.output, _BYTES_AT_ONCE)
            if not printed:
                slot.close_output()
            elif self._output_left > 0:
                text = safe_text(printed[: self._output_left].decode(errors="backslashreplace"), 2 * _MAX_OUTPUT)
                self._output_left -= len(printed)
                if self._output_left <= 0:
                    text += "\npodium: further output of the trials is not shown\n"
                with suppress(BlockingIOError):
                    os.write(2, text.encode())

    def _read_template(self, template: Template) -> None:
        """Handle a message of the template; its end is the end of all its workers."""
        try:
            kind, content = template.connection.recv()
        except (EOFError, OSError):
            self._drop_template("its process ended", usable=True)
            return
        if kind == "ready":
            template.ready = True
        elif kind == "unusable":
            self._drop_template(content, usable=False)
        elif kind == "ended":
            number, how = content
            slot = self._slots[number]
            while not slot.connection.closed and slot.connection.poll():
                self._read(slot)
            while slot.output >= 0 and wait([slot.output], 0):
                self._show(slot)
            self._lose(slot, slot.why or (how if isinstance(how, str) else _cause(how)))

    def _drop_template(self, why: str, *, usable: bool) -> None:
        for slot in list(self._slots.values()):
            MARK.pack_into(slot.marks, 0, NO_MARK, 0.0)  # it is not known which of its workers is to blame
            slot.timed_out = False
            self._lose(slot, why, usable=usable)
        template, self._template = self._template, None
        assert template is not None
        template.close()

    def _patience(self) -> float | None:
        if self.deadline is None:
            return None
        left = [slot.begun + self.deadline - time.monotonic() for slot in self._slots.values() if slot.ticking]
        return min(max(0.0, min(left)), _LONGEST_WAIT) if left else None

    def _read(self, slot: _Slot) -> None:
        """Read and handle the messages of a worker; end it if its connection ends or a message is invalid."""
        try:
            messages = slot.inbox.read(slot.connection.fileno())
        except (EOFError, OSError):
            slot.connection.close()
            slot.ending = True
            slot.template.sever(slot.number)
            return
        except ValueError:
            self._refuse(slot)
            return
        for message in messages:
            if not slot.why:
                self._handle(slot, message)

    def _refuse(self, slot: _Slot) -> None:
        slot.connection.close()
        slot.why = "it wrote into the connection of its process"
        slot.kill()

    def _handle(self, slot: _Slot, message: bytes) -> None:
        try:
            kind, content, *last = cloudpickle.loads(message)
        except BaseException as error:
            text = f"The outcome of a task cannot be read: {text_of(error)}"
            kind, content, last = "error", ExecutionError(text), [True]
        if kind == "ready":
            slot.ready, slot.since = True, time.monotonic()
        elif slot.task is None:
            slot.kill()  # it sends nothing valid
        elif kind in ("part", "done") and not slot.task.is_valid(slot.task.future.parts, kind, content):
            self._refuse(slot)
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

    def _lose(self, slot: _Slot, cause: str, *, usable: bool = True) -> None:
        """Remove a process that has ended from the pool, and fail the one task it had.

        If the process had not begun, the task is not to blame: another process gets it.
        """
        with self._lock:
            del self._slots[slot.number]
        mark = slot.mark
        slot.close()
        if slot.task is None:
            return
        if not slot.ready and usable and slot.task.starts < _MAX_STARTS and not slot.killed:
            with self._lock:
                self._waiting.appendleft(slot.task)
        elif slot.ready or (slot.killed and usable):
            message = f"ended after {self.deadline:g} s" if slot.timed_out else cause
            slot.task.future.set_exception(WorkerLost(message, mark, slot.timed_out))
        else:
            slot.task.future.set_exception(SetupError(f"A worker process could not be set up: {cause.strip()}"))


def _anything(parts: list[Any], kind: str, content: Any) -> bool:
    return True


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
