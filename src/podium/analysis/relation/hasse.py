"""Hasse diagrams: nodes by height and the pairs with nothing between them, and the diagram as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from podium.analysis.relation.algebra import closure, components, covers, levels
from podium.arrays import BoolArray


@dataclass(frozen=True)
class Diagram:
    """Nodes and edges of a Hasse diagram.

    Attributes
    ----------
    members : tuple of tuple of str
        The algorithms of each node, by name; several if their strict preferences form a cycle.
    height : tuple of int
        Height of each node; 0 for the best.
    edges : tuple of (int, int)
        Pairs of nodes (lower, upper) with nothing between them; the lower one is better.
    """

    members: tuple[tuple[str, ...], ...]
    height: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]

    @property
    def layers(self) -> tuple[tuple[int, ...], ...]:
        """Nodes by height, the best first, in each layer by name."""
        top = max(self.height)
        return tuple(tuple(i for i, h in enumerate(self.height) if h == level) for level in range(top + 1))


def hasse_diagram(better: BoolArray, algorithms: Sequence[str]) -> Diagram:
    """Reduce strict preferences to a diagram; a cycle of preferences becomes one node."""
    by_name = sorted(range(len(algorithms)), key=lambda i: algorithms[i])
    ordered = better[np.ix_(by_name, by_name)]
    parts = sorted(components(ordered), key=lambda part: int(part[0]))
    leaders = np.array([int(part[0]) for part in parts])
    between = closure(ordered)[np.ix_(leaders, leaders)]
    np.fill_diagonal(between, False)
    height = levels(between)
    return Diagram(
        members=tuple(tuple(algorithms[by_name[i]] for i in part) for part in parts),
        height=tuple(int(h) for h in height),
        edges=tuple((int(a), int(b)) for a, b in np.argwhere(covers(between))),
    )


def node_label(members: Sequence[str]) -> str:
    """Label of a node: its name, or the names in a cycle."""
    return members[0] if len(members) == 1 else f"({' ○ '.join(members)})"


def hasse_text(better: BoolArray, algorithms: Sequence[str]) -> str:
    """Draw a Hasse diagram as text, best at the bottom.

    If every node is above every node of the layer below, the layers are drawn. Otherwise each line names a node and
    the nodes directly below it.
    """
    diagram = hasse_diagram(better, algorithms)
    labels = [node_label(members) for members in diagram.members]
    layers = diagram.layers
    full = {(a, b) for low, high in pairwise(layers) for a in low for b in high}
    if set(diagram.edges) == full:
        rows = ["   ".join(labels[i] for i in layer) for layer in layers]
        width = max(len(row) for row in rows)
        lines = [row.center(width).rstrip() for row in rows]
        return f"\n{'|'.center(width).rstrip()}\n".join(reversed(lines))
    width = max(len(label) for label in labels)
    lines = []
    for layer in reversed(layers):
        for i in layer:
            below = sorted(labels[a] for a, b in diagram.edges if b == i)
            lines.append(f"{labels[i].ljust(width)}  above {', '.join(below)}" if below else labels[i])
        lines.append("")
    return "\n".join(lines[:-1])
