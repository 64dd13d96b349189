"""Figures and runs in a real notebook kernel, with the backend that Jupyter chooses."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from drawings import DRAWINGS
from jupyter_client.manager import KernelManager, start_new_kernel
from nbclient import NotebookClient

from podium import plot

HERE = Path(__file__).parent
HELPERS = {"colours", "plot_of", "save"}  # make no figure


def first_drawing(name: str) -> str:
    return next(key for key in DRAWINGS if key.startswith(name.replace("_", "-")))


def as_in_jupyter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MPLBACKEND", raising=False)  # the kernel then takes that of notebooks


def test_every_figure_shows_once_where_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    as_in_jupyter(monkeypatch)
    figures = {f"drawings.DRAWINGS[{first_drawing(name)!r}]()": 1 for name in plot.__all__ if name not in HELPERS}
    expected = {
        f"import sys; sys.path.insert(0, {str(HERE)!r}); import drawings, matplotlib.pyplot as plt": 0,
        "settings = dict(plt.rcParams)": 0,
        **figures,
        "drawings.DRAWINGS['box'](); drawings.DRAWINGS['box']()": 2,
        "plt.plot([1, 2])": 1,
        "assert dict(plt.rcParams) | {'interactive': 0} == settings | {'interactive': 0}, 'settings changed'": 0,
    }
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in expected])
    NotebookClient(notebook, timeout=300).execute()
    shown = {
        cell.source: sum("image/png" in output.get("data", {}) for output in cell.outputs) for cell in notebook.cells
    }
    assert shown == expected


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[KernelManager, object]]:
    as_in_jupyter(monkeypatch)
    manager, client = start_new_kernel(cwd=str(tmp_path))
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_an_interrupted_run_says_how_to_resume(kernel: tuple[KernelManager, object], tmp_path: Path) -> None:
    manager, client = kernel
    run = """\
import podium, time
class Slow:
    def fit(self, X, y):
        time.sleep(0.2)
        self.first = y[0]
        return self
    def predict(self, X):
        return [self.first] * len(X)
experiment = podium.Experiment(datasets=["iris"], algorithms={"slow": Slow()}, measures=["misclassification"],
                               resampling=podium.Bootstrap(replications=300), seed=1)
podium.run(experiment, "interrupted.db", workers=1)
"""
    client.execute(run)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:  # until the progress bar counts a trial
        message = client.get_iopub_msg(timeout=60)
        text = json.dumps(message["content"].get("data", {}))
        if 'value=\\"' in text and 'value=\\"0\\"' not in text:
            break
    manager.interrupt_kernel()
    while (message := client.get_shell_msg(timeout=60))["msg_type"] != "execute_reply":
        pass  # a late answer to the question whether the kernel is ready
    reply = message["content"]
    assert (reply["status"], reply["ename"]) == ("error", "RunInterrupted")
    assert "podium.run(experiment, 'interrupted.db')" in reply["evalue"]
    assert (tmp_path / "interrupted.db").exists()
