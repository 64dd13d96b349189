"""Losses of single observations, and the functional over the test sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.errors import InputError, UndefinedError
from podium.setup.encoded import Encoded
from podium.setup.measure import Fitted

Functional: TypeAlias = Literal["mean", "median"] | float
Loss: TypeAlias = Callable[[Fitted], FloatArray]


@dataclass(frozen=True)
class Aggregated:
    """A functional of the losses: their mean, median or a quantile."""

    loss: Loss
    functional: Functional = "mean"

    def __call__(self, fitted: Fitted) -> float:
        """Return the functional over the test sample."""
        losses = self.loss(fitted)
        if self.functional == "mean":
            return float(losses.mean())
        return float(np.quantile(losses, 0.5 if self.functional == "median" else self.functional))


def check_functional(functional: object) -> Functional:
    """Return a functional, if it is one."""
    if functional in ("mean", "median"):
        return functional
    if isinstance(functional, int | float) and not isinstance(functional, bool) and 0 < functional < 1:
        return float(functional)
    raise InputError(
        f"`functional` must be 'mean', 'median' or a number between 0 and 1 for a quantile; got {functional!r}."
    )


def truth(fitted: Fitted) -> pd.Series[Any]:
    """Return the response of the test sample."""
    if fitted.test.y is None:
        raise UndefinedError("the test sample has no response")
    return fitted.test.y


def model_kind(model: Any) -> str:
    """Return the class of a model, without the encoder before it."""
    return type(model.model if isinstance(model, Encoded) else model).__name__


def predicted(fitted: Fitted) -> Any:
    """Return the predictions."""
    if fitted.prediction is None:
        raise UndefinedError(f"{model_kind(fitted.model)} does not predict")
    return fitted.prediction


def probabilities(fitted: Fitted) -> FloatArray:
    """Return the class probabilities, columns in the order of the classes."""
    if fitted.probability is None:
        raise UndefinedError(f"{model_kind(fitted.model)} predicts no probabilities: it has no `predict_proba`")
    return fitted.probability.to_numpy(dtype=float)


def misclassified(fitted: Fitted) -> FloatArray:
    """Return I(y ≠ ŷ)."""
    classes = truth(fitted).cat.categories
    codes = {label: code for code, label in enumerate(classes)}
    labels = np.array([codes.get(label, -1) for label in np.asarray(predicted(fitted)).tolist()])
    if labels.min(initial=0) < 0:  # a dictionary is quick; what it does not know, pandas still may
        labels = np.asarray(pd.Categorical(predicted(fitted), categories=classes).codes)
    return np.asarray(labels != truth(fitted).cat.codes.to_numpy(), dtype=float)


def classified(fitted: Fitted) -> FloatArray:
    """Return I(y = ŷ)."""
    return 1.0 - misclassified(fitted)


def deviance(fitted: Fitted, *, clip: float = 1e-15) -> FloatArray:
    """Return -2 log ŷ_y, probabilities not below `clip` (Eugster 2011, sec. 1.1)."""
    return 2.0 * log_loss(fitted, clip=clip)


def log_loss(fitted: Fitted, *, clip: float = 1e-15) -> FloatArray:
    """Return -log ŷ_y, probabilities not below `clip`."""
    if not 0 < clip < 1:
        raise InputError(f"`clip` must be a probability above 0; got {clip!r}.")
    likely = np.take_along_axis(probabilities(fitted), _codes(fitted)[:, None], axis=1)[:, 0]
    return np.asarray(-np.log(np.clip(likely, clip, 1.0)), dtype=float)


def brier(fitted: Fitted) -> FloatArray:
    """Return Σ_g (ŷ_g - I(y = g))², between 0 and 2 (Brier 1950)."""
    shown = probabilities(fitted)
    wanted = _codes(fitted)[:, None] == np.arange(shown.shape[1])
    return np.asarray(((shown - wanted) ** 2).sum(axis=1), dtype=float)


def squared(fitted: Fitted) -> FloatArray:
    """Return (y - ŷ)²."""
    return absolute(fitted) ** 2


def absolute(fitted: Fitted) -> FloatArray:
    """Return |y - ŷ|."""
    return np.asarray(np.abs(truth(fitted).to_numpy(dtype=float) - predicted(fitted)), dtype=float)


def _codes(fitted: Fitted) -> Any:
    return truth(fitted).cat.codes.to_numpy().astype(np.intp)
