"""The scripts of ``benchmarks/`` run; their figures are for people."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
SCRIPTS = sorted(path for path in FOLDER.glob("*.py") if path.name != "timing.py")


def run(script: Path, option: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(script), option]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240, check=False)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_its_quick_form_runs(script: Path, tmp_path: Path) -> None:
    done = run(script, "--quick", tmp_path)
    if done.stderr.startswith("Chromium is not installed"):
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert list(tmp_path.iterdir()) == []


def test_options_that_a_script_does_not_have_are_refused(tmp_path: Path) -> None:
    assert run(FOLDER / "arff.py", "--no-such-option", tmp_path).returncode == 2
