"""Stability by resampling."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

import podium
from podium.analysis.consensus import consensus, stability
from podium.analysis.consensus.stability import mean_order, resample, spread_places
from podium.analysis.relation import Relation, preferences


def experiment(gaps: list[float], replications: int = 40, datasets: int = 1) -> podium.Results:
    """Costs with the given means and unit noise, paired within replications."""
    k = len(gaps)
    rng = np.random.default_rng(8)
    noise = rng.normal(size=(datasets, replications, k)) + rng.normal(size=(datasets, replications, 1))
    values = np.array(gaps) + noise
    rows = [
        (f"d{m}", f"a{i}", b, values[m, b, i]) for m in range(datasets) for b in range(replications) for i in range(k)
    ]
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "replication", "value"])
    return podium.read(table, measure="cost", direction="lower")


CLEAR = experiment([0.0, 5.0, 10.0])
CLOSE = experiment([0.0, 0.01, 10.0])


def test_a_clear_order_is_always_reproduced() -> None:
    found = stability(CLEAR, seed=1, resamples=50)
    assert found.agreement == 1.0
    assert found.outcomes == {Relation.from_chain("a0 < a1 < a2"): 1.0}
    assert np.array_equal(found.places.to_numpy(), np.eye(3))
    assert found.pairs()["agree"].tolist() == [1.0, 1.0, 1.0]
    assert found.unit == "replication"
    assert str(found) == "a0 < a1 < a2\n(reproduced in 100% of 50 resamples of the replications)"


def test_data_that_decide_nothing_are_not_called_stable() -> None:
    rows = [{"dataset": f"d{i}", "algorithm": name, "accuracy": 0.5} for i in range(4) for name in "ab"]
    found = stability(podium.read(rows), order=lambda _: Relation.from_chain("a ~ b"), resamples=5)
    assert not found.decided
    usual = stability(podium.read(rows), resamples=5)  # the order of the means is linear: a < b and b < a are optima
    assert not usual.decided and "nothing is decided" in str(usual)
    assert usual.pairs()["decision"].tolist() == ["~"]


def test_a_close_pair_changes_between_resamples() -> None:
    found = stability(CLOSE, seed=1, resamples=200)
    assert found.agreement == pytest.approx(found.outcomes[found.relations[0]])
    first, second = found.relations[0].topological_sort()[:2]
    assert 0.05 < found.better.loc[second, first] < 0.95
    assert found.better.loc["a0", "a2"] == 1.0
    table = found.pairs().set_index(["a", "b"])
    assert table.loc[(first, second), "agree"] == pytest.approx(found.better.loc[first, second])
    assert table.loc[(first, second), "opposite"] == pytest.approx(found.better.loc[second, first])


def test_outcomes_are_told_apart_by_what_they_are_not_by_their_text() -> None:
    strict = [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    one, two = Relation.from_strict(strict, ["a", "b", "c < d"]), Relation.from_strict(strict, ["a", "b < c", "d"])
    assert str(one) == str(two) and one != two
    found = dataclasses.replace(
        stability(CLEAR, seed=1, resamples=5), relations=(one,), outcomes={two: 0.75, one: 0.25}
    )
    assert str(found).split("\n")[2:] == [f"75%: {two}"]


def test_shares_sum_to_one() -> None:
    found = stability(CLOSE, seed=2, resamples=60)
    assert sum(found.outcomes.values()) == pytest.approx(1.0)
    assert np.allclose(found.places.sum(axis=0), 1.0)
    assert np.allclose(found.places.sum(axis=1), 1.0)
    total = found.better + found.better.T
    assert (total.to_numpy() <= 1 + 1e-12).all()


def test_the_share_of_a_pair_is_the_bootstrap_probability() -> None:
    """The bootstrap share of a mean difference below 0 is near Φ(-t), t the paired statistic (B = 40, 400 draws)."""
    from scipy.stats import norm

    values = CLOSE.values[0, :, :, 0]
    difference = values[:, 0] - values[:, 1]
    expected = norm.cdf(-difference.mean() / (difference.std() / np.sqrt(len(difference))))
    found = stability(CLOSE, seed=3, resamples=400)
    assert found.better.loc["a0", "a1"] == pytest.approx(expected, abs=0.08)  # three standard errors of 400 draws


def test_the_outcome_depends_on_the_seed_and_not_on_the_order_of_labels() -> None:
    one = stability(CLOSE, seed=5, resamples=30)
    again = stability(CLOSE, seed=5, resamples=30)
    turned = stability(CLOSE.select(algorithms=["a2", "a0", "a1"]), seed=5, resamples=30)
    other = stability(CLOSE, seed=6, resamples=30)
    pd.testing.assert_frame_equal(one.better, again.better)
    pd.testing.assert_frame_equal(one.better, turned.better)
    assert not one.better.equals(other.better)


def test_several_data_sets_are_the_unit_by_default() -> None:
    many = experiment([0.0, 0.3, 0.6], replications=5, datasets=8)
    found = stability(many, seed=1, resamples=40)
    assert found.unit == "dataset"
    assert set(found.relations) == set(consensus(preferences(many), "linear", all_optima=True).relations)
    within = stability(many, seed=1, resamples=10, unit="replication")
    assert within.unit == "replication"


def test_any_analysis_can_be_repeated() -> None:
    found = stability(CLOSE, order=lambda r: Relation.from_results(r, epsilon=1.0), seed=1, resamples=20)
    assert str(found.relations[0]) == "a0 ~ a1 < a2"
    assert found.pairs().iloc[0].to_dict() == {"a": "a0", "b": "a1", "decision": "~", "agree": 1.0, "opposite": 0.0}


def test_several_optima_count_in_parts() -> None:
    def both(_: podium.Results) -> object:
        return consensus([Relation.from_chain("a < b"), Relation.from_chain("b < a")], "linear", all_optima=True)

    found = stability(CLEAR, order=both, seed=1, resamples=4)  # type: ignore[arg-type]
    assert found.outcomes == {Relation.from_chain("a < b"): 0.5, Relation.from_chain("b < a"): 0.5}
    assert found.agreement == 1.0
    assert found.better.loc["a", "b"] == 0.5


def test_every_resample_counts_once_whatever_the_number_of_its_optima() -> None:
    """Three orders of three algorithms, each on one data set; all 27 resamples are equally likely.

    Drawn 3, 0, 0 times, one order is the consensus. Drawn 2, 1, 0 times, the one drawn twice is. Drawn once each, the
    three orders form a Condorcet cycle and are the three optima (6 of 27 resamples).
    """
    chains = [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]
    rows = [(f"d{m}", name, place) for m, chain in enumerate(chains) for place, name in enumerate(chain)]
    cycle = podium.read(pd.DataFrame(rows, columns=["dataset", "algorithm", "cost"]), direction="lower")
    found = stability(cycle, seed=1, resamples=50)
    assert len(found.relations) == 3 and found.agreement == 1.0
    assert sum(found.outcomes.values()) == pytest.approx(1.0)
    one = stability(cycle, order=_leader_or_all, seed=1, resamples=500)
    assert str(one.relations[0]) == "a < b < c" and len(one.relations) == 1
    expected = 7 / 27 + 6 / 27 / 3  # once in every resample with this leader, a third in those with all three
    assert one.agreement == pytest.approx(expected, abs=0.063)  # three standard errors of 500 draws
    assert one.agreement == pytest.approx(one.outcomes[one.relations[0]])
    assert sum(one.outcomes.values()) == pytest.approx(1.0)


FOUND: dict[bytes, object] = {}


def _leader_or_all(results: podium.Results) -> podium.Relation | podium.Consensus:
    """Order by the linear consensus; of the full data, whose data sets have their own names, the first optimum."""
    key = results.values.tobytes()  # there are 27 resamples, which are drawn many times
    found = FOUND[key] if key in FOUND else FOUND.setdefault(key, mean_order(results))
    orders = {tuple(row) for row in results.values[:, 0, :, 0].tolist()}
    assert isinstance(found, podium.Consensus) and len(found.relations) == (3 if len(orders) == 3 else 1)
    return min(found.relations, key=str) if results.datasets[0] == "d0" else found


def test_a_data_set_may_lack_an_algorithm() -> None:
    """The second data set lacks c, so that a and b are compared on both, and c on the first and the third."""
    rows = [
        ("d1", "a", 1),
        ("d1", "b", 2),
        ("d1", "c", 3),
        ("d2", "a", 1),
        ("d2", "b", 2),
        ("d3", "a", 1),
        ("d3", "c", 2),
    ]
    lacking = podium.read(pd.DataFrame(rows, columns=["dataset", "algorithm", "cost"]), direction="lower")
    found = stability(lacking, resamples=60, missing="available")
    assert [str(relation) for relation in found.relations] == ["a < b < c"]
    assert found.better.loc["a", "b"] == 1.0 and found.better.loc["a", "c"] == 1.0
    # Without d1, b and c have no data set in common, and every place of one relative to the other is as near.
    assert found.better.loc["b", "c"] + found.better.loc["c", "b"] == pytest.approx(1.0)
    assert sum(found.outcomes.values()) == pytest.approx(1.0)


def test_indifferent_algorithms_share_their_places() -> None:
    assert spread_places(Relation.from_chain("a < b ~ c")).tolist() == [[1, 0, 0], [0, 0.5, 0.5], [0, 0.5, 0.5]]


def test_replications_stay_whole_and_in_their_data_set() -> None:
    table = pd.DataFrame(
        {
            "dataset": ["x"] * 6 + ["y"] * 4,
            "algorithm": ["a", "b"] * 5,
            "replication": [1, 1, 2, 2, 3, 3, 1, 1, 2, 2],
            "cost": [1, 10, 2, 20, 3, 30, 4, 40, 5, 50],
        }
    )
    results = podium.read(table, direction="lower")
    drawn = resample(results, "replication", np.random.default_rng(1))
    assert drawn.design.sum(axis=1).tolist() == [3, 2]
    values = drawn.values[:, :, :, 0]
    there = drawn.design
    assert np.array_equal(values[there][:, 1], 10 * values[there][:, 0])
    assert set(values[0][there[0]][:, 0]) <= {1, 2, 3}
    assert set(values[1][there[1]][:, 0]) <= {4, 5}
    sets = resample(results, "dataset", np.random.default_rng(3))
    assert sets.datasets == ("1", "2")
    assert sets.design.sum(axis=1).tolist() in ([3, 3], [2, 2], [3, 2], [2, 3])


def test_the_mean_order_of_several_data_sets_is_a_consensus() -> None:
    assert mean_order(CLEAR) == Relation.from_results(CLEAR)  # on one data set its own order
    assert mean_order(experiment([0.0, 9.0], datasets=3)).relations == (Relation.from_chain("a0 < a1"),)  # type: ignore[union-attr]
