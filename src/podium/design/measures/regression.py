"""Measures of predicted numbers."""

from __future__ import annotations

import numpy as np

from podium.arrays import FloatArray
from podium.design.fitted import Fitted, predicted, truth
from podium.design.measures import PREDICTION, NamedMeasure
from podium.design.sample import Task
from podium.errors import UndefinedError

NUMBERS: tuple[Task, ...] = ("regression",)


def squared(fitted: Fitted) -> FloatArray:
    """Return (y - ŷ)²."""
    return absolute(fitted) ** 2


SQUARED_ERROR = NamedMeasure(
    "squared error",
    "lower",
    "(y - ŷ)²",
    NUMBERS,
    PREDICTION,
    loss=squared,
    aliases=("mse", "mean squared error"),
)


def absolute(fitted: Fitted) -> FloatArray:
    """Return |y - ŷ|."""
    return np.asarray(np.abs(truth(fitted).to_numpy(dtype=float) - predicted(fitted)), dtype=float)


ABSOLUTE_ERROR = NamedMeasure(
    "absolute error",
    "lower",
    "|y - ŷ|",
    NUMBERS,
    PREDICTION,
    loss=absolute,
    aliases=("mae", "mean absolute error"),
)
MEDIAN_ABSOLUTE_ERROR = NamedMeasure(
    "median absolute error",
    "lower",
    "median of |y - ŷ|",
    NUMBERS,
    PREDICTION,
    loss=absolute,
    functional="median",
    aliases=("medae",),
)


def root_mean_squared(fitted: Fitted) -> float:
    """Return √ of the mean squared error."""
    from sklearn.metrics import root_mean_squared_error

    return float(root_mean_squared_error(truth(fitted).to_numpy(dtype=float), predicted(fitted)))


ROOT_MEAN_SQUARED_ERROR = NamedMeasure(
    "root mean squared error",
    "lower",
    "root of the mean of (y - ŷ)²",
    NUMBERS,
    PREDICTION,
    function=root_mean_squared,
    aliases=("rmse",),
)


def r2(fitted: Fitted) -> float:
    """Return 1 - Σ(y - ŷ)²/Σ(y - ȳ)², with the mean of the test sample."""
    from sklearn.metrics import r2_score

    y = truth(fitted).to_numpy(dtype=float)
    if (y == y[0]).all():
        raise UndefinedError("the response is constant in the test sample")
    return float(r2_score(y, predicted(fitted)))


R2 = NamedMeasure(
    "r2",
    "higher",
    "1 - squared error/variance of the response",
    NUMBERS,
    PREDICTION,
    function=r2,
    aliases=("r²", "r squared"),
)
