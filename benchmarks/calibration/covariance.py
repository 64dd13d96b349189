"""Attained error of the domain model whose covariance is chosen by a likelihood ratio test.

    python -m benchmarks.calibration.covariance [samples]

writes a section of ``docs/calibration.md``; two minutes with the default. All algorithms have the same mean, and an
error is any false difference. Designs are complete, so the means of the cells decide, in closed form: with the scalar
covariance by Tukey's test with the mean square of data set × algorithm, with the unstructured one by paired t tests,
adjusted by Bonferroni as podium does below five data sets per algorithm.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

import numpy as np
from benchmarks.calibration.simulate import ALPHA, FloatArray, Share, markdown, write_section
from scipy.stats import chi2, studentized_range, t

from podium.analysis.mixed.fit import PRETEST_LEVEL

SHAPES = ((6, 3), (12, 3), (10, 5), (20, 5), (16, 8), (40, 8), (24, 12))  # data sets, algorithms
AT_ONCE = 2_000
RESIDUAL = 0.5 / np.sqrt(5)  # of the mean of five replications


def effects(rng: np.random.Generator, kind: str, n: int, m: int, k: int) -> FloatArray:
    """Draw the effects of data sets on algorithms, with a common effect of each data set."""
    spread: Mapping[str, FloatArray] = {
        "equal": np.full(k, 0.6),
        "slightly unequal": np.linspace(0.5, 0.8, k),
        "unequal": np.linspace(0.3, 1.2, k),
        "one differs": np.r_[np.full(k - 1, 0.4), 2.0],
        "two families": np.full(k, 0.3),
    }
    own = spread[kind] * rng.normal(size=(n, m, k))
    if kind == "two families":
        own += rng.normal(size=(n, m, 2))[..., np.arange(k) % 2]
    return own + rng.normal(size=(n, m, 1)) + RESIDUAL * (rng.normal(size=(n, m, 1)) + rng.normal(size=(n, m, k)))


def errors(cells: FloatArray) -> dict[str, FloatArray]:
    """Whether each experiment has a false difference, by each covariance; and whether the scalar one is rejected."""
    _, m, k = cells.shape
    means = cells.mean(axis=1)
    away = cells - means[:, None]
    covariance = np.einsum("nmi,nmj->nij", away, away) / (m - 1)
    rest = away - away.mean(axis=2, keepdims=True)
    square = (rest**2).sum(axis=(1, 2)) / ((m - 1) * (k - 1))
    widest = studentized_range.ppf(1 - ALPHA, k, (m - 1) * (k - 1))
    scalar = np.ptp(means, axis=1) / np.sqrt(square / m) > widest
    i, j = np.triu_indices(k, 1)
    variance = covariance[:, i, i] + covariance[:, j, j] - 2 * covariance[:, i, j]
    statistic = np.abs(means[:, i] - means[:, j]) / np.sqrt(variance / m)
    unstructured = (statistic > t.isf(ALPHA / 2 / len(i), m - 1)).any(axis=1)
    common = covariance.sum(axis=(1, 2)) / k
    own = (np.trace(covariance, axis1=1, axis2=2) - common) / (k - 1)
    ratio = (m - 1) * (np.log(common) + (k - 1) * np.log(own) - np.linalg.slogdet(covariance)[1])
    rejected = chi2.sf(ratio, k * (k + 1) // 2 - 2) <= PRETEST_LEVEL
    return {
        "scalar": scalar,
        "unstructured": unstructured,
        "chosen": np.where(rejected, unstructured, scalar),
        "scalar rejected": rejected,
    }


def main(samples: int = 10_000) -> None:
    rows = {}
    for m, k in SHAPES:
        for kind in ("equal", "slightly unequal", "unequal", "one differs", "two families"):
            rng = np.random.default_rng([m, k])
            parts = [errors(effects(rng, kind, AT_ONCE, m, k)) for _ in range(samples // AT_ONCE)]
            counts = {name: int(sum(part[name].sum() for part in parts)) for name in parts[0]}
            rows[f"{m} data sets, {k} algorithms, {kind}"] = {
                name: f"{100 * count / samples:.0f}" if name == "scalar rejected" else Share(count, samples)
                for name, count in counts.items()
            }
    limit = 100 * (ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / samples))
    write_section(
        "covariance",
        [
            markdown(rows, ("scalar", "unstructured", "chosen", "scalar rejected"), "effects of data sets"),
            f"{samples:,} samples each; more than {limit:.1f} is bold.",
        ],
    )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
