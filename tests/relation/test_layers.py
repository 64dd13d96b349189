"""Where the nodes and edges of a Hasse diagram go."""

from __future__ import annotations

import numpy as np
import pytest

import podium
from podium.analysis.relation.layers import place_layers


@pytest.mark.parametrize("winner", range(6))
def test_an_edge_does_not_cross_nodes_of_the_level_where_it_ends(winner: int) -> None:
    """One of six is better than the seventh; the others are not comparable, and stand in several rows."""
    better = np.zeros((7, 7))
    better[winner, 6] = 1
    relation = podium.Relation.from_strict(better, algorithms=list("abcdefg"))
    numbers = podium.plot.figures.hasse(relation)
    widths, height = [60.0] * 7, 12.0
    placed = place_layers(numbers.layers, numbers.routes, widths, height, 130.0, gap=8, between=20, bend=8)
    (line,) = placed.lines
    ends = {numbers.labels.index("abcdefg"[winner]), numbers.labels.index("g")}
    for node, (x, y) in enumerate(placed.spots):
        if node in ends:
            continue
        for share in np.linspace(0, 1, 101):
            at = (1 - share) * np.array(line[0]) + share * np.array(line[-1])
            assert abs(at[0] - x) > widths[node] / 2 or abs(at[1] - y) > height / 2
    left = np.array([x - 30 for x, _ in placed.spots])
    assert left.min() >= -1e-9 and left.max() + 60 <= 130 + 1e-9
