"""Linear extensions: the linear orders that keep every strict preference of a relation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from math import comb

import numpy as np

from podium.analysis.relation.algebra import closure
from podium.arrays import BoolArray
from podium.errors import InputError

MAX_STATES = 2_000_000


def count_extensions(acyclic: BoolArray) -> int:
    """Count the linear extensions of a relation without cycles.

    Parts that are not connected, and parts that follow each other, are counted separately; the rest is counted over
    the sets that can come first (De Loof, De Meyer & De Baets 2006).
    """
    before = [int(sum(1 << int(i) for i in np.flatnonzero(column))) for column in closure(acyclic).T]
    after = [int(sum(1 << int(i) for i in np.flatnonzero(row))) for row in closure(acyclic)]
    states = 0

    @cache
    def count(left: int) -> int:
        nonlocal states
        states += 1
        if states > MAX_STATES:
            raise InputError(
                f"There are too many linear extensions to count: {len(before)} algorithms need more than {MAX_STATES} "
                "sets. List some of them with `linear_extensions(limit=...)`."
            )
        if left & (left - 1) == 0:
            return 1
        apart = _block(left, lambda i: before[i] | after[i])
        if apart != left:
            rest = left & ~apart
            return comb(left.bit_count(), apart.bit_count()) * count(apart) * count(rest)
        together = _block(left, lambda i: ~(before[i] | after[i]))
        if together != left:
            return count(together) * count(left & ~together)
        total = 0
        for i in _members(left):
            if not before[i] & left:
                total += count(left & ~(1 << i))
        return total

    return count((1 << len(before)) - 1)


def list_extensions(acyclic: BoolArray, limit: int) -> Iterator[list[int]]:
    """Yield linear extensions in lexicographic order, at most one more than the limit."""
    size = len(acyclic)
    before = closure(acyclic)
    placed = np.zeros(size, bool)
    order: list[int] = []

    def extend() -> Iterator[list[int]]:
        if len(order) == size:
            yield list(order)
            return
        for i in np.flatnonzero(~placed & ~(before & ~placed[:, None]).any(axis=0)):
            placed[i] = True
            order.append(int(i))
            yield from extend()
            order.pop()
            placed[i] = False

    for found, extension in enumerate(extend()):
        yield extension
        if found == limit:
            return


def _members(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _block(left: int, neighbours: Callable[[int], int]) -> int:
    """Component of the first member, in the graph given by a function from a node to the mask of its neighbours."""
    block = todo = left & -left
    while todo:
        i = (todo & -todo).bit_length() - 1
        todo &= todo - 1
        fresh = neighbours(i) & left & ~block
        block |= fresh
        todo |= fresh
    return block
