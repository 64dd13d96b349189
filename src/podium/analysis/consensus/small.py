"""Small blocks: all relations of a class on a few algorithms, looked at one by one; linear orders by sets."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

import numpy as np

from podium.analysis.consensus.kinds import BOTH, FIRST, NEITHER, KindRule
from podium.analysis.consensus.ordering import Orders
from podium.analysis.consensus.problem import Problem
from podium.arrays import BoolArray

MOST_LINEAR = 12  # 4096 sets that can come last
MOST = 4  # at most 355 relations, out of 4096 matrices


def is_small(problem: Problem) -> bool:
    """Whether a problem is solved fastest without a program."""
    return problem.size <= (MOST_LINEAR if _linear(problem.rule) else MOST)


def best_of_all(problem: Problem, limit: int) -> tuple[list[BoolArray], float, bool]:
    """Optima of a small problem up to a limit, their value, and whether these are all."""
    if _linear(problem.rule):
        orders = Orders(problem.costs)
        near = list(islice(orders.near(problem.tolerance), limit + 1))
        return near[:limit], orders.value, len(near) <= limit
    table = all_relations(problem.rule, problem.size)
    values = table.reshape(len(table), -1).astype(np.float64) @ problem.costs.ravel()
    lowest = float(values.min())
    best = table[values <= lowest + problem.tolerance]
    return list(best[:limit]), lowest, len(best) <= limit


def _linear(rule: KindRule) -> bool:
    return BOTH not in rule.states and NEITHER not in rule.states


@lru_cache(maxsize=32)
def all_relations(rule: KindRule, size: int) -> BoolArray:
    """Every relation of a class on so many algorithms, without diagonals, as an array of matrices."""
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
