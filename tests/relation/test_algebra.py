"""Closure, reduction, classes, levels, linear extensions, and the algebra of relations."""

from __future__ import annotations

from itertools import permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.analysis.relation import Relation
from podium.analysis.relation.algebra import closure, components, shortest_cycle
from podium.errors import InputError
from slow_laws import few_examples

NAMES = "abcdef"


@st.composite
def relations(draw: st.DrawFn, most: int = 5) -> Relation:
    k = draw(st.integers(1, most))
    bits = draw(st.lists(st.booleans(), min_size=k * k, max_size=k * k))
    return Relation(np.array(bits).reshape(k, k), tuple(NAMES[:k]))


@st.composite
def partial_orders(draw: st.DrawFn, most: int = 6) -> Relation:
    """Closure of some pairs i < j, with the algorithms in any order."""
    k = draw(st.integers(1, most))
    bits = draw(st.lists(st.booleans(), min_size=k * k, max_size=k * k))
    matrix = closure(np.triu(np.array(bits).reshape(k, k), 1))
    return Relation(matrix, tuple(draw(st.permutations(NAMES[:k]))))


# Closure and reduction


@few_examples()
@given(relations())
def test_the_closure_is_the_smallest_transitive_relation_that_contains_it(relation: Relation) -> None:
    closed = relation.transitive_closure()
    assert closed.has("transitive")
    assert (closed | relation) == closed
    assert closed.transitive_closure() == closed
    for i, j in np.argwhere(closed.incidence & ~relation.incidence):
        smaller = closed.incidence.copy()
        smaller[i, j] = False
        assert not Relation(smaller, relation.algorithms).has("transitive")


@given(relations())
def test_the_reduction_has_the_same_closure(relation: Relation) -> None:
    small = relation.transitive_reduction()
    assert small.transitive_closure().incidence[~np.eye(len(relation), dtype=bool)].tolist() == (
        relation.transitive_closure().incidence[~np.eye(len(relation), dtype=bool)].tolist()
    )


@given(partial_orders())
def test_the_reduction_of_an_order_is_the_unique_smallest_one(order: Relation) -> None:
    small = order.transitive_reduction()
    assert (small & order) == small
    for i, j in np.argwhere(small.incidence):
        fewer = small.incidence.copy()
        fewer[i, j] = False
        assert Relation(fewer, order.algorithms).transitive_closure() != order


def test_a_class_of_a_weak_relation_is_reduced_to_a_cycle() -> None:
    weak = Relation.from_chain("a ~ b ~ c < d").as_weak()
    off = weak.transitive_reduction().frame().to_numpy() - np.eye(4, dtype=int)
    assert off.tolist() == [[0, 1, 0, 1], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0]]


# Operations


@given(relations())
def test_laws_of_the_operations(relation: Relation) -> None:
    assert relation.dual().dual() == relation
    assert ~~relation == relation
    assert (~relation).dual() == ~relation.dual()
    assert (relation | ~relation).incidence.all()
    assert not (relation & ~relation).incidence.any()
    assert (relation.asymmetric_part() | relation.symmetric_part()) == relation
    assert relation.symmetric_part().has("symmetric")
    assert relation.asymmetric_part().has("asymmetric")
    assert relation.dual().best == relation.worst


@given(relations(), st.data())
def test_de_morgan(one: Relation, data: st.DataObject) -> None:
    k = len(one)
    other = Relation(
        np.array(data.draw(st.lists(st.booleans(), min_size=k * k, max_size=k * k))).reshape(k, k), one.algorithms
    )
    assert ~(one | other) == (~one & ~other)
    assert ~(one & other) == (~one | ~other)


@given(partial_orders())
def test_the_complement_of_better_is_not_worse(order: Relation) -> None:
    assert (~order).dual().same_preferences(order.as_weak())


# Orders


@given(partial_orders())
def test_levels_and_topological_sort_keep_every_preference(order: Relation) -> None:
    sorted_names = order.topological_sort()
    place = {name: i for i, name in enumerate(sorted_names)}
    level = {name: i for i, names in enumerate(order.levels()) for name in names}
    assert sorted(sorted_names) == sorted(order.algorithms)
    assert all(place[a] < place[b] and level[a] < level[b] for a, b in order.pairs())


def test_the_classes_of_a_weak_order_are_its_levels() -> None:
    order = Relation.from_chain("rpart ~ svm < rf < nnet < knn ~ lda")
    assert order.classes() == order.levels() == (("rpart", "svm"), ("rf",), ("nnet",), ("knn", "lda"))


def test_the_classes_of_an_equivalence() -> None:
    same = Relation.from_incidence([[1, 0, 1], [0, 1, 0], [1, 0, 1]], list("abc"))
    assert same.kind == "equivalence"
    assert same.classes() == (("a", "c"), ("b",))


def test_there_are_no_classes_where_indifference_is_not_transitive() -> None:
    with pytest.raises(InputError, match="'a' ~ 'b' and 'b' ~ 'c', but not 'a' ~ 'c'"):
        Relation.from_estimates({"a": 1, "b": 2, "c": 3}, epsilon=1).classes()


@pytest.mark.parametrize("method", ["levels", "topological_sort", "count_linear_extensions", "linear_extensions"])
def test_a_cycle_has_no_order(method: str) -> None:
    cycle = Relation.from_strict([[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0]], ["rf", "svm", "knn", "lda"])
    with pytest.raises(InputError, match="rf < svm < knn < rf"):
        getattr(cycle, method)()


@given(relations())
def test_the_cycle_found_is_a_shortest_one(relation: Relation) -> None:
    found = shortest_cycle(relation.incidence)
    off = relation.incidence & ~np.eye(len(relation), dtype=bool)
    power, length = off.copy(), 1
    while length <= len(relation) and not power.diagonal().any():
        power, length = (power.astype(int) @ off.astype(int)) > 0, length + 1
    if not found:
        assert not power.diagonal().any()
    else:
        assert len(found) == length
        assert all(off[a, b] for a, b in zip(found, found[1:] + found[:1], strict=True))


@given(relations())
def test_components_are_in_an_order_in_which_none_reaches_back(relation: Relation) -> None:
    reach = closure(relation.incidence)
    parts = components(relation.incidence)
    assert sorted(int(i) for part in parts for i in part) == list(range(len(relation)))
    for earlier, part in enumerate(parts):
        for other in parts[earlier + 1 :]:
            assert not reach[np.ix_(other, part)].any()


# Linear extensions


@given(partial_orders(most=5))
def test_linear_extensions_are_the_permutations_that_keep_every_preference(order: Relation) -> None:
    fitting = {
        names
        for names in permutations(sorted(order.algorithms))
        if all(names.index(a) < names.index(b) for a, b in order.pairs())
    }
    listed = order.linear_extensions()
    assert {relation.topological_sort() for relation in listed} == fitting
    assert listed.exhausted
    assert len(listed) == order.count_linear_extensions() == len(fitting)
    assert all(relation.is_a("strict linear order") for relation in listed)


def test_a_limit_cuts_the_list_of_linear_extensions_and_clears_exhausted() -> None:
    order = Relation.from_chain("a ~ b ~ c < d")
    listed = order.linear_extensions(limit=4)
    assert [str(relation) for relation in listed] == [
        "a < b < c < d",
        "a < c < b < d",
        "b < a < c < d",
        "b < c < a < d",
    ]
    assert not listed.exhausted
    assert order.linear_extensions(limit=6).exhausted


def subsets(n: int) -> Relation:
    """Subsets of n things by inclusion."""
    sets = range(2**n)
    matrix = [[a != b and a & b == a for b in sets] for a in sets]
    return Relation.from_strict(matrix, [f"{a:b}" for a in sets])


@pytest.mark.parametrize(("n", "count"), [(1, 1), (2, 2), (3, 48), (4, 1680384)])
def test_known_numbers_of_linear_extensions(n: int, count: int) -> None:
    assert subsets(n).count_linear_extensions() == count  # A046873 of the OEIS


def test_many_linear_extensions_are_counted_by_parts() -> None:
    free = Relation.from_strict(np.zeros((40, 40)), [f"{i}" for i in range(40)])
    assert free.count_linear_extensions() == factorial(40)


def test_too_many_linear_extensions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("podium.analysis.relation.linear_extensions.MAX_STATES", 50)
    with pytest.raises(InputError, match="too many linear extensions to count: 16 algorithms need more than 50 sets"):
        subsets(4).count_linear_extensions()
