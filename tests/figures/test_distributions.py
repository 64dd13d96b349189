"""Numbers of strip, box, density, histogram, interval and time plots."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from made_results import flipped, made, noisy, several, shuffled, tables, with_gaps
from matplotlib.cbook import boxplot_stats
from scipy import stats
from scipy.integrate import trapezoid

import podium
from podium.errors import InputError
from podium.plot.figures import box, density, histogram, intervals, places, strip, time, trellis
from podium.plot.figures.density import bandwidth, kernel_density
from podium.plot.figures.numbers import van_der_corput

FIGURES = [strip, box, density, histogram, intervals, places]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda f: f.__name__)
def test_it_is_plain_json(errors, figure) -> None:
    numbers = figure(errors)
    document = json.loads(numbers.to_json())
    assert document["algorithms"] == ["svm", "rpart", "rf", "nnet", "knn", "lda"]
    assert document["measure"]["direction"] == "lower"
    assert (document["dataset"], document["unit"], document["n"]) == ("monks3", "replication", 250)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda f: f.__name__)
def test_the_order_of_rows_and_columns_does_not_matter(errors, figure) -> None:
    assert figure(shuffled(errors)).to_json() == figure(errors).to_json()


@pytest.mark.parametrize("figure", FIGURES, ids=lambda f: f.__name__)
def test_the_direction_keeps_the_order(errors, figure) -> None:
    assert figure(flipped(errors)).algorithms == figure(errors).algorithms


@pytest.mark.parametrize("figure", FIGURES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("table", [[[1.0]], [[1.0, 1.0], [1.0, 1.0]], [[0.0, 0.0]], [[1.0, 2.0], [1.0, 3.0]]], ids=str)
def test_it_copes_with_hardly_any_values(figure, table) -> None:
    assert json.loads(figure(made(table)).to_json())


@pytest.mark.parametrize("figure", [strip, box, density, histogram], ids=lambda f: f.__name__)
def test_missing_cells_are_left_out_on_request(figure) -> None:
    gappy = with_gaps(made([[1, 5], [3, 4], [5, 9]]), (0, 2, 1))
    whole = figure(made([[1, 5], [3, 4]]))
    assert figure(gappy, missing="available").means.tolist() == whole.means.tolist() == [2, 4.5]


def test_arrays_cannot_be_written_to(errors) -> None:
    with pytest.raises(ValueError, match="read-only"):
        strip(errors).value[0] = 1


# Strip


def test_a_strip_holds_every_value(errors) -> None:
    figure = strip(errors)
    for k, name in enumerate(figure.algorithms):
        expected = np.sort(errors.to_wide()[name].to_numpy())
        assert np.sort(figure.value[figure.algorithm == k]).tolist() == expected.tolist()
    assert (np.abs(figure.offset) < 1).all()
    assert figure.dots == len(figure.value) == 1500


def test_dots_at_equal_values_do_not_hide_each_other(errors) -> None:
    figure = strip(errors)
    spots = set(zip(figure.algorithm, figure.value, figure.offset.round(6), strict=True))
    assert len(spots) == 1500


def test_a_strip_is_thinned_with_its_extremes_kept() -> None:
    figure = strip(noisy(3, 1000), most=300)
    full = strip(noisy(3, 1000))
    assert (len(figure.value), figure.dots) == (300, 3000)
    for k in range(3):
        one, two = figure.value[figure.algorithm == k], full.value[full.algorithm == k]
        assert (one.min(), one.max()) == (two.min(), two.max())


def test_van_der_corput_is_even() -> None:
    numbers = van_der_corput(1023)
    assert np.histogram(numbers, 8, (0, 1))[0].tolist() == [127] + [128] * 7


# Box


def test_boxes_are_those_of_matplotlib(errors) -> None:
    figure = box(errors)
    for k, name in enumerate(figure.algorithms):
        [expected] = boxplot_stats(errors.to_wide()[name].to_numpy())
        assert figure.quartiles[k].tolist() == pytest.approx([expected["q1"], expected["med"], expected["q3"]])
        assert figure.whiskers[k].tolist() == pytest.approx([expected["whislo"], expected["whishi"]])
        outliers = figure.outlier_value[figure.outlier_algorithm == k]
        assert outliers.tolist() == pytest.approx(sorted(expected["fliers"]))
        assert figure.means[k] == pytest.approx(expected["mean"])


def test_outliers_are_thinned_and_counted() -> None:
    values = np.concatenate([np.zeros(1000), np.arange(1, 201)])[:, None]
    figure = box(made(values), most=20)
    assert (figure.outliers, len(figure.outlier_value)) == (200, 20)
    assert figure.outlier_value.max() == 200


# Density


def test_the_kernel_density_is_that_of_scipy() -> None:
    # Linear binning on 512 points against the exact sum of kernels: within 0.1% of the peak.
    values = np.random.default_rng(1).gamma(2, size=250)
    width = bandwidth(values, 0.0)
    grid = np.linspace(values.min() - 3 * width, values.max() + 3 * width, 512)
    exact = stats.gaussian_kde(values, bw_method=width / values.std(ddof=1))(grid)
    np.testing.assert_allclose(kernel_density(values, grid, width), exact, atol=1e-3 * exact.max())


def test_the_bandwidth_is_silvermans() -> None:
    # Silverman (1986), equation 3.31, by hand: the quartiles of 1, 2, 4, 8, 16 are 2 and 8.
    values = np.array([1.0, 2, 4, 8, 16])
    assert bandwidth(values, 0.0) == pytest.approx(0.9 * (6 / 1.34) * 5**-0.2)
    assert bandwidth(np.array([0.0, 0, 0, 0, 1]), 0.0) == pytest.approx(0.9 * np.std([0, 0, 0, 0, 1], ddof=1) * 5**-0.2)
    assert bandwidth(np.ones(5), 0.25) == 0.25
    assert bandwidth(np.ones(1), 0.25) == 0.25


@given(tables(20, 3))
def test_densities_integrate_to_one(table: np.ndarray) -> None:
    figure = density(made(table))
    area = trapezoid(figure.density, figure.grid, axis=1)
    np.testing.assert_allclose(area, 1, atol=0.01)


def test_times_get_densities_of_their_logarithms() -> None:
    values = 10 ** np.random.default_rng(2).normal(size=(200, 2))
    results = podium.read(values, labels={"replication": range(200), "algorithm": ["a", "b"]}, measure="fit time")
    figure = density(results)
    assert figure.grid.min() > 0
    np.testing.assert_allclose(trapezoid(figure.density, np.log10(figure.grid), axis=1), 1, atol=0.01)
    edges = histogram(results).edges
    np.testing.assert_allclose(np.diff(np.log10(edges)), np.diff(np.log10(edges))[0])


# Histogram


@given(tables(20, 3))
def test_histograms_count_every_value(table: np.ndarray) -> None:
    figure = histogram(made(table))
    assert figure.counts.sum(axis=1).tolist() == [len(table)] * table.shape[1]
    assert 8 <= figure.counts.shape[1] <= 60


def test_bins_may_be_chosen(errors) -> None:
    assert histogram(errors, bins=5).counts.shape == (6, 5)


# Places


def test_places_are_those_of_the_summary(errors) -> None:
    figure = places(errors)
    from podium.analysis.describe import places as frame

    expected = frame(errors)
    assert figure.algorithms == tuple(expected.index)
    np.testing.assert_array_equal(figure.counts, expected[[1, 2, 3, 4, 5, 6]])


# Time


def timed(values, units: str = "s", scale: str | None = "log") -> podium.Results:
    values = np.asarray(values, float)
    labels = {"replication": range(len(values)), "algorithm": [f"a{k}" for k in range(values.shape[1])]}
    return podium.read(values, labels=labels, measure="fit time", units=units)


def test_times_below_the_resolution_of_the_clock_are_drawn_below_the_smallest() -> None:
    figure = time(timed([[0.0, 0.02], [0.01, 0.04], [0.02, 0.08]]))
    assert (figure.floor, figure.floored) == (0.005, 1)
    assert figure.value.min() == 0.005
    assert figure.logarithmic
    assert time(timed([[1, 2]])).floor is None


def test_the_time_is_found_among_the_measures(reference) -> None:
    results = podium.read(reference("data/eugster/monks3raw.csv"))
    assert time(results).measure.name == "Time"
    assert time(results).algorithms == ("rpart", "lda", "rf", "knn", "nnet", "svm")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: time(made([[1, 2]])),
            "Say which `measure` is the time; of 'score' none is known to be a time.",
        ),
        (
            lambda: trellis(several(), kind="pie"),
            "`kind` must be one of 'box', 'density', 'histogram', 'percentile_intervals', 'podium', 'strip', 'time'; "
            "got 'pie'.",
        ),
    ],
)
def test_messages(call, message: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value) == message


# Trellis


@pytest.mark.parametrize("kind", ["strip", "box", "density", "histogram", "percentile_intervals", "podium"])
def test_a_trellis_has_a_panel_per_data_set_and_one_order(kind: str) -> None:
    results = several(m=12)
    figure = trellis(results, kind=kind)
    assert [panel.dataset for panel in figure.panels] == [f"d{i}" for i in range(1, 13)]
    assert {panel.algorithms for panel in figure.panels} == {figure.algorithms}
    assert figure.limits == (results.values.min(), results.values.max())
    assert json.loads(figure.to_json())["kind"] == kind


def test_panels_are_the_figures_of_the_data_sets() -> None:
    results = several()
    panel = trellis(results, kind="box").panels[2]
    alone = box(results.select(dataset="d3"), order=panel.algorithms)
    assert panel.to_json() == alone.to_json()
