"""The state of a process that numbers can depend on: the same at the start of every trial, on every executor.

What can be set is set again before each trial (`restore`): error handling of NumPy, warning filters, working folder,
environment variables, thread counts, and so on. What cannot be set is checked after each trial (`left_behind`): a
worker in which a trial has left a thread, a child process or an open file is replaced. A trial can also replace a
function of a library; checking for that takes milliseconds, so it is done from time to time (`altered`), and trials
since the last clean check are run again.
"""

from __future__ import annotations

import ctypes
import decimal
import gc
import importlib
import locale
import logging
import math
import os
import platform
import signal
import sys
import sysconfig
import threading
import time
import tracemalloc
import types
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from podium.design.seeds import before_calls

try:
    import resource
except ImportError:  # not POSIX: nothing here is called then
    resource = None  # type: ignore[assignment]

# Sums in threads depend on their number, and the order of a set of texts on the seed of their hashes.
FIXED_VARIABLES = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "BLIS_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}
_getsignal = importlib.import_module("_signal").getsignal  # that of `signal` makes an enumeration, which takes longer
_SIGNALS = [
    int(number)
    for number in signal.valid_signals()
    if number < 32 and number not in (getattr(signal, "SIGKILL", 9), getattr(signal, "SIGSTOP", 19))
]
_LIMITS = sorted({getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")})
_LONGEST_BETWEEN_CHECKS = 0.4  # seconds; what has ended since the last check is lost with the process
_RARITY = 100  # checks take at most about a hundredth of the time
_PATIENCE_SECONDS = 0.002  # threads that have been asked to end need a moment
_DESCRIPTORS = "/proc/self/fd" if sys.platform == "linux" else "/dev/fd"


class Surroundings(NamedTuple):
    """Where a run was started: host, process, folder and the path of modules; and the environment variables it sets."""

    host: str
    process: int
    folder: str
    environ: dict[str, str]
    path: list[str]


def surroundings(environment: Iterable[str] = ()) -> Surroundings:
    """Return the surroundings of this process, with the values of these environment variables and of no others."""
    environ = {name: os.environ[name] for name in environment}
    return Surroundings(platform.node(), os.getpid(), os.getcwd(), environ | FIXED_VARIABLES, list(sys.path))


def settle(there: Surroundings) -> None:
    """Take over the surroundings of a run; on another host, all but the folder."""
    sys.path[:] = there.path
    os.environ.clear()
    os.environ.update(there.environ)
    if there.host == platform.node():
        with suppress(OSError):
            os.chdir(there.folder)


# ---- what can be set -------------------------------------------------------------------------------------------------


class _State(NamedTuple):
    """Some global state: how to read it, and how to set it to a value that was read before."""

    get: Callable[[], Any]
    set: Callable[[Any], Any]


def _environ() -> dict[Any, Any]:
    return dict(vars(os.environ)["_data"])  # reading it decoded takes longer than all the rest


def _set_environ(values: dict[Any, Any]) -> None:
    if vars(os.environ)["_data"] != values:
        os.environb.clear()
        os.environb.update(values)


def _set_filters(filters: list[Any]) -> None:
    if warnings.filters != filters:
        warnings.filters[:] = filters  # type: ignore[index]
        warnings.simplefilter("ignore", append=True)  # makes the module notice
        warnings.filters[:] = filters  # type: ignore[index]


def _handlers() -> list[Any]:
    return list(map(_getsignal, _SIGNALS))


def _set_handlers(handlers: list[Any]) -> None:
    if _handlers() == handlers:
        return
    for number, handler in zip(_SIGNALS, handlers, strict=True):
        if _getsignal(number) is not handler:
            with suppress(OSError, TypeError, ValueError):
                signal.signal(number, handler)


def _limits() -> list[tuple[int, int]]:
    return list(map(resource.getrlimit, _LIMITS))


def _set_limits(limits: list[tuple[int, int]]) -> None:
    if (found := _limits()) != limits:
        for kind, limit, now in zip(_LIMITS, limits, found, strict=True):
            if now != limit:
                resource.setrlimit(kind, limit)  # an error if it was lowered for good


def _stop_timers(_: None) -> None:
    for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(timer, 0)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _set_streams(streams: tuple[Any, ...]) -> None:
    sys.stdin, sys.stdout, sys.stderr = streams


def _set_list(target: list[Any]) -> Callable[[list[Any]], None]:
    def put_back(values: list[Any]) -> None:
        if target != values:
            target[:] = values

    return put_back


def _gc_state() -> tuple[bool, tuple[int, int, int]]:
    return gc.isenabled(), gc.get_threshold()


def _set_gc(state: tuple[bool, tuple[int, int, int]]) -> None:
    enabled, threshold = state
    (gc.enable if enabled else gc.disable)()
    gc.set_threshold(*threshold)


def _stop_tracing(_: None) -> None:
    sys.settrace(None)
    sys.setprofile(None)
    threading.settrace(None)
    threading.setprofile(None)
    if tracemalloc.is_tracing():
        tracemalloc.stop()


def _print_options() -> dict[str, Any]:
    return {key: value for key, value in np.get_printoptions().items() if key != "override_repr"}


def _set_print_options(options: dict[str, Any]) -> None:
    if _print_options() != options:
        np.set_printoptions(**options)


def _arithmetic() -> tuple[Any, ...]:
    return np.geterr(), np.geterrcall(), np.getbufsize()


def _set_arithmetic(values: tuple[Any, ...]) -> None:
    if _arithmetic() != values:
        np.seterr(**values[0])
        np.seterrcall(values[1])
        np.setbufsize(values[2])


def _sklearn_config() -> Any:
    return _loaded("sklearn").get_config()


def _set_sklearn_config(config: Any) -> None:
    if _sklearn_config() != config:
        _loaded("sklearn").set_config(**config)


def _pandas_options() -> Any:
    return deepcopy(_loaded("pandas._config.config")._global_config)


def _set_pandas_options(values: Any) -> None:
    options = _loaded("pandas._config.config")._global_config
    if options != values:
        options.clear()
        options.update(deepcopy(values))


@cache
def _loaded(module: str) -> Any:
    return importlib.import_module(module)


def _set_logging(level: int) -> None:
    if logging.root.manager.disable != level:
        logging.disable(level)


# Set before each call of a model or a measure. Read in the fork server, before any code of an experiment is imported.
_LIBRARY_STATES: tuple[_State, ...] = (
    _State(sys.getrecursionlimit, sys.setrecursionlimit),
    _State(_arithmetic, _set_arithmetic),
    _State(np.random.mtrand.get_bit_generator, np.random.mtrand.set_bit_generator),
    _State(_sklearn_config, _set_sklearn_config),
    _State(_pandas_options, _set_pandas_options),
    _State(lambda: decimal.getcontext().copy(), lambda value: decimal.setcontext(value.copy())),
)
# Set after each trial. Read in the fork server, too.
_INTERPRETER_STATES: tuple[_State, ...] = (
    _State(_print_options, _set_print_options),
    _State(lambda: locale.setlocale(locale.LC_ALL), lambda value: locale.setlocale(locale.LC_ALL, value)),
    _State(sys.get_int_max_str_digits, sys.set_int_max_str_digits),
    _State(sys.getswitchinterval, sys.setswitchinterval),
    _State(lambda: list(warnings.filters), _set_filters),
    _State(_gc_state, _set_gc),
    _State(lambda: None, _stop_tracing),
    _State(lambda: logging.root.manager.disable, _set_logging),
)
# Read in each worker when it begins.
_PROCESS_STATES: tuple[_State, ...] = (
    _State(os.getcwd, os.chdir),
    _State(_environ, _set_environ),
    _State(_handlers, _set_handlers),
    _State(lambda: None, _stop_timers),
    _State(_limits, _set_limits),
    _State(_umask, os.umask),
    _State(lambda: (sys.stdin, sys.stdout, sys.stderr), _set_streams),
    _State(lambda: list(sys.path), _set_list(sys.path)),
    _State(lambda: list(sys.meta_path), _set_list(sys.meta_path)),
)
_library: list[tuple[_State, Any]] = []
_rest: list[tuple[_State, Any]] = []
_thread_pools: list[Any] = []


def prepare() -> None:
    """Remember the state of the libraries and of the interpreter, in a process that has run nothing yet."""
    _library[:] = [(state, state.get()) for state in _LIBRARY_STATES]
    _rest[:] = [(state, state.get()) for state in _INTERPRETER_STATES]
    watch(in_server=True)


def begin() -> None:
    """Remember the state of this process, a new worker."""
    _rest.extend((state, state.get()) for state in _PROCESS_STATES)
    _traces[:] = _read_traces()
    before_calls.append(restore_libraries)


def restore() -> str:
    """Set the global state to what it was; return what could not be set, or an empty text."""
    problem = restore_libraries() or _set(_rest)
    for pool in _thread_pools:
        if pool.get_num_threads() != 1:
            pool.set_num_threads(1)
    return problem


def restore_libraries() -> str:
    """Set the state of the libraries; return what could not be set, or an empty text."""
    return _set(_library)


def _set(states: list[tuple[_State, Any]]) -> str:
    problem = ""
    for state, value in states:
        try:
            state.set(value)
        except Exception as error:
            problem = problem or f"the state of the process cannot be restored: {error!r}"
    return problem


# ---- what cannot be set ----------------------------------------------------------------------------------------------

_traces: list[Any] = []


def left_behind() -> str:
    """Return what a trial has left in this process that cannot be undone, or an empty text."""
    if not _traces:  # this process is not a worker
        return ""
    found = _read_traces()
    if found[0] > _traces[0]:
        time.sleep(_PATIENCE_SECONDS)
        found = _read_traces()
    for what, now, before in zip(_TRACES, found, _traces, strict=True):
        if now != before:
            return f"a trial has left {what}"
    return ""


_TRACES = ("threads", "child processes", "open files", "another priority", "changed floating-point settings")


def _read_traces() -> list[Any]:
    return [
        _count("/proc/self/task", threading.active_count()),
        _has_children(),
        _count(_DESCRIPTORS, 0),
        (os.getpriority(os.PRIO_PROCESS, 0), _affinity()),
        _sums(),
    ]


def _count(folder: str, otherwise: int) -> int:
    try:
        return len(os.listdir(folder))
    except OSError:
        return otherwise


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _affinity() -> Any:
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None


def _sums() -> tuple[float, ...]:
    """Sums and products that depend on the rounding mode, and on whether tiny numbers count as zero."""
    one, half, tiny = _NUMBERS
    return one + half, -one - half, one + half * one.__class__(1.5), tiny * half, math.sqrt(tiny)


_NUMBERS = (1.0, 2.0**-53, 5e-310)


# CPython 3.11 and 3.12 count the changes of each dictionary in the first of its last three fields (PEP 509).
_COUNTS_CHANGES = sys.implementation.name == "cpython" and sys.version_info < (3, 13)
_COUNTER = dict.__basicsize__ - 3 * ctypes.sizeof(ctypes.c_void_p)


class _Space:
    """The names of a module, a class or a function's globals, and what they stood for."""

    __slots__ = ("_count", "_counter", "names", "own", "title", "tokens", "values", "where")

    def __init__(self, title: str, where: Mapping[str, Any], own: bool) -> None:
        self.title = title
        self.where = where
        self.own = own
        self._counter: ctypes.c_uint64 | None = None
        if _COUNTS_CHANGES and not own:
            table = where if isinstance(where, dict) else gc.get_referents(where)[0]  # a class has it behind a proxy
            self._counter = ctypes.c_uint64.from_address(id(table) + _COUNTER)
        self._read()

    def _read(self) -> None:
        self._count = self._counter.value if self._counter is not None else 0
        self.names = list(self.where)
        self.values = list(self.where.values())
        self.tokens = [None if name.startswith("__") else _token(self.where[name]) for name in self.names if self.own]

    def refresh(self) -> None:
        """Remember what the names stand for now, if that differs."""
        if not self.unchanged():
            self._read()

    def unchanged(self) -> bool:
        """Return whether all names stand for what they stood for.

        Reading a value increments its reference count, which copies the memory that this process shares with the one it
        was forked from. The counter of changes spares that for nearly all names.
        """
        if self._counter is not None:
            return self._counter.value == self._count
        try:
            return list(self.where.values()) == self.values  # by identity first
        except Exception:  # arrays, for example
            return False

    def altered(self) -> str:
        """Return the first name that stands for something else now."""
        now = dict(self.where)
        for i, (name, value) in enumerate(zip(self.names, self.values, strict=True)):
            if now.get(name, _GONE) is not value:
                if (self.own and not name.startswith("__")) or isinstance(value, _CODE):
                    return f"{self.title}.{name}"
            elif self.own and not name.startswith("__") and _token(value) != self.tokens[i]:
                return f"{self.title}.{name}"
        if not self.own:
            self._read()
            return ""
        added = now.keys() - set(self.names)
        names = (name for name in added if not name.startswith("__") and not isinstance(now[name], types.ModuleType))
        return next((f"{self.title}.{name}" for name in names), "")


_GONE = object()
_WATCHED_LIBRARIES = ("numpy", "scipy", "pandas", "sklearn", "joblib", "random", "podium")  # whose classes are watched
_CODE: tuple[Any, ...] = (
    type,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    np.ufunc,
    staticmethod,
)
_CODE += (classmethod, property, type(np.mean), type(np.random.rand))
_MAX_CONTENT = 10_000
_LIBRARY_FOLDERS = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_LIBRARY_FOLDERS += (str(Path(__file__).parents[1]),)
_seen: set[int] = set()
_seen_modules: dict[int, Any] = {}
_of_server: set[int] = set()  # the globals of functions of libraries
_spaces: list[_Space] = []
_own_spaces: list[_Space] = []
_check_seconds = 0.0


def _token(value: Any, depth: int = 3) -> Any:
    """Return what changes when the content of a container, an array or an object does."""
    if isinstance(value, np.ndarray):
        some = value.ravel()[:: 1 + value.size // _MAX_CONTENT]
        return value.shape, crc32(some.tobytes()) if value.dtype != object else 0
    if depth == 0 or isinstance(value, (*_CODE, types.ModuleType, str, bytes, int, float)):
        return id(value)
    if isinstance(value, list | set | tuple | frozenset | deque):
        content: Iterable[Any] = value
    elif isinstance(value, dict):
        content = value.values()
    else:
        content = getattr(value, "__dict__", {}).values()
    try:
        return id(value), tuple(_token(each, depth - 1) for each in islice(content, _MAX_CONTENT))
    except RuntimeError:  # it changes while it is read
        return None


class _Cells(Mapping[str, Any]):
    """The variables that a function has taken from the function around it, and its default values."""

    def __init__(self, function: types.FunctionType) -> None:
        self._function = function

    def _read(self) -> dict[str, Any]:
        function = self._function
        found = {"defaults": function.__defaults__, "keyword defaults": function.__kwdefaults__}
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            with suppress(ValueError):  # it is empty
                found[name] = cell.cell_contents
        return found

    def __getitem__(self, name: str) -> Any:
        return self._read()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())


def watch(*, in_server: bool = False) -> None:
    """Remember what all names stand for, and find the thread pools.

    Called in the fork server, and again in a template when it has installed an experiment: then for what is new.
    Everything else is left untouched: touching a name copies the memory that this process shares with the one it was
    forked from.
    """
    modules = _new_modules()
    spaces = list(_new_spaces(modules, in_server))
    _spaces.extend(space for space in spaces if not space.own)
    _own_spaces.extend(space for space in spaces if space.own)
    if modules:
        _thread_pools[:] = importlib.import_module("threadpoolctl").ThreadpoolController().lib_controllers
        for space in _spaces:  # a module of the experiment may replace functions of a library when it is imported
            space.refresh()


def _new_modules() -> list[types.ModuleType]:
    """Return the modules that have been imported since the last call."""
    new = {id(module): module for module in list(sys.modules.values()) if id(module) not in _seen_modules}
    _seen_modules.update(new)
    return [module for module in new.values() if isinstance(module, types.ModuleType)]


def altered() -> str:
    """Return the name of something that a trial has replaced or changed in a module or a class, or an empty text."""
    global _check_seconds
    begun = time.perf_counter()
    suspects = chain(_own_spaces, (space for space in _spaces if not space.unchanged()))
    found = next(filter(None, (space.altered() for space in suspects)), "")
    _check_seconds = time.perf_counter() - begun
    return found


def seconds_between_checks(least: float) -> float:
    """Return how long to wait between two checks, so they take little of the time."""
    return max(least, min(_RARITY * _check_seconds, _LONGEST_BETWEEN_CHECKS))


def _new_spaces(modules: list[types.ModuleType], in_server: bool) -> Iterator[_Space]:
    """Find the modules, classes and functions that are not watched yet; in the fork server, all are of libraries."""
    classes: dict[int, type] = {}
    for module in modules:
        if id(vars(module)) not in _seen:
            _seen.add(id(vars(module)))
            if module.__name__ != "__main__" and not module.__name__.startswith(__package__):
                yield _Space(module.__name__, vars(module), not in_server and not _is_library(module))
            classes.update((id(thing), thing) for thing in list(vars(module).values()) if isinstance(thing, type))
    for thing in gc.get_objects():
        if isinstance(thing, type):
            classes[id(thing)] = thing
        elif isinstance(thing, types.FunctionType) and in_server:
            _of_server.add(id(thing.__globals__))
        elif isinstance(thing, types.FunctionType) and id(thing.__globals__) not in _of_server and _is_own(thing):
            if id(thing.__globals__) not in _seen:
                _seen.add(id(thing.__globals__))
                yield _Space(f"the globals of {thing.__qualname__}", thing.__globals__, True)
            if thing.__closure__ or thing.__defaults__ or thing.__kwdefaults__:
                yield _Space(thing.__qualname__, _Cells(thing), True)
    for name, thing in classes.items():
        if name not in _seen and not str(thing.__module__).startswith(__package__):
            _seen.add(name)
            mine = not in_server and _is_own(thing)
            if mine or str(thing.__module__).partition(".")[0] in _WATCHED_LIBRARIES:
                yield _Space(f"{thing.__module__}.{thing.__qualname__}", vars(thing), mine)


def _is_own(thing: Any) -> bool:
    """Return whether a class or a function is code of the experiment, not of a library."""
    name = thing.__module__
    if not isinstance(name, str):
        return False
    if name == "__main__":  # classes and functions of a script are here without their module
        return True
    module = sys.modules.get(name)
    if isinstance(module, types.ModuleType):
        return not _is_library(module)
    return name.partition(".")[0] not in sys.modules


def _is_library(module: types.ModuleType) -> bool:
    file = getattr(module, "__file__", None)
    return file is None or file.startswith(_LIBRARY_FOLDERS)
