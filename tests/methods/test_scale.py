"""Pairwise tests on another scale: logarithms and ratios, or your own function."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_rel, wilcoxon

import podium
from podium.errors import InputError
from podium.results import Results

NAMES = ["fast", "medium", "slow"]


@pytest.fixture(scope="module")
def seconds() -> np.ndarray:
    rng = np.random.default_rng(0)
    return np.exp(3 * rng.normal(size=(10, 1)) + 0.4 * rng.normal(size=(10, 3)) + np.log([1, 3, 23]))


@pytest.fixture(scope="module")
def times(seconds: np.ndarray) -> Results:
    return podium.read(seconds, labels={"dataset": None, "algorithm": NAMES}, measure="fit time")


def test_logarithms_are_compared_and_ratios_reported(times: Results, seconds: np.ndarray) -> None:
    found = podium.compare(times, method="t", transform="log")
    logs = np.log(seconds)
    expected = [ttest_rel(logs[:, a], logs[:, b]).pvalue for a, b in zip(found.first, found.second, strict=True)]
    np.testing.assert_allclose(found.pvalue, expected)  # SciPy 1.15 on the logarithms
    ratio = np.exp((logs[:, 0] - logs[:, 1]).mean())
    assert found.pair("fast", "medium")["ratio"] == pytest.approx(ratio)
    np.testing.assert_allclose(found.means, np.exp(logs.mean(axis=0)))
    assert (found.transform, found.estimand, found.in_units) == ("log", "mean log", False)
    assert found.measure == times.measures[0]
    ranks = podium.compare(times, method="wilcoxon", transform="log")
    assert ranks.pvalue[0] == pytest.approx(wilcoxon(logs[:, 0], logs[:, 1], method="exact").pvalue)


def test_the_unit_of_the_times_does_not_matter(times: Results) -> None:
    for method in ("wilcoxon", "t", "permutation t"):
        one = podium.compare(times, method=method, transform="log")
        other = podium.compare(times.replace(values=1000 * times.values), method=method, transform="log")
        np.testing.assert_allclose(one.adjusted, other.adjusted)
        np.testing.assert_allclose(one.estimate, other.estimate)


def test_as_measured_by_default_and_the_note_says_what_else_there_is(times: Results) -> None:
    codes = [note.code for note in podium.compare(times).notes]
    assert codes[-1] == "as measured"
    for options in ({"transform": "log"}, {"equivalence": 1.0}, {"method": "sign"}, {"method": "nemenyi"}):
        assert "as measured" not in [note.code for note in podium.compare(times, **options).notes]
    plain = podium.compare(times, transform="identity")
    np.testing.assert_array_equal(plain.adjusted, podium.compare(times).adjusted)


def test_a_share_of_blocks_has_no_scale(times: Results) -> None:
    one, other = podium.compare(times, method="sign"), podium.compare(times, method="sign", transform="log")
    assert one.frame().equals(other.frame())
    assert one.text() == other.text()


def test_a_function(times: Results, seconds: np.ndarray) -> None:
    found = podium.compare(times, method="t", transform=np.sqrt)
    roots = np.sqrt(seconds)
    assert found.pvalue[0] == pytest.approx(ttest_rel(roots[:, 0], roots[:, 1]).pvalue)
    assert found.estimand == "mean transformed"


def test_what_is_refused(times: Results) -> None:
    with pytest.raises(InputError, match=r"^`equivalence` is in the units of the measure, and transform='log'"):
        podium.compare(times, transform="log", equivalence=0.1)
