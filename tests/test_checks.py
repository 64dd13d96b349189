"""Checks of arguments: what each accepts, what each refuses, and the message with the way out."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium import checks
from podium.errors import InputError, PodiumError

FRAME = pd.DataFrame({"dataset": ["iris", "wine"], "svm": [0.9, 0.8], "knn": [0.7, 0.8]})
READ = "Use podium.read(frame); it needs measure='...' if the table does not say what was measured."


def message(call: Callable[[], object], kind: type[PodiumError] = InputError) -> str:
    with pytest.raises(PodiumError) as caught:
        call()
    assert type(caught.value) is kind
    return str(caught.value)


@pytest.mark.parametrize("take", [podium.summarize, podium.compare, podium.explore, podium.plot.box])
def test_a_table_in_place_of_results(take: Callable[[Any], object]) -> None:
    assert message(lambda: take(FRAME)) == f"`results` must be a Results; got a DataFrame. {READ}"


@pytest.mark.parametrize(
    ("thing", "end"),
    [
        ("scores.csv", "got 'scores.csv'. Use podium.read('scores.csv')."),
        (FRAME["svm"], f"got a Series. {READ}"),
        (
            podium.Experiment("iris", "lda", podium.HoldOut(), "accuracy"),
            "got an Experiment. Use podium.run(experiment).",
        ),
        (
            podium.compare(podium.examples.load_demsar2006()),
            "got a Comparison. Use the results that the Comparison was made from.",
        ),
    ],
)
def test_the_way_to_results_depends_on_what_is_given(thing: object, end: str) -> None:
    assert message(lambda: podium.summarize(thing)) == f"`results` must be a Results; {end}"  # type: ignore[arg-type]


def test_the_way_to_a_comparison() -> None:
    draw, results = podium.plot.critical_difference, podium.examples.load_demsar2006()
    start = "`comparison` must be a Comparison; got "
    assert message(lambda: draw(results)) == f"{start}a Results. Compare first: podium.compare(results)."  # type: ignore[arg-type]
    read_first = "Read it and compare first: podium.compare(podium.read(frame))."
    assert message(lambda: draw(FRAME)) == f"{start}a DataFrame. {read_first}"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: checks.check_choice(FRAME, ["a"], "x"), "`x` must be one of 'a'; got a DataFrame."),
        (lambda: checks.check_alpha("5 %"), "`alpha` must be a number between 0 and 0.5, such as 0.05; got '5 %'."),
        (lambda: checks.check_count(True, "n"), "`n` must be a whole number of at least 1; got True."),
        (lambda: checks.check_count(1, "n", least=2), "`n` must be a whole number of at least 2; got 1."),
        (
            lambda: checks.check_count(10**30, "n"),
            f"`n` must be a whole number of at most {sys.maxsize}; got 1000000000000000000000000000000.",
        ),
        (lambda: checks.check_flag(1, "x"), "`x` must be True or False; got 1."),
        (lambda: checks.as_numbers(["a"], "x"), "`x` must be numbers; got ['a']."),
        (lambda: checks.as_numbers([10**400], "x"), "`x` must be numbers; got a list."),
    ],
)
def test_refused(call: Callable[[], object], text: str) -> None:
    assert message(call) == text


@pytest.mark.parametrize("path", [None, 3, b"x.csv", "", "x\0.csv", object()])
def test_what_cannot_be_a_path(path: object) -> None:
    assert message(lambda: checks.check_path(path, "file")) == f"`file` must be a path; got {checks.shown(path)}."


def test_a_path_may_start_at_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert checks.check_path("~/x.csv") == Path("/home/ann/x.csv")
    assert checks.check_path(Path("x.csv")) == Path("x.csv")


@pytest.mark.parametrize(
    ("purpose", "error", "end"),
    [
        ("read", FileNotFoundError(2, "No such file or directory"), "read: there is no such file."),
        ("write", FileNotFoundError(2, "No such file"), "written: its folder does not exist; create it first."),
        ("read", IsADirectoryError(21, "Is a directory"), "read: it is a folder; name a file."),
    ],
)
def test_the_system_refuses_a_file(purpose: Any, error: Exception, end: str) -> None:
    def access() -> None:
        with checks.file_access("x.csv", purpose, "source"):
            raise error

    assert message(access) == f"'x.csv' cannot be {end}"


def test_a_function_of_the_user_that_fails() -> None:
    def broken(values: object) -> float:
        raise RuntimeError

    assert message(lambda: checks.call_function(broken, "order", 1)) == "`order`: broken raised RuntimeError"
    text = message(lambda: checks.call_statistic(lambda x: x, "statistic", np.ones(2)))
    assert text == (
        "`statistic` must return one number for the values of an algorithm; <lambda> returned array([1., 1.])."
    )
    assert checks.call_statistic(lambda x: np.array(2), "statistic", np.ones(2)) == 2


def test_an_error_has_the_path_of_its_argument_or_of_the_entry_inside() -> None:
    calls: dict[tuple[str | int, ...], Callable[[], object]] = {
        ("alpha",): lambda: checks.check_alpha("x"),
        ("seed",): lambda: checks.random_generator(-1),
        ("x",): lambda: checks.check_name(" ", "x"),
        ("x", 2): lambda: checks.check_choice("b", ["a"], "x", path=("x", 2)),
    }
    for path, call in calls.items():
        with pytest.raises(InputError) as caught:
            call()
        assert caught.value.path == path
