"""Properties and kinds against their definitions, and against the known numbers of labelled orders."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.analysis.relation import Relation
from podium.analysis.relation.properties import KINDS, VIOLATIONS, has_property, kinds_of

matrices = st.integers(1, 4).flatmap(
    lambda k: st.lists(st.booleans(), min_size=k * k, max_size=k * k).map(lambda bits: np.array(bits).reshape(k, k))
)


def by_definition(name: str, r: np.ndarray) -> bool:
    """Each property as it is written in the books, with loops."""
    k = range(len(r))
    if name == "reflexive":
        return all(r[i, i] for i in k)
    if name == "irreflexive":
        return not any(r[i, i] for i in k)
    if name == "symmetric":
        return all(r[j, i] for i, j in product(k, k) if r[i, j])
    if name == "asymmetric":
        return not any(r[i, j] and r[j, i] for i, j in product(k, k))
    if name == "antisymmetric":
        return all(i == j for i, j in product(k, k) if r[i, j] and r[j, i])
    if name == "complete":
        return all(r[i, j] or r[j, i] for i, j in product(k, k) if i != j)
    if name == "transitive":
        return all(r[i, m] for i, j, m in product(k, k, k) if r[i, j] and r[j, m])
    if name == "negatively transitive":
        return not any(r[i, m] for i, j, m in product(k, k, k) if not r[i, j] and not r[j, m])
    if name == "trichotomous":
        return all(int(i == j) + int(r[i, j]) + int(r[j, i] and i != j) == 1 for i, j in product(k, k))
    if name == "Ferrers":
        return all(r[i, n] or r[m, j] for i, j, m, n in product(k, k, k, k) if r[i, j] and r[m, n])
    assert name == "semitransitive"
    return all(r[i, n] or r[n, m] for i, j, m, n in product(k, k, k, k) if r[i, j] and r[j, m])


@given(matrices)
def test_properties_follow_their_definitions(matrix: np.ndarray) -> None:
    relation = Relation.from_incidence(matrix, [f"a{i}" for i in range(len(matrix))])
    for name in VIOLATIONS:
        expected = by_definition(name, matrix)
        check = relation.check(name, limit=10_000)
        assert relation.has(name) == expected, name
        assert has_property(name, relation.incidence) == expected, name
        assert bool(check) == expected
        assert check.count == len(check.witnesses)
    assert relation.properties == {name: by_definition(name, matrix) for name in VIOLATIONS}


# Labelled structures on 1, 2, 3, 4 elements, from the On-Line Encyclopedia of Integer Sequences.
NUMBERS = {
    "strict linear order": [1, 2, 6, 24],  # A000142
    "linear order": [1, 2, 6, 24],
    "strict weak order": [1, 3, 13, 75],  # A000670
    "weak order": [1, 3, 13, 75],
    "semiorder": [1, 3, 19, 183],  # A006531
    "interval order": [1, 3, 19, 207],  # A079144
    "strict partial order": [1, 3, 19, 219],  # A001035
    "partial order": [1, 3, 19, 219],
    "equivalence": [1, 2, 5, 15],  # A000110
    "preorder": [1, 4, 29, 355],  # A000798
    "tournament": [1, 2, 8, 64],  # A006125
}


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_the_number_of_relations_of_each_kind_is_the_known_one(k: int) -> None:
    off = ~np.eye(k, dtype=bool)
    counts: Counter[str] = Counter()
    for bits in product((False, True), repeat=int(off.sum())):
        for diagonal in (False, True):
            matrix = np.eye(k, dtype=bool) & diagonal
            matrix[off] = bits
            counts.update(kinds_of(matrix))
    assert {kind: counts[kind] for kind in KINDS} == {kind: numbers[k - 1] for kind, numbers in NUMBERS.items()}


def test_a_broken_property_names_its_witnesses() -> None:
    relation = Relation.from_strict([[0, 1, 0], [0, 0, 1], [0, 0, 0]], ["rf", "svm", "knn"])
    check = relation.check("transitive")
    assert check.witnesses == (("rf", "svm", "knn"),)
    assert str(check) == "not transitive: 'rf' R 'svm' and 'svm' R 'knn', but not 'rf' R 'knn'"
    assert str(relation.check("asymmetric")) == "asymmetric"
    assert not relation.check("complete")


def test_the_number_of_witnesses_is_bounded_and_the_rest_counted() -> None:
    relation = Relation.from_chain("a ~ b ~ c ~ d")
    check = relation.check("complete", limit=2)
    assert check.count == 6
    assert str(check) == ("not complete: neither 'a' R 'b' nor 'b' R 'a'; neither 'a' R 'c' nor 'c' R 'a'; and 4 more")


def test_a_kind_without_strict_in_its_name_includes_the_strict_form() -> None:
    strict, weak = Relation.from_chain("a < b ~ c"), Relation.from_chain("a < b ~ c").as_weak()
    assert strict.is_a("weak order")
    assert weak.is_a("weak order")
    assert strict.is_a("strict weak order")
    assert not weak.is_a("strict weak order")
    assert strict.kind == "strict weak order"
    assert weak.kind == "weak order"
    assert Relation.from_incidence([[0, 1], [1, 1]], list("ab")).kind == "relation"
