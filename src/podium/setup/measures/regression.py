"""Measures of regression and clustering that are no functional of single losses."""

from __future__ import annotations

import numpy as np

from podium.arrays import FloatArray
from podium.errors import UndefinedError
from podium.setup.measure import Fitted
from podium.setup.measures.losses import predicted, squared, truth


def root_mean_squared(fitted: Fitted) -> float:
    """Return √ of the mean squared error."""
    return float(np.sqrt(squared(fitted).mean()))


def r2(fitted: Fitted) -> float:
    """Return 1 - Σ(y - ŷ)²/Σ(y - ȳ)², with the mean of the test sample."""
    y = truth(fitted).to_numpy(dtype=float)
    total = float(((y - y.mean()) ** 2).sum())
    if total == 0:
        raise UndefinedError("the response is constant in the test sample")
    return 1.0 - float(squared(fitted).sum()) / total


def adjusted_rand(fitted: Fitted) -> float:
    """Return the agreement of predicted and known groups beyond chance (Hubert & Arabie 1985); 1 if they agree."""
    _, known = np.unique(truth(fitted).astype(str).to_numpy(dtype=str), return_inverse=True)
    _, found = np.unique(np.asarray(predicted(fitted)), return_inverse=True)
    table = np.zeros((known.max() + 1, found.max() + 1))
    np.add.at(table, (known, found), 1)
    together = _pairs(table).sum()
    rows, columns = _pairs(table.sum(axis=1)).sum(), _pairs(table.sum(axis=0)).sum()
    expected = rows * columns / max(_pairs(np.array(float(len(known)))), 1.0)
    most = (rows + columns) / 2
    return 1.0 if most == expected else float((together - expected) / (most - expected))


def _pairs(n: FloatArray) -> FloatArray:
    return np.asarray(n * (n - 1) / 2, dtype=float)
