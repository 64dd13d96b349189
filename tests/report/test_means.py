"""Measures on a log scale have one mean in all of a report: tables and figures agree."""

from __future__ import annotations

import dataclasses

import matplotlib.pyplot as plt
import numpy as np
import pytest

import podium
from podium.show.report import Figure, Tabular
from podium.show.report.analyses import Attempt
from podium.show.report.sections.costs import COSTS


def scores(datasets: int) -> podium.Results:
    """The time of one algorithm has a few long values: its arithmetic mean is the highest, its geometric the lowest."""
    rng = np.random.default_rng(3)
    times = np.exp(rng.normal(0, 0.1, size=(datasets, 12, 3))) * np.array([1.0, 2.0, 3.0])
    times[:, 0, 0] = 60.0
    values = np.stack([rng.random(times.shape), times], axis=-1)
    labels = {
        "dataset": [f"set {i}" for i in range(datasets)],
        "replication": list(range(12)),
        "algorithm": ["ada", "bob", "cleo"],
        "measure": ["error", "fit time"],
    }
    known = {"scale": {"fit time": "log"}, "units": {"fit time": "s"}, "independent": datasets == 1}
    return podium.read(values, labels=labels, direction="lower", **known)


@pytest.mark.parametrize("datasets", [1, 4])
@pytest.mark.parametrize(("measure", "name"), [("error", "time"), ("fit time", "box")])
def test_figures_show_the_geometric_means_of_the_table(datasets: int, measure: str, name: str) -> None:
    report = podium.report(scores(datasets), measure=measure, sections=["distributions"])
    (figure,) = [
        block for block in report.section("distributions").blocks if isinstance(block, Figure) and block.name == name
    ]
    assert "geometric mean" in figure.caption
    head = [column.name for column in figure.data.columns]
    table = {row[0].value: row[head.index("geometric mean")].value for row in figure.data.rows}
    assert next(iter(table)) == "ada"
    ax = figure.draw()
    labels = [label.get_text() for label in ax.get_yticklabels()]
    points = np.asarray(ax.collections[-1].get_offsets())  # the means are drawn last
    drawn = dict(zip(labels, points[:, 0], strict=True))
    plt.close("all")
    assert drawn == pytest.approx(table)


def column(table: podium.typesetting.Table, head: str) -> dict[str, float]:
    at = [column.name for column in table.columns].index(head)
    return {row[0].value: row[at].value for row in table.rows}


def geometric(results: podium.Results, measure: str) -> np.ndarray:
    """Geometric means over replications: data sets × algorithms."""
    return np.exp(np.log(results.select(measure=measure).values[..., 0]).mean(axis=1))


def test_costs_of_one_data_set_are_the_geometric_means_of_the_answer() -> None:
    results = scores(1)
    report = podium.report(results, sections=["answer", "costs"])
    said, figure, table = report.section("costs").blocks
    expected = dict(zip(results.algorithms, geometric(results, "fit time")[0].tolist(), strict=True))
    assert column(table.table, "Geometric mean fit time") == pytest.approx(expected)
    assert "by fit time (lower is preferred), is ada, bob, cleo." in said.text  # by arithmetic means, ada is last
    assert f"for the lowest fit time ({expected['ada']:.3g} s)" in report.section("answer").blocks[1].items[2]
    assert isinstance(figure, Figure)


def test_costs_on_each_of_several_data_sets_are_geometric_means() -> None:
    results = scores(4)
    found = podium.show.report.Analyses(results).multitest.value
    for one, expected in zip(found.first.values(), geometric(results, "fit time"), strict=True):
        assert one.cost.tolist() == pytest.approx(expected.tolist())


@pytest.mark.parametrize("policy", ["available", "worst-rank"])
def test_an_order_by_cost_from_all_data_sets_shows_means_not_ranks(policy: str) -> None:
    rng = np.random.default_rng(3)
    values = np.exp(rng.normal(size=(8, 1, 3, 2)) + np.array([[0, 2], [1, 1], [2, 0]]))
    labels = {
        "dataset": [f"set {i}" for i in range(8)],
        "replication": [1],
        "algorithm": ["ada", "bob", "cleo"],
        "measure": ["fit time", "memory"],
    }
    scale = {"fit time": "log", "memory": "log"}
    results = podium.read(values, labels=labels, direction="lower", scale=scale)
    report = podium.report(results, sections=["costs"], missing=policy)
    _, figure, table = report.section("costs").blocks
    expected = np.exp(np.log(values[:, 0, :, 0]).mean(axis=0))
    assert column(table.table, "Geometric mean fit time") == pytest.approx(
        dict(zip(results.algorithms, expected.tolist(), strict=True))
    )
    assert set(column(table.table, "Average normalised cost")) == set(results.algorithms)
    drawn = np.concatenate([one.get_offsets() for one in figure.draw().collections if len(one.get_offsets())])
    assert set(np.round(expected, 9)) <= set(np.round(drawn[:, 1].astype(float), 9))
    plt.close("all")


def test_costs_are_called_normalised_by_what_they_are_not_by_their_name() -> None:
    rng = np.random.default_rng(4)
    labels = {"dataset": [f"set {i}" for i in range(12)], "replication": [1], "algorithm": list("abcd")}
    error, seconds = 5 + rng.normal(size=(12, 1, 4)) + np.linspace(0, 1.5, 4), 2 + rng.gamma(5, size=(12, 1, 4))
    results = podium.read(
        np.stack([error, seconds], -1), labels={**labels, "measure": ["error", "seconds"]}, direction="lower"
    )
    analyses = podium.show.report.Analyses(results)
    found = analyses.multitest.value
    assert found.normalised and not podium.multitest(found.comparison, cost=[1, 2, 3, 4]).normalised
    assert found.cost.min() >= 0 and found.cost.max() <= 1
    analyses.__dict__["multitest"] = Attempt(dataclasses.replace(found, cost_info=results.measures[1]))
    *_, table = COSTS.make(analyses)
    assert isinstance(table, Tabular)
    assert [one.name for one in table.table.columns if "cost" in one.name] == ["Average normalised cost"]


def test_an_order_by_cost_of_a_measure_on_a_log_scale_shows_its_geometric_means() -> None:
    rng = np.random.default_rng(3)
    values = np.exp(rng.normal(size=(4, 8, 3, 2)) + np.array([[0, 2], [1, 1], [2, 0]]))
    values[0, 0, 0, 0] = 5000.0  # by arithmetic means, ada is the slowest
    labels = {
        "dataset": [f"set {i}" for i in range(4)],
        "replication": list(range(8)),
        "algorithm": ["ada", "bob", "cleo"],
        "measure": ["fit time", "memory"],
    }
    results = podium.read(values, labels=labels, direction="lower", scale="log")
    _, figure, table = podium.report(results, measure="fit time", sections=["costs"]).section("costs").blocks
    expected = np.exp(np.log(values[..., 0]).mean(axis=(0, 1)))
    means = dict(zip(results.algorithms, expected.tolist(), strict=True))
    assert column(table.table, "Geometric mean fit time") == pytest.approx(means)
    assert column(figure.data, "Geometric mean fit time") == pytest.approx(means)
    ax = figure.draw()
    drawn = np.concatenate([one.get_offsets() for one in ax.collections if len(one.get_offsets())])
    assert sorted(drawn[:, 1].tolist()) == pytest.approx(sorted(expected.tolist()))
    assert ax.get_ylabel().startswith("geometric mean fit time")
    plt.close("all")


def test_a_mean_of_values_that_are_not_all_positive_is_not_called_geometric() -> None:
    times = np.exp(np.random.default_rng(3).normal(size=(6, 10, 3)))
    for zero, said in ((False, "with a geometric mean fit time of "), (True, "with a mean fit time of ")):
        times[0, 0, 0] = 0.0 if zero else 1.0
        values = np.stack([times, times[..., ::-1]], axis=-1)
        labels = {"dataset": list("uvwxyz"), "replication": list(range(10)), "algorithm": ["ada", "bob", "cleo"]}
        results = podium.read(
            values, labels={**labels, "measure": ["fit time", "memory"]}, direction="lower", scale={"fit time": "log"}
        )
        report = podium.report(results, measure="fit time", sections=["answer"])
        assert said in report.section("answer").blocks[1].items[2]


def test_orders_and_means_on_data_sets_are_geometric() -> None:
    times = np.tile([[[1.0, 3.0, 4.0], [16.0, 3.5, 5.0]]], (4, 1, 1))  # means of ada are 8.5 and 4
    times[3, 1] = np.nan  # one replication cannot be tested
    labels = {"dataset": list("uvwx"), "replication": [1, 2], "algorithm": ["ada", "bob", "cleo"]}
    results = podium.read(times, labels=labels, measure="fit time", direction="lower", scale="log")
    blocks = podium.report(results, sections=["domain"]).section("domain").blocks
    (orders,) = [block.table for block in blocks if isinstance(block, Tabular) and block.name == "orders"]
    assert [row[1].text for row in orders.rows] == [*["bob ≺ ada ≺ cleo"] * 3, "ada ≺ bob ≺ cleo"]
    (figure,) = [block for block in blocks if isinstance(block, Figure) and block.name == "domain-summary"]
    assert column(figure.data, "ada") == pytest.approx({"u": 4.0, "v": 4.0, "w": 4.0, "x": 1.0})
