"""Local search among linear and weak orders: move one algorithm at a time to its best place."""

from __future__ import annotations

import numpy as np

from podium.analysis.consensus.objective import Objective
from podium.analysis.consensus.relation_classes import BOTH, FIRST
from podium.arrays import BoolArray, FloatArray, IntArray

PASSES = 100


def improved_order(objective: Objective, ranks: FloatArray) -> BoolArray | None:
    """Order near the given ranks that no single move improves; None for classes without orders."""
    if FIRST not in objective.within.states:
        return None
    ties = BOTH in objective.within.states
    place = _places(ranks, ties)
    for _ in range(PASSES):
        moved = False
        for element in range(objective.size):
            better = _best_place(objective, place, element, ties)
            if better is not None:
                place, moved = better, True
        if not moved:
            break
    order: BoolArray = place[:, None] < place[None, :]
    if ties:
        order = order | (place[:, None] == place[None, :])
        np.fill_diagonal(order, False)
    return order


def _places(ranks: FloatArray, ties: bool) -> IntArray:
    """Levels by ranks; without ties by position."""
    if ties:
        return np.unique(ranks, return_inverse=True)[1].astype(np.intp)
    place = np.empty(len(ranks), np.intp)
    place[np.argsort(ranks, kind="stable")] = np.arange(len(ranks))
    return place


def _best_place(objective: Objective, place: IntArray, element: int, ties: bool) -> IntArray | None:
    """Levels after the best move of an element, or None if no move improves the order."""
    others = np.arange(objective.size) != element
    levels = np.unique(place[others], return_inverse=True)[1]
    count = int(levels.max()) + 1
    ahead = np.bincount(levels, objective.costs[others, element], count)  # cost of a level that comes before
    behind = np.bincount(levels, objective.costs[element, others], count)  # cost of a level that comes after
    before = np.concatenate([[0.0], np.cumsum(ahead)])
    after = np.concatenate([np.cumsum(behind[::-1])[::-1], [0.0]])
    alone = before + after  # on a separate level, before level 0, 1, ...
    joined = before[1:] + after[:-1] if ties else np.zeros(0)
    now = float(
        objective.costs[others, element][place[others] <= place[element]].sum()
        + objective.costs[element, others][place[others] >= place[element]].sum()
    )
    if min(alone.min(), joined.min(initial=np.inf)) >= now - objective.tolerance:
        return None
    moved = np.empty_like(place)
    if joined.min(initial=np.inf) < alone.min():
        moved[others], moved[element] = 2 * levels, 2 * int(joined.argmin())
    else:
        moved[others], moved[element] = 2 * levels, 2 * int(alone.argmin()) - 1
    return np.unique(moved, return_inverse=True)[1].astype(np.intp)
