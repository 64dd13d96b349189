"""The norm problems of Breiman (1996): two classes of Gaussian points in d dimensions, and their Bayes errors.

References
----------
L. Breiman (1996). Bias, variance, and arcing classifiers. Technical report 460, Statistics Department, University of
California, Berkeley. Published in part as: Arcing classifiers, The Annals of Statistics 26 (1998), 801–849.
"""

from __future__ import annotations

import numpy as np

from podium.design.generators import NamedGenerator, classified, dimension, halves
from podium.design.parameter import Parameter
from podium.design.sample import Sample

BREIMAN = "L. Breiman (1996), technical report 460, University of California, Berkeley"
SHIFT = Parameter(default=1.0, meaning="distance between the means of the classes", minimum=0)


def ringnorm(n: int, rng: np.random.Generator, *, d: int, shift: float) -> Sample:
    """Class 1 ~ N(0, 4 I), class 2 ~ N(m, I) with m = (a, ..., a) and |m| = shift, that is a = shift / sqrt(d)."""
    second = halves(n, rng)
    X = rng.standard_normal((n, d)) * np.where(second, 1.0, 2.0)[:, np.newaxis]
    return classified(X + second[:, np.newaxis] * shift / np.sqrt(d), second)


def twonorm(n: int, rng: np.random.Generator, *, d: int) -> Sample:
    """Class 1 ~ N(m, I), class 2 ~ N(-m, I) with m = (a, ..., a), a = 2 / sqrt(d)."""
    second = halves(n, rng)
    sign = 1 - 2 * second
    return classified(rng.standard_normal((n, d)) + sign[:, np.newaxis] * 2 / np.sqrt(d), second)


def threenorm(n: int, rng: np.random.Generator, *, d: int) -> Sample:
    """Class 1 ~ N(m, I) or N(-m, I) with equal probability, class 2 ~ N((a, -a, a, ...), I), a = 2 / sqrt(d)."""
    second = halves(n, rng)
    sign = rng.choice([-1.0, 1.0], size=n)[:, np.newaxis]
    alternating = np.where(np.arange(d) % 2, -1.0, 1.0)
    mean = np.where(second[:, np.newaxis], alternating, sign) * 2 / np.sqrt(d)
    return classified(rng.standard_normal((n, d)) + mean, second)


def ringnorm_bayes_error(*, d: int, shift: float) -> float:
    """Error of the best rule for ringnorm: class 2 inside a ball, class 1 outside.

    Comparing the two densities, class 2 is likelier where |x - 4m/3|² < r² = (8 d ln 2 + 4 |m|²/3) / 3. The
    distance from 4m/3 is noncentral chi-square in both classes.
    """
    from scipy.stats import chi2, ncx2

    squared = (8 * d * np.log(2) + 4 * shift**2 / 3) / 3
    if shift == 0:
        return float(chi2.cdf(squared / 4, d) + chi2.sf(squared, d)) / 2
    first = ncx2.cdf(squared / 4, d, 4 * shift**2 / 9)
    second = ncx2.sf(squared, d, shift**2 / 9)
    return float(first + second) / 2


def twonorm_bayes_error(*, d: int) -> float:
    """Error of the best rule for twonorm, the hyperplane between the means: Φ(-|m|) = Φ(-2) in every dimension."""
    from scipy.stats import norm

    del d
    return float(norm.cdf(-2.0))


def threenorm_bayes_error(*, d: int) -> float:
    """Error of the best rule for threenorm, by integration in the plane of the means m and k = (a, -a, a, ...).

    With u = m·x and v = k·x, class 1 is likelier where cosh(u) > exp(v). All means have length 2, and the cosine of
    the angle between m and k is 0 for even d and 1/d for odd d. Given u, v is Gaussian, so one integral remains.
    """
    from scipy.integrate import quad
    from scipy.stats import norm

    cosine = (d % 2) / d
    if cosine == 1.0:  # d = 1: m and k are the same point, and only -m separates the classes
        return float(norm.cdf(-2)) / 2 + 1 / 4
    rest = np.sqrt(1 - cosine**2)

    # With s = u/2, t = v/2 of variance 1 and correlation `cosine`: class 1 where log(cosh(2s))/2 > t.
    def below(s: float, mean_s: float, mean_t: float) -> float:
        """Density of s times the probability that t lies below the boundary, that is, of class 1."""
        boundary = (np.logaddexp(2 * s, -2 * s) - np.log(2)) / 2
        given = mean_t + cosine * (s - mean_s)
        return float(norm.pdf(s - mean_s) * norm.cdf((boundary - given) / rest))

    def probability_of_first(mean_s: float, mean_t: float) -> float:
        return float(quad(below, mean_s - 12, mean_s + 12, args=(mean_s, mean_t), epsabs=1e-12, limit=200)[0])

    right = (probability_of_first(2.0, 2 * cosine) + probability_of_first(-2.0, -2 * cosine)) / 2
    return ((1 - right) + probability_of_first(2 * cosine, 2.0)) / 2


RINGNORM = NamedGenerator(
    name="ringnorm",
    title="a Gaussian within a wider Gaussian",
    draw=ringnorm,
    n=1200,
    source=BREIMAN,
    parameters={"d": dimension(20), "shift": SHIFT},
    bayes=ringnorm_bayes_error,
)
TWONORM = NamedGenerator(
    name="twonorm",
    title="two Gaussians of equal covariance",
    draw=twonorm,
    n=1200,
    source=BREIMAN,
    parameters={"d": dimension(20)},
    bayes=twonorm_bayes_error,
)
THREENORM = NamedGenerator(
    name="threenorm",
    title="a Gaussian beside a mixture of two Gaussians",
    draw=threenorm,
    n=1200,
    source=BREIMAN,
    parameters={"d": dimension(20)},
    bayes=threenorm_bayes_error,
)
