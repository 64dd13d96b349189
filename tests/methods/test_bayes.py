"""Bayesian comparisons: closed forms, baycomp, recovery, convergence."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import t

import podium
from podium.analysis.methods import compare_bayes, paired_test
from podium.analysis.methods.bayes.hierarchical import (
    Chains,
    _Density,
    diagnose,
    effective_size,
    posterior_of_next,
    sample_hierarchical,
    split_rhat,
)
from podium.analysis.methods.bayes.kernels import correlated_t, signed_rank
from podium.results import Results


def test_correlated_t_is_the_corrected_t_test_turned_round() -> None:
    # With a matching prior the posterior probability of a < 0 is the one-sided p-value (Corani & Benavoli 2015).
    rng = np.random.default_rng(0)
    d = rng.normal(0.1, 1, 20)
    posterior = correlated_t(d[None, :], rho=0.1, area=(0.0, 0.0))
    p = paired_test(d, np.zeros(20), "corrected t", ratio=1 / 9, alternative="worse", direction="lower").pvalue
    assert float(posterior.below[0]) == pytest.approx(p, rel=1e-10)
    assert float(posterior.inside[0]) == pytest.approx(0, abs=1e-12)


def test_correlated_t_agrees_with_baycomp(ulas: Results) -> None:
    # baycomp 1.0.3, CorrelatedTTest.probs(c45, svr, rope=1, runs=5) on the first three data sets
    expected = [
        (0.4499325112557619, 0.30659747161542683, 0.24347001712881122),
        (0.012434893772658826, 0.005225273182467349, 0.9823398330448738),
        (0.025950807523588495, 0.060539395285673314, 0.9135097971907382),
    ]
    for dataset, three in zip(ulas.datasets[:3], expected, strict=True):
        found = compare_bayes(ulas.select(dataset=dataset, algorithms=["c45", "svr"]), equivalence=(-1, 1))
        assert found.pair("c45", "svr") == pytest.approx(three, rel=1e-9)


def test_signed_rank_agrees_with_baycomp(demsar: Results) -> None:
    # baycomp 1.0.3, SignedRankTest.probs(..., random_state=1, nsamples=200000) with rope = 0.01 + 1e-9: averages that
    # are 0.01 but for their last binary digit count as equivalent here
    found = compare_bayes(demsar, equivalence=(-0.01, 0.01), draws=50_000)
    assert found.pair("C4.5", "C4.5+m+cf") == pytest.approx((0.000285, 0.039075, 0.96064), abs=0.004)
    assert found.pair("C4.5+m", "C4.5+m+cf") == pytest.approx((0.001635, 0.787695, 0.21067), abs=0.008)
    assert found.pair("C4.5", "C4.5+m") == pytest.approx((0.0, 0.32865, 0.67135), abs=0.009)


def test_an_average_on_the_edge_is_inside_whatever_its_last_digit() -> None:
    d = np.array([[0.2, 0.4, 0.3, 0.3, 0.3]])
    assert (0.2 + 0.4) / 2 > 0.3  # by its last binary digit
    edge, beyond = (signed_rank(d, (-high, high), draws=2000) for high in (0.3, 0.3 + 1e-9))
    assert edge.inside == beyond.inside
    assert edge.above == beyond.above


@pytest.mark.parametrize("method", ["signed rank", "hierarchical"])
def test_always_three_probabilities(table: Callable[..., Results], method: str) -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(6, 5, 3))
    options = {"ratio": 0.25, "warmup": 20} if method == "hierarchical" else {}
    for area in (None, (-0.5, 0.5), (0.0, 1.0), (-100.0, 100.0)):
        found = compare_bayes(table(values), method=method, equivalence=area, draws=50, **options)
        total = found.better + found.equivalent + found.worse
        np.testing.assert_allclose(total, 1)
        assert (np.stack([found.better, found.equivalent, found.worse]) >= 0).all()
    assert (found.equivalent == 1).all()  # all in the area, and no 0/0


def test_equal_algorithms_are_equivalent(table: Callable[..., Results]) -> None:
    column = np.random.default_rng(0).random((8, 1))
    same = table(np.repeat(column, 2, axis=1))
    assert compare_bayes(same, ratio=0.1).pair("a0", "a1") == (0.0, 1.0, 0.0)
    assert compare_bayes(table(np.repeat(column, 2, axis=1), rows="dataset")).pair("a0", "a1") == (0.0, 1.0, 0.0)


def test_direction(demsar: Results) -> None:
    turned = demsar.replace(values=-demsar.values, measures=(podium.MeasureInfo("AUC", "lower"),))
    a = compare_bayes(demsar, equivalence=(-0.01, 0.01)).pair("C4.5", "C4.5+m")
    b = compare_bayes(turned, equivalence=(-0.01, 0.01)).pair("C4.5", "C4.5+m")
    assert a == pytest.approx(b)


# The hierarchical model


def test_an_area_with_unequal_ends_does_not_depend_on_who_is_named_first(demsar: Results) -> None:
    names = list(demsar.algorithms[:2])
    one, two = (
        compare_bayes(demsar.select(algorithm=order), equivalence=(-0.005, 0.05)) for order in (names, names[::-1])
    )
    np.testing.assert_allclose(one.pair(*names), two.pair(*names), atol=1e-12)
    assert one.equivalence == two.equivalence == (-0.005, 0.005)
    against = compare_bayes(demsar, control=names[0], equivalence=(-0.005, 0.05))
    assert against.equivalence == (-0.005, 0.05)


def student_density(x: float, df: float, centre: float, scale: float) -> float:
    """As `scipy.stats.t.pdf`, which is slow for one number."""
    z = (x - centre) / scale
    constant = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / (math.sqrt(df * math.pi) * scale)
    return constant * (1 + z * z / df) ** (-(df + 1) / 2)


@pytest.mark.parametrize("at", [(0.3, 8, 0, 1), (-4, 1.2, 0, 0.05), (700, 1.1, 25, 20), (25, 3, 25, 0.4)])
def test_the_density_that_is_integrated(at: tuple[float, ...]) -> None:
    assert student_density(*at) == pytest.approx(t.pdf(*at), rel=1e-12)


def test_the_integral_over_a_data_set() -> None:
    rng = np.random.default_rng(0)
    means = rng.normal(0, 2, (1, 6))
    means[0, 0] = 25.0
    density = _Density(means, 3 * rng.gamma(5, 1, (1, 6)), np.full((1, 6), 10), 0.1, None)
    for centre, scale, nu in [(0, 1, 3), (0, 0.05, 1.2), (0, 20, 1.1)]:
        found = density._integrals(*(np.array([[float(x)]]) for x in (centre, scale, nu)))[0, 0]
        for i in (0, 1):
            middle, spread = density.mean[0, i], density.own_scale[0, i]

            def product(x: float, at: float = middle, width: float = spread) -> float:
                return student_density(x, 8, at, width) * student_density(x, nu, centre, scale)  # noqa: B023

            ends = sorted([-2000, centre, middle, centre - 5 * scale, centre + 5 * scale, middle - 2, middle + 2, 2000])
            expected = sum(quad(product, a, b, limit=100)[0] for a, b in pairwise(ends))
            assert found[i] == pytest.approx(expected, rel=6e-3)


def test_a_case_that_can_be_solved() -> None:
    # Almost no noise within data sets and normal δ: with uniform σ_0, δ_0 is Student with q - 2 degrees of freedom.
    rng = np.random.default_rng(1)
    q = 12
    means = rng.normal(0.5, 1, (1, q))
    chains = sample_hierarchical(
        means, np.full((1, q), 1.0), np.full((1, q), 1000), 0.0, freedom=1e6, draws=2500, warmup=600, chains=6
    )
    spread = means.std(ddof=1) * np.sqrt((q - 1) / ((q - 2) * q))
    drawn = chains.centre.ravel()
    size = diagnose(chains)["effective_size"][0]
    assert size > 900
    for share in (0.05, 0.25, 0.5, 0.75, 0.95):
        quantile = t.ppf(share, q - 2, means.mean(), spread)
        assert (drawn < quantile).mean() == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / size))
    # σ_0² given δ_0: Σ(δ - mean)² / σ_0² is χ² with q - 2 degrees of freedom
    assert np.mean((q - 1) * means.var(ddof=1) / chains.scale.ravel() ** 2) == pytest.approx(q - 2, rel=0.06)


def test_hyperparameters_are_recovered() -> None:
    rng = np.random.default_rng(5)
    pairs, q, n, rho = 16, 20, 10, 0.2
    delta = 0.3 + 0.5 * rng.standard_t(4, (pairs, q))
    sigma = rng.uniform(0.5, 1.5, (pairs, q, 1))
    common = rng.normal(size=(pairs, q, 1))
    x = delta[:, :, None] + sigma * (np.sqrt(rho) * common + np.sqrt(1 - rho) * rng.normal(size=(pairs, q, n)))
    means, squares = x.mean(axis=2), ((x - x.mean(axis=2, keepdims=True)) ** 2).sum(axis=2)
    chains = sample_hierarchical(means, squares, np.full((pairs, q), n), rho, draws=300, warmup=500, chains=3)
    covered = []
    for drawn, truth in ((chains.centre, 0.3), (chains.scale, 0.5)):
        low, high = np.quantile(drawn.reshape(pairs, -1), [0.05, 0.95], axis=1)
        covered.append(((low < truth) & (truth < high)).mean())
    assert min(covered) >= 0.9 - 3 * np.sqrt(0.09 / pairs)  # 90% intervals cover the truth in about 90% of the pairs
    assert chains.centre.mean() == pytest.approx(0.3, abs=0.05)
    below, inside, above = chains.shares((-0.1, 0.1))
    truth = t.cdf((-0.1 - 0.3) / 0.5, 4), t.sf((0.1 - 0.3) / 0.5, 4)
    assert (below.mean(), above.mean()) == pytest.approx(truth, abs=0.04)
    np.testing.assert_allclose(below + inside + above, 1)


def test_outliers_do_not_stop_the_chains(ulas: Results) -> None:
    found = compare_bayes(ulas.select(algorithms=["lnp", "mdt"]), equivalence=(-1, 1), draws=600, warmup=400)
    assert found.method == "Bayesian hierarchical model"
    assert found.details["rhat"].max() < 1.05
    assert found.details["effective_size"].min() > 100
    assert (found.details["rho"], found.details["ratio"]) == (0.5, 1.0)  # 2 folds
    assert found.notes[0].facts["ratio"] == 1.0
    few = [compare_bayes(ulas.select(algorithms=["lnp", "mdt"]), draws=20, warmup=20, seed=seed) for seed in (1, 1, 2)]
    assert few[0].estimate == few[1].estimate  # the same seed, the same draws
    assert few[0].estimate != few[2].estimate


def test_diagnostics() -> None:
    rng = np.random.default_rng(0)
    independent = rng.normal(size=(4, 1000))
    assert split_rhat(independent) == pytest.approx(1, abs=0.01)
    assert effective_size(independent) == pytest.approx(4000, rel=0.15)
    apart = independent + np.arange(4)[:, None]
    assert split_rhat(apart) > 1.5
    assert effective_size(apart) < 20
    walk = np.empty((4, 4000))
    walk[:, 0] = 0
    noise = rng.normal(size=(4, 4000))
    for i in range(1, 4000):
        walk[:, i] = 0.9 * walk[:, i - 1] + noise[:, i]
    assert effective_size(walk) == pytest.approx(16_000 * 0.1 / 1.9, rel=0.25)  # (1 - φ)/(1 + φ) of the draws
    assert split_rhat(np.ones((2, 10))) == 1.0


def test_posterior_of_next() -> None:
    chains = Chains(centre=np.zeros((1, 2, 50)), scale=np.ones((1, 2, 50)), freedom=np.full((1, 2, 50), 5.0))
    assert posterior_of_next(chains, (-3.0, 3.0), 0.95).inside.tolist() == [1.0]
    split = posterior_of_next(chains, (0.0, 0.0), 0.95)
    assert (split.below[0], split.inside[0], split.above[0]) == (0.5, 0.0, 0.5)


def test_frame_and_pairs(demsar: Results) -> None:
    found = compare_bayes(demsar, equivalence=(-0.01, 0.01))
    frame = found.frame(threshold=0.75)
    assert (frame["better"] >= frame["worse"]).all()
    assert frame[frame["b"] == "C4.5"]["decision"].tolist() == ["undecided", "undecided", "better"]
    assert found.pair("C4.5", "C4.5+m")[0] == found.pair("C4.5+m", "C4.5")[2]
    assert compare_bayes(demsar, control="C4.5").frame().shape[0] == 3


def test_chains_that_disagree_are_reported(table: Callable[..., Results]) -> None:
    values = np.random.default_rng(0).normal(size=(4, 4, 2))
    found = compare_bayes(table(values), ratio=0.2, draws=8, warmup=1, chains=4)
    assert "The chains have not converged" in str(found.notes[-1])


@pytest.mark.parametrize("power", [-1000, -520, 520, 1000])
def test_correlated_t_does_not_depend_on_the_unit(power: int) -> None:
    differences = np.random.default_rng(3).normal(0.1, 1, (2, 12))
    usual = correlated_t(differences, 0.1, (-0.1, 0.1))
    turned = correlated_t(differences * 2.0**power, 0.1, (-0.1 * 2.0**power, 0.1 * 2.0**power))
    for name in ("below", "inside", "above"):
        np.testing.assert_allclose(getattr(turned, name), getattr(usual, name), rtol=1e-9)


def test_equal_algorithms_stand_in_the_order_of_their_names() -> None:
    """Whatever the order of the replications, which changes the last binary digit of a mean."""
    rng = np.random.default_rng(0)
    labels = {"replication": None, "algorithm": ["b", "a"]}
    for _ in range(20):
        values = rng.choice([0.1, 0.2, 0.3, 0.7, 1.1], size=(9, 1)) + np.zeros(2)
        values[:, 1] = rng.permutation(values[:, 0])
        results = podium.read(values, labels=labels, measure="error", direction="lower")
        found = podium.inference.compare_bayes(results, ratio=0.1)
        assert found.frame().loc[0, ["a", "b"]].tolist() == ["a", "b"]


def test_the_hierarchical_model_gives_both_probabilities_and_says_which_is_which(
    table: Callable[..., Results],
) -> None:
    # Data sets differ by more than the algorithms do: on most of them a0 is better, but far from all.
    rng = np.random.default_rng(5)
    difference = rng.normal(-0.5, 1, (25, 1)) + rng.normal(0, 0.2, (25, 8))
    found = compare_bayes(table(np.stack([difference, np.zeros((25, 8))], axis=2)), ratio=0.1, draws=300, warmup=300)
    assert found.procedure == "hierarchical"
    row = found.frame().iloc[0]
    assert (row["a"], row["b"]) == ("a0", "a1")
    # Φ(0.5) = 0.69 is the share of data sets on which a0 is better, whatever the number of data sets.
    assert 0.55 < row["next better"] < 0.85
    assert row["better"] > row["next better"] + 0.1
    assert row[["next better", "next equivalent", "next worse"]].sum() == pytest.approx(1)
    assert f"{row['better']:.3f}; {row['next better']:.3f} on the next data set" in found.text()


def test_a_crash_is_mentioned_whatever_the_method(table: Callable[..., Results]) -> None:
    values = np.random.default_rng(0).random((5, 6, 2))
    values[1, 2, 0] = np.nan
    for method in ("signed rank", "hierarchical"):
        options = {} if method == "signed rank" else {"ratio": 0.1, "draws": 20, "warmup": 20}
        found = compare_bayes(table(values), method=method, missing="drop-block", **options)
        assert "1 of 60 cells missing (1 absent)" in found.text()


def test_no_area_of_equivalence_is_shown_without_a_sign(demsar: Results) -> None:
    assert "equivalence [0, 0]\n" in repr(compare_bayes(demsar, draws=1000))
    assert "equivalence [0, 0]\n" in repr(compare_bayes(demsar, control=demsar.algorithms[0], draws=1000))
