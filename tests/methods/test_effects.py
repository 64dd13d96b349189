"""Effect sizes: definitions, pairing, coverage of intervals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import podium
from podium.analysis.methods import cliffs_delta, effect_sizes, superiority
from podium.analysis.methods.location import median_interval, pseudomedian_interval
from podium.results import Results


def test_cliffs_delta_by_definition() -> None:
    rng = np.random.default_rng(0)
    a, b = np.round(rng.normal(0.3, 1, 25), 1), np.round(rng.normal(size=18), 1)
    assert cliffs_delta(a, b) == pytest.approx(np.sign(a[:, None] - b[None, :]).mean())
    assert cliffs_delta(b, a) == pytest.approx(-cliffs_delta(a, b))


def test_table_of_pairs(monks3: Results) -> None:
    table = effect_sizes(monks3)
    assert len(table) == 15
    assert (table["wins"] >= table["losses"]).all()
    row = table[(table["a"] == "svm") & (table["b"] == "rf")].iloc[0]
    assert (row["wins"], row["ties"], row["losses"]) == (177, 3, 70)
    assert row["superiority"] == pytest.approx((row["wins"] + row["ties"] / 2) / 250)
    assert row["difference"] < 0  # less error
    assert row["superiority lower"] < row["superiority"] < row["superiority upper"]


def test_direction_turns_differences_only(demsar: Results) -> None:
    lower = podium.MeasureInfo("AUC", "lower")
    turned = effect_sizes(demsar.replace(values=-demsar.values, measures=(lower,)))
    table = effect_sizes(demsar)
    assert table[["a", "b", "wins", "superiority"]].equals(turned[["a", "b", "wins", "superiority"]])
    np.testing.assert_allclose(table["difference"], -turned["difference"])


def test_available_cells(table: Callable[..., Results]) -> None:
    values = np.random.default_rng(0).random((9, 3))
    values[:3, 0] = np.nan
    found = effect_sizes(table(values), missing="available")
    assert sorted(found["n"]) == [6, 6, 9]


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
    # On each data set the values of a pair are means over the replications that both have.
    values = np.random.default_rng(31).random((7, 4, 2))
    values[0, 1, 0] = values[0, 2, 1] = values[5, 0, 0] = values[6, 3, 1] = np.nan
    both = ~np.isnan(values).any(axis=2)
    a, b = (np.array([side[m, both[m]].mean() for m in range(7)]) for side in np.moveaxis(values, 2, 0))
    found = effect_sizes(table(values), missing="available").iloc[0]
    sign = 1 if found["a"] == "a0" else -1
    assert found["mean difference"] == pytest.approx(sign * (a - b).mean())
    assert found["superiority"] == pytest.approx(0.5 + sign * np.sign(b - a).mean() / 2)  # costs: lower is better
