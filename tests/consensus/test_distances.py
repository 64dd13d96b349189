"""Distances between relations, their clusters, and the figures of both."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet, is_valid_linkage, linkage
from scipy.spatial.distance import squareform
from scipy.stats import kendalltau

from podium.analysis.consensus import distance, distances, footrule, kendall_tau
from podium.analysis.consensus.clustering import agglomerate
from podium.analysis.relation import Relation
from podium.plot.figures import distances as table_numbers

NAMES = list("abcdef")
weak_orders = st.lists(st.integers(0, 5), min_size=6, max_size=6).map(lambda ranks: Relation.from_ranks(ranks, NAMES))


# The symmetric difference


@given(weak_orders, weak_orders, weak_orders)
def test_the_symmetric_difference_is_a_metric(a: Relation, b: Relation, c: Relation) -> None:
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    assert 0 <= distance(a, b, normalize=True) <= 1


@given(weak_orders, weak_orders)
def test_the_symmetric_difference_counts_pairs_in_both_readings(a: Relation, b: Relation) -> None:
    # Kemeny & Snell: 2 for an opposite pair, 1 for a tie against an order, for each pair of algorithms.
    scores = [np.sign(r.better.astype(int) - r.better.T.astype(int)) for r in (a, b)]
    assert distance(a, b) == np.abs(scores[0] - scores[1])[np.triu_indices(6, 1)].sum()
    assert distance(a, b) == (a.incidence != b.incidence).sum()
    assert distance(a.as_weak(), b) == distance(a, b)
    assert distance(a.dual(), b.dual()) == distance(a, b)


def test_an_open_pair_has_distance_two_from_a_tie() -> None:
    open_pair = Relation.from_incidence(np.eye(2), ["a", "b"])
    assert distance(open_pair, Relation.from_chain("a ~ b")) == 2
    assert distance(open_pair, Relation.from_chain("a < b")) == 1


def test_pairs_can_have_weights() -> None:
    a, b = Relation.from_chain("a < b < c"), Relation.from_chain("b < a < c")
    assert distance(a, b, pair_weights={"a": 2, "b": 3, "c": 1}) == 2 * 6
    assert distance(a, b, pair_weights={"a": 2, "b": 3}) == 2 * 6  # 1 for those not named
    matrix = pd.DataFrame([[0, 6, 2], [6, 0, 3], [2, 3, 0]], index=NAMES[:3], columns=NAMES[:3])
    assert distance(a, b, pair_weights=matrix) == 12
    assert distance(a, b, pair_weights=matrix.to_numpy()) == 12
    assert distance(a, b, pair_weights=matrix, normalize=True) == pytest.approx(12 / 22)
    # An array is in the order of the first relation's algorithms, a frame goes by names.
    turned = a.restrict(["c", "b", "a"])
    assert distance(turned, b, pair_weights=matrix.loc[::-1, ::-1].to_numpy()) == 12
    assert distance(turned, b, pair_weights=matrix) == 12


# Correlation and footrule


@given(weak_orders, weak_orders)
def test_tau_b_agrees_with_scipy(a: Relation, b: Relation) -> None:
    assume(a.better.any() and b.better.any())
    assert kendall_tau(a, b) == pytest.approx(kendalltau(a.ranks(), b.ranks()).statistic, abs=1e-12)


@given(weak_orders, weak_orders)
def test_tau_x_is_a_linear_function_of_the_distance(a: Relation, b: Relation) -> None:
    # Emond & Mason (2002): scores 1 for ahead or tied, -1 for behind.
    one, two = (np.where(r.better.T, -1, 1) for r in (a, b))
    off = ~np.eye(6, dtype=bool)
    assert kendall_tau(a, b, variant="x") == pytest.approx((one * two)[off].sum() / 30, abs=1e-12)


def test_undefined_correlations_are_nan() -> None:
    tied, order = Relation.from_chain("a ~ b"), Relation.from_chain("a < b")
    assert np.isnan(kendall_tau(tied, order))
    assert kendall_tau(tied, order, variant="x") == 0
    assert np.isnan(kendall_tau(Relation.from_chain("a"), Relation.from_chain("a")))


@given(weak_orders, weak_orders)
def test_the_footrule_sums_differences_of_ranks(a: Relation, b: Relation) -> None:
    assert footrule(a, b) == np.abs(a.ranks() - b.ranks()).sum()
    assert footrule(a, b, normalize=True) <= 1


@given(st.permutations(NAMES), st.permutations(NAMES))
def test_footrule_and_kendall_bound_each_other(one: list[str], two: list[str]) -> None:
    # Diaconis & Graham (1977), for linear orders: inversions <= footrule <= 2 inversions.
    a, b = (Relation.from_ranks({name: i for i, name in enumerate(order)}) for order in (one, two))
    inversions = distances([a, b], "kendall").matrix[0, 1]
    assert inversions == distance(a, b) / 2
    assert inversions <= footrule(a, b) <= 2 * inversions


# Ensembles


@given(st.lists(weak_orders, min_size=1, max_size=5))
def test_the_table_holds_the_single_distances(relations: list[Relation]) -> None:
    for metric, single in (("symmetric difference", distance), ("footrule", footrule)):
        table = distances(relations, metric)  # type: ignore[arg-type]
        expected = [[single(a, b) for b in relations] for a in relations]
        assert np.allclose(table.matrix, expected, atol=1e-12)
        assert table.labels == tuple(str(i + 1) for i in range(len(relations)))


# Clusters


@pytest.mark.parametrize("method", ["complete", "average", "single"])
def test_without_ties_clusters_agree_with_scipy(method: str) -> None:
    points = np.random.default_rng(5).normal(size=(30, 2))
    matrix = np.linalg.norm(points[:, None] - points[None, :], axis=2)
    ours = agglomerate(matrix, tuple(map(str, range(30))), method)  # type: ignore[arg-type]
    theirs = linkage(squareform(matrix, checks=False), method)
    assert ours.heights == pytest.approx(theirs[:, 2], abs=1e-12)
    assert np.allclose(ours.cophenetic().to_numpy(), squareform(cophenet(theirs)), atol=1e-12)


def test_of_equally_near_clusters_the_first_are_merged_first() -> None:
    # All four are 1 apart but for (0, 1) and (2, 3), which are 2 apart: 0 and 2 come first, then 1 and 3.
    matrix = np.array([[0, 2, 1, 1], [2, 0, 1, 1], [1, 1, 0, 2], [1, 1, 2, 0]], float)
    tree = agglomerate(matrix, tuple("abcd"), "complete")
    assert tree.groups(2) == (("a", "c"), ("b", "d"))
    assert tree.heights.tolist() == [1, 1, 2]
    assert is_valid_linkage(tree.tree)


def test_a_hierarchy_is_cut_into_groups() -> None:
    tree = distances(RELATIONS).cluster()
    assert tree.order == ("sonar", "iris", "wine")
    assert tree.groups(1) == (("sonar", "iris", "wine"),)
    assert tree.groups(2) == (("sonar",), ("iris", "wine"))
    assert tree.groups(3) == (("sonar",), ("iris",), ("wine",))


def test_one_relation_is_its_own_cluster() -> None:
    tree = distances({"iris": Relation.from_chain("a < b")}).cluster()
    assert tree.order == ("iris",)
    assert len(tree.heights) == 0


# Figures


RELATIONS = {
    "iris": Relation.from_chain("a < b < c"),
    "wine": Relation.from_chain("a < b ~ c"),
    "sonar": Relation.from_chain("c < b < a"),
}


def test_the_figure_is_in_the_order_of_the_dendrogram() -> None:
    numbers = table_numbers(RELATIONS)
    assert numbers.labels == ("sonar", "iris", "wine")
    assert numbers.matrix.tolist() == [[0, 6, 5], [6, 0, 1], [5, 1, 0]]
    assert numbers.links.tolist() == [
        [[1, 0], [1, 1], [2, 1], [2, 0]],
        [[0, 0], [0, 6], [1.5, 6], [1.5, 1]],
    ]
    assert table_numbers(distances(RELATIONS)).labels == numbers.labels


@pytest.mark.parametrize("method", ["complete", "average", "single"])
def test_rounding_does_not_decide_which_clusters_are_merged(method: str) -> None:
    """Distances that are equal but for rounding, as means of weights and another processor's sums are."""
    steps = np.abs(np.subtract.outer(np.arange(9), np.arange(9)))
    matrix = np.minimum(steps, 9 - steps) / 3
    labels = tuple("abcdefghi")
    plain = agglomerate(matrix, labels, method)  # type: ignore[arg-type]
    rng = np.random.default_rng(0)
    for _ in range(5):
        rounding = 1e-15 * rng.normal(size=matrix.shape)
        other = agglomerate(matrix * (1 + rounding + rounding.T), labels, method)  # type: ignore[arg-type]
        assert np.array_equal(other.merges, plain.merges)
