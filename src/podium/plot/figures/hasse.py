"""Hasse diagram: strict preferences without those that follow from others, the best at the bottom."""

from __future__ import annotations

from podium.analysis.relation.hasse import hasse_diagram, node_label
from podium.analysis.relation.layers import ordered_layers
from podium.analysis.relation.relation import Relation
from podium.checks import expect, record
from podium.plot.figures.numbers import Numbers, copy_fields

__all__ = ["Hasse", "hasse"]


@record(eq=False, kw_only=True)
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

    Examples
    --------
    >>> import podium
    >>> numbers = podium.plot.figures.hasse(podium.Relation.from_chain("rpart ~ svm < rf < nnet < knn ~ lda"))
    >>> [[numbers.labels[i] for i in layer] for layer in numbers.layers]
    [['rpart', 'svm'], ['rf'], ['nnet'], ['knn', 'lda']]
    """
    diagram = hasse_diagram(expect(relation, Relation, "relation").better, relation.algorithms)
    layers, routes = ordered_layers(diagram)
    return Hasse(
        labels=tuple(node_label(members) for members in diagram.members),
        **copy_fields(diagram, "members", "height", "edges"),
        layers=layers,
        routes=routes,
        kind=relation.kind,
        text=str(relation),
    )
