"""Attained errors by simulation: the level is kept where the model holds. `benchmarks/calibration` has larger studies."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest

from podium.analysis.mixed import mixed

SAMPLES = 100
# At most 5 % plus three standard errors of that share.
MOST = 0.05 + 3 * np.sqrt(0.05 * 0.95 / SAMPLES)
EXACT = ("block", "domain", "survey")  # designs whose p-values are uniform, but for variances that end at zero

DESIGNS = {
    "block": ((1, 12, 4), {}, {"dataset": 0.0, "interaction": 0.0}),
    "domain": ((8, 4, 4), {}, {}),
    "domain, cells missing": ((8, 4, 3), {}, {"missing": 0.15}),
    "domain, unstructured": ((9, 4, 3), {"covariance": "unstructured"}, {}),
    "domain, unstructured, cells missing": ((9, 4, 3), {"covariance": "unstructured"}, {"missing": 0.1}),
    "survey": ((4, 5, 4), {"model": "survey"}, {"interaction": 0.0}),
}


@pytest.mark.parametrize("name", DESIGNS)
def test_size_of_the_global_test_and_coverage_of_the_intervals(of, draw, name: str) -> None:
    shape, options, effects = DESIGNS[name]
    rng = np.random.default_rng(sum(map(ord, name)))
    pvalues, missed = [], 0
    for _ in range(SAMPLES):
        comparison = mixed(of(draw(rng, shape, **effects)), **options).contrasts(accuracy=1.0)  # few directions will do
        pvalues.append(comparison.omnibus.pvalue)
        missed += bool(((comparison.lower > 0) | (comparison.upper < 0)).any())
    assert np.mean(np.array(pvalues) <= 0.05) <= MOST
    assert missed / SAMPLES <= MOST
    assert missed > 0  # the intervals are not wider than they must be
    if name in EXACT:
        assert kstest(pvalues, "uniform").pvalue > 0.001


@pytest.mark.parametrize("shape", [(1, 5, 4), (6, 4, 3)])
def test_the_global_test_is_exact_where_a_variance_ends_at_zero(of, draw, shape: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(5)
    pvalues, at_zero = [], 0
    for _ in range(400):
        values = draw(rng, shape, dataset=0.0, interaction=0.0, replication=0.0)
        fit = mixed(of(values))
        test = fit.omnibus()
        at_zero += fit.boundary
        m, _, k = shape
        # Two-way layouts (Scheffé 1959, chapters 4 and 8): algorithms against their interaction with blocks.
        table = values[0] if m == 1 else values.mean(axis=1)
        among = ((table.mean(axis=0) - table.mean()) ** 2).sum() * len(table) / (k - 1)
        left = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
        within = (left**2).sum() / ((len(table) - 1) * (k - 1))
        assert (test.statistic, *test.df) == pytest.approx((among / within, k - 1, (len(table) - 1) * (k - 1)))
        pvalues.append(test.pvalue)
    assert at_zero > 100
    assert kstest(pvalues, "uniform").pvalue > 0.01


def test_hotellings_test_is_exact_where_the_covariance_is_singular(of, draw) -> None:
    rng = np.random.default_rng(6)
    m, k = 6, 4
    pvalues, at_zero = [], 0
    for _ in range(200):
        values = draw(rng, (m, 4, k), interaction=0.2)
        fit = mixed(of(values), covariance="unstructured")
        at_zero += fit.boundary
        test = fit.omnibus()
        # Hotelling (1931), The generalization of Student's ratio: T² of the differences of cell means.
        cells = values.mean(axis=1)
        differences = cells[:, :-1] - cells[:, -1:]
        mean, spread = differences.mean(axis=0), np.cov(differences, rowvar=False) / m
        squared = mean @ np.linalg.inv(spread) @ mean
        expected = (squared * (m - k + 1) / ((m - 1) * (k - 1)), k - 1, m - k + 1)
        assert (test.statistic, *test.df) == pytest.approx(expected, rel=1e-6)
        pvalues.append(test.pvalue)
    assert at_zero > 50
    assert kstest(pvalues, "uniform").pvalue > 0.01
