"""A run that is killed and resumed ends as if nothing had happened, and measures nothing twice that it had kept."""

from __future__ import annotations

import json
import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import killing
import killing_staged
import pandas as pd
import pytest
from staged import assert_same

import podium
from podium.store.warehouse import Warehouse

TIMEOUT = 900 + 60 * sum(map(len, killing.KILLS.values()))
PROGRAM = "import sys; sys.path.insert(0, sys.argv[1]); import killing; killing.main(*sys.argv[2:])"
TIMES = ["started", "fit_seconds", "predict_seconds", "host"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """Where the program that kills has left its warehouses and what it has seen; it kills itself at last."""
    folder = tmp_path_factory.mktemp("killing")
    address = request.getfixturevalue("cluster").scheduler.address
    words = [PROGRAM, str(Path(__file__).parent), str(folder), address]
    done = request.getfixturevalue("run_python")(*words, seconds=TIMEOUT, PODIUM_KILLING=str(folder))
    assert done.returncode == -signal.SIGKILL, done.stderr
    return folder


def check_kills(seen: dict[str, Any], expected: list[tuple[str, int]]) -> None:
    """Check what was seen of an experiment that was killed, resumed on the same or another executor, and ended."""
    assert [(kill["executor"], kill["expected"]) for kill in seen["kills"]] == expected
    for kill in seen["kills"]:
        assert kill["ended"] == -signal.SIGKILL, kill
        assert kill["stored"] >= kill["expected"], kill
        assert kill["lost"] == 0, kill
        assert kill["unlogged"] == 0, kill
        assert kill["again"] == [], kill
        assert kill["sound"], kill
    assert seen["status"] == 0


def table(path: Path) -> pd.DataFrame:
    """Everything a warehouse has, apart from times, in the order of the trials."""
    with Warehouse(path, readonly=True) as warehouse:
        trials = warehouse.trials(every_attempt=True)
    known = trials.drop(columns=TIMES)
    return known.sort_values(["dataset", "replication", "algorithm"], ignore_index=True)


def test_killed_in_the_middle_on_every_executor(folder: Path, tmp_path: Path) -> None:
    seen = json.loads((folder / "seen.json").read_text())["fixed"]
    check_kills(seen, [(name, stored) for name, kills in killing.KILLS.items() for stored in kills])
    podium.run(killing.design(folder / "fixed"), tmp_path / "whole.db", workers=2, progress="quiet")
    whole = table(tmp_path / "whole.db")
    assert all(kill["made"] < len(whole) for kill in seen["kills"])
    pd.testing.assert_frame_equal(table(folder / "fixed" / "w.db"), whole)


def test_killed_again_and_again_a_run_that_may_stop_early_decides_alike(folder: Path) -> None:
    seen = json.loads((folder / "seen.json").read_text())["staged"]
    check_kills(seen, killing_staged.KILLS)
    with Warehouse(folder / "staged" / "w.db") as killed, Warehouse(":memory:") as whole:
        podium.run(killing_staged.design(folder / "staged"), whole, executor="threads", workers=1, progress="quiet")
        assert_same(killed, whole)
        assert killed.check() == ()
        assert killed.decisions()[-1].stops
        assert any(decision.dropped for decision in killed.decisions())


def processes_with(variable: str) -> list[int]:
    """The programs that were started with an environment variable, and their forks."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
            if variable.encode() in file.read():
                found.append(int(name))
    return found


def test_no_process_is_left(folder: Path) -> None:
    for _ in range(3_000):  # only a process that never ends takes so long
        if not processes_with(f"PODIUM_KILLING={folder}"):
            return
        time.sleep(0.1)
    pytest.fail("processes are left")
