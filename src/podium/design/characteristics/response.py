"""The response: classes, or a quantity."""

from __future__ import annotations

import numpy as np

from podium.arrays import FloatArray
from podium.design.characteristics.characteristic import Characteristic
from podium.design.characteristics.data_view import DataView
from podium.design.characteristics.inputs import kurtosis, skewness
from podium.errors import UndefinedError


def _shares(data: DataView) -> FloatArray:
    codes = data.classes.codes
    counts = np.bincount(codes[codes >= 0])
    counts = counts[counts > 0]
    if not len(counts):
        raise UndefinedError("The response is missing everywhere.")
    return np.asarray(counts / counts.sum())


def _evenness(data: DataView) -> float:
    if len(data.classes.categories) < 2:
        raise UndefinedError("There is one class.")
    return data.class_entropy / float(np.log2(len(data.classes.categories)))


def _quantity(data: DataView) -> FloatArray:
    values = data.quantity[~np.isnan(data.quantity)]
    return values[:, None]


CLASSES = Characteristic("resp.cl", lambda data: len(data.classes.categories), description="number of classes")
ENTROPY = Characteristic("resp.entropy", lambda data: data.class_entropy, description="entropy of the classes, in bits")
EVENNESS = Characteristic(
    "resp.evenness", _evenness, description="entropy of the classes over that of as many equal ones"
)
MAJORITY = Characteristic("resp.majority", lambda data: _shares(data).max(), description="share of the largest class")
MINORITY = Characteristic("resp.minority", lambda data: _shares(data).min(), description="share of the smallest class")
IMBALANCE = Characteristic(
    "resp.imbalance",
    lambda data: _shares(data).max() / _shares(data).min(),
    description="imbalance: largest class over smallest class",
)
SKEWNESS = Characteristic(
    "resp.skew", lambda data: skewness(_quantity(data)), description="skewness of a response that is a quantity"
)
KURTOSIS = Characteristic(
    "resp.kurt", lambda data: kurtosis(_quantity(data)), description="excess kurtosis of a response that is a quantity"
)
