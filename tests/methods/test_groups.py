"""Groups: maximal cliques against brute force, runs, covers, speed."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.analysis.groups import _cover, _maximal_cliques, _runs, groups_in_order


def random_graph(k: int, seed: int, density: float) -> np.ndarray:
    upper = np.triu(np.random.default_rng(seed).random((k, k)) < density, 1)
    return upper | upper.T


def maximal_by_brute_force(joined: np.ndarray) -> set[tuple[int, ...]]:
    k = len(joined)
    cliques = [
        set(c)
        for size in range(1, k + 1)
        for c in combinations(range(k), size)
        if all(joined[i, j] for i, j in combinations(c, 2))
    ]
    return {tuple(sorted(c)) for c in cliques if not any(c < other for other in cliques)}


@given(st.integers(1, 8), st.integers(0, 10_000), st.floats(0, 1))
def test_groups_are_the_maximal_cliques(k: int, seed: int, density: float) -> None:
    joined = random_graph(k, seed, density)
    assert set(groups_in_order(joined)) == maximal_by_brute_force(joined)


@given(st.integers(1, 12), st.integers(0, 10_000), st.floats(0, 1))
def test_a_cover_joins_exactly_the_joined_pairs(k: int, seed: int, density: float) -> None:
    joined = random_graph(k, seed, density)
    groups = _cover(joined)
    covered = np.zeros_like(joined)
    for group in groups:
        covered[np.ix_(group, group)] = True
    assert (covered == (joined | np.eye(k, dtype=bool))).all()


@given(st.lists(st.floats(0, 10), min_size=1, max_size=15), st.floats(0, 5))
def test_a_critical_difference_gives_runs(positions: list[float], critical: float) -> None:
    at = np.sort(positions)
    joined = np.abs(at[:, None] - at[None, :]) < critical
    np.fill_diagonal(joined, False)
    runs = _runs(joined)
    assert runs is not None
    assert set(runs) == set(_maximal_cliques(joined, 10_000))


@pytest.mark.parametrize("k", [60, 100])
def test_nothing_differs(k: int) -> None:
    joined = ~np.eye(k, dtype=bool)
    assert groups_in_order(joined) == [tuple(range(k))]
    assert _maximal_cliques(joined, 10) == [tuple(range(k))]  # without the shortcut for runs, too


def test_the_worst_case_is_covered_instead_of_listed() -> None:
    k = 60  # 3^20 maximal cliques (Moon & Moser 1965)
    joined = np.arange(k)[:, None] // 3 != np.arange(k)[None, :] // 3
    groups = groups_in_order(joined)
    assert len(groups) < 200
    covered = np.zeros_like(joined)
    for group in groups:
        covered[np.ix_(group, group)] = True
    assert (covered == (joined | np.eye(k, dtype=bool))).all()
