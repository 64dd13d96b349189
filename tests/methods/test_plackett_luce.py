"""The Plackett–Luce model against choix, by hand, invariances, coverage, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from math import log, prod

import numpy as np
import pytest
from scipy.optimize import minimize

import podium
from podium.analysis.methods.bayes.plackett_luce import fit_worths, ranking_stages
from podium.errors import InputError
from podium.results import Results

CHOIX = [-0.9321274, -0.4356326, 0.3448403, -0.1141017, 1.1370214]
COSTS = np.random.default_rng(3).gumbel(size=(30, 5)) + np.random.default_rng(3).normal(size=5)


def log_worths(costs: np.ndarray, strength: float) -> np.ndarray:
    found = np.log(fit_worths(ranking_stages(costs), strength))
    return found - found.mean()


def races(rng: np.random.Generator, n: int, worth: np.ndarray) -> np.ndarray:
    """Exponential times with rates in proportion to the worths: their order follows the model."""
    return rng.exponential(size=(n, len(worth))) / worth


def test_maximum_likelihood_as_choix() -> None:
    # choix 0.4.1, mm_rankings(5, rankings, alpha=0, tol=1e-12), of the races of default_rng(3)
    costs = races(np.random.default_rng(3), 12, np.arange(1.0, 6.0))
    np.testing.assert_allclose(log_worths(costs, 0), CHOIX, atol=1e-6)


def test_likelihood_of_strict_rankings() -> None:
    """The worths maximise the product of picks, written out and maximised by another method."""
    orders = np.argsort(COSTS, axis=1)

    def loss(beta: np.ndarray) -> float:
        w = np.exp(beta)
        picks = sum(log(w[order[i]] / w[order[i:]].sum()) for order in orders for i in range(5))
        ghosts = 0.5 * np.log(w / (1 + w) ** 2).sum()
        return -(picks + ghosts)

    best = minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-8}).x
    np.testing.assert_allclose(log_worths(COSTS, 0.5), best - best.mean(), atol=1e-5)


@pytest.mark.parametrize("strength", [1e-9, 1e-3, 0.5])
@pytest.mark.parametrize("k", [3, 20])
def test_a_weak_penalty_is_enough_where_the_order_is_always_the_same(k: int, strength: float) -> None:
    """The derivatives of the likelihood vanish: each algorithm is picked as often as its worth says."""
    stages = ranking_stages(np.tile(np.arange(float(k)), (7, 1)))
    worth = fit_worths(stages, strength)
    expected = (stages.left * worth / (stages.left @ worth)[:, None]).sum(axis=0) + 2 * strength * worth / (1 + worth)
    np.testing.assert_allclose(stages.picked + strength, expected, rtol=1e-9)
    assert (np.diff(worth) < 0).all()


def test_probabilities_of_rankings_sum_to_one() -> None:
    worth = np.array([1.0, 2.0, 4.0])
    chances = [prod(worth[o[i]] / worth[list(o[i:])].sum() for i in range(3)) for o in permutations(range(3))]
    assert sum(chances) == pytest.approx(1)


def test_two_algorithms_by_hand(table: Callable[..., Results]) -> None:
    # 6 wins of 8: the odds are 6 to 2; with half a win and half a loss against an algorithm of worth 1 for each
    values = np.array([[0.1, 0.2]] * 6 + [[0.2, 0.1]] * 2)
    ranking = podium.inference.plackett_luce(table(values, rows="dataset"), strength=0)
    assert ranking.probability("a0", "a1") == pytest.approx(0.75, abs=1e-8)
    np.testing.assert_allclose(ranking.worth, [0.75, 0.25], atol=1e-8)
    # variance of a log odds: 1/6 + 1/2, and 8/7 of it between data sets; each log worth less the mean is half of it
    assert ranking.se[0] == pytest.approx(np.sqrt(8 / 7 * (1 / 6 + 1 / 2)) / 2, abs=1e-6)


def test_ties_share_places() -> None:
    tied = np.array([[1.0, 1.0, 2.0], [2.0, 1.0, 1.0], [1.0, 2.0, 1.0]])
    np.testing.assert_allclose(log_worths(tied, 0.5), 0, atol=1e-8)
    assert (log_worths(np.ones((4, 3)), 0.5) == 0).all()


def test_blocks_that_rank_some_of_the_algorithms(table: Callable[..., Results]) -> None:
    costs = COSTS.copy()
    costs[::3, 0] = np.nan
    ranking = podium.inference.plackett_luce(table(costs, rows="dataset"), missing="available")
    assert np.isfinite(ranking.se).all()
    subset = ranking_stages(costs)
    assert subset.picked[0] <= 20
    with pytest.raises(podium.errors.MissingCellsError):
        podium.inference.plackett_luce(table(costs, rows="dataset"))


def test_invariances(table: Callable[..., Results]) -> None:
    names = list("abcde")
    one = podium.inference.plackett_luce(table(COSTS, names=names))
    order = [3, 0, 4, 1, 2]
    other = podium.inference.plackett_luce(table(COSTS[::-1][:, order] * 7 - 3, names=[names[i] for i in order]))
    np.testing.assert_allclose(one.frame(), other.frame().loc[list(one.order)], atol=1e-8)
    assert one.worth.sum() == pytest.approx(1)
    assert one.log_worth.mean() == pytest.approx(0, abs=1e-12)


SAMPLES = 50


@pytest.mark.parametrize(("k", "n"), [(4, 10), (6, 20)])
def test_intervals_cover(k: int, n: int, table: Callable[..., Results]) -> None:
    rng = np.random.default_rng(4)
    for spread in (0.0, 1.0):  # all alike, and not
        truth = spread * rng.normal(size=k)
        truth -= truth.mean()
        covered = []
        for _ in range(SAMPLES):
            ranking = podium.inference.plackett_luce(table(races(rng, n, np.exp(truth))))
            covered.append((ranking.lower <= truth) & (truth <= ranking.upper))
        share = np.mean(covered)
        assert share >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / SAMPLES)


def test_intervals_cover_where_algorithms_are_related(table: Callable[..., Results]) -> None:
    """Two families of five that differ little within; all are equally good, so that all log worths are 0."""
    rng = np.random.default_rng(8)
    missed = []
    for _ in range(60):
        costs = np.sqrt(0.95) * rng.normal(size=(40, 2))[:, [0] * 5 + [1] * 5] + np.sqrt(0.05) * rng.normal(
            size=(40, 10)
        )
        ranking = podium.inference.plackett_luce(table(costs, rows="dataset"))
        missed.append((ranking.lower > 0) | (ranking.upper < 0))
    assert np.mean(missed) <= 0.05


def test_separation(table: Callable[..., Results]) -> None:
    always = table(np.arange(12.0).reshape(3, 4), rows="dataset")
    with pytest.raises(InputError, match=r"`strength=0`: the likelihood has no maximum here; .* never come behind"):
        podium.inference.plackett_luce(always, strength=0)
    ranking = podium.inference.plackett_luce(always)
    assert ranking.order == ("a0", "a1", "a2", "a3")
    assert np.isfinite(ranking.se).all()
