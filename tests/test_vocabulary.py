"""One vocabulary of arguments: every public signature, against the words of docs/vocabulary.md."""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from public_names import public_callables

PAGE = Path(__file__).parents[1] / "docs" / "vocabulary.md"

# A word that has one meaning everywhere is not said in another way.
INSTEAD = {
    "level": "alpha",
    "confidence": "alpha",
    "significance": "alpha",
    "adjustment": "adjust",
    "correction": "adjust",
    "test": "method",
    "procedure": "method",
    "reference": "distribution",
    "q": "quantile",
    "how": "statistic",
    "phi": "statistic",
    "random_state": "seed",
    "rng_seed": "seed",
    "n_permutations": "permutations",
    "n_resamples": "resamples",
    "nan_policy": "missing",
    "axes": "ax",
    "metric_name": "measure",
}
TEST_SAMPLE = {"fit_and_measure"}  # here `test` is a sample
# MultiTest makes two comparisons: `test` is that of the folds of a data set, as its papers call it, `method` that of
# the ranks over data sets. A win table counts the wins of such a `test`.
TEST_OF_FOLDS = {"multitest", "multi2test", "orders_by_cost", "win_table"}
FIELDS_BY_NAME = {"replace", "renamed", "with_parameters", "test_blocks"}  # keywords are fields, factors, parameters
DEFAULTS = {"alpha": 0.05, "seed": 0, "permutations": 10_000, "resamples": 2_000, "alternative": "two-sided"}
BY = {"Comparison.relation", "Criterion", "domain"}  # how a comparison becomes a relation

CALLABLES = dict(public_callables())
every_callable = pytest.mark.parametrize("name", CALLABLES)


def parameters(name: str) -> dict[str, inspect.Parameter]:
    try:
        found = dict(inspect.signature(CALLABLES[name]).parameters)
    except ValueError:  # built in C: a Literal, a NewType
        return {}
    found.pop("self", None)
    return found


def short(name: str) -> str:
    """Name a callable without its module: `Comparison.relation`, `compare`."""
    return re.sub(r"^podium\.([a-z_]+\.)?", "", name)


def test_there_is_something_to_inspect() -> None:
    assert len(CALLABLES) > 150


@every_callable
def test_words_have_one_form(name: str) -> None:
    if inspect.isclass(CALLABLES[name]):
        return  # the fields of an outcome are facts, not arguments
    taken = set(parameters(name)) - ({"test"} if short(name) in TEST_SAMPLE | TEST_OF_FOLDS else set())
    assert {word: INSTEAD[word] for word in taken & set(INSTEAD)} == {}


@every_callable
def test_words_have_one_default(name: str) -> None:
    if inspect.isclass(CALLABLES[name]) and not name.endswith("Experiment"):
        return  # outcomes carry what they were made with
    found = {word: p.default for word, p in parameters(name).items() if word in DEFAULTS}
    documented = inspect.getdoc(CALLABLES[name]) or ""
    for word in (
        "permutations",
        "resamples",
    ):  # None where some methods draw and others do not: the text has the number
        if found.get(word, 0) is None and f"{DEFAULTS[word]:,}" in documented:
            del found[word]
    wrong = {word: value for word, value in found.items() if value != DEFAULTS[word]}
    # A split or a draw that is asked for by its seed has no default.
    assert {word: value for word, value in wrong.items() if value is not inspect.Parameter.empty} == {}


@every_callable
def test_the_measure_is_the_second_argument(name: str) -> None:
    words = list(parameters(name))
    if words[:1] == ["results"] and "measure" in words:
        assert words[1] == "measure"
        assert parameters(name)["measure"].default is None


@every_callable
def test_whoever_reads_results_says_what_happens_to_missing_cells(name: str) -> None:
    words = parameters(name)
    if list(words)[:1] == ["results"] and not inspect.isclass(CALLABLES[name]):
        assert "missing" in words


@every_callable
def test_by_and_unit_mean_one_thing(name: str) -> None:
    words = parameters(name)
    if "by" in words:
        assert short(name) in BY
    if "unit" in words:
        assert "Unit" in str(words["unit"].annotation)


@every_callable
def test_no_options_are_hidden(name: str) -> None:
    if inspect.isclass(CALLABLES[name]) or name.rpartition(".")[2] in FIELDS_BY_NAME:
        return
    hidden = [p.name for p in parameters(name).values() if p.kind is inspect.Parameter.VAR_KEYWORD]
    documented = inspect.getdoc(CALLABLES[name]) or ""
    assert all(f"**{word}" in documented for word in hidden)


# What functions take and return is public.


def podium_types(annotation: Any) -> Iterator[type]:
    """The classes of podium inside an annotation."""
    if inspect.isclass(annotation) and annotation.__module__.startswith("podium"):
        yield annotation
    for inner in typing.get_args(annotation):
        yield from podium_types(inner)


def annotations(name: str) -> dict[str, Any]:
    thing = CALLABLES[name]
    function = inspect.unwrap(thing.__init__ if inspect.isclass(thing) else thing)
    if not isinstance(function, types.FunctionType | types.MethodType):
        return {}
    try:
        return typing.get_type_hints(function)
    except (NameError, TypeError):  # names that only type checkers know: pd.Series[float]
        return {}


@every_callable
def test_what_is_taken_and_returned_is_public(name: str) -> None:
    public = set(CALLABLES.values())
    kinds = {kind for hint in annotations(name).values() for kind in podium_types(hint)}
    assert sorted(kind.__qualname__ for kind in kinds - public) == []


# The page


def test_the_page_explains_every_word_that_functions_share() -> None:
    counts = Counter(
        word
        for name, thing in CALLABLES.items()
        if not inspect.isclass(thing)
        for word, p in parameters(name).items()
        if p.kind is not inspect.Parameter.VAR_KEYWORD
    )
    explained = set(re.findall(r"`(\w+)`", PAGE.read_text(encoding="utf-8")))
    assert sorted(word for word, count in counts.items() if count >= 4 and word not in explained) == []
