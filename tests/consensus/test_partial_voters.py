"""Voters that rank different algorithms, and one consensus over all data sets and measures."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

import podium
from podium import Relation
from podium.relations import majority, overall_consensus, preferences


def votes(seed: int, voters: int, names: str = "abcde") -> list[Relation]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(voters):
        chosen = list(rng.permutation(list(names))[: rng.integers(2, len(names) + 1)])
        found.append(Relation.from_chain(" < ".join(chosen)))
    return found


def disagreements(order: tuple[str, ...], vote: Relation) -> int:
    """Ordered pairs in only one of the two, among the algorithms of the vote."""
    wrong = sum(
        (order.index(a) < order.index(b)) != vote.prefers(a, b) for a, b in combinations(sorted(vote.algorithms), 2)
    )
    return 2 * wrong


@pytest.mark.parametrize("seed", range(12))
def test_by_brute_force(seed: int) -> None:
    given = votes(seed, 4)
    weights = [1.0, 2.0, 1.0, 0.5]
    names = sorted({name for vote in given for name in vote.algorithms})
    values = {
        order: sum(w * disagreements(order, vote) for w, vote in zip(weights, given, strict=True))
        for order in permutations(names)
    }
    best = min(values.values())
    found = podium.consensus(given, weights=weights, all_optima=True, missing="available")
    assert found.criterion == pytest.approx(best)
    assert found.optimal
    assert {str(r) for r in found} == {" < ".join(o) for o, value in values.items() if value == pytest.approx(best)}
    np.testing.assert_array_equal(found.ranked, [len(vote.algorithms) for vote in given])
    first = tuple(str(found.relation).split(" < "))
    np.testing.assert_allclose(found.distances[0], [disagreements(first, vote) for vote in given])


def test_voters_that_rank_all_algorithms_give_the_usual_consensus() -> None:
    given = [Relation.from_chain(chain) for chain in ("a < b ~ c", "b < a < c", "c < b < a")]
    for kind in ("linear", "weak", "partial", "preorder"):
        one = podium.consensus(given, kind, all_optima=True)
        other = podium.consensus(given, kind, all_optima=True, missing="available")
        assert [str(r) for r in one] == [str(r) for r in other]
        assert one.criterion == other.criterion
        assert one.criterion_with_diagonal == other.criterion_with_diagonal


def test_order_and_names_do_not_matter() -> None:
    given = votes(20, 5)
    names = dict(zip("abcde", "vwxyz", strict=True))
    renamed = [Relation.from_chain(" < ".join(names[x] for x in str(v).split(" < "))) for v in given[::-1]]
    one = podium.consensus(given, all_optima=True, missing="available")
    other = podium.consensus(renamed, all_optima=True, missing="available")
    assert {" < ".join(names[x] for x in str(r).split(" < ")) for r in one} == {str(r) for r in other}


def test_a_pair_that_no_voter_judges_is_open() -> None:
    given = [Relation.from_chain("a < b"), Relation.from_chain("a < c")]
    assert {str(r) for r in podium.consensus(given, all_optima=True, missing="available")} == {"a < b < c", "a < c < b"}
    assert str(podium.consensus(given, "partial", all_optima=True, missing="available").relations[0]).startswith(
        "a < b"
    )


def test_majority_counts_those_who_judge() -> None:
    given = [Relation.from_chain("a < b"), Relation.from_chain("b < a < c"), Relation.from_chain("a < c")]
    outcome = majority(given, missing="available")
    assert outcome.margins.loc["a", "b"] == 0
    assert outcome.margins.loc["a", "c"] == 2
    assert outcome.margins.loc["b", "c"] == 1


@pytest.fixture
def grid() -> podium.Results:
    values = np.random.default_rng(1).random((3, 4, 5, 2))
    labels = {"dataset": list("xyz"), "replication": None, "algorithm": list("abcde"), "measure": ["accuracy", "time"]}
    return podium.read(values, labels=labels)


def test_one_call_for_data_sets_and_measures(grid: podium.Results) -> None:
    found = overall_consensus(grid, all_optima=True)
    by_hand = {
        f"{m}: {j}": preferences(grid.select(dataset=m, measure=j))[m]
        for m in grid.datasets
        for j in grid.measure_names
    }
    assert found.voters == tuple(by_hand)
    again = podium.consensus(by_hand, all_optima=True)
    assert [str(r) for r in found] == [str(r) for r in again]
    assert found.criterion == again.criterion


def test_weights_of_data_sets_and_measures(grid: podium.Results) -> None:
    found = overall_consensus(grid, weights={"accuracy": 2, "x": 3})
    np.testing.assert_array_equal(found.weights, [6, 3, 2, 1, 2, 1])
    only = overall_consensus(grid, weights={"time": 0}, all_optima=True)
    accuracy = podium.consensus(preferences(grid, "accuracy"), all_optima=True)
    assert only.criterion == accuracy.criterion


def test_data_sets_with_different_algorithms(grid: podium.Results) -> None:
    long = grid.to_long()
    gaps = podium.read(long[~((long["dataset"] == "x") & (long["algorithm"] == "a"))])
    relations = preferences(gaps, "accuracy", missing="available")
    assert relations["x"].algorithms == tuple("bcde")
    found = overall_consensus(gaps, missing="available")
    np.testing.assert_array_equal(found.ranked, [4, 4, 5, 5, 5, 5])
    assert set(found.relation.algorithms) == set("abcde")
    with pytest.raises(podium.errors.MissingCellsError):
        overall_consensus(gaps)


def test_epsilon_by_measure(grid: podium.Results) -> None:
    relations = preferences(grid, per="both", epsilon={"time": 10.0})
    assert str(relations["x: time"]) == "a ~ b ~ c ~ d ~ e"
    assert "<" in str(relations["x: accuracy"])
