"""Group sequential boundaries against published values, a second integration, and by simulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

import podium
from podium.analysis.sequential.sequential_tests import GroupSequentialTest
from podium.errors import InputError

# The two that are quoted everywhere, for five looks, two-sided 0.05: S. J. Pocock (1977), Biometrika 64, 191–199, and
# P. C. O'Brien, T. R. Fleming (1979), Biometrics 35, 549–556; three decimals.
POCOCK, OBRIEN_FLEMING = 2.413, 2.040
# The Julia package SeqBounds, as its page prints them (grid step 0.05): one-sided 0.05, O'Brien–Fleming spending.
SEQBOUNDS = (3.74955, 2.53993, 2.01604, 1.72014)
EQUAL, UNEQUAL = (0.2, 0.4, 0.6, 0.8, 1.0), (0.1, 0.5, 0.6, 1.0)


def simpson(low: float, high: float, n: int = 801) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of Simpson's rule."""
    x = np.linspace(low, high, n)
    weights = np.full(n, 2.0)
    weights[1::2], weights[0], weights[-1] = 4.0, 1.0, 1.0
    return x, weights * (x[1] - x[0]) / 3


def crossings(critical: Sequence[float], information: Sequence[float], sides: int) -> list[float]:
    """First crossings of a Brownian motion, by a second program: Simpson's rule on the scale of sums, not of deviates."""
    found: list[float] = []
    x, mass, before = np.zeros(1), np.ones(1), 0.0
    for c, t in zip(critical, information, strict=True):
        sd, bound = np.sqrt(t - before), c * np.sqrt(t)
        below = norm.cdf((-bound - x) / sd) if sides == 2 else 0.0
        found.append(float(mass @ (norm.sf((bound - x) / sd) + below)))
        high = min(bound, 9 * np.sqrt(t))
        y, weights = simpson(-high if sides == 2 else -9 * np.sqrt(t), high)
        x, mass, before = y, weights * (norm.pdf((y[:, None] - x) / sd) / sd @ mass), t
    return found


def spending(name: str, t: np.ndarray, sides: int) -> np.ndarray:
    """Lan & DeMets (1983): what may be spent until each look, of 0.05; half of it on each of two sides."""
    alpha = 0.05 / sides
    if name == "pocock spending":
        return sides * alpha * np.log(1 + (np.e - 1) * t)
    return sides * 2 * norm.sf(norm.isf(alpha / 2) / np.sqrt(t))


def test_published_boundaries() -> None:
    assert podium.inference.boundaries(5, boundary="pocock").critical == pytest.approx([POCOCK] * 5, abs=5e-4)
    found = podium.inference.boundaries(5, boundary="obrien-fleming").critical
    assert found[-1] == pytest.approx(OBRIEN_FLEMING, abs=5e-4)
    one = podium.inference.boundaries([0.25, 0.5, 0.75, 1], boundary="obrien-fleming spending", sides=1)
    assert one.critical == pytest.approx(SEQBOUNDS, abs=2e-4)


@pytest.mark.parametrize(("looks", "sides"), [(EQUAL, 1), (UNEQUAL, 2)], ids=["equal", "unequal"])
@pytest.mark.parametrize("shape", [("pocock", 0.0), ("obrien-fleming", 0.5)], ids=lambda shape: shape[0])
def test_classical_boundaries(shape: tuple[str, float], looks: tuple[float, ...], sides: Any) -> None:
    """They have their shape, and another integration finds that all looks together spend alpha."""
    found = np.array(podium.inference.boundaries(looks, boundary=shape[0], sides=sides).critical)
    np.testing.assert_allclose(found, found[-1] * np.array(looks) ** -shape[1])
    assert sum(crossings(found, looks, sides)) == pytest.approx(0.05, abs=1e-6)


@pytest.mark.parametrize(("looks", "sides"), [(EQUAL, 2), (UNEQUAL, 1)], ids=["equal", "unequal"])
@pytest.mark.parametrize("boundary", ["pocock spending", "obrien-fleming spending"])
def test_spending_functions(boundary: str, looks: tuple[float, ...], sides: Any) -> None:
    """At every look another integration finds what the function of Lan & DeMets may have spent by then."""
    found = podium.inference.boundaries(looks, boundary=boundary, sides=sides)
    expected = spending(boundary, np.array(looks), sides)
    np.testing.assert_allclose(np.cumsum(crossings(found.critical, looks, sides)), expected, atol=1e-6)
    assert found.spent == pytest.approx(expected, abs=1e-9)


def test_spending_does_not_depend_on_later_looks() -> None:
    five = podium.inference.boundaries([0.2, 0.4, 0.6, 0.8, 1], boundary="obrien-fleming spending").critical
    changed = podium.inference.boundaries([0.2, 0.4, 0.7, 0.9], boundary="obrien-fleming spending").critical
    assert changed[:2] == pytest.approx(five[:2])


def test_a_user_defined_spending_function_is_spent_as_it_says() -> None:
    found = podium.inference.boundaries([0.3, 0.6, 1], boundary=lambda share: share**2, sides=1)
    assert found.spent == pytest.approx([0.05 * 0.09, 0.05 * 0.36, 0.05])
    assert found.frame()["look"].tolist() == [1, 2, 3]


def test_one_look_is_the_fixed_test() -> None:
    assert podium.inference.boundaries(1, boundary="pocock").critical == pytest.approx([1.959964], abs=1e-6)
    assert podium.inference.boundaries(1, boundary="pocock", sides=1).nominal == pytest.approx([0.05])


@pytest.mark.parametrize("boundary", ["pocock", "obrien-fleming", "pocock spending"])
def test_unequal_looks_by_simulation(boundary: str) -> None:
    """The probability of any crossing is alpha: 200,000 paths of a random walk, four standard errors."""
    looks = [0.1, 0.5, 0.6, 1.0]
    found = podium.inference.boundaries(looks, boundary=boundary)
    steps = np.sqrt(np.diff(looks, prepend=0.0)) * np.random.default_rng(0).normal(size=(200_000, 4))
    z = steps.cumsum(axis=1) / np.sqrt(looks)
    crossed = (np.abs(z) >= found.critical).any(axis=1).mean()
    assert crossed == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / 200_000))


def test_overlap_puts_the_information_into_the_first_looks() -> None:
    """Under equal correlations the mean of n has the variance (1/n + r) s²; information is its inverse."""
    test = GroupSequentialTest(sizes=(10,) * 4, method="corrected t", ratio=0.5)
    n = np.array([10, 20, 30, 40])
    assert test.information == pytest.approx((1 / 40 + 0.5) / (1 / n + 0.5))
    rng = np.random.default_rng(5)
    shared = np.sqrt(0.5) * rng.normal(size=(20_000, 1))  # correlation r/(1+r), variance within 1
    means = np.cumsum(shared + rng.normal(size=(20_000, 40)), axis=1)[:, n - 1] / n
    correlations = np.corrcoef(means.T)[-1]
    assert correlations == pytest.approx(np.sqrt(test.information), abs=0.02)


@pytest.mark.parametrize("boundary", ["pocock", "obrien-fleming", "pocock spending", "obrien-fleming spending"])
def test_the_sequential_pvalue_is_the_smallest_level_that_rejects(boundary: str) -> None:
    test = GroupSequentialTest(sizes=(10, 10, 10), boundary=boundary)
    differences = np.random.default_rng(3).normal(0.3, 1, size=(6, 30))
    overall = test.overall(differences, 0.025)
    near = 1e-6 if "spending" not in boundary else 0.05  # interpolated
    for row, p in zip(differences, overall, strict=True):
        rejects = [test.paths(row[None], p * change).rejected[0, -1] for change in (1 - near, 1 + near)]
        assert p > 0.49 or rejects == [False, True]
    assert overall.min() < 0.05


@pytest.mark.parametrize("boundary", ["obrien-fleming", "pocock spending"])
def test_the_sequential_pvalue_agrees_with_the_decision(boundary: str) -> None:
    test = GroupSequentialTest(sizes=(10, 10, 10), boundary=boundary)
    differences = np.random.default_rng(2).normal(0.35, 1, size=(40, 30))
    overall = test.overall(differences, 0.025)
    np.testing.assert_array_equal(overall <= 0.025, test.paths(differences, 0.025).rejected[:, -1])


@pytest.mark.parametrize("level", [0.01, 1e-4, 1e-6])
@pytest.mark.parametrize("values", [[1.0, 1.01], [1.0, 1.03, 0.98, 1.01], [-4.0, 2.0]])
def test_bounds_of_few_values_may_lie_far_away(values: list[float], level: float) -> None:
    """With one look it is the interval of Student's t test; its bound may be thousands of ranges below all values."""
    x = np.array(values)
    bound = GroupSequentialTest(sizes=(len(x),), method="t").lower_bound(x[None, :], level)[0]
    expected = x.mean() - student.isf(level, len(x) - 1) * x.std(ddof=1) / np.sqrt(len(x))
    assert bound == pytest.approx(expected, rel=1e-9)


def test_what_no_values_can_reject_has_no_bound() -> None:
    assert (
        GroupSequentialTest(sizes=(5,), method="wilcoxon").lower_bound(np.arange(1.0, 6.0)[None, :], 0.01)[0] == -np.inf
    )


def test_looks_that_add_no_information_are_refused() -> None:
    with pytest.raises(InputError, match="look 2 adds 2e-05 of it"):
        podium.inference.boundaries([0.5, 0.50001, 1])
    values = np.random.default_rng(1).normal(size=(1, 40, 2))
    results = podium.read(
        values, labels={"dataset": ["d"], "replication": None, "algorithm": ["a", "b"]}, measure="error"
    )
    options = {"kind": "group sequential", "method": "corrected t", "stages": 4}
    # The information is 1/(1/n + 1000): from 30 to 40 replications it grows by (1/30 - 1/40) / (1000 + 1/40).
    with pytest.raises(InputError, match=r"look 4 adds 8\.3e-06 of it"):
        podium.sequential(results, pair=("a", "b"), ratio=1000, **options)
