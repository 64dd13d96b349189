"""Estimators that crash, block, flood or leak, each with the outcome that its trial must have."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from trouble import Majority

MARK = "podium-hostile-child"  # in the command line of every process that they start
SLEEP = [sys.executable, "-S", "-c", "import os, time; os.setsid(); time.sleep(600)", MARK]


class Hostile(Majority):
    """Does something, and then predicts as one that does not."""

    expected: ClassVar[tuple[str, str, str]] = ("done", "", "")  # status, type of error, part of the message

    def fit(self, X: pd.DataFrame, y: Any) -> Any:
        super().fit(X, y)
        self.act()
        return self

    def act(self) -> None:
        raise NotImplementedError


# Texts


class LoneSurrogate(Hostile):
    expected = ("failed", "ValueError", r"half of a pair: \ud800")

    def act(self) -> None:
        raise ValueError("half of a pair: \ud800")


class NulAndEscapes(Hostile):
    expected = ("failed", "ValueError", r"\x00 \x1b[2J =cmd|' /C calc'!A0")

    def act(self) -> None:
        raise ValueError("\x00 \x1b[2J =cmd|' /C calc'!A0")


class HugeText(Hostile):
    expected = ("failed", "ValueError", "xxx…")

    def act(self) -> None:
        raise ValueError("x" * 50_000_000)


class NoPickle(Hostile):
    expected = ("failed", r"Stuck \x1b=cmd", "cannot be pickled")

    def act(self) -> None:
        class Stuck(Exception):
            def __reduce__(self) -> Any:
                raise TypeError("no pickle")

        Stuck.__name__ = "Stuck\n\x1b=cmd"
        raise Stuck("cannot be pickled")


class Deep(Hostile):
    expected = ("failed", "RecursionError", "maximum recursion depth")

    def act(self) -> None:
        self.act()


class Floods(Hostile):
    """Prints 20 MB."""

    def act(self) -> None:
        for _ in range(20):
            os.write(1, b"\x1b[2J" + b"." * 1_000_000)


class WarnsALot(Hostile):
    def act(self) -> None:
        for i in range(1000):
            warnings.warn(f"{i} \ud800 " + "x" * 5000, stacklevel=1)


# Exceptions that are not errors


class Interrupts(Hostile):
    expected = ("failed", "KeyboardInterrupt", "")

    def act(self) -> None:
        raise KeyboardInterrupt


class Exits(Hostile):
    expected = ("failed", "SystemExit", "0")

    def act(self) -> None:
        sys.exit(0)


# Deaths


class Aborts(Hostile):
    expected = ("crashed", "Crash", "killed by signal SIGABRT")

    def act(self) -> None:
        os.abort()


class Segfaults(Hostile):
    expected = ("crashed", "Crash", "killed by signal SIGSEGV")

    def act(self) -> None:
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGSEGV)
        time.sleep(60)


class ExitsAtOnce(Hostile):
    expected = ("crashed", "Crash", "the process exited with status 0")

    def act(self) -> None:
        os._exit(0)


class KillsItsParent(Hostile):
    expected = ("crashed", "Crash", "its process ended")

    def act(self) -> None:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)


# Connections and files


class ClosesOutput(Hostile):
    def act(self) -> None:
        os.closerange(0, 3)


class OpensFiles(Hostile):
    expected = ("failed", "OSError", "Too many open files")

    def act(self) -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        while True:
            os.open(os.devnull, os.O_RDONLY)


# Hangs


class Hangs(Hostile):
    expected = ("timeout", "Timeout", "ended after")

    def act(self) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(60)


class HangsInC(Hostile):
    """Holds the interpreter lock."""

    expected = ("timeout", "Timeout", "ended after")

    def act(self) -> None:
        ctypes.PyDLL(None).sleep(600)


class Stops(Hostile):
    expected = ("timeout", "Timeout", "ended after")

    def act(self) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)


# Children


class Daemon(Hostile):
    """Starts a process that nothing waits for."""

    def act(self) -> None:
        if os.fork() == 0:
            os.setsid()
            subprocess.Popen(SLEEP)
            os._exit(0)
        os.wait()


class DaemonAndDeath(Hostile):
    expected = ("crashed", "Crash", "killed by signal SIGKILL")

    def act(self) -> None:
        Daemon().act()
        os.kill(os.getpid(), signal.SIGKILL)


KINDS = (
    LoneSurrogate,
    NulAndEscapes,
    HugeText,
    NoPickle,
    Deep,
    Floods,
    WarnsALot,
    Interrupts,
    Exits,
    Aborts,
    Segfaults,
)
KINDS += (ExitsAtOnce, KillsItsParent, ClosesOutput, OpensFiles, Daemon, DaemonAndDeath)
HANGING = (Hangs, HangsInC, Stops)  # only these meet a limit of time


def overflow(model: Any, learn: Any, test: Any) -> float:
    return float(np.inf)


def hostile_folder(folder: Path) -> Path:
    """Put modules into a folder that must not be run; return the file that they would write."""
    for name in ("struct.py", "colorsys.py", "cloudpickle.py"):
        (folder / name).write_text(f"open({str(folder / 'ran')!r}, 'w').write(__file__)\nraise SystemExit\n")
    return folder / "ran"


def marked_processes() -> list[int]:
    """The processes that they have started and that still run."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{name}/cmdline", "rb") as file:
            if MARK.encode() in file.read():
                found.append(int(name))
    return found


def assert_expected(trials: pd.DataFrame, kinds: tuple[type[Hostile], ...]) -> None:
    """Check that each trial has ended as it must; the index are the names of the classes."""
    for kind in kinds:
        status, error, part = kind.expected
        found = trials.loc[kind.__name__]
        assert (found["status"], found["error_type"]) == (status, error), found
        assert part in found["message"]
