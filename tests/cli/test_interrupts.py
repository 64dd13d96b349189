"""Ctrl-C ends a command in one line and with status 130, whatever it cuts off."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest

import podium
from podium.cli import datasets, main
from podium.errors import MissingExtraError
from podium.running.interrupts import RunInterrupted

DESIGN = """\
seed: 1
datasets: [iris]
algorithms: [lda]
resampling: {bootstrap: {replications: 2}}
measures: [accuracy]
"""


def press(*_: Any, **__: Any) -> NoReturn:
    os.kill(os.getpid(), signal.SIGINT)
    raise AssertionError("the signal has not arrived")


def press_during_an_import(*_: Any, **__: Any) -> NoReturn:
    try:
        press()
    except KeyboardInterrupt:
        raise ImportError("a library that swallows the interrupt") from None


def press_during_the_import_of_an_extra(*_: Any, **__: Any) -> NoReturn:
    try:
        press_during_an_import()
    except ImportError as error:
        raise MissingExtraError("The explorer", "bokeh", "explorer") from error


@pytest.mark.parametrize("pressed", [press, press_during_an_import, press_during_the_import_of_an_extra])
def test_any_verb_ends_in_one_line(
    pressed: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(datasets, "run", pressed)
    assert main(["datasets"]) == 130
    assert capsys.readouterr().err == "podium datasets: interrupted.\n"
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler


def test_an_error_without_ctrl_c_stays_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(args: object) -> NoReturn:
        raise ImportError("broken")

    monkeypatch.setattr(datasets, "run", fail)
    with pytest.raises(ImportError, match="broken"):
        main(["datasets"])


@pytest.mark.parametrize("name", ["preview", "run"])
def test_a_run_that_is_starting_ends_in_one_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("toy.yaml").write_text(DESIGN)
    monkeypatch.setattr(podium, name, press)
    assert main(["run", "toy.yaml", *(["--dry-run"] if name == "preview" else [])]) == 130
    said = (
        "interrupted." if name == "preview" else "stopped; everything measured is kept. To resume: podium run toy.yaml"
    )
    assert capsys.readouterr().err == f"podium run: {said}\n"


def test_a_run_says_what_was_kept_and_the_command_to_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("toy.yaml").write_text(DESIGN)

    def stop(*_: Any, **__: Any) -> NoReturn:
        raise RunInterrupted(1, 2, "toy.db")

    monkeypatch.setattr(podium, "run", stop)
    assert main(["run", "toy.yaml", "--workers", "2"]) == 130
    assert capsys.readouterr().err == (
        "podium run: stopped; 1 of 2 trials are kept in 'toy.db'. To resume: podium run toy.yaml --workers 2\n"
    )


PROGRAMS = {
    "while a dataclass is made": "from podium.cli import datasets\n"
    "datasets.run = lambda args: exec('raise KeyboardInterrupt')\n",
    "while podium.cli is imported": "class Finder:\n"
    "    def find_spec(self, name, *_):\n"
    "        if name == 'podium.cli':\n"
    "            raise KeyboardInterrupt\n"
    "sys.meta_path.insert(0, Finder())\n",
}


@pytest.mark.parametrize("when", PROGRAMS)
def test_the_process_ends_with_the_status(when: str) -> None:
    program = f"import sys\n{PROGRAMS[when]}from podium.__main__ import start\nsys.argv = ['podium', 'datasets']\n"
    ended = subprocess.run([sys.executable, "-c", f"{program}sys.exit(start())"], capture_output=True, text=True)
    name = "podium datasets" if "dataclass" in when else "podium"
    assert (ended.returncode, ended.stderr) == (130, f"{name}: interrupted.\n")
