"""The studentised range and Dunnett-type maxima, against R, SciPy and closed forms."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gammaln
from scipy.stats import dunnett, norm, studentized_range, t

from podium.analysis.simultaneous import studentised_range
from podium.analysis.simultaneous.studentised_range import control_ppf, control_sf, range_ppf, range_sf

# R 4.2.2, ptukey(q, 7, df, lower.tail = FALSE)
Q = np.array([0.5, 1.3, 3.0, 4.2, 6.0, 9.0])
PTUKEY_INF = [
    9.99846157160058e-01,
    9.69630840435362e-01,
    3.39880754309325e-01,
    4.69807011343553e-02,
    4.41531365465209e-04,
    4.12535072769060e-09,
]
PTUKEY_24 = [
    9.99809321668804e-01,
    9.65709650928874e-01,
    3.72523489277558e-01,
    8.30469723516436e-02,
    4.60575597537416e-03,
    2.60279869821467e-05,
]
# R 4.2.2, qtukey(0.95, K, Inf) / sqrt(2)
QTUKEY = {
    2: 1.95996398477,
    3: 2.34370058790,
    4: 2.56903177742,
    5: 2.72777438252,
    6: 2.84970544327,
    8: 3.03087852260,
    10: 3.16368375350,
    20: 3.54379913192,
    50: 3.99234339987,
    100: 4.30248857359,
    200: 4.59330428824,
}


def test_the_range_agrees_with_r() -> None:
    np.testing.assert_allclose(range_sf(Q, 7), PTUKEY_INF, rtol=2e-7, atol=1e-13)  # ptukey loses digits in its tail
    np.testing.assert_allclose(range_sf(Q, 7, 24), PTUKEY_24, rtol=1e-7, atol=1e-11)


@pytest.mark.parametrize("k", QTUKEY)
def test_critical_values_agree_with_r(k: int) -> None:
    assert range_ppf(0.05, k) / np.sqrt(2) == pytest.approx(QTUKEY[k], abs=2e-7)


@pytest.mark.parametrize(("k", "df"), [(3, 4), (4, 10), (6, 39), (30, 200), (10, np.inf), (100, np.inf)])
def test_the_range_agrees_with_scipy(k: int, df: float) -> None:
    np.testing.assert_allclose(range_sf(Q, k, df), studentized_range.sf(Q, k, df), atol=2e-8)


def test_few_degrees_of_freedom_and_a_large_range() -> None:
    # SciPy 1.16, studentized_range.sf: 1.5937327116e-03
    assert float(range_sf(100.0, 25, 2)) == pytest.approx(1.5937327116e-03, rel=1e-9)
    for k, df, q in ((3, 1, 1000.0), (40, 4.5, 30.0)):
        assert float(range_sf(q, k, df)) == pytest.approx(_by_quadrature(q, k, df), rel=1e-8)


def _by_quadrature(q: float, k: int, df: float) -> float:
    """Mean of P(W > q s) over x = log s, where df · s² is χ² with df degrees of freedom."""
    constant = np.log(2) + df / 2 * np.log(df / 2) - gammaln(df / 2)

    def integrand(x: float) -> float:
        return float(range_sf(q * np.exp(x), k)) * np.exp(constant + df * x - df * np.exp(2 * x) / 2)

    middle = np.log(4 / q)  # where P(W > q s) falls from 1 to 0
    ends = sorted([-40.0, middle - 1.5, middle - 0.5, middle + 0.5, middle + 1.5, -1.0, 0.0, 1.0, 3.0])
    return sum(quad(integrand, a, b, epsabs=0, epsrel=1e-10, limit=200)[0] for a, b in pairwise(ends))


@pytest.mark.parametrize("df", [1, 2, 3, 8])
def test_two_variables_are_students_t_far_into_the_tail(df: int) -> None:
    q = np.array([1.0, 10.0, 100.0, 1000.0])
    np.testing.assert_allclose(range_sf(q, 2, df), 2 * t.sf(q / np.sqrt(2), df), rtol=1e-6, atol=1e-17)


def test_two_variables_are_a_normal_difference_far_into_the_tail() -> None:
    q = np.array([0.1, 1.0, 5.0, 20.0, 40.0])
    np.testing.assert_allclose(range_sf(q, 2), 2 * norm.sf(q / np.sqrt(2)), rtol=1e-11)


def test_the_tail_of_many_variables_is_that_of_the_number_of_pairs() -> None:
    q = 20.0  # so far out that no two pairs exceed it together
    assert float(range_sf(q, 6)) == pytest.approx(15 * 2 * norm.sf(q / np.sqrt(2)), rel=1e-9)


@pytest.mark.parametrize("k", [2, 7, 100])
@pytest.mark.parametrize("alpha", [0.2, 0.03, 1e-6])
def test_quantiles_invert_probabilities(k: int, alpha: float) -> None:
    assert float(range_sf(range_ppf(alpha, k), k)) == pytest.approx(alpha, rel=1e-8)
    assert float(control_sf(control_ppf(alpha, k), k)) == pytest.approx(alpha, rel=1e-8)
    assert float(control_sf(control_ppf(alpha, k, two_sided=False), k, two_sided=False)) == pytest.approx(
        alpha, rel=1e-8
    )


def test_one_comparison_with_a_control_is_normal() -> None:
    c = np.array([0.3, 1.96, 8.0, 30.0])
    np.testing.assert_allclose(control_sf(c, 1), 2 * norm.sf(c), rtol=1e-11)
    np.testing.assert_allclose(control_sf(-c[:2], 1, two_sided=False), norm.sf(-c[:2]), rtol=1e-11)


def test_critical_values_of_dunnett() -> None:
    # Dunnett (1964, Biometrics 20), table for infinite degrees of freedom, 5%, 1 to 9 comparisons with a control
    two_sided = [1.96, 2.21, 2.35, 2.44, 2.51, 2.57, 2.61, 2.65, 2.69]
    one_sided = [1.64, 1.92, 2.06, 2.16, 2.23, 2.29, 2.34, 2.38, 2.42]
    assert [round(control_ppf(0.05, m), 2) for m in range(1, 10)] == two_sided
    assert [control_ppf(0.05, m, two_sided=False) for m in range(1, 10)] == pytest.approx(one_sided, abs=0.006)


def test_maxima_against_a_control_agree_with_scipy() -> None:
    rng = np.random.default_rng(1)
    groups = [rng.normal(size=3000) for _ in range(4)]
    found = dunnett(*groups[1:], control=groups[0], rng=rng)
    np.testing.assert_allclose(
        control_sf(np.abs(found.statistic), 3), found.pvalue, atol=2e-3
    )  # SciPy integrates by QMC


def test_impossible_and_certain() -> None:
    assert range_sf([0.0, -1.0, np.inf], 5).tolist() == [1.0, 1.0, 0.0]
    assert range_sf([0.0, np.inf], 5, 10).tolist() == [1.0, 0.0]
    assert control_sf([0.0, np.inf], 5).tolist() == [1.0, 0.0]


def test_infinite_statistics_against_a_control_have_probability_zero_or_one() -> None:
    assert control_sf([np.inf, -np.inf], 3).tolist() == [0.0, 1.0]
    assert control_sf([np.inf, -np.inf], 3, two_sided=False).tolist() == pytest.approx([0.0, 1.0], abs=1e-12)


def test_many_values_are_integrated_once_each_and_part_by_part() -> None:
    """Two million differences of mean ranks have few values; they get what each gets alone."""
    values = np.tile(np.linspace(0.01, 20, 300), 40)
    assert values.size > studentised_range._MANY
    alone = np.concatenate([range_sf(part, 50) for part in np.split(np.linspace(0.01, 20, 300), 3)])
    np.testing.assert_allclose(range_sf(values, 50), np.tile(alone, 40), rtol=1e-10)
    distinct = np.linspace(0.01, 20, studentised_range._MANY + 5)
    np.testing.assert_allclose(range_sf(distinct, 50)[[0, -1]], range_sf(distinct[[0, -1]], 50), rtol=1e-10)
