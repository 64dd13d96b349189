"""Runs programs, each in a process of its own, forked from this one, which has imported the libraries.

Most of the time of a short program goes into importing numpy, scipy, pandas and matplotlib. Nothing of podium is imported
here: every program imports it anew, and a command of podium starts from the script that users start.

Each connection to the socket that is named on the command line is for one program. A line is the request; the identifier
of the process that was started is the first answer, its exit status the second. This process ends when its standard input
does.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import sys
import threading
import traceback
import types
from collections.abc import Callable
from typing import Any

LIBRARIES = (
    "cloudpickle",
    "matplotlib.pyplot",
    "pandas",
    "scipy.cluster.hierarchy",
    "scipy.optimize",
    "scipy.sparse.csgraph",
    "scipy.stats",
    "sklearn.ensemble",
    "sklearn.model_selection",
    "sqlite3",
    "urllib.request",
    "yaml",
)


def run(words: list[str], folder: str, environment: dict[str, str], output: str, errors: str) -> None:
    """Be the process of a program: its arguments, working directory, environment and streams."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal, also if tests run in the background
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for stream, path in enumerate((output, errors), 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_APPEND), stream)
    program, *arguments = words
    if program == "-c":
        run_text(*arguments)
    else:
        sys.argv = words
        sys.path[0] = os.path.dirname(program)
        runpy.run_path(program, run_name="__main__")


def run_text(text: str, *arguments: str) -> None:
    """Run a program that is given as a text."""
    sys.argv = ["-c", *arguments]
    sys.path[0:1] = ["", *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    exec(compile(text, "<string>", "exec"), vars(main))


def end(function: Callable[..., None], arguments: dict[str, Any]) -> None:
    """Call a function and end as the interpreter does, but leave its memory to the system.

    To free one object after the other would copy all that this process shares with the one it was forked from.
    """
    status: Any = 0
    try:
        function(**arguments)
    except SystemExit as exit_:
        status = exit_.code or 0
    except BaseException:
        traceback.print_exc()
        status = 1
    if not isinstance(status, int):
        sys.stderr.write(f"{status}\n")
        status = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def serve(connection: socket.socket) -> None:
    """Run a program, and say how it ended."""
    with connection, connection.makefile("rw", encoding="utf-8") as stream:
        request: dict[str, Any] = json.loads(stream.readline())
        process = os.fork()
        if process == 0:
            end(run, request)
        stream.write(f"{process}\n")
        stream.flush()
        _, status = os.waitpid(process, 0)
        stream.write(f"{os.waitstatus_to_exitcode(status)}\n")


def main(path: str) -> None:
    """Serve every connection in a process of its own."""
    processes = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while listener in select.select([listener, sys.stdin], [], [])[0]:
            connection, _ = listener.accept()
            if not processes:
                import_libraries()
            processes.append(os.fork())
            if not processes[-1]:
                listener.close()
                end(serve, {"connection": connection})
            connection.close()
    for process in processes:
        os.waitpid(process, 0)


def import_libraries() -> None:
    """Import what every program would import."""
    gc.disable()
    for name in LIBRARIES:
        importlib.import_module(name)
    gc.enable()
    gc.freeze()  # what is here is not looked at again in every process


if __name__ == "__main__":
    main(sys.argv[1])
