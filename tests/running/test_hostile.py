"""Hostile estimators on every executor: each costs its own trial, and leaves nothing behind.

Those that hang are in `test_executors`. All are run by the pool and by loky, which have nothing in common but the
processes that run trials. On other executors those are run whose outcome could be lost on the way back, or that kill.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import hostile
import numpy as np
import pytest
import trouble

import podium
from podium.store.warehouse import Warehouse

RunPython = Callable[..., subprocess.CompletedProcess[str]]

LONG = 50.0  # seconds that no trial takes unless it hangs, on however busy a machine
INNOCENT = (trouble.Majority, trouble.FirstRow)


def experiment(kinds: tuple[type[hostile.Hostile], ...]) -> podium.Experiment:
    models = [trouble.Majority(), *(kind() for kind in kinds), trouble.FirstRow()]
    algorithms = [podium.Algorithm(type(model).__name__, model) for model in models]
    measures = ["misclassification", podium.Measure("overflow", hostile.overflow, direction="lower")]
    return podium.Experiment([trouble.toy()], algorithms, podium.Bootstrap(1), measures)


def place(name: str, request: pytest.FixtureRequest) -> dict[str, Any]:
    if name == "processes":
        return {"executor": lambda: ProcessPoolExecutor(2), "workers": 2}
    if name == "dask":
        return {"executor": request.getfixturevalue("cluster").get_executor(), "workers": 2}
    return {"executor": name, "workers": 1 if name == "loky" else 2}  # each of its workers is a new interpreter


@pytest.fixture(scope="module")
def alone() -> podium.Results:
    """The numbers of the well-behaved algorithms without the others."""
    full = experiment(())
    named = [algorithm for algorithm in full.algorithms if algorithm.name in [kind.__name__ for kind in INNOCENT]]
    return podium.run(full.replace(algorithms=named), workers=1, progress="quiet")


FEW = (hostile.LoneSurrogate, hostile.NulAndEscapes, hostile.NoPickle, hostile.WarnsALot, hostile.Aborts)
FEW += (hostile.KillsItsParent, hostile.DaemonAndDeath)


@pytest.mark.parametrize(
    ("name", "kinds"),
    [("pool", hostile.KINDS), ("processes", FEW), ("loky", FEW), ("dask", FEW)],
    ids=["pool", "processes", "loky", "dask"],
)
def test_each_costs_its_own_trial(
    name: str,
    kinds: tuple[type[hostile.Hostile], ...],
    request: pytest.FixtureRequest,
    alone: podium.Results,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    where = place(name, request)
    ran = hostile.hostile_folder(tmp_path)
    if name == "loky":  # its workers are interpreters that start here
        monkeypatch.chdir(tmp_path)
    before = len(os.listdir("/proc/self/fd"))
    with Warehouse(tmp_path / "w.db") as warehouse:
        results = podium.run(experiment(kinds), warehouse, seconds_per_fit=LONG, progress="quiet", **where)
        attempts = warehouse.trials(every_attempt=True).set_index("algorithm")
    assert attempts.index.is_unique
    hostile.assert_expected(attempts, kinds)
    for kind in INNOCENT:
        ours, own = (each.select(algorithm=kind.__name__).values for each in (results, alone))
        assert np.array_equal(ours, own, equal_nan=True)
        assert attempts.loc[kind.__name__, "undefined"]["overflow"] == "its value is infinite"
    assert attempts["message"].map(len).max() <= 2100
    assert len(attempts.loc["WarnsALot", "warnings"]) == 100
    assert not hostile.marked_processes()
    assert not ran.exists(), "a module in the working folder was run"
    if name == "pool":  # others keep processes and connections of their own
        assert len(os.listdir("/proc/self/fd")) <= before + 2  # the fork server and its connection, which stay
        printed = capfd.readouterr().err
        assert "\x1b" not in printed
        assert len(printed) < 100_000
        assert "podium: further output of the trials is not shown" in printed


# What surrounds a run


def test_running_out_of_files_is_an_error_and_not_a_hang(run_python: RunPython) -> None:
    code = (
        "import os, resource, podium\n"
        "from podium.errors import ExecutionError\n"
        "experiment = podium.Experiment('monks3', ['constant'], podium.Bootstrap(1), 'accuracy')\n"
        "hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]\n"
        "for spare in (1, 5):\n"
        "    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir('/proc/self/fd')) + spare, hard))\n"
        "    try:\n"
        "        print(podium.run(experiment, progress='quiet', workers=1).shape)\n"
        "    except ExecutionError as error:\n"
        "        print(str(error).splitlines()[0])\n"
    )
    done = run_python(code)
    texts = done.stdout.splitlines()
    assert len(texts) == 2, done.stderr
    assert all(text.startswith(("Worker processes cannot be started", "A worker process could not")) for text in texts)


def test_without_posix_trials_run_in_the_process_itself(run_python: RunPython) -> None:
    experiment = podium.Experiment("monks3", ["constant", "nb"], podium.Bootstrap(3), ["accuracy", "deviance"])
    code = (
        "import sys, os, socket\n"
        "sys.modules['fcntl'] = sys.modules['resource'] = None\n"
        "del os.fork, os.register_at_fork, socket.send_fds\n"
        "import podium\n"
        "experiment = podium.Experiment('monks3', ['constant', 'nb'], podium.Bootstrap(3), ['accuracy', 'deviance'])\n"
        "results = podium.run(experiment, workers=2, progress='quiet')\n"
        "print(results.values.tobytes().hex(), 'podium.running.in_process' in sys.modules)\n"
    )
    plain = run_python(code)
    usual = podium.run(experiment, workers=2, progress="quiet")
    assert plain.stdout.split() == [usual.values.tobytes().hex(), "True"], plain.stderr
    assert "This system cannot fork processes" in plain.stderr
