"""Groups of algorithms that are not known to differ: maximal cliques, as intervals where mean ranks decide."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from podium.arrays import BoolArray

Group: TypeAlias = tuple[int, ...]

MAX_GROUPS = 2000  # a graph may have exponentially many maximal cliques; beyond this a cover of all pairs must do
MAX_SHOWN_GROUPS = 8  # in figures, fewer groups that cover all pairs are easier to read than all maximal ones


def groups_in_order(joined: BoolArray, most: int = MAX_GROUPS) -> list[Group]:
    """List maximal sets in which all pairs are joined, each sorted, ordered by their members.

    Where a critical difference decides, the sets are runs of neighbours and found at once. Else all maximal cliques
    are listed, with pivoting (Tomita, Tanaka & Takahashi 2006, Theoretical Computer Science 363, 28–42); if there are
    more than `most`, a smaller collection that still covers every joined pair.
    """
    runs = _runs(joined)
    if runs is not None:
        return runs
    cliques = _maximal_cliques(joined, most)
    return sorted(_cover(joined) if cliques is None else cliques)


def _runs(joined: BoolArray) -> list[Group] | None:
    """Return maximal runs of neighbours, if every joined pair lies in one; else None."""
    k = len(joined)
    full = joined | np.eye(k, dtype=bool)
    reach = np.array([int(row[i:].argmin()) + i if not row[i:].all() else k for i, row in enumerate(full)])
    furthest = np.minimum.accumulate(reach[::-1])[::-1]  # a run must be joined throughout
    by_run = np.arange(k)[None, :] < furthest[:, None]
    upper = np.triu(np.ones((k, k), bool))
    if not np.array_equal(by_run & upper, full & upper):
        return None
    return [tuple(range(i, int(furthest[i]))) for i in range(k) if i == 0 or furthest[i] > furthest[i - 1]]


def _maximal_cliques(joined: BoolArray, most: int) -> list[Group] | None:
    k = len(joined)
    neighbours = [sum(1 << int(j) for j in np.flatnonzero(row)) & ~(1 << i) for i, row in enumerate(joined)]
    found: list[Group] = []
    stack = [(0, (1 << k) - 1, 0)]
    while stack:
        clique, candidates, excluded = stack.pop()
        if not candidates and not excluded:
            found.append(_members(clique))
            if len(found) > most:
                return None
            continue
        pivot = max(_members(candidates | excluded), key=lambda v: (candidates & neighbours[v]).bit_count())
        for v in _members(candidates & ~neighbours[pivot]):
            stack.append((clique | 1 << v, candidates & neighbours[v], excluded & neighbours[v]))
            candidates &= ~(1 << v)
            excluded |= 1 << v
    return found


def _cover(joined: BoolArray) -> list[Group]:
    """Cover every joined pair by maximal cliques, grown so that each takes in as many new pairs as it can."""
    k = len(joined)
    left = np.triu(joined, 1)
    left = left | left.T
    found: set[Group] = set()
    while left.any():
        start = int(left.sum(axis=1).argmax())
        members = [start]
        candidates = joined[start].copy()
        candidates[start] = False
        while candidates.any():
            gain = np.where(candidates, left[members].sum(axis=0) * k + (joined & candidates).sum(axis=1) + 1, -1)
            best = int(gain.argmax())
            members.append(best)
            candidates &= joined[best]
            candidates[best] = False
        left[np.ix_(members, members)] = False
        found.add(tuple(sorted(members)))
    alone = [(int(i),) for i in np.flatnonzero(~np.triu(joined | joined.T, 1).any(axis=0) & ~joined.any(axis=1))]
    return [*found, *alone]


def _members(bits: int) -> Group:
    members = []
    while bits:
        low = bits & -bits
        members.append(low.bit_length() - 1)
        bits ^= low
    return tuple(members)
