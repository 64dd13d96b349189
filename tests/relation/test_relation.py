"""How relations are made, written, compared and read."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.analysis.relation import Relation

NAMES = ["svm", "knn", "rf", "lda", "C4.5+m", "gradient boosting (depth=3)"]
ranks_of_names = st.lists(st.integers(0, 4), min_size=1, max_size=6)


def weak_order(ranks: list[int]) -> Relation:
    return Relation.from_ranks(ranks, NAMES[: len(ranks)])


# Chains


def test_a_chain_puts_the_better_one_first() -> None:
    relation = Relation.from_chain("a < b ~ c")
    assert relation.pairs() == (("a", "b"), ("a", "c"))
    assert relation.prefers("a", "c")
    assert not relation.prefers("b", "c")
    assert relation.best == ("a",)
    assert relation.worst == ("b", "c")


def test_members_of_a_class_are_written_by_name() -> None:
    assert str(Relation.from_chain("svm ~ rpart < rf < nnet < lda ~ knn")) == "rpart ~ svm < rf < nnet < knn ~ lda"


def test_the_signs_of_the_field_are_understood() -> None:
    assert Relation.from_chain("a≺b∼c ≈ d") == Relation.from_chain("a < b ~ c ~ d")


@given(ranks_of_names)
def test_a_chain_is_read_back(ranks: list[int]) -> None:
    relation = weak_order(ranks)
    assert Relation.from_chain(str(relation)) == relation


def test_a_relation_without_a_chain_is_written_as_its_reduction() -> None:
    # Circle in the UCI domain: knn ~ rf and rf ~ nnet, but knn < nnet (golden/eugster/uci621rel.json).
    labels = ["knn", "lda", "nnet", "rf", "rpart", "svm"]
    matrix = [
        [0, 1, 1, 0, 1, 0],
        [0, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 1, 0],
        [0, 1, 0, 0, 1, 0],
        [0, 1, 0, 0, 0, 0],
        [1, 1, 1, 1, 1, 0],
    ]
    relation = Relation.from_strict(matrix, labels)
    assert relation.chain is None
    assert str(relation) == "svm < knn, svm < rf, knn < nnet, rf < rpart, nnet < rpart, rpart < lda"
    assert relation.kind == "semiorder"


def test_pairs_that_the_reduction_would_not_restore_are_written_in_full() -> None:
    path = Relation.from_strict([[0, 1, 0], [0, 0, 1], [0, 0, 0]], list("abc"))  # a < b < c, but a ~ c
    assert str(path) == "a < b, b < c"
    cycle = Relation.from_strict([[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0]], list("abcd"))
    assert str(cycle) == "a < b, b < c, c < a, d"


def test_incomparable_pairs_of_a_weak_relation_have_no_chain() -> None:
    preorder = Relation.from_incidence([[1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1]], list("abcd"))
    assert preorder.chain is None
    assert str(preorder) == "a < c, b < c, a ~ b, d"
    assert repr(preorder) == "<Relation, preorder: a < c, b < c, a ~ b, d>"


# Matrices, ranks, estimates


def test_a_strict_matrix_says_which_row_is_better() -> None:
    relation = Relation.from_strict(np.array([[0, 0], [1, 0]]), ["a", "b"])
    assert relation.pairs() == (("b", "a"),)
    assert relation.reading == "strict"


def test_a_frame_supplies_the_names_and_its_columns_may_be_in_another_order() -> None:
    relation = Relation.from_chain("a < b ~ c")
    assert Relation.from_incidence(relation.frame()[["c", "a", "b"]]) == relation


def test_ranks_are_a_mapping_a_series_or_a_list() -> None:
    expected = Relation.from_chain("b < a ~ c")
    assert Relation.from_ranks({"a": 2.5, "b": 1, "c": 2.5}) == expected
    assert Relation.from_ranks(pd.Series({"a": 2.5, "b": 1, "c": 2.5})) == expected
    assert Relation.from_ranks([2.5, 1, 2.5], ["a", "b", "c"]) == expected


def test_estimates_follow_the_direction() -> None:
    values = {"a": 0.9, "b": 0.7}
    assert str(Relation.from_estimates(values, direction="higher")) == "a < b"
    assert str(Relation.from_estimates(values, direction="lower")) == "b < a"


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=6), st.floats(0, 3))
def test_negating_values_and_reversing_the_direction_changes_nothing(values: list[float], epsilon: float) -> None:
    names = NAMES[: len(values)]
    lower = Relation.from_estimates(values, algorithms=names, direction="lower", epsilon=epsilon)
    greater = Relation.from_estimates([-v for v in values], algorithms=names, direction="higher", epsilon=epsilon)
    assert lower == greater


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=6), st.integers(0, 30))
def test_an_epsilon_makes_a_semiorder(values: list[int], epsilon: int) -> None:
    # Luce (1956): thresholds on a line are the semiorders.
    relation = Relation.from_estimates(values, algorithms=NAMES[: len(values)], epsilon=epsilon)
    assert relation.is_a("semiorder")


def test_differences_by_rounding_do_not_count() -> None:
    assert str(Relation.from_estimates({"a": 0.1 + 0.2, "b": 0.3})) == "a ~ b"
    assert str(Relation.from_estimates({"a": 0.7, "b": 0.8}, epsilon=0.1)) == "a ~ b"  # 0.8 - 0.7 > 0.1 in floats
    assert str(Relation.from_estimates({"a": 1e-12, "b": 2e-12})) == "a < b"


# Reading, equality, labels


@given(ranks_of_names)
def test_both_readings_have_the_same_preferences(ranks: list[int]) -> None:
    strict = weak_order(ranks)
    weak = strict.as_weak()
    assert weak.reading == "weak"
    assert weak.as_strict() == strict
    assert weak.same_preferences(strict)
    assert str(weak) == str(strict)
    assert np.array_equal(weak.indifferent, strict.indifferent)
    assert (weak == strict) == (len(strict) == 0)


@given(ranks_of_names, st.randoms(use_true_random=False))
def test_the_order_of_the_algorithms_does_not_matter(ranks: list[int], random: object) -> None:
    relation = weak_order(ranks)
    names = list(relation.algorithms)
    random.shuffle(names)  # type: ignore[attr-defined]
    turned = relation.restrict(names)
    assert turned == relation
    assert hash(turned) == hash(relation)
    assert str(turned) == str(relation)
    assert turned.kinds == relation.kinds
    assert turned.topological_sort() == relation.topological_sort()
    assert turned.transitive_reduction() == relation.transitive_reduction()


@given(ranks_of_names)
def test_ranks_of_a_weak_order_are_mid_ranks(ranks: list[int]) -> None:
    from scipy.stats import rankdata

    assert np.array_equal(weak_order(ranks).ranks().to_numpy(), rankdata(ranks))


def test_a_relation_is_immutable() -> None:
    matrix = np.array([[False, True], [False, False]])
    relation = Relation.from_strict(matrix, ["a", "b"])
    matrix[0, 1] = False
    assert relation.prefers("a", "b")
    with pytest.raises(ValueError, match="read-only"):
        relation.incidence[0, 1] = False


def test_algorithms_can_be_renamed_and_left_out() -> None:
    relation = Relation.from_chain("a < b < c")
    assert str(relation.rename({"a": "svm"})) == "svm < b < c"
    assert str(relation.restrict(["c", "a"])) == "a < c"


def test_relations_on_different_algorithms_differ() -> None:
    assert Relation.from_chain("a < b") != Relation.from_chain("a < c")
    assert not Relation.from_chain("a < b").same_preferences(Relation.from_chain("a < c"))
    assert Relation.from_chain("a < b") != "a < b"


def test_one_algorithm_is_a_relation() -> None:
    relation = Relation.from_chain("svm")
    assert str(relation) == "svm"
    assert relation.best == relation.worst == ("svm",)
    assert relation.classes() == (("svm",),)
    assert relation.count_linear_extensions() == 1
    assert relation.hasse() == "svm"
