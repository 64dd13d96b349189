"""Adjustments that use logic: if a = b and b = c, then a = c, so not every set of pairs can be equal together.

The true hypotheses among all pairs of K algorithms are always the pairs inside the groups of a partition. Shaffer's
procedures ask how many hypotheses can still be true; Bergmann & Hommel's asks it of every such set. Both questions
are answered here by one recursion over subsets of the algorithms instead of a list of all partitions.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from podium.arrays import BoolArray, FloatArray, Int64Array, IntArray

EXHAUSTIVE_LIMIT = 14  # algorithms; about a second there, and three times that for each further one


def shaffer_static(p: FloatArray, k: int) -> FloatArray:
    """Shaffer's (1986) first procedure: Holm with the largest number of hypotheses that can be true.

    At step i at least i - 1 hypotheses are false; the factor is the largest possible number of true ones that is at
    most m - i + 1.
    """
    possible = np.array(sorted(_possible_counts(k)))
    order = np.argsort(p, kind="stable")
    left = len(p) - np.arange(len(p))
    factors = possible[np.searchsorted(possible, left, side="right") - 1]
    return _stepped(p, order, factors * p[order])


def shaffer_dynamic(p: FloatArray, k: int) -> FloatArray:
    """Shaffer's (1986) second procedure: the number that can be true given *which* hypotheses were rejected."""
    order = np.argsort(p, kind="stable")
    factors = np.ones(len(p))
    for step, threshold in enumerate(p[order]):
        factors[step] = _most_true(_square(p >= threshold, k))[-1]
    return _stepped(p, order, np.maximum(factors, 1) * p[order])


def bergmann_hommel(p: FloatArray, k: int) -> FloatArray:
    """Bergmann & Hommel (1988): the largest |I| · min p over all sets I of pairs that can be true together.

    A set that holds pair i and has no p-value below a threshold has at most so many pairs; the maximum over the
    thresholds is the adjusted p-value.
    """
    first, second = np.triu_indices(k, 1)
    adjusted = np.zeros(len(p))
    everything = (1 << k) - 1
    sizes = _subset_sizes(k)
    subsets = np.arange(1 << k)
    for threshold in np.unique(p):
        allowed = _square(p >= threshold, k)
        most = _most_true(allowed)
        cliques = subsets[_cliques(allowed) & (sizes > 1)]
        worth = sizes[cliques] * (sizes[cliques] - 1) // 2 + most[everything ^ cliques]
        for i in np.flatnonzero(p >= threshold):
            both = (1 << first[i]) | (1 << second[i])
            largest = worth[(cliques & both) == both].max()
            adjusted[i] = max(adjusted[i], threshold * largest)
    return np.minimum(adjusted, 1.0)


def _stepped(p: FloatArray, order: IntArray, values: FloatArray) -> FloatArray:
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(values), 1.0)
    return adjusted


@lru_cache(maxsize=256)
def _possible_counts(k: int) -> frozenset[int]:
    """Numbers of equal pairs that k algorithms can have: a group of j and the rest in any way (Shaffer 1986)."""
    if k < 2:
        return frozenset({0})
    return frozenset(j * (j - 1) // 2 + rest for j in range(1, k + 1) for rest in _possible_counts(k - j))


def _square(allowed: BoolArray, k: int) -> BoolArray:
    square = np.zeros((k, k), bool)
    square[np.triu_indices(k, 1)] = allowed
    return square | square.T


@lru_cache(maxsize=32)
def _subset_sizes(k: int) -> Int64Array:
    return np.array([i.bit_count() for i in range(1 << k)], np.int64)


def _cliques(allowed: BoolArray) -> BoolArray:
    """For every subset of the algorithms (as bits), whether all its pairs are allowed."""
    k = len(allowed)
    whole = np.zeros(1 << k, bool)
    whole[0] = True
    subsets = np.arange(1 << k)
    for b in range(k):
        neighbours = int((1 << np.flatnonzero(allowed[b, :b])).sum())
        below = subsets[: 1 << b]
        whole[1 << b : 2 << b] = whole[: 1 << b] & ((below & ~neighbours) == 0)
    return whole


def _most_true(allowed: BoolArray) -> Int64Array:
    """For every subset, the largest number of pairs inside the groups of a partition into allowed groups.

    The highest algorithm b of a subset is in a group with some T below it; the rest R is split at its best:
    most(T + b + R) = max over T of |T| (|T| + 1) / 2 + most(R).
    """
    k = len(allowed)
    cliques = _cliques(allowed)
    sizes = _subset_sizes(k)
    most = np.zeros(1 << k, np.int64)
    for b in range(k):
        top = 1 << b
        most[top : 2 * top] = most[:top]  # b alone
        for group in np.flatnonzero(cliques[top : 2 * top])[1:]:
            rest = _subsets_outside(int(group), b)
            gain = most[rest] + sizes[group] * (sizes[group] + 1) // 2
            at = top | group | rest
            most[at] = np.maximum(most[at], gain)
    return most


@lru_cache(maxsize=20_000)
def _subsets_outside(group: int, width: int) -> Int64Array:
    """List all subsets of the bits below `width` that are not in `group`."""
    rest = np.zeros(1, np.int64)
    for bit in range(width):
        if not group >> bit & 1:
            rest = np.concatenate([rest, rest | (1 << bit)])
    return rest
