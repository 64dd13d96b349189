"""The verbs run, retry and status."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from forks import ended, forked, is_running
from podium.__main__ import start
from podium.cli import exit_status, main

DESIGN = """\
name: small
datasets: [{generator: twonorm, n: 40, seed: 1}]
algorithms:
  - constant
  - {class: trouble.Raises, name: raises}
resampling: {bootstrap: {replications: 2}}
measures: [misclassification]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "small.yaml").write_text(DESIGN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


FAST = ["--executor", "threads", "--workers", "1", "--progress", "quiet"]


def test_run_status_and_retry(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "small.yaml", *FAST]) == exit_status.FAILED_TRIALS
    shown = capsys.readouterr().out
    assert shown == (
        "small.db: 4 trials: 2 done, 2 failed\n\n"
        "          done  failed\n"
        "constant     2       0\n"
        "raises       0       2\n\n"
        "Problems\n"
        "       2 × failed   raises: The fit of 'raises' failed: ZeroDivisionError: one over zero\n"
    )
    for where in ("small.db", "small.yaml"):
        assert main(["status", where]) == 0
        assert capsys.readouterr().out == shown
    assert main(["retry", "small.yaml", "--status", "failed,timeout", *FAST]) == exit_status.FAILED_TRIALS
    assert capsys.readouterr().out == shown


@pytest.mark.usefixtures("in_this_process")
def test_a_dry_run_shows_the_plan_and_writes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "small.yaml", "--dry-run", *FAST]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("4 of 4 trials are left to do.\n\nTrials left\n")
    assert "By this pilot, the run takes about" in shown
    assert not (folder / "small.db").exists()


@pytest.mark.usefixtures("in_this_process")
def test_a_run_with_too_little_time_says_how_to_resume(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["run", "small.yaml", "--seconds", "1e-9", "--warehouse", "my results.db", *FAST]
    assert main(command) == exit_status.UNFINISHED
    assert capsys.readouterr().out.endswith(
        "\nThe time limit was reached. To resume:\n"
        "  podium run small.yaml --warehouse 'my results.db' --workers 1 --executor threads\n"
    )


def kept(path: Path) -> int:
    """How many trials a warehouse has, also while it is being created."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as connection:
        there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'trial'").fetchone()
        return connection.execute("SELECT COUNT(*) FROM trial").fetchone()[0] if there else 0


def be_podium(*words: str) -> int:
    """Be the process of a command, whose standard error is a file."""
    sys.argv = ["podium", *words]
    with open("shown", "w") as sys.stderr:
        os.dup2(sys.stderr.fileno(), 2)
        return start()


def test_ctrl_c_prints_how_to_resume(folder: Path) -> None:
    (folder / "small.yaml").write_text(DESIGN.replace("trouble.Raises", "trouble.Hangs"))
    process = forked(be_podium, "run", "small.yaml", "--workers", "1", "--progress", "log")
    while not kept(folder / "small.db") and is_running(process):  # then the second trial hangs
        time.sleep(0.02)
    os.kill(process, signal.SIGINT)
    status, shown = ended(process), (folder / "shown").read_text()
    assert status == 130, shown
    assert shown.endswith("1 of 4 trials are kept in 'small.db'. To resume: podium run small.yaml --workers 1\n")
