"""Starting worker processes: forks of a process that has imported everything and run nothing.

A fresh interpreter takes seconds to import what trials need; a fork of one that has done so takes milliseconds. Three
generations: the *fork server* (one for each process that runs experiments, kept until that process ends) has imported
podium; a *template* (one for each pool), a fork of the server, has installed an experiment; the *workers*, forks of the
template, run trials. Server and template run no trial and no thread, so each fork begins in the same state.

No generation outlives the one before it, however that ended: the system signals the death of a parent (Linux), and the
connection to it ends. When a worker ends, all processes that it has started, directly or not, are ended too.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import io
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import cloudpickle

from podium.design.untrusted_text import traceback_of
from podium.running import isolation, worker
from podium.running.environment import environment
from podium.running.isolation import FIXED_VARIABLES, Surroundings

REQUEST = struct.Struct("<qq")  # what is asked for, and the number of the child (or of bytes that follow)
FORK, KILL, SEVERED, CLOSE, IMPORT = 1, 2, 3, 4, 5
_LENGTH = struct.Struct("<q")
_MAX_DESCRIPTORS = 3
_FORK_SERVER_ATTEMPTS = 3
_GRACE_SECONDS = 2.0
_DYING_SECONDS = 0.2  # a process that is dying closes its files a moment before it is dead
_SET_PDEATHSIG, _SET_CHILD_SUBREAPER = 1, 36  # of Linux's prctl
LATE_IMPORTS = (
    "scipy.interpolate",
    "scipy.optimize",
    "scipy.spatial",
    "sklearn.covariance",
    "sklearn.ensemble",
    "sklearn.linear_model",
    "sklearn.svm",
)
_LIBRARIES = (
    "numpy.",
    "scipy.",
    "sklearn.",
    "pandas.",
    "joblib.",
    "podium.examples.",
    "podium.design.",
    "podium.store.",
)


def supported() -> bool:
    """Return whether this system can fork processes and hand open files to them."""
    return hasattr(os, "fork") and hasattr(socket, "send_fds") and hasattr(socket, "AF_UNIX")


# ---- in the process that runs experiments ----------------------------------------------------------------------------


class _ForkServer:
    """The fork server of this process, started on first use."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._lock = threading.Lock()
        self._started = threading.Event()
        self._here, there = socket.socketpair()
        self._failure: Exception | None = None
        # The system signals the end of the *thread* that started a process: this one stays.
        threading.Thread(target=self._start, args=(there,), name="podium fork server", daemon=True).start()
        self._started.wait()
        if self._failure is not None:
            raise self._failure
        self._imported = set(_loaded())
        with suppress(OSError):
            _send(self._here, sorted(self._imported))
        atexit.register(self.close)

    def _start(self, there: socket.socket) -> None:
        root = str(Path(__file__).parents[2])
        code = "import sys; sys.path.append(sys.argv[1]); from podium.running import forkserver; forkserver.main()"
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-c", code, root, str(there.fileno()), str(os.getpid())],
                pass_fds=[there.fileno()],
                stdin=subprocess.DEVNULL,
                env={**os.environ, **FIXED_VARIABLES},
                start_new_session=True,
            )
        except OSError as error:
            self._failure = error
            return
        finally:
            there.close()
            self._started.set()
        self.process.wait()

    def fork(self, descriptor: int) -> None:
        """Ask for a template that serves this connection, and that has what this process has imported by now."""
        with self._lock:
            if late := set(_loaded()) - self._imported:
                names = cloudpickle.dumps(sorted(late))
                self._here.sendall(REQUEST.pack(IMPORT, len(names)) + names)
                self._imported |= late
            socket.send_fds(self._here, [REQUEST.pack(FORK, 0)], [descriptor])

    def share(self) -> None:
        """Use it in a process that was forked from its owner, for as long as the owner lives."""
        self._lock = threading.Lock()

    def close(self) -> None:
        """End the fork server."""
        if self.owner == os.getpid():
            with suppress(OSError):
                self._here.shutdown(socket.SHUT_RDWR)  # processes that share the server may have the connection, too
            self._here.close()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(_GRACE_SECONDS)


_server: _ForkServer | None = None
_server_lock = threading.Lock()


def _server_of_this_process(*, renew: bool = False) -> _ForkServer:
    global _server
    with _server_lock:
        if renew or _server is None:
            _server = _ForkServer()
        return _server


def _forget() -> None:
    global _server_lock
    _server_lock = threading.Lock()  # another thread may have held it when this process was forked
    if _server is not None:
        _server.share()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


class Template:
    """The template of a pool: forks workers, kills them, and says when one has ended and how."""

    def __init__(self, setup: bytes) -> None:
        self.ready = False
        here, there = socket.socketpair()
        for attempt in range(_FORK_SERVER_ATTEMPTS):
            try:
                _server_of_this_process(renew=attempt > 0).fork(there.fileno())
                break
            except OSError:  # the fork server has been killed, perhaps as soon as it was started
                if attempt == _FORK_SERVER_ATTEMPTS - 1:
                    raise
        there.close()
        self._socket = here
        self.connection = Connection(os.dup(here.fileno()))
        with suppress(OSError):  # if it is gone, the connection says so
            here.sendall(setup)

    def fork(self, number: int, descriptors: list[int]) -> None:
        """Fork a worker."""
        with suppress(OSError):
            socket.send_fds(self._socket, [REQUEST.pack(FORK, number)], descriptors)

    def kill(self, number: int) -> None:
        """End a worker, and all processes it started, at once."""
        with suppress(OSError):
            self._socket.sendall(REQUEST.pack(KILL, number))

    def sever(self, number: int) -> None:
        """End a worker whose connection has ended, unless it is dying by itself."""
        with suppress(OSError):
            self._socket.sendall(REQUEST.pack(SEVERED, number))

    def close(self) -> None:
        """Wait for the end of the template, which waits a moment for its workers before it ends them."""
        with suppress(OSError):
            self._socket.sendall(REQUEST.pack(CLOSE, 0))
            self._socket.shutdown(socket.SHUT_WR)
        with suppress(EOFError, OSError):
            while self.connection.poll(2 * _GRACE_SECONDS):
                self.connection.recv_bytes()
        self.connection.close()
        self._socket.close()


def setup_for(initializer: Callable[..., Any] | None, initargs: tuple[Any, ...], around: Surroundings) -> bytes:
    """Return what a template needs: its surroundings, and how it is set up."""
    content = cloudpickle.dumps((initializer, initargs))
    message: bytes = cloudpickle.dumps((around, content))
    return _LENGTH.pack(len(message)) + message


def _loaded() -> list[str]:
    """Return the modules of common libraries that this process has imported: workers are likely to need them."""
    return [name for name in list(sys.modules) if f"{name}.".startswith(_LIBRARIES)]


# ---- in the fork server, the templates and the workers ---------------------------------------------------------------


def main() -> None:
    """Run as the fork server."""
    descriptor, parent = map(int, sys.argv[2:])
    _end_with_parent(parent)
    _call_prctl(_SET_CHILD_SUBREAPER, 1)  # what a killed template leaves behind is ended here
    control = socket.socket(fileno=descriptor)
    with suppress(EOFError, OSError):
        _import(["podium.running.tasks", *LATE_IMPORTS, *_receive(control)])
        _reserve()
        environment()  # it reads files and queries the system, once for all forks
        isolation.prepare()
        _Children(control, _be_template).supervise()
    os._exit(0)


def _be_template(descriptors: list[int], parent: int) -> None:
    _end_with_parent(parent)
    _call_prctl(_SET_CHILD_SUBREAPER, 1)
    control = socket.socket(fileno=descriptors[0])
    connection = Connection(os.dup(descriptors[0]))
    try:
        surroundings, content = _receive(control)
        isolation.settle(surroundings)
        initializer, initargs = cloudpickle.loads(content)  # may need modules on its path
        if initializer is not None:
            initializer(*initargs)
        isolation.watch()
    except (EOFError, ConnectionResetError):
        return
    except BaseException as error:
        with suppress(OSError):
            connection.send(("unusable", traceback_of(error)))
        return
    connection.send(("ready", None))
    _Children(control, _be_worker, connection).supervise()


def _reserve() -> None:
    """Use the memory of pandas and Arrow once: the address space they then reserve must not count for a trial."""
    pandas = import_module("pandas")
    pandas.Series(["a", "b"]).astype("category").iloc[[0]].to_numpy(copy=True)


def _import_late(names: list[str]) -> None:
    """Import more in the fork server: once, and not in each template."""
    _import(names)
    isolation.watch(in_server=True)
    _freeze()


def _import(names: list[str]) -> None:
    gc.disable()  # nearly everything created now stays, and looking for the rest takes long
    for name in names:
        with suppress(Exception):  # a module that is really needed is imported again, and raises its error then
            import_module(name)
    gc.enable()


def _be_worker(descriptors: list[int], parent: int) -> None:
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _call_prctl(_SET_PDEATHSIG, signal.SIGKILL)
    _call_prctl(_SET_CHILD_SUBREAPER, 1)  # descendants without a parent become its children: it can see them
    connection, marks, output = descriptors
    for stream in (1, 2):
        os.dup2(output, stream)
    os.close(output)
    sys.stdout, sys.stderr = _text_stream(1), _text_stream(2)
    isolation.begin()
    if os.getppid() == parent:
        worker.serve(connection, marks)


def _text_stream(descriptor: int) -> io.TextIOWrapper:
    raw = io.FileIO(descriptor, "w", closefd=False)
    return io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", "backslashreplace", line_buffering=True)


class _Children:
    """The children of this process: forks them on request, and reports how each of them ends."""

    def __init__(
        self,
        control: socket.socket,
        be_child: Callable[[list[int], int], None],
        reports: Connection | None = None,
    ) -> None:
        self._control = control
        self._be_child = be_child
        self._reports = reports
        self._numbers: dict[int, int] = {}
        self._severed: set[int] = set()
        self._closing = False

    def supervise(self) -> None:
        """Serve requests until the connection ends, then end all children."""
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._wake, False)
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, _do_nothing)
        signal.signal(signal.SIGTERM, _exit)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _freeze()
        try:
            while self._serve_one():
                pass
        except (SystemExit, OSError):
            self._closing = False
        if not self._closing:  # the process that runs experiments is gone, or about to end: nothing is needed any more
            for process in self._numbers:
                if self._reports is None:
                    os.kill(process, signal.SIGTERM)  # a template, which ends its workers
                else:
                    _kill_group(process)
        self._end_children()

    def _serve_one(self) -> bool:
        ready = wait([self._control.fileno(), self._woken])
        if self._woken in ready:
            with suppress(BlockingIOError):
                os.read(self._woken, 4096)
            self._reap()
        if self._control.fileno() not in ready:
            return True
        request, descriptors, *_ = socket.recv_fds(self._control, REQUEST.size, _MAX_DESCRIPTORS)
        if not request:
            return False
        verb, number = REQUEST.unpack(request)
        if verb == FORK:
            self._fork(number, descriptors)
        elif verb == CLOSE:
            self._closing = True
        elif verb == IMPORT:
            _import_late(cloudpickle.loads(_read(self._control, number)))
        else:
            for process in [process for process, own in self._numbers.items() if own == number]:
                if verb == KILL or not _is_dying(process):
                    self._severed |= {number} if verb == SEVERED else set()
                    _kill_group(process)
        return True

    def _fork(self, number: int, descriptors: list[int]) -> None:
        parent = os.getpid()
        try:
            if len(descriptors) < (1 if self._reports is None else _MAX_DESCRIPTORS):
                raise OSError("too many open files")
            process = os.fork()
        except OSError as error:
            for descriptor in descriptors:
                os.close(descriptor)
            if self._reports is not None:
                self._reports.send(("ended", (number, f"it could not be started: {error}")))
            return
        if process:
            self._numbers[process] = number
            for descriptor in descriptors:
                os.close(descriptor)
            return
        status = 0
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for descriptor in (self._woken, self._wake):
                os.close(descriptor)
            self._control.close()
            if self._reports is not None:
                self._reports.close()
            for descriptor in descriptors:
                os.set_inheritable(descriptor, False)
            self._be_child(descriptors, parent)
            atexit._run_exitfuncs()  # of what a task has imported or started
        except BaseException:
            status = 1
            traceback.print_exc()
        finally:
            os._exit(status)

    def _reap(self) -> None:
        while self._numbers:
            try:
                process, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not process:
                return
            if process not in self._numbers:
                continue
            number = self._numbers.pop(process)
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process, signal.SIGKILL)
            self._end_strays()
            if self._reports is not None:
                severed = number in self._severed
                how = "it closed the connection of its process" if severed else os.waitstatus_to_exitcode(status)
                self._reports.send(("ended", (number, how)))

    def _end_strays(self) -> None:
        """End the descendants of children that have ended: the system makes them children of this process."""
        while strays := _children() - set(self._numbers):
            for process in strays:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            for process in strays:
                with suppress(ChildProcessError):
                    os.waitpid(process, 0)

    def _end_children(self) -> None:
        """Let children end by themselves for a moment, then end them and all that they have started."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        until = time.monotonic() + _GRACE_SECONDS
        with suppress(OSError):
            self._reap()
            while self._numbers and (left := until - time.monotonic()) > 0:
                if wait([self._woken], left):
                    os.read(self._woken, 4096)
                self._reap()
        for process in self._numbers:
            _kill_group(process)
        while self._numbers:
            with suppress(ChildProcessError):
                os.waitpid(self._numbers.popitem()[0], 0)
        self._end_strays()


def _freeze() -> None:
    gc.collect()
    gc.freeze()  # a collection in a child then copies less memory


def _is_dying(process: int) -> bool:
    until = time.monotonic() + _DYING_SECONDS
    while time.monotonic() < until:
        if os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            return True
        time.sleep(0.002)
    return False


def _kill_group(process: int) -> None:
    for kill in (os.killpg, os.kill):  # it may have been killed before it had a group of its own
        with suppress(ProcessLookupError, PermissionError):
            kill(process, signal.SIGKILL)


def _children() -> set[int]:
    """The children of this process, which has one thread; none where the system does not say."""
    try:
        return {int(text) for text in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()}
    except OSError:
        return set()


def _end_with_parent(parent: int) -> None:
    _call_prctl(_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(0)


def _call_prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _send(to: socket.socket, content: Any) -> None:
    message = cloudpickle.dumps(content)
    to.sendall(_LENGTH.pack(len(message)))
    to.sendall(message)


def _receive(source: socket.socket) -> Any:
    """Receive what `_send` sent, and not a byte more: requests with descriptors may follow."""
    (length,) = _LENGTH.unpack(_read(source, _LENGTH.size))
    return cloudpickle.loads(_read(source, length))


def _read(source: socket.socket, length: int) -> bytearray:
    message = bytearray(length)
    rest = memoryview(message)
    while rest:
        received = source.recv_into(rest)
        if not received:
            raise EOFError
        rest = rest[received:]
    return message


def _do_nothing(number: int, frame: object) -> None:
    pass


def _exit(number: int, frame: object) -> None:
    sys.exit(0)
