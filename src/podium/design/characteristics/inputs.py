"""Distribution of the inputs: entropy, skewness, kurtosis, correlation."""

from __future__ import annotations

import warnings

import numpy as np

from podium.arrays import FloatArray
from podium.design.characteristics.characteristic import Characteristic
from podium.design.characteristics.data_view import FLAT, DataView, standardized
from podium.errors import UndefinedError


def skewness(columns: FloatArray) -> FloatArray:
    """m₃ / s³ of each column, with 1/n in m₃ and 1/(n - 1) in s²; NaN for constant columns."""
    return _moment(columns, 3)


def kurtosis(columns: FloatArray) -> FloatArray:
    """m₄ / s⁴ - 3 of each column, with 1/n in m₄ and 1/(n - 1) in s²; NaN for constant columns."""
    return _moment(columns, 4) - 3.0


def _moment(columns: FloatArray, power: int) -> FloatArray:
    if not columns.shape[1]:
        return np.empty(0)
    with warnings.catch_warnings(), np.errstate(invalid="ignore", divide="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)  # columns without values
        constant = ~(np.nanmax(columns, axis=0) > np.nanmin(columns, axis=0))
        size = np.nanmax(np.abs(columns), axis=0)
        scaled = columns / np.where(size > 0, size, 1.0)
        centred = scaled - np.nanmean(scaled, axis=0)
        s = np.nanstd(scaled, axis=0, ddof=1)
        found: FloatArray = np.where(constant, np.nan, np.nanmean((centred / s) ** power, axis=0))
    return found


def multiple_correlations(data: DataView) -> FloatArray:
    """Multiple correlation of each numeric input with all others.

    With the singular values of the standardised inputs: R² = 1 - 1 / (G⁻¹)ⱼⱼ, where G is their Gram matrix. An input
    in the span of the others, which has a part in the null space, has R = 1.
    """
    if data.numeric.shape[1] < 2:
        raise UndefinedError("A correlation with the other numeric inputs needs two of them.")
    Z = standardized(data.numeric[data.complete])
    if not Z.shape[1]:
        return np.empty(0)
    _, values, right = np.linalg.svd(Z, full_matrices=len(Z) < Z.shape[1])
    values = np.concatenate([values, np.zeros(len(right) - len(values))])
    real = values > FLAT * values[0]
    in_span = (right[~real] ** 2).sum(axis=0) > 1e-12
    inverse = (right[real] ** 2 / values[real, None] ** 2).sum(axis=0)
    return np.where(in_span, 1.0, np.sqrt(np.clip(1.0 - 1.0 / inverse, 0.0, 1.0)))


def _correlations(data: DataView) -> FloatArray:
    Z = standardized(data.numeric[data.complete])
    if Z.shape[1] < 2:
        raise UndefinedError("A correlation of numeric inputs needs two that vary.")
    return np.abs((Z.T @ Z)[np.triu_indices(Z.shape[1], 1)])


def _outliers(data: DataView) -> FloatArray:
    if not data.numeric.shape[1]:
        return np.empty(0)
    low, high = np.nanquantile(data.numeric, [0.25, 0.75], axis=0)
    reach = 1.5 * (high - low)
    beyond = (data.numeric < low - reach) | (data.numeric > high + reach)
    return np.asarray(beyond.sum(axis=0) / (~np.isnan(data.numeric)).sum(axis=0))


ENTROPY = Characteristic(
    "nvar.entropy",
    lambda data: data.entropies,
    description="mean entropy of the nominal inputs, in bits",
    per_variable=True,
)
SKEWNESS = Characteristic(
    "cvar.skew",
    lambda data: skewness(data.numeric),
    description="mean skewness of the numeric inputs",
    per_variable=True,
)
KURTOSIS = Characteristic(
    "cvar.kurt",
    lambda data: kurtosis(data.numeric),
    description="mean excess kurtosis of the numeric inputs",
    per_variable=True,
)
MULTIPLE = Characteristic(
    "cvar.mac",
    multiple_correlations,
    description="mean multiple correlation of a numeric input with the others",
    per_variable=True,
)
CORRELATION = Characteristic(
    "cvar.cor", _correlations, description="mean absolute correlation of two numeric inputs", per_variable=True
)
OUTLIERS = Characteristic(
    "cvar.outliers",
    _outliers,
    description="mean share of values more than 1.5 interquartile ranges beyond the quartiles",
    per_variable=True,
)
