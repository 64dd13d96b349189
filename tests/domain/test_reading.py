"""What a domain says about itself: levels and witnesses, places, effects, models, stability, progress."""

from __future__ import annotations

import numpy as np
import pytest

import podium
from podium import progress
from podium.analysis.domain.local_analysis import levels_of
from podium.analysis.domain.subdomains import draw_replications
from podium.errors import InputError
from podium.relations import Criterion

NAMES = {"dataset": list("ABCD"), "replication": None, "algorithm": list("abcd")}


def cyclic() -> podium.relations.Domain:
    """On each data set a beats b, b beats c and c beats a, each in two thirds of the replications; d wins or loses."""
    rng = np.random.default_rng(1)
    dice = np.array([[1.0, 2, 3], [2, 3, 1], [3, 1, 2]])
    values = np.empty((4, 90, 4))
    for m in range(4):
        values[m, :, :3] = dice[rng.permutation(np.repeat([0, 1, 2], 30))]
        values[m, :, 3] = 4.0 if m % 2 else 0.0
    results = podium.read(values, labels=NAMES, measure="error", direction="lower")
    return podium.domain(results, method="sign", options={"adjust": "none"})


def test_a_cycle_has_levels_and_a_witness() -> None:
    domain = cyclic()
    table = domain.frame()
    assert table["levels"].tolist() == ["d | (a, b, c)", "(a, b, c) | d"] * 2
    assert set(table["witness"]) == {"a, b, c"} and not table["transitive"].any()
    assert domain.local["A"].levels == ((("d",),), (("a", "b", "c"),))
    assert "d | (a, b, c)  (not a weak order: a < b < c < a)" in str(domain)
    assert "(a, b, c) | d" in str(domain.table()) and "a ≺ b ≺ c ≺ a" in domain.table().latex().replace(r"$\prec$", "≺")
    # The summary plot needs an order: inside a cycle the fewest better ones come first, then the better statistic.
    drawn = podium.plot.figures.summary(domain)
    assert sorted(drawn.podium[0].tolist()) == [0, 1, 2, 3] and not drawn.weak_order.any()


def test_no_algorithm_is_first_where_all_are_in_a_cycle() -> None:
    first = podium.domain(
        cyclic().results.select(algorithms=["a", "b", "c"]), method="sign", options={"adjust": "none"}
    )
    assert not first.place_frame()[1].any()
    assert "First places: none. On every data set each algorithm is beaten by another one" in str(first)


def test_the_levels_of_an_acyclic_relation_are_those_of_its_diagram() -> None:
    for chain in ("a < b ~ c < d", "a ~ b", "c < a"):
        relation = podium.Relation.from_chain(chain)
        assert [sum(level, ()) for level in levels_of(relation)] == [tuple(one) for one in relation.levels()]
    circle = podium.Relation.from_strict([[0, 1, 0], [0, 0, 1], [1, 0, 0]], list("abc"))
    assert levels_of(circle) == ((("a", "b", "c"),),)


def test_a_relation_that_is_not_transitive_has_a_witness() -> None:
    better = podium.Relation.from_strict([[0, 1, 0], [0, 0, 1], [0, 0, 0]], list("abc"))
    local = podium.relations.LocalAnalysis(
        dataset="x", comparisons={}, relations={"e": better}, consensus=None, relation=better, absent=()
    )
    assert local.witness == ("a", "b", "c") and not local.transitive


def test_places_alone_are_apart(uci_domain) -> None:
    counts, alone = uci_domain.place_frame(), uci_domain.place_frame(alone=True)
    places = list(range(1, 7))
    assert list(counts.index) == list(alone.index)
    assert (counts[places].sum(axis=1) == 21).all() and (alone[places] <= counts[places]).all().all()
    assert (counts.loc["svm", 1], alone.loc["svm", 1]) == (13, 6)
    text = str(uci_domain.table("places"))
    assert "13 (6)" in text and "8 (3)" in text


@pytest.fixture(scope="module")
def common(uci):
    keep = [name for b, name in enumerate(uci.replications) if not np.isnan(uci.values[:, b]).any()]
    return uci.select(replication=keep)


def test_the_effects_are_those_of_r(common, golden) -> None:
    """κ, β_m and β_mk of the scalar model in closed form (golden/eugster/uci.json, exact REML solution)."""
    domain = podium.domain(common, statistic="mean", covariance="scalar")
    exact = golden["domain_model"]["closed_form"]["scalar_model"]
    effects = domain.effects()
    assert effects["data set"].idxmin() == "monks3" and effects["data set"].idxmax() == "liver"  # section 4.5.1
    assert list(effects.columns) == ["data set", *domain.model.estimates.index]
    for name, value in exact["blup_dataset"].items():
        assert effects.loc[name, "data set"] == pytest.approx(value, abs=1e-6)
    cells = exact["blup_dataset_algorithm"]
    assert np.allclose(effects.loc[cells["rows"], cells["cols"]], cells["matrix"], atol=1e-6)
    table = domain.table("effects")
    assert table.rows[0][0].text == "Mean of the domain" and len(table.rows) == 22
    assert "0.2011" in table.latex()


def test_without_a_model_there_are_no_effects() -> None:
    values = np.random.default_rng(0).normal(size=(1, 6, 3))
    results = podium.read(
        values, labels={"dataset": ["x"], "replication": None, "algorithm": list("abc")}, measure="e", direction="lower"
    )
    domain = podium.domain(results, method="t")
    assert domain.models == {} and domain.model_consensus is None
    for call in (domain.effects, lambda: domain.table("effects")):
        with pytest.raises(InputError, match="There is no mixed-effects model of the domain"):
            call()


def several(seed: int = 2) -> podium.Results:
    rng = np.random.default_rng(seed)
    values = 10 + rng.normal(size=(5, 1, 3, 2)) * 0.2 + rng.normal(size=(5, 8, 3, 2)) * 0.3
    values[..., 0] += np.array([0.0, 2.0, 2.0])
    values[..., 1] += np.array([3.0, 0.0, 3.0])
    labels = {"dataset": list("vwxyz"), "replication": None, "algorithm": list("abc"), "measure": ["error", "price"]}
    return podium.read(values, labels=labels, direction={"error": "lower", "price": "lower"})


def test_each_measure_has_a_model_and_they_have_a_consensus() -> None:
    """Section 4.3 of the dissertation: one model per measure, one relation each, and the order nearest to them."""
    results = several()
    domain = podium.domain(results, statistic="mean", weights={"price": 0.5})
    assert list(domain.models) == ["error", "price"]
    for name in ("error", "price"):
        alone = podium.mixed(results.select(measure=name)).contrasts()
        assert domain.model_relations[name] == alone.relation()
    assert domain.model_relations["error"] == domain.model_relation
    by_hand = podium.consensus(domain.model_relations, weights=[1, 0.5], all_optima=True)
    assert domain.model_consensus.relations == by_hand.relations
    twice = podium.domain(results, criteria=[Criterion("error"), Criterion("error", statistic="worst")])
    assert list(twice.models) == ["error"]


# Structure


def test_the_order_of_data_sets_does_not_change_the_tree(uci_domain) -> None:
    names = list(reversed(uci_domain.datasets))
    other = podium.domain(uci_domain.results.select(dataset=names), statistic="mean")
    plain = podium.domain(uci_domain.results, statistic="mean")
    assert other.order == plain.order
    assert [set(one.datasets) for one in other.subdomains(5)] == [set(one.datasets) for one in plain.subdomains(5)]


def test_the_winner_of_a_subdomain_is_recovered() -> None:
    rng = np.random.default_rng(3)
    order = np.array([0.0, 1.0, 2.0, 3.0])
    means = np.stack([order] * 4 + [order[::-1]] * 4)
    values = means[:, None, :] + rng.normal(size=(8, 6, 4)) * 0.3
    labels = {"dataset": list("pqrsWXYZ"), "replication": None, "algorithm": list("abcd")}
    results = podium.read(values, labels=labels, measure="error", direction="lower")
    domain = podium.domain(results, statistic="mean")
    found = domain.subdomain_stability(2, resamples=50)
    table = found.frame()
    assert set(table["winner"]) == {"a", "d"} and (table["share"] > 0.9).all()
    assert np.allclose(found.winners.sum(axis=1), 1)
    again = domain.subdomain_stability(2, resamples=50)
    assert again.winners.equals(found.winners)
    # Replications: the order of these means hardly changes.
    assert (domain.subdomain_stability(2, unit="replication", resamples=3).frame()["share"] > 0.9).all()


def test_algorithms_are_clustered_and_their_groups_assessed() -> None:
    rng = np.random.default_rng(0)
    level = rng.normal(size=(10, 1, 2)) * 3  # two kinds of algorithms, which differ from data set to data set
    values = np.repeat(level, 2, axis=2) + rng.normal(size=(10, 5, 4)) * 0.05
    labels = {"dataset": [f"d{i}" for i in range(10)], "replication": None, "algorithm": ["a1", "a2", "b1", "b2"]}
    results = podium.read(values, labels=labels, measure="error", direction="lower")
    domain = podium.domain(results, method="t")
    assert {frozenset(one) for one in domain.algorithm_groups(2)} == {frozenset(("a1", "a2")), frozenset(("b1", "b2"))}
    assert domain.algorithm_clustering.groups(2) == domain.algorithm_groups(2)
    order = domain.algorithm_clustering.order
    assert {frozenset(order[:2]), frozenset(order[2:])} == {frozenset(one) for one in domain.algorithm_groups(2)}
    for unit, resamples in (("dataset", 30), ("replication", 2)):
        found = domain.algorithm_stability(2, unit=unit, resamples=resamples)
        assert found.jaccard.min() > 0.8 and found.together.loc["a1", "a2"] > 0.8
        assert found.frame()["size"].tolist() == [2, 2] and f"{resamples} samples" in str(found)


def test_an_algorithm_that_is_often_absent_is_not_near_all_others() -> None:
    values = np.tile(np.array([1.0, 2.0, 3.0, 4.0]), (6, 3, 1)) + np.linspace(0, 0.1, 3)[None, :, None]
    values[1:, :, 3] = np.nan
    labels = {"dataset": list("uvwxyz"), "replication": None, "algorithm": list("abcd")}
    domain = podium.domain(podium.read(values, labels=labels, measure="error", direction="lower"), statistic="mean")
    whole = values.copy()
    whole[:, :, 3] = 4.0
    full = podium.domain(podium.read(whole, labels=labels, measure="error", direction="lower"), statistic="mean")
    # On the one common data set a and d are as far apart as on all six.
    assert domain.algorithm_distances.between("a", "d") == full.algorithm_distances.between("a", "d") == 6 * 5


def test_a_bootstrap_sample_of_a_cross_validation_is_one() -> None:
    """Whole repeats are drawn, so the 5×2 cv F test applies to the sample, too."""
    results = podium.examples.load_ulas2008("accuracy").select(datasets=["car", "iris", "zoo"])
    sample = draw_replications(results, np.random.default_rng(0))
    assert sample.structure["repeat"].tolist() == results.structure["repeat"].tolist()
    assert sample.structure["fold"].tolist() == results.structure["fold"].tolist()
    for m in range(3):
        pairs = results.values[m, :, 0, 0].reshape(5, 2).tolist()
        assert all(one in pairs for one in sample.values[m, :, 0, 0].reshape(5, 2).tolist())
    found = podium.domain(results, method="5x2cv F").subdomain_stability(2, unit="replication", resamples=2)
    assert found.resamples == 2


# Progress


class Noted:
    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []
        self.closed = 0

    def update(self, tally: progress.StepTally) -> None:
        self.seen.append((tally.ended, tally.total))

    def close(self, tally: progress.StepTally) -> None:
        self.closed += 1


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_is_reported_after_each_data_set(workers) -> None:
    noted = Noted()
    podium.domain(several(), statistic="mean", workers=workers, progress=noted)
    assert noted.seen == [(i, 5) for i in range(1, 6)] and noted.closed == 1


def few_replications(replications: list[int]) -> podium.Results:
    """Differences of 20 standard deviations, on data sets with these numbers of replications."""
    rng = np.random.default_rng(0)
    rows = [
        {"dataset": f"d{i}", "replication": j, "algorithm": name, "accuracy": 0.8 - 0.1 * k + 0.005 * rng.normal()}
        for i, count in enumerate(replications)
        for j in range(count)
        for k, name in enumerate("abc")
    ]
    return podium.read(rows, measure="accuracy")


def test_data_sets_on_which_no_difference_can_be_shown_are_said_once() -> None:
    """Five blocks: the smallest two-sided p-value is 2 · 2^-5 = 0.0625, and Shaffer's first step multiplies it by 3."""
    every = podium.domain(few_replications([5] * 4), method="wilcoxon")
    (note,) = [note for note in every.notes if note.code == "few blocks inside"]
    assert (note.code, note.facts["datasets"], note.facts["of"]) == ("few blocks inside", ("d0", "d1", "d2", "d3"), 4)
    assert note.facts["least"] == 3 * 2 * 0.5**5 and note.facts["needed"] == 7
    assert str(every).count(str(note)) == 1 and note.finding in every.table().notes
    some = podium.domain(few_replications([12, 3, 4, 12]), method="wilcoxon")
    assert (some.notes[0].facts["datasets"], some.notes[0].facts["of"]) == (("d1", "d2"), 4)
    for able in (podium.domain(few_replications([12] * 4)), podium.domain(few_replications([5] * 4), method="t")):
        assert "few blocks inside" not in [note.code for note in able.notes] and able.is_ordered


def test_tests_are_counted_with_their_data_sets() -> None:
    # The model does not know `omnibus`, so the tests are those that `compare` chooses.
    rows = few_replications([20, 6, 20]).to_trials()
    domain = podium.domain(podium.read(rows, independent=True), options={"omnibus": False})
    rows = domain.test_frame()
    assert rows["datasets"].tolist() == [("d0", "d2"), ("d1",)]
    assert rows["method"].tolist() == ["wilcoxon", "permutation t"]
    assert rows["chosen"].tolist() == [True, True]
    ulas = podium.examples.load_ulas2008("accuracy").select(datasets=["car", "iris", "zoo"])
    assert podium.domain(ulas).test_frame()[["method", "chosen"]].to_numpy().tolist() == [["mixed", True]]
    corrected = podium.domain(ulas, options={"ratio": 1.0}).test_frame()
    assert corrected[["method", "chosen"]].to_numpy().tolist() == [["corrected t", True]]
    criteria = {"test": Criterion("accuracy", method="5x2cv F"), "worst": Criterion("accuracy", statistic="worst")}
    assert podium.domain(ulas, criteria=criteria).test_frame()["criterion"].tolist() == ["test"]


def fast_but_worse(scale: str = "linear") -> podium.Results:
    """On four data sets a is worse than b by 0.1 (or twice as bad) in the first measure, and far better in the second."""
    rng = np.random.default_rng(3)
    rows = []
    for m in range(4):
        for name, loss, seconds, own in (("a", 0.2, 1.0, 0.002), ("b", 0.1, 9.0, -0.002)):
            for b, noise in enumerate(rng.permutation(np.linspace(-0.01, 0.01, 12)) + own * (m - 1.5)):
                first = {"memory": loss * np.exp(noise)} if scale == "log" else {"error": loss + noise}
                rows.append(
                    {"dataset": f"d{m}", "replication": b, "algorithm": name, **first, "seconds": seconds + noise}
                )
    return podium.read(rows, direction="lower")


def test_an_algorithm_is_not_better_by_a_negative_number() -> None:
    domain = podium.domain(fast_but_worse(), weights={"seconds": 2.0})
    (one,) = domain.disagreements
    assert (one.a, one.b, one.wins, one.losses, one.measure) == ("a", "b", 4, 0, "error")
    assert one.gain == pytest.approx(-0.1, abs=0.002)
    assert "although its mean error is worse there, by 0.1 on average" in str(one)


def test_a_negative_difference_of_logarithms_is_a_factor_above_one() -> None:
    domain = podium.domain(fast_but_worse("log"), weights={"seconds": 2.0})
    (one,) = domain.disagreements
    assert one.ratios
    assert "although its geometric mean memory is worse there, by a factor of 2 on average" in str(one)
