"""Hasse diagrams: as text, as numbers of a figure, and drawn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.analysis.relation import Relation
from podium.analysis.relation.algebra import closure
from podium.plot.figures.hasse import hasse as hasse_numbers
from podium.plot.figures.incidence import incidence as incidence_numbers
from podium.plot.hasse import hasse
from podium.plot.incidence import incidence

MONKS = Relation.from_chain("rpart ~ svm < rf < nnet < knn ~ lda")
CIRCLE = Relation.from_strict(
    [
        [0, 1, 1, 0, 1, 0],
        [0, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 1, 0],
        [0, 1, 0, 0, 1, 0],
        [0, 1, 0, 0, 0, 0],
        [1, 1, 1, 1, 1, 0],
    ],
    ["knn", "lda", "nnet", "rf", "rpart", "svm"],
)
LONG = [f"gradient boosting (learning rate=0.{i}, depth={i})" for i in range(1, 16)]


def test_a_weak_order_is_drawn_by_its_levels_the_best_at_the_bottom() -> None:
    assert MONKS.hasse().split("\n") == [
        " knn   lda",
        "     |",
        "    nnet",
        "     |",
        "     rf",
        "     |",
        "rpart   svm",
    ]


def test_other_orders_name_the_nodes_directly_below() -> None:
    assert CIRCLE.hasse().split("\n") == [
        "lda    above rpart",
        "",
        "rpart  above nnet, rf",
        "",
        "nnet   above knn",
        "",
        "knn    above svm",
        "rf     above svm",
        "",
        "svm",
    ]


def test_a_cycle_of_preferences_is_one_node() -> None:
    relation = Relation.from_strict([[0, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 0, 0, 0]], list("abcd"))
    assert relation.hasse().split("\n") == ["     d", "     |", "(a ○ b ○ c)"]
    numbers = hasse_numbers(relation)
    assert numbers.members == (("a", "b", "c"), ("d",))
    assert numbers.edges == ((0, 1),)


def test_edges_that_pass_by_a_layer_get_a_bend() -> None:
    numbers = hasse_numbers(CIRCLE)
    label = dict(enumerate(numbers.labels))
    assert {(label[a], label[b]) for a, b in numbers.edges} == {
        ("svm", "knn"),
        ("svm", "rf"),
        ("knn", "nnet"),
        ("nnet", "rpart"),
        ("rf", "rpart"),
        ("rpart", "lda"),
    }
    bent = [route for route in numbers.routes if len(route) > 2]
    assert [(label[route[0]], label[route[-1]]) for route in bent] == [("rf", "rpart")]
    assert bent[0][1] in numbers.layers[2]


@given(st.integers(1, 6).flatmap(lambda k: st.lists(st.booleans(), min_size=k * k, max_size=k * k)))
def test_the_diagram_determines_the_whole_order(bits: list[bool]) -> None:
    k = round(len(bits) ** 0.5)
    order = Relation(closure(np.triu(np.array(bits).reshape(k, k), 1)), tuple("abcdef"[:k]))
    numbers = hasse_numbers(order)
    edges = np.zeros((k, k), bool)
    for a, b in numbers.edges:
        edges[order.algorithms.index(numbers.labels[a]), order.algorithms.index(numbers.labels[b])] = True
        assert numbers.height[a] < numbers.height[b]
    assert Relation(edges, order.algorithms) == order.transitive_reduction()
    assert sorted(item for layer in numbers.layers for item in layer) == list(
        range(k + sum(len(route) - 2 for route in numbers.routes))
    )


@pytest.mark.parametrize(
    ("relation", "size"),
    [
        (Relation.from_chain("svm < a rather long name of an algorithm"), "column"),
        (Relation.from_estimates(np.arange(15) ** 1.3, algorithms=LONG, epsilon=8.0), "screen"),
        (Relation.from_ranks(np.arange(30) // 3, [f"{name}{i}" for i, name in enumerate(LONG + LONG)]), "column"),
    ],
    ids=["two", "semiorder", "thirty with long names"],
)
def test_names_do_not_cover_each_other_and_stay_inside(relation: Relation, size: str) -> None:
    ax = hasse(relation, size=size)  # type: ignore[arg-type]
    figure = ax.figure
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in ax.texts]
    page = figure.bbox
    assert all(b.x0 >= page.x0 and b.x1 <= page.x1 and b.y0 >= page.y0 and b.y1 <= page.y1 for b in boxes)
    for i, one in enumerate(boxes):
        for other in boxes[i + 1 :]:
            assert not one.overlaps(other)


@pytest.mark.parametrize(("size", "signs"), [("screen", 30 * 29 // 2), ("column", 0)])
def test_signs_that_could_not_be_read_are_left_out(size: str, signs: int) -> None:
    order = Relation.from_ranks(np.arange(30), [f"alg{i}" for i in range(30)])
    assert len(incidence(order, size=size).texts) == signs  # type: ignore[arg-type]


def test_the_incidence_matrix_puts_the_best_first() -> None:
    numbers = incidence_numbers(MONKS)
    assert numbers.algorithms == ("rpart", "svm", "rf", "nnet", "knn", "lda")
    assert np.array_equal(numbers.matrix, numbers.states == "better")
    assert numbers.states[0].tolist() == ["self", "indifferent", "better", "better", "better", "better"]
    assert numbers.states[3].tolist() == ["worse", "worse", "worse", "self", "better", "better"]


def test_incomparable_pairs_show_in_the_incidence_matrix() -> None:
    preorder = Relation.from_incidence([[1, 0, 1], [0, 1, 0], [0, 0, 1]], list("abc"))
    numbers = incidence_numbers(preorder)
    assert numbers.algorithms == ("a", "b", "c")
    assert numbers.states.tolist() == [
        ["self", "incomparable", "better"],
        ["incomparable", "self", "incomparable"],
        ["worse", "incomparable", "self"],
    ]
