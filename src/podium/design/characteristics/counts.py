"""Counts and shares: observations, inputs, missing values."""

from __future__ import annotations

import numpy as np

from podium.design.characteristics.characteristic import Characteristic
from podium.design.characteristics.data_view import DataView
from podium.errors import UndefinedError

OBSERVATIONS = Characteristic("obs.n", len, description="number of observations")
INPUTS = Characteristic("var.n", lambda data: data.X.shape[1], description="number of inputs")
NOMINAL = Characteristic("nvar.n", lambda data: len(data.nominal), description="number of nominal inputs")
BINARY = Characteristic(
    "nvar.bin",
    lambda data: sum(len(factor.categories) == 2 for factor in data.nominal),
    description="number of nominal inputs with two levels",
)
NUMERIC = Characteristic("cvar.n", lambda data: data.numeric.shape[1], description="number of numeric inputs")
NOMINAL_SHARE = Characteristic(
    "nvar.share", lambda data: len(data.nominal) / data.X.shape[1], description="share of nominal inputs"
)
RATIO = Characteristic(
    "var.ratio", lambda data: data.X.shape[1] / len(data), description="dimension ratio: inputs per observation"
)
MISSING = Characteristic(
    "missing.share",
    lambda data: data.X.isna().to_numpy().mean(axis=0),
    description="mean share of missing values",
    per_variable=True,
)
INCOMPLETE = Characteristic(
    "missing.obs",
    lambda data: data.X.isna().any(axis=1).mean(),
    description="share of observations with a missing value",
)


def _levels(data: DataView) -> list[int]:
    return [len(np.unique(factor.codes[factor.codes >= 0])) for factor in data.nominal]


def _copies(data: DataView) -> float:
    if data.y is None:
        raise UndefinedError("There is no response.")
    return float(data.X.assign(**{"\0response": data.y}).duplicated().mean())


LEVELS = Characteristic(
    "nvar.levels", _levels, description="mean number of levels that occur in a nominal input", per_variable=True
)
COPIES = Characteristic("obs.copies", _copies, description="share of observations that repeat an earlier one")
