"""Kernels on boolean square matrices: closure, reduction, cycles, levels, classes. Algorithms are positions."""

from __future__ import annotations

import numpy as np

from podium.arrays import BoolArray, FloatArray, IntArray


def off_diagonal(matrix: BoolArray) -> BoolArray:
    """Return a copy without the diagonal."""
    copy = matrix.copy()
    np.fill_diagonal(copy, False)
    return copy


def with_diagonal(matrix: BoolArray) -> BoolArray:
    """Return a copy with a full diagonal."""
    copy = matrix.copy()
    np.fill_diagonal(copy, True)
    return copy


def closure(matrix: BoolArray) -> BoolArray:
    """Smallest transitive relation that contains the given one (Warshall 1962)."""
    reach = matrix.copy()
    for middle in range(len(reach)):
        reach |= reach[:, middle, None] & reach[None, middle, :]
    return reach


def compose(first: BoolArray, second: BoolArray) -> BoolArray:
    """Which (i, k) have a j with i first j and j second k."""
    return (first.astype(np.float32) @ second.astype(np.float32)) > 0


def components(matrix: BoolArray) -> list[IntArray]:
    """Strongly connected components, in an order in which no later one reaches an earlier one."""
    reach = with_diagonal(closure(matrix))
    mutual = reach & reach.T
    first = mutual.argmax(axis=1)  # the smallest member represents the component
    found = [np.flatnonzero(first == leader) for leader in np.unique(first)]
    # Whatever reaches more comes first: reachable sets shrink strictly along a path between components.
    return sorted(found, key=lambda members: (-int(reach[members[0]].sum()), int(members[0])))


def covers(acyclic: BoolArray) -> BoolArray:
    """Transitive reduction of a relation without cycles: the pairs with nothing in between."""
    full = closure(off_diagonal(acyclic))
    return full & ~compose(full, full)


def reduction(matrix: BoolArray) -> BoolArray:
    """Small relation with the same transitive closure as the given one, apart from the diagonal.

    Without cycles it is the unique smallest one. A strongly connected component becomes one cycle through its
    members in their order, and components are linked by their first members (Aho, Garey & Ullman 1972).
    """
    parts = components(off_diagonal(matrix))
    leaders = np.array([part[0] for part in parts])
    linked = closure(off_diagonal(matrix))[np.ix_(leaders, leaders)]
    small = np.zeros_like(matrix)
    small[np.ix_(leaders, leaders)] = covers(off_diagonal(linked))
    for part in parts:
        if len(part) > 1:
            small[part, np.roll(part, -1)] = True
    return small


def levels(acyclic: BoolArray) -> IntArray:
    """Height of each element: the length of the longest path that ends in it; 0 for sources."""
    height = np.zeros(len(acyclic), np.intp)
    above = off_diagonal(acyclic)
    for _ in range(len(acyclic)):
        raised = np.where(above, height[:, None] + 1, 0).max(axis=0, initial=0)
        if (raised == height).all():
            return height
        height = raised
    raise ValueError("levels of a relation with a cycle")


def is_acyclic(matrix: BoolArray) -> bool:
    """Whether no path returns to its start, apart from the diagonal."""
    return not closure(off_diagonal(matrix)).diagonal().any()


def shortest_cycle(matrix: BoolArray) -> list[int]:
    """Members of a shortest directed cycle of a relation; empty if it has none."""
    size = len(matrix)
    arcs = off_diagonal(matrix)
    best: list[int] = []
    for start in range(size):
        parent = np.full(size, -1)
        frontier = [start]
        seen = np.zeros(size, bool)
        while frontier and parent[start] < 0:
            following = []
            for node in frontier:
                for successor in np.flatnonzero(arcs[node] & ~seen):
                    seen[successor] = True
                    parent[successor] = node
                    following.append(int(successor))
            frontier = following
        if parent[start] >= 0:
            path = [start]
            while parent[path[-1]] != start:
                path.append(int(parent[path[-1]]))
            if not best or len(path) < len(best):
                best = path[:1] + path[:0:-1]
    return best


def groups(equivalence: BoolArray) -> list[IntArray]:
    """Classes of an equivalence, by their first member."""
    first = with_diagonal(equivalence).argmax(axis=1)
    return [np.flatnonzero(first == leader) for leader in np.unique(first)]


def mid_ranks(better: BoolArray) -> FloatArray:
    """Mean place of each algorithm: 1 + the better ones + half of the others that are not worse."""
    beaten, beats = better.sum(axis=0), better.sum(axis=1)
    ranks: FloatArray = (len(better) + 1 + beaten - beats) / 2
    return ranks
