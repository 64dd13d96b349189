"""Effect sizes: definitions, pairing, coverage of intervals."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
import pytest

import podium
from podium.analysis.inference import cliffs_delta, effect_sizes, superiority
from podium.analysis.inference.location import median_interval, pseudomedian_interval
from podium.errors import InputError
from podium.results import Results


def test_cliffs_delta_by_definition() -> None:
    rng = np.random.default_rng(0)
    a, b = np.round(rng.normal(0.3, 1, 25), 1), np.round(rng.normal(size=25), 1)
    expected = np.sign(a[:, None] - b[None, :]).mean()
    delta, lower, upper = cliffs_delta(a, b)
    assert delta == pytest.approx(expected)
    assert -1 <= lower < delta < upper <= 1
    assert cliffs_delta(b, a)[0] == pytest.approx(-delta)


def test_complete_separation_has_an_interval_of_some_width() -> None:
    delta, lower, upper = cliffs_delta(np.arange(10) + 100.0, np.arange(10.0))
    assert (delta, upper) == (1.0, 1.0)
    assert lower == pytest.approx(2 * 10 / (10 + 1.959964**2) - 1, abs=1e-6)


def test_table_of_pairs(monks3: Results) -> None:
    table = effect_sizes(monks3)
    assert len(table) == 15
    assert (table["wins"] >= table["losses"]).all()
    row = table[(table["a"] == "svm") & (table["b"] == "rf")].iloc[0]
    assert (row["wins"], row["ties"], row["losses"]) == (177, 3, 70)
    assert row["superiority"] == pytest.approx((row["wins"] + row["ties"] / 2) / 250)
    assert row["difference"] < 0  # less error
    assert row["delta"] > 0  # in favour of a
    assert row["superiority lower"] < row["superiority"] < row["superiority upper"]


def test_direction_turns_differences_only(demsar: Results) -> None:
    lower = podium.MeasureInfo("AUC", "lower")
    turned = effect_sizes(demsar.replace(values=-demsar.values, measures=(lower,)))
    table = effect_sizes(demsar)
    assert table[["a", "b", "wins", "superiority", "delta"]].equals(turned[["a", "b", "wins", "superiority", "delta"]])
    np.testing.assert_allclose(table["difference"], -turned["difference"])


def test_available_cells(table: Callable[..., Results]) -> None:
    values = np.random.default_rng(0).random((9, 3))
    values[:3, 0] = np.nan
    found = effect_sizes(table(values), missing="available")
    assert sorted(found["n"]) == [6, 6, 9]
    with pytest.raises(InputError) as caught:
        effect_sizes(table(values), alpha=2.0, missing="available")
    assert str(caught.value) == "`alpha` must lie between 0 and 0.5; got 2.0. 2% is 0.02."


# Coverage: R samples each, so a share may fall below 0.95 by three standard errors


def test_coverage_of_the_median() -> None:
    rng = np.random.default_rng(1)
    for n in (10, 25, 60):
        samples = rng.exponential(size=(20_000, n)) - np.log(2)
        _, lower, upper = median_interval(samples, 0.95)
        share = ((lower <= 0) & (upper >= 0)).mean()
        assert share >= 0.95 - 3 * np.sqrt(0.0475 / 20_000)
        assert share <= 0.985  # √(n/2) instead of √n/2 would give more than 0.99


def test_coverage_of_the_pseudomedian() -> None:
    rng = np.random.default_rng(2)
    for n, count in ((8, 4000), (20, 4000), (60, 1500)):  # many blocks have thousands of averages of pairs
        samples = rng.laplace(size=(count, n))
        _, lower, upper = pseudomedian_interval(samples, 0.95)
        share = ((lower <= 0) & (upper >= 0)).mean()
        assert 0.95 - 3 * np.sqrt(0.0475 / count) <= share <= 0.98


def test_coverage_of_superiority_and_delta() -> None:
    rng = np.random.default_rng(3)
    n, samples = 30, 2000
    hits = np.zeros(2)
    # Paired normal values with a common block effect: P(a > b) = Φ(0.5 / √2), δ from Φ(0.5 / √(2 + 2)).
    from scipy.stats import norm

    truth = norm.cdf(0.5 / np.sqrt(2)), 2 * norm.cdf(0.5 / 2.0) - 1
    of_counts = functools.cache(superiority)
    for _ in range(samples):
        block = rng.normal(size=n)
        a, b = block + rng.normal(0.5, 1, n), block + rng.normal(size=n)
        intervals = of_counts(int((a > b).sum()), int((a < b).sum()), n), cliffs_delta(a, b)
        hits += [low <= value <= high for value, (_, low, high) in zip(truth, intervals, strict=True)]
    assert (hits / samples >= 0.95 - 3 * np.sqrt(0.0475 / samples) - 0.005).all()
    assert (hits / samples <= 0.985).all()


def test_delta_keeps_its_level_where_blocks_differ_more_than_algorithms() -> None:
    # The usual benchmark: data sets differ by far more than algorithms do, and one of two is nearly always better.
    # The share of a block compared with itself is then large in the estimate and must not pull the interval away.
    from scipy.stats import norm

    rng = np.random.default_rng(4)
    for n in (5, 38):
        block = rng.normal(0, np.sqrt(0.999), (1000, n))
        a, b = (block + rng.normal(shift, np.sqrt(0.001), block.shape) for shift in (0.1, 0.0))
        truth = 2 * norm.cdf(0.1 / np.sqrt(2)) - 1
        found = np.array([cliffs_delta(x, y) for x, y in zip(a, b, strict=True)])
        share = ((found[:, 1] <= truth) & (truth <= found[:, 2])).mean()
        assert share >= 0.95 - 3 * np.sqrt(0.0475 / 1000)
        assert (found[:, 1] <= found[:, 0]).all()
        assert (found[:, 0] <= found[:, 2]).all()


def test_delta_of_two_blocks_has_no_interval_of_width_zero() -> None:
    assert cliffs_delta([0.2, 0.4], [0.1, 0.3]) == (0.5, -1.0, 1.0)


def test_delta_of_a_column_with_itself_is_zero_and_few_blocks_leave_room() -> None:
    a = np.random.default_rng(5).random(9)
    delta, lower, upper = cliffs_delta(a, a)
    assert delta == 0.0
    assert upper == -lower == pytest.approx(1 - 0.025 ** (1 / 9))


@pytest.mark.parametrize("n", [3, 6])
def test_delta_of_few_blocks_keeps_its_level(n: int) -> None:
    # Few blocks are often identical and show no variance; an interval of width 0 covered 72 to 92% of them.
    from scipy.stats import norm

    rng = np.random.default_rng(6)
    wrong = (rng.random((2, 1000, n)) < np.array([0.9, 0.7])[:, None, None]).astype(float)
    block = rng.normal(0, 5, (1000, n))
    shifted = np.stack([block + rng.normal(shift, 1, block.shape) for shift in (4, 0)])
    delta = functools.cache(lambda blocks: cliffs_delta(*zip(*blocks, strict=True)))  # whatever the order of the blocks
    for (a, b), truth in ((wrong, 0.2), (shifted, 2 * norm.cdf(4 / np.sqrt(52)) - 1)):
        tables = (tuple(sorted(zip(x, y, strict=True))) for x, y in zip(a.tolist(), b.tolist(), strict=True))
        found = np.array([delta(table) for table in tables])
        share = ((found[:, 1] <= truth) & (truth <= found[:, 2])).mean()
        assert share >= 0.95 - 3 * np.sqrt(0.0475 / 1000)


def outcomes(n: int) -> np.ndarray:
    """All wins and losses in n blocks."""
    return np.array([(wins, losses) for wins in range(n + 1) for losses in range(n + 1 - wins)])


@pytest.mark.parametrize("alpha", [0.05, 0.1])
@pytest.mark.parametrize("n", [5, 10, 14, 30])
def test_superiority_covers_whatever_the_share_of_ties(n: int, alpha: float) -> None:
    """Coverage is summed over all outcomes, so there is no Monte Carlo error."""
    from scipy.stats import multinomial

    counts = outcomes(n)
    ends = np.array([superiority(int(w), int(x), n, alpha)[1:] for w, x in counts])
    cells = np.column_stack([counts, n - counts.sum(axis=1)])
    for decided in (0.05, 0.2, 0.5, 0.8, 1.0):
        for won in np.linspace(0, 1, 21):
            chances = multinomial.pmf(cells, n, [decided * won, decided * (1 - won), 1 - decided])
            truth = 0.5 + decided * (won - 0.5)
            inside = (ends[:, 0] <= truth + 1e-12) & (truth - 1e-12 <= ends[:, 1])
            assert chances[inside].sum() >= 1 - alpha


def test_superiority_leaves_out_one_half_where_the_sign_test_rejects() -> None:
    from scipy.stats import binomtest

    assert superiority(8, 2, 10)[1] < 0.5  # p = 0.109
    for n in (6, 11, 20):
        for wins, losses in outcomes(n):
            _, lower, upper = superiority(int(wins), int(losses), n)
            rejects = wins + losses > 0 and binomtest(int(wins), int(wins + losses)).pvalue <= 0.05
            assert (lower > 0.5 or upper < 0.5) == rejects


def test_superiority_without_ties_has_the_upper_end_of_clopper_and_pearson() -> None:
    """The interval of 8 successes in 10 trials, by scipy.stats.binomtest (SciPy 1.17)."""
    from scipy.stats import binomtest

    expected = binomtest(8, 10).proportion_ci(method="exact")
    assert superiority(8, 2, 10)[1:] == pytest.approx((expected.low, expected.high))


def test_available_replications_are_those_of_both_for_every_effect(table: Callable[..., Results]) -> None:
    # On each data set the values of a pair are means over the replications that both have; so it is for delta, too.
    values = np.random.default_rng(31).random((7, 4, 2))
    values[0, 1, 0] = values[0, 2, 1] = values[5, 0, 0] = values[6, 3, 1] = np.nan
    both = ~np.isnan(values).any(axis=2)
    a, b = (np.array([side[m, both[m]].mean() for m in range(7)]) for side in np.moveaxis(values, 2, 0))
    found = effect_sizes(table(values), missing="available").iloc[0]
    sign = 1 if found["a"] == "a0" else -1
    assert found["mean difference"] == pytest.approx(sign * (a - b).mean())
    assert found["delta"] == pytest.approx(sign * np.sign(b[:, None] - a[None, :]).mean())  # costs: lower is better
