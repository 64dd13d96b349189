"""Archetypes of the UCI domain (dissertation, section 4.4), and of simulated ones."""

from __future__ import annotations

import numpy as np
import pytest

import podium
from podium.archetypal import domain_archetypes
from podium.errors import InputError, MissingCellsError
from podium.results.cube import STOPPED


@pytest.fixture(scope="module")
def uci(reference) -> podium.Results:
    return podium.read(reference("data/eugster/uci621raw.csv.gz"))


@pytest.fixture(scope="module")
def found(uci: podium.Results) -> podium.archetypal.DomainArchetypes:
    return domain_archetypes(uci, "Misclassification", missing="drop-block", k=range(1, 8), n_init=1)


@pytest.fixture(scope="module")
def both(uci: podium.Results) -> podium.archetypal.DomainArchetypes:
    """Archetypes of two measures."""
    measures = ["Misclassification", "Time"]
    return domain_archetypes(uci, measures, aggregate="mean", missing="available", k=3, n_init=2)


def test_four_archetypes_at_the_first_elbow(found) -> None:
    assert found.k == found.path.elbow == 4
    assert "4 archetypes, the elbow of the scree curve, explain 61% of the variation of Misclassification" in str(found)
    assert found.matrix.shape == (6 * 81, 21) and found.matrix.index.names == ["algorithm", "replication"]


def test_one_is_low_on_all_data_sets_and_carries_svm_and_rf(found) -> None:
    profiles = {profile.kind: profile for profile in found.profiles() if profile.kind == "best"}
    best = profiles["best"]
    assert set(best.carries) == {"svm", "rf"} and best.worse == () and len(best.better) == 20
    assert best.name == "A1" and found.solution.percentiles().loc["A1"].max() < 60


def test_one_is_shared_by_knn_and_nnet_and_two_belong_to_one_algorithm_each(found) -> None:
    others = {frozenset(profile.carries) for profile in found.profiles() if profile.kind == "mixed"}
    assert others == {frozenset({"knn", "nnet"}), frozenset({"lda"}), frozenset({"rpart"})}
    assert found.contributions().sum(axis=1).to_numpy() == pytest.approx(np.ones(6))


def test_means_medians_and_several_measures(uci: podium.Results, both) -> None:
    for aggregate in ("mean", "median"):
        means = domain_archetypes(uci, "Misclassification", aggregate=aggregate, missing="available", n_init=1)
        assert means.matrix.shape == (6, 21) and means.path.k == tuple(range(1, 7))
        assert means.path[6].rss_ == pytest.approx(0, abs=1e-6)
    assert both.matrix.shape == (6, 42) and both.k == 3 and "Misclassification and Time" in str(both)
    for profile in both.profiles():
        for columns, places in ((profile.better, profile.better_on), (profile.worse, profile.worse_on)):
            joined = [
                f"{name} {info.name}" for info, names in zip(both.measures, places, strict=True) for name in names
            ]
            assert sorted(columns) == sorted(joined)


def made_up(values: np.ndarray, direction: str = "lower") -> podium.Results:
    m, b, k = values.shape
    labels = {"dataset": [f"d{i}" for i in range(m)], "replication": range(b), "algorithm": list("abcdef"[:k])}
    return podium.read(values, labels=labels, measure="score", direction=direction)


def test_direction_does_not_matter() -> None:
    values = np.random.default_rng(0).normal(size=(5, 6, 4))
    low, high = (
        domain_archetypes(made_up(sign * values, d), k=3, n_init=2) for sign, d in ((1, "lower"), (-1, "higher"))
    )
    assert sorted(p.kind for p in low.profiles()) == sorted(p.kind for p in high.profiles())
    assert low.solution.rss == pytest.approx(high.solution.rss, rel=1e-3)


def test_missing_cells() -> None:
    values = np.random.default_rng(0).normal(size=(5, 6, 4))
    values[0, 0, 0] = np.nan
    results = made_up(values)
    with pytest.raises(MissingCellsError, match="1 of 120 cells is missing"):
        domain_archetypes(results)
    rows = {policy: len(domain_archetypes(results, missing=policy, k=2, n_init=1).matrix)
            for policy in ("drop-block", "drop-algorithm", "worst-value", "available")}  # fmt: skip
    assert rows == {"drop-block": 20, "drop-algorithm": 18, "worst-value": 24, "available": 24}
    values[0, :, 0] = np.nan
    with pytest.raises(MissingCellsError, match="would leave nothing"):
        domain_archetypes(made_up(values), missing="drop-block")
    with pytest.raises(InputError, match="does not apply here"):
        domain_archetypes(results, missing="worst-rank")


def test_replications_that_a_stopping_rule_cut_short() -> None:
    """The last algorithm was left out after three replications of five: only these have a row for all algorithms."""
    values = np.random.default_rng(1).normal(size=(3, 5, 4))
    values[:, 3:, 3] = np.nan
    results = made_up(values)
    results = results.replace(reasons=np.where(np.isnan(results.values), STOPPED, 0).astype(np.uint8))
    for missing in ("raise", "worst-value", "drop-block"):
        matrix = domain_archetypes(results, missing=missing, k=2, n_init=1).matrix
        assert len(matrix) == 4 * 3 and matrix.index.get_level_values("replication").nunique() == 3
        assert not matrix.isna().to_numpy().any()
    values[0, :, 3] = [np.nan, np.nan, np.nan, 1, 2]  # left out in other replications of one data set
    results = made_up(values)
    results = results.replace(reasons=np.where(np.isnan(results.values), STOPPED, 0).astype(np.uint8))
    with pytest.raises(InputError, match="No replication is shared by all data sets"):
        domain_archetypes(results, k=2, n_init=1)


def test_another_number_can_be_chosen(found) -> None:
    three = found.choose(3)
    assert three.k == 3 and three.contributions().shape == (6, 3)
    with pytest.raises(InputError, match="There is no solution with 40 archetypes"):
        found.choose(40)


def test_domains_without_differences() -> None:
    values = np.random.default_rng(0).normal(size=(4, 5, 3))
    values[3] = 0.5
    with pytest.raises(InputError, match="all performances are equal on 1 data set: 'd3'"):
        domain_archetypes(made_up(values), k=2)
    results = made_up(values[:3])
    with pytest.raises(InputError, match="need as many different rows of performances; there are 15"):
        domain_archetypes(results, k=[2, 99])
    with pytest.raises(InputError, match="at least two rows of performances; there is 1"):
        domain_archetypes(made_up(values[:3, :, :1]), aggregate="mean")
    same = made_up(np.repeat(values[:3, :, :2], [1, 3], axis=2))  # three of four algorithms are equal
    assert domain_archetypes(same, aggregate="mean", n_init=1).path.k == (1, 2)
