"""Archetypes against published tables, recorded figures of R's package archetypes 2.2-0.1, and exact optima.

Origin of all figures: tests/reference/golden/archetypes (dissertation chapters 8 and 9; runs of R 4.2.2; optima with
exact constraints that py_pcha 0.1.3 confirms to seven digits).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import permutations

import numpy as np
import pytest

import podium
from podium.analysis.archetypes.descent import descend_together
from podium.analysis.archetypes.hull import project, vertex
from podium.analysis.archetypes.simplex import simplex_least_squares

NEEDS_ALL = "ozone_outliers"  # for others, a quarter of the restarts that robust fits have by default will do


@pytest.fixture(scope="module")
def fitted(table) -> Callable[..., podium.ArchetypalAnalysis]:
    """Three archetypes of a table, fitted once for all tests that look at them."""

    @cache
    def fit(name: str, family: str, loss: str | None = None) -> podium.ArchetypalAnalysis:
        restarts = 5 if family == "robust" and name != NEEDS_ALL else None
        return podium.ArchetypalAnalysis(3, family=family, loss=loss, n_init=restarts).fit(table(name))

    return fit


def matched(found: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Rows in the order that is nearest to the expected ones."""
    order = min(permutations(range(len(wanted))), key=lambda p: np.abs(found[list(p)] - wanted).sum())
    return found[list(order)]


@pytest.mark.parametrize("name", ["toy", "toy_outliers", "skel2", "ozone"])
def test_three_archetypes_are_the_known_optimum(name, table, golden) -> None:
    known = golden("optimum_k3")[name]
    aa = podium.ArchetypalAnalysis(n_archetypes=3, family="classical", n_init=20, random_state=1).fit(table(name))
    assert aa.rss_ <= known["frobenius_rss_scaled"] * (1 + 1e-6)
    assert aa.explained_ == pytest.approx(known["explained_variance"], abs=1e-6)
    assert aa.spectral_rss_ == pytest.approx(known["spectral_norm_scaled"] / known["n"], rel=1e-3)
    found = aa.solution_.scale.scaled(aa.archetypes_)
    assert np.abs(matched(found, np.array(known["archetypes_scaled"])) - known["archetypes_scaled"]).max() < 0.01
    assert (np.diff(aa.history_) <= 0).all()


def test_other_seeds_reach_the_optimum_too(table, fitted, golden) -> None:
    for name in ("toy", "skel2", "ozone"):
        best = golden("optimum_k3")[name]["frobenius_rss_scaled"]
        assert fitted(name, "classical").random_state == 0
        others = [podium.ArchetypalAnalysis(3, random_state=seed).fit(table(name)) for seed in (2,)]
        for aa in (fitted(name, "classical"), *others):
            assert aa.rss_ <= best * (1 + 1e-4)


def test_a_descent_from_table_8_1_ends_in_a_local_optimum(table, fitted, golden) -> None:
    published = np.array(golden("thesis_reproduction")["skel2_table_8_1"]["published"])
    local = golden("optimum_k3")["skel2_local_optimum_reached_from_table_8_1"]
    prepared = podium.ArchetypalAnalysis(3)._prepare(table("skel2"), None)
    problem = prepared.problem
    start = prepared.scale.scaled(published)
    assert problem.rss(start, problem.coefficients(start)) == pytest.approx(
        local["frobenius_rss_of_the_table"], abs=1e-3
    )
    points = [project(problem.hull, z, vertex(problem.hull, 0), most=500) for z in start]
    assert max(np.linalg.norm(point.point - z) for point, z in zip(points, start, strict=True)) < 1e-3
    [ended] = descend_together(problem, [points], tol=1e-9, most=1000)
    assert ended.criterion == pytest.approx(local["frobenius_rss_scaled"], rel=1e-6)
    found = matched(prepared.scale.original(ended.archetypes), np.array(local["archetypes_original_units"]))
    assert np.abs(found - local["archetypes_original_units"]).max() < 0.02
    assert fitted("skel2", "classical").rss_ < 0.996 * ended.criterion  # the optimum is better, and reads differently


def test_optima_that_are_nearly_as_good_are_kept_and_told_apart(table, fitted, golden) -> None:
    """That which table 8.1 leads to is found by restarts, too: half a percent above the best, with other archetypes."""
    local = golden("optimum_k3")["skel2_local_optimum_reached_from_table_8_1"]
    best = golden("optimum_k3")["skel2"]["frobenius_rss_scaled"]
    solution = fitted("skel2", "classical").solution_
    assert [one.hits > 0 for one in solution.optima] == [True, True] and sum(one.hits for one in solution.optima) == 10
    [rival] = solution.rivals
    assert rival.excess == pytest.approx(local["frobenius_rss_scaled"] / best - 1, abs=1e-5)
    found = matched(rival.prototypes, np.array(local["archetypes_original_units"]))
    assert np.abs(found - local["archetypes_original_units"]).max() < 0.05
    away = solution.scale.scaled(rival.prototypes) - solution.scale.scaled(solution.prototypes)
    assert rival.distance == pytest.approx(np.sqrt((away**2).sum(axis=1).max())) == pytest.approx(3.95, abs=0.01)
    scree = podium.archetypes(table("skel2"), k=[3]).frame().loc[0]
    assert (scree["hits"], scree["rivals"]) == (solution.optima[0].hits, 1)
    for name in ("toy", "ozone"):  # one optimum
        assert [one.hits for one in fitted(name, "classical").solution_.optima] == [10]


@pytest.mark.parametrize("name", ["skel2", "ozone"])
def test_the_path_is_monotone_and_at_or_below_recorded_figures(name, table, golden) -> None:
    recorded = next(run for run in golden("step_k1_10") if run["data"] == name and run["family"] == "original")
    path = podium.archetypes(table(name), k=range(1, 11), n_init=2, tol=1e-3)
    rss = path.frame()["rss"].to_numpy()
    assert (np.diff(rss) < 0).all()
    keys = [key for key in recorded["per_k"][0] if key.startswith("frobenius") and "best" in key]
    best = np.array([step[keys[0]] for step in recorded["per_k"]])
    assert (rss <= best * (1 + 1e-6)).all()
    assert path.elbow == 3 and path[3].rss_ == rss[2]


def test_the_toy_path_goes_on_where_r_fails(table) -> None:
    path = podium.archetypes(table("toy"), k=range(1, 7), n_init=1, tol=1e-4)
    rss = path.frame()["rss"]
    assert rss.is_monotonic_decreasing and rss[0] == pytest.approx(498) and rss[5] <= 0.30
    assert path.elbow == 3
    assert path[1].archetypes_[0] == pytest.approx(table("toy").mean().to_numpy())
    assert path[1].spectral_rss_ == pytest.approx(0.0755696, abs=1e-7)


@pytest.mark.parametrize(("name", "data"), [("toy", "toy"), ("skel2", "skel2"), ("ozone", "ozone_scaled")])
def test_the_weighted_family_is_better_than_200_runs_of_r(name, data, table, golden) -> None:
    weights = table(f"weights_{name}")["weight"].to_numpy()
    aa = podium.ArchetypalAnalysis(3, family="weighted").fit(table(data), sample_weight=weights)
    moved = aa.solution_.scale.scaled(table(data).to_numpy(float)) * weights[:, None]
    recorded = golden(f"k3_{name}_weighted")
    for run in ("best_by_package_rss", "best_by_frobenius"):
        its = np.array(recorded[run]["archetypes_scaled"])
        assert aa.criterion_ < ((moved - simplex_least_squares(its, moved) @ its) ** 2).sum()
    if name == "toy":  # the archetype on the side of the small weights is inside the data, as in figure 9.2
        its = np.array(recorded["best_by_frobenius"]["archetypes_original_units"])
        assert np.abs(matched(aa.archetypes_, its) - its).max() < 0.2


@pytest.mark.parametrize("name", ["toy", "toy_outliers", "skel2", "ozone"])
def test_robust_fits_are_as_good_as_the_best_of_100_runs_of_r(name, fitted, golden) -> None:
    recorded = golden("robust_k3_best_by_trimmed_rss")[name]
    aa = fitted(name, "robust")
    solution = aa.solution_
    residuals = solution.scale.scaled(solution.data) - solution.coefficients @ solution.scale.scaled(
        solution.prototypes
    )
    squares = np.sort((residuals**2).sum(axis=1))
    trimmed = squares[: int(np.ceil(0.95 * len(squares)))].sum()
    assert trimmed <= recorded["trimmed_rss"]
    assert aa.robust_weights_.mean() == pytest.approx(recorded["reweights"]["mean"], abs=0.02)
    assert (np.diff(aa.history_) <= 0).all()


def test_the_bisquare_is_the_loss_of_the_robust_family(table) -> None:
    one, two = (
        podium.ArchetypalAnalysis(3, family="robust", loss=loss, n_init=1).fit(table("toy_outliers"))
        for loss in (None, "bisquare")
    )
    assert np.array_equal(one.archetypes_, two.archetypes_) and np.array_equal(one.robust_weights_, two.robust_weights_)


@pytest.mark.parametrize("loss", [None, "welsch"])
@pytest.mark.parametrize("name", ["toy_outliers", "ozone_outliers"])
def test_planted_outliers_are_found(name, loss, table, fitted) -> None:
    aa = fitted(name, "robust", loss)
    planted = table(name).index[-5:]
    limit = {None: 0, "welsch": 0.01}[loss]
    assert (aa.robust_weights_[-5:] <= limit).all()
    if loss is None:
        assert set(aa.outliers().index) == set(planted) and (aa.outliers()["weight"] == 0).all()


@pytest.mark.parametrize(
    ("name", "family", "key", "mean"),
    [
        ("ozone", "classical", "original_clean", 4),
        ("ozone", "robust", "robust_clean_seed1234", 6),
        ("ozone_outliers", "classical", "original_outliers", 4),
        ("ozone_outliers", "robust", "robust_outliers", 4),
    ],
)
def test_percentiles_of_table_9_1(name, family, key, mean, fitted, golden) -> None:
    """The published runs stopped early, so optima differ by some percentiles; the interpretation is the same."""
    published = golden("thesis_reproduction")["ozone_table_9_1"][key]
    aa = fitted(name, family)
    found = matched(aa.solution_.percentiles().to_numpy(), np.array(published["published"]))
    assert np.abs(found - published["published"]).mean() < mean
    if family == "classical":
        assert aa.spectral_rss_ < published["rss_package"]
    if key == "original_outliers":  # one archetype has gone to the outliers
        assert (found[1] > 99).all()


def test_percentiles_are_those_of_the_empirical_distribution(table) -> None:
    """The figures of table 9.1 follow from the archetypes of the runs that it shows (all 27 of a block)."""
    X = table("toy")
    aa = podium.ArchetypalAnalysis(1).fit(X)
    below = [100 * (X[name] <= X[name].mean()).mean() for name in X]
    assert aa.solution_.percentiles().to_numpy()[0] == pytest.approx(below)


def test_rounding_changes_no_percentile() -> None:
    """An archetype that is an observation has its percentiles, also where a value is 0."""
    corners = np.array([[0.0, 0, 1000], [1000, 0, 0], [0, 500, 0]])
    X = np.vstack([corners, np.random.default_rng(0).dirichlet([1, 1, 1], 40) @ corners])
    exact = replace(podium.ArchetypalAnalysis(3).fit(X).solution_, prototypes=corners)
    rounded = replace(exact, prototypes=corners - 1e-13)  # as much as the way to standardised values and back
    assert rounded.percentiles().equals(exact.percentiles())
    assert exact.percentiles().to_numpy()[0] == pytest.approx([100 * 2 / 43, 100 * 2 / 43, 100])
