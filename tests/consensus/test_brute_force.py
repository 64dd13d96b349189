"""Every class, every optimum: the solver against an enumeration of all relations on up to five algorithms."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from podium.analysis.consensus import consensus
from podium.analysis.consensus.branch_and_bound import BranchAndBound
from podium.analysis.consensus.cutting_planes import _bridges, _cycles, violated_rows
from podium.analysis.consensus.decomposition import all_relations, solve
from podium.analysis.consensus.objective import Objective
from podium.analysis.consensus.relation_classes import CLASSES
from podium.analysis.relation import Relation
from slow_laws import few_examples

MOST_OPTIMA = 400
TRANSITIVE = ["linear", "weak", "partial", "preorder", "equivalence"]
# Labelled structures on 2, 3, 4, 5 elements: A000142, A000670, A001035, A000798, A000110, A006125 of the OEIS.
NUMBERS = {
    "linear": [2, 6, 24, 120],
    "weak": [3, 13, 75, 541],
    "partial": [3, 19, 219, 4231],
    "preorder": [4, 29, 355, 6942],
    "equivalence": [2, 5, 15, 52],
    "tournament": [2, 8, 64, 1024],
}


@lru_cache(maxsize=32)
def every_relation(kind: str, k: int) -> np.ndarray:
    """All relations of a class as matrices without a diagonal, by the definition of the class.

    Without its last element, a relation of a class is one of the class too.
    """
    if k == 1:
        return np.zeros((1, 1, 1), bool)
    pairs = {
        "linear": [(1, 0), (0, 1)],
        "tournament": [(1, 0), (0, 1)],
        "weak": [(1, 0), (0, 1), (1, 1)],
        "partial": [(1, 0), (0, 1), (0, 0)],
        "preorder": [(1, 0), (0, 1), (1, 1), (0, 0)],
        "equivalence": [(1, 1), (0, 0)],
    }[kind]
    smaller = every_relation(kind, k - 1)
    last = np.array(list(product(pairs, repeat=k - 1)), bool)
    matrices = np.zeros((len(smaller), len(last), k, k), bool)
    matrices[:, :, :-1, :-1] = smaller[:, None]
    matrices[:, :, :-1, -1], matrices[:, :, -1, :-1] = last[:, :, 0], last[:, :, 1]
    matrices = matrices.reshape(-1, k, k)
    if kind != "tournament":
        reflexive = (matrices | np.eye(k, dtype=bool)).astype(np.float32)
        matrices = matrices[((reflexive @ reflexive > 0) == (reflexive > 0)).all(axis=(1, 2))]
    return matrices


def best(kind: str, costs: np.ndarray, tolerance: float) -> tuple[set[bytes], float]:
    table = every_relation(kind, len(costs))
    values = (table * costs).sum(axis=(1, 2))
    return {matrix.tobytes() for matrix in table[values <= values.min() + tolerance]}, float(values.min())


@pytest.mark.parametrize("kind", NUMBERS)
def test_the_number_of_relations_is_the_known_one(kind: str) -> None:
    assert [len(every_relation(kind, k)) for k in (2, 3, 4, 5)] == NUMBERS[kind]


@pytest.mark.parametrize("kind", TRANSITIVE)
def test_the_tables_of_small_relations_are_complete(kind: str) -> None:
    for k in (2, 3, 4):
        ours = all_relations(CLASSES[kind], k)  # type: ignore[index]
        assert {m.tobytes() for m in ours} == {m.tobytes() for m in every_relation(kind, k)}
        assert len(ours) == len(every_relation(kind, k))


@st.composite
def cost_matrices(draw: st.DrawFn) -> tuple[np.ndarray, bool]:
    """Costs of entries: whole numbers with many ties, without ties between orders, or no whole numbers at all."""
    k = draw(st.integers(2, 5))
    numbers = draw(st.lists(st.integers(-4, 4), min_size=k * k, max_size=k * k))
    costs = np.array(numbers, float).reshape(k, k)
    if draw(st.booleans()):
        costs = costs - costs.T
    whole = draw(st.booleans())
    if not whole:
        costs = costs * np.pi
    np.fill_diagonal(costs, 0.0)
    return costs, whole


@pytest.mark.parametrize("kind", NUMBERS)
@few_examples()
@given(problem=cost_matrices())
def test_all_optima_are_found(kind: str, problem: tuple[np.ndarray, bool]) -> None:
    costs, whole = problem
    expected, lowest = best(kind, costs, 1e-7)
    assume(len(expected) <= MOST_OPTIMA)  # thousands take seconds; the next test has the extreme
    ours = Objective(costs, CLASSES[kind], whole)  # type: ignore[index]
    outcomes = [solve(ours, keep_all=True, limit=10_000, seconds=np.inf)]
    if kind != "tournament":  # also by branch and bound, which is not used for few algorithms
        outcomes.append(BranchAndBound(ours, np.inf).solve(True, 10_000))
    for outcome in outcomes:
        assert outcome.value == pytest.approx(lowest, abs=1e-7)
        assert outcome.bound == pytest.approx(lowest, abs=1e-7)
        assert outcome.exhausted
        assert len(outcome.solutions) == len(expected)
        assert {solution.tobytes() for solution in outcome.solutions} == expected
    one = solve(ours, keep_all=False, limit=1, seconds=np.inf)
    assert one.solutions[0].tobytes() in expected


@pytest.mark.parametrize("kind", NUMBERS)
def test_without_any_preference_every_relation_is_optimal(kind: str) -> None:
    nothing = Objective(np.zeros((4, 4)), CLASSES[kind], True)  # type: ignore[index]
    outcomes = [solve(nothing, keep_all=True, limit=1000, seconds=np.inf)]
    if kind != "tournament":
        outcomes.append(BranchAndBound(nothing, np.inf).solve(True, 1000))
    for outcome in outcomes:
        found = [solution.tobytes() for solution in outcome.solutions]
        assert len(found) == len(set(found)) == NUMBERS[kind][2]
        assert outcome.exhausted


@cache
def every_order(size: int) -> np.ndarray:
    return np.array(list(permutations(range(size))), np.int8)


@few_examples()
@given(size=st.integers(6, 8), seed=st.integers(0, 10_000), whole=st.booleans())
def test_dynamic_programming_and_branch_and_bound_find_the_same_orders(size: int, seed: int, whole: bool) -> None:
    """Linear orders by dynamic programming, against the relaxation with its search, and against all permutations."""
    costs = np.random.default_rng(seed).integers(-3, 4, (size, size)) * (1.0 if whole else np.pi)
    np.fill_diagonal(costs, 0.0)
    objective = Objective(costs, CLASSES["linear"], whole)
    by_sets = solve(objective, keep_all=True, limit=50_000, seconds=np.inf)
    by_programs = BranchAndBound(objective, np.inf).solve(True, 50_000)
    places = every_order(size)
    values = sum(np.where(places[:, i] < places[:, j], costs[i, j], costs[j, i]) for i in range(size) for j in range(i))
    assert by_sets.value == pytest.approx(by_programs.value, abs=1e-7)
    assert by_sets.value == pytest.approx(float(np.min(values)), abs=1e-7)
    found = {solution.tobytes() for solution in by_sets.solutions}
    assert found == {solution.tobytes() for solution in by_programs.solutions}
    assert len(by_sets.solutions) == len(found) == int((values <= np.min(values) + 1e-7).sum())
    assert by_sets.exhausted
    cut = solve(objective, keep_all=True, limit=1, seconds=np.inf)
    assert cut.exhausted == (len(found) == 1)


voters_on = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 3), min_size=k, max_size=k), min_size=1, max_size=5)
)


@pytest.mark.parametrize(
    ("kind", "reading"),
    [
        ("linear", "strict"),
        ("weak", "strict"),
        ("weak", "weak"),
        ("partial", "strict"),
        ("partial", "weak"),
        ("preorder", "weak"),
        ("equivalence", "weak"),
        ("tournament", "strict"),
    ],
)
@few_examples()
@given(ranks=voters_on, data=st.data())
def test_the_criterion_is_the_smallest_weighted_sum_of_distances(
    kind: str, reading: str, ranks: list[list[int]], data: st.DataObject
) -> None:
    names = "abcde"[: len(ranks[0])]
    voters = [Relation.from_ranks(r, list(names)) for r in ranks]
    weights = data.draw(st.lists(st.sampled_from([0.2, 1.0, 1.5, 3.0]), min_size=len(ranks), max_size=len(ranks)))
    coded = [(r if reading == "strict" else r.as_weak()).incidence & ~np.eye(len(names), dtype=bool) for r in voters]
    table = every_relation(kind, len(names))
    values = sum(w * (table != c).sum(axis=(1, 2)) for w, c in zip(weights, coded, strict=True))
    found = consensus(
        voters,
        kind,
        weights=weights,
        reading=reading,
        all_optima=True,
        limit=10_000,  # type: ignore[arg-type]
    )
    assert found.criterion == pytest.approx(float(np.min(values)), abs=1e-9)
    assert len(found) == int((values <= np.min(values) + 1e-9).sum())
    assert found.optimal
    assert found.exhausted
    assert found.distances @ np.array(weights) == pytest.approx(found.criterion, abs=1e-9)


@pytest.mark.parametrize("kind", TRANSITIVE)
def test_no_relation_violates_a_cutting_plane(kind: str) -> None:
    """The constraints that the solver adds cut off only fractions: paths, cycles and bridges, on every relation."""
    objective = Objective(np.zeros((4, 4)), CLASSES[kind], True)  # type: ignore[index]
    for matrix in every_relation(kind, 4):
        entries = matrix.astype(float)
        assert violated_rows(objective, entries, 1000) is None
        assert not len(_bridges(4, entries, 1000).excess)
        assert not len(_cycles(4, entries).excess)


def test_fractions_violate_each_form() -> None:
    half = np.zeros((3, 3))
    half[[0, 1, 2], [1, 2, 0]] = 0.5
    assert _cycles(3, half).excess == pytest.approx([0.5])
    # All of 2 → 0 → 3, 2 → 1 → 3 and 3 → 2, but 0 → 1 is missing.
    point = np.array([[0, 0, 0.5, 1], [1, 0, 0.5, 1], [1, 1, 0, 1], [0.5, 0.5, 1, 0]])
    found = _bridges(4, point, 1000)
    assert len(found.excess) > 0
    value = (found.signs * point.ravel()[found.columns]).sum(axis=1) - found.right
    assert value == pytest.approx(found.excess)
