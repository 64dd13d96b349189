"""The numbers behind the figures of mixed models, and that they can be drawn."""

from __future__ import annotations

import json

import numpy as np
import pytest

import podium
from podium.analysis.mixed import compare_mixed, mixed
from podium.errors import InputError
from podium.figures import dataset_effects, fitted_boxes, simultaneous_intervals, variance_shares
from podium.results import Results


@pytest.fixture(scope="module")
def domain(of, draw) -> Results:
    return of(draw(np.random.default_rng(1), (7, 5, 4), means=np.array([2.0, 0.0, 1.0, 3.0]), missing=0.05))


def test_numbers_of_simultaneous_intervals(domain: Results) -> None:
    comparison = compare_mixed(domain, equivalence=1.0)
    numbers = simultaneous_intervals(comparison)
    frame = comparison.frame()
    assert list(numbers.first) == frame["a"].tolist() and list(numbers.second) == frame["b"].tolist()
    np.testing.assert_array_equal(numbers.lower, frame["lower"])
    np.testing.assert_array_equal(numbers.upper, frame["upper"])
    for i, (a, b) in enumerate(zip(numbers.first, numbers.second, strict=True)):
        assert numbers.significant[i] == (comparison.pair(a, b)["adjusted"] <= 0.05)
    assert numbers.equivalence == (-1.0, 1.0)
    assert numbers.value_label == "difference of means, error (negative favours the first)"
    assert json.loads(numbers.to_json())["figure"] == "SimultaneousIntervals"


def test_intervals_need_intervals(domain: Results) -> None:
    without = compare_mixed(domain).replace(lower=np.full(6, np.nan))
    with pytest.raises(InputError, match=r"^This comparison has no intervals to draw: All pairs in a mixed-effects"):
        simultaneous_intervals(without)


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
    assert numbers.sources == ("data set", "data set × algorithm", "replication", "residual")
    np.testing.assert_allclose(numbers.shares.sum(axis=1), 1)
    np.testing.assert_allclose(numbers.shares[0], fits["all"].components["share"])
    assert numbers.shares[1, :2].tolist() == [0.0, 0.0]
    assert not numbers.alike and variance_shares({"REML": fits["all"], "ML": mixed(domain, method="ML")}).alike
    with pytest.raises(InputError, match=r"^`fits` must hold one mixed model or more; it is empty\.$"):
        variance_shares({})


@pytest.mark.parametrize("direction", ["lower", "greater"])
def test_numbers_of_dataset_effects(domain: Results, of, direction: str) -> None:
    sign = 1 if direction == "lower" else -1
    fit = mixed(of(sign * domain.values[..., 0], direction))
    numbers = dataset_effects(fit)
    assert numbers.algorithms == ("a1", "a2", "a0", "a3")
    assert (np.diff(sign * numbers.dataset_effect) >= 0).all()  # the easiest first
    cells = fit.blups("interaction").set_index(["dataset", "algorithm"])
    for i, name in enumerate(numbers.datasets):
        for j, algorithm in enumerate(numbers.algorithms):
            row = cells.loc[(name, algorithm)]
            assert numbers.effects[i, j] == row["estimate"]
            assert numbers.clear[i, j] == (abs(row["estimate"]) > 1.96 * row["sd"])
            assert numbers.better[i, j] == (sign * row["estimate"] < 0)
    with pytest.raises(InputError, match=r"^`effect` must be 'interaction' or 'cell'; got 'dataset'\.$"):
        dataset_effects(fit, "dataset")


@pytest.mark.parametrize("size", ["screen", "column", (5.0, 4.0)])
def test_all_of_them_can_be_drawn(domain: Results, size: object, tmp_path) -> None:
    fit = mixed(domain)
    for equivalence in (None, 0.5):
        ax = podium.plot.simultaneous_intervals(compare_mixed(domain, equivalence=equivalence), size=size)
        assert next(label.get_text() for label in ax.get_yticklabels()) == "a1 – a2"
        ax.figure.canvas.draw()
    figure = podium.plot.fitted_boxes(fit, size=size)
    assert len(figure.axes) == 2
    shares = podium.plot.variance_shares({"a": fit, "b": fit}, size=size)
    effects = podium.plot.dataset_effects(fit, "cell", size=size)
    for drawing in (ax, figure, shares, effects):
        assert podium.plot.save(drawing, tmp_path / "figure.svg").stat().st_size > 1000


def test_they_draw_on_axes_that_are_given(domain: Results) -> None:
    import matplotlib.pyplot as plt

    fit = mixed(domain)
    _, places = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
    assert podium.plot.simultaneous_intervals(fit.contrasts(), ax=places[0]) is places[0]
    assert podium.plot.variance_shares(fit, ax=places[1]) is places[1]
    assert podium.plot.dataset_effects(fit, ax=places[2]) is places[2]


def test_many_pairs_lose_their_names_not_their_intervals(of, draw) -> None:
    comparison = compare_mixed(of(draw(np.random.default_rng(2), (1, 30, 18))))
    ax = podium.plot.simultaneous_intervals(comparison)
    assert len(comparison.estimate) == 153
    assert ax.get_yticklabels() == []
    assert len(ax.collections[0].get_segments()) == 153
