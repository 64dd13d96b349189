"""How the inputs are related to the response."""

from __future__ import annotations

import numpy as np

from podium.arrays import FloatArray
from podium.design.characteristics.characteristic import Characteristic
from podium.design.characteristics.data_view import DataView, orthonormal, standardized
from podium.errors import UndefinedError

SEPARATED = 1e-15  # 1 - ρ² below this is rounding: the classes can be separated


def _first_share(data: DataView) -> float:
    unexplained = np.maximum(1.0 - data.canonical_correlations**2, SEPARATED)
    roots = data.canonical_correlations**2 / unexplained
    if not roots.sum() > 0:
        raise UndefinedError("All canonical correlations are 0.")
    return float(roots[0] / roots.sum())


def _information(data: DataView) -> float:
    known = data.mutual_information[~np.isnan(data.mutual_information)]
    if not len(known):
        raise UndefinedError("There are no nominal inputs.")
    mean = float(known.mean())
    if mean == 0:
        raise UndefinedError("The nominal inputs carry no information about the classes.")
    return mean


def _noise(data: DataView) -> float:
    signal = _information(data)
    return float((np.nanmean(data.entropies) - signal) / signal)


def _discriminant_ratio(data: DataView) -> FloatArray:
    """Variance between classes over variance within, for each numeric input."""
    codes = data.classes.codes
    rows = data.complete & (codes >= 0)
    Z = standardized(data.numeric[rows])
    if not Z.shape[1]:
        return np.empty(0)
    counts = np.bincount(codes[rows])
    sums = np.zeros((len(counts), Z.shape[1]))
    np.add.at(sums, codes[rows], Z)
    between = (sums[counts > 0] ** 2 / counts[counts > 0, None]).sum(axis=0)
    return np.asarray(between / np.maximum(1.0 - between, SEPARATED))


def _known(data: DataView) -> tuple[FloatArray, FloatArray]:
    if not data.numeric.shape[1]:
        raise UndefinedError("There are no numeric inputs.")
    rows = data.complete & ~np.isnan(data.quantity)
    y = standardized(data.quantity[rows, None])
    if not y.shape[1]:
        raise UndefinedError("The response is constant.")
    return data.numeric[rows], y[:, 0]


def _correlations(data: DataView) -> FloatArray:
    X, y = _known(data)
    return np.abs(standardized(X).T @ y)


def _explained(data: DataView) -> float:
    X, y = _known(data)
    return float(np.clip(((orthonormal(X).T @ y) ** 2).sum(), 0.0, 1.0))


FIRST = Characteristic(
    "i2r.fcc",
    lambda data: data.canonical_correlations[0],
    description="first canonical correlation of numeric inputs and classes",
)
FRACTION = Characteristic(
    "i2r.frac1", _first_share, description="share of the first linear discriminant in the variation"
)
INFORMATION = Characteristic(
    "i2r.mi",
    lambda data: data.mutual_information,
    description="mean mutual information of a nominal input and the classes, in bits",
    per_variable=True,
)
EQUIVALENT = Characteristic(
    "i2r.envar",
    lambda data: data.class_entropy / _information(data),
    description="equivalent number of inputs: entropy of the classes over mean mutual information",
)
NOISE = Characteristic("i2r.nsratio", _noise, description="noise to signal ratio of the nominal inputs")
DISCRIMINANT = Characteristic(
    "i2r.fisher",
    _discriminant_ratio,
    "max",
    description="largest variance between classes over that within, of a numeric input",
    per_variable=True,
)
CORRELATION = Characteristic(
    "i2r.cor",
    _correlations,
    description="mean absolute correlation of a numeric input and a response that is a quantity",
    per_variable=True,
)
EXPLAINED = Characteristic(
    "i2r.r2", _explained, description="R² of the linear regression of a quantity on the numeric inputs"
)
