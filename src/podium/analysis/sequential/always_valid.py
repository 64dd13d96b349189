"""Inference that is valid after every replication: always-valid p-values and confidence sequences; arrays only.

Each p-value is one over the largest capital so far of a gambler who bets against "the mean is at most m": by Ville's
inequality the capital ever reaches 1/alpha with a probability of at most alpha, so p may be compared with alpha after
every replication. The confidence sequence holds the means that no gambler has refuted yet.

Bounded values: I. Waudby-Smith, A. Ramdas (2024). Estimating means of bounded random variables by betting. Journal of
the Royal Statistical Society B 86, 1–27 (online 2023). — Others, asymptotically: I. Waudby-Smith, D. Arbour, R. Sinha,
E. H. Kennedy, A. Ramdas (2024). Time-uniform central limit theory and asymptotic confidence sequences. Annals of
Statistics 52, 2613–2640.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr

from podium.arrays import FloatArray, IntArray
from podium.results.aggregation import power_of_two

STAKES = np.geomspace(0.02, 0.98, 12)  # shares of the capital that are bet, in equal parts
_STEPS = 40  # of a bisection


def betting_pvalues(values: FloatArray, null: float, low: float, high: float) -> FloatArray:
    """Always-valid p-values against "mean ≤ null" of each row of values in [low, high], after every replication.

    With X in [0, 1] and m the null, a share g of the capital is put on X > m: it becomes 1 - g + g X/m times itself.
    Its expectation is at most 1 if the mean is at most m. The capital is divided among several g (diversified Kelly
    betting, Waudby-Smith & Ramdas, section 5.6); the factor decreases in m whatever X is, so the means that are not
    refuted form an interval.
    """
    m = (null - low) / (high - low)
    if m <= 0:  # a mean of at most the smallest possible value: any larger value refutes it
        return np.where(np.maximum.accumulate(values > low, axis=1), 0.0, 1.0)
    if m >= 1:
        return np.ones(values.shape)
    capital = _log_capital((values - low) / (high - low), np.full(len(values), m))
    return np.exp(-np.maximum(np.maximum.accumulate(capital, axis=1), 0.0))


def _log_capital(x: FloatArray, m: FloatArray) -> FloatArray:
    """Logarithm of the capital after each value, one row per row of x and entry of m."""
    gain = x / m[:, None] - 1.0
    paths = np.cumsum(np.log1p(STAKES[:, None, None] * gain), axis=2)
    best = paths.max(axis=0)
    total: FloatArray = best + np.log(np.exp(paths - best).mean(axis=0))
    return total


def betting_bounds(values: FloatArray, level: float, low: float, high: float, at: IntArray) -> FloatArray:
    """Lower confidence bounds of the mean after `at` replications (increasing), of one row of values.

    They hold at all replications together with probability 1 - level. The largest capital so far decreases in m: the
    bound is where it equals 1/level. The bounds are found one after the other, each between the previous bound and 1;
    the capital at the previous bound shows whether there is anything to find.
    """
    x = (values - low) / (high - low)
    goal = -np.log(level)
    bounds = np.zeros(len(at))
    bound, start = 0.0, 0
    for i, n in enumerate(at):
        part = x[None, :n]
        if start < n and x[:n].any():

            def excess(m: float, part: FloatArray = part) -> float:
                return float(_log_capital(part, np.array([m])).max() - goal)

            least = max(bound, 1e-12)
            if excess(least) > 0:
                bound = float(brentq(excess, least, 1.0, xtol=1e-13, rtol=1e-12))
        bounds[i], start = bound, int(n)
    return low + (high - low) * bounds


def asymptotic_pvalues(
    values: FloatArray, null: float, *, burn_in: int, scale: float, ratio: float = 0.0
) -> FloatArray:
    """Asymptotically always-valid p-values against "mean ≤ null" of each row, after every replication from `burn_in`.

    One over the capital of a gambler whose bets on a normal mean with estimated variance are averaged over a
    half-normal distribution (Waudby-Smith et al. 2024, appendix on one-sided sequences).

    Parameters
    ----------
    values : ndarray, shape (P, n)
    null : float
    burn_in : int
        Replications before which nothing is concluded.
    scale : float
        Of the mixture, see `mixture_scale`.
    ratio : float
        Size of the test sample divided by that of the learning sample, where learning samples overlap: the variance of
        a mean of n is then (1/n + ratio) s² (Nadeau & Bengio 2003), so it carries the information of 1/(1/n + ratio)
        independent values. 0 for samples drawn afresh.
    """
    information, score = _scores(values, null, ratio)
    capital = _log_mixture(score, information, scale)
    capital[:, : burn_in - 1] = -np.inf
    return np.exp(-np.maximum(np.maximum.accumulate(capital, axis=1), 0.0))


def asymptotic_bounds(
    values: FloatArray, level: float, *, burn_in: int, scale: float, ratio: float = 0.0
) -> FloatArray:
    """Lower confidence bounds of the mean of each row, after every replication; -inf before `burn_in`.

    With the same `scale` they are the means that `asymptotic_pvalues` does not reject at this level.
    """
    information, _ = _scores(values, 0.0, ratio)
    low, high = np.zeros(len(information)), np.full(len(information), 1e6)
    for _ in range(_STEPS + 20):
        middle = (low + high) / 2
        small = _log_mixture(middle[None, :], information, scale)[0] < -np.log(level)
        low, high = np.where(small, middle, low), np.where(small, high, middle)
    mean, sd = _moments(values)
    bounds = mean - sd * high / information
    bounds[:, : burn_in - 1] = -np.inf
    return np.maximum.accumulate(bounds, axis=1)


def mixture_scale(level: float, tightest: float, ratio: float = 0.0) -> float:
    """Scale ρ for which the sequence is about tightest after this many replications, at a level (equation for ρ(t))."""
    logs = -2 * np.log(level)
    return float(np.sqrt((logs + np.log(logs) + 1) * (1.0 / tightest + ratio)))


def _moments(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation of the values so far, after each of them."""
    n = np.arange(1, values.shape[1] + 1)
    centre = values[:, :1]  # keeps the digits of values far from 0
    unit = power_of_two(values)  # squares neither overflow nor vanish
    shifted = values / unit - centre / unit
    mean = np.cumsum(shifted, axis=1) / n
    square = np.maximum(np.cumsum(shifted**2, axis=1) - n * mean**2, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        sd = np.sqrt(square / (n - 1))
    size = np.maximum.accumulate(np.abs(values / unit), axis=1)
    sd = np.where(sd <= 1e-12 * size, 0.0, np.nan_to_num(sd))
    return unit * mean + centre, unit * sd


def _scores(values: FloatArray, null: float, ratio: float) -> tuple[FloatArray, FloatArray]:
    """Information after each value, and the standardised mean times it; without any variance infinite.

    Equal values say that there is a difference, but not how far it is from a `null` other than 0.
    """
    mean, sd = _moments(values)
    information = 1.0 / (1.0 / np.arange(1, values.shape[1] + 1) + ratio)
    away = mean - null
    with np.errstate(divide="ignore", invalid="ignore"):
        certain = np.sign(away) * np.inf if null == 0 else 0.0
        score = information * np.where(sd > 0, away / np.where(sd > 0, sd, 1.0), certain)
    return information, np.where(away == 0, 0.0, score)


def _log_mixture(score: FloatArray, information: FloatArray, scale: float) -> FloatArray:
    """Logarithm of 2 (tρ²+1)^(-1/2) exp(ρ²S²/(2(tρ²+1))) Φ(ρS/√(tρ²+1)), the half-normal mixture."""
    spread = information * scale**2 + 1.0
    z = np.clip(scale * score / np.sqrt(spread), -1e150, 1e150)
    capital: FloatArray = np.log(2.0) - np.log(spread) / 2 + z**2 / 2 + log_ndtr(z)
    return capital
