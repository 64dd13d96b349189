"""Pairs after Quade's test and after aligned ranks: formulas, permutations by brute force, invariances, levels."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from scipy.stats import t

import podium
from podium.analysis.methods.omnibus.aligned_ranks import ranks_of_all
from podium.analysis.methods.posthoc.quade import quade_pairs, quade_scores
from podium.analysis.methods.rank_test import mean_rank_pairs
from podium.analysis.methods.ranks import RankOutcome
from podium.arrays import FloatArray
from podium.results import Results

ALPHA = 0.05
METHODS = {"quade": (quade_scores, quade_pairs), "aligned ranks": (ranks_of_all, mean_rank_pairs)}


# Conover (1999), section 5.8: sales of five brands of hand lotion in seven stores. Quade's F as in R's help page of
# quade.test; the p-values of single pairs, by Conover's t, as in the vignette of the R package PMCMR.
LOTION = np.array(
    [
        [5, 4, 7, 10, 12],
        [1, 3, 1, 0, 2],
        [16, 12, 22, 22, 35],
        [5, 4, 3, 5, 4],
        [10, 9, 7, 13, 10],
        [19, 18, 28, 37, 58],
        [10, 7, 6, 8, 7],
    ],
    float,
)


PMCMR = [0.2087, 0.8401, 0.1477, 0.0416, 0.2874, 0.0102, 0.0021, 0.1021, 0.0269, 0.5172]  # AB, AC, AD, AE, BC, ...


def test_the_lotions_of_conover(table: Callable[..., Results]) -> None:
    results = table(-LOTION, rows="dataset", names="ABCDE")
    comparison = podium.compare(results, method="quade", adjust="none", omnibus=False)
    assert podium.inference.quade(results).statistic == pytest.approx(3.8293, abs=5e-5)
    n, k = LOTION.shape
    scores = quade_scores(-LOTION) * (n + 1) / 2
    scores -= scores.mean(axis=1, keepdims=True)
    rest = (scores**2).sum() - (scores.sum(axis=0) ** 2).sum() / n
    error = np.sqrt(2 * n * rest / ((n - 1) * (k - 1)))  # of a difference of sums, Conover's formula
    differences = comparison.estimate * n * (n + 1) / 2
    np.testing.assert_allclose(2 * t.sf(np.abs(differences) / error, (n - 1) * (k - 1)), PMCMR, atol=5e-5)


def test_variance_of_weighted_ranks_without_ties() -> None:
    rng = np.random.default_rng(1)
    for n, k in ((4, 3), (9, 5), (20, 7)):
        outcome = quade_pairs(
            quade_scores(rng.normal(size=(n, k))), np.array([0]), np.array([1]), control=False, tail="two-sided"
        )
        assert outcome.error**2 == pytest.approx(k * (k + 1) * (2 * n + 1) / (9 * n * (n + 1)))


@pytest.mark.parametrize("name", METHODS)
def test_variance_and_p_values_by_all_arrangements(name: str) -> None:
    scores_of, function = METHODS[name]
    costs = np.random.default_rng(2).normal(size=(4, 3))
    scores = scores_of(costs)
    sums = np.array([sum(rows) for rows in product(*[[np.array(p) for p in permutations(row)] for row in scores])])
    first, second = np.triu_indices(3, 1)
    outcome = function(scores, first, second, control=False, tail="two-sided")
    assert outcome.error == pytest.approx((sums[:, 0] - sums[:, 1]).std() / 4)
    permuted = function(scores, first, second, control=False, tail="two-sided", distribution="permutation")
    observed = np.abs(scores.sum(axis=0)[first] - scores.sum(axis=0)[second])
    exact = [(np.abs(sums[:, 0] - sums[:, 1]) >= x - 1e-9).mean() for x in observed]
    largest = [(np.ptp(sums, axis=1) >= x - 1e-9).mean() for x in observed]
    tolerance = 4 * 0.5 / np.sqrt(10_000) if permuted.permutations else 1e-12
    np.testing.assert_allclose(permuted.pvalue, exact, atol=tolerance)
    np.testing.assert_allclose(permuted.single_step, largest, atol=tolerance)
    np.testing.assert_allclose(permuted.estimate, outcome.estimate)


@pytest.mark.parametrize("name", METHODS)
def test_two_algorithms_give_one_p_value(name: str, table: Callable[..., Results]) -> None:
    results = table(np.random.default_rng(3).normal(size=(15, 2)), rows="dataset")
    comparison = podium.compare(results, method=name, distribution="permutation", permutations=100_000)
    wilcoxon = podium.compare(results, method="wilcoxon")
    if name == "quade":  # ranks 1 and 2 times the rank of the range: the signed rank statistic
        assert comparison.pvalue[0] == pytest.approx(wilcoxon.pvalue[0], abs=0.006)
    assert comparison.omnibus is None


@pytest.mark.parametrize("name", METHODS)
def test_invariances(name: str) -> None:
    demsar = podium.examples.load_demsar2006()
    whole = podium.compare(demsar, method=name)
    turned = demsar.to_long().assign(value=lambda frame: 3 - 2 * frame["value"], measure="loss")
    back = podium.read(turned.sample(frac=1, random_state=1), direction="smaller")
    again = podium.compare(back, method=name)
    for a, b in zip(whole.frame()["a"], whole.frame()["b"], strict=True):
        assert whole.pair(a, b)["adjusted"] == pytest.approx(again.pair(a, b)["adjusted"], rel=1e-9)
        assert whole.pair(a, b)["decision"] == again.pair(a, b)["decision"]
        assert whole.pair(a, b)["estimate"] == pytest.approx(again.pair(a, b)["estimate"], rel=1e-9)


def tables(law: str, samples: int, n: int = 10, k: int = 4) -> FloatArray:
    """Tables of equal algorithms, in blocks that differ."""
    rng = np.random.default_rng(4)
    noise = rng.normal(size=(samples, n, k)) if law == "normal" else rng.standard_cauchy(size=(samples, n, k))
    return noise + rng.normal(size=(samples, n, 1))


def rejects(scores: FloatArray, function: Callable[..., RankOutcome], **options: Any) -> bool:
    """Whether some pair of equal algorithms is called different."""
    first, second = np.triu_indices(scores.shape[1], 1)
    found = function(scores, first, second, control=False, tail="two-sided", **options)
    return bool((found.single_step <= ALPHA).any())


# Ranks within blocks and the ranks of the ranges have the same distribution whatever the law, aligned ranks do not.
@pytest.mark.parametrize(
    ("name", "law"), [("quade", "normal"), ("aligned ranks", "normal"), ("aligned ranks", "cauchy")]
)
def test_level_where_all_are_equal(name: str, law: str) -> None:
    samples = 1500
    scores_of, function = METHODS[name]
    scores = np.array([scores_of(table) for table in tables(law, samples)])
    # Where all sums lie within 1.9 standard errors, no pair has a p-value below 0.057, even on its own.
    inside = scores - scores.mean(axis=2, keepdims=True)
    error = np.sqrt(2 * (inside**2).sum(axis=(1, 2)) / (scores.shape[2] - 1))
    far = scores[np.ptp(scores.sum(axis=1), axis=1) > 1.9 * error]
    share = sum(rejects(table, function) for table in far) / samples
    assert 0.02 <= share <= ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / samples)


@pytest.mark.parametrize(("name", "law"), [("quade", "normal"), ("aligned ranks", "cauchy")])
def test_level_of_permutations_where_all_are_equal(name: str, law: str) -> None:
    samples = 200
    scores_of, function = METHODS[name]
    # With 99 permutations a p-value of 0.05 is possible, and the level is exact if every table has its own. There are
    # too many blocks to count all arrangements.
    options = {"distribution": "permutation", "permutations": 99}
    drawn = tables(law, samples, n=24)
    share = sum(rejects(scores_of(x), function, seed=i, **options) for i, x in enumerate(drawn)) / samples
    assert 0 < share <= ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / samples)
