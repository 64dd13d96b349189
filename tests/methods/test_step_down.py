"""Step-down p-values by random signs of blocks: against enumeration, invariances, and errors where algorithms are equal."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import ttest_1samp

import podium
from podium.analysis.adjustment import adjust_pvalues
from podium.analysis.compare import MAX_PAIRS
from podium.analysis.methods.pairwise.permutation_t import (
    joint_intervals,
    permutation_t_test,
    step_down_pvalues,
)
from podium.analysis.methods.pairwise.wilcoxon import wilcoxon_test
from podium.arrays import FloatArray
from podium.errors import InputError

ALPHA = 0.05


def limit(samples: int) -> float:
    return ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / samples)


def enumerated(differences: FloatArray, side: str) -> list[float]:
    """Step by step from the definition (Romano & Wolf 2005, algorithm 1), with the statistics of every sign."""

    def statistics(signs: tuple[int, ...]) -> list[float]:
        turned = differences * np.array(signs)
        if np.isnan(turned).any():
            t = [np.nansum(row) / np.sqrt(np.nansum(row**2)) for row in turned]
        else:  # the same order, from SciPy
            t = ttest_1samp(turned, 0, axis=1).statistic.tolist()
        return [{"two-sided": abs(x), "greater": x, "less": -x}[side] for x in t]

    pairs, n = differences.shape
    drawn = [statistics(signs) for signs in product((1, -1), repeat=n)]
    observed = statistics((1,) * n)
    left, found, so_far = set(range(pairs)), [0.0] * pairs, 0.0
    while left:
        largest = max(left, key=lambda i: observed[i])
        share = np.mean([max(row[i] for i in left) >= observed[largest] - 1e-9 for row in drawn])
        so_far = max(so_far, float(share))
        found[largest] = so_far
        left.remove(largest)
    return found


@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("gaps", [False, True], ids=["complete", "cells missing"])
def test_as_enumerated(side: str, gaps: bool) -> None:
    rng = np.random.default_rng(1)
    costs = rng.normal(size=(6, 4)) + np.array([0.0, 0.5, 1.5, 3.0])
    if gaps:
        costs[1, 0] = costs[4, 3] = np.nan
    i, j = np.triu_indices(4, 1)
    differences = (costs[:, i] - costs[:, j]).T
    np.testing.assert_allclose(step_down_pvalues(differences, side), enumerated(differences, side), rtol=1e-12)


def test_random_signs_come_near_all_signs() -> None:
    rng = np.random.default_rng(2)
    costs = rng.normal(size=(14, 4)) + np.array([0.0, 0.3, 0.6, 0.9])
    i, j = np.triu_indices(4, 1)
    differences = (costs[:, i] - costs[:, j]).T
    exact = step_down_pvalues(differences, "two-sided")
    nothing = np.full((6, 1), np.nan)  # a fifteenth block without values: random signs instead of all
    drawn = step_down_pvalues(np.hstack([differences, nothing]), "two-sided", permutations=20_000)
    np.testing.assert_allclose(drawn, exact, atol=5 * 0.5 / np.sqrt(20_000))
    assert (drawn != exact).any()


def read(costs: FloatArray, direction: str = "lower") -> podium.Results:
    names = [f"a{i}" for i in range(costs.shape[1])]
    return podium.read(costs, labels={"dataset": None, "algorithm": names}, measure="score", direction=direction)


def spaced(n: int = 7, k: int = 5) -> FloatArray:
    return np.random.default_rng(3).normal(size=(n, k)) + 2 * np.arange(k)


def test_it_rejects_where_adjusted_signed_ranks_cannot() -> None:
    results = read(spaced())
    single = podium.compare(results, method="wilcoxon", adjust="shaffer")
    assert single.adjusted.min() > ALPHA  # 10 pairs, and 10 · 2^(1 - 7) > 0.05
    found = podium.compare(results)
    assert (found.procedure, found.adjust) == ("permutation t", "step-down")
    assert found.significant.sum() >= 6
    assert (found.adjusted >= found.pvalue).all()


def test_the_p_value_of_a_pair_does_not_depend_on_the_others() -> None:
    costs = spaced()
    other = costs.copy()
    other[:, 3:] = np.random.default_rng(9).normal(size=(7, 2)) * 100
    one, two = (podium.compare(read(x)) for x in (costs, other))
    for pair in (("a0", "a1"), ("a0", "a2"), ("a1", "a2")):
        assert one.pair(*pair)["pvalue"] == two.pair(*pair)["pvalue"]
        assert two.pair(*pair)["adjusted"] >= two.pair(*pair)["pvalue"]


def test_two_algorithms_need_no_adjustment() -> None:
    found = podium.compare(read(spaced(9, 2)), method="permutation t", adjust="step-down")
    np.testing.assert_array_equal(found.adjusted, found.pvalue)


def test_order_names_units_and_direction_change_nothing() -> None:
    costs = spaced(6, 4)
    first, second = np.triu_indices(4, 1)

    def square(values: FloatArray, direction: str = "lower") -> FloatArray:
        found = np.zeros((4, 4))
        found[first, second] = podium.compare(read(values, direction)).adjusted
        return found + found.T

    expected = square(costs)
    rng = np.random.default_rng(5)
    rows, columns = rng.permutation(6), rng.permutation(4)
    np.testing.assert_array_equal(square(costs[rows][:, columns]), expected[columns][:, columns])
    np.testing.assert_array_equal(square(-costs, "higher"), expected)
    np.testing.assert_array_equal(square(costs + rng.integers(-100, 100, size=(6, 1))), expected)
    for size in (1e-150, 1e150):
        np.testing.assert_array_equal(square(costs * size), expected)


def test_equal_algorithms_get_one() -> None:
    column = np.random.default_rng(6).normal(size=(8, 1))
    found = podium.compare(read(np.repeat(column, 4, axis=1)))
    assert found.adjusted.tolist() == [1.0] * 6


def test_with_a_control_and_a_direction() -> None:
    costs = spaced(6, 5)
    both = podium.compare(read(costs), control="a4")
    worse = podium.compare(read(costs), control="a4", alternative="better")
    assert (both.procedure, worse.procedure) == ("permutation t", "permutation t")
    assert worse.significant.all() and (worse.adjusted <= both.adjusted).all()
    assert np.isclose(worse.adjusted.min(), 2.0**-6) and np.isclose(both.adjusted.min(), 2.0**-5)


def test_cells_that_are_missing() -> None:
    costs = spaced(7, 4)
    costs[2, 1] = np.nan
    found = podium.compare(read(costs), missing="available")
    assert (found.procedure, found.adjust) == ("permutation t", "step-down")
    assert found.common[0, 1] == 6 and found.pair("a0", "a2")["pvalue"] == 2.0**-6  # of all seven blocks
    only = spaced(8, 3)
    only[1:, 2] = np.nan  # one block in common with the others: not tested
    untested = podium.compare(read(only), method="permutation t", adjust="step-down", missing="available")
    assert np.isnan(untested.adjusted).tolist() == [False, True, True]


def test_many_algorithms_are_adjusted_by_shaffer() -> None:
    k = 201
    assert k * (k - 1) // 2 > MAX_PAIRS
    found = podium.compare(read(np.random.default_rng(0).normal(size=(7, k))))
    assert (found.procedure, found.adjust) == ("wilcoxon", "shaffer")
    assert found.notes[0].code == "few blocks" and found.notes[0].facts["needed"] == 20


# Intervals


def differences_of(costs: FloatArray) -> FloatArray:
    i, j = np.triu_indices(costs.shape[1], 1)
    return (costs[:, i] - costs[:, j]).T


@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("gaps", [False, True], ids=["complete", "cells missing"])
def test_intervals_hold_what_the_test_of_the_largest_does_not_reject(side: str, gaps: bool) -> None:
    """From the definition: a value is kept if more than alpha of all signs reach the statistic of its pair."""
    rng = np.random.default_rng(4)
    costs = rng.normal(size=(8, 4)) + np.arange(4)
    if gaps:
        costs[1, 0] = costs[4, 3] = np.nan
    differences = differences_of(costs)
    signs = np.array(list(product((1, -1), repeat=8)))

    def statistics(errors: FloatArray) -> FloatArray:
        t = np.array([np.nansum(signs * row, axis=1) / np.sqrt(np.nansum(row**2)) for row in errors])
        return {"two-sided": np.abs(t), "greater": t, "less": -t}[side]

    centred = statistics(differences - np.nanmean(differences, axis=1, keepdims=True))

    def kept(pair: int, value: float) -> bool:
        own = statistics(differences[[pair]] - value)[0]
        largest = np.maximum(own, np.delete(centred, pair, axis=0).max(axis=0))
        return bool((largest >= own[0] - 1e-9).mean() > ALPHA)

    for pair, ends in enumerate(zip(*joint_intervals(differences, side, alpha=ALPHA), strict=True)):
        for end, inwards in zip(ends, (1e-6, -1e-6), strict=True):
            if np.isfinite(end):
                assert kept(pair, end + inwards) and not kept(pair, end - inwards)
    lower, upper = joint_intervals(differences, side, alpha=ALPHA)
    if not gaps:  # with six of eight blocks, a pair has no statistic as large as those of the others can be
        assert np.isfinite(lower).all() == (side != "less") and np.isfinite(upper).all() == (side != "greater")


@pytest.mark.parametrize("n", [9, 30])
def test_the_interval_of_one_pair_is_that_of_its_own_test(n: int) -> None:
    differences = np.random.default_rng(5).normal(size=(1, n))
    single = permutation_t_test(differences, alpha=ALPHA)
    tolerance = 0.0 if n == 9 else 0.05 * float(single.upper[0] - single.lower[0])  # other random signs
    lower, upper = joint_intervals(differences, "two-sided", alpha=ALPHA)
    np.testing.assert_allclose([lower, upper], [single.lower, single.upper], rtol=1e-12, atol=tolerance)


def test_few_data_sets_have_intervals_with_ends() -> None:
    """Bonferroni's intervals of 10 pairs on 6 data sets are infinite: 2^(1 - 6) > 0.05 / 10."""
    for options in ({}, {"control": "a4"}, {"control": "a4", "alternative": "better"}):
        found = podium.compare(read(spaced(6)), **options)
        assert found.adjusted.min() <= 2.0**-5
        nearest = found.upper if "alternative" in options else np.maximum(np.abs(found.lower), np.abs(found.upper))
        assert np.isfinite(nearest).all()
        assert (found.significant | ((found.lower <= 0) & (found.upper >= 0))).all()


def test_intervals_hold_together() -> None:
    """At least 95% of samples of skewed values have the true difference in all intervals, with 6 to 10 data sets."""
    samples, rng = 150, np.random.default_rng(6)
    for n, k in ((6, 4), (8, 8), (10, 5)):
        truth = differences_of(np.arange(k)[None, :].astype(float))[:, 0]
        misses = 0
        for _ in range(samples):
            costs = rng.exponential(size=(n, k)) + np.arange(k)
            lower, upper = joint_intervals(differences_of(costs), "two-sided", alpha=ALPHA)
            misses += bool(((lower > truth) | (upper < truth)).any())
        assert misses / samples <= limit(samples), (n, k)


def test_a_data_set_more_does_not_lead_to_a_weaker_test() -> None:
    """One of ten algorithms is better: with 11 data sets adjusted signed ranks can reject, but find less."""
    samples, found = 40, {}
    for n in (10, 11):
        rng = np.random.default_rng(7)
        better = [podium.compare(read(_one_better(rng, n))).significant[:9] for _ in range(samples)]
        found[n] = np.mean(better)
    assert found[11] >= found[10] - 0.02


def _one_better(rng: np.random.Generator, n: int) -> FloatArray:
    costs = rng.normal(size=(n, 10))
    costs[:, 0] -= 1.5
    return costs


@pytest.mark.parametrize("method", ["wilcoxon", "nemenyi", "t"])
def test_other_methods_have_no_such_adjustment(method: str) -> None:
    with pytest.raises(
        InputError, match=r"^`adjust='step-down'` needs the joint distribution of all pairs; 'permutati"
    ):
        podium.compare(read(spaced()), method=method, adjust="step-down")


def opposites(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """Two algorithms that are exchangeable, but opposite to each other on each data set; the others are equal."""
    costs, sign = rng.normal(size=shape), rng.choice([-6.0, 6.0], shape[:2])
    costs[..., 0] += sign
    costs[..., 1] -= sign
    return costs


def families(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """Two families whose members vary together over data sets; all have the same mean."""
    effects = 3 * rng.normal(size=(*shape[:2], 2))
    return rng.normal(size=shape) + effects[..., np.arange(shape[2]) * 2 // shape[2]]


def gradient(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """All have the same mean, but what helps the first on a data set harms the last equally; the others are between."""
    return rng.normal(size=shape) + 5 * rng.normal(size=(*shape[:2], 1)) * np.linspace(-1, 1, shape[2])


SHAPES = {
    "all equal": (lambda rng, shape: rng.normal(size=shape), 0),
    "heavy tails": (lambda rng, shape: rng.standard_cauchy(size=shape), 0),
    "skewed": (lambda rng, shape: rng.lognormal(size=shape), 0),
    "ties": (lambda rng, shape: np.round(rng.normal(size=shape)), 0),
    "one differs": (lambda rng, shape: rng.normal(size=shape) + 4.0 * (np.arange(shape[2]) == 0), 1),
    "two differ": (lambda rng, shape: rng.normal(size=shape) + 4.0 * np.maximum(2 - np.arange(shape[2]), 0), 2),
    "opposites": (opposites, 0),
    "families": (families, 0),
    "gradient": (gradient, 0),
}


@pytest.mark.parametrize("name", SHAPES)
def test_errors_where_algorithms_are_equal(name: str) -> None:
    samples, n, k = 600, 8, 5
    draw, different = SHAPES[name]
    tables = draw(np.random.default_rng(n), (samples, n, k))
    pairs = [(i, j) for i, j in combinations(range(k), 2)]
    null = [i >= different and j >= different for i, j in pairs]
    first, second = np.array(pairs).T
    differences = np.swapaxes(tables[..., first] - tables[..., second], 1, 2)
    alone = permutation_t_test(differences.reshape(-1, n), intervals=False).two_sided.reshape(samples, len(pairs))
    far = differences[(alone[:, null] <= ALPHA).any(axis=1)]  # adjusted p-values are not smaller
    assert len(far) > limit(samples) * samples
    errors = sum(bool((step_down_pvalues(d, "two-sided")[null] <= ALPHA).any()) for d in far)
    assert errors / samples <= limit(samples)


def test_power_where_adjusted_signed_ranks_have_none() -> None:
    tables = np.random.default_rng(8).normal(size=(100, 6, 5)) + 1.5 * np.arange(5)
    i, j = np.triu_indices(5, 1)
    differences = np.moveaxis(tables[..., i] - tables[..., j], 1, 2)
    found = [(step_down_pvalues(d, "two-sided") <= ALPHA).mean() for d in differences]
    assert np.mean(found) > 0.4
    alone = wilcoxon_test(differences.reshape(-1, 6), intervals=False).two_sided.reshape(100, 10)
    assert min(adjust_pvalues(p, "shaffer").min() for p in alone) > ALPHA
