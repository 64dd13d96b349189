"""Attained errors by simulation: the level is kept where the model holds. `benchmarks/calibration` has larger studies."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import f as f_distribution
from scipy.stats import kstest

from podium.analysis.mixed import mixed

SAMPLES = 70

# Designs without formulas; `test_few_datasets.py` has those whose tests and intervals are exact.
DESIGNS = {
    "domain, cells missing": ((8, 4, 3), {}, {"missing": 0.15}),
    "domain, unstructured": ((9, 4, 3), {"covariance": "unstructured"}, {}),
    "domain, unstructured, cells missing": ((9, 4, 3), {"covariance": "unstructured"}, {"missing": 0.1}),
}


@pytest.mark.parametrize("name", DESIGNS)
def test_size_of_the_global_test_and_coverage_of_the_intervals(of, draw, check_uniform, name: str) -> None:
    shape, options, effects = DESIGNS[name]
    rng = np.random.default_rng(sum(map(ord, name)))
    overall, smallest = [], []
    for _ in range(SAMPLES):
        comparison = mixed(of(draw(rng, shape, **effects)), **options).contrasts(accuracy=1.0)  # few directions will do
        overall.append(comparison.omnibus.pvalue)
        smallest.append(comparison.adjusted.min())
        missed = bool(((comparison.lower > 0) | (comparison.upper < 0)).any())
        assert missed == (smallest[-1] <= 0.05)
    check_uniform(overall)
    check_uniform(smallest)  # that of all pairs: the intervals cover all differences as often as they should
    assert min(smallest) <= 0.05  # and are not wider than they must be


# Exact tests: p-values that follow from a formula are uniform in many experiments, and those of some fits are the same.


@pytest.mark.parametrize("shape", [(1, 5, 4), (6, 4, 3)])
def test_the_global_test_is_exact_where_a_variance_ends_at_zero(of, draw_many, shape: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(5)
    experiments = draw_many(rng, 1000, shape, dataset=0.0, interaction=0.0, replication=0.0)
    # Two-way layouts (Scheffé 1959, chapters 4 and 8): algorithms against their interaction with blocks.
    tables = experiments[:, 0] if shape[0] == 1 else experiments.mean(axis=2)
    _, n, k = tables.shape
    means, rows, total = (tables.mean(axis=axis, keepdims=True) for axis in (1, 2, (1, 2)))
    among = ((means - total) ** 2).sum(axis=(1, 2)) * n / (k - 1)
    within = ((tables - means - rows + total) ** 2).sum(axis=(1, 2)) / ((n - 1) * (k - 1))
    check_exact_test(of, experiments, among / within, (k - 1, (n - 1) * (k - 1)), fits=8)


def test_hotellings_test_is_exact_where_the_covariance_is_singular(of, draw_many) -> None:
    rng = np.random.default_rng(6)
    m, k = 6, 4
    experiments = draw_many(rng, 1000, (m, 4, k), interaction=0.2)
    # Hotelling (1931), The generalization of Student's ratio: T² of the differences of cell means.
    cells = experiments.mean(axis=2)
    differences = cells[..., :-1] - cells[..., -1:]
    mean = differences.mean(axis=1)
    spread = np.array([np.cov(sample, rowvar=False) / m for sample in differences])
    squared = np.einsum("ni,nij,nj->n", mean, np.linalg.inv(spread), mean)
    statistics = squared * (m - k + 1) / ((m - 1) * (k - 1))
    check_exact_test(of, experiments, statistics, (k - 1, m - k + 1), fits=5, covariance="unstructured")


def check_exact_test(
    of, experiments: np.ndarray, statistics: np.ndarray, df: tuple[int, int], *, fits: int, **options: str
) -> None:
    pvalues = f_distribution.sf(statistics, *df)
    assert kstest(pvalues, "uniform").pvalue > 0.01
    at_zero = 0
    for values, statistic, pvalue in zip(experiments[:fits], statistics, pvalues, strict=False):
        fit = mixed(of(values), **options)
        test = fit.omnibus()
        assert (test.statistic, *test.df) == pytest.approx((statistic, *df), rel=1e-6)
        assert test.pvalue == pytest.approx(pvalue, rel=1e-6)
        at_zero += fit.boundary
    assert at_zero >= fits / 4
