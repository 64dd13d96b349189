"""The numbers behind the figures of mixed models, and that they can be drawn."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from matplotlib.collections import PathCollection

import podium
from podium.analysis.mixed import mixed
from podium.analysis.mixed.compare import compare_mixed
from podium.plot.figures import (
    critical_difference,
    dataset_effects,
    fitted_boxes,
    simultaneous_intervals,
    variance_shares,
)
from podium.results import Results


@pytest.fixture(scope="module")
def domain(of, draw) -> Results:
    return of(draw(np.random.default_rng(1), (7, 5, 4), means=np.array([2.0, 0.0, 1.0, 3.0]), missing=0.05))


def test_numbers_of_simultaneous_intervals(domain: Results) -> None:
    """All pairs of the model's estimates, the better one first, with intervals as wide as the model says."""
    fit = mixed(domain)
    comparison = fit.contrasts(equivalence=1.0)
    numbers = simultaneous_intervals(comparison)
    assert {frozenset(pair) for pair in zip(numbers.first, numbers.second, strict=True)} == {
        frozenset(pair) for pair in combinations(domain.algorithms, 2)
    }
    means = fit.estimates
    difference = means[list(numbers.first)].to_numpy() - means[list(numbers.second)].to_numpy()
    assert (difference <= 0).all()  # errors: the lower is better
    np.testing.assert_allclose(numbers.estimate, difference, rtol=1e-9)
    np.testing.assert_allclose(numbers.upper - difference, difference - numbers.lower, rtol=1e-9)
    np.testing.assert_array_equal(numbers.significant, (numbers.upper < 0) | (numbers.lower > 0))
    narrow = (numbers.lower > -1) & (numbers.upper < 1)
    np.testing.assert_array_equal(numbers.decisions == "equivalent", narrow)
    assert numbers.equivalence is not None
    assert (numbers.equivalence == (-1.0, 1.0)).all()
    assert json.loads(numbers.to_json())["figure"] == "SimultaneousIntervals"


def test_infinite_ends_are_arrows_at_the_border(domain: Results) -> None:
    comparison = compare_mixed(domain)
    finite = podium.plot.simultaneous_intervals(comparison)
    lower, upper = comparison.lower.copy(), comparison.upper.copy()
    lower[:2], upper[1:3] = -np.inf, np.inf
    numbers = simultaneous_intervals(comparison.replace(lower=lower, upper=upper))
    ax = podium.plot.simultaneous_intervals(numbers)
    ax.get_figure().draw_without_rendering()
    assert np.isfinite(ax.get_xlim()).all()
    arrows = [np.asarray(c.get_offsets()) for c in ax.collections if isinstance(c, PathCollection)][:-1]
    for at, ends, border in zip(arrows, (numbers.lower, numbers.upper), ax.get_xlim(), strict=True):
        np.testing.assert_array_equal(at, [(border, row) for row in np.flatnonzero(np.isinf(ends))])
    assert sum(isinstance(c, PathCollection) for c in finite.collections) == 1


@pytest.mark.parametrize("direction", ["lower", "higher"])
def test_differences_stand_in_the_direction_of_the_measure(domain: Results, of, direction: str) -> None:
    sign = 1 if direction == "lower" else -1
    comparison = compare_mixed(of(sign * domain.values[..., 0], direction))
    numbers = critical_difference(comparison)
    assert comparison.means is not None
    means = dict(zip(comparison.algorithms, comparison.means - comparison.means.mean(), strict=True))
    assert numbers.algorithms == ("a1", "a2", "a0", "a3")
    np.testing.assert_allclose(numbers.values, [means[name] for name in numbers.algorithms], rtol=1e-9)
    ax = podium.plot.critical_difference(comparison)
    assert f"({direction} is better)" in ax.get_xlabel()
    left, right = ax.get_xlim()
    assert (right > left) == (direction == "lower")  # the best at the left
    assert ax.texts[0].get_text().split() == ["a1", f"{means['a1']:.2f}".replace("-", "−")]


def test_numbers_of_fitted_boxes(domain: Results) -> None:
    fit = mixed(domain)
    numbers = fitted_boxes(fit)
    frame = fit.frame()
    assert numbers.algorithms[0] == "a1"
    for i, name in enumerate(numbers.algorithms):
        mine = frame[frame["algorithm"] == name]
        np.testing.assert_allclose(numbers.fitted.quartiles[i], mine["fitted"].quantile([0.25, 0.5, 0.75]))
        np.testing.assert_allclose(numbers.residuals.quartiles[i], mine["residual"].quantile([0.25, 0.5, 0.75]))
        assert numbers.residual_sd[i] == pytest.approx(mine["residual"].std())


def test_numbers_of_variance_shares(domain: Results) -> None:
    fits = {"all": mixed(domain), "one": mixed(domain.select(dataset="d0"))}
    numbers = variance_shares(fits)
    assert numbers.labels == ("all", "one")
    assert numbers.sources == ("dataset", "interaction", "replication", "residual")
    np.testing.assert_allclose(numbers.shares.sum(axis=1), 1)
    np.testing.assert_allclose(numbers.shares[0], fits["all"].components["share"])
    assert numbers.shares[1, :2].tolist() == [0.0, 0.0]
    assert not numbers.alike and variance_shares({"REML": fits["all"], "ML": mixed(domain, estimation="ML")}).alike


@pytest.mark.parametrize("direction", ["lower", "higher"])
def test_numbers_of_dataset_effects(domain: Results, of, direction: str) -> None:
    sign = 1 if direction == "lower" else -1
    fit = mixed(of(sign * domain.values[..., 0], direction))
    numbers = dataset_effects(fit)
    assert numbers.algorithms == ("a1", "a2", "a0", "a3")
    assert (np.diff(sign * numbers.dataset_effect) >= 0).all()  # the easiest first
    cells = fit.blups("interaction").set_index(["dataset", "algorithm"])
    for i, name in enumerate(numbers.labels):
        for j, algorithm in enumerate(numbers.algorithms):
            row = cells.loc[(name, algorithm)]
            assert numbers.effects[i, j] == row["estimate"]
            assert numbers.clear[i, j] == (abs(row["estimate"]) > 1.96 * row["sd"])
            assert numbers.better[i, j] == (sign * row["estimate"] < 0)


def test_intervals_of_a_survey_name_its_data_sets(of, draw) -> None:
    results = of(draw(np.random.default_rng(2), (6, 4, 3)))
    comparison = compare_mixed(results, model="survey")
    for numbers in (simultaneous_intervals, podium.plot.figures.pvalues, podium.plot.figures.letters):
        assert (numbers(comparison).unit, numbers(comparison).datasets) == ("replication", 6)


def test_an_area_with_unequal_ends_turns_with_the_pairs(domain: Results) -> None:
    comparison = compare_mixed(domain, control="a2", equivalence=(-0.5, 2.0))
    numbers = simultaneous_intervals(comparison)
    assert numbers.equivalence is not None
    inside = (numbers.lower >= numbers.equivalence[:, 0]) & (numbers.upper <= numbers.equivalence[:, 1])
    assert (inside == (numbers.decisions == "equivalent")).all()
    as_asked = [second == "a2" for second in numbers.second]
    assert set(as_asked) == {True, False}
    expected = [(-0.5, 2.0) if asked else (-2.0, 0.5) for asked in as_asked]
    np.testing.assert_array_equal(numbers.equivalence, expected)
    ax = podium.plot.simultaneous_intervals(comparison)
    assert len(ax.collections) >= len(expected)


def test_sides_of_contrasts_stand_in_brackets(domain: Results) -> None:
    comparison = mixed(domain).contrasts([[-0.5, 0.5, 0.5, -0.5], [0, 1, 0, -1]])
    ax = podium.plot.simultaneous_intervals(comparison)
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert sorted(labels) == ["(0.5 a1 + 0.5 a2) – (0.5 a0 + 0.5 a3)", "a1 – a3"]
