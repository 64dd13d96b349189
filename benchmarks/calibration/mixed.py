"""Attained errors of the mixed models: size of the global test, and coverage of the simultaneous intervals.

Run it as ``python -m benchmarks.calibration.mixed [samples]`` from the root of the project: it writes a section of
``docs/calibration.md``, made there with the default. Every sample is a whole experiment in which all algorithms have
the same mean; the models are linear, so coverage is the same whatever the means are. Designs without a closed form
take longer and get a fifth of the samples.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from benchmarks.calibration.simulate import ALPHA, FloatArray, Share, markdown, write_section

from podium.analysis.mixed import mixed
from podium.analysis.mixed.degrees_of_freedom import DegreesOfFreedom
from podium.results import MeasureInfo, Results

INTRODUCTION = """\
Five algorithms have the same mean. The table counts how often the global F test rejects, how often the test of the
first pair rejects by its own p-value, and how often *some* interval of the ten pairs misses the true difference of
zero, with the t and with the normal distribution as reference. *No interaction*: the data sets are equally harder or
easier for all algorithms, so the estimated variance of data set × algorithm is often zero. The
[page on mixed models](mixed-models.md) explains the models."""
COLUMNS = ("global test", "one pair", "intervals, t", "intervals, normal")


@dataclass(frozen=True, kw_only=True)
class Design:
    """An experiment without differences between the algorithms.

    Attributes
    ----------
    shape : (int, int, int)
        Data sets, replications, algorithms.
    effects : ndarray of shape (K, K)
        Covariance of the effects of a data set on the algorithms.
    replication : float
        Standard deviation of replications.
    residual : tuple of float
        Standard deviation of the residuals of each algorithm, or of all.
    missing : float
        Share of cells that are missing at random.
    options : mapping
        Options of the model.
    df : str
        How degrees of freedom are found.
    """

    shape: tuple[int, int, int]
    effects: FloatArray | None = None
    replication: float = 0.5
    residual: tuple[float, ...] = (1.0,)
    missing: float = 0.0
    options: Mapping[str, Any] = field(default_factory=dict)
    df: DegreesOfFreedom = "auto"

    @property
    def slow(self) -> bool:
        return self.missing > 0 or "residual" in self.options or "covariance" in self.options

    def draw(self, rng: np.random.Generator) -> Results:
        m, b, k = self.shape
        values = np.array(self.residual) * rng.normal(size=self.shape) + self.replication * rng.normal(size=(m, b, 1))
        if self.effects is not None:
            values = values + rng.multivariate_normal(np.zeros(k), self.effects, size=m)[:, None, :]
        values[rng.random(self.shape) < self.missing] = np.nan
        return Results(
            values=values[..., None],
            datasets=tuple(f"d{i}" for i in range(m)),
            replications=tuple(range(b)),
            algorithms=tuple(f"a{i}" for i in range(k)),
            measures=(MeasureInfo("error", "lower"),),
        )


K = 5
SCALAR = 1.0 + 0.5 * np.eye(K)
COMMON = np.ones((K, K))  # data sets are equally harder or easier for all algorithms
UNEQUAL = np.diag([3.0, 1.0, 0.3, 0.1, 0.1]) + 0.2  # one algorithm depends on the data set far more than the others
BY_ALGORITHM = {"residual": "algorithm"}
UNSTRUCTURED = {"covariance": "unstructured"}
SURVEY = {"model": "survey"}

DESIGNS: Mapping[str, Design] = {
    "block, 20 replications": Design(shape=(1, 20, K)),
    "block, 20 replications, 15% missing": Design(shape=(1, 20, K), missing=0.15),
    "block, 5 replications": Design(shape=(1, 5, K)),
    "block, no effect of replications": Design(shape=(1, 20, K), replication=0.0),
    "block, unequal residuals, common variance": Design(shape=(1, 40, K), residual=(0.3, 0.3, 0.3, 1, 2)),
    "block, unequal residuals, variance by algorithm": Design(
        shape=(1, 40, K), residual=(0.3, 0.3, 0.3, 1, 2), options=BY_ALGORITHM
    ),
    **{
        f"domain, {m} data sets{ending}": Design(shape=(m, 6, K), **more)
        for m in (2, 3, 5)
        for ending, more in {
            "": {"effects": SCALAR},
            ", no interaction": {"effects": COMMON},
            ", 15% missing": {"effects": SCALAR, "missing": 0.15},
            ", no interaction, 15% missing": {"effects": COMMON, "missing": 0.15},
            ", unequal effects, unstructured": {"effects": UNEQUAL, "options": UNSTRUCTURED},
        }.items()
    },
    "domain, 15 data sets": Design(shape=(15, 6, K), effects=SCALAR),
    "domain, 15 data sets, 15% missing": Design(shape=(15, 6, K), effects=SCALAR, missing=0.15),
    "domain, 6 data sets": Design(shape=(6, 6, K), effects=SCALAR),
    "domain, 6 data sets, 15% missing": Design(shape=(6, 6, K), effects=SCALAR, missing=0.15),
    "domain, 6 data sets, 15% missing, Kenward and Roger": Design(
        shape=(6, 6, K), effects=SCALAR, missing=0.15, df="kenward-roger"
    ),
    "domain, no effect of data sets": Design(shape=(15, 6, K)),
    "domain, unequal effects, scalar covariance": Design(shape=(20, 6, K), effects=UNEQUAL),
    "domain, unequal effects, unstructured": Design(shape=(20, 6, K), effects=UNEQUAL, options=UNSTRUCTURED),
    "domain, unequal effects, unstructured, 15% missing": Design(
        shape=(20, 6, K), effects=UNEQUAL, missing=0.15, options=UNSTRUCTURED
    ),
    "domain, 9 data sets, unstructured": Design(shape=(9, 6, K), effects=SCALAR, options=UNSTRUCTURED),
    "domain, 9 data sets, unequal effects, unstructured": Design(
        shape=(9, 6, K), effects=UNEQUAL, options=UNSTRUCTURED
    ),
    "survey, 6 data sets": Design(shape=(6, 6, K), effects=COMMON, options=SURVEY),
    "survey, 6 data sets, 15% missing": Design(shape=(6, 6, K), effects=COMMON, missing=0.15, options=SURVEY),
}


def attained(design: Design, samples: int, seed: int) -> dict[str, Share]:
    """How often the global test rejects, and how often an interval misses the true difference 0."""
    rng = np.random.default_rng([seed, samples])
    errors = dict.fromkeys(COLUMNS, 0)
    for _ in range(samples):
        fit = mixed(design.draw(rng), **design.options)
        for column, distribution in (("intervals, normal", "normal"), ("intervals, t", "t")):
            comparison = fit.contrasts(distribution=distribution, df=design.df, accuracy=5e-3)
            errors[column] += bool(((comparison.lower > 0) | (comparison.upper < 0)).any())
        assert comparison.omnibus is not None
        errors["global test"] += comparison.omnibus.significant
        errors["one pair"] += bool(comparison.pvalue[0] <= ALPHA)
    return {name: Share(count, samples) for name, count in errors.items()}


def main(samples: int = 2000) -> None:
    warnings.simplefilter("error")
    rows = {}
    for seed, (name, design) in enumerate(DESIGNS.items()):
        rows[name] = attained(design, samples // 5 if design.slow else samples, seed)
        print(name, {column: str(share) for column, share in rows[name].items()}, flush=True)
    limits = [100 * (ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / n)) for n in (samples, samples // 5)]
    write_section(
        "mixed models",
        [
            "## Mixed models",
            INTRODUCTION,
            markdown(rows, COLUMNS, "design"),
            f"{samples:,} samples each; more than {limits[0]:.1f} is bold. With cells missing, residual variances by "
            f"algorithm or an unstructured covariance: {samples // 5:,} samples; more than {limits[1]:.1f} is bold.",
        ],
    )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
