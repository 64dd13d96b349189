"""A run that may stop early is killed 20 times, and ends with the warehouse of a run that nobody disturbed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from killing_staged import KILLS, design
from staged import assert_same

import podium
from podium.warehouse import Warehouse


def test_killed_twenty_times_it_decides_alike(tmp_path: Path) -> None:
    command = [sys.executable, str(Path(__file__).with_name("killing_staged.py")), str(tmp_path)]
    environ = {**os.environ, "PODIUM_KILLING": str(tmp_path)}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == -signal.SIGKILL, done.stderr
    seen = json.loads((tmp_path / "seen.json").read_text())
    assert [kill["executor"] for kill in seen] == [executor for executor, _ in KILLS]
    assert len(seen) == 20
    for kill in seen:
        assert kill["ended"] == -signal.SIGKILL, kill
        assert kill["stored"] >= kill["expected"], kill
        assert kill["lost"] == 0, kill
        assert kill["again"] == [], kill
        assert kill["sound"], kill
    with Warehouse(tmp_path / "w.db") as killed, Warehouse(tmp_path / "whole.db") as whole:
        podium.run(design(tmp_path), whole, executor="threads", workers=1, progress="quiet")
        assert_same(killed, whole)
        assert killed.check() == ()
        assert killed.decisions()[-1].stops
        assert any(decision.dropped for decision in killed.decisions())
