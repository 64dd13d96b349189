"""No code reads words: all texts of an analysis become another word, and no number, decision or order changes."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium import archetypal, inference, relations
from podium.analysis import notes
from podium.analysis.compare import procedures
from podium.analysis.describe.summary import MeasureSummary
from podium.analysis.inference import GLOBAL_TESTS
from podium.reporting import Analyses
from podium.reporting.answer import find_answer

WORD = "Wort"
# The modules that make words from facts; every function there that returns text is replaced.
MAKERS = ("text", "notes")
# Outcomes that carry the title of their test.
CLOCKS = ("seconds", "at")  # fields that differ from run to run
TITLED = [
    inference.Comparison,
    inference.Omnibus,
    inference.MultiTest,
    inference.WinTable,
    inference.Monitor,
    inference.GlobalOutcome,
]


@pytest.fixture
def other_words() -> Iterator[Callable[[], None]]:
    """Replace every text of an outcome, every function that makes one, and every title of a test."""
    patch = pytest.MonkeyPatch()
    yield lambda: replace_words(patch)
    patch.undo()


def replace_words(patch: pytest.MonkeyPatch) -> None:
    for owner, name, other in replacements(tuple(name for name in sys.modules if name.startswith("podium."))):
        patch.setattr(owner, name, other)
    for one in (*procedures().values(), *GLOBAL_TESTS.values()):
        patch.setitem(vars(one), "title", WORD)


@functools.cache
def replacements(names: tuple[str, ...]) -> list[tuple[Any, str, Any]]:
    """Everything in these modules that makes words, with what it is in, its name, and what is there instead."""
    modules = [sys.modules[name] for name in names]
    inner = [module for module in modules if module.__name__.startswith("podium.analysis.")]
    makers = {
        id(thing)
        for module in inner
        if module.__name__.rpartition(".")[2] in MAKERS
        for thing in vars(module).values()
        if isinstance(thing, FunctionType) and thing.__module__ == module.__name__ and returns_text(thing)
    }
    found: list[tuple[Any, str, Any]] = [
        (module, name, word_instead(thing))
        for module in modules
        for name, thing in vars(module).items()
        if id(thing) in makers
    ]
    for kind in {thing for module in inner for thing in vars(module).values() if inspect.isclass(thing)}:
        for name in ("__str__", "__repr__", "text", "_repr_html_"):
            if kind.__module__.startswith("podium.analysis.") and isinstance(vars(kind).get(name), FunctionType):
                found.append((kind, name, lambda self, *args, **options: WORD))
    found += [(notes.Note, name, property(lambda self: WORD)) for name in ("finding", "advice")]
    found.append((podium.errors.PodiumError, "__str__", lambda self: WORD))
    found.append((MeasureSummary, "__init__", with_other_headings(MeasureSummary.__init__)))
    return [*found, *((kind, "__init__", with_another_title(kind.__init__)) for kind in TITLED)]


def returns_text(function: FunctionType) -> bool:
    return function.__annotations__.get("return") in ("str", "list[str]") and function is not notes._fields


def word_instead(function: FunctionType) -> Callable[..., Any]:
    several = function.__annotations__["return"] == "list[str]"
    return lambda *args, **options: [WORD] if several else WORD


def with_another_title(init: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(init)
    def other(self: Any, *args: Any, **fields: Any) -> None:
        bound = inspect.signature(init).bind(self, *args, **fields)
        bound.arguments["method"] = WORD
        init(*bound.args, **bound.kwargs)

    return other


def with_other_headings(init: Callable[..., None]) -> Callable[..., None]:
    """Make the summary of a measure with other headings of its table."""

    @functools.wraps(init)
    def other(self: Any, *, frame: pd.DataFrame, **fields: Any) -> None:
        init(self, frame=frame.set_axis([f"{WORD} {i}" for i in range(frame.shape[1])], axis=1), **fields)

    return other


def facts(thing: Any, depth: int = 0) -> Any:
    """Everything that an outcome holds, as plain values."""
    if thing is None or isinstance(thing, str | bool | int | float | np.generic):
        return thing
    if depth > 12:
        return type(thing).__name__
    if isinstance(thing, np.ndarray):
        return facts(thing.tolist(), depth + 1)
    if isinstance(thing, pd.DataFrame | pd.Series):
        return facts(thing.reset_index().to_dict("list"), depth + 1)
    if isinstance(thing, Mapping):
        if any(isinstance(key, podium.Relation) for key in thing):  # which has a text, too
            return [facts(pair, depth + 1) for pair in thing.items()]
        return {str(key): facts(value, depth + 1) for key, value in thing.items()}
    if isinstance(thing, Sequence | set | frozenset):
        return [facts(value, depth + 1) for value in thing]
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        names = [field.name for field in dataclasses.fields(thing) if field.name not in CLOCKS]
        return {name: facts(getattr(thing, name), depth + 1) for name in names}
    return type(thing).__name__


def same(found: Any, expected: Any, where: str = "") -> None:
    """Fail where two collections of facts differ, except in a text that was replaced."""
    if isinstance(expected, Mapping):
        assert list(found) == list(expected), where
        for key, value in expected.items():
            same(found[key], value, f"{where}.{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for i, (one, two) in enumerate(zip(found, expected, strict=True)):
            same(one, two, f"{where}[{i}]")
    elif isinstance(found, str) and WORD in found:
        return
    elif type(found) is not type(expected) or found != expected or found == 0:  # zeros have signs, NaN is never equal
        np.testing.assert_equal(found, expected, err_msg=where)


def cube(m: int, b: int, k: int) -> podium.Results:
    rng = np.random.default_rng(4)
    error = 5 + rng.normal(size=(m, b, k)) + np.linspace(0, 1.5, k) + rng.normal(size=(m, 1, 1))
    seconds = rng.gamma(5, size=(m, b, k)) + np.linspace(2, 0, k)
    labels = {
        "dataset": [f"d{i}" for i in range(m)],
        "replication": None,
        "algorithm": list("abcdef")[:k],
        "measure": ["error", "seconds"],
    }
    return podium.read(np.stack([error, seconds], -1), labels=labels, direction="lower")


BOTH, ONE = cube(8, 10, 4), cube(1, 20, 4)
ERRORS, ERROR = BOTH.select(measure="error"), ONE.select(measure="error")
THREE = ERROR.select(algorithms=["a", "b", "d"])  # where every pair takes long
# Samples of known size on one data set, so that it has another test than the others.
SIZED = ERRORS.to_long().assign(n_learn=lambda long: np.where(long["dataset"] == "d0", 90, np.nan), n_test=10)
TWO_DESIGNS = podium.read(SIZED)
SIZES = pd.DataFrame({"size": np.arange(8.0) ** 2, "kind": list("uvuvuvuv")}, index=list(BOTH.datasets))


def pairs() -> podium.PairedComparisons:
    return podium.PairedComparisons.from_results(ERRORS)


def chains() -> list[podium.Relation]:
    return [podium.Relation.from_chain(chain) for chain in ("a < b < c ~ d", "b < a < d < c", "a ~ b < d < c")]


OUTCOMES: dict[str, Callable[[], list[Any]]] = {
    "corrected t": lambda: [podium.compare(ERROR, method="corrected t", ratio=0.1)],
    "correlated t": lambda: [inference.compare_bayes(ERROR, method="correlated t", ratio=0.1)],
    "multitest": lambda: with_figures(
        podium.multitest(ONE, "error", cost="seconds"), "multitest_graph", "multitest_walk"
    ),
    "multi2test": lambda: with_figures(podium.multi2test(BOTH, "error", cost="seconds"), "two_passes", "cost_tradeoff"),
    "orders by cost": lambda: [inference.orders_by_cost(ONE, "error", costs={"x": [1, 2, 3, 4], "y": [4, 3, 2, 1]})],
    "win table": lambda: [inference.win_table(ERRORS), inference.win_table(ERRORS, test="wilcoxon")],
    "rank report": lambda: [podium.inference.rank_report(ERRORS)],
    "domain": lambda: with_figures(
        podium.domain(ERRORS), "summary", "summary_graph", "place_counts", "hasse_trellis", "distances"
    ),
    "domain of two measures": lambda: with_figures(
        podium.domain(BOTH, criteria=[relations.Criterion("error"), relations.Criterion("seconds", statistic="mean")]),
        "summary",
    ),
    "domain without a model": lambda: [podium.domain(ERROR, method="t")],
    "domain of two designs": lambda: [podium.domain(TWO_DESIGNS), podium.domain(TWO_DESIGNS).test_frame()],
    "sub-domains": lambda: [
        podium.domain(ERRORS).subdomains(2),
        podium.domain(ERRORS).subdomain_stability(2, resamples=5),
    ],
    "monitor": lambda: with_figures(podium.monitor(ERROR, pair=("a", "d")), "monitor"),
    "combination test": lambda: [podium.combination_test([0.65, 0.004], alpha=0.05, reject=0.01, accept=0.9)],
    "sequential": lambda: with_figures(podium.sequential(THREE, stages=4), "stages"),
    "sequential, one pair": lambda: with_figures(podium.sequential(ERROR, pair=("a", "d"), stages=4), "stages"),
    "group sequential": lambda: [podium.sequential(THREE, stages=4, kind="group sequential")],
    "always valid": lambda: [podium.sequential(ERROR, kind="asymptotic", control="a")],
    "confidence sequence": lambda: with_figures(
        inference.confidence_sequence(ERROR, pair=("a", "d"), kind="asymptotic"), "confidence_sequence"
    ),
    "Bradley–Terry": lambda: with_figures(podium.bradley_terry(pairs()), "worths"),
    "contrasts of worths": lambda: [podium.bradley_terry(pairs()).compare()],
    "tree": lambda: with_figures(podium.bradley_terry_tree(pairs(), SIZES, min_size=10), "preference_tree"),
    "consensus": lambda: [podium.consensus(chains(), kind=kind) for kind in ("linear", "weak", "partial")],
    "votes": lambda: [relations.borda(chains()), relations.copeland(chains()), relations.majority(chains())],
    "stability": lambda: [relations.stability(ERRORS, resamples=20)],
    "sensitivity": lambda: [relations.weight_sensitivity(chains(), 0)],
    "archetypes": lambda: with_figures(
        podium.archetypes(ERRORS.values[..., 0].mean(1), k=range(1, 4)), "archetype_scree"
    ),
    "archetypes of a domain": lambda: [archetypal.domain_archetypes(ERRORS, k=2)],
    "prototypes": lambda: [archetypal.prototypes(ERRORS.values[..., 0].mean(1), k=2)],
}


def with_figures(outcome: Any, *names: str) -> list[Any]:
    """An outcome, its tables, and the numbers of its figures."""
    tables = [getattr(outcome, name)() for name in ("frame", "pairs") if callable(getattr(outcome, name, None))]
    return [outcome, *tables, *(getattr(podium.figures, name)(outcome).as_dict() for name in names)]


@pytest.mark.parametrize("name", OUTCOMES)
def test_other_words_change_no_fact(name: str, other_words: Callable[[], None]) -> None:
    expected = [facts(one) for one in OUTCOMES[name]()]
    other_words()
    found = OUTCOMES[name]()
    assert WORD in str(found[0])
    same([facts(one) for one in found], expected)


@pytest.mark.usefixtures("in_this_process")
def test_other_words_change_no_decision_of_a_run(tmp_path: Path, other_words: Callable[[], None]) -> None:
    """A run that stops early measures the same trials and decides the same."""
    experiment = podium.Experiment(
        datasets=["iris"],
        algorithms=["constant", "knn"],
        resampling=podium.Bootstrap(12),
        measures=["misclassification"],
        seed=1,
    )

    def run(name: str) -> Any:
        options = {"executor": "threads", "workers": 1, "progress": "quiet"}
        results = podium.run(experiment, tmp_path / name, stopping=podium.Stopping(stages=3), **options)
        with podium.Warehouse(tmp_path / name, readonly=True) as warehouse:
            return [facts(results.values), facts(warehouse.decisions())]

    expected = run("one.db")
    assert expected[1]
    other_words()
    same(run("two.db"), expected)


def parts(report: podium.reporting.Report) -> list[Any]:
    """The parts of a report: how many sentences, items, rows and columns, and the data behind each figure."""

    def size(block: Any) -> Any:
        table = getattr(block, "table", None) or getattr(block, "data", None)
        rows = None if table is None else (len(table.rows), len(table.columns))
        return type(block).__name__, len(getattr(block, "items", ())), rows

    return [(section.name, [size(block) for block in section.blocks]) for section in report.sections]


REPORTS: dict[str, Callable[[], podium.Results]] = {
    "several data sets": lambda: BOTH,
    "one data set": lambda: ONE,
    "with gaps": lambda: BOTH.replace(
        values=np.where(np.random.default_rng(0).random(BOTH.values.shape) < 0.1, np.nan, BOTH.values)
    ),
}


@pytest.mark.parametrize("name", REPORTS)
def test_other_words_and_headings_change_no_answer_and_no_part_of_a_report(
    name: str, other_words: Callable[[], None]
) -> None:
    def answers() -> list[Any]:
        by_error, by_time = (Analyses(REPORTS[name](), measure) for measure in REPORTS[name]().measure_names)
        return [facts(find_answer(by_error)), facts(find_answer(by_time)), parts(podium.report(by_time.results))]

    expected = answers()
    assert expected[1]["criterion"] == ("geometric mean" if name == "one data set" else "mean rank")
    other_words()
    assert list(Analyses(REPORTS[name](), "error").summary.value) == [f"{WORD} {i}" for i in range(9)]
    found = answers()
    same(found[:2], expected[:2])
    assert found[2] == expected[2]


def test_a_figure_is_shown_once_whatever_its_captions_say(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = parts(podium.report(cube(1, 1, 4), sections=["answer", "distributions"]))
    monkeypatch.setattr("podium.reporting.sections.answer.box_caption", lambda *given: WORD)
    assert parts(podium.report(cube(1, 1, 4), sections=["answer", "distributions"])) == expected
