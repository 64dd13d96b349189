"""Two one-sided tests beside interval inclusion: against SciPy, by duality, invariances, level."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import ttest_1samp, wilcoxon

import podium
from podium.analysis.inference.pairwise_test import PAIRWISE_TESTS, Structure
from podium.errors import InputError
from podium.results import Results

VALUES = np.random.default_rng(1).normal(0, 0.02, size=(14, 3)) + np.array([0.2, 0.2, 0.23])


@pytest.mark.parametrize("method", ["t", "wilcoxon"])
def test_as_scipy(method: str, table: Callable[..., Results]) -> None:
    # SciPy 1.17: one-sided tests of the differences less either end of the area, the larger p-value
    found = podium.compare(table(VALUES, rows="dataset"), method=method, equivalence=0.02)
    test = ttest_1samp if method == "t" else wilcoxon
    for i, (a, b) in enumerate(zip(found.first, found.second, strict=True)):
        d = VALUES[:, a] - VALUES[:, b]
        if method == "t":
            expected = max(test(d, -0.02, alternative="greater").pvalue, test(d, 0.02, alternative="less").pvalue)
        else:
            expected = max(test(d + 0.02, alternative="greater").pvalue, test(d - 0.02, alternative="less").pvalue)
        assert found.equivalence_pvalues[i] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("method", ["t", "wilcoxon", "mixed"])
def test_an_interval_inside_means_a_small_p_value(method: str, table: Callable[..., Results]) -> None:
    rng = np.random.default_rng(2)
    for reach in (0.01, 0.02, 0.04, 0.08):
        values = rng.normal(0, 0.03, size=(20, 4))
        adjust = {} if method == "mixed" else {"adjust": "bonferroni"}
        found = podium.compare(table(values, rows="dataset"), method=method, equivalence=reach, **adjust)
        p = found.equivalence_pvalues
        assert (p[found.inside] <= 0.025 + 1e-9).all()
        if method == "t":  # and the other way round: the interval is made of the two tests at 0.05/2 over 6 pairs
            np.testing.assert_array_equal(found.inside, 6 * p <= 0.025)


def test_columns_only_with_an_area(table: Callable[..., Results]) -> None:
    results = table(VALUES, rows="dataset")
    assert podium.compare(results, method="t").equivalence_pvalues is None
    with pytest.raises(InputError, match="equivalence="):
        podium.compare(results, method="t").equivalence_frame()
    found = podium.compare(results, method="t", equivalence=0.02)
    frame = found.equivalence_frame()
    assert (frame["adjusted"] >= frame["pvalue"]).all()
    assert frame[["a", "b", "decision"]].equals(found.frame()[["a", "b", "decision"]])
    assert podium.compare(results, method="nemenyi", equivalence=0.02).equivalence_pvalues is None


def test_invariances(table: Callable[..., Results]) -> None:
    one = podium.compare(table(VALUES, rows="dataset"), method="wilcoxon", equivalence=0.02)
    other = podium.compare(table(5 - 3 * VALUES[::-1], rows="dataset"), method="wilcoxon", equivalence=0.06)
    np.testing.assert_allclose(one.equivalence_pvalues, other.equivalence_pvalues)


@pytest.mark.parametrize("method", ["t", "wilcoxon"])
def test_level_at_the_edge_of_the_area(method: str, table: Callable[..., Results]) -> None:
    samples = 150
    rng = np.random.default_rng(3)
    values = rng.normal(0, 0.01, size=(samples, 12, 3)) + np.array([0.0, 0.02, 0.04])  # no pair is closer than 0.02
    first, second = np.triu_indices(3, 1)
    differences = np.swapaxes(values[..., first] - values[..., second], 1, 2).reshape(-1, 12)
    test = PAIRWISE_TESTS[method].function
    above, below = (test(differences + end, Structure(), alpha=0.05, intervals=False) for end in (0.02, -0.02))
    alone = np.maximum(above.greater, below.less).reshape(samples, 3)
    errors = 0
    for i in np.flatnonzero(alone.min(axis=1) <= 0.05):  # adjusted p-values are not smaller
        found = podium.compare(table(values[i], rows="dataset"), method=method, equivalence=0.02)
        np.testing.assert_allclose(found.equivalence_pvalues, alone[i], rtol=1e-9)
        errors += (found.equivalence_frame()["adjusted"] <= 0.05).any()
    assert errors / samples <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / samples)
    assert errors > 0
