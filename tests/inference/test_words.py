"""No code reads words: every generated sentence and title becomes another, and no number, decision or table changes."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.analysis import notes, omnibus, text
from podium.analysis.compare import procedures
from podium.analysis.describe.orders import chain
from podium.analysis.inference import GLOBAL_TESTS
from podium.analysis.mixed import summary as mixed_summary
from podium.inference import BayesComparison, Comparison, GlobalOutcome, Omnibus, PairedTest
from podium.results import Results

WORD = "Wort"
# What makes words from facts.
FUNCTIONS = [
    notes.blocks_in_words,
    notes.enumerated,
    notes.format_p,
    notes.model_formula,
    notes.source_name,
    omnibus.capitalised,
    text.estimand_in_words,
    chain,
]
CATALOGUES: list[Any] = [text.ESTIMANDS, text._ADJUSTMENTS, mixed_summary._SOLVERS]
OUTCOMES = [Comparison, Omnibus, BayesComparison, PairedTest, GlobalOutcome]


@pytest.fixture
def other_words() -> Iterator[Callable[[], None]]:
    """Replace every note, every function and catalogue that makes words, and the method that every outcome names."""
    patch = pytest.MonkeyPatch()

    def replace() -> None:
        patch.setattr(notes.Note, "__str__", lambda self: WORD)
        for catalogue in CATALOGUES:
            for key in catalogue:
                patch.setitem(catalogue, key, WORD)
        for module, name in uses(tuple(name for name in sys.modules if name.startswith("podium"))):
            patch.setattr(module, name, lambda *args, **kwargs: WORD)
        for kind in OUTCOMES:
            patch.setattr(kind, "__init__", named_otherwise(kind.__init__))
        for one in (*procedures().values(), *GLOBAL_TESTS.values()):
            patch.setitem(vars(one), "title", WORD)

    yield replace
    patch.undo()


@functools.lru_cache(maxsize=1)  # most tests import no further module
def uses(modules: tuple[str, ...]) -> list[tuple[Any, str]]:
    """Where in these modules the functions are known, and by which name."""
    functions = {id(function) for function in FUNCTIONS}
    found = [(sys.modules[module], vars(sys.modules[module]).items()) for module in modules]
    return [(module, name) for module, things in found for name, thing in things if id(thing) in functions]


def named_otherwise(init: Callable[..., None]) -> Callable[..., None]:
    """Make an outcome with another title, whoever makes it."""

    @functools.wraps(init)
    def other(self: Any, **fields: Any) -> None:
        init(self, **(fields | {"method": WORD}))

    return other


def cube(m: int, b: int, k: int) -> Results:
    rng = np.random.default_rng(4)
    values = rng.normal(size=(m, b, k)) + np.linspace(0, 1.5, k) + rng.normal(size=(m, 1, 1))
    labels = {"dataset": [f"d{i}" for i in range(m)], "replication": None, "algorithm": list("abcdef")[:k]}
    return podium.read(values, labels=labels, measure="error", direction="lower")


MANY, ONE = cube(12, 4, 4), cube(1, 12, 4)
GAPS = MANY.replace(values=np.where(np.random.default_rng(0).random(MANY.values.shape) < 0.05, np.nan, MANY.values))

COMPARISONS: dict[str, Callable[[], Comparison]] = {
    "default": lambda: podium.compare(ONE),
    "ranks": lambda: podium.compare(MANY, method="nemenyi", equivalence=0.5),
    "permutations": lambda: podium.compare(MANY, method="wnmt", distribution="permutation", permutations=200),
    "conover": lambda: podium.compare(MANY, method="conover", control="a", alternative="worse"),
    "control": lambda: podium.compare(MANY, method="nwwm", control="b", alternative="better"),
    "not gated": lambda: podium.compare(MANY, method="wnmt", omnibus=False),
    "signed rank": lambda: podium.compare(MANY, method="wilcoxon", adjust="shaffer"),
    "signed rank without intervals": lambda: podium.compare(MANY, method="wilcoxon", intervals=False),
    "sign": lambda: podium.compare(MANY, method="sign", equivalence=(-0.5, 0.5)),
    "t with gaps": lambda: podium.compare(GAPS, method="t", missing="available"),
    "corrected t": lambda: podium.compare(ONE, method="corrected t", ratio=0.1),
    "block": lambda: podium.compare(ONE, method="mixed"),
    "domain": lambda: podium.compare(GAPS, method="mixed", missing="available", equivalence=0.2, relative=True),
    "survey": lambda: podium.mixed(MANY, model="survey").contrasts(adjust="holm"),
    "survey on one": lambda: podium.mixed(MANY, model="survey").contrasts(dataset="d3"),
    "contrasts": lambda: podium.mixed(MANY).contrasts([[1, -0.5, -0.5, 0], [0, 0, 1, -1]], equivalence=(-1, 0.5)),
}

FIGURES = ["critical_difference", "pvalues", "multi_comparison", "letters", "simultaneous_intervals"]


def facts(comparison: Comparison) -> dict[str, Any]:
    """Everything that a comparison decides, and the numbers of its figures."""
    found: dict[str, Any] = {
        "frame": comparison.frame().to_dict(),
        "order": comparison.order,
        "groups": comparison.groups(),
        "decision": comparison.decision.tolist(),
        "relevant": comparison.relevant.tolist(),
        "area": comparison.area,
        "matrix": comparison.matrix().to_numpy().tolist(),
        "fields": {
            name: np.asarray(getattr(comparison, name), object).tolist()
            for name in ("unit", "n", "datasets", "estimand", "in_units", "procedure", "adjust", "critical_difference")
        },
        "notes": [
            (note.code, note.kind, {name: fact for name, fact in note.facts.items() if name != "test"})  # its title
            for note in comparison.notes
        ],
        "table": [line.count("&") for line in comparison.latex(caption="").splitlines()],
    }
    for by in ("significance", "relevance"):
        try:
            found[by] = str(comparison.relation(by))
        except podium.errors.InputError:
            found[by] = None
    for name in FIGURES:
        try:
            numbers = getattr(podium.figures, name)(comparison)
        except podium.errors.InputError:
            found[name] = None
        else:
            found[name] = {key: value for key, value in numbers.as_dict().items() if key != "method"}
    return found


@pytest.mark.parametrize("name", COMPARISONS)
def test_other_words_change_no_fact(name: str, other_words: Callable[[], None]) -> None:
    expected = facts(COMPARISONS[name]())
    other_words()
    found = COMPARISONS[name]()
    assert WORD in found.text() and all(str(note) == WORD for note in found.notes)
    np.testing.assert_equal(facts(found), expected)


@pytest.mark.parametrize("name", GLOBAL_TESTS)
def test_other_words_change_no_global_test(name: str, other_words: Callable[[], None]) -> None:
    results = podium.read(
        np.random.default_rng(1).integers(0, 2, (9, 3)),
        labels={"replication": None, "algorithm": ["a", "b", "c"]},
        measure="error",
        direction="lower",
    )

    def numbers() -> tuple[Any, ...]:
        found = getattr(podium.inference, name)(results)
        return found.statistic, found.pvalue, found.df, found.n, found.unit, found.procedure, found.significant

    expected = numbers()
    other_words()
    assert numbers() == expected
    assert WORD in getattr(podium.inference, name)(results).text()


@pytest.mark.parametrize("distribution", ["chi2", "F", "permutation"])
def test_the_title_of_a_distribution_is_read_by_no_code(distribution: str, other_words: Callable[[], None]) -> None:
    def numbers() -> tuple[Any, ...]:
        found = podium.friedman(ONE, distribution=distribution)
        return found.statistic, found.pvalue, found.df, found.kendall_w, found.mean_ranks.tolist()

    expected = numbers()
    other_words()
    assert numbers() == expected
    assert podium.friedman(ONE, distribution=distribution).method == WORD


@pytest.mark.parametrize("method", ["correlated t", "signed rank", "hierarchical"])
def test_a_bayesian_comparison_reads_no_words(method: str, other_words: Callable[[], None]) -> None:
    options: dict[str, Any] = {"equivalence": 0.1, "method": method}
    options |= {} if method == "signed rank" else {"ratio": 0.1}
    options |= {} if method == "correlated t" else {"draws": 50}
    options |= {"warmup": 50} if method == "hierarchical" else {}
    results = ONE if method == "correlated t" else MANY.select(algorithms=["a", "b"])
    expected = podium.inference.compare_bayes(results, **options)
    other_words()
    found = podium.inference.compare_bayes(results, **options)
    assert found.frame().equals(expected.frame())
    assert found.notes == expected.notes
    assert found.method == WORD and WORD in found.text()


@pytest.mark.parametrize("method", ["wilcoxon", "sign", "t", "permutation t", "corrected t", "k-fold t"])
def test_a_paired_test_reads_no_words(method: str, other_words: Callable[[], None]) -> None:
    a, b = ONE.values[0, :, 0, 0], ONE.values[0, :, 1, 0]
    options = {"corrected t": {"ratio": 0.1}, "k-fold t": {"fold": np.arange(12)}}.get(method, {})

    def numbers() -> tuple[Any, ...]:
        found = podium.inference.paired_test(a, b, method, **options)
        return found.estimate, found.lower, found.upper, found.statistic, found.pvalue, found.estimand, found.df

    expected = numbers()
    other_words()
    assert numbers() == expected


@pytest.mark.parametrize("model", ["domain", "survey"])
def test_a_mixed_model_reads_no_words(model: str, other_words: Callable[[], None]) -> None:
    def tables() -> list[dict[Any, Any]]:
        fit = podium.mixed(MANY, model=model)
        test = fit.omnibus()
        return [
            fit.components.to_dict(),
            fit.estimates.to_dict(),
            fit.component_tests().to_dict(),
            fit.blups("replication").to_dict(),
            {"F": (test.statistic, test.pvalue, test.df)},
        ]

    expected = tables()
    other_words()
    np.testing.assert_equal(tables(), expected)
    assert WORD in podium.mixed(MANY, model=model).summary()


SUMMARIES: dict[str, Callable[[], pd.DataFrame]] = {
    "summarize": lambda: podium.summarize(MANY, statistics=["best", "q95"]),
    "intervals": lambda: podium.summaries.intervals(ONE, kind="t"),
    "bootstrap": lambda: podium.summaries.intervals(ONE, kind="bootstrap", statistic="median", resamples=50),
    "orders": lambda: podium.summaries.orders(ONE, epsilon=0.1)[["classes", "exact"]],
    "places": lambda: podium.summaries.places(MANY),
    "worst case": lambda: podium.summaries.worst_case(ONE, m=2, interval=True, resamples=50),
    "quartiles": lambda: podium.summaries.quartile_chart(MANY).frame(),
    "effect sizes": lambda: podium.inference.effect_sizes(MANY),
}


@pytest.mark.parametrize("name", SUMMARIES)
def test_a_summary_reads_no_words(name: str, other_words: Callable[[], None]) -> None:
    expected = SUMMARIES[name]()
    other_words()
    pd.testing.assert_frame_equal(SUMMARIES[name](), expected)


def test_an_order_is_a_fact_of_the_table() -> None:
    """Not only words beside it, which pandas loses."""
    for frame in (SUMMARIES["intervals"](), SUMMARIES["worst case"]()):
        number = np.unique(frame["place"], return_inverse=True)[1]
        assert frame.attrs["order"] in (None, chain(list(frame.index), number))
