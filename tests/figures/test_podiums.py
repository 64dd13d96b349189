"""Numbers of the benchmark experiment plot: counts, ties, lines, thinning, invariances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_results import flipped, made, noisy, several, shuffled, tables, with_gaps

from podium.errors import MissingCellsError
from podium.plot.figures import podium
from podium.plot.figures.numbers import evenly


def dots_counted(figure) -> np.ndarray:
    """Counts of places from the dots, by their shares."""
    k = len(figure.algorithms)
    counted = np.zeros((k, k))
    np.add.at(counted, (figure.dot_place, figure.dot_algorithm), figure.dot_share)
    return counted


@pytest.mark.parametrize("ties", ["random", "shared"])
def test_the_counts_of_each_place_add_up_to_the_replications(errors, ties: str) -> None:
    figure = podium(errors, ties=ties)
    np.testing.assert_allclose(figure.counts.sum(axis=1), 250)
    np.testing.assert_allclose(figure.counts.sum(axis=0), 250)
    np.testing.assert_allclose(dots_counted(figure), figure.counts)


@given(tables(), st.sampled_from(["random", "shared", "min"]))
def test_dots_and_counts_agree(table: np.ndarray, ties: str) -> None:
    figure = podium(made(table), ties=ties)
    np.testing.assert_allclose(dots_counted(figure), figure.counts, atol=1e-9)
    if ties != "min":
        np.testing.assert_allclose(figure.counts.sum(axis=1), len(table))


@given(tables(), st.sampled_from(["random", "shared", "min"]))
def test_no_algorithm_stands_before_a_better_one(table: np.ndarray, ties: str) -> None:
    figure = podium(made(table), ties=ties)
    assert (np.diff(figure.line_value, axis=1) >= 0).all()
    columns = [f"a{k}" for k in range(table.shape[1])]
    at = [columns.index(name) for name in figure.algorithms]
    for row, met, values in zip(table, figure.line_algorithm, figure.line_value, strict=True):
        assert sorted(met) == list(range(table.shape[1]))
        assert row[at][met].tolist() == values.tolist()


def test_the_same_seed_gives_the_same_figure(errors) -> None:
    assert podium(errors, seed=3).to_json() == podium(errors, seed=3).to_json()
    assert podium(errors, seed=4).counts.tolist() != podium(errors, seed=3).counts.tolist()


def test_the_order_of_rows_and_columns_does_not_matter(errors) -> None:
    assert podium(shuffled(errors), seed=1).to_json() == podium(errors, seed=1).to_json()


def test_direction_changes_nothing_but_the_sign(errors) -> None:
    one, two = podium(errors, seed=5), podium(flipped(errors), seed=5)
    assert two.algorithms == one.algorithms
    assert two.counts.tolist() == one.counts.tolist()
    assert two.line_algorithm.tolist() == one.line_algorithm.tolist()
    assert (-two.line_value).tolist() == one.line_value.tolist()


def test_renaming_keeps_the_figure(errors) -> None:
    names = {name: f"x{name}" for name in errors.algorithms}
    one, two = podium(errors, ties="shared"), podium(errors.rename(algorithms=names), ties="shared")
    assert two.algorithms == tuple(names[name] for name in one.algorithms)
    assert two.counts.tolist() == one.counts.tolist()


def test_ties_by_hand() -> None:
    results = made([[1, 1, 2], [3, 2, 1]], names=["a", "b", "c"])
    shared = podium(results, ties="shared", order=["a", "b", "c"])
    assert shared.counts.tolist() == [[0.5, 0.5, 1], [0.5, 1.5, 0], [1, 0, 1]]
    assert shared.dot_share.tolist().count(0.5) == 4
    best = podium(results, ties="min", order=["a", "b", "c"])
    assert best.counts.tolist() == [[1, 1, 1], [0, 1, 0], [1, 0, 1]]
    assert best.seed is None


def test_several_data_sets_are_one_block_each() -> None:
    results = several(m=5, b=4, k=3)
    figure = podium(results)
    assert (figure.n, figure.unit, figure.labels) == (5, "dataset", ("d1", "d2", "d3", "d4", "d5"))
    np.testing.assert_allclose(np.sort(figure.line_value[0]), np.sort(results.values[0, :, :, 0].mean(axis=0)))


def test_many_dots_are_thinned_evenly_and_the_counts_are_of_all() -> None:
    results = noisy(6, 1000)
    full, thin = podium(results, most_dots=10**6), podium(results, most_dots=1000, most_lines=100)
    assert len(thin.dot_value) <= 1000
    assert (thin.dots, thin.lines, len(thin.line_value)) == (6000, 1000, 100)
    assert thin.counts.tolist() == full.counts.tolist()
    for place in range(6):
        for algorithm in range(6):
            one, two = (f.dot_value[(f.dot_place == place) & (f.dot_algorithm == algorithm)] for f in (full, thin))
            assert (len(one) > 0) == (len(two) > 0)
            if len(two) > 1:
                assert (two.min(), two.max()) == (one.min(), one.max())


def test_a_thousand_replications_of_thirty_algorithms_stay_bounded() -> None:
    figure = podium(noisy(30, 1_000))  # 30,000 dots
    assert len(figure.dot_value) <= 20_000
    assert figure.line_value.shape == (500, 30)
    assert len(figure.to_json()) < 3_000_000


def test_missing_cells_may_come_last_without_a_dot() -> None:
    results = with_gaps(made([[1, 2], [1, 2], [1, 2]]), (0, 0, 0))
    figure = podium(results, missing="worst-rank", order=["a0", "a1"])
    assert figure.counts.tolist() == [[2, 1], [1, 2]]
    assert len(figure.dot_value) == 5
    assert figure.as_dict()["line_value"][0] == [2, None]
    with pytest.raises(MissingCellsError):
        podium(results)


@given(st.integers(1, 60), st.integers(1, 60))
def test_an_even_selection(n: int, most: int) -> None:
    chosen = evenly(n, most)
    assert len(chosen) == min(n, most) == len(set(chosen.tolist()))
    assert (np.diff(chosen) > 0).all()
    if len(chosen) > 1:
        assert (chosen[0], chosen[-1]) == (0, n - 1)
