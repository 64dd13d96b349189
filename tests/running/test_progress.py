"""The progress of a run: in a terminal, a notebook, a file."""

from __future__ import annotations

import io
import logging
import sys
import time
from types import SimpleNamespace
from typing import Any

import pytest

import podium
from podium.running.progress import Lines, NotebookBar, RunBar, Tally, progress_for
from podium.store.record import TrialKey, TrialRecord


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Handle:
    """What IPython's display returns."""

    def __init__(self, shown: list[Any]) -> None:
        self.shown = shown

    def update(self, what: Any) -> None:
        self.shown.append(what)


def notebook(monkeypatch: pytest.MonkeyPatch, shown: list[Any]) -> None:
    """Imitate what IPython leaves among the imported modules when it runs a cell."""

    def display(what: Any, display_id: bool) -> Handle:
        shown.append(what)
        return Handle(shown)

    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=display))


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log of podium is not enabled."""
    monkeypatch.setattr(logging.getLogger("podium"), "level", logging.WARNING)
    monkeypatch.delitem(sys.modules, "IPython", raising=False)


@pytest.mark.usefixtures("silent")
def test_a_terminal_gets_a_bar_and_a_file_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert isinstance(progress_for("auto"), RunBar)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert isinstance(progress_for("auto"), Lines)
    assert isinstance(progress_for("bar"), RunBar)


def test_a_notebook_gets_one_output_that_is_redrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    notebook(monkeypatch, shown)
    bar = progress_for("auto")
    assert isinstance(bar, NotebookBar)
    tally = Tally(total=4, ended=1)
    bar.update(tally)
    bar.update(tally)  # too soon to draw again
    assert len(shown) == 1
    assert '<progress value="1" max="4"' in shown[0]._repr_html_()
    tally.ended = 4
    bar.close(tally)
    assert repr(shown[-1]).startswith("4 of 4 trials")


def test_the_bar_is_drawn_over_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    stream = io.StringIO()
    bar = RunBar(stream, every=0.0)
    tally = Tally(total=4, started=time.monotonic() - 10)
    for status in ("done", "failed"):
        tally.add(TrialRecord(key=TrialKey("iris", 1, "svm"), status=status, message="one over zero"))
    bar.update(tally)
    bar.close(tally)
    drawn, last = stream.getvalue().rstrip("\n").split("\n")
    assert last == "First failed: svm on iris, replication 1: one over zero"
    lines = [line.rstrip() for line in drawn.split("\r")[1:]]
    assert lines == ["[███████████████···············] 2 of 4 trials, 0.2/s, 10 s left, 1 failed"] * 2


def test_lines_appear_from_time_to_time_and_at_the_end() -> None:
    stream = io.StringIO()
    lines = Lines(stream, first=1000.0)
    lines.update(Tally(total=4, ended=1))
    assert stream.getvalue() == ""
    lines = Lines(stream, first=0.0, every=1000.0)
    lines.update(Tally(total=4, ended=1))
    lines.update(Tally(total=4, ended=2))
    lines.close(Tally(total=4, ended=4))
    first, last = stream.getvalue().splitlines()
    assert first.startswith("podium: 1 of 4 trials")
    assert last.startswith("podium: 4 of 4 trials")
    assert last.endswith(" after 0 s")


@pytest.mark.usefixtures("in_this_process")
def test_a_measure_that_raises_in_every_trial_is_told_with_its_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def calibration(model: Any, learn: Any, test: Any) -> float:
        raise ZeroDivisionError("no bin has an example")

    own = podium.Measure("calibration", calibration, direction="lower")
    experiment = podium.Experiment(
        "iris", ["lda", "knn"], podium.Subsampling(replications=3), ["misclassification", own], seed=1
    )
    monkeypatch.setattr(sys, "stderr", Terminal())
    with podium.Warehouse(":memory:") as warehouse:
        podium.run(experiment, warehouse, executor="threads", workers=1, progress="bar")
        status = warehouse.status()
    shown = sys.stderr.getvalue()
    assert shown.count("calibration without a value") >= 1
    assert "ZeroDivisionError: no bin has an example" in shown
    (problem,) = status.problems.to_dict("records")
    assert (problem["status"], problem["measure"], problem["trials"]) == ("done", "calibration", 6)
    assert "no bin has an example" in problem["message"]
