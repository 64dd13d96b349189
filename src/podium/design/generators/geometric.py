"""Geometric problems: a ball in a cube, two spirals, a linear and a circular class boundary.

References
----------
F. Leisch, E. Dimitriadou. mlbench: Machine Learning Benchmark Problems (its manual defines circle and spirals).
M. J. A. Eugster (2011). Benchmark Experiments – A Tool for Analyzing Statistical Learning Algorithms, section 5.1 and
table 5.1 (ds1 and ds2). Dissertation, LMU München.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from podium.design.generators import (
    NamedGenerator,
    bayes_error_of_noise,
    class_noise,
    classified,
    dimension,
    flipped,
    halves,
    no_bayes_error,
    noise_sd,
)
from podium.design.parameter import Parameter
from podium.design.sample import Sample

MLBENCH = "R package mlbench (F. Leisch, E. Dimitriadou), manual"
EUGSTER = "M. J. A. Eugster (2011), dissertation, LMU München, section 5.1"


def circle(n: int, rng: np.random.Generator, *, d: int) -> Sample:
    """Uniform in the cube [-1, 1]^d; class 1 in the ball around the middle that holds half of the cube."""
    X = rng.uniform(-1, 1, (n, d))
    return classified(X, (np.linalg.norm(X, axis=1) > half_radius(d)).astype(np.intp))


def spirals(n: int, rng: np.random.Generator, *, cycles: float, sd: float) -> Sample:
    """Two entangled spirals, each the other's point reflection, with Gaussian noise.

    The first spiral is (2w + 1)/3 · (cos 2πw, sin 2πw) for w in [0, cycles); w is uniform, so that draws differ.
    """
    second = halves(n, rng)
    w = rng.uniform(0, cycles, n)
    angle = 2 * np.pi * w
    curve = ((2 * w + 1) / 3)[:, np.newaxis] * np.column_stack([np.cos(angle), np.sin(angle)])
    return classified((1 - 2 * second)[:, np.newaxis] * curve + rng.normal(0, sd, (n, 2)), second)


def ds1(n: int, rng: np.random.Generator, *, noise: float) -> Sample:
    """Linearly separable: uniform in the square [-1, 1]², class 1 left of the axis x1 = 0."""
    X = rng.uniform(-1, 1, (n, 2))
    return classified(X, flipped((X[:, 0] > 0).astype(np.intp), noise, rng))


def ds2(n: int, rng: np.random.Generator, *, noise: float) -> Sample:
    """Not linearly separable: uniform in the square [-1, 1]², class 1 in the disc that holds half of it."""
    X = rng.uniform(-1, 1, (n, 2))
    return classified(X, flipped((np.linalg.norm(X, axis=1) > half_radius(2)).astype(np.intp), noise, rng))


@cache
def half_radius(d: int) -> float:
    """Radius of the ball around 0 that holds half of the cube [-1, 1]^d.

    >>> round(half_radius(2), 4)  # the square root of 2/π
    0.7979
    """
    from scipy.special import gammaln

    # The whole ball lies in the cube for d <= 3: its volume π^(d/2) r^d / Γ(1 + d/2) is half of 2^d.
    radius = float(np.exp(((d - 1) * np.log(2) + gammaln(1 + d / 2) - d / 2 * np.log(np.pi)) / d))
    return radius if radius <= 1 else float(np.sqrt(_median_of_squares(d)))


def _median_of_squares(d: int) -> float:
    """Median of the sum of d squared uniforms on [-1, 1], by inversion of its characteristic function.

    P(S <= s) = 1/2 - 1/π ∫ Im(exp(-its) φ(t)^d) / t dt over t > 0 (Gil-Pelaez 1951), and one square has
    φ(t) = ∫ exp(itx²) dx over [0, 1], a Fresnel integral. The integral is cut where |φ|^d <= (π/4t)^(d/2) is small.
    """
    from scipy.integrate import simpson
    from scipy.optimize import brentq
    from scipy.special import fresnel

    end = max(5.0, np.pi / 4 * (2e8 / d) ** (2 / d))
    t = np.linspace(0, end, 2 * int(10 * d * end) + 1)[1:]
    sine, cosine = fresnel(np.sqrt(2 * t / np.pi))
    phi = (np.sqrt(np.pi / (2 * t)) * (cosine + 1j * sine)) ** d

    def excess(s: float) -> float:
        inner = np.imag(np.exp(-1j * t * s) * phi) / t
        at_zero = d / 3 - s  # the limit of the integrand: E(S) - s
        return float(simpson(np.concatenate([[at_zero], inner]), dx=t[0]))

    return float(brentq(excess, d / 3 - 1, d / 3 + 1, xtol=1e-10))


CIRCLE = NamedGenerator(
    name="circle",
    title="a ball in the middle of a cube, half of its volume",
    draw=circle,
    n=1200,
    source=MLBENCH,
    parameters={"d": dimension(2)},
    bayes=no_bayes_error,
)
SPIRALS = NamedGenerator(
    name="spirals",
    title="two entangled spirals",
    draw=spirals,
    n=1200,
    source=MLBENCH,
    parameters={"cycles": Parameter(default=1.0, meaning="turns of each spiral", minimum=0), "sd": noise_sd(0.05)},
)
DS1 = NamedGenerator(
    name="ds1",
    title="linearly separable classes in a square",
    draw=ds1,
    n=400,
    source=EUGSTER,
    parameters={"noise": class_noise(0.0)},
    bayes=bayes_error_of_noise,
)
DS2 = NamedGenerator(
    name="ds2",
    title="classes in a square that are not linearly separable",
    draw=ds2,
    n=400,
    source=EUGSTER,
    parameters={"noise": class_noise(0.0)},
    bayes=bayes_error_of_noise,
)
