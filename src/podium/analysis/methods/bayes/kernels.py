"""Posteriors of a difference on one data set (correlated t), over data sets (sign, signed rank): arrays in and out.

Each returns, for P pairs, the probabilities that the difference lies below, in and above an area.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import betainc, gammainc, gammaincinv, stdtr, stdtrit

from podium.analysis.methods.pairwise.t import mean_difference, sample_sd
from podium.analysis.methods.permutation import ordered_rows
from podium.arrays import FloatArray
from podium.checks import random_generator

Area = tuple[float, float]

KEPT = 1000  # draws of the three shares that are kept for a figure

# Gauss–Legendre nodes on the scale of probabilities.
_NODES, _WEIGHTS = (array / 2 for array in np.polynomial.legendre.leggauss(200))
_NODES = _NODES + 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Posterior:
    """Probabilities below, in and above the area, and median and interval of the difference; P entries each.

    `regions` are draws of the shares of the three regions, of shape (P, draws, 3), where these are uncertain.
    """

    below: FloatArray
    inside: FloatArray
    above: FloatArray
    median: FloatArray
    lower: FloatArray
    upper: FloatArray
    regions: FloatArray | None = None


def correlated_t(differences: FloatArray, rho: float, area: Area, level: float = 0.95) -> Posterior:
    r"""Posterior of the mean difference when replications are correlated by rho (Corani & Benavoli 2015).

    Student's t with n - 1 degrees of freedom, centre the mean, squared scale
    :math:`(1/n + ρ/(1 - ρ)) s^2`. Without any variance all mass is at the mean.

    G. Corani, A. Benavoli (2015). A Bayesian approach for comparing cross-validated algorithms on multiple data sets.
    Machine Learning 100, 285–304.
    """
    n = differences.shape[1]
    mean, sd = mean_difference(differences), sample_sd(differences)
    scale = np.sqrt(1 / n + rho / (1 - rho)) * sd
    safe = np.where(scale > 0, scale, 1.0)
    low, high = area
    below = np.where(scale > 0, stdtr(n - 1, (low - mean) / safe), (mean < low).astype(float))
    above = np.where(scale > 0, stdtr(n - 1, (mean - high) / safe), (mean > high).astype(float))
    half = stdtrit(n - 1, (1 + level) / 2) * scale
    inside = np.clip(1 - below - above, 0.0, 1.0)
    return Posterior(below=below, inside=inside, above=above, median=mean, lower=mean - half, upper=mean + half)


def signed_rank(
    differences: FloatArray,
    area: Area,
    *,
    strength: float = 0.5,
    draws: int = 20_000,
    level: float = 0.95,
    seed: int = 0,
) -> Posterior:
    """Posterior of the signed rank statistic under a Dirichlet process prior (Benavoli et al. 2014, 2017).

    Blocks get random Dirichlet weights, and a pseudo-block without difference the weight `strength`. A draw gives the
    weighted shares of averages of two differences below, in and above the area; the probability of each is the share
    of draws in which it is the largest. Median and interval are those of the weighted mean difference.

    A. Benavoli, G. Corani, F. Mangili, M. Zaffalon, F. Ruggeri (2014). A Bayesian Wilcoxon signed-rank test based on
    the Dirichlet process. ICML, 1026–1034. — A. Benavoli, G. Corani, J. Demšar, M. Zaffalon (2017). Time for a change:
    a tutorial for comparing multiple classifiers through Bayesian analysis. JMLR 18 (77), 1–36.
    """
    pairs, n = differences.shape
    weights = random_generator(seed).dirichlet(np.r_[strength, np.ones(n)], draws)
    ordered, side = ordered_rows(differences)
    turned = side < 0
    values = np.concatenate([np.zeros((pairs, 1)), ordered], axis=1)
    columns: list[tuple[float, ...]] = []
    regions = np.empty((pairs, min(draws, KEPT), 3))
    for pair, row in enumerate(values):
        low, high = (-area[1], -area[0]) if turned[pair] else area
        averages = (row[:, None] + row[None, :]) / 2
        slack = 1e-12 * float(np.abs(row).max())  # an average on the edge is inside, whatever its last binary digit
        below = ((weights @ (averages < low - slack)) * weights).sum(axis=1)
        above = ((weights @ (averages > high + slack)) * weights).sum(axis=1)
        regions[pair] = np.column_stack([below, 1 - below - above, above])[:KEPT]
        mean = weights @ row
        ends = np.quantile(mean, [0.5, (1 - level) / 2, (1 + level) / 2])
        columns.append((*largest_share(below, 1 - below - above, above), *(float(end) for end in ends)))
    below_, inside, above_, median, lower, upper = np.array(columns).T
    return Posterior(
        below=np.where(turned, above_, below_),
        inside=inside,
        above=np.where(turned, below_, above_),
        median=np.where(turned, 0.0 - median, median),
        lower=np.where(turned, 0.0 - upper, lower),
        upper=np.where(turned, 0.0 - lower, upper),
        regions=np.where(turned[:, None, None], regions[:, :, ::-1], regions),
    )


def sign(differences: FloatArray, area: Area, *, strength: float = 1.0, level: float = 0.95) -> Posterior:
    """Posterior of the sign statistic under a Dirichlet process prior (Benavoli et al. 2014, 2017).

    The probabilities of a difference below, in and above the area have a Dirichlet distribution, with the numbers of
    such differences as parameters; the prior adds `strength` to the area. Each region gets the probability that its own
    probability is the largest, by numerical integration: a Dirichlet vector is one of independent gamma variables,
    divided by their sum. Median and interval are those of the median difference; the weight of the j smallest
    differences has a beta distribution, and the median is at most the j-th if that weight is at least 1/2.

    A. Benavoli, G. Corani, J. Demšar, M. Zaffalon (2017). Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis. JMLR 18 (77), 1–36, section 4.2.1.
    """
    low, high = area
    slack = 1e-12 * np.abs(differences).max(axis=1, keepdims=True)  # a difference on the edge is inside
    below, above = (differences < low - slack).sum(axis=1), (differences > high + slack).sum(axis=1)
    inside = differences.shape[1] - below - above + strength
    shapes = np.column_stack([below, inside, above])
    found = np.array([_largest_of_gammas(*row) for row in shapes.tolist()])
    quantiles = (0.5, (1 - level) / 2, (1 + level) / 2)
    median, lower, upper = np.array([_median_quantiles(row, strength, quantiles) for row in differences]).T
    turned = ordered_rows(differences)[1][:, None] < 0  # the draws do not depend on the order of algorithms
    ordered = np.where(turned, shapes[:, ::-1], shapes)
    gammas = np.stack([random_generator(0).standard_gamma(row, (KEPT, 3)) for row in ordered])
    gammas = np.where(turned[:, :, None], gammas[:, :, ::-1], gammas)
    return Posterior(
        below=found[:, 0],
        inside=found[:, 1],
        above=found[:, 2],
        median=median,
        lower=lower,
        upper=upper,
        regions=gammas / gammas.sum(axis=2, keepdims=True),
    )


@lru_cache(maxsize=1024)  # pairs with as many differences in each region share it
def _largest_of_gammas(*shapes: float) -> FloatArray:
    """Probability that each of three independent gamma variables is the largest; a shape of 0 is the number 0."""
    chances = np.zeros(3)
    for i, own in enumerate(shapes):
        if own == 0:
            continue
        others = [shape for j, shape in enumerate(shapes) if j != i and shape > 0]
        values = gammaincinv(own, _NODES)
        chances[i] = _WEIGHTS @ np.prod([np.ones_like(values), *(gammainc(shape, values) for shape in others)], axis=0)
    shares: FloatArray = chances / chances.sum()
    return shares


def _median_quantiles(row: FloatArray, strength: float, quantiles: tuple[float, ...]) -> FloatArray:
    """Quantiles of the median of a Dirichlet process with the differences as atoms, and the prior at 0."""
    values, weights = np.append(row, 0.0), np.append(np.ones(len(row)), strength)
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weights[order])
    # P(weight of the smallest >= 1/2); where it equals the quantile, the middle of two values, as in a median
    reached = np.round(np.append(betainc(total[-1] - total[:-1], total[:-1], 0.5), 1.0), 12)
    ends = (np.searchsorted(reached, quantiles, side=side) for side in ("left", "right"))
    middle: FloatArray = np.mean([values[order][end] for end in ends], axis=0)
    return middle


def largest_share(below: FloatArray, inside: FloatArray, above: FloatArray) -> tuple[float, float, float]:
    """How often each of three shares is the largest; draws in which some tie are divided among them."""
    shares = np.round(np.stack([below, inside, above]), 12)
    top = shares == shares.max(axis=0)
    found = (top / top.sum(axis=0)).reshape(3, -1).mean(axis=1)
    return float(found[0]), float(found[1]), float(found[2])
