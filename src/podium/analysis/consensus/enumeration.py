"""All relations of a class on a few algorithms, compared one by one."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from podium.analysis.consensus.objective import Objective, Optima
from podium.analysis.consensus.relation_classes import BOTH, FIRST, NEITHER, RelationClass
from podium.arrays import BoolArray

MAX_ALGORITHMS = 4  # at most 355 relations, out of 4096 matrices


def best_of_all(objective: Objective, limit: int) -> Optima:
    """Optima of an objective on at most four algorithms."""
    table = all_relations(objective.within, objective.size)
    values = table.reshape(len(table), -1).astype(np.float64) @ objective.costs.ravel()
    lowest = float(values.min())
    best = table[values <= lowest + objective.tolerance]
    return Optima(list(best[:limit]), lowest, lowest, len(best) <= limit)


@lru_cache(maxsize=32)
def all_relations(within: RelationClass, size: int) -> BoolArray:
    """Every relation of a class on this many algorithms, without diagonals, as an array of matrices."""
    off = ~np.eye(size, dtype=bool)
    i, j = np.nonzero(off)
    bits = (np.arange(2 ** len(i))[:, None] >> np.arange(len(i))) & 1
    matrices = np.zeros((len(bits), size, size), bool)
    matrices[:, i, j] = bits.astype(bool)
    reversed_ = matrices.transpose(0, 2, 1)
    keep = np.ones(len(matrices), bool)
    if BOTH not in within.states:
        keep &= ~(matrices & reversed_).any(axis=(1, 2))
    if NEITHER not in within.states:
        keep &= (matrices | reversed_)[:, off].all(axis=1)
    if FIRST not in within.states:
        keep &= (matrices == reversed_).all(axis=(1, 2))
    matrices = matrices[keep]
    reflexive = matrices | np.eye(size, dtype=bool)
    reached = np.einsum("rij,rjk->rik", reflexive.astype(np.int8), reflexive.astype(np.int8)) > 0
    transitive: BoolArray = matrices[(reached == reflexive).all(axis=(1, 2))]
    return transitive
