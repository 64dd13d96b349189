"""Laws of consensus, its limits, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.analysis.consensus import (
    compare_aggregations,
    consensus,
    distance,
    majority,
    stability,
)
from podium.analysis.consensus.branch_and_bound import Box
from podium.analysis.consensus.decomposition import decompose
from podium.analysis.consensus.linear_programming import LinearProgram
from podium.analysis.consensus.objective import consensus_objective
from podium.analysis.consensus.profile import make_profile, whole_weights
from podium.analysis.consensus.relation_classes import CLASSES
from podium.analysis.relation import Relation
from podium.errors import InputError, LabelError
from slow_laws import few_examples

KINDS = ["linear", "weak", "partial", "preorder", "equivalence", "tournament"]
NAMED = {
    "linear": "strict linear order",
    "weak": "strict weak order",
    "partial": "strict partial order",
    "preorder": "preorder",
    "equivalence": "equivalence",
    "tournament": "tournament",
}
NAMES = "abcdefg"
EVERY = 10_000  # more than there are relations of any class on five algorithms
profiles = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=1, max_size=6)
)


def voters_of(ranks: list[list[int]]) -> list[Relation]:
    return [Relation.from_ranks(r, list(NAMES[: len(r)])) for r in ranks]


def noise(k: int, voters: int, seed: int) -> list[Relation]:
    rng = np.random.default_rng(seed)
    return [Relation.from_ranks(rng.permutation(k), [f"a{i:02}" for i in range(k)]) for _ in range(voters)]


@pytest.mark.parametrize("kind", KINDS)
@few_examples()
@given(ranks=profiles, random=st.randoms(use_true_random=False))
def test_voters_and_names_may_be_in_any_order_and_one_optimum_is_among_all(
    kind: str, ranks: list[list[int]], random: object
) -> None:
    voters = voters_of(ranks)
    found = consensus(voters, kind, all_optima=True, limit=EVERY)  # type: ignore[arg-type]
    assert all(relation.is_a(NAMED[kind]) for relation in found)
    names = list(voters[0].algorithms)
    random.shuffle(names)  # type: ignore[attr-defined]
    moved = [voter.restrict(names) for voter in voters]
    random.shuffle(moved)  # type: ignore[attr-defined]
    assert consensus(moved, kind, all_optima=True, limit=EVERY).relations == found.relations  # type: ignore[arg-type]
    new = {name: NAMES[-1 - i] for i, name in enumerate(voters[0].algorithms)}
    renamed = consensus([voter.rename(new) for voter in voters], kind, all_optima=True, limit=EVERY)  # type: ignore[arg-type]
    assert set(renamed.relations) == {relation.rename(new) for relation in found.relations}
    one = consensus(voters, kind)  # type: ignore[arg-type]
    assert one.criterion == found.criterion
    assert one.relation in found.relations
    assert one.optimal


@few_examples()
@given(ranks=profiles)
def test_reversing_all_voters_reverses_the_consensus(ranks: list[list[int]]) -> None:
    voters = voters_of(ranks)
    found = consensus(voters, "weak", all_optima=True, limit=EVERY)
    turned = consensus([voter.dual() for voter in voters], "weak", all_optima=True, limit=EVERY)
    assert set(turned.relations) == {relation.dual() for relation in found.relations}


@few_examples()
@given(st.lists(st.integers(0, 3), min_size=1, max_size=5))
def test_the_consensus_of_one_voter_is_that_voter(ranks: list[int]) -> None:
    voter = Relation.from_ranks(ranks, list(NAMES[: len(ranks)]))
    for kind in ("weak", "partial", "preorder"):
        found = consensus([voter], kind, all_optima=True)  # type: ignore[arg-type]
        assert len(found) == 1
        assert found.relation.same_preferences(voter)
        assert found.criterion == 0
    linear = consensus([voter], "linear", all_optima=True)
    assert set(linear.relations) == set(voter.linear_extensions())


@few_examples()
@given(st.integers(2, 5).flatmap(lambda k: st.lists(st.integers(0, 2), min_size=k * k, max_size=k * k)))
def test_one_voter_is_its_own_consensus_among_equivalences_and_tournaments(numbers: list[int]) -> None:
    k = round(len(numbers) ** 0.5)
    groups = np.array(numbers[:k])
    same = Relation.from_incidence(groups[:, None] == groups[None, :], list(NAMES[:k]))
    assert consensus([same], "equivalence", all_optima=True).relations == (same,)
    wins = np.triu(np.array(numbers).reshape(k, k) > 0, 1)
    winner = Relation.from_strict(wins | np.tril(~wins.T, -1), list(NAMES[:k]))
    assert consensus([winner], "tournament", all_optima=True).relations == (winner,)


def test_a_condorcet_cycle_returns_all_optima() -> None:
    cycle = [Relation.from_chain(chain) for chain in ("a < b < c", "b < c < a", "c < a < b")]
    found = consensus(cycle, "linear", all_optima=True)
    assert [str(relation) for relation in found] == ["a < b < c", "b < c < a", "c < a < b"]
    assert found.exhausted
    ring = [Relation.from_ranks((np.arange(9) + shift) % 9, list("abcdefghi")) for shift in range(9)]
    assert len(consensus(ring, "linear", all_optima=True)) == 9


def test_a_weight_of_two_equals_a_repeated_voter() -> None:
    a, b = Relation.from_chain("a < b < c"), Relation.from_chain("c < a < b")
    assert consensus([a, b], weights=[2, 1]).relation == consensus([a, a, b]).relation
    assert consensus([a, b], weights=[0, 1]).relation == b


@pytest.mark.parametrize("kind", KINDS)
def test_scaling_the_weights_scales_the_criterion(kind: str) -> None:
    voters = voters_of([[0, 1, 2, 3], [3, 1, 0, 2], [1, 1, 0, 2]])
    weights = np.array([1.0, 2.0, 1.5])
    one = consensus(voters, kind, weights=weights, all_optima=True)  # type: ignore[arg-type]
    for factor in (0.1, 1 / 3, np.pi, 1e6):
        other = consensus(voters, kind, weights=weights * factor, all_optima=True)  # type: ignore[arg-type]
        assert set(other.relations) == set(one.relations)
        assert other.criterion == pytest.approx(factor * one.criterion, rel=1e-12)
        assert other.optimal


def test_ties_of_voters_count_by_their_reading() -> None:
    # Two voters tie, one orders: a weak consensus ties where ties are (1, 1), and never where they are (0, 0).
    voters = [Relation.from_chain(chain) for chain in ("a ~ b", "a ~ b", "a < b")]
    assert str(consensus(voters, "weak").relation) == "a ~ b"
    assert str(consensus(voters, "weak", reading="strict").relation) == "a < b"
    assert str(consensus(voters, "partial").relation) == "a ~ b"
    assert str(consensus(voters, "partial", reading="weak").relation) == "a < b"
    assert not consensus(voters, "preorder").relation.incomparable.any()
    assert consensus(voters, "preorder", reading="strict").relation.incomparable.any()


def test_voters_may_be_weak_relations_with_incomparable_pairs() -> None:
    open_pair = Relation.from_incidence([[1, 0, 1], [0, 1, 1], [0, 0, 1]], list("abc"))
    found = consensus([open_pair, open_pair, Relation.from_chain("a < b < c")], "preorder", all_optima=True)
    assert found.relations == (open_pair,)
    assert found.criterion == 1


def test_an_equivalence_joins_what_most_voters_join() -> None:
    same = [[[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]] * 2 + [np.eye(4, dtype=int)]
    voters = [Relation.from_incidence(m, list("abcd")) for m in same]
    assert consensus(voters, "equivalence").relation.classes() == (("a", "b"), ("c", "d"))


@pytest.mark.parametrize("kind", ["linear", "weak", "partial", "preorder"])
def test_a_larger_consensus_is_of_its_kind_and_its_criterion_is_its_distance_to_the_voters(kind: str) -> None:
    voters = noise(20, 9, seed=3)
    found = consensus(voters, kind)  # type: ignore[arg-type]
    assert found.relation.is_a(NAMED[kind])
    assert found.optimal
    assert found.criterion == sum(distance(found.relation, voter) for voter in voters)


def test_wider_classes_are_at_least_as_near() -> None:
    for seed in range(5):
        voters = noise(12, 7, seed)
        value = {kind: consensus(voters, kind, reading="weak").criterion for kind in KINDS}  # type: ignore[arg-type]
        assert value["tournament"] <= value["linear"]
        assert value["preorder"] <= min(value["weak"], value["partial"], value["equivalence"])
        assert max(value["weak"], value["partial"]) <= value["linear"]


# Limits


def test_a_limit_cuts_the_list_and_clears_exhausted() -> None:
    free = [Relation.from_strict(np.zeros((5, 5)), list("abcde"))]
    cut = consensus(free, "linear", all_optima=True, limit=10)
    assert len(cut) == 10
    assert not cut.exhausted
    assert cut.optimal
    assert len(set(cut.relations)) == 10
    assert "the limit of 10 truncated the list" in str(cut)
    whole = consensus(free, "linear", all_optima=True, limit=120)
    assert len(whole) == 120
    assert whole.exhausted
    four = [Relation.from_strict(np.zeros((4, 4)), list("abcd"))]
    assert not consensus(four, "tournament", all_optima=True, limit=63).exhausted
    assert consensus(four, "tournament", all_optima=True, limit=64).exhausted


def test_the_optima_of_blocks_are_combined() -> None:
    # Two cycles, one after the other: 3 × 3 optima, more than a limit of 4 for either.
    chains = ["a < b < c < d < e < f", "b < c < a < e < f < d", "c < a < b < f < d < e"]
    voters = [Relation.from_chain(chain) for chain in chains]
    assert len(consensus(voters, all_optima=True)) == 9
    cut = consensus(voters, all_optima=True, limit=4)
    assert len(cut) == 4
    assert not cut.exhausted


@pytest.mark.parametrize(
    ("kind", "seconds"),
    [*((kind, 1e-9) for kind in KINDS if kind != "tournament"), ("linear", 0.05), ("partial", 0.05)],
)
def test_after_the_time_limit_a_relation_and_its_gap_are_returned(kind: str, seconds: float) -> None:
    voters = noise(24, 8, seed=11)
    found = consensus(voters, kind, time_limit=seconds)  # type: ignore[arg-type]
    proven = consensus(voters, kind)  # type: ignore[arg-type]
    assert proven.optimal
    assert found.relation.is_a(NAMED[kind])
    assert found.bound <= proven.criterion <= found.criterion
    assert found.optimal == (found.gap == 0)
    all_of_it = consensus(voters, kind, time_limit=seconds, all_optima=True)  # type: ignore[arg-type]
    assert not (all_of_it.exhausted and not all_of_it.optimal)
    if found.gap:
        assert "above the optimum" in str(found)


# The bound


@few_examples()
@given(ranks=profiles, seed=st.integers(0, 1000))
def test_any_multipliers_give_a_bound(ranks: list[list[int]], seed: int) -> None:
    """The bound does not depend on the solver: it holds for multipliers drawn at random."""
    profile = make_profile(voters_of(ranks))
    for kind in ("linear", "weak", "partial", "preorder"):
        objective, _ = consensus_objective(profile.matrices("weak"), profile.weights, CLASSES[kind])  # type: ignore[index]
        if objective.size < 3:
            return
        program = LinearProgram(objective)
        box = Box.all(objective.size)
        program.add_violated(np.full((objective.size, objective.size), 0.9) * ~np.eye(objective.size, dtype=bool))
        program.add_violated(np.random.default_rng(seed).random((objective.size, objective.size)))
        multipliers = np.random.default_rng(seed).exponential(2.0, len(program.rows.right))
        bound = program._bound(np.zeros((objective.size, objective.size)), multipliers, box.lower, box.upper, False)
        best = consensus(voters_of(ranks), kind, reading="weak")  # type: ignore[arg-type]
        constant = float(np.tensordot(profile.weights, profile.matrices("weak"), axes=1).sum())
        assert bound.value + constant <= best.criterion + 1e-9


def test_clear_majorities_need_no_linear_program() -> None:
    rng = np.random.default_rng(1)
    names = [f"a{i:02}" for i in range(60)]
    voters = [Relation.from_ranks(np.arange(60) + rng.normal(0, 1, 60), names) for _ in range(21)]
    found = consensus(voters, "linear")
    assert found.programs == 0
    assert found.optimal


def test_clear_majorities_split_the_objective_into_blocks() -> None:
    chains = ["a < b < c < d < e < f", "b < c < a < e < f < d", "c < a < b < f < d < e"]
    profile = make_profile([Relation.from_chain(chain) for chain in chains])
    objective, _ = consensus_objective(profile.matrices("weak"), profile.weights, CLASSES["linear"])
    parts = decompose(objective, keep_all=True)
    assert [block.tolist() for block in parts.members] == [[0, 1, 2], [3, 4, 5]]
    assert parts.settled[:3, 3:].all()
    assert parts.settled.sum() == 9


@pytest.mark.parametrize(
    ("weights", "expected"),
    [([1, 1], ([1, 1], 1)), ([1, 1.5, 0.2], ([10, 15, 2], 10)), ([1 / 3, 1], ([1, 3], 3)), ([np.pi, 1], None)],
)
def test_weights_become_whole_numbers_if_possible(weights: list[float], expected: object) -> None:
    found = whole_weights(np.array(weights))
    if expected is None:
        assert found is None
    else:
        assert found is not None
        assert (found[0].tolist(), found[1]) == expected


# Reports and refusals


def test_the_frame_has_the_distance_of_each_voter() -> None:
    voters = {"error": Relation.from_chain("a < b < c"), "time": Relation.from_chain("c < b < a")}
    found = consensus(voters, weights={"time": 1, "error": 3})
    table = found.frame()
    assert table.index.tolist() == ["error", "time"]
    assert table["nearest"].tolist() == [0, 6]
    assert table["farthest"].tolist() == [0, 6]
    assert table["weight"].tolist() == [3, 1]
    assert table["share"].tolist() == [0, 1]


@pytest.mark.parametrize("find", [consensus, majority, compare_aggregations])
def test_a_voter_without_a_weight_counts_once(find: Any) -> None:
    voters = {"x": Relation.from_chain("a < b < c"), "y": Relation.from_chain("c < a < b")}
    assert str(find(voters, weights={"y": 3})) == str(find(voters, weights={"x": 1, "y": 3})) != str(find(voters))
    with pytest.raises(LabelError, match=r"^`weights` names 'z'; the relations are 'x', 'y'\.$"):
        find(voters, weights={"x": 2, "z": 1})


ONE = Relation.from_chain("a < b")
LINE = podium.read(
    [{"algorithm": name, "replication": b, "cost": b} for name in "ab" for b in (1, 2)], direction="lower"
)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: consensus(["a < b"]),  # type: ignore[list-item]
            InputError,
            "`relations` must be podium.Relation objects; got str. Use podium.Relation.from_chain('a < b').",
        ),
        (
            lambda: consensus([ONE, Relation.from_chain("a < c")]),
            LabelError,
            "`relations` must be on the same algorithms; relation 2 differs from relation 1: missing 'b', additional "
            "'c'. Use `restrict`, or in `consensus` and `majority` missing='available', which counts each voter for "
            "the algorithms it is on.",
        ),
        (
            lambda: distance(ONE, ONE.dual(), pair_weights=[[0, 1], [2, 0]]),
            InputError,
            "`pair_weights` must be symmetric, because a pair has one weight; 'a' and 'b' have 1 and 2.",
        ),
        (
            lambda: stability(LINE, unit="dataset"),
            InputError,
            "`unit` is 'dataset', but there is only one data set. Draw replications: unit='replication'.",
        ),
    ],
)
def test_messages(call: Callable[[], object], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as error:
        call()
    assert str(error.value) == message
