"""Weights: where the consensus and its winner change; several criteria in one call."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.analysis.consensus import consensus, criteria, weight_sensitivity
from podium.analysis.relation import Relation
from slow_laws import few_examples

NAMES = list("abcd")
R_M = Relation.from_chain("rpart ~ svm < rf < nnet < knn ~ lda")
R_W = Relation.from_chain("svm < lda ~ rpart < rf < nnet < knn")
R_C = Relation.from_chain("rpart < lda < rf < knn < nnet < svm")


def test_two_opposite_voters_change_places_at_equal_weights() -> None:
    found = weight_sensitivity([Relation.from_chain("a < b"), Relation.from_chain("b < a")], 1)
    assert [(s.low, s.high, s.winners) for s in found.segments] == [(0.0, 0.5, ("a",)), (0.5, 1.0, ("b",))]
    assert found.winner_changes().to_dict("records") == [{"share": 0.5, "weight": 1.0, "below": "a", "above": "b"}]
    assert found.share == 0.5
    assert found.now.winners == ("a",)


@few_examples()
@given(st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=2, max_size=4), st.data())
def test_the_segments_are_those_of_a_fine_grid(ranks: list[list[int]], data: st.DataObject) -> None:
    voters = [Relation.from_ranks(r, NAMES) for r in ranks]
    weights = data.draw(st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=len(ranks), max_size=len(ranks)))
    at = data.draw(st.integers(0, len(ranks) - 1))
    found = weight_sensitivity(voters, at, "weak", weights=weights)
    assert found.segments[0].low == 0.0
    assert found.segments[-1].high == 1.0
    assert all(a.high == b.low for a, b in zip(found.segments, found.segments[1:], strict=False))
    rest = np.array(weights)
    rest[at] = 0.0
    rest /= rest.sum()
    for share in np.linspace(0.013, 0.987, 13):
        mixed = (1 - share) * rest
        mixed[at] = share
        optima = set(consensus(voters, "weak", weights=mixed, all_optima=True).relations)
        segment = next(s for s in found.segments if s.low <= share <= s.high)
        if min(share - segment.low, segment.high - share) > 1e-6:
            assert optima == set(segment.relations)
            assert segment.exhausted


def test_the_weights_of_the_dissertation() -> None:
    voters = {"mean": R_M, "worst": R_W, "time": R_C}
    found = weight_sensitivity(voters, "worst", "partial", weights={"mean": 1, "worst": 1, "time": 1})
    changes = found.winner_changes()
    # svm alone leads once the worst case outweighs mean and time together.
    assert changes[["below", "above"]].to_numpy().tolist() == [["rpart ~ svm", "svm"]]
    assert changes["weight"].tolist() == [pytest.approx(2.0, abs=1e-9)]
    assert found.now.winners == ("rpart", "svm")
    assert found.weight(0.5) == pytest.approx(2.0)
    assert found.weight(1.0) == float("inf")
    table = found.frame()
    assert table["from share"].iloc[0] == 0
    assert table["to share"].iloc[-1] == 1
    assert table["order"].iloc[-1] == str(R_W)


# Several criteria


def results() -> podium.Results:
    return podium.read(
        pd.DataFrame({"algorithm": ["svm", "rf", "lda"], "error": [0.1, 0.2, 0.3], "seconds": [9.0, 3.0, 1.0]})
    )


def test_criteria_make_a_consensus_of_several_measures() -> None:
    choice = criteria(results(), weights={"seconds": 0.2})
    assert {name: str(relation) for name, relation in choice.relations.items()} == {
        "error": "svm < rf < lda",
        "seconds": "lda < rf < svm",
    }
    assert choice.weights == {"error": 1.0, "seconds": 0.2}
    assert str(choice.consensus.relation) == "svm < rf < lda"
    assert choice.consensus.exhausted
    table = choice.frame()
    assert table["order"].tolist() == ["svm < rf < lda", "lda < rf < svm"]
    assert table["nearest"].tolist() == [0, 6]
    changes = choice.winner_changes()
    assert changes["criterion"].tolist() == ["error", "seconds"]
    assert changes["weight"].tolist() == [pytest.approx(0.2), pytest.approx(1.0)]


def test_relations_can_replace_measures_and_be_added() -> None:
    tested, wished = Relation.from_chain("rf ~ svm < lda"), Relation.from_chain("lda ~ rf ~ svm")
    choice = criteria(results(), "weak", replace={"error": tested, "wish": wished})
    assert list(choice.relations) == ["error", "seconds", "wish"]
    assert choice.relations["error"] is tested
    assert choice.weights["wish"] == 1.0
