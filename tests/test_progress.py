"""Progress of reports and archetypes: the modes and messages that domains have."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import podium

DATA = np.random.default_rng(1).normal(size=(30, 3))
RESULTS = podium.examples.load_demsar2006()


def a_report(progress: Any) -> None:
    podium.report(RESULTS, sections=["design", "methods"], progress=progress)


def some_archetypes(progress: Any) -> None:
    podium.archetypes(DATA, k=[1, 2, 3], n_init=4, seed=1, workers=1, progress=progress)


def an_estimator(progress: Any) -> None:
    podium.ArchetypalAnalysis(n_archetypes=2, n_init=9, workers=1, progress=progress).fit(DATA)


# What a call counts when it has ended
ENDS = [(a_report, "2 of 2 sections"), (some_archetypes, "9 of 9 restarts"), (an_estimator, "9 of 9 restarts")]


class Noted:
    def __init__(self) -> None:
        self.texts: list[str] = []
        self.closed: list[str] = []

    def update(self, tally: Any) -> None:
        self.texts.append(f"{tally.ended} of {tally.total} {tally.at_work}".strip())

    def close(self, tally: Any) -> None:
        self.closed.append(str(tally))


@pytest.mark.parametrize(("call", "end"), ENDS)
def test_the_log_reports_the_end(
    call: Callable[[Any], None], end: str, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.INFO, logger="podium"):
        call("log")
    assert [line.split(" after ")[0] for line in caplog.messages] == [end]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("call", "end"), ENDS)
def test_a_bar_is_drawn_on_request_only(
    call: Callable[[Any], None], end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call("bar")
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.endswith("\n")
    assert shown.err.rpartition("\r")[2].strip() == f"[{'█' * 30}] {end}"
    for silent in ("auto", "quiet"):  # standard error is not a terminal here
        call(silent)
        assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("call", "end"), ENDS)
def test_your_own_object_follows(call: Callable[[Any], None], end: str) -> None:
    noted = Noted()
    call(noted)
    assert noted.closed == [end]


def test_a_report_names_the_section_at_work() -> None:
    noted = Noted()
    a_report(noted)
    assert noted.texts == ["0 of 2 design", "1 of 2 methods"]
