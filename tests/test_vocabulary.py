"""One vocabulary of arguments: every public signature, against the words of docs/vocabulary.md."""

from __future__ import annotations

import ast
import functools
import inspect
import re
import sys
import types
import typing
from collections.abc import Callable, Iterator
from fractions import Fraction
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
# Classes that users call; the fields of other classes are facts, not arguments.
CALLED = {
    "ArchetypalAnalysis",
    "Bootstrap",
    "Criterion",
    "CrossValidation",
    "Experiment",
    "FreshDraws",
    "HoldOut",
    "Stopping",
    "Subsampling",
}
BY = {"Comparison.relation", "Criterion", "domain"}  # how a comparison becomes a relation

OF_THE_KERNEL = {"podium.inference.MixedFit": {"Objective", "Solution", "Strata"}}  # only `mixed` makes one

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
        return None
    taken = set(parameters(name)) - ({"test"} if short(name) in TEST_SAMPLE | TEST_OF_FOLDS else set())
    return {word: INSTEAD[word] for word in taken & set(INSTEAD)}


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


class Defaults:
    """What the page says about the default of one argument: one value in general, others in the functions it names."""

    def __init__(self) -> None:
        self.general: list[str] = []  # as the page writes them; "" for words, which stand for None or something empty
        self.elsewhere: dict[str, str] = {}

    def read(self, cell: str) -> None:
        for position, clause in enumerate(cell.split("; ")):
            said, names = re.fullmatch(r"(.*?)(?: in ((?:`[\w.]+`(?:, | and )?)+)(?:,.*)?)?", clause).groups()  # type: ignore[union-attr]
            values = [value for value in re.findall(r"`([^`]+)`", said) if value not in WORDS]
            value = values[0] if values else ""
            if names is None:
                assert position == 0, f"the page does not say where: {clause}"
                self.general.append(value)
            else:
                self.elsewhere |= dict.fromkeys(re.findall(r"`([\w.]+)`", names), value)

    def of(self, name: str) -> list[str]:
        named = [self.elsewhere[word] for word in names_of(name) if word in self.elsewhere]
        return named[:1] or self.general or [""]


def names_of(name: str) -> list[str]:
    """The names by which the page may call a function: `Comparison.relation`, `relation`; `tables.scores`, `scores`."""
    return [name.removeprefix("podium."), short(name), name.rpartition(".")[2]]


ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| `")
]
WORDS = {word for row in ROWS for word in re.findall(r"`(\w+)`", row[0])}
ON_THE_PAGE = {word: Defaults() for word in WORDS}
for row in ROWS:
    for word in re.findall(r"`(\w+)`", row[0]):
        ON_THE_PAGE[word].read(row[2].rstrip("| "))


def is_written(default: object, value: str, documented: str) -> bool:
    """Whether a default is what the page writes."""
    if not value:
        return default is None or default in ("", ()) or repr(default) == "<factory>"
    if repr(default) == value:  # range(1, 11)
        return True
    if re.fullmatch(r"\d+/\d+", value):
        return default == float(Fraction(value))
    try:
        written = ast.literal_eval(value)
    except ValueError:
        return False
    if default is None and isinstance(written, int):
        # None where some methods draw and others do not: the docstring has the number.
        return f"{written:,}" in documented
    return type(default) in (type(written), float) and bool(default == written)


@every_callable
def test_defaults_are_those_of_the_page(name: str) -> object:
    if inspect.isclass(CALLABLES[name]) and short(name) not in CALLED:
        return None
    documented = inspect.getdoc(CALLABLES[name]) or ""
    return {
        word: (p.default, ON_THE_PAGE[word].of(name))
        for word, p in parameters(name).items()
        if word in WORDS
        and p.default is not inspect.Parameter.empty  # where an argument is required, there is no other default
        and not any(is_written(p.default, value, documented) for value in ON_THE_PAGE[word].of(name))
    }


def test_functions_that_the_page_names_take_the_argument() -> None:
    takers: dict[str, set[str]] = {word: set() for word in WORDS}
    for name in CALLABLES:
        for word in WORDS & set(parameters(name)):
            takers[word].update(names_of(name))
    for row in ROWS:
        words = re.findall(r"`(\w+)`", row[0])
        named = {name for word in words for name in ON_THE_PAGE[word].elsewhere if name in row[2]}
        assert named - {name for word in words for name in takers[word]} == set(), row


def test_the_page_explains_every_word_that_functions_share() -> None:
    functions: dict[str, set[str]] = {}
    for name, thing in CALLABLES.items():
        if inspect.isclass(thing) and short(name) not in CALLED:
            continue
        for word, p in parameters(name).items():
            if p.kind is not inspect.Parameter.VAR_KEYWORD:
                functions.setdefault(word, set()).add(short(name))  # a figure and its plot have one name
    assert sorted(word for word, names in functions.items() if len(names) >= 2 and word not in WORDS) == []
