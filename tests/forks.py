"""Processes that begin with everything imported: forks of the process that runs the tests."""

from __future__ import annotations

import os
import traceback
import warnings
from collections.abc import Callable
from typing import Any


def forked(function: Callable[..., Any], *arguments: Any) -> int:
    """Call a function in a new process, which ends with the status that it returns; return the process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # from Python 3.12 on, about threads, which are not copied
        process = os.fork()
    if process:
        return process
    status = 1
    try:
        status = function(*arguments) or 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def is_running(process: int) -> bool:
    """Return whether a process has not ended yet."""
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None


def ended(process: int) -> int:
    """Wait for the end of a process; return its exit status, or the number of the signal that ended it, negated."""
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
