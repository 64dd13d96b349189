"""No code reads words: every generated sentence and title becomes another, and no number, decision or table changes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import podium
from podium.analysis import notes, omnibus, text
from podium.analysis.compare import procedures
from podium.analysis.comparison import Comparison
from podium.analysis.inference import GLOBAL_TESTS
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
]


@pytest.fixture
def other_words() -> Iterator[Callable[[], None]]:
    """Replace every sentence of the catalogue, every function that makes words, and every title of a procedure."""
    patch = pytest.MonkeyPatch()

    def replace() -> None:
        for catalogue in (notes.SENTENCES, text.ESTIMANDS, text._ADJUSTMENTS):
            for key in catalogue:
                patch.setitem(catalogue, key, WORD)  # type: ignore[arg-type]
        for function in FUNCTIONS:
            for module in [m for name, m in sys.modules.items() if name.startswith("podium")]:
                for name, thing in list(vars(module).items()):
                    if thing is function:
                        patch.setattr(module, name, lambda *args, **kwargs: WORD)
        titled = [*procedures().values(), *GLOBAL_TESTS.values()]
        titles = [(one, one.title) for one in titled]
        for one in titled:
            object.__setattr__(one, "title", WORD)
        restore.extend(titles)

    restore: list[tuple[Any, str]] = []
    yield replace
    patch.undo()
    for one, title in restore:
        object.__setattr__(one, "title", title)


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
        "codes": [(note.code, sorted(note.facts)) for note in comparison.notes],
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


def test_a_bayesian_comparison_reads_no_words(other_words: Callable[[], None]) -> None:
    expected = podium.inference.compare_bayes(MANY, method="signed rank", draws=200, equivalence=0.1).frame()
    other_words()
    found = podium.inference.compare_bayes(MANY, method="signed rank", draws=200, equivalence=0.1)
    assert found.frame().equals(expected)
    assert WORD in found.text()
