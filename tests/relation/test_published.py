"""Orders and relations of Eugster (2011), chapter 2 and section 4.5.1, and Eugster, Hothorn & Leisch (2008), section 3.

Reference values: the printed texts, and golden/eugster/{monks3,uci621rel}.json (R 4.2.2, relations 0.6-18).
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
from podium.analysis.relation import Relation, preferences

R_M = "rpart ~ svm < rf < nnet < knn ~ lda"
R_W = "svm < lda ~ rpart < rf < nnet < knn"
R_C = "rpart < lda < rf < knn < nnet < svm"


@pytest.fixture(scope="module")
def monks3(reference: Callable[[str], Path]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reference("golden/eugster/monks3.json").read_text())
    return found


@pytest.fixture(scope="module")
def monks3_results(reference: Callable[[str], Path]) -> podium.Results:
    table = pd.read_csv(reference("data/eugster/monks3raw.csv"))
    return podium.read(table, direction={"Misclassification": "lower", "Time": "lower"})


def strict(entry: dict[str, Any]) -> Relation:
    return Relation.from_strict(entry["matrix"], entry["labels"])


# Section 2.4.1: point estimates


@pytest.mark.parametrize(
    ("measure", "options", "chain"),
    [
        ("Misclassification", {"statistic": "mean"}, "svm < rpart < rf < nnet < knn < lda"),
        ("Misclassification", {"statistic": "worst"}, R_W),
        ("Misclassification", {"statistic": "quantile", "quantile": 0.95}, "svm < rpart < rf < lda < nnet < knn"),
        ("Time", {"statistic": "mean"}, R_C),
    ],
)
def test_orders_by_point_estimates(
    monks3_results: podium.Results, measure: str, options: dict[str, Any], chain: str
) -> None:
    relation = Relation.from_results(monks3_results.select(measure=measure), **options)
    assert relation == Relation.from_chain(chain)


def test_orders_of_all_measures_in_one_call(monks3_results: podium.Results) -> None:
    assert {name: str(relation) for name, relation in preferences(monks3_results).items()} == {
        "Misclassification": "svm < rpart < rf < nnet < knn < lda",
        "Time": R_C,
    }


def test_the_minimax_orders_of_the_report() -> None:
    # TR 2008, section 3.1: the printed m-worst values and the two orders made of them.
    worst = {
        "blue": 0.0200,
        "red": 0.0202,
        "green": 0.0510,
        "yellow": 0.0545,
        "purple": 0.0495,
        "orange": 0.0495,
    }
    assert Relation.from_estimates(worst) == Relation.from_chain("blue < red < purple ~ orange < green < yellow")
    assert Relation.from_estimates(worst, epsilon=0.001) == Relation.from_chain(
        "blue ~ red < purple ~ orange < green < yellow"
    )


# Section 2.4.2: tests


def test_the_equal_in_value_relation_is_an_equivalence() -> None:
    # Incidence matrix printed in section 2.4.2.
    names = ["lda", "rf", "knn", "rpart", "svm", "nnet"]
    matrix = [
        [1, 0, 1, 0, 0, 0],
        [0, 1, 0, 0, 0, 0],
        [1, 0, 1, 0, 0, 0],
        [0, 0, 0, 1, 1, 0],
        [0, 0, 0, 1, 1, 0],
        [0, 0, 0, 0, 0, 1],
    ]
    relation = Relation.from_incidence(matrix, names)
    assert relation.kind == "equivalence"
    assert set(relation.classes()) == {("knn", "lda"), ("nnet",), ("rf",), ("rpart", "svm")}
    assert relation == Relation.from_chain(R_M).as_weak().symmetric_part()


def test_the_better_relation_is_a_strict_weak_order() -> None:
    # Incidence matrix printed in section 2.4.2.
    names = ["lda", "rf", "knn", "rpart", "svm", "nnet"]
    matrix = [
        [0, 0, 0, 0, 0, 0],
        [1, 0, 1, 0, 0, 1],
        [0, 0, 0, 0, 0, 0],
        [1, 1, 1, 0, 0, 1],
        [1, 1, 1, 0, 0, 1],
        [1, 0, 1, 0, 0, 0],
    ]
    relation = Relation.from_strict(matrix, names)
    for name in ("irreflexive", "asymmetric", "transitive", "negatively transitive"):
        assert relation.has(name), name  # type: ignore[arg-type]
    assert relation.kind == "strict weak order"
    assert str(relation) == R_M


@pytest.mark.parametrize(
    ("name", "chain"),
    [
        ("significance", R_M),
        ("wnmt", R_M),
        ("relevance", "rpart ~ svm < rf < knn ~ lda ~ nnet"),
    ],
)
def test_relations_and_hasse_diagrams_of_monks3(monks3: dict[str, Any], name: str, chain: str) -> None:
    entry = monks3["relations"][name]
    relation = strict(entry)
    assert str(relation) == chain
    assert Relation.from_chain(chain) == relation
    assert sorted(map(list, relation.transitive_reduction().pairs())) == sorted(entry["reduction_edges"])
    assert sorted(map(list, relation.pairs())) == sorted(entry["strict_edges"])
    known = {
        "irreflexive": "irreflexive",
        "asymmetric": "asymmetric",
        "transitive": "transitive",
        "negatively_transitive": "negatively transitive",
    }
    for theirs, ours in known.items():
        assert relation.has(ours) == entry["properties"][theirs]  # type: ignore[arg-type]


# Section 4.5.1


def test_the_published_chains_are_the_relations_except_for_two(reference: Callable[[str], Path]) -> None:
    # Circle and titanic are not weak orders; the table prints the order of their means (golden README).
    entries = json.loads(reference("golden/eugster/uci621rel.json").read_text())["relations"]
    chains = podium.examples.load_uci_chains()
    assert set(entries) == set(chains)
    differing = {name for name in chains if Relation.from_chain(chains[name]) != strict(entries[name])}
    assert differing == {"Circle", "titanic"}
    for name in differing:
        relation = strict(entries[name])
        assert relation.has("transitive")
        assert relation.chain is None
        assert not relation.check("negatively transitive")
        printed = Relation.from_chain(chains[name])
        assert (relation & printed) == relation  # the printed chain only adds to it
    assert strict(entries["Circle"]).check("negatively transitive").witnesses[0] == ("knn", "rf", "nnet")


def test_the_hasse_diagram_of_the_domain() -> None:
    # Figure 4.7b, by the sentences around it: rf and svm are better than knn, nnet and rpart; nothing about lda.
    names = ["knn", "lda", "nnet", "rf", "rpart", "svm"]
    better = np.zeros((6, 6), bool)
    better[np.ix_([3, 5], [0, 2, 4])] = True
    relation = Relation.from_strict(better, names)
    assert relation.kind == "semiorder"
    assert relation.levels() == (("lda", "rf", "svm"), ("knn", "nnet", "rpart"))
    assert relation.transitive_reduction() == relation
