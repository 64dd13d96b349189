"""One vocabulary of arguments: every public signature, against the words of docs/vocabulary.md."""

from __future__ import annotations

import functools
import inspect
import re
import sys
import types
import typing
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import podium
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

OF_THE_KERNEL = {"podium.MixedFit": {"Objective", "Solution", "Strata"}}  # only `mixed` makes one

CALLABLES = dict(public_callables())
PUBLIC = {*CALLABLES.values(), *(getattr(podium.errors, name) for name in podium.errors.__all__)}


def every_callable(rule: Callable[[str], object]) -> Callable[[], None]:
    """Make one test of a rule, which returns what is wrong with the callable of a name, if anything is."""

    def test() -> None:
        assert {name: wrong for name in CALLABLES if (wrong := rule(name))} == {}

    return test


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
def test_words_have_one_form(name: str) -> object:
    if inspect.isclass(CALLABLES[name]):
        return None  # the fields of an outcome are facts, not arguments
    taken = set(parameters(name)) - ({"test"} if short(name) in TEST_SAMPLE | TEST_OF_FOLDS else set())
    return {word: INSTEAD[word] for word in taken & set(INSTEAD)}


@every_callable
def test_words_have_one_default(name: str) -> object:
    if inspect.isclass(CALLABLES[name]) and not name.endswith("Experiment"):
        return None  # outcomes carry what they were made with
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
    return {word: value for word, value in wrong.items() if value is not inspect.Parameter.empty}


@every_callable
def test_the_measure_is_the_second_argument(name: str) -> object:
    words = list(parameters(name))
    if words[:1] != ["results"] or "measure" not in words:
        return None
    default = parameters(name)["measure"].default
    return (words[1], default) if (words[1], default) != ("measure", None) else None


@every_callable
def test_functions_of_results_say_what_happens_to_missing_cells(name: str) -> object:
    words = list(parameters(name))
    return words[:1] == ["results"] and not inspect.isclass(CALLABLES[name]) and "missing" not in words


@every_callable
def test_by_and_unit_mean_one_thing(name: str) -> object:
    words = parameters(name)
    by = ["by"] if "by" in words and short(name) not in BY else []
    return by + (["unit"] if "unit" in words and "Unit" not in str(words["unit"].annotation) else [])


@every_callable
def test_no_options_are_hidden(name: str) -> object:
    if inspect.isclass(CALLABLES[name]) or name.rpartition(".")[2] in FIELDS_BY_NAME:
        return None
    hidden = [p.name for p in parameters(name).values() if p.kind is inspect.Parameter.VAR_KEYWORD]
    documented = inspect.getdoc(CALLABLES[name]) or ""
    return [word for word in hidden if f"**{word}" not in documented]


@every_callable
def test_tables_are_typeset_and_frames_are_of_pandas(name: str) -> object:
    if inspect.isclass(CALLABLES[name]):
        return None
    word, returned = name.rpartition(".")[2], str(inspect.signature(CALLABLES[name]).return_annotation)
    if word == "table" or (word.endswith("_table") and returned == "pd.DataFrame"):
        return returned if returned != "Table" else None
    frame = re.fullmatch(r"(\w+_)?frame", word) and word != "from_frame"
    return returned if frame and returned != "pd.DataFrame" else None


# What functions take and return is public.


@functools.cache
def classes_by_name() -> dict[str, list[type]]:
    """All classes that podium defines, by their names."""
    found: dict[str, list[type]] = {}
    for module in [module for name, module in sys.modules.items() if name.startswith("podium.")]:
        for thing in vars(module).values():
            if inspect.isclass(thing) and thing.__module__ == module.__name__:
                found.setdefault(thing.__name__, []).append(thing)
    return found


def podium_types(annotation: Any, home: str) -> Iterator[type]:
    """The classes of podium inside an annotation in the module `home`."""
    if isinstance(annotation, str):  # it has names that only type checkers know, such as pd.Series[float]
        for name in re.findall(r"(?<![\w.'])[A-Z]\w+", annotation):
            here = vars(sys.modules[home]).get(name)
            known = classes_by_name().get(name, []) if here is None else [here] if inspect.isclass(here) else []
            yield from (kind for kind in known if kind.__module__.startswith("podium"))
        return
    if inspect.isclass(annotation) and annotation.__module__.startswith("podium"):
        yield annotation
    for inner in typing.get_args(annotation):
        yield from podium_types(inner, home)


def annotations(name: str) -> dict[str, Any]:
    thing = CALLABLES[name]
    function = inspect.unwrap(thing.__init__ if inspect.isclass(thing) else thing)
    if not isinstance(function, types.FunctionType | types.MethodType):
        return {}
    try:
        return typing.get_type_hints(function)
    except (NameError, TypeError):
        return function.__annotations__


@every_callable
def test_what_is_taken_and_returned_is_public(name: str) -> object:
    home = CALLABLES[name].__module__
    kinds = {kind for hint in annotations(name).values() for kind in podium_types(hint, home)}
    return sorted({kind.__qualname__ for kind in kinds - PUBLIC} - OF_THE_KERNEL.get(name, set()))


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
