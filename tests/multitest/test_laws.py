"""What must hold for every order, against an implementation by brute force; with fixed examples."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.analysis.multitest.walk import walk
from slow_laws import few_examples

LETTERS = "abcdef"


@st.composite
def problems(draw: st.DrawFn, distinct: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Which algorithms are shown to be better than which (asymmetric, not always transitive), and costs."""
    k = draw(st.integers(2, 6))
    better = np.zeros((k, k), bool)
    for i in range(k):
        for j in range(i):
            side = draw(st.sampled_from([0, 0, 1, -1]))
            better[i, j], better[j, i] = side == 1, side == -1
    costs = draw(st.permutations(range(k))) if distinct else draw(st.lists(st.integers(0, 2), min_size=k, max_size=k))
    return better, np.array(costs, float)


def order_of(better: np.ndarray, cost: np.ndarray, names: str | list[str] | None = None) -> podium.inference.MultiTest:
    labels = list(names or LETTERS[: len(cost)])
    relation = podium.Relation.from_strict(better, labels)
    return podium.multitest(relation, cost=dict(zip(labels, cost.tolist(), strict=True)))


def by_brute_force(better: np.ndarray, cost: np.ndarray) -> tuple[str, ...] | None:
    """Of all orders that put no algorithm behind a cheaper one that it beats, the one nearest to the order of costs.

    That is the first in the dictionary, with the algorithms spelled by their place in the prior order.
    """
    k = len(cost)
    prior = sorted(range(k), key=lambda i: (cost[i], LETTERS[i]))
    must = [(j, i) for i in range(k) for j in range(k) if better[j, i] and cost[j] >= cost[i]]
    for order in permutations(prior):  # in the order of the dictionary
        place = {i: p for p, i in enumerate(order)}
        if all(place[first] < place[then] for first, then in must):
            return tuple(LETTERS[i] for i in order)
    return None


@given(problems(distinct=True))
@few_examples()
def test_different_costs_against_brute_force(problem: tuple[np.ndarray, np.ndarray]) -> None:
    found = order_of(*problem)
    assert found.order == by_brute_force(*problem)
    assert found.cycles == ()
    assert all(not edge.tied for edge in found.edges)


@given(problems())
@few_examples()
def test_equal_costs_against_brute_force(problem: tuple[np.ndarray, np.ndarray]) -> None:
    found = order_of(*problem)
    expected = by_brute_force(*problem)
    assert (expected is None) == bool(found.cycles)  # no order respects all tests, or there is no cycle
    if expected is not None:
        assert found.order == expected
    for cycle in found.cycles:
        members = [LETTERS.index(name) for name in cycle]
        assert len(set(problem[1][members])) == 1  # from cheap to costly, no edge leads back


@given(problems(distinct=True))
@few_examples()
def test_without_a_significant_test_the_order_is_that_of_the_costs(problem: tuple[np.ndarray, np.ndarray]) -> None:
    _, cost = problem
    found = order_of(np.zeros((len(cost), len(cost)), bool), cost)
    assert found.order == found.prior == tuple(LETTERS[i] for i in np.argsort(cost))
    assert found.moved == ()


@given(problems())
@few_examples()
def test_with_equal_costs_the_order_respects_every_test(problem: tuple[np.ndarray, np.ndarray]) -> None:
    better, cost = problem
    found = order_of(better, np.zeros(len(cost)))
    if not found.cycles:
        ranks = found.ranks
        assert all(ranks.iloc[i] < ranks.iloc[j] for i, j in np.argwhere(better))
    assert found.ties == (tuple(sorted(LETTERS[: len(cost)])),)


@given(problems(distinct=True), st.randoms(use_true_random=False))
@few_examples()
def test_other_names_and_another_order_of_columns_change_nothing(
    problem: tuple[np.ndarray, np.ndarray], random: np.random.Generator
) -> None:
    better, cost = problem
    shuffled = list(range(len(cost)))
    random.shuffle(shuffled)
    new = [f"{9 - i} new" for i in range(len(cost))]
    turned = order_of(better[np.ix_(shuffled, shuffled)], cost[shuffled], [new[i] for i in shuffled])
    assert turned.order == tuple(new[LETTERS.index(name)] for name in order_of(better, cost).order)


@given(problems())
@few_examples()
def test_every_step_takes_the_first_of_those_that_are_free(problem: tuple[np.ndarray, np.ndarray]) -> None:
    found = order_of(*problem)
    assert tuple(step.chosen for step in found.steps) == found.order
    for place, step in enumerate(found.steps):
        assert step.chosen == step.free[0]
        assert set(step.left) == set(found.order[place:])


def test_a_cycle_is_reported_with_its_members() -> None:
    better = np.zeros((4, 4), bool)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        better[i, j] = True
    found = order_of(better, np.array([1.0, 1.0, 1.0, 2.0]))
    assert [set(cycle) for cycle in found.cycles] == [{"a", "b", "c"}]
    assert found.order[-1] == "d"
    (note,) = [note for note in found.notes if note.code == "cycles"]
    assert "a, b and c" in str(note)


def test_equal_up_to_rounding_is_equal() -> None:
    done = walk(np.zeros((2, 2), bool), np.array([0.1 + 0.2, 0.3]), np.array([1.0, 0.0]), ["a", "b"])
    assert done.order.tolist() == [1, 0]  # the better estimate first


# On results

CAR = podium.examples.load_ulas2008().select(datasets=["car", "iris", "wine"])
SECONDS = podium.examples.load_ulas2008("training time")


def test_errors_instead_of_accuracies_change_nothing() -> None:
    info = podium.MeasureInfo("error", "lower", units="%")
    errors = CAR.replace(values=100 - CAR.values, measures=(info,))
    one, two = podium.multi2test(CAR, cost=SECONDS), podium.multi2test(errors, cost=SECONDS)
    assert one.ranks.equals(two.ranks)
    assert one.order == two.order
    assert one.without_cost.order == two.without_cost.order


def test_a_cost_where_greater_is_better_is_reversed() -> None:
    info = podium.MeasureInfo("speed", "higher")
    speed = SECONDS.replace(values=-SECONDS.values, measures=(info,))
    assert podium.multi2test(CAR, cost=speed).ranks.equals(podium.multi2test(CAR, cost=SECONDS).ranks)
    by_hand = {name: -i for i, name in enumerate(CAR.algorithms)}
    turned = podium.multitest(CAR, dataset="car", cost=by_hand, cost_direction="higher")
    assert turned.prior == CAR.algorithms


def test_the_order_of_rows_and_columns_does_not_matter() -> None:
    shuffled = CAR.select(
        algorithms=CAR.algorithms[::-1], datasets=CAR.datasets[::-1], replications=CAR.replications[::-1]
    )
    one, two = podium.multi2test(CAR, cost=SECONDS), podium.multi2test(shuffled, cost=SECONDS)
    assert two.ranks.loc[list(CAR.datasets), list(CAR.algorithms)].equals(one.ranks)
    assert one.order == two.order


def test_one_sided_tests_override_more_and_adjusted_ones_less() -> None:
    def edges(**options: object) -> set[tuple[str, str]]:
        found = podium.multitest(CAR, dataset="car", cost=SECONDS, **options)
        return {(edge.preferred, edge.better) for edge in found.edges}

    usual = edges()
    assert edges(adjust="holm") <= usual <= edges(alternative="better")
    assert edges(adjust="holm") < usual
    # One-sided at alpha is two-sided at twice alpha, for a test whose one-sided p-values are halves.
    assert edges(alternative="better", alpha=0.05) == edges(alpha=0.1)


@pytest.mark.parametrize("test", ["corrected t", "wilcoxon", "sign", "wnmt", "mixed", "5x2cv t"])
def test_any_test_of_compare_can_be_used(test: str) -> None:
    found = podium.multitest(CAR, dataset="car", cost=SECONDS, test=test)
    compared = podium.compare(CAR.select(dataset="car"), method=test, adjust="none")
    assert found.tests().to_numpy().tolist() == compared.relation().better.astype(int).tolist()


def test_other_comparisons_in_the_second_pass() -> None:
    for method in ("wilcoxon", "wnmt", "conover"):
        assert podium.multi2test(CAR, cost=SECONDS, method=method).comparison.procedure == method
