"""Borda, Copeland, mean rank, majority, hierarchical order."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from podium.analysis.consensus import (
    borda,
    compare_aggregations,
    consensus,
    copeland,
    distance,
    hierarchical,
    majority,
    mean_rank,
)
from podium.analysis.relation import Relation
from slow_laws import few_examples

NAMES = list("abcde")
profiles = st.integers(1, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=1, max_size=7)
)


def voters_of(ranks: list[list[int]]) -> list[Relation]:
    return [Relation.from_ranks(r, NAMES[: len(r)]) for r in ranks]


def election(*ballots: tuple[int, str]) -> tuple[list[Relation], list[int]]:
    return [Relation.from_chain(chain) for _, chain in ballots], [count for count, _ in ballots]


# Tennessee's capital, the textbook example of these methods: 42%, 26%, 15% and 17% of the voters.
TENNESSEE = election(
    (42, "Memphis < Nashville < Chattanooga < Knoxville"),
    (26, "Nashville < Chattanooga < Knoxville < Memphis"),
    (15, "Chattanooga < Knoxville < Nashville < Memphis"),
    (17, "Knoxville < Chattanooga < Nashville < Memphis"),
)


def test_a_textbook_election() -> None:
    voters, weights = TENNESSEE
    assert borda(voters, weights=weights).scores.to_dict() == {
        "Nashville": 194,
        "Chattanooga": 173,
        "Memphis": 126,
        "Knoxville": 107,
    }
    assert copeland(voters, weights=weights).scores.to_dict() == {
        "Nashville": 3,
        "Chattanooga": 2,
        "Knoxville": 1,
        "Memphis": 0,
    }
    outcome = majority(voters, weights=weights)
    assert outcome.condorcet_winner == "Nashville"
    assert outcome.condorcet_loser == "Memphis"
    assert outcome.smith_set == ("Nashville",)
    best = consensus(voters, "linear", weights=weights, all_optima=True)
    assert [str(order) for order in best] == ["Nashville < Chattanooga < Knoxville < Memphis"]
    assert best.criterion == 2 * (42 + 42 + 42 + 17 + 32 + 32)  # the losing sides of the six pairs, counted twice


@given(profiles)
def test_mean_ranks_and_borda_give_the_same_order(ranks: list[list[int]]) -> None:
    voters = voters_of(ranks)
    one, other = borda(voters), mean_rank(voters)
    assert one.relation == other.relation
    k = len(ranks[0])
    scores = one.scores.sort_index() / len(voters)
    assert np.allclose(k - scores, other.scores.sort_index(), atol=1e-12)


@given(profiles)
def test_the_smith_set_is_the_smallest_dominating_set(ranks: list[list[int]]) -> None:
    voters = voters_of(ranks)
    outcome = majority(voters)
    names = sorted(voters[0].algorithms)
    beats = {(a, b) for a, b in outcome.relation.pairs()}
    dominating = [
        set(chosen)
        for size in range(1, len(names) + 1)
        for chosen in combinations(names, size)
        if all((a, b) in beats for a in chosen for b in names if b not in chosen)
    ]
    assert set(outcome.smith_set) == min(dominating, key=len)
    winner = outcome.condorcet_winner
    if len(names) > 1:
        assert (winner is not None) == any(all((a, b) in beats for b in names if b != a) for a in names)
    if winner is not None:
        assert outcome.smith_set == (winner,)
        assert all(order.best == (winner,) for order in consensus(voters, "linear", all_optima=True))


@few_examples()
@given(profiles)
def test_every_linear_consensus_puts_the_smith_set_first(ranks: list[list[int]]) -> None:
    # The extended Condorcet criterion (Truchon 1998).
    voters = voters_of(ranks)
    leading = set(majority(voters).smith_set)
    for order in consensus(voters, "linear", all_optima=True):
        assert set(order.topological_sort()[: len(leading)]) == leading


def test_a_majority_by_rounding_errors_is_a_draw() -> None:
    voters = [Relation.from_chain("a < b"), Relation.from_chain("a < b"), Relation.from_chain("b < a")]
    outcome = majority(voters, weights=[0.1, 0.2, 0.3])  # 0.1 + 0.2 > 0.3 in floats
    assert outcome.condorcet_winner is None
    assert outcome.smith_set == ("a", "b")


def test_compare_aggregations_compares_all_methods() -> None:
    voters, weights = TENNESSEE
    table = compare_aggregations(voters, weights=weights)
    assert len(table) == 6
    assert table.loc["Borda", "order"] == "Nashville < Chattanooga < Memphis < Knoxville"
    assert table.loc["Borda", "distance"] == 2
    assert table.loc["Copeland", "distance"] == 0
    assert (table["criterion"] >= table.loc["consensus, linear order", "criterion"]).all()
    order = Relation.from_chain(table.loc["Borda", "order"])
    expected = sum(w * distance(order, voter) for voter, w in zip(voters, weights, strict=True))
    assert table.loc["Borda", "criterion"] == expected
    assert table["best"].tolist() == ["Nashville"] * 6
    assert table["optima"].tolist() == [1] * 6


# Hierarchical orders


@given(profiles)
def test_a_hierarchical_order_is_lexicographic(ranks: list[list[int]]) -> None:
    names = NAMES[: len(ranks[0])]
    by_tuples = sorted(names, key=lambda name: [r[names.index(name)] for r in ranks])
    keys = {name: tuple(r[names.index(name)] for r in ranks) for name in names}
    expected = Relation.from_ranks({name: [keys[n] for n in by_tuples].index(keys[name]) for name in names})
    assert hierarchical(*voters_of(ranks)) == expected
    assert hierarchical(voters_of(ranks)) == expected
    assert hierarchical({str(i): order for i, order in enumerate(voters_of(ranks))}) == expected


def test_a_hierarchical_order_depends_on_the_sequence() -> None:
    a, b = Relation.from_chain("x < y"), Relation.from_chain("y < x")
    assert hierarchical(a, b) == a
    assert hierarchical(b, a) == b
