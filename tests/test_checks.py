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
            podium.compare(podium.datasets.load_demsar2006()),
            "got a Comparison. Use the results that the Comparison was made from.",
        ),
    ],
)
def test_the_way_to_results_depends_on_what_is_given(thing: object, end: str) -> None:
    assert message(lambda: podium.summarize(thing)) == f"`results` must be a Results; {end}"  # type: ignore[arg-type]


def test_the_way_to_a_comparison() -> None:
    draw, results = podium.plot.critical_difference, podium.datasets.load_demsar2006()
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


<<<<<<< HEAD
def test_values_that_cannot_be_written_out() -> None:
    class Faulty:
        def __repr__(self) -> str:
            raise RuntimeError

    assert checks.shown(Faulty()) == "a Faulty"
    assert checks.shown(10**5000) == "an int"


@pytest.mark.parametrize(
    "name",
    ["datasets", "errors", "execution", "inference", "relations", "results", "setup", "summaries", "warehouse"],
)
def test_dir_of_a_public_module_shows_the_public_names_only(name: str) -> None:
    module = getattr(podium, name)
    assert dir(module) == sorted(module.__all__)


def test_a_near_name_of_a_public_module_is_suggested() -> None:
    with pytest.raises(AttributeError, match=r"^podium\.results has no 'reed'\. Did you mean 'read'\?$"):
        getattr(podium.results, "reed")  # noqa: B009  # mypy would refuse the attribute


def test_names_and_lists() -> None:
    assert checks.check_name(" svm ", "name") == "svm"
    assert message(lambda: checks.check_name(" ", "name")) == "`name` must be non-empty text; got ' '."
    assert checks.as_list(np.array([1, 2]), "x") == [1, 2]
    assert checks.as_list({"a": 1}, "x") == ["a"]
    for wrong in ("ab", {"a": 1}, np.array(3), 3):
        assert (
            message(lambda wrong=wrong: checks.as_list(wrong, "x", keys=False)) == f"`x` must be a list; got {wrong!r}."
        )  # type: ignore[misc]


def test_a_key_of_an_owner_without_keys() -> None:
    text = message(lambda: checks.check_keys({"a": 1}, [], "`x`"), LabelError)
    assert text == "`x` has no parameter 'a'. It has no parameters."


def test_the_same_seed_gives_the_same_numbers() -> None:
    one, two = checks.random_generator(7), checks.random_generator(np.int64(7))
    assert one.random(3).tolist() == two.random(3).tolist()


# Every check with values that it refuses, by its name; the argument is `x` where the caller names it.
REFUSED: dict[str, list[Callable[[], object]]] = {
    "as_list": [lambda: checks.as_list(3, "x")],
    "as_numbers": [lambda: checks.as_numbers(["a"], "x")],
    "call_function": [lambda: checks.call_function(lambda: 1 / 0, "x")],
    "call_statistic": [lambda: checks.call_statistic(lambda x: x, "x", np.ones(2))],
    "check_alpha": [lambda: checks.check_alpha("x"), lambda: checks.check_alpha(5)],
    "check_choice": [lambda: checks.check_choice("b", ["a"], "x")],
    "check_count": [lambda: checks.check_count("a", "x"), lambda: checks.check_count(0, "x")],
    "check_draws": [
        lambda: checks.check_draws(0, "x", 1),
        lambda: checks.check_draws(5, "x", 1, drawn=False, needs="y=1"),
    ],
    "check_epsilon": [lambda: checks.check_epsilon("a"), lambda: checks.check_epsilon(-1)],
    "check_flag": [lambda: checks.check_flag("a", "x")],
    "check_keys": [lambda: checks.check_keys({"x": 1}, ["a"], "`y`")],
    "check_name": [lambda: checks.check_name(" ", "x")],
    "check_path": [lambda: checks.check_path(3, "x")],
    "check_probability": [lambda: checks.check_probability("a", "x"), lambda: checks.check_probability(1, "x")],
    "check_ratio": [lambda: checks.check_ratio("a"), lambda: checks.check_ratio(-1)],
    "check_seed": [lambda: checks.check_seed(-1)],
    "check_stored_name": [
        lambda: checks.check_stored_name("", "a thing"),
        lambda: checks.check_stored_name("\0", "a thing"),
    ],
    "check_strength": [lambda: checks.check_strength("a"), lambda: checks.check_strength(0)],
    "check_text": [lambda: checks.check_text(3, "x")],
    "expect": [lambda: checks.expect(3, Path, "x")],
    "position": [lambda: checks.position(["a"], "b", "x")],
    "random_generator": [lambda: checks.random_generator(-1)],
    "write_text": [lambda: checks.write_text("/nowhere/x.txt", "", "x")],
}
OWN = {"alpha", "epsilon", "ratio", "seed", "strength"}  # arguments that the check is named after
OTHERS = {"check_stored_name": "name", "random_generator": "seed"}
# They check the value of an entry whose place their caller knows, or decorate.
WITHOUT_ARGUMENT = {"check_call", "check_depth", "check_mapping"}


def test_every_check_is_tested_for_the_path() -> None:
    known = {name for name in vars(checks) if name.startswith("check_")}
    assert known - WITHOUT_ARGUMENT == {name for name in REFUSED if name.startswith("check_")}
    own = {name: check for name, check in vars(checks).items() if getattr(check, "__module__", "") == checks.__name__}
    named = {name for name, check in own.items() if "argument" in getattr(check, "__annotations__", {})}
    assert named - {"file_access", "new_file", "value_error"} <= set(REFUSED)


@pytest.mark.parametrize("name", REFUSED)
def test_the_path_of_an_error_is_the_argument(name: str) -> None:
    short = name.removeprefix("check_")
    for call in REFUSED[name]:
=======
def test_an_error_has_the_path_of_its_argument_or_of_the_entry_inside() -> None:
    calls: dict[tuple[str | int, ...], Callable[[], object]] = {
        ("alpha",): lambda: checks.check_alpha("x"),
        ("seed",): lambda: checks.random_generator(-1),
        ("x",): lambda: checks.check_name(" ", "x"),
        ("x", 2): lambda: checks.check_choice("b", ["a"], "x", path=("x", 2)),
    }
    for path, call in calls.items():
>>>>>>> main
        with pytest.raises(InputError) as caught:
            call()
        assert caught.value.path == path
