"""The sensitivity study of section 9.5 of the dissertation, reduced: its conclusions are reproduced."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import podium
from podium.design.generators.corners import simplex_corners


@pytest.mark.parametrize("d", [1, 2, 5, 15])
def test_the_simplex_is_regular(d: int) -> None:
    corners = simplex_corners(d)
    distances = np.sqrt(((corners[:, None] - corners) ** 2).sum(axis=2))
    assert distances[np.triu_indices(d + 1, 1)] == pytest.approx(np.ones(d * (d + 1) // 2))
    assert corners.mean(axis=0) == pytest.approx(np.zeros(d))
    assert np.linalg.norm(corners[0]) == pytest.approx(np.sqrt(d / (2 * (d + 1))))


def test_outliers_have_the_requested_number_and_distance() -> None:
    drawn = podium.Dataset.generated("corners", n=200, d=3, outliers=0.1, distance=5).draw(
        200, np.random.default_rng(0)
    )
    outlying = (drawn.y == "outlier").to_numpy()
    lengths = np.linalg.norm(drawn.X.to_numpy(), axis=1)
    radius = np.sqrt(3 / 8)
    assert outlying.sum() == 20 and lengths[~outlying].max() <= radius + 1e-9
    assert lengths[outlying].mean() == pytest.approx(6 * radius, rel=0.1)


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "examples"))
    yield importlib.import_module("robust_archetypes")
    sys.modules.pop("robust_archetypes")


def test_the_design_is_that_of_the_section(example: ModuleType) -> None:
    design = example.study()
    levels = design.factors.datasets
    assert sorted(set(levels["d"])) == [2, 3, 10, 15] and sorted(set(levels["distance"])) == [2, 3, 5, 15]
    assert len(levels) == len(design.datasets) == 4 * 3 * 4 and design.resampling.replications == 100
    assert {generator.n for generator in design.datasets} == {2000}
    assert {generator.parameters["variance"] for generator in design.datasets} == {0.05}
    outliers = [(design.samples(name, 1)[0].y == "outlier").sum() for name in levels.index[:12:4]]
    assert outliers == [5, 20, 100]
    for family in ("classical", "robust"):
        model = example.CornersKnown(family=family)
        assert (model.start, model.n_init, model.max_iter) == ("random", 1, 100)


@pytest.mark.usefixtures("in_this_process")
def test_the_number_of_archetypes_is_a_factor_of_the_second_simulation(example: ModuleType) -> None:
    design = example.study(n=40, dimensions=(3,), shares=(0.05,), distances=(15,), further=(-2, 0, 2), replications=2)
    seed = podium.Measure("seed", lambda model, learn, test: model.random_state, direction="lower")
    design = podium.Experiment(
        datasets=design.datasets,
        algorithms=design.algorithms,
        resampling=design.resampling,
        measures=[*design.measures, seed],
        seed=1,
    )
    results = podium.run(design, executor="threads", workers=1, progress="quiet")
    table = example.medians(results, design).droplevel(["d", "outliers", "distance"])
    robust = table.loc[[f"robust(further={further})" for further in (-2, 0, 2)]]
    seeds = results.select(measure="seed").to_long()
    assert (seeds.groupby("algorithm")["value"].nunique() == 2).all()  # each trial has a start of its own
    # With more archetypes, more of them are away from the corners, and each corner has one that is nearer.
    assert robust["archetype distance"].iloc[2] > 1.5 * robust["archetype distance"].iloc[0]
    assert robust["corner distance"].iloc[2] < 0.5 * robust["corner distance"].iloc[0]
    assert robust["weighted RSS"].is_monotonic_decreasing
    assert (robust["weighted RSS"] < robust["RSS"]).all()
    original = table.loc["original(further=0)"]
    assert original["weighted RSS"] == pytest.approx(original["RSS"])  # all weights are 1


@pytest.mark.usefixtures("in_this_process")
def test_robust_archetypes_stay_where_original_ones_follow_the_outliers(example: ModuleType) -> None:
    design = example.study(
        n=60, dimensions=(2, 4), shares=(0.05,), distances=(2, 15), start=None, n_init=1, replications=2
    )
    results = podium.run(design, executor="threads", workers=1, progress="quiet")
    assert not results.missing.any()
    table = example.medians(results, design).droplevel("outliers")
    original, robust = table.xs("original", level="algorithm"), table.xs("robust", level="algorithm")
    for d in (2, 4):
        # One original archetype goes for the outliers; the others stay near the corners.
        assert original.loc[(d, 15), "archetype distance"] > 2.5 * original.loc[(d, 2), "archetype distance"]
        assert original.loc[(d, 15), "archetype distance"] > 4 * robust.loc[(d, 15), "archetype distance"]
        # Distances of the robust ones stay small however far the outliers are.
        assert robust.loc[(d, 15), "archetype distance"] < 2 * robust.loc[(d, 2), "archetype distance"]
        assert robust.loc[(d, 15), "outlier weight"] == 0 and original.loc[(d, 15), "outlier weight"] == 1
        broken = example.breakdowns(results, design).loc[(d, 0.05)]  # of two replications at two distances
        assert broken["original"] == 4 and broken["robust"] <= 1
    # In more dimensions the robust solution is smaller than the simplex.
    per_corner = robust.xs(15, level="distance")["corner distance"] / np.array([3, 5])
    assert per_corner[4] > per_corner[2]


def test_a_robust_fit_keeps_the_outliers_that_its_restarts_have_found() -> None:
    """Restarts stop at a coarse tolerance; where the best goes on, it goes on with its tuning constant."""
    drawn = podium.Dataset.generated("corners", n=2000, d=2, outliers=0.05, distance=3).draw(
        2000, np.random.default_rng(6)
    )
    aa = podium.ArchetypalAnalysis(3, family="robust", n_init=5).fit(drawn.X)
    assert (aa.robust_weights_[(drawn.y == "outlier").to_numpy()] == 0).all()
    assert aa.archetypes_ == pytest.approx(simplex_corners(2)[[2, 1, 0]], abs=0.06)
