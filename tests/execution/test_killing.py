"""A run that is killed and resumed ends as if nothing had happened, and measures nothing twice that it had kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pytest
from killing import KILLS, design

import podium
from podium.warehouse.warehouse import Warehouse

TIMEOUT = 900 + 60 * sum(map(len, KILLS.values()))
TIMES = ["started", "fit_seconds", "predict_seconds", "host"]


def table(path: Path) -> pd.DataFrame:
    """Everything a warehouse has, times aside, in the order of the trials."""
    with Warehouse(path, readonly=True) as warehouse:
        trials = warehouse.trials(every_attempt=True)
    known = trials.drop(columns=TIMES)
    return known.sort_values(["dataset", "replication", "algorithm"], ignore_index=True)


def processes_with(variable: str) -> list[int]:
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
            if variable.encode() in file.read():
                found.append(int(name))
    return found


def test_killed_in_the_middle_on_every_executor(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """One experiment, resumed on one executor after the other: its processes are killed, and it ends all the same."""
    address = request.getfixturevalue("cluster").scheduler.address
    command = [sys.executable, str(Path(__file__).with_name("killing.py")), str(tmp_path), address]
    environ = {**os.environ, "PODIUM_KILLING": str(tmp_path)}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=TIMEOUT)
    assert done.returncode == -signal.SIGKILL, done.stderr
    seen = json.loads((tmp_path / "seen.json").read_text())
    assert [kill["executor"] for kill in seen["kills"]] == [name for name, kills in KILLS.items() for _ in kills]
    for kill in seen["kills"]:
        assert kill["ended"] == -signal.SIGKILL, kill
        assert kill["stored"] >= kill["expected"], kill
        assert kill["left"] > 0, kill
        assert kill["lost"] == 0, kill
        assert kill["again"] == [], kill
        assert kill["sound"], kill
    assert seen["status"] == 0
    whole = tmp_path / "whole.db"
    podium.run(design(tmp_path), whole, workers=2, progress="quiet")
    pd.testing.assert_frame_equal(table(tmp_path / "w.db"), table(whole))
    for _ in range(600):
        if not processes_with(f"PODIUM_KILLING={tmp_path}"):
            return
        time.sleep(0.1)
    pytest.fail("processes are left")
