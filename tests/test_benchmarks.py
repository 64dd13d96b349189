"""The scripts of ``benchmarks/`` run; their figures are for people."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
SCRIPTS = sorted(path for path in FOLDER.glob("*.py") if path.name != "timing.py")
AS_A_SCRIPT = "import runpy, sys; path, *sys.argv = sys.argv[1:]; runpy.run_path(path, run_name='__main__')"
QUICK = {"runner": ["--runner", "podium", "--trials", "4"]}  # its quick form starts many interpreters


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_its_quick_form_runs(
    script: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run_python: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(FOLDER), prepend=":")
    done = run_python(AS_A_SCRIPT, str(script), str(script), *QUICK.get(script.stem, ["--quick"]))
    if done.stderr.startswith("Chromium is not installed"):
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() or script.stem in QUICK
    assert list(tmp_path.iterdir()) == []
    assert run_python(AS_A_SCRIPT, str(script), str(script), "--no-such-option").returncode == 2
