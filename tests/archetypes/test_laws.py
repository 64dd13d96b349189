"""Laws of archetypal analysis: constraints, optimality of each step, monotony, invariances, weights, missing cells."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import nnls

import podium
from podium.analysis.archetypes.descent import Problem, descend_together
from podium.analysis.archetypes.hull import project, vertex
from podium.analysis.archetypes.restarts import finish, run_restarts
from podium.analysis.archetypes.simplex import simplex_least_squares
from slow_laws import few_examples

seeds = st.integers(0, 10_000)


def mixtures(n: int = 60, seed: int = 0, k: int = 3, m: int = 2, noise: float = 0.05) -> np.ndarray:
    """Mixtures of k corners, with noise."""
    generator = np.random.default_rng(seed)
    corners = 3 * generator.normal(size=(k, m))
    return generator.dirichlet(np.full(k, 0.5), n) @ corners + noise * generator.normal(size=(n, m))


def quick(k: int = 3, **options: Any) -> podium.ArchetypalAnalysis:
    return podium.ArchetypalAnalysis(k, **{"n_init": 2, "tol": 1e-6} | options)


@given(seeds, st.integers(1, 7), st.integers(1, 5), st.sampled_from(["any", "thin", "small", "equal"]))
def test_coefficients_are_exact(seed: int, k: int, m: int, shape: str) -> None:
    """Reference: non-negative least squares of SciPy, with a heavy penalty for the sum."""
    generator = np.random.default_rng(seed)
    n = 15 if seed % 3 else 120  # few rows have a system each, many share an inverse
    points, targets = generator.normal(size=(k, m)), 2 * generator.normal(size=(n, m))
    if shape == "thin":  # nearly on a line
        points = points[:, :1] * points[0] + 10.0 ** -generator.integers(1, 17) * points
    elif shape == "small":  # far from the origin
        points = 10.0 ** -generator.integers(1, 9) * points + targets[0]
    elif shape == "equal":
        points[-1] = points[0]
    if seed % 2:
        targets = generator.dirichlet(np.ones(k), n) @ points  # inside
    a = simplex_least_squares(points, targets)
    assert a.min() >= 0 and np.abs(a.sum(axis=1) - 1).max() < 1e-14
    heavy = np.vstack([points.T, np.full(k, 1e4)])
    other = np.array([nnls(heavy, np.append(target, 1e4))[0] for target in targets])
    other /= other.sum(axis=1, keepdims=True)
    mine, its = ((targets - a @ points) ** 2).sum(axis=1), ((targets - other @ points) ** 2).sum(axis=1)
    assert (mine <= its + 1e-10).all()


@given(seeds, st.integers(2, 4))
def test_projections_on_the_hull_are_optimal(seed: int, m: int) -> None:
    generator = np.random.default_rng(seed)
    data, target = generator.normal(size=(30, m)), 3 * generator.normal(size=m)
    found = project(data, target, vertex(data, 0), most=200)
    assert found.shares.min() > 0 and found.shares.sum() == pytest.approx(1)
    assert found.point == pytest.approx(found.shares @ data[found.rows])
    ahead = target - found.point
    assert (
        data @ ahead
    ).max() <= found.point @ ahead + 1e-7  # no observation is further in the direction of the target


@few_examples(8)
@given(seeds, st.integers(1, 4), st.sampled_from(["classical", "robust", "weighted"]))
def test_constraints_and_monotony(seed: int, k: int, family: str) -> None:
    X = mixtures(30, seed)
    weights = np.random.default_rng(seed).uniform(0.3, 1, 30) if family == "weighted" else None
    aa = quick(k, family=family, max_iter=30).fit(X, sample_weight=weights)
    for shares, axis in ((aa.coefficients_, 1), (aa.data_weights_, 0)):
        assert shares.min() >= 0 and np.abs(shares.sum(axis=axis) - 1).max() < 1e-12
    assert (np.diff(aa.history_) <= 0).all() and len(aa.history_) == aa.n_iter_
    assert pytest.approx(aa.archetypes_, abs=1e-6) == aa.data_weights_.T @ X
    assert ((aa.robust_weights_ >= 0) & (aa.robust_weights_ <= 1)).all()
    scaled = aa.solution_.scale.scaled(X)
    rss = ((scaled - aa.coefficients_ @ aa.solution_.scale.scaled(aa.archetypes_)) ** 2).sum()
    assert aa.rss_ == pytest.approx(rss, abs=1e-9)
    assert aa.transform(X) @ aa.archetypes_ == pytest.approx(aa.coefficients_ @ aa.archetypes_, abs=1e-5)


@pytest.mark.parametrize("seed", [7, 9])
def test_the_sum_of_losses_does_not_rise_with_the_number_of_archetypes(seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(12, 2))  # most residuals are zero, and the median of the others varies
    path = podium.archetypes(X, k=[4, 5], family="robust", n_init=1)
    assert path[5].criterion_ <= path[4].criterion_ + 1e-14


@few_examples(8)
@given(seeds)
def test_the_order_of_rows_does_not_matter_and_duplicates_are_weights(seed: int) -> None:
    X = mixtures(20, seed)
    counts = np.random.default_rng(seed).integers(0, 4, 20)
    counts[:6] = 1
    repeated = np.repeat(X, counts, axis=0)
    order = np.random.default_rng(seed).permutation(len(repeated))
    for family in ("classical", "robust"):
        one, two = (quick(family=family, max_iter=5).fit(rows) for rows in (repeated, repeated[order]))
        assert np.array_equal(one.archetypes_, two.archetypes_) and one.rss_ == pytest.approx(two.rss_, rel=1e-12)
        assert np.array_equal(one.coefficients_[order], two.coefficients_)
        assert np.array_equal(one.robust_weights_[order], two.robust_weights_)
        weighted = quick(family=family, max_iter=5).fit(X, sample_weight=counts)
        assert weighted.archetypes_ == pytest.approx(one.archetypes_, abs=1e-9)
        assert weighted.rss_ == pytest.approx(one.rss_, abs=1e-9)
        assert weighted.spectral_rss_ == pytest.approx(one.spectral_rss_, abs=1e-9)
        assert weighted.transform(X) == pytest.approx(one.transform(X), abs=1e-7)


@few_examples(8)
@given(seeds, st.floats(0.01, 100), st.floats(-1000, 1000))
def test_units_do_not_matter(seed: int, factor: float, shift: float) -> None:
    X = mixtures(25, seed)
    one, two = quick().fit(X), quick().fit(X * [factor, 1] + [shift, -shift])
    assert one.rss_ == pytest.approx(two.rss_, rel=1e-4, abs=1e-7)
    assert two.transform(X * [factor, 1] + [shift, -shift]) == pytest.approx(two.coefficients_, abs=1e-4)


@few_examples(8)
@given(seeds)
def test_rotations_do_not_matter_without_scaling(seed: int) -> None:
    generator = np.random.default_rng(seed)
    X = mixtures(40, seed, k=4, m=3)
    turn = np.linalg.qr(generator.normal(size=(3, 3)))[0]
    rows = generator.choice(40, 3, replace=False)
    ended = []
    for data in (X, X @ turn):
        problem = Problem(data, data, np.arange(40))
        ended += descend_together(problem, [[vertex(data, int(row)) for row in rows]], tol=1e-6, most=200)
    assert ended[0].archetypes @ turn == pytest.approx(ended[1].archetypes, abs=1e-3)
    assert ended[0].criterion == pytest.approx(ended[1].criterion, rel=1e-4)


@pytest.mark.parametrize(("family", "k"), [("classical", 2), ("robust", 3), ("weighted", 5)])
def test_translations_and_a_common_factor_do_not_matter_without_scaling(family: str, k: int) -> None:
    X = mixtures(40, 4, k=k, m=4)
    weights = np.random.default_rng(1).uniform(0.3, 1, 40) if family == "weighted" else None
    near = quick(k, family=family, scaling="none").fit(X, sample_weight=weights)
    for factor, shift in ((1, -1e7), (1e-9, 1e-3), (1e9, 1e9)):
        far = quick(k, family=family, scaling="none").fit(factor * X + shift, sample_weight=weights)
        assert far.criterion_ / factor**2 == pytest.approx(near.criterion_, rel=1e-3)
        assert (far.archetypes_ - shift) / factor == pytest.approx(near.archetypes_, abs=0.05)


def test_a_matrix_of_weights_without_scaling_is_applied_to_the_data_as_they_are() -> None:
    X = mixtures(20, 4) + 5
    W = np.random.default_rng(0).random((20, 20)) / 10
    one = quick(2, family="weighted", scaling="none").fit(X, sample_weight=W)
    assert one.criterion_ == pytest.approx(quick(2, scaling="none").fit(W @ X).criterion_, rel=1e-6)


def test_groups_that_sums_of_distances_miss_are_found() -> None:
    generator = np.random.default_rng(23)
    X = np.vstack([generator.normal(centre, 0.3, (30, 5)) for centre in 4 * generator.normal(size=(5, 5))])
    one, more = podium.ArchetypalAnalysis(5).fit(X), podium.ArchetypalAnalysis(5, start="hull", n_init=15).fit(X)
    assert one.rss_ <= more.rss_ * (1 + 1e-4)


def test_as_many_archetypes_as_corners_leave_nothing() -> None:
    """Cutler & Breiman (1994): with one archetype the mean, with all extreme points a perfect fit."""
    square = np.array([[0, 0], [0, 2], [2, 0], [2, 2], [1, 1], [1.5, 0.5]])
    path = podium.archetypes(square, k=range(1, 7))
    assert path[1].archetypes_[0] == pytest.approx(square.mean(axis=0))
    assert path[4].rss_ == pytest.approx(0, abs=1e-9) and path[6].rss_ == pytest.approx(0, abs=1e-9)
    assert {tuple(z) for z in path[4].archetypes_.round(6)} == {(0, 0), (0, 2), (2, 0), (2, 2)}


@pytest.mark.parametrize("width", [1e-3, 1e-9, 1e-12, 1e-14])
def test_rows_that_are_nearly_on_a_line(width: float) -> None:
    generator = np.random.default_rng(17)
    X = np.outer(generator.normal(size=60), [1, 2, -1]) + width * generator.normal(size=(60, 3))
    rss = podium.archetypes(X, [1, 2, 3, 4], n_init=1).frame()["rss"]
    assert (np.diff(rss) <= 1e-12 * rss[0]).all() and rss[1] <= 1e-5 * rss[0]


def test_one_outlier_breaks_classical_archetypes_down_and_not_robust_ones() -> None:
    """Section 9.1: the breakdown point is 1/n."""
    X = mixtures(100, 3)
    far = np.vstack([X, [[1000.0, 1000.0]]])
    clean = quick().fit(X).archetypes_
    assert quick(family="classical").fit(far).archetypes_.max() > 900
    robust = quick(family="robust").fit(far)
    assert robust.robust_weights_[-1] == 0 and np.abs(robust.archetypes_).max() < 1.5 * np.abs(clean).max()


@pytest.mark.parametrize("share", [0.05, 0.15])
def test_a_group_of_outliers_has_weight_zero(share: float) -> None:
    X = mixtures(200, 5, noise=0.1)
    out = int(share * 200)
    far = X.mean(axis=0) + 15 + 0.2 * np.random.default_rng(1).normal(size=(out, 2))
    aa = quick(n_init=5, family="robust").fit(np.vstack([X, far]))
    assert (aa.robust_weights_[200:] == 0).all() and np.median(aa.robust_weights_[:200]) > 0.9
    assert set(aa.outliers().index) >= set(range(200, 200 + out))


def test_missing_cells_are_left_out_of_the_loss() -> None:
    X = pd.DataFrame(mixtures(80, 2, k=3, m=4), columns=list("abcd"))
    holes = X.mask(np.random.default_rng(0).random(X.shape) < 0.08)
    whole = quick(n_init=3).fit(X)
    aa = quick(n_init=3, missing="available").fit(holes)
    assert (np.diff(aa.history_) <= 1e-12).all()
    assert np.abs(aa.archetypes_ - whole.archetypes_).max() < 0.6
    complete = holes.notna().all(axis=1).to_numpy()
    assert (aa.data_weights_[~complete] == 0).all()
    scaled = aa.solution_.scale.scaled(holes.to_numpy())
    left = scaled - aa.coefficients_ @ aa.solution_.scale.scaled(aa.archetypes_)
    assert aa.rss_ == pytest.approx(np.nansum(left**2))
    assert aa.transform(holes) == pytest.approx(aa.coefficients_, abs=1e-6)
    nothing = quick(n_init=3, missing="available").fit(X)
    assert np.array_equal(nothing.archetypes_, whole.archetypes_)


@pytest.mark.parametrize("family", ["classical", "weighted", "robust"])
def test_optima_are_apart_and_every_restart_ends_in_one(family: str) -> None:
    X = np.random.default_rng(0).normal(size=(80, 3))
    weights = np.random.default_rng(1).uniform(0.5, 1, 80) if family == "weighted" else None
    found = podium.ArchetypalAnalysis(3, family=family, n_init=8).fit(X, sample_weight=weights).solution_
    assert len(found.optima) > 1 and sum(one.hits for one in found.optima) == 8
    assert np.array_equal(found.optima[0].prototypes, found.prototypes)
    places = [found.scale.scaled(one.prototypes) for one in found.optima]
    for i, j in combinations(range(len(places)), 2):
        nearest = min(
            np.linalg.norm(places[i] - places[j][list(order)], axis=1).max() for order in permutations(range(3))
        )
        assert nearest >= 0.9  # 1 for the matching with the least sum of squares
        if i == 0:
            assert found.optima[j].distance >= nearest - 1e-9 and found.optima[j].excess >= 0


def test_a_matrix_of_weights() -> None:
    X = mixtures(30, 4)
    weights = np.random.default_rng(0).uniform(0.4, 1, 30)
    weights[0] = 1
    one = quick(family="weighted").fit(X, sample_weight=weights)
    two = quick(family="weighted").fit(X, sample_weight=np.diag(weights))
    assert one.archetypes_ == pytest.approx(two.archetypes_, abs=1e-6)
    assert one.archetypes_ == pytest.approx(quick(family="weighted").fit(X, sample_weight=10 * weights).archetypes_)


def test_workers_do_not_change_anything() -> None:
    X = mixtures(40, 1)
    one, two = (podium.archetypes(X, [2, 3], n_init=2, workers=workers) for workers in (1, 2))
    assert np.array_equal(one[3].archetypes_, two[3].archetypes_) and np.array_equal(one[2].history_, two[2].history_)


def test_the_same_seed_gives_the_same_numbers() -> None:
    X = mixtures(40, 1)
    one, two = quick(random_state=3, start="random").fit(X), quick(random_state=3, start="random").fit(X)
    assert np.array_equal(one.archetypes_, two.archetypes_)


@pytest.mark.parametrize(
    ("start", "scaling"), [("furthest-sum", "standard"), ("hull", "robust"), ("inner", "none"), ("random", "standard")]
)
def test_starts_and_scalings(start: str, scaling: str) -> None:
    aa = quick(start=start, scaling=scaling, n_init=3).fit(mixtures(60, 2, noise=0.01))
    assert aa.explained_ > 0.99


def test_robust_restarts_of_a_large_table_are_compared_by_one_tuning_constant() -> None:
    """A restart that ended with a smaller constant has the smaller sum of losses, however bad its archetypes are."""
    table = quick(family="robust", n_init=1)._prepare(mixtures(5000, 1, m=4, noise=0.3), None)
    good = run_restarts(table, [3], 1, "quiet")[3][0]
    poor = run_restarts(replace(table, most=1), [3], 1, "quiet")[3][0]
    family, sample = table.family, table.sampled
    lengths = family.lengths(sample.residuals(poor.archetypes, poor.coefficients))
    small = good.constant / 2
    poor = replace(poor, constant=small, criterion=family.criterion(lengths, small, sample.weights))
    assert len(sample.targets) < 5000 and poor.criterion < good.criterion
    best = finish(table, 3, [good])
    assert np.array_equal(finish(table, 3, [poor, good]).prototypes, best.prototypes)


def test_a_large_table_is_fitted_by_a_sample_and_then_as_a_whole() -> None:
    X = mixtures(5000, 1, k=4, m=5, noise=0.02)
    aa = podium.ArchetypalAnalysis(4, n_init=3).fit(X)
    assert aa.explained_ > 0.995 and aa.coefficients_.shape == (5000, 4)
    assert pytest.approx(aa.archetypes_, abs=1e-9) == aa.data_weights_.T @ X
