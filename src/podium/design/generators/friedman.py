"""The regression problems of Friedman (1991).

References
----------
J. H. Friedman (1991). Multivariate adaptive regression splines. The Annals of Statistics 19, 1–67.
L. Breiman (1996). Bagging predictors. Machine Learning 24, 123–140 (the standard deviations of the noise).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.design.generators import NamedGenerator, dimension, noise_sd, numeric_frame
from podium.design.sample import Sample

FRIEDMAN = "J. H. Friedman (1991), The Annals of Statistics 19, 1–67"


def friedman1(n: int, rng: np.random.Generator, *, d: int, sd: float) -> Sample:
    """Uniform on [0, 1]^d; the response depends on the first five attributes."""
    X = rng.uniform(size=(n, d))
    return _with_noise(X, friedman1_mean(X), sd, rng)


def friedman2(n: int, rng: np.random.Generator, *, sd: float) -> Sample:
    """Impedance of an alternating current circuit."""
    X = _circuits(n, rng)
    return _with_noise(X, friedman2_mean(X), sd, rng)


def friedman3(n: int, rng: np.random.Generator, *, sd: float) -> Sample:
    """Phase angle of an alternating current circuit."""
    X = _circuits(n, rng)
    return _with_noise(X, friedman3_mean(X), sd, rng)


def friedman1_mean(X: FloatArray) -> FloatArray:
    """10 sin(π x1 x2) + 20 (x3 - 1/2)² + 10 x4 + 5 x5."""
    x1, x2, x3, x4, x5 = X[:, :5].T
    return np.asarray(10 * np.sin(np.pi * x1 * x2) + 20 * (x3 - 0.5) ** 2 + 10 * x4 + 5 * x5)


def friedman2_mean(X: FloatArray) -> FloatArray:
    """Square root of x1² + (x2 x3 - 1/(x2 x4))²."""
    return np.hypot(X[:, 0], _reactance(X))


def friedman3_mean(X: FloatArray) -> FloatArray:
    """Arc tangent of (x2 x3 - 1/(x2 x4)) / x1."""
    return np.arctan(_reactance(X) / X[:, 0])


def _circuits(n: int, rng: np.random.Generator) -> FloatArray:
    """Draw resistance, angular frequency, inductance and capacitance uniformly from their ranges."""
    lowest = np.array([0, 40 * np.pi, 0, 1])
    highest = np.array([100, 560 * np.pi, 1, 11])
    return rng.uniform(lowest, highest, size=(n, 4))


def _reactance(X: FloatArray) -> FloatArray:
    return np.asarray(X[:, 1] * X[:, 2] - 1 / (X[:, 1] * X[:, 3]))


def _with_noise(X: FloatArray, mean: FloatArray, sd: float, rng: np.random.Generator) -> Sample:
    return Sample(numeric_frame(X), pd.Series(mean + rng.normal(0, sd, len(mean)), name="y"))


FRIEDMAN1 = NamedGenerator(
    name="friedman1",
    title="smooth function of five of d attributes",
    draw=friedman1,
    n=200,
    source=FRIEDMAN,
    parameters={"d": dimension(10, 5), "sd": noise_sd(1.0)},
    task="regression",
)
FRIEDMAN2 = NamedGenerator(
    name="friedman2",
    title="impedance of an alternating current circuit",
    draw=friedman2,
    n=200,
    source=FRIEDMAN,
    parameters={"sd": noise_sd(125.0)},
    task="regression",
)
FRIEDMAN3 = NamedGenerator(
    name="friedman3",
    title="phase angle of an alternating current circuit",
    draw=friedman3,
    n=200,
    source=FRIEDMAN,
    parameters={"sd": noise_sd(0.1)},
    task="regression",
)
