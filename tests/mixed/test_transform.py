"""Models on the log scale, and on any other."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import podium
from podium.analysis.mixed import mixed
from podium.errors import InputError
from podium.results import Results

TIME = podium.MeasureInfo("fit time", "lower", units="s", scale="log")


@pytest.fixture(scope="module")
def logs(of, draw) -> Results:
    values = draw(np.random.default_rng(2), (8, 5, 3), means=np.log([1.0, 2.0, 23.0]), dataset=4.0, interaction=0.4)
    return of(values)


@pytest.fixture(scope="module")
def times(logs: Results) -> Results:
    return dataclasses.replace(logs, values=np.exp(logs.values), measures=(TIME,))


def test_times_are_compared_on_the_log_scale(times: Results, logs: Results) -> None:
    comparison, expected = podium.compare(times, method="mixed"), podium.compare(logs, method="mixed")
    for name in ("estimate", "lower", "upper", "adjusted"):
        np.testing.assert_allclose(getattr(comparison, name), getattr(expected, name))
    assert (comparison.transform, comparison.estimand, comparison.in_units) == ("log", "mean log", False)
    assert comparison.measure == TIME
    np.testing.assert_allclose(comparison.means, np.exp(expected.means))
    frame = comparison.frame()
    np.testing.assert_allclose(frame["ratio"], np.exp(frame["estimate"]))
    np.testing.assert_allclose(frame["ratio_upper"], np.exp(frame["upper"]))
    pair = comparison.pair("a2", "a0")
    assert pair["ratio"] == pytest.approx(np.exp(pair["estimate"])) and pair["decision"] == "worse"


def test_a_23_fold_difference_is_seen(times: Results) -> None:
    comparison = podium.compare(times, method="mixed")
    assert comparison.pair("a0", "a2")["decision"] == "better"
    plain = podium.compare(times, method="mixed", transform="identity")
    assert plain.pair("a0", "a2")["decision"] == "undecided"
    assert (plain.transform, plain.estimand) == ("identity", "mean")
    assert "ratio" not in plain.frame()


def test_texts_report_ratios(times: Results) -> None:
    comparison = podium.compare(times, method="mixed", equivalence=0.5, relative=True)
    row = comparison.pair("a0", "a2")
    text = comparison.text()
    assert f"(ratio {row['ratio']:.3g}, interval [{row['ratio_lower']:.3g}, {row['ratio_upper']:.3g}]" in text
    assert "with a ratio in [0.6667, 1.5]" in text
    assert comparison.equivalence == pytest.approx(np.log([0.5, 1.5]))
    table = comparison.latex()
    assert "& Ratio & Interval &" in table and f"${row['ratio']:.3f}$" in table
    assert "geometric mean" in mixed(times).summary()
    podium.plot.simultaneous_intervals(comparison).figure.canvas.draw()


def test_an_area_in_units_is_compared_in_units(times: Results) -> None:
    comparison = podium.compare(times, method="mixed", equivalence=2.0)
    assert comparison.transform == "identity" and comparison.equivalence == (-2.0, 2.0)
    with pytest.raises(InputError, match="Differences of logarithms are ratios: give `equivalence` as a fraction"):
        mixed(times).contrasts(equivalence=2.0)


def test_values_without_a_logarithm(times: Results) -> None:
    values = times.values.copy()
    values[0, 0, 0, 0] = 0.0
    zero = dataclasses.replace(times, values=values)
    comparison = podium.compare(zero, method="mixed")
    assert comparison.transform == "identity"
    with pytest.raises(InputError, match="`transform='log'` needs positive values; the smallest of 'fit time' is 0"):
        mixed(zero, transform="log")


def test_any_increasing_function(times: Results) -> None:
    root = mixed(times, transform=np.sqrt)
    expected = mixed(dataclasses.replace(times, values=np.sqrt(times.values)), transform="identity")
    np.testing.assert_allclose(root.estimates, expected.estimates)
    comparison = root.contrasts()
    assert (comparison.transform, comparison.estimand) == ("sqrt", "mean transformed")
    same = mixed(times, transform=np.log)
    np.testing.assert_allclose(same.estimates, mixed(times).estimates)


def test_constant_ratios_are_certain(of) -> None:
    rows = np.exp(np.random.default_rng(1).normal(size=(1, 8, 1)))
    results = dataclasses.replace(of(np.concatenate([rows, 3 * rows], axis=2)), measures=(TIME,))
    row = podium.compare(results, method="mixed").pair("a1", "a0")
    assert row["ratio"] == pytest.approx(3) and row["decision"] == "worse"


def test_a_model_of_one_data_set_says_first_that_replications_overlap(times: Results) -> None:
    one = times.select(dataset="d0")
    assert podium.compare(one, method="mixed").notes[0].code == "overlap"
    assert mixed(one).contrasts().notes[0].code == "overlap"
    fresh = dataclasses.replace(one, structure={"independent": np.ones((1, 5), np.int64)})
    assert all(note.code != "overlap" for note in mixed(fresh).contrasts().notes)
