"""What must hold for every domain: relabelling, shuffling, direction; odd domains; wrong input."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.analysis.consensus.consensus import agreed
from podium.errors import InputError, LabelError
from podium.relations import Criterion


def made(m: int = 5, b: int = 12, k: int = 4, seed: int = 0, measures: int = 1) -> podium.Results:
    rng = np.random.default_rng(seed)
    shift = rng.normal(size=(m, 1, k, measures)) * 0.8
    values = 10 + shift + rng.normal(size=(m, b, k, measures)) * 0.5
    labels = {
        "dataset": [f"set {i}" for i in range(m)],
        "replication": list(range(1, b + 1)),
        "algorithm": list("dbca"[:k]),
        "measure": ["error", "seconds", "size", "depth", "noise"][:measures],
    }
    direction = dict.fromkeys(labels["measure"], "lower")
    return podium.read(values, labels=labels, direction=direction)


def facts(domain: podium.relations.Domain) -> tuple[object, ...]:
    return (
        {name: str(relation) for name, relation in domain.relations.items()},
        [str(relation) for relation in domain.consensus.relations],
        domain.order,
        domain.place_frame().to_dict(),
        domain.distances.frame().sort_index().sort_index(axis=1).to_dict(),
    )


def test_the_order_of_rows_does_not_matter() -> None:
    results = made()
    table = results.to_long()
    other = podium.read(table.sample(frac=1, random_state=1), direction={"error": "lower"})
    one, two = facts(podium.domain(results)), facts(podium.domain(other))
    assert one[0] == two[0] and one[1] == two[1] and one[3] == two[3] and one[4] == two[4] and one[2] == two[2]


def test_the_order_of_algorithms_does_not_matter() -> None:
    results = made(m=9, k=4)
    one, two = (podium.domain(each) for each in (results, results.select(algorithms=list(results.algorithms[::-1]))))
    pd.testing.assert_series_equal(one.frame()["witness"], two.frame()["witness"])
    assert sum(witness != "" for witness in one.frame()["witness"]) > 1
    assert str(one) == str(two)


def test_the_direction_does_not_matter() -> None:
    results = made()
    table = results.to_long().assign(value=lambda frame: -frame["value"])
    other = podium.read(table, direction={"error": "higher"})
    assert facts(podium.domain(results)) == facts(podium.domain(other))


def test_new_names_change_nothing_but_names() -> None:
    results = made()
    names = {"a": "z", "b": "y", "c": "x", "d": "w"}
    renamed = podium.domain(results.rename(algorithms=names))
    for name, relation in podium.domain(results).relations.items():
        assert relation.rename(names) == renamed.relations[name]


def test_the_steps_are_those_done_by_hand() -> None:
    results = made()
    domain = podium.domain(results, method="wilcoxon", consensus="weak", alpha=0.1)
    by_hand = {}
    for name in results.datasets:
        comparison = podium.compare(results.select(dataset=name), method="wilcoxon", alpha=0.1)
        by_hand[name] = comparison.relation()
        assert np.array_equal(domain.local[name].comparisons["error"].adjusted, comparison.adjusted)
    assert domain.relations == by_hand
    assert domain.consensus.relations == podium.consensus(by_hand, "weak", all_optima=True).relations
    assert np.array_equal(domain.distances.matrix, podium.relations.distances(by_hand).matrix)


def test_several_measures_are_combined_on_each_data_set_by_weight() -> None:
    results = made(measures=3)
    domain = podium.domain(results, statistic="mean", weights={"seconds": 0.2, "size": 0})
    for name, local in domain.local.items():
        assert list(local.relations) == ["error", "seconds", "size"]
        both = podium.consensus(local.relations, weights=[1, 0.2, 0], all_optima=True)
        assert local.consensus.relations == both.relations
        for a, b in local.relation.pairs():  # what all optima agree on
            assert all(one.prefers(a, b) for one in both.relations)
        assert domain.relations[name] == local.relation


def test_several_criteria_for_one_measure() -> None:
    results = made(measures=2)
    criteria = [
        Criterion("error", method="t"),
        Criterion("error", statistic="worst", weight=0.5),
        Criterion("seconds", statistic="mean", weight=0.2, name="time"),
    ]
    domain = podium.domain(results, criteria=criteria)
    assert [one.name for one in domain.criteria] == ["error, t", "error, worst", "time"]
    local = domain.local["set 0"]
    assert set(local.comparisons) == {"error, t"}
    assert local.relations["error, worst"] == podium.Relation.from_results(
        results.select(dataset="set 0", measure="error"), statistic="worst"
    )


def test_processes_give_the_same() -> None:
    results = made()
    assert facts(podium.domain(results, workers=2)) == facts(podium.domain(results, workers=1))


# Odd domains


def test_an_algorithm_that_is_absent_on_a_data_set_is_not_ordered_there() -> None:
    table = made().to_long()
    table = table[~((table["dataset"] == "set 1") & (table["algorithm"] == "a"))]
    results = podium.read(table, direction={"error": "lower"})
    domain = podium.domain(results)
    assert domain.local["set 1"].absent == ("a",)
    assert set(domain.relations["set 1"].algorithms) == set("bcd")
    assert np.isnan(domain.places.loc["a", "set 1"])
    assert set(domain.consensus.relation.algorithms) == set("abcd")
    # The distance is that on the common algorithms, scaled from 6 to 12 ordered pairs.
    other = domain.relations["set 0"].restrict(list("bcd"))
    assert domain.distances.between("set 0", "set 1") == 2 * podium.relations.distance(
        other, domain.relations["set 1"].restrict(list("bcd"))
    )
    assert "(without a)" in str(domain)


def test_a_data_set_with_values_of_one_algorithm_is_left_out() -> None:
    table = made().to_long()
    table = table[(table["dataset"] != "set 2") | (table["algorithm"] == "a")]
    domain = podium.domain(podium.read(table, direction={"error": "lower"}))
    assert domain.left_out == ("set 2",)
    assert "set 2" not in domain.datasets
    assert "'set 2'" in str(domain)


@pytest.mark.parametrize("method", ["mixed", "wilcoxon", "t", "wnmt"])
def test_equal_values_are_a_tie(method) -> None:
    table = made().to_long()
    table.loc[table["dataset"] == "set 3", "value"] = 7.0
    missing = "raise" if method == "wnmt" else "available"
    domain = podium.domain(podium.read(table, direction={"error": "lower"}), method=method, missing=missing)
    assert str(domain.relations["set 3"]) == "a ~ b ~ c ~ d"


def test_different_numbers_of_replications() -> None:
    table = made().to_long()
    table = table[(table["dataset"] != "set 0") | (table["replication"] <= 7)]
    domain = podium.domain(podium.read(table, direction={"error": "lower"}), method="t")
    assert domain.local["set 0"].comparisons["error"].n == 7
    assert domain.local["set 1"].comparisons["error"].n == 12


def test_one_data_set_and_two() -> None:
    one = podium.domain(made(m=1))
    assert one.consensus.relation.algorithms and one.model is None and "one data set" in str(one.model_problem)
    assert one.order == ("set 0",) and len(one.subdomains()) == 1
    two = podium.domain(made(m=2))
    assert len(two.subdomains()) == 2 and two.model is not None
    for domain in (one, two):
        podium.plot.summary(domain)
        podium.plot.summary_graph(domain)
        assert str(domain)


def test_data_sets_with_the_same_relation() -> None:
    base = np.array([1.0, 2.0, 3.0])
    noise = np.random.default_rng(0).normal(size=(4, 20, 3)) * 0.01
    results = podium.read(
        base + noise,
        labels={"dataset": list("wxyz"), "replication": None, "algorithm": ["a", "b", "c"]},
        measure="error",
        direction="lower",
    )
    domain = podium.domain(results, method="t")
    assert not domain.distances.matrix.any()
    assert str(domain.relation) == "a < b < c" and domain.consensus.criterion == 0
    numbers = podium.plot.figures.summary_graph(domain)
    apart = np.hypot(*(np.subtract.outer(v, v) for v in (numbers.x, numbers.y)))
    assert apart[np.triu_indices(4, 1)].min() > 0.1  # all four can be seen
    assert not domain.disagreements


def test_copies_of_a_data_set_have_an_order_but_no_model(recwarn) -> None:
    one = made(m=1, b=6, k=3)
    values = np.repeat(one.values, 4, axis=0)
    labels = {"dataset": list("wxyz"), "replication": one.replications, "algorithm": one.algorithms}
    copies = podium.read(values[..., 0], labels=labels, measure="error", direction="lower")
    domain = podium.domain(copies)
    assert domain.model is None and not len(recwarn)
    assert "does not vary over the data sets" in str(domain.model_problem)


def test_one_value_per_cell_needs_a_statistic() -> None:
    results = podium.examples.load_demsar2006()
    with pytest.raises(InputError, match="statistic='mean'"):
        podium.domain(results)
    assert len(podium.domain(results, statistic="mean").relations) == 14


# Wrong input


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measure": "eror"}, "`measure` names 'eror'; the measures are 'error', 'seconds'"),
        ({"measure": "error", "criteria": ["seconds"]}, "not both: each criterion names its measure"),
        ({"criteria": ["error", Criterion("error", name="error")]}, "'error' occurs more than once"),
        ({"criteria": [Criterion("error")], "method": "t"}, "`method` is for criteria that are given as measures"),
        ({"equivalence": 0.1}, "`equivalence` is in the units of one measure"),
        ({"dataset_weights": {"set 0": -1}}, "`dataset_weights` must"),
        ({"measure": "error", "method": "corrected t"}, "Data set 'set 0', criterion 'error'"),
        ({"ratio": 1 / 9}, "Additional arguments go into `options`: options={'ratio': ...}."),
    ],
)
def test_messages(options: dict[str, Any], message: str) -> None:
    with pytest.raises((InputError, LabelError), match=re.escape(message)):
        podium.domain(made(measures=2), **options)


def test_weights_of_data_sets_count_as_copies() -> None:
    results = made(m=3)
    heavy = podium.domain(results, dataset_weights={"set 1": 2})
    copy = results.select(dataset="set 1").rename(datasets={"set 1": "copy"})
    twice = podium.domain(results.combine(copy))
    assert heavy.consensus.criterion == twice.consensus.criterion
    assert heavy.consensus.relations == twice.consensus.relations


# Structure


def planted(seed: int = 3) -> podium.Results:
    """Two groups of data sets with opposite orders."""
    rng = np.random.default_rng(seed)
    order = np.array([0.0, 1.0, 2.0, 3.0])
    means = np.stack([order, order, order, order[::-1], order[::-1], order[::-1]])
    values = means[:, None, :] + rng.normal(size=(6, 15, 4)) * 0.8
    labels = {"dataset": list("pqrxyz"), "replication": None, "algorithm": list("abcd")}
    return podium.read(values, labels=labels, measure="error", direction="lower")


def test_planted_subdomains_are_found_and_stable() -> None:
    domain = podium.domain(planted(), method="t")
    parts = domain.subdomains(2)
    assert {frozenset(part.datasets) for part in parts} == {frozenset("pqr"), frozenset("xyz")}
    by_height = domain.subdomains(height=max(part.diameter for part in parts))
    assert {part.datasets for part in by_height} == {part.datasets for part in parts}
    assert {part.consensus.relation.best for part in parts} == {("a",), ("d",)}
    for unit, resamples in (("dataset", 60), ("replication", 3)):
        found = domain.subdomain_stability(2, unit=unit, resamples=resamples)
        assert found.jaccard.min() > 0.9
        assert found.together.loc["p", "x"] < 0.1


def test_the_distance_of_algorithms_is_half_of_what_an_exchange_of_names_changes() -> None:
    domain = podium.domain(made(k=4), method="t")
    for a, b in (("a", "b"), ("c", "d")):
        swap = {a: b, b: a}
        changed = sum(
            podium.relations.distance(
                one, podium.Relation(one.incidence, tuple(swap.get(n, n) for n in one.algorithms))
            )
            for one in domain.relations.values()
        )
        assert domain.algorithm_distances.between(a, b) == changed / 2


def test_identical_algorithms_are_at_distance_zero() -> None:
    values = np.random.default_rng(0).normal(size=(4, 10, 3)) + np.array([0, 0, 2.0])
    values[:, :, 1] = values[:, :, 0]
    labels = {"dataset": list("wxyz"), "replication": None, "algorithm": list("abc")}
    results = podium.read(values, labels=labels, measure="error", direction="lower")
    domain = podium.domain(results, method="wilcoxon")
    assert domain.algorithm_distances.between("a", "b") == 0
    assert ("a", "b") in domain.algorithm_groups(2)


def test_the_leaf_order_keeps_neighbours_near(uci_domain) -> None:
    def length(order: tuple[str, ...]) -> float:
        table = uci_domain.distances.frame()
        return sum(table.loc[one, two] for one, two in itertools.pairwise(order))

    assert sorted(uci_domain.order) == sorted(uci_domain.datasets)
    assert length(uci_domain.order) <= length(uci_domain.clustering.order)
    for part in uci_domain.subdomains(4):  # the leaves of a cluster stay together
        at = sorted(uci_domain.order.index(name) for name in part.datasets)
        assert at == list(range(at[0], at[0] + len(at)))


def test_an_area_of_equivalence_holds_everywhere() -> None:
    """In the bootstrap and in the model, too, whether it was given for all criteria or for one."""
    results = made(m=3, b=6, k=3)
    whole = podium.domain(results, method="t", equivalence=0.5, by="relevance")
    own = Criterion("error", method="t", by="relevance", options={"equivalence": 0.5})
    single = podium.domain(results, criteria=[own])
    assert facts(whole) == facts(single)
    assert str(whole.model_relation) == str(single.model_relation)
    assert whole._repeated(results).keys() == whole.relations.keys()
    assert all(str(one) == str(whole.relations[name]) for name, one in whole._repeated(results).items())
    estimated = podium.domain(results, statistic="mean", by="relevance")
    assert str(estimated.model_relation) in str(estimated)


def test_methods_for_complete_blocks_apply_to_complete_data() -> None:
    results = made(m=3, b=8, k=3)
    found = podium.domain(results, method="nemenyi")
    assert facts(found) == facts(podium.domain(results, method="nemenyi", missing="raise"))


def test_weights_of_data_sets_count_in_subdomains() -> None:
    results = made(m=4, b=2)
    weights = {"set 1": 5.0, "set 2": 0.0}
    found = podium.domain(results, statistic="mean", dataset_weights=weights)
    (whole,) = found.subdomains(1)
    assert [str(one) for one in whole.consensus.relations] == [str(one) for one in found.consensus.relations]
    assert len(found.subdomains(4)) == 4  # one of them does not count in the domain


def test_a_disagreement_gives_a_reason_that_holds() -> None:
    for seed in range(4):
        results = made(m=5, b=3, seed=seed, measures=2)
        weighted = podium.domain(results, statistic="mean", dataset_weights={"set 0": 3.0})
        for domain in (weighted, podium.domain(results, "error", statistic="mean")):
            for one in domain.disagreements:
                wins = sum(
                    domain.dataset_weights[name] for name, r in domain.relations.items() if r.prefers(one.a, one.b)
                )
                losses = sum(
                    domain.dataset_weights[name] for name, r in domain.relations.items() if r.prefers(one.b, one.a)
                )
                assert one.majority == (wins > losses)


def test_ratios_are_those_of_the_model() -> None:
    """On the log scale the mean of logarithms counts, not the logarithm of the mean."""
    rng = np.random.default_rng(3)
    labels = {"dataset": list("xyz"), "replication": [1, 2, 3, 4], "algorithm": ["a", "b"], "measure": ["seconds"]}
    values = np.exp(rng.normal(size=(3, 4, 2, 1)))
    found = podium.domain(podium.read(values, labels=labels, direction="lower"), statistic="mean")
    assert np.allclose(found._log_means().to_numpy(), np.log(values).mean(axis=1)[..., 0])


def test_names_cannot_break_the_text() -> None:
    results = made(m=2, b=3, k=2).rename(datasets={"set 0": "\x1b[31m\nred", "set 1": "long " * 40})
    text = str(podium.domain(results, statistic="mean"))
    assert "\x1b" not in text and "  [31m red" in text
    assert max(len(line) for line in text.splitlines() if "red" in line) < 60


def test_what_all_optima_agree_on_does_not_depend_on_how_many_are_listed() -> None:
    """A relation has as many nearest linear orders as it has linear extensions; what they share is the relation."""
    better = np.zeros((9, 9), bool)
    better[8, 0] = better[3, 1] = better[8, 5] = True  # thousands of linear extensions
    relation = podium.Relation.from_strict(better, list("abcdefghi"))
    found = podium.consensus({"x": relation}, "linear", all_optima=True, limit=50)
    assert not found.exhausted
    assert agreed({"x": relation}, found).same_preferences(relation)
    rng = np.random.default_rng(0)
    for kind in ("linear", "weak", "partial"):
        for _ in range(3):
            ranks = [dict(zip("abcde", rng.integers(1, 4, 5).tolist(), strict=True)) for _ in range(3)]
            voters = {str(i): podium.Relation.from_ranks(one) for i, one in enumerate(ranks)}
            whole = podium.consensus(voters, kind, all_optima=True, limit=10_000)
            cut = podium.consensus(voters, kind, all_optima=True, limit=1)
            assert whole.exhausted and agreed(voters, cut) == agreed(voters, whole)


def test_the_order_of_a_data_set_does_not_depend_on_names_even_with_thousands_of_optima() -> None:
    """Two opposite measures leave eight algorithms tied: all 40,320 orders are equally near."""
    values = np.empty((2, 3, 8, 2))
    values[..., 0], values[..., 1] = np.arange(8.0), -np.arange(8.0)
    labels = {"dataset": ["x", "y"], "replication": None, "algorithm": list("hgfedcba"), "measure": ["e", "s"]}
    results = podium.read(values, labels=labels, direction={"e": "lower", "s": "lower"})
    domain = podium.domain(results, statistic="mean")
    assert str(domain.relations["x"]) == " ~ ".join("abcdefgh") == str(domain.relation)
