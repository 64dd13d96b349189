"""Whether chains have converged: split R-hat and effective sample size.

A. Vehtari, A. Gelman, D. Simpson, B. Carpenter, P.-C. Bürkner (2021). Rank-normalization, folding, and localization:
an improved R-hat for assessing convergence of MCMC. Bayesian Analysis 16, 667–718.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri
from scipy.stats import rankdata

from podium.arrays import FloatArray


def split_rhat(draws: FloatArray) -> float:
    """Rank-normalised split R-hat of draws, shape (chains, draws); 1 if the chains agree."""
    chains = _split(_normalised(draws))
    n = chains.shape[1]
    within = chains.var(axis=1, ddof=1).mean()
    between = n * chains.mean(axis=1).var(ddof=1)
    return float(np.sqrt(((n - 1) / n * within + between / n) / within)) if within > 0 else 1.0


def effective_size(draws: FloatArray) -> float:
    """Bulk effective sample size of draws, shape (chains, draws), by Geyer's initial monotone sequence."""
    chains = _split(_normalised(draws))
    m, n = chains.shape
    centred = chains - chains.mean(axis=1, keepdims=True)
    spectrum = np.fft.rfft(centred, 2 * n, axis=1)
    covariance = np.fft.irfft(np.abs(spectrum) ** 2, 2 * n, axis=1)[:, :n].mean(axis=0) / n
    within = covariance[0] * n / (n - 1)
    total = within * (n - 1) / n + chains.mean(axis=1).var(ddof=1)
    if total <= 0:
        return float(m * n)
    correlation = 1 - (within - covariance * n / (n - 1)) / total
    pairs = correlation[: n // 2 * 2].reshape(-1, 2).sum(axis=1)
    positive = int(np.argmax(pairs <= 0)) if (pairs <= 0).any() else len(pairs)
    monotone = np.minimum.accumulate(pairs[:positive])
    time = -1 + 2 * monotone.sum() if positive else 1.0
    return float(m * n / max(time, 1 / np.log10(m * n)))


def _normalised(draws: FloatArray) -> FloatArray:
    ranks = rankdata(draws).reshape(draws.shape)
    return ndtri((ranks - 0.375) / (draws.size + 0.25))


def _split(draws: FloatArray) -> FloatArray:
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, -half:]])
