"""Hasse diagram: strict preferences without those that follow from others, the best at the bottom."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from podium.analysis.preference.hasse import Diagram, hasse_diagram, node_label
from podium.analysis.preference.relation import Relation
from podium.arrays import FloatArray
from podium.checks import check_call, expect
from podium.figures.numbers import Numbers

__all__ = ["Hasse", "hasse"]

SWEEPS = 12


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class Hasse(Numbers):
    """Numbers of a Hasse diagram.

    Attributes
    ----------
    labels : tuple of str
        One per node: the name of an algorithm, or those of a cycle of preferences.
    members : tuple of tuple of str
        The algorithms of each node.
    height : tuple of int
        0 for the best.
    edges : tuple of (int, int)
        Pairs of nodes (lower, upper); the lower one is better.
    layers : tuple of tuple of int
        What is at each height, from left to right, ordered for few crossings: nodes, and bends of edges that pass
        by. Numbers from ``len(labels)`` on are bends.
    routes : tuple of tuple of int
        For each edge the node it comes from, its bends, and the node it goes to.
    kind : str
        Kind of the relation.
    text : str
        The relation as text.
    """

    labels: tuple[str, ...]
    members: tuple[tuple[str, ...], ...]
    height: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]
    layers: tuple[tuple[int, ...], ...]
    routes: tuple[tuple[int, ...], ...]
    kind: str
    text: str

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All algorithms."""
        return tuple(name for members in self.members for name in members)


def hasse(relation: Relation) -> Hasse:
    """Compute the numbers of a Hasse diagram.

    Parameters
    ----------
    relation : Relation

    Examples
    --------
    >>> import podium
    >>> numbers = podium.figures.hasse(podium.Relation.from_chain("rpart ~ svm < rf < nnet < knn ~ lda"))
    >>> [[numbers.labels[i] for i in layer] for layer in numbers.layers]
    [['rpart', 'svm'], ['rf'], ['nnet'], ['knn', 'lda']]
    """
    diagram = hasse_diagram(expect(relation, Relation, "relation").better, relation.algorithms)
    layers, routes = _with_bends(diagram)
    return Hasse(
        labels=tuple(node_label(members) for members in diagram.members),
        members=diagram.members,
        height=diagram.height,
        edges=diagram.edges,
        layers=_ordered(layers, routes),
        routes=routes,
        kind=relation.kind,
        text=str(relation),
    )


def _with_bends(diagram: Diagram) -> tuple[list[list[int]], tuple[tuple[int, ...], ...]]:
    """Give edges that pass by other layers a bend in each of them."""
    layers = [list(layer) for layer in diagram.layers]
    routes = []
    bend = len(diagram.members)
    for low, high in diagram.edges:
        passed = range(diagram.height[low] + 1, diagram.height[high])
        bends = range(bend, bend + len(passed))
        for level, number in zip(passed, bends, strict=True):
            layers[level].append(number)
        bend += len(passed)
        routes.append((low, *bends, high))
    return layers, tuple(routes)


def _ordered(layers: list[list[int]], routes: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Order each layer by the mean position of its neighbours, up and down in turns (Sugiyama, Tagawa & Toda 1981)."""
    pieces = [piece for route in routes for piece in pairwise(route)]
    items = sum(len(layer) for layer in layers)
    linked = np.zeros((items, items), bool)
    for a, b in pieces:
        linked[a, b] = linked[b, a] = True
    level = {item: number for number, layer in enumerate(layers) for item in layer}
    x = np.zeros(items)
    for layer in layers:
        x[layer] = _centred(len(layer))
    best, fewest = x.copy(), _crossings(pieces, level, x)
    for sweep in range(SWEEPS):
        turn = layers if sweep % 2 == 0 else layers[::-1]
        for fixed, layer in pairwise(turn):
            members, known = np.array(layer), np.array(fixed)
            near = linked[np.ix_(members, known)]
            pull = np.where(near.any(axis=1), near @ x[known] / np.maximum(near.sum(axis=1), 1), x[members])
            x[members[np.lexsort((members, x[members], pull))]] = _centred(len(members))
        crossings = _crossings(pieces, level, x)
        if crossings < fewest:
            best, fewest = x.copy(), crossings
    return tuple(tuple(sorted(layer, key=lambda item: float(best[item]))) for layer in layers)


def _centred(count: int) -> FloatArray:
    positions: FloatArray = np.arange(count, dtype=np.float64) - (count - 1) / 2
    return positions


def _crossings(pieces: list[tuple[int, int]], level: dict[int, int], x: FloatArray) -> int:
    """Pairs of lines between the same two layers that cross."""
    if not pieces:
        return 0
    low, high = np.array(pieces).T
    height = np.array([level[a] for a, _ in pieces])
    turned = (x[low][:, None] - x[low][None, :]) * (x[high][:, None] - x[high][None, :])
    return int(((height[:, None] == height[None, :]) & (turned < 0)).sum() // 2)
