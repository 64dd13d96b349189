"""A watchdog: ends a worker process when the process that runs the experiment ends."""

from __future__ import annotations

import multiprocessing
import os
import platform
import threading
from contextlib import suppress
from multiprocessing.connection import wait
from pathlib import Path

from podium.running.isolation import Surroundings

_MAX_GENERATIONS = 10
_watched: set[tuple[int, int]] = set()


def end_with_run(there: Surroundings) -> None:
    """End this process when the one that runs the experiment ends, however that happens.

    This concerns processes of a process pool or of loky, which would otherwise wait for work forever when the process
    that started them is killed. A process that something else has started is left alone. Linux only.
    """
    if platform.node() != there.host or (os.getpid(), there.process) in _watched:
        return
    if multiprocessing.parent_process() is None or there.process not in _ancestors():
        return
    with suppress(OSError, AttributeError):  # the system cannot watch processes
        end = os.pidfd_open(there.process)
        _watched.add((os.getpid(), there.process))
        threading.Thread(target=_end_after, args=(end,), name="podium watchdog", daemon=True).start()


def _end_after(end: int) -> None:
    wait([end])
    os._exit(1)


def _ancestors() -> set[int]:
    found: set[int] = set()
    process = os.getpid()
    with suppress(OSError, ValueError, IndexError):
        while process > 1 and len(found) < _MAX_GENERATIONS:
            process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
            found.add(process)
    return found
