"""Runs commands of podium, each in a process of its own, forked from this one, which has imported the libraries.

Most of the time of a short command goes into importing numpy, scipy, pandas and matplotlib. Nothing of podium is imported
here: every command imports it anew and starts from the script that users start. A line of standard input is a request;
the exit status of the command is the answer.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import runpy
import sys
from typing import Any

LIBRARIES = (
    "cloudpickle",
    "matplotlib.pyplot",
    "pandas",
    "scipy.cluster.hierarchy",
    "scipy.optimize",
    "scipy.sparse.csgraph",
    "scipy.stats",
    "sklearn",
    "sqlite3",
    "urllib.request",
    "yaml",
)


def run(words: list[str], folder: str, environment: dict[str, str], output: str) -> None:
    """Be the process of a command: its arguments, working directory, environment and streams."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(output, os.O_WRONLY | os.O_APPEND), 1)
    os.dup2(1, 2)
    sys.argv = words
    sys.path[0] = os.path.dirname(words[0])
    runpy.run_path(words[0], run_name="__main__")
    sys.exit()


def serve() -> None:
    """Run one command after the other until there are no more requests."""
    gc.disable()
    for name in LIBRARIES:
        importlib.import_module(name)
    gc.enable()
    gc.freeze()  # what is here is not looked at again in every process
    for line in sys.stdin:
        request: dict[str, Any] = json.loads(line)
        process = os.fork()
        if process == 0:
            run(**request)
        _, status = os.waitpid(process, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
