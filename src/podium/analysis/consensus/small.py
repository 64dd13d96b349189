"""All relations of a class on a few algorithms, to solve small blocks by looking at each."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

import numpy as np

from podium.analysis.consensus.kinds import BOTH, FIRST, NEITHER, KindRule
from podium.analysis.consensus.problem import Problem
from podium.analysis.preference.algebra import BoolArray

MOST_LINEAR = 6  # 720 orders
MOST = 4  # at most 355 relations, out of 4096 matrices


def is_small(problem: Problem) -> bool:
    """Whether a problem is solved fastest by looking at every relation."""
    linear = BOTH not in problem.rule.states and NEITHER not in problem.rule.states
    return problem.size <= (MOST_LINEAR if linear else MOST)


def best_of_all(problem: Problem) -> tuple[list[BoolArray], float]:
    """All optima of a small problem, and their value."""
    table = all_relations(problem.rule, problem.size)
    values = table.reshape(len(table), -1).astype(np.float64) @ problem.costs.ravel()
    lowest = float(values.min())
    return list(table[values <= lowest + problem.tolerance]), lowest


@lru_cache(maxsize=32)
def all_relations(rule: KindRule, size: int) -> BoolArray:
    """Every relation of a class on so many algorithms, without diagonals, as an array of matrices."""
    if BOTH not in rule.states and NEITHER not in rule.states:
        places = np.array(list(permutations(range(size))))
        orders: BoolArray = places[:, :, None] < places[:, None, :]
        return orders
    i, j = np.nonzero(~np.eye(size, dtype=bool))
    bits = (np.arange(2 ** len(i))[:, None] >> np.arange(len(i))) & 1
    matrices = np.zeros((len(bits), size, size), bool)
    matrices[:, i, j] = bits.astype(bool)
    turned = matrices.transpose(0, 2, 1)
    keep = np.ones(len(matrices), bool)
    off = ~np.eye(size, dtype=bool)
    if BOTH not in rule.states:
        keep &= ~(matrices & turned).any(axis=(1, 2))
    if NEITHER not in rule.states:
        keep &= (matrices | turned)[:, off].all(axis=1)
    if FIRST not in rule.states:
        keep &= (matrices == turned).all(axis=(1, 2))
    matrices = matrices[keep]
    reflexive = matrices | np.eye(size, dtype=bool)
    reached = np.einsum("rij,rjk->rik", reflexive.astype(np.int8), reflexive.astype(np.int8)) > 0
    transitive: BoolArray = matrices[(reached == reflexive).all(axis=(1, 2))]
    return transitive
