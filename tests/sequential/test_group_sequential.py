"""Group sequential boundaries against published tables, and by simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import podium
from podium.analysis.sequential.courses import GroupSequentialTest
from podium.errors import InputError

# C. Jennison, B. W. Turnbull (2000), tables 2.1 and 2.3: constants for two-sided tests at 0.05, three decimals.
POCOCK = {2: 2.178, 3: 2.289, 4: 2.361, 5: 2.413, 10: 2.555}
OBRIEN_FLEMING = {2: 1.977, 3: 2.004, 4: 2.024, 5: 2.040, 10: 2.087}
# D. M. Reboussin, D. L. DeMets, K. Kim, K. K. G. Lan (2000), Controlled Clinical Trials 21, 190–207, the program ld98
# (and its successor, the R package ldbounds): five equal looks, two-sided 0.05.
SPENDING = {
    "obrien-fleming spending": (4.8769, 3.3569, 2.6803, 2.2898, 2.0310),
    "pocock spending": (2.4380, 2.4268, 2.4101, 2.3966, 2.3859),
}


@pytest.mark.parametrize("looks", POCOCK)
def test_classical_boundaries(looks: int) -> None:
    assert podium.inference.boundaries(looks, boundary="pocock").critical == pytest.approx(
        [POCOCK[looks]] * looks, abs=6e-4
    )
    found = podium.inference.boundaries(looks, boundary="obrien-fleming").critical
    assert found[-1] == pytest.approx(OBRIEN_FLEMING[looks], abs=6e-4)
    assert found == pytest.approx([found[-1] * np.sqrt(looks / k) for k in range(1, looks + 1)])


@pytest.mark.parametrize("boundary", SPENDING)
def test_spending_functions(boundary: str) -> None:
    found = podium.inference.boundaries(5, boundary=boundary)
    assert found.critical == pytest.approx(SPENDING[boundary], abs=2e-4)
    assert found.spent[-1] == pytest.approx(0.05, abs=1e-9)


def test_spending_does_not_depend_on_later_looks() -> None:
    five = podium.inference.boundaries([0.2, 0.4, 0.6, 0.8, 1], boundary="obrien-fleming spending").critical
    changed = podium.inference.boundaries([0.2, 0.4, 0.7, 0.9], boundary="obrien-fleming spending").critical
    assert changed[:2] == pytest.approx(five[:2])


def test_a_function_of_your_own_is_spent_as_it_says() -> None:
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


def test_the_sequential_pvalue_agrees_with_the_decision() -> None:
    test = GroupSequentialTest(sizes=(10, 10, 10), boundary="pocock spending")
    differences = np.random.default_rng(2).normal(0.35, 1, size=(40, 30))
    overall = test.overall(differences, 0.025)
    np.testing.assert_array_equal(overall <= 0.025, test.course(differences, 0.025).rejected[:, -1])


@pytest.mark.parametrize(
    ("looks", "options", "text"),
    [
        (0, {}, "`looks` must be a whole number of at least 1; got 0."),
        (
            [0.5, 0.4],
            {},
            "`looks` must be up to 200 shares of the information, increasing, above 0 and up to 1; got [0.5, 0.4].",
        ),
        (5, {"sides": 3}, "`sides` must be one of 1, 2; got 3."),
        (
            2,
            {"boundary": lambda share: 2.0},
            "`boundary` must return a share of alpha between 0 and 1; at 0.5 it returned 2.0.",
        ),
        (
            2,
            {"boundary": lambda share: 1 - share / 2},
            "`boundary` must not decrease; at [0.5, 1.0] it returned [0.75, 0.5].",
        ),
    ],
)
def test_wrong_arguments(looks: Any, options: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError) as caught:
        podium.inference.boundaries(looks, **options)
    assert str(caught.value) == text
