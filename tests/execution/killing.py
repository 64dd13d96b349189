"""Run an experiment again and again in processes that are killed at random moments; write what was seen.

A program of its own: it has one thread, so that it may fork, and everything it forks has been imported already.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import sys
import time
from contextlib import suppress
from pathlib import Path

import trouble

from podium.execution.runner import run
from podium.warehouse.warehouse import Warehouse

SECONDS = 0.01


def design(folder: Path, replications: int) -> object:
    logging = trouble.Logs(str(folder / "log"), SECONDS)
    return trouble.experiment(logging, trouble.FirstRow(), replications=replications, datasets=("one", "two"))


def finished(path: Path) -> set[int]:
    """The seeds of the trials that the warehouse has."""
    if not path.exists():
        return set()
    with sqlite3.connect(path) as connection:
        there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'trial'").fetchone()
        return {row[0] for row in connection.execute("SELECT seed FROM trial")} if there else set()


def logged(folder: Path) -> list[int]:
    return [int(line) for line in (folder / "log").read_text().split()] if (folder / "log").exists() else []


def wait_for_a_moment(process: int, folder: Path, lines: int, moments: random.Random, most: int) -> None:
    """Wait until some more fits have been made, by the log and not by the clock, and then for some milliseconds."""
    wanted = lines + moments.randint(0, most)
    while len(logged(folder)) < wanted and os.waitpid(process, os.WNOHANG) == (0, 0):
        time.sleep(0.001)
    time.sleep(moments.uniform(0, 0.03))


def main(folder: Path, executor: str, replications: int, kills: int) -> None:
    experiment = design(folder, replications)
    moments = random.Random(1)
    again, progress, unsound = [], [], []
    for attempt in range(kills + 1):
        before, lines = finished(folder / "w.db"), len(logged(folder))
        process = os.fork()
        if process == 0:
            run(experiment, folder / "w.db", executor=executor, workers=2, progress="quiet")
            os._exit(0)
        if attempt < kills:
            wait_for_a_moment(process, folder, lines, moments, most=3 * replications // kills)
        with suppress(ProcessLookupError, ChildProcessError):
            if attempt < kills:
                os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        time.sleep(0.1)  # its processes are ended
        again += [seed for seed in logged(folder)[lines:] if seed in before]
        progress.append(len(finished(folder / "w.db")))
        with Warehouse(folder / "w.db") as warehouse:  # opening it makes it whole
            attempts = len(warehouse.trials(every_attempt=True))
        if attempts != progress[-1]:
            unsound.append(attempts)
    seen = {"again": again, "progress": progress, "unsound": unsound, "fits": len(logged(folder))}
    (folder / "seen.json").write_text(json.dumps(seen))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:]))
