"""Consensus, distances and dendrogram of Eugster (2011) 2.5.1 and 4.5.1 and Eugster, Hothorn & Leisch (2008) 3.3.

Reference values: the printed texts, and golden/eugster (R 4.2.2, relations 0.6-18, all optima by GLPK).
There `strict` voters have ties (0, 0), `weak` voters (1, 1), and solutions have ties (1, 1): our two readings.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import podium
from podium.analysis.consensus import consensus, distances, hierarchical, majority
from podium.analysis.relation import Relation

# TR 2008, section 3.3.
MEAN = Relation.from_chain("blue ~ red < green < orange ~ purple ~ yellow")
WORST = Relation.from_chain("blue < red < purple ~ orange < green < yellow")
TIME = Relation.from_chain("red < purple < orange < yellow < green < blue")

# Eugster 2011, section 2.5.
R_M = Relation.from_chain("rpart ~ svm < rf < nnet < knn ~ lda")
R_W = Relation.from_chain("svm < lda ~ rpart < rf < nnet < knn")
R_C = Relation.from_chain("rpart < lda < rf < knn < nnet < svm")

METHODS = {"SD/L": "linear", "SD/O": "partial", "SD/W": "weak", "SD/preorder": "preorder"}


def texts(relations: tuple[Relation, ...]) -> set[str]:
    return {str(relation) for relation in relations}


# The report of 2008


def test_six_linear_orders_for_two_relations() -> None:
    found = consensus([MEAN, WORST], "linear", all_optima=True)
    assert texts(found.relations) == {
        "blue < red < green < orange < purple < yellow",
        "blue < red < green < purple < orange < yellow",
        "blue < red < orange < green < purple < yellow",
        "blue < red < orange < purple < green < yellow",
        "blue < red < purple < green < orange < yellow",
        "blue < red < purple < orange < green < yellow",
    }
    assert len(found) == 6
    assert found.exhausted
    assert found.optimal
    assert found.criterion == 9  # golden/eugster/monks3.json, consensus_printed_examples


def test_two_linear_orders_for_three_relations() -> None:
    found = consensus([MEAN, WORST, TIME], "linear", all_optima=True)
    assert texts(found.relations) == {
        "red < blue < purple < orange < green < yellow",
        "blue < red < purple < orange < green < yellow",
    }
    assert found.criterion == 21


def test_weights_make_the_linear_order_unique() -> None:
    found = consensus([MEAN, WORST, TIME], "linear", weights=[1, 1.2, 1], all_optima=True)
    assert texts(found.relations) == {"blue < red < purple < orange < green < yellow"}
    assert found.criterion == pytest.approx(21.2, abs=1e-12)


def test_the_hierarchical_order() -> None:
    assert hierarchical(MEAN, WORST, TIME) == Relation.from_chain("blue < red < green < purple < orange < yellow")


# The dissertation


def test_the_partial_orders_of_the_dissertation() -> None:
    equal = consensus([R_M, R_W, R_C], "partial", all_optima=True)
    assert texts(equal.relations) == {"rpart ~ svm < lda < rf < nnet < knn"}
    weighted = consensus([R_M, R_W, R_C], "partial", weights=[1, 1.5, 0.2], all_optima=True)
    assert texts(weighted.relations) == {"svm < lda ~ rpart < rf < nnet < knn"}


def test_the_example_of_section_4_1() -> None:
    # golden/eugster/monks3.json, thesis_4.1_step3_weights_1_0.2_linear: rpart ~ svm < rf and rpart < rf < svm.
    first, second = Relation.from_chain("rpart ~ svm < rf"), Relation.from_chain("rpart < rf < svm")
    found = consensus([first, second], "linear", weights=[1, 0.2], all_optima=True)
    assert texts(found.relations) == {"rpart < svm < rf"}
    assert found.criterion == pytest.approx(1.4, abs=1e-12)


def test_the_linear_order_of_the_uci_domain_from_the_printed_chains() -> None:
    chains = podium.examples.load_uci_chains()
    voters = {name: Relation.from_chain(chain) for name, chain in chains.items()}
    found = consensus(voters, "linear", all_optima=True)
    assert texts(found.relations) == {"svm < rf < lda < rpart < nnet < knn"}
    assert found.exhausted


# All that R computed


def same_as_r(entry: dict[str, Any], voters: list[Relation], kind: str, reading: str, weights: Any) -> None:
    found = consensus(voters, kind, weights=weights, reading=reading, all_optima=True)  # type: ignore[arg-type]
    assert found.optimal
    assert found.exhausted
    assert found.criterion == pytest.approx(entry["criterion_offdiagonal"], abs=1e-9)
    assert found.criterion_with_diagonal == pytest.approx(entry["criterion"], abs=1e-9)
    assert len(found) == entry["n_optimal"]
    theirs = {Relation.from_incidence(s["matrix"], s["labels"]) for s in entry["solutions"]}
    if kind != "preorder":  # they write reflexive relations, we strict ones
        theirs = {relation.as_strict() for relation in theirs}
    assert set(found.relations) == theirs


@pytest.mark.parametrize("reading", ["strict", "weak"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("weights", ["equal", "thesis", "techreport_w1.2"])
def test_every_consensus_of_monks3(reference: Callable[[str], Path], reading: str, method: str, weights: str) -> None:
    golden = json.loads(reference("golden/eugster/monks3.json").read_text())["consensus"]
    entry = golden["results"][weights][reading][method]
    voters = [Relation.from_strict(r["matrix"], r["labels"]) for r in golden["ensemble"].values()]
    assert voters == [R_M, R_W, R_C]
    same_as_r(entry, voters, METHODS[method], reading, entry["weights"])


@pytest.mark.parametrize("reading", ["strict", "weak"])
@pytest.mark.parametrize("method", METHODS)
def test_every_consensus_of_the_uci_domain(reference: Callable[[str], Path], reading: str, method: str) -> None:
    golden = json.loads(reference("golden/eugster/uci.json").read_text())["consensus"]
    relations = json.loads(reference("golden/eugster/uci621rel.json").read_text())["relations"]
    voters = [Relation.from_strict(r["matrix"], r["labels"]) for r in relations.values()]
    same_as_r(golden["results"]["precomputed"][reading][method], voters, METHODS[method], reading, None)


def test_pairwise_wins_of_the_uci_domain(reference: Callable[[str], Path]) -> None:
    golden = json.loads(reference("golden/eugster/uci.json").read_text())["consensus"]["pairwise_wins"]
    relations = json.loads(reference("golden/eugster/uci621rel.json").read_text())["relations"]
    voters = [Relation.from_strict(r["matrix"], r["labels"]) for r in relations.values()]
    wins = np.array(golden["matrix"])
    outcome = majority(voters)
    assert list(outcome.margins.index) == golden["labels"]
    assert np.array_equal(outcome.margins.to_numpy(), wins - wins.T)
    assert outcome.condorcet_winner == "svm"


# golden/eugster/timings.md, off-diagonal criterion; SD/L and SD/O agree in all of them.
OPTIMA = {
    "K8_uniform": 470,
    "K8_noisy": 200,
    "K10_uniform": 832,
    "K10_noisy": 328,
    "K12_uniform": 1084,
    "K12_noisy": 508,
    "K14_uniform": 1474,
    "K14_noisy": 712,
    "K20_uniform": 3128,
    "K20_noisy": 1406,
    "K30_uniform": 7362,
    "K30_noisy": 3472,
}


@pytest.mark.parametrize("ensemble", OPTIMA)
def test_random_ensembles(reference: Callable[[str], Path], ensemble: str) -> None:
    entry = json.loads(reference("golden/eugster/random_relations.json").read_text())["ensembles"][ensemble]
    voters = [Relation.from_ranks(ranks, entry["labels"]) for ranks in entry["ranks"]]
    for kind in ("linear", "partial"):
        found = consensus(voters, kind)  # type: ignore[arg-type]
        assert found.optimal
        assert found.criterion == OPTIMA[ensemble]


# Distances


def test_distances_and_clusters_of_the_printed_chains(reference: Callable[[str], Path]) -> None:
    # The printed chains are the relations behind the reference but for Circle and titanic (golden README).
    golden = json.loads(reference("golden/eugster/uci.json").read_text())
    chains = podium.examples.load_uci_chains()
    table = distances({name: Relation.from_chain(chains[name]) for name in golden["distance"]["labels"]})
    same = [i for i, name in enumerate(table.labels) if name not in ("Circle", "titanic")]
    theirs = np.array(golden["distance"]["matrix"])
    assert np.array_equal(table.matrix[np.ix_(same, same)], theirs[np.ix_(same, same)])
    # By hand, from table 4.1: Circle has svm < knn < rf < nnet < rpart < lda, Sonar ties knn ~ rf and lda ~ rpart.
    assert table.between("Circle", "Sonar") == 2
    # Section 4.2, on figure 4.3: Circle and Sonar are in one cluster, by the printed chains and by the relations.
    cophenetic = table.cluster("complete").cophenetic()
    assert cophenetic.loc["Circle", "Sonar"] == 2
    labels = golden["distance"]["labels"]
    reference_height = np.array(golden["hclust_complete"]["cophenetic"])
    assert reference_height[labels.index("Circle"), labels.index("Sonar")] == 2  # rf ~ nnet, rpart < lda


def test_the_distance_matrix_and_the_dendrogram_of_the_uci_domain(reference: Callable[[str], Path]) -> None:
    golden = json.loads(reference("golden/eugster/uci.json").read_text())
    relations = json.loads(reference("golden/eugster/uci621rel.json").read_text())["relations"]
    table = distances({name: Relation.from_strict(r["matrix"], r["labels"]) for name, r in relations.items()})
    assert list(table.labels) == golden["distance"]["labels"]
    assert np.array_equal(table.matrix, golden["distance"]["matrix"])
    assert sorted(set(table.matrix.ravel())) == golden["distance"]["distinct_levels"]
    tree = table.cluster("complete")
    assert tree.heights.tolist() == golden["hclust_complete"]["heights"]
    assert list(tree.order) == golden["hclust_complete"]["order_labels"]
    assert np.array_equal(tree.cophenetic().to_numpy(), golden["hclust_complete"]["cophenetic"])
