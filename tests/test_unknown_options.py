"""No public call ends in a raw error for an option or a name that podium does not have."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import pytest

import podium
from podium.checks import check_call
from podium.errors import InputError, LabelError, PodiumError
from public_names import MODULES, public_callables

CALLABLES = dict(public_callables())
RESULTS = podium.datasets.load_demsar2006()

NOT_BUILT = {
    "podium.execution.Progress": "a base class without arguments, to derive from",
    "podium.inference.GlobalFunction": "a protocol: a description of a function",
    "podium.inference.Procedure": "an abstract base class, to derive from",
    "podium.results.LabelledArray": "a named tuple that Results returns",
    "podium.setup.Resampling": "a protocol: a description of a type",
    "podium.setup.Resampling.describe": "a protocol: a description of a method",
    "podium.setup.Resampling.split": "a protocol: a description of a method",
    "podium.warehouse.DecisionIdentity": "a named tuple that Warehouse returns",
    "podium.warehouse.Look": "a named tuple that Warehouse returns",
    "podium.warehouse.TrialIdentity": "a named tuple that Warehouse returns",
    "podium.warehouse.TrialKey": "a named tuple that Warehouse returns",
}
OWN_OPTIONS = {
    "podium.Algorithm.renamed": "keywords are factors",
    "podium.Algorithm.with_parameters": "keywords are parameters of the algorithm",
    "podium.Comparison.replace": "keywords are fields",
    "podium.Dataset.renamed": "keywords are factors",
    "podium.Experiment.replace": "keywords are arguments of the experiment",
    "podium.Generator.renamed": "keywords are parameters of the generator",
    "podium.Results.replace": "keywords are fields",
    "podium.tables.Table.replace": "keywords are fields",
    "podium.compare": "keywords are options of the method",
    "podium.explorer": "keywords are options of read",
    "podium.report": "keywords are options of read",
    "podium.generator": "keywords are parameters of the generator",
    "podium.grid": "keywords are the levels of a factor",
    "podium.inference.GlobalTest.test_blocks": "keywords are options of the test",
    "podium.inference.Note": "keywords are the facts of the note",
    "podium.inference.Request.comparison": "keywords are fields of the comparison",
    "podium.inference.orders_by_cost": "keywords are options of the test",
    "podium.inference.paired_test": "keywords are options of the method",
    "podium.inference.win_table": "keywords are options of the test",
    "podium.measure": "keywords are options of the measure",
    "podium.monitor": "keywords are options of the method",
    "podium.multi2test": "keywords are options of the test",
    "podium.multitest": "keywords are options of the test",
    "podium.table": "keywords are options of the kind of table",
    "podium.tables.algorithms": "keywords are options of the comparison",
    "podium.tables.measures": "keywords are options of the comparison",
    "podium.tables.pairs": "keywords are options of the comparison",
    "podium.tables.wins": "keywords are options of the comparison",
    "podium.tables.scores": "keywords are options of the comparison",
}


def has_own_options(thing: Callable[..., Any]) -> bool:
    try:
        kinds = [p.kind for p in inspect.signature(thing).parameters.values()]
    except ValueError:  # built in C
        return False
    return inspect.Parameter.VAR_KEYWORD in kinds


def outcome_of_an_unknown_option(thing: Callable[..., Any]) -> str:
    """Call something with an option that it does not have; return how that ended, or nothing for the right error."""
    try:
        thing(unknown_option=1)
    except LabelError as error:
        right = "has no option 'unknown_option'. It has " in str(error) and error.path == ("unknown_option",)
        return "" if right else str(error)
    except Exception as error:
        return repr(error)
    return "no error"


def test_an_unknown_option_is_refused_with_the_options_there_are() -> None:
    names = set(CALLABLES) - set(NOT_BUILT) - set(OWN_OPTIONS)
    assert len(names) > 500
    ended = {name: outcome_of_an_unknown_option(CALLABLES[name]) for name in sorted(names)}
    assert {name: outcome for name, outcome in ended.items() if outcome} == {}


def test_the_exceptions_are_needed() -> None:
    assert set(NOT_BUILT) | set(OWN_OPTIONS) <= set(CALLABLES)
    assert [name for name in OWN_OPTIONS if not has_own_options(CALLABLES[name])] == []


@pytest.mark.parametrize("name", OWN_OPTIONS)
def test_a_missing_argument_is_refused_with_the_arguments(name: str) -> None:
    with pytest.raises(InputError, match=r"missing a required argument: '\w+'\. It takes"):
        CALLABLES[name](unknown_option=1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: podium.compare(RESULTS, unknown=1),
        lambda: podium.compare(RESULTS).replace(unknown=1),
        lambda: podium.generator("friedman1", unknown=1),
        lambda: podium.inference.paired_test([1, 2, 3, 5], [2, 4, 5, 7], unknown=1),
        lambda: podium.measure("accuracy", unknown=1),
        lambda: podium.monitor(podium.datasets.load_pima(), unknown=1),
        lambda: podium.report(RESULTS, unknown=1),
        lambda: RESULTS.replace(unknown=1),
    ],
)
def test_functions_with_their_own_options_refuse_unknown_ones(call: Callable[[], object]) -> None:
    with pytest.raises(PodiumError, match="'unknown'"):
        call()


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: podium.Bootstrap(replication=9),  # type: ignore[call-arg]
            "Bootstrap() has no option 'replication'. It has 'replications', 'test', 'stratify'. "
            "Did you mean 'replications'?",
        ),
        (
            lambda: podium.Experiment([]),  # type: ignore[call-arg]
            "Experiment(): missing a required argument: 'algorithms'. It takes 'datasets', 'algorithms', "
            "'resampling', 'measures' and, by name, 'seed', 'name', 'folder', 'keep', 'characteristics', 'stopping'.",
        ),
        (
            lambda: RESULTS.complete(1),  # type: ignore[call-arg]
            "Results.complete(): too many positional arguments. "
            "It takes, by name, 'datasets', 'algorithms', 'replications'.",
        ),
        (
            lambda: podium.setup.SklearnSplitter(3),  # type: ignore[call-arg]
            "SklearnSplitter(): too many positional arguments. It takes, by name, 'splitter'.",
        ),
        (
            lambda: podium.datasets.load_demsar2006(1),  # type: ignore[call-arg]
            "load_demsar2006(): too many positional arguments. It takes no arguments.",
        ),
        (
            lambda: podium.compare(RESULTS).frame(sort=True),  # type: ignore[call-arg]
            "Comparison.frame() has no option 'sort'. It has no options.",
        ),
    ],
)
def test_messages(call: Callable[[], object], text: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value) == text


@pytest.mark.parametrize("module", [getattr(podium, name) for name in MODULES], ids=MODULES)
def test_an_unknown_name_of_a_module_is_refused(module: ModuleType) -> None:
    known = max(module.__all__, key=len)
    with pytest.raises(AttributeError, match=f"has no (attribute )?'{known}x'"):
        getattr(module, f"{known}x")


@pytest.mark.parametrize("name", ["execution", "figures", "inference", "plot", "relations", "setup", "summaries"])
def test_the_nearest_name_is_suggested(name: str) -> None:
    module = getattr(podium, name)
    known = max(module.__all__, key=len)
    with pytest.raises(AttributeError, match=f"Did you mean '{known}'"):
        getattr(module, f"{known}x")


# What the check leaves as it is


@check_call
@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0

    @classmethod
    def origin(cls, *, y: int = 0) -> Point:
        return cls(0, y)

    @staticmethod
    def double(x: int) -> int:
        return 2 * x

    def shifted(self, by: int) -> Point:
        return replace(self, x=self.x + by)


class Pixel(Point):
    pass


def test_a_checked_class_stays_what_it_is() -> None:
    assert str(inspect.signature(Point)) == "(x: 'int', y: 'int' = 0) -> None"
    assert pickle.loads(pickle.dumps(Point(1))) == Point(1, 0)
    assert (Point.origin(y=2), Point.double(4), Point(1).shifted(2)) == (Point(0, 2), 8, Point(3))


@pytest.mark.parametrize(
    ("call", "owner"),
    [
        (lambda: Pixel(1, z=2), "Pixel"),  # type: ignore[call-arg]
        (lambda: Pixel(1).shifted(z=2), "Pixel.shifted"),  # type: ignore[call-arg]
        (lambda: Pixel.origin(z=2), "Pixel.origin"),  # type: ignore[call-arg]
        (lambda: Point.double(z=2), "Point.double"),  # type: ignore[call-arg]
    ],
)
def test_a_method_is_named_by_the_class_of_its_object(call: Callable[[], object], owner: str) -> None:
    with pytest.raises(LabelError, match=rf"^{owner}\(\) has no option 'z'"):
        call()


def test_an_error_inside_a_function_stays_what_it_is() -> None:
    @check_call
    def add(a: Any, b: Any) -> Any:
        return a + b

    with pytest.raises(TypeError, match="unsupported operand"):
        add(1, "a")


def test_a_checked_function_is_found_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(podium.compare)) is podium.compare
    assert pickle.loads(pickle.dumps(podium.Bootstrap(replications=3))) == podium.Bootstrap(replications=3)


@pytest.mark.parametrize(
    ("call", "end"),
    [
        (lambda: podium.compare(RESULTS, p_adjust="holm"), "Did you mean 'adjust'?"),
        (lambda: podium.inference.compare_bayes(RESULTS, rope=0.01), "Did you mean 'equivalence'?"),
    ],
)
def test_names_of_other_packages_lead_to_ours(call: Callable[[], object], end: str) -> None:
    with pytest.raises(LabelError) as error:
        call()
    assert str(error.value).endswith(end)
    assert "method=" not in str(error.value)


def test_a_verb_of_the_command_line_leads_to_its_function() -> None:
    with pytest.raises(AttributeError, match=r"use podium\.compare\(results\)\.relation\(\)"):
        podium.order  # noqa: B018
