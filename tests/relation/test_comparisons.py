"""Relations from comparisons, of rank tests and of mixed models, by significance and by relevance; to the consensus.

Reference values: Eugster (2011), sections 2.3 to 2.5; Eugster, Hothorn & Leisch (2008), sections 3.1 and 3.2;
Demšar (2006), section 3.2.2; golden/eugster/monks3.json (R 4.2.2, coin 1.4-2, lme4 1.1-31, multcomp 1.4-22).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.analysis.relation import Relation

NAMES = ["blue", "red", "green", "yellow", "purple", "orange"]


@pytest.fixture(scope="module")
def golden(reference: Callable[[str], Path]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reference("golden/eugster/monks3.json").read_text())
    return found


@pytest.fixture(scope="module")
def monks3(reference: Callable[[str], Path]) -> podium.Results:
    table = pd.read_csv(reference("data/eugster/monks3raw.csv"))
    return podium.read(table, direction={"Misclassification": "lower", "Time": "lower"})


@pytest.fixture(scope="module", params=["wnmt", "mixed"])
def comparison(request: pytest.FixtureRequest, monks3: podium.Results) -> podium.Comparison:
    error = monks3.select(measure="Misclassification")
    return podium.compare(error, method=request.param, equivalence=(-0.01, 0.01))


@pytest.mark.parametrize(
    ("by", "levels"),
    [
        ("significance", (("rpart", "svm"), ("rf",), ("nnet",), ("knn", "lda"))),  # figure 2.7a
        ("relevance", (("rpart", "svm"), ("rf",), ("knn", "lda", "nnet"))),  # figure 2.7b
    ],
)
def test_the_hasse_diagrams_of_figure_2_7(
    comparison: podium.Comparison, golden: dict[str, Any], by: str, levels: tuple[tuple[str, ...], ...]
) -> None:
    relation = comparison.relation(by)  # type: ignore[arg-type]
    entry = golden["relations"][by]
    assert relation == Relation.from_strict(entry["matrix"], entry["labels"])
    assert relation.levels() == relation.classes() == levels
    assert sorted(map(list, relation.transitive_reduction().pairs())) == sorted(entry["reduction_edges"])


def test_the_consensus_of_section_2_5_from_the_raw_numbers(monks3: podium.Results) -> None:
    error, time = monks3.select(measure="Misclassification"), monks3.select(measure="Time")
    voters = {
        "mean": podium.compare(error, method="mixed").relation(),
        "worst": Relation.from_results(error, statistic="worst"),
        "time": Relation.from_results(time),
    }
    assert str(podium.consensus(voters, "partial").relation) == "rpart ~ svm < lda < rf < nnet < knn"
    weights = {"mean": 1, "worst": 1.5, "time": 0.2}
    assert str(podium.consensus(voters, "partial", weights=weights).relation) == "svm < lda ~ rpart < rf < nnet < knn"
    # The same in one call: the mean order of the error is replaced by the test, the worst case is added.
    choice = podium.relations.criteria(
        monks3,
        "partial",
        weights={"worst": 1.5, "Time": 0.2},
        replace={"Misclassification": voters["mean"], "worst": voters["worst"]},
    )
    assert [str(relation) for relation in choice.consensus] == ["svm < lda ~ rpart < rf < nnet < knn"]


def test_percentile_intervals_that_all_overlap_make_all_indifferent(monks3: podium.Results) -> None:
    # Section 2.4.2, on figure 2.1; the percentiles B α and B (1 - α) with α = 0.05 are a 90% interval (golden README).
    table = podium.summaries.intervals(monks3.select(measure="Misclassification"), alpha=0.1)
    apart = ~podium.summaries.overlaps(table).to_numpy(bool)
    better = apart & (table["estimate"].to_numpy()[:, None] < table["estimate"].to_numpy()[None, :])
    relation = Relation.from_strict(better, list(table.index))
    assert relation == Relation.from_chain("svm ~ rpart ~ rf ~ nnet ~ knn ~ lda")


# The report of 2008: table 1, and the decisions of section 3.2

MEAN = dict(zip(NAMES, [0.0110, 0.0116, 0.0293, 0.0344, 0.0352, 0.0353], strict=True))
SD = dict(zip(NAMES, [0.0059, 0.0080, 0.0123, 0.0118, 0.0094, 0.0094], strict=True))
MAX = dict(zip(NAMES, [0.0340, 0.0561, 0.0631, 0.0707, 0.0561, 0.0561], strict=True))


def test_orders_by_the_means_and_the_maxima_of_the_report() -> None:
    assert str(Relation.from_estimates(MEAN)) == "blue < red < green < yellow < purple < orange"
    assert Relation.from_estimates(MAX) == Relation.from_chain("blue < red ~ purple ~ orange < green < yellow")


def test_the_order_by_intervals_of_the_means_of_the_report() -> None:
    half = 1.96 * np.array(list(SD.values())) / np.sqrt(250)  # section 3.1: Mean ± 1.96 SD / √B
    mean = np.array(list(MEAN.values()))
    relation = Relation.from_strict((mean + half)[:, None] < (mean - half)[None, :], NAMES)
    assert relation == Relation.from_chain("blue ≈ red < green < yellow ≈ purple ≈ orange")


def test_the_topological_sort_of_the_report() -> None:
    # Section 3.2: all pairs differ but these four, by the test of ranks and by the mixed model alike.
    same = [("blue", "red"), ("orange", "purple"), ("orange", "yellow"), ("purple", "yellow")]
    order = Relation.from_estimates(MEAN).frame()
    for a, b in same:
        order.loc[a, b] = order.loc[b, a] = 0
    relation = Relation.from_strict(order)
    assert str(relation) == "blue ~ red < green < orange ~ purple ~ yellow"
    assert relation.topological_sort() == ("blue", "red", "green", "orange", "purple", "yellow")


# A domain


def test_the_decisions_of_demsar_are_not_a_weak_order() -> None:
    # Demšar (2006), 3.2.2: at 0.10 C4.5 is worse than C4.5+m and C4.5+m+cf; nothing can be said about C4.5+cf.
    found = podium.compare(podium.examples.load_demsar2006(), method="nemenyi", alpha=0.1).relation()
    assert found.pairs() == (("C4.5+m", "C4.5"), ("C4.5+m+cf", "C4.5"))
    assert found.chain is None
    assert found.kind == "semiorder"
    assert ("C4.5+m", "C4.5+cf", "C4.5") in found.check("negatively transitive", limit=10).witnesses
