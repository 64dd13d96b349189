"""Ranks within blocks: against SciPy, ties of every kind, and what must not change them."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from scipy import stats

import podium
from podium import MeasureInfo, Results
from podium.results.ranks import rank_rows
from slow_laws import few_examples

COSTS = npst.arrays(
    np.float64,
    npst.array_shapes(min_dims=2, max_dims=3, max_side=6),
    # Ties are frequent, and what is not tied differs by more than rounding.
    elements=st.one_of(st.integers(0, 3).map(float), st.integers(-(10**9), 10**9).map(lambda i: i / 1000)),
)


def cube(values: np.ndarray, direction: str = "lower", **names: tuple[str, ...]) -> Results:
    """Results of one measure from an array of data sets × replications × algorithms."""
    m, b, k = values.shape
    return Results(
        values=values[..., None],
        datasets=names.get("datasets", tuple(f"d{i}" for i in range(m))),
        replications=tuple(range(b)),
        algorithms=names.get("algorithms", tuple(f"a{i}" for i in range(k))),
        measures=(MeasureInfo("score", direction),),
    )


@few_examples()
@given(COSTS, st.sampled_from(["average", "min", "max"]))
def test_ranks_are_those_of_scipy(costs: np.ndarray, ties: str) -> None:
    assert np.array_equal(rank_rows(costs, ties), stats.rankdata(costs, method=ties, axis=-1))


@given(COSTS, st.integers(min_value=0))
def test_random_ties_only_order_what_is_tied(costs: np.ndarray, seed: int) -> None:
    ranks = cube(costs.reshape(1, -1, costs.shape[-1])).ranks(ties="random", seed=seed).values[0, ..., 0]
    flat = costs.reshape(-1, costs.shape[-1])
    assert np.array_equal(np.sort(ranks, axis=1), np.broadcast_to(np.arange(1, flat.shape[1] + 1), flat.shape))
    assert (ranks >= stats.rankdata(flat, "min", axis=1)).all()
    assert (ranks <= stats.rankdata(flat, "max", axis=1)).all()


@given(COSTS)
def test_rank_one_is_best_in_either_direction(costs: np.ndarray) -> None:
    values = costs.reshape(1, -1, costs.shape[-1])
    lower, greater = cube(values, "lower").ranks(), cube(-values, "higher").ranks()
    assert lower == greater
    assert lower.directions == {"score": "lower"}
    assert lower.measures[0].units == "rank"


def test_means_that_differ_by_rounding_only_are_tied() -> None:
    one, two = 0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1
    assert one != two
    costs = np.array([[one, two, 0.7], [-two, -one, -0.7]])
    assert rank_rows(costs, "average").tolist() == [[1.5, 1.5, 3.0], [2.5, 2.5, 1.0]]
    assert rank_rows(costs * 1e-9, "min").tolist() == [[1.0, 1.0, 3.0], [2.0, 2.0, 1.0]]
    assert rank_rows(np.array([[1.0, 1.0 + 1e-9, 1.0 - 1e-9]]), "average").tolist() == [[2.0, 3.0, 1.0]]


def test_missing_cells_are_ranked_last_and_tied_among_themselves() -> None:
    values = np.array([[[3.0, np.nan, 1.0, np.nan]]])
    ranked = cube(values).ranks(missing="worst-rank")
    assert ranked.values.ravel().tolist() == [2.0, 3.5, 1.0, 3.5]
    assert not ranked.missing.any()
    assert str(ranked.reports[-1]) == "2 of 4 cells missing (2 absent); worst-rank: 2 cells ranked last"


def test_blocks_outside_the_design_have_no_ranks() -> None:
    values = np.array([[[1.0, 2.0], [2.0, 1.0]], [[5.0, 5.0], [np.nan, np.nan]]])
    results = cube(values).replace(design=np.array([[True, True], [True, False]]))
    ranked = results.ranks()
    assert np.array_equal(ranked.values[..., 0], [[[1, 2], [2, 1]], [[1.5, 1.5], [np.nan, np.nan]]], equal_nan=True)
    assert not ranked.missing.any()


# Random ties


TIED = cube(np.zeros((3, 4, 5)))


def orders(results: Results, seed: int) -> dict[tuple[object, ...], float]:
    """Rank of each cell by its names."""
    frame = results.ranks(ties="random", seed=seed).to_long()
    return dict(
        zip(frame[["dataset", "replication", "algorithm"]].itertuples(index=False, name=None), frame.value, strict=True)
    )


def test_random_ties_are_the_same_again() -> None:
    assert orders(TIED, 7) == orders(TIED, 7)
    assert orders(TIED, 7) != orders(TIED, 8)
    assert orders(TIED, np.int64(7)) == orders(TIED, 7)


def test_random_ties_do_not_depend_on_order() -> None:
    shuffled = TIED.select(
        datasets=["d2", "d0", "d1"], replications=[3, 1, 0, 2], algorithms=["a4", "a0", "a3", "a1", "a2"]
    )
    assert shuffled.algorithms != TIED.algorithms
    assert orders(shuffled, 3) == orders(TIED, 3)


def test_random_ties_do_not_depend_on_other_blocks() -> None:
    part = TIED.select(datasets="d1", replications=[2, 0])
    assert orders(part, 3) == {cell: rank for cell, rank in orders(TIED, 3).items() if cell in orders(part, 3)}


def test_the_order_of_two_algorithms_does_not_depend_on_other_algorithms() -> None:
    everyone, pair = orders(TIED, 3), orders(TIED.select(algorithms=["a1", "a3"]), 3)
    for dataset, replication in itertools.product(TIED.datasets, TIED.replications):
        one, two = (dataset, replication, "a1"), (dataset, replication, "a3")
        assert (everyone[one] < everyone[two]) == (pair[one] < pair[two])


def test_random_ties_differ_between_measures_and_blocks() -> None:
    two = TIED.combine(TIED.rename(measures={"score": "other"}))
    ranks = two.ranks(ties="random", seed=1).values
    assert not np.array_equal(ranks[..., 0], ranks[..., 1])
    assert len({tuple(row) for row in ranks[..., 0].reshape(-1, 5)}) > 6


def test_random_ties_are_uniform() -> None:
    """Over seeds, and over blocks, each of the 3! orders is equally frequent (chi-square, level 1 in 1000)."""
    by_seed = cube(np.zeros((1, 1, 3)))
    seen = [tuple(by_seed.ranks(ties="random", seed=s).values.ravel()) for s in range(600)]
    by_block = [tuple(row) for row in cube(np.zeros((30, 200, 3))).ranks(ties="random", seed=5).values.reshape(-1, 3)]
    for sample in (seen, by_block):
        counts = [sample.count(order) for order in itertools.permutations((1.0, 2.0, 3.0))]
        assert sum(counts) == len(sample)
        assert stats.chisquare(counts).pvalue > 0.001


def test_random_ties_of_two_blocks_are_independent() -> None:
    ranks = cube(np.zeros((2, 3000, 2))).ranks(ties="random", seed=11).values[:, :, 0, 0]
    table = pd.crosstab(ranks[0], ranks[1])
    assert stats.chi2_contingency(table).pvalue > 0.001


# Published ranks


def test_average_ranks_of_demsars_table() -> None:
    """The values of the reference folder's golden/demsar2006/README.md, computed from the printed table."""
    ranks = podium.examples.load_demsar2006().ranks().values[:, 0, :, 0]
    assert ranks.mean(axis=0).round(3).tolist() == [3.143, 2.0, 2.929, 1.929]


@pytest.mark.parametrize(("ties", "row"), [("average", [1, 2.5, 2.5, 4]), ("min", [1, 2, 2, 4]), ("max", [1, 3, 3, 4])])
def test_ties_by_hand(ties: str, row: list[float]) -> None:
    ranked = cube(np.array([[[0.9, 0.5, 0.5, 0.1]]]), "higher").ranks(ties=ties)
    assert ranked.values.ravel().tolist() == row
