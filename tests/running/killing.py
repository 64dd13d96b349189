"""Run experiments again and again in processes that are killed in the middle; write what was seen.

One experiment has a fixed design and is run on every executor; the other may stop early, see `killing_staged`. `main`
is called in a process of its own: it has one thread, so it may fork, and everything it forks has been imported already.

When a process is killed depends on what it has stored and not on the clock. It can make only some more fits than that:
the next one waits, so no process reaches the end of the experiment before it is killed.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import random
import signal
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import killing_staged
import trouble

import podium
from podium.design.seeds import seed_for
from podium.running import adaptive, executors, forkserver
from podium.running.pool import SupervisedPool
from podium.running.runner import run
from podium.store.warehouse import Warehouse

# For each executor and each process that is killed: how many trials it has stored by then.
_FEW = {
    "pool": [0, 3, 1],
    "threads": [1, 0, 2],
    "processes": [0, 2],
    "dask": [1, 0],
    "loky": [2],  # it starts interpreters, which takes long
}
_WANTED = int(os.environ.get("PODIUM_KILLS", "0"))  # kills of each executor; see scripts/kill
KILLS = {name: (kills * _WANTED)[:_WANTED] if _WANTED else kills for name, kills in _FEW.items()}
MORE = 2  # fits that a process may make beyond those
REPLICATIONS = 20 if not _WANTED else 8 * _WANTED  # no more than a tenth of them is made before a kill
Design = Callable[[Path], podium.Experiment]


def design(folder: Path) -> podium.Experiment:
    algorithms = (trouble.Gated(str(folder)), trouble.GatedFirst(str(folder)))
    return trouble.experiment(*algorithms, replications=REPLICATIONS, datasets=("one", "two"))


def finished(path: Path) -> set[int]:
    """The trials that the warehouse has, by what their fits write into the log: the `random_state` of the model."""
    if not path.exists():
        return set()
    with closing(sqlite3.connect(path)) as connection:  # an open one, inherited by a fork, would break SQLite's locks
        there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'trial'").fetchone()
        seeds = connection.execute("SELECT seed FROM trial").fetchall() if there else []
    return {seed_for(seed, "random_state") % 2**32 for (seed,) in seeds}


def logged(folder: Path) -> list[int]:
    return [int(line) for line in (folder / "log").read_text().split()]


def place(executor: str, address: str) -> dict[str, Any]:
    if executor == "processes":
        return {"executor": lambda: ProcessPoolExecutor(2), "workers": 2}
    if executor == "dask":
        import distributed

        return {"executor": distributed.Client(address).get_executor(), "workers": 2}
    return {"executor": executor, "workers": 1 if executor == "loky" else 2}


def wait_for_cluster(address: str) -> None:
    """Wait until the cluster has finished what a killed process has sent: such fits would pass the next gate."""
    import distributed

    client = distributed.Client(address)
    for worker in client.scheduler_info(n_workers=-1)["workers"]:  # each has one thread
        client.submit(os.getpid, workers=[worker], pure=False).result()


def drive(design: Design, folder: Path, executor: str, address: str, gated: int | None) -> None:
    """Be the process that is killed; `gated` is the number of fits that it may make."""
    where = place(executor, address)
    if gated is not None:
        executors.CHUNK_SECONDS = 0.0  # chunks of one trial: none that has ended waits for another that is at the gate
        lines = logged(folder)
        for name, number in {"gate": len(lines) + gated, "begun": len(lines)}.items():
            (folder / "new").write_text(str(number))
            (folder / "new").rename(folder / name)
    run(design(folder), folder / "w.db", progress="quiet", **where)


def forked(function: Callable[..., None], *arguments: Any) -> int:
    """Call a function in a new process."""
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        function(*arguments)
        status = 0
    finally:
        os._exit(status)


def kill_in_the_middle(
    design: Design, folder: Path, executor: str, address: str, stored: int, pause: float
) -> dict[str, Any]:
    """Start the experiment, kill it when it has stored some more trials, and say what was seen."""
    path = folder / "w.db"
    before, fits = finished(path), len(logged(folder))
    (folder / "begun").unlink(missing_ok=True)
    process = forked(drive, design, folder, executor, address, stored + MORE)
    # What is waited for always comes, unless the process ends: then it is not there to be killed.
    while os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        made = (folder / "begun").exists() and len(
            logged(folder)
        ) >= fits + stored  # before that, nothing can be stored
        if made and len(finished(path)) >= len(before) + stored:
            time.sleep(pause)  # whatever it is doing then
            break
        time.sleep(0.02)
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    begun = int((folder / "begun").read_text())
    (folder / "gate").unlink()
    if executor == "dask":
        assert os.waitpid(forked(wait_for_cluster, address), 0)[1] == 0
    wait_for_descendants()
    after = finished(path)
    with Warehouse(path) as warehouse:  # opening it makes it whole
        attempts = sum(1 for _ in warehouse.records(every_attempt=True))
    return {
        "executor": executor,
        "ended": os.waitstatus_to_exitcode(status),
        "expected": stored,
        "stored": len(after) - len(before),
        "made": len(after),
        "lost": len(before - after),
        "unlogged": len(after - set(logged(folder))),
        "again": [fit for fit in logged(folder)[begun:] if fit in before],
        "sound": attempts == len(after),
    }


def wait_for_descendants() -> None:
    """Wait until all processes are gone that the killed process and its descendants have started; the fork server stays."""
    server = forkserver._server_of_this_process().process.pid
    until = time.monotonic() + 600  # only a process that never ends takes so long
    while (found := set(descendants(os.getpid()))) != {server}:
        assert time.monotonic() < until, f"processes are left: {found - {server}}"
        with suppress(ChildProcessError):  # orphans become children of this process, see `main`
            for child in children(os.getpid()):
                if child != server:
                    os.waitpid(child, os.WNOHANG)
        time.sleep(0.005)


def children(process: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{process}/task"):
            found += map(int, Path(f"/proc/{process}/task/{task}/children").read_text().split())
    return found


def descendants(process: int) -> list[int]:
    return [each for child in children(process) for each in (child, *descendants(child))]


def kill_often(design: Design, folder: Path, address: str, kills: list[tuple[str, int]], seed: int) -> dict[str, Any]:
    """Run an experiment in processes that are killed, and then to its end."""
    folder.mkdir()
    (folder / "log").touch()
    moments = random.Random(seed)
    seen = [
        kill_in_the_middle(design, folder, executor, address, stored, moments.uniform(0, 0.03))
        for executor, stored in kills
    ]
    _, status = os.waitpid(forked(drive, design, folder, "threads", "", None), 0)
    return {"kills": seen, "status": status}


def main(name: str, address: str) -> None:
    folder = Path(name)
    assert adaptive.DecisionMaker is not None  # imported before processes are forked
    import_module("distributed")  # likewise; those who import this module do not need it
    gc.freeze()  # a collection in a process that is forked then copies less memory
    forkserver._call_prctl(forkserver._SET_CHILD_SUBREAPER, 1)
    forkserver._server_of_this_process()  # the processes that are killed share it
    fixed = [(executor, stored) for executor, kills in KILLS.items() for stored in kills]
    seen = {
        "fixed": kill_often(design, folder / "fixed", address, fixed, 1),
        "staged": kill_often(killing_staged.design, folder / "staged", address, killing_staged.KILLS, 2),
    }
    (folder / "seen.json").write_text(json.dumps(seen))
    pool = SupervisedPool(1)
    pool.submit(hang, folder / "hanging")
    while not (folder / "hanging").exists():
        time.sleep(0.005)
    os.kill(os.getpid(), signal.SIGKILL)  # the fork server must end with it, and the worker, too


def hang(file: Path) -> None:
    """Hold the interpreter lock."""
    file.touch()
    ctypes.PyDLL(None).sleep(600)
