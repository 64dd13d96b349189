"""Values that once ended in raw errors, or were taken for something else, with the whole message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import InputError
from podium.setup import Sample

DUELS = pd.DataFrame({"a": ["x", "y"], "b": ["y", "x"], "outcome": [1, 0]})
TABLE = pd.DataFrame({"x": [1, 2]})
SCORES = podium.read(
    np.random.default_rng(0).normal(size=(4, 3, 2)),
    labels={"dataset": list("uvwx"), "replication": None, "algorithm": ["a", "b"]},
    measure="error",
    direction="lower",
)
POINTS = np.random.default_rng(0).normal(size=(8, 2))
CHAINS = {"u": podium.Relation.from_chain("a < b"), "v": podium.Relation.from_chain("b < a")}
EPSILON = "`epsilon` must be a finite number of at least 0; got "
SENTENCES = "`notes` must be several sentences, such as ['Lower is better.']; got "


def from_duels(**options: Any) -> podium.PairedComparisons:
    return podium.PairedComparisons.from_duels(DUELS, **options)


def draw(n: int, rng: np.random.Generator, **parameters: Any) -> Sample:
    raise AssertionError


def refuse(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    raise ValueError("out of range")


def tree() -> podium.Tree:
    pairs = podium.PairedComparisons.from_results(SCORES)
    sizes = pd.DataFrame({"size": [1.0, 2, 3, 4]}, index=list("uvwx"))
    return podium.bradley_terry_tree(pairs, sizes, min_size=2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: from_duels(a=None), "`a` must be the name of a column; got None."),
        (lambda: from_duels(a=["a"]), "`a` must be the name of a column; got ['a']."),
        (lambda: from_duels(b=pd.NA), "`b` must be the name of a column; got <NA>."),
        (lambda: from_duels(b=DUELS["b"]), "`b` must be the name of a column; got a Series."),
        (lambda: from_duels(outcome=None), "`outcome` must be the name of a column; got None."),
        (lambda: from_duels(weights=DUELS), "`weights` must be the name of a column; got a DataFrame."),
        (
            lambda: from_duels(outcomes=[1, 2]),
            "`outcomes` must be a mapping from words to 1, -1 or 0, such as {'home': 1}; got [1, 2].",
        ),
        (lambda: from_duels(outcomes={"x": [1]}), "`outcomes` must map to 1, -1 or 0; 'x' does not."),
        (
            lambda: podium.PairedComparisons.from_frame(DUELS, separator=None),
            "`separator` must be the text between two names, such as ':'; got None.",
        ),
        (lambda: from_duels().take([[1, 2], [3]]), "`rows` must be positions of subjects; got [[1, 2], [3]]."),
        (lambda: podium.PairedComparisons.from_results(SCORES, epsilon=np.inf), f"{EPSILON}inf."),
        (lambda: podium.summaries.orders(SCORES, epsilon=-1), f"{EPSILON}-1."),
        (lambda: podium.summaries.worst_case(SCORES, epsilon=pd.NA), f"{EPSILON}<NA>."),
        (lambda: podium.Relation.from_estimates({"a": 1.0, "b": 2.0}, epsilon=np.nan), f"{EPSILON}nan."),
        (lambda: podium.tables.Table.from_frame(DUELS, notes=None), f"{SENTENCES}None."),
        (lambda: podium.tables.Table.from_frame(DUELS, notes="abc"), f"{SENTENCES}'abc'."),
        (
            lambda: podium.multi2test(SCORES, cost={"a": 1, "b": 2}, alternative=pd.NA),
            "`alternative` must be one of 'two-sided', 'better'; got <NA>.",
        ),
        (lambda: tree().instability(node=pd.NA), "There is no node <NA>; the nodes are 1 to 1."),
        (lambda: tree().instability(node=DUELS), "There is no node a DataFrame; the nodes are 1 to 1."),
        (
            lambda: podium.figures.archetype_plane(podium.ArchetypalAnalysis(2, restarts=1).fit(POINTS), x=DUELS),
            "`x` must be one of 'x1', 'x2'; got a DataFrame.",
        ),
        (
            lambda: podium.figures.distances(CHAINS, linkage=pd.NA),
            "`linkage` must be one of 'complete', 'average', 'single'; got <NA>.",
        ),
        (
            lambda: podium.Dataset(name="d", X=pd.DataFrame({"x": [1, 2]}), y=[[1, 2], [3]]),
            "The response `y` of 'd' must have one class per row; row 0 has [1, 2].",
        ),
        (
            lambda: podium.Experiment("iris", ["lda"], "bootstrap", "accuracy", folder="\ud800"),
            "`folder` must be a path; got '\\ud800'.",
        ),
        (
            lambda: podium.Generator(name="g", draw_sample=draw, check=refuse),
            "`check`: refuse raised ValueError: out of range",
        ),
        (
            lambda: podium.Generator(name="g", draw_sample=draw, check=len),
            "What `check` returns must be a mapping from names to values; got 0.",
        ),
        (
            lambda: podium.generator("friedman1").check(None),
            "`parameters` must be a mapping from names to values; got None.",
        ),
        (
            lambda: podium.Warehouse(":memory:").append(np.array(3)),
            "`records` must be a sequence of TrialRecord; got an ndarray.",
        ),
        (
            lambda: podium.Warehouse(":memory:").append_decisions(np.array(3)),
            "`decisions` must be a sequence of Decision; got an ndarray.",
        ),
        (lambda: podium.archetypes(POINTS, sample_weight=True), "`sample_weight` must be numbers; got a bool."),
        (lambda: podium.archetypes(POINTS, sample_weight="3"), "`sample_weight` must be numbers; got '3'."),
        (lambda: podium.archetypes(POINTS, sample_weight=["3"] * 8), "`sample_weight` must be numbers; got a list."),
        (lambda: podium.Dataset(name="d", X=TABLE, y=[1, 2], licence=3), "`licence` must be text; got 3."),
        (
            lambda: podium.Dataset(name="d", X=TABLE, y=[1, 2], factors=[1]),
            "`factors` must be a mapping from names to values; got [1].",
        ),
        (lambda: podium.Generator(name="g", draw_sample=draw, source=None), "`source` must be text; got None."),
        (lambda: podium.Algorithm(name="a", make=draw, description=None), "`description` must be text; got None."),
        (
            lambda: podium.Algorithm(name="a", make=draw, spec="lda"),
            "`spec` must be a mapping from names to values; got 'lda'.",
        ),
        (
            lambda: podium.tables.Table.from_frame(DUELS, digits=None),
            "`digits` must be a whole number of at least 1; got None.",
        ),
        (lambda: podium.tables.Table.from_frame(DUELS, notes=DUELS), f"{SENTENCES}a DataFrame."),
        (
            lambda: podium.ArchetypalAnalysis(2, restarts=1).fit(POINTS).outliers(below=np.nan),
            "`below` must be a number of at least 0; got nan.",
        ),
        (
            lambda: podium.Warehouse(":memory:").trials(design="x"),
            "`design` must be a whole number of at least 1; got 'x'.",
        ),
        (
            lambda: podium.report(SCORES, equivalence="x"),
            "`equivalence` must be (Δ1, Δ2) with Δ1 ≤ 0 ≤ Δ2, such as (-0.01, 0.01); got 'x'.",
        ),
        (lambda: podium.report(SCORES.to_long(), measure=pd.NA), "`measure` must be text; got <NA>."),
        (
            lambda: podium.inference.confidence_sequence(SCORES, pair=None),
            "`pair` must be two algorithms, such as pair=('a', 'b'); got None.",
        ),
        (
            lambda: podium.inference.confidence_sequence(SCORES, pair=("a", "b"), kind="asymptotic", bounds=(0, 1)),
            "`bounds` are for kind='betting'; otherwise leave them out.",
        ),
        (lambda: podium.inference.boundaries(3, sides=True), "`sides` must be one of 1, 2; got True."),
        (
            lambda: podium.inference.compare_bayes(SCORES, method="sign", seed="x"),
            "`seed` must be a whole number of at least 0; got 'x'.",
        ),
        (
            lambda: podium.compare(SCORES, method="permutation t", seed=None),
            "`seed` must be a whole number of at least 0; got None.",
        ),
        (
            lambda: podium.plot.box(SCORES, title="\ud800"),
            "`title` must be text without lone surrogates; got '\\ud800'.",
        ),
    ],
)
def test_a_wrong_value_is_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value) == message


def test_a_huge_epsilon_makes_all_algorithms_equal() -> None:
    assert set(podium.summaries.orders(SCORES, epsilon=2**70)["order"]) == {"a ~ b"}
    assert set(podium.summaries.worst_case(SCORES, epsilon=2**70)["place"]) == {1}
