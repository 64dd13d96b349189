"""Confidence sequences and always-valid p-values: by hand, against numerical integration, and by simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.stats import halfnorm

import podium
from podium.analysis.sequential.always_valid import (
    STAKES,
    _log_mixture,
    asymptotic_bounds,
    asymptotic_pvalues,
    betting_bounds,
    betting_pvalues,
    mixture_scale,
)


def test_capital_by_hand() -> None:
    """Two values, 0.9 and 0.4, against a mean of 0.5: the mean over stakes g of the products of 1 + g (x/m - 1)."""
    capital = [np.mean(1 + STAKES * 0.8), np.mean((1 + STAKES * 0.8) * (1 - STAKES * 0.2))]
    expected = 1 / np.maximum.accumulate(capital)
    np.testing.assert_allclose(betting_pvalues(np.array([[0.9, 0.4]]), 0.5, 0.0, 1.0)[0], expected)


def test_the_mixture_is_an_integral() -> None:
    """∫ exp(λS - tλ²/2) over a half-normal λ, by quadrature."""
    for s, t, rho in ((3.0, 10.0, 0.5), (-2.0, 5.0, 1.0), (12.0, 40.0, 0.2)):
        value, _ = quad(lambda x, s=s, t=t, rho=rho: np.exp(x * s - t * x * x / 2) * halfnorm.pdf(x, scale=rho), 0, 60)
        found = _log_mixture(np.array([[s]]), np.array([t]), rho)[0, 0]
        assert found == pytest.approx(np.log(value), abs=1e-7)


def test_two_one_sided_sequences_are_nearly_the_two_sided_one() -> None:
    """Waudby-Smith et al. (2024), theorem 2.2: mean ± s √(2 (tρ²+1) / (t²ρ²) log(√(tρ²+1)/α)), for many values."""
    x = np.random.default_rng(0).normal(size=(1, 400))
    alpha, t = 0.05, 400
    rho = mixture_scale(alpha / 2, 200.0)
    lower = asymptotic_bounds(x, alpha / 2, burn_in=400, scale=rho)[0, -1]
    reach = x.std(ddof=1) * np.sqrt(2 * (t * rho**2 + 1) / (t * rho) ** 2 * np.log(np.sqrt(t * rho**2 + 1) / alpha))
    assert x.mean() - lower == pytest.approx(reach, rel=0.01)


@pytest.mark.parametrize("shape", [(0.3, 0.3), (1, 9), (9, 1)])
def test_betting_keeps_its_level_for_any_bounded_values(shape: tuple[float, float]) -> None:
    x = np.random.default_rng(1).beta(*shape, size=(800, 200))
    p = betting_pvalues(x, shape[0] / sum(shape), 0.0, 1.0)[:, -1]
    assert (p <= 0.05).mean() <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 800)


def test_the_asymptotic_sequence_keeps_its_level_after_its_burn_in() -> None:
    x = np.random.default_rng(2).normal(size=(2_000, 200))
    p = asymptotic_pvalues(x, 0.0, burn_in=20, scale=mixture_scale(0.05, 100))[:, -1]
    assert (p <= 0.05).mean() <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2_000)


def test_bounds_are_what_the_test_does_not_reject() -> None:
    x = np.random.default_rng(3).beta(2, 3, size=60)
    at = np.array([10, 30, 60])
    for place, bound in zip(at, betting_bounds(x, 0.05, 0.0, 1.0, at), strict=True):
        for null, rejected in ((bound - 1e-6, True), (bound + 1e-6, False)):
            assert (betting_pvalues(x[None, :place], null, 0.0, 1.0)[0, -1] <= 0.05) == rejected
    settings = {"burn_in": 20, "scale": mixture_scale(0.01, 30)}  # whatever level the scale is for
    bounds = asymptotic_bounds(x[None], 0.05, **settings)[0]
    for null, rejected in ((bounds[-1] - 1e-6, True), (bounds[-1] + 1e-6, False)):
        assert (asymptotic_pvalues(x[None], null, **settings)[0, -1] <= 0.05) == rejected
    assert np.isneginf(bounds[:19]).all()
    assert (np.diff(bounds[19:]) >= 0).all()


def test_values_without_variance() -> None:
    same, zero = np.full((1, 30), 0.25), np.zeros((1, 30))
    settings = {"burn_in": 20, "scale": mixture_scale(0.05, 20)}
    assert asymptotic_pvalues(same, 0.0, **settings)[0, -1] == 0.0
    assert asymptotic_pvalues(zero, 0.0, **settings)[0, -1] == 1.0
    assert betting_pvalues(zero, 0.0, -1.0, 1.0)[0, -1] == 1.0


def test_overlap_widens_the_sequence() -> None:
    x = np.random.default_rng(4).normal(size=(1, 100))
    free = asymptotic_bounds(x, 0.05, burn_in=20, scale=mixture_scale(0.05, 50))[0, -1]
    overlapping = asymptotic_bounds(x, 0.05, burn_in=20, scale=mixture_scale(0.05, 50, 0.5), ratio=0.5)
    assert overlapping[0, -1] < free


@pytest.mark.parametrize("kind", ["asymptotic", "betting"])
def test_a_sequence_of_results(kind: str) -> None:
    error = podium.examples.load_pima()
    found = podium.inference.confidence_sequence(error, pair=("lda", "svm1"), kind=kind, equivalence=0.05)
    turned = podium.inference.confidence_sequence(error, pair=("svm1", "lda"), kind=kind, equivalence=0.05)
    np.testing.assert_allclose(found.lower, -turned.upper)
    np.testing.assert_allclose(found.pvalue, turned.pvalue)
    d = error.values[0, :, 0, 0] - error.values[0, :, 1, 0]
    assert found.estimate[-1] == pytest.approx(d.mean())
    assert found.equivalent <= 200
    assert found.frame().columns.tolist() == ["replications", "estimate", "lower", "upper", "pvalue"]


@pytest.mark.parametrize("kind", ["asymptotic", "betting"])
def test_bounds_exclude_zero_exactly_if_the_pvalue_says_so(kind: str) -> None:
    """At every replication, of pairs with and without a difference: 0 is outside the bounds iff p ≤ alpha."""
    rng = np.random.default_rng(7)
    for gain in (0.0, 0.12, 0.3):
        values = np.clip(rng.normal(0.5, 0.2, size=(60, 2)) - [gain, 0.0], 0, 1)
        labels = {"replication": None, "algorithm": ["a", "b"]}
        results = podium.read(values, labels=labels, measure="misclassification")
        found = podium.inference.confidence_sequence(results, pair=("a", "b"), kind=kind)
        outside = (found.lower > 0) | (found.upper < 0)
        np.testing.assert_array_equal(outside, found.pvalue <= 0.05)
    assert outside.any()


@pytest.mark.parametrize("unit", [1e-300, 1e-9, 1e300])
def test_the_unit_of_the_measure_does_not_matter(unit: float) -> None:
    """Squares of very small values vanish, and those of very large ones overflow; decisions do not."""
    x = np.random.default_rng(8).normal(0.3, 1, size=(4, 60))
    settings = {"burn_in": 20, "scale": mixture_scale(0.05, 30)}
    np.testing.assert_allclose(
        asymptotic_pvalues(x * unit, 0.0, **settings), asymptotic_pvalues(x, 0.0, **settings), rtol=1e-9
    )
    np.testing.assert_allclose(
        asymptotic_bounds(x * unit, 0.05, **settings)[:, 19:], unit * asymptotic_bounds(x, 0.05, **settings)[:, 19:]
    )


@pytest.mark.parametrize("kind", ["asymptotic", "betting"])
def test_later_replications_change_no_bounds(kind: str) -> None:
    error = podium.examples.load_pima()
    first = error.select(replications=error.replications[:60])
    whole = podium.inference.confidence_sequence(error, pair=("lda", "rf"), kind=kind).frame()
    part = podium.inference.confidence_sequence(first, pair=("lda", "rf"), kind=kind).frame()
    assert len(part) == 59
    pd.testing.assert_frame_equal(whole.head(59), part, rtol=1e-12)


def test_an_asymptotic_sequence_is_tightest_where_it_was_planned_to_be() -> None:
    # The margin of a sequence of values with mean 0 and variance 1 is that of all scales at n; the smallest of all is
    # where the scale was chosen for n (Waudby-Smith et al. 2024, equation for the optimal scale), up to its expansion.
    margins = {
        tightest: -asymptotic_bounds(
            np.tile([1.0, -1.0], (1, 200)), 0.025, burn_in=20, scale=mixture_scale(0.05, tightest)
        )[0]
        for tightest in (25, 50, 100, 200, 400)
    }
    for n in (50, 100, 200):
        assert min(margins, key=lambda tightest: margins[tightest][n - 1]) == n
