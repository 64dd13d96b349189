"""The Bayesian sign test by hand and by Monte Carlo; relations and expected errors of Bayesian comparisons."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import podium
from podium.analysis.methods.bayes.kernels import sign
from podium.results import Results


def test_by_hand() -> None:
    # Dirichlet(2, 1, 1): P(first is largest) = ∫ x e^-x (1 - e^-x)² dx = 1 - 1/2 + 1/9 = 11/18
    found = sign(np.array([[-1.0, -1.0, 1.0]]), (0.0, 0.0))
    np.testing.assert_allclose([found.below[0], found.inside[0], found.above[0]], [11 / 18, 7 / 36, 7 / 36], atol=1e-6)
    # nothing below: two exponential variables
    found = sign(np.array([[1.0]]), (0.0, 0.0))
    np.testing.assert_allclose([found.below[0], found.inside[0], found.above[0]], [0, 0.5, 0.5], atol=1e-6)


@pytest.mark.parametrize("strength", [0.5, 1.0, 3.0])
def test_by_monte_carlo(strength: float) -> None:
    d = np.random.default_rng(1).normal(0.3, 1, size=(1, 15))
    found = sign(d, (-0.2, 0.2), strength=strength)
    counts = [(d < -0.2).sum(), ((d >= -0.2) & (d <= 0.2)).sum() + strength, (d > 0.2).sum()]
    draws = np.random.default_rng(2).dirichlet(counts, 400_000).argmax(axis=1)
    shares = np.bincount(draws, minlength=3) / 400_000
    np.testing.assert_allclose([found.below[0], found.inside[0], found.above[0]], shares, atol=0.003)
    weights = np.random.default_rng(3).dirichlet(np.r_[strength, np.ones(15)], 20_000)
    order = np.argsort(np.r_[0.0, d[0]])
    medians = np.r_[0.0, d[0]][order][(weights[:, order].cumsum(axis=1) >= 0.5).argmax(axis=1)]
    for end, q in ((found.lower[0], 0.025), (found.median[0], 0.5), (found.upper[0], 0.975)):
        assert (medians < end - 1e-9).mean() <= q + 0.015
        assert (medians <= end + 1e-9).mean() >= q - 0.015


def test_invariances() -> None:
    d = np.random.default_rng(4).normal(0.3, 1, size=(3, 12))
    one, other = sign(d, (-0.1, 0.1)), sign(-d[:, ::-1] * 5, (-0.5, 0.5))
    np.testing.assert_allclose(one.below, other.above, atol=1e-12)
    np.testing.assert_allclose(one.inside, other.inside, atol=1e-12)
    np.testing.assert_allclose(one.median, -other.median / 5, atol=1e-12)
    np.testing.assert_allclose(one.lower, -other.upper / 5, atol=1e-12)


def test_equal_algorithms_are_called_different_rarely() -> None:
    d = np.random.default_rng(5).standard_cauchy(size=(800, 20))
    found = sign(d, (-1e-9, 1e-9))
    assert (np.maximum(found.below, found.above) >= 0.95).mean() <= 0.1 + 3 * np.sqrt(0.09 / 800)  # 5% each way
    assert (sign(np.zeros((1, 9)), (0.0, 0.0)).inside == 1).all()


def test_through_compare_bayes(demsar: Results) -> None:
    found = podium.inference.compare_bayes(demsar, method="sign", equivalence=0.01)
    assert found.method == "Bayesian sign test"
    np.testing.assert_allclose(found.better + found.equivalent + found.worse, 1)


def test_relation_and_expected_errors(table: Callable[..., Results]) -> None:
    rng = np.random.default_rng(6)
    values = rng.normal(size=(20, 4)) + np.array([0.0, 0.1, 3.0, 6.0])
    found = podium.inference.compare_bayes(table(values, rows="dataset"), method="signed rank", seed=1)
    relation = found.relation()
    frame = found.frame()
    better = set(zip(*(frame.loc[frame["decision"] == "better", name] for name in "ab"), strict=True))
    assert {(a, b) for a in found.algorithms for b in found.algorithms if relation.prefers(a, b)} == better
    wrong = (1 - frame.loc[frame["decision"] == "better", "better"]).sum()
    assert found.expected_errors() == pytest.approx(wrong)
    assert f"the expected number of wrong decisions is {wrong:.2g} of {len(better)}." in found.text()
    assert found.expected_errors(0.5) >= found.expected_errors(0.99)
