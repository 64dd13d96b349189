"""Null distributions of column sums when the scores of every block are permuted within the block.

Two ways: all arrangements (exact, where they are few enough) and random ones (Monte Carlo). Ranks are doubled, so
that averaged ties are whole numbers and comparisons with the observed statistic are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import permutations as orders_of
from math import factorial

import numpy as np
import numpy.typing as npt

from podium.arrays import FloatArray, Int64Array
from podium.checks import random_generator

_TABLE_COLUMNS = 8  # 8! = 40,320 arrangements can be listed
_CHUNK = 4_000_000  # scores held at once
_WORK = 6_000_000  # states times arrangements over all steps of the exact distribution: about half a second


def doubled(ranks: FloatArray) -> Int64Array:
    """Ranks times two, as whole numbers."""
    return np.rint(2 * ranks).astype(np.int64)


def random_sums(scores: Int64Array, permutations: int, seed: int) -> Iterator[Int64Array]:
    """Column sums of randomly permuted blocks, chunk by chunk; together `permutations` rows of K sums."""
    rng = random_generator(seed)
    n, k = scores.shape
    draw = _listed(scores, rng) if k <= _TABLE_COLUMNS else _shuffled(scores, rng)
    size = max(1, min(permutations, _CHUNK // (n if k <= _TABLE_COLUMNS else n * k)))
    for start in range(0, permutations, size):
        yield draw(min(size, permutations - start))


def _listed(scores: Int64Array, rng: np.random.Generator) -> Callable[[int], Int64Array]:
    """Draw arrangements from a list, several columns packed into one 64-bit number that is added up."""
    n, k = scores.shape
    patterns, counts = np.unique(np.sort(scores, axis=1), axis=0, return_counts=True)
    bits = int(n * max(int(scores.max()), 1)).bit_length()
    per_word = max(1, 63 // bits)
    words = [range(start, min(start + per_word, k - 1)) for start in range(0, k - 1, per_word)]
    tables = [_packed(_distinct(pattern), words, bits) for pattern in patterns]
    total = int(scores.sum())

    def draw(size: int) -> Int64Array:
        added = np.zeros((len(words), size), np.int64)
        for table, count in zip(tables, counts, strict=True):
            pick = rng.integers(0, table.shape[1], size=(size, int(count)), dtype=np.uint16)
            for word, row in enumerate(table):
                added[word] += row[pick].sum(axis=1)
        sums = np.empty((size, k), np.int64)
        for word, columns in enumerate(words):
            for place, column in enumerate(columns):
                sums[:, column] = (added[word] >> (bits * place)) & ((1 << bits) - 1)
        sums[:, k - 1] = total - sums[:, : k - 1].sum(axis=1)
        return sums

    return draw


def _shuffled(scores: Int64Array, rng: np.random.Generator) -> Callable[[int], Int64Array]:
    scores = np.sort(scores, axis=1)  # what is drawn for the blocks depends on their scores alone
    scores = scores[np.lexsort(scores.T)]

    def draw(size: int) -> Int64Array:
        sums: Int64Array = rng.permuted(np.broadcast_to(scores, (size, *scores.shape)), axis=2).sum(axis=1)
        return sums

    return draw


def shuffled_scores(scores: FloatArray, permutations: int, seed: int) -> Iterator[FloatArray]:
    """Randomly permuted blocks of any scores, chunk by chunk, in an order of their own; NaN cells stay where they are.

    Yields arrays of shape (chunk, n, K).
    """
    scores = _sorted_blocks(scores)
    rng = random_generator(seed)
    n, k = scores.shape
    size = max(1, min(permutations, _CHUNK // (n * k)))
    gaps = np.isnan(scores)
    rows = np.flatnonzero(gaps.any(axis=1))
    for start in range(0, permutations, size):
        stack = np.broadcast_to(scores, (min(size, permutations - start), n, k))
        shuffled = rng.permuted(stack, axis=2)
        for i in rows:  # shuffle the cells that are present only
            there = np.flatnonzero(~gaps[i])
            shuffled[:, i] = np.nan
            shuffled[:, i, there] = rng.permuted(stack[:, i, there], axis=1)
        yield shuffled


def _sorted_blocks(scores: FloatArray) -> FloatArray:
    """Sort the scores of each block, and the blocks: what is drawn for them then depends on their values alone.

    NaN cells stay in their columns.
    """
    gaps = np.isnan(scores)
    ordered = np.full_like(scores, np.nan)
    in_order = np.sort(scores, axis=1)  # NaN last
    ordered[~gaps] = in_order[~np.isnan(in_order)]
    return ordered[np.lexsort(ordered.T)]


def exact_sums(scores: Int64Array) -> tuple[Int64Array, FloatArray] | None:
    """Return all sets of column sums, each sorted, and their probabilities; None if there are too many to list.

    Sorted sums are enough for statistics that treat all columns equally, and keep the number of states small.
    """
    n, k = scores.shape
    if k > _TABLE_COLUMNS or factorial(k) > _WORK:
        return None
    bits = int(n * max(int(scores.max()), 1)).bit_length()
    if bits * (k - 1) > 63:
        return None
    states = np.sort(scores[:1], axis=1)
    chances = np.ones(1)
    powers = 1 << (bits * np.arange(k - 1))
    for done, row in enumerate(scores[1:], start=1):
        steps = _distinct(np.sort(row))
        # The number of states grows like the (K - 1)th power of the blocks: do not start what will not finish.
        growth = (n / done) ** (k - 1) if done >= 3 else 1.0
        if len(states) * growth * len(steps) * n > _WORK:
            return None
        moved = np.sort((states[:, None, :] + steps).reshape(-1, k), axis=1)
        _, first, inverse = np.unique(moved[:, :-1] @ powers, return_index=True, return_inverse=True)
        chances = np.bincount(inverse, np.repeat(chances, len(steps))) / len(steps)
        states = moved[first]
    return states, chances


def ordered_rows(differences: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Paired differences in an order, and with a sign, that depend on the values alone; and the sign of each row.

    Random numbers that are drawn for the columns then do not depend on the order of the blocks, nor on which of two
    algorithms comes first: a - b and b - a become the same row, with the signs 1 and -1. The sign is 0 where they have
    the same values, up to rounding.
    """
    rows = np.sort(differences, axis=1)
    ends = rows + rows[:, ::-1]
    unequal = np.abs(ends) > 1e-12 * np.abs(rows).max(axis=1, keepdims=True)
    first = np.argmax(unequal, axis=1)[:, None]
    side: FloatArray = np.where(unequal.any(axis=1), np.sign(np.take_along_axis(ends, first, axis=1)[:, 0]), 0.0)
    return np.where(side[:, None] < 0, 0.0 - rows[:, ::-1], rows), side


def monte_carlo_p(exceeding: int | Int64Array, permutations: int) -> FloatArray:
    """P-value from random permutations, including the observed one (Phipson & Smyth 2010), so never 0.

    B. Phipson, G. K. Smyth (2010). Permutation p-values should never be zero. Statistical Applications in Genetics
    and Molecular Biology 9, article 39.
    """
    return (np.asarray(exceeding, float) + 1) / (permutations + 1)


def monte_carlo_error(p: npt.ArrayLike, permutations: int) -> FloatArray:
    """Return the standard error of a p-value from random permutations."""
    p = np.asarray(p, float)
    error: FloatArray = np.sqrt(p * (1 - p) / permutations)
    return error


@lru_cache(maxsize=_TABLE_COLUMNS)
def _arrangements(k: int) -> Int64Array:
    return np.array(list(orders_of(range(k))))


def _distinct(pattern: Int64Array) -> Int64Array:
    """List every distinct arrangement of the scores of a block; with ties there are fewer than K!."""
    everything: Int64Array = pattern[_arrangements(len(pattern))]
    levels, codes = np.unique(pattern, return_inverse=True)
    if len(levels) == len(pattern):
        return everything
    digits = codes[_arrangements(len(pattern))]
    numbers = digits @ len(levels) ** np.arange(len(pattern))[::-1]  # far faster to compare than rows
    return everything[np.unique(numbers, return_index=True)[1]]


def _packed(rows: Int64Array, words: list[range], bits: int) -> Int64Array:
    return np.stack([sum(rows[:, c] << (bits * place) for place, c in enumerate(columns)) for columns in words])
