"""A run that is killed and resumed ends as if nothing had happened, and measures nothing twice that it had kept."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from killing import design

from podium.execution.runner import run
from podium.warehouse.warehouse import Warehouse

TIMES = ["started", "fit_seconds", "predict_seconds", "host"]


def table(path: Path) -> pd.DataFrame:
    """Everything a warehouse has, times aside, in the order of the trials."""
    with Warehouse(path, readonly=True) as warehouse:
        trials = warehouse.trials(every_attempt=True)
    known = trials.drop(columns=TIMES)
    return known.sort_values(["dataset", "replication", "algorithm"], ignore_index=True)


@pytest.mark.parametrize(("executor", "replications", "kills"), [("threads", 24, 5), ("pool", 24, 5)])
def test_killed_at_random_moments(tmp_path: Path, executor: str, replications: int, kills: int) -> None:
    command = [sys.executable, Path(__file__).with_name("killing.py"), tmp_path, executor, replications, kills]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads((tmp_path / "seen.json").read_text())
    trials = 4 * replications
    assert seen["again"] == []
    assert seen["unsound"] == []
    assert seen["progress"][-1] == trials
    assert len({n for n in seen["progress"] if 0 < n < trials}) >= kills // 2, "too few kills happened in the middle"
    # Nothing was measured twice but what was in flight: half a second of work of two workers at the most, each time.
    assert seen["fits"] - trials // 2 <= kills * 2 * 0.5 / 0.01
    whole = tmp_path / "whole.db"
    run(design(tmp_path, replications), whole, executor="threads", workers=2, progress="quiet")
    pd.testing.assert_frame_equal(table(tmp_path / "w.db"), table(whole))
