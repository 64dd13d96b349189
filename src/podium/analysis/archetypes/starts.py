"""Starting archetypes: observations that are far from each other.

``"furthest-sum"``
    Each archetype is the observation whose distances to those chosen so far have the greatest sum; the first ones,
    chosen by chance, are replaced in the end (Mørup & Hansen 2012). Only a random half of the observations is looked
    at, so that several starts differ. The first of several restarts begins with the observation furthest from the mean,
    and goes on with the one furthest from the hull of those chosen so far: sums of distances can choose the same far
    group of observations twice, and miss another.
``"hull"``
    Each archetype is drawn with a probability proportional to the squared distance to the hull of those drawn so far
    (archetypal analysis++; Mair & Sjölund 2024).
``"inner"``
    The same as ``"furthest-sum"`` among the three quarters of the observations that are nearest to the median, so that
    few outliers can be chosen (dissertation, section 9.3).
``"random"``
    Archetypes are drawn without replacement.

By the number of times the optimum is reached per second of CPU time, ``"furthest-sum"`` is the best on most problems of
``benchmarks/archetypal_analysis.py starts``. It is the default, and ``"inner"`` that of robust families.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from podium.analysis.archetypes.simplex import stacked_least_squares
from podium.arrays import FloatArray, IntArray

StartRule: TypeAlias = Callable[[FloatArray, int, np.random.Generator], IntArray]

_REPLACED = 10  # how often an archetype is replaced in the end


def furthest_sum(data: FloatArray, k: int, generator: np.random.Generator) -> IntArray:
    """Choose observations with great sums of distances, among a random half of them."""
    looked_at = generator.choice(len(data), max((len(data) + 1) // 2, k), replace=False)
    data = data[looked_at]
    chosen = [int(generator.integers(len(data)))]
    distances = {chosen[0]: _distances(data, chosen[0])}
    total = distances[chosen[0]].copy()
    for _ in range(k - 1 + _REPLACED):
        if len(chosen) == k:
            total -= distances.pop(chosen.pop(0))
        open_to = total.copy()
        open_to[chosen] = -np.inf
        row = int(open_to.argmax())
        chosen.append(row)
        distances[row] = _distances(data, row)
        total += distances[row]
    return np.asarray(looked_at[chosen])


def furthest_from_hull(data: FloatArray, k: int) -> IntArray:
    """Choose the observation furthest from the mean, then always the one furthest from the hull of those chosen."""
    left = ((data - data.mean(axis=0)) ** 2).sum(axis=1)
    chosen = [int(left.argmax())]
    coefficients = np.ones((1, 1, len(data)))
    while len(chosen) < k:
        left = ((data - coefficients[:, 0].T @ data[chosen]) ** 2).sum(axis=1)
        left[chosen] = -1.0
        chosen.append(int(left.argmax()))
        coefficients = np.concatenate([coefficients, np.zeros((1, 1, len(data)))])
        coefficients = stacked_least_squares(data[chosen][None], data, coefficients)
    return np.array(chosen)


def from_hull(data: FloatArray, k: int, generator: np.random.Generator) -> IntArray:
    """Draw observations by their squared distance to the hull of those drawn before."""
    chosen = [int(generator.integers(len(data)))]
    squares = _distances(data, chosen[0]) ** 2
    coefficients = np.ones((1, 1, len(data)))
    while len(chosen) < k:
        squares[chosen] = 0.0
        total = squares.sum()
        if total > 0:
            chosen.append(int(generator.choice(len(data), p=squares / total)))
        else:  # all observations are in the hull
            left = np.setdiff1d(np.arange(len(data)), chosen)
            chosen.append(int(generator.choice(left)))
        coefficients = np.concatenate([coefficients, np.zeros((1, 1, len(data)))])
        coefficients = stacked_least_squares(data[chosen][None], data, coefficients)
        squares = ((data - coefficients[:, 0].T @ data[chosen]) ** 2).sum(axis=1)
    return np.array(chosen)


def random_rows(data: FloatArray, k: int, generator: np.random.Generator) -> IntArray:
    """Draw observations without replacement."""
    return np.asarray(generator.choice(len(data), k, replace=False))


def inner_furthest_sum(data: FloatArray, k: int, generator: np.random.Generator) -> IntArray:
    """Choose observations with great sums of distances among those near the median."""
    away = np.abs(data - np.median(data, axis=0))
    spread = np.median(away, axis=0)
    lengths = (away / np.where(spread > 0, spread, 1.0)).sum(axis=1)
    near = np.flatnonzero(lengths <= np.quantile(lengths, 0.75))
    if len(near) < k:
        near = np.argsort(lengths, kind="stable")[:k]
    return np.asarray(near[furthest_sum(data[near], k, generator)])


def _distances(data: FloatArray, row: int) -> FloatArray:
    return np.asarray(np.sqrt(((data - data[row]) ** 2).sum(axis=1)))


STARTS: dict[str, StartRule] = {
    "furthest-sum": furthest_sum,
    "hull": from_hull,
    "inner": inner_furthest_sum,
    "random": random_rows,
}
