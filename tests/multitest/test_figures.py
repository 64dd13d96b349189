"""Figures of MultiTest: their numbers, and their text at the sizes of a screen and of a column."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hard import faults

import podium
from podium import plot
from podium.plot import figures
from podium.plot.figures.cost_tradeoff import pareto_front

ACCURACY = podium.examples.load_ulas2008()
SECONDS = podium.examples.load_ulas2008("training time")
NAMES = {name: f"{name}: gradient boosting, depth={i}" for i, name in enumerate(ACCURACY.algorithms)}
DATASETS = ["car", "optdigits"]


@pytest.fixture(scope="module")
def optdigits() -> podium.inference.MultiTest:
    return podium.multitest(ACCURACY.select(dataset="optdigits"), cost=SECONDS)


@pytest.fixture(scope="module")
def long_names() -> podium.inference.Multi2Test:
    results = ACCURACY.select(datasets=DATASETS).rename(algorithms=NAMES)
    return podium.multi2test(results, cost=SECONDS.rename(algorithms=NAMES))


def test_the_graph_has_the_prior_order_and_every_override(optdigits: podium.inference.MultiTest) -> None:
    numbers = figures.multitest_graph(optdigits)
    assert numbers.algorithms == ("5nn", "c45", "lnp", "mlp", "svr", "svl", "sv2", "mdt")
    assert numbers.place == (4, 8, 6, 5, 1, 2, 3, 7)
    assert all(i < j for i, j in numbers.edges)  # from cheap to costly
    assert {(numbers.algorithms[i], numbers.algorithms[j]) for i, j in numbers.edges} == {
        (edge.preferred, edge.better) for edge in optdigits.overrides
    }
    assert json.loads(numbers.to_json())["cost_name"] == "training time"


def test_the_walk_of_figure_3_2(optdigits: podium.inference.MultiTest) -> None:
    """Ulaş et al. (2008), figure 3.2: which algorithms are free at each step, and which is chosen."""
    numbers = figures.multitest_walk(optdigits)
    free = [{numbers.algorithms[i] for i in step.free} for step in numbers.steps]
    assert free[0] == {"svl", "sv2", "svr", "mdt"}
    assert free[3] == {"5nn", "mlp", "mdt"}
    assert [len(step.left) for step in numbers.steps] == [8, 7, 6, 5, 4, 3, 2, 1]


def test_the_pareto_front() -> None:
    rng = np.random.default_rng(0)
    one, two = rng.integers(0, 5, (2, 30)).astype(float)
    expected = [
        not any(one[j] <= one[i] and two[j] <= two[i] and (one[j] < one[i] or two[j] < two[i]) for j in range(30))
        for i in range(30)
    ]
    assert pareto_front(one, two).tolist() == expected
    assert not pareto_front(np.array([np.nan, 1.0]), np.array([0.0, 1.0]))[0]


def test_cost_against_performance(optdigits: podium.inference.MultiTest) -> None:
    numbers = figures.cost_tradeoff(optdigits)
    assert numbers.algorithms == optdigits.order
    assert [name for name, front in zip(numbers.algorithms, numbers.front, strict=True) if front] == [
        "svr",
        "sv2",
        "5nn",
    ]
    assert numbers.logarithmic


@pytest.mark.parametrize("name", ["multitest_graph", "multitest_walk", "cost_tradeoff", "two_passes"])
def test_long_names_stay_apart(name: str, long_names: podium.inference.Multi2Test) -> None:
    assert faults(getattr(plot, name)(long_names, size="column")) == []


def test_two_algorithms() -> None:
    found = podium.multitest(podium.Relation.from_chain("a < b"), cost=["b", "a"])
    assert faults(plot.multitest_graph(found, size="column")) == []
