"""`Fitted`: what a measure may look at after a fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, FloatArray, IntArray
from podium.checks import check_call, expect
from podium.design.encoding import Encoded
from podium.design.sample import Sample
from podium.errors import UndefinedError


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class Fitted:
    """What a measure may look at: the fitted model, both samples, and what was recorded about the fit.

    Attributes
    ----------
    model : object
        The fitted model, as the fit left it; a `RecordedModel` for measures that do not need the model.
    learn, test : Sample
    prediction : array or None
        ``model.predict(test.X)``, or the group of the nearest observation of the learning sample, from a clusterer
        that cannot predict; None unless a measure needs it, and for models that do neither.
    probability : DataFrame or None
        Class probabilities on the test sample, one column per class of the data set, 0 for classes that the learning
        sample lacks; None unless a measure needs them, and for models without probabilities.
    score : DataFrame or None
        Probabilities, or decision values where the model has no probabilities; a greater value supports the class.
    fit_seconds, predict_seconds : float
        Wall-clock time of ``fit`` and of ``predict``.
    peak_memory : float
        Peak memory of the fit in bytes; NaN unless a measure needs it.
    """

    model: Any
    learn: Sample
    test: Sample
    prediction: AnyArray | None = None
    probability: pd.DataFrame | None = None
    score: pd.DataFrame | None = None
    fit_seconds: float = np.nan
    predict_seconds: float = np.nan
    peak_memory: float = np.nan


class RecordedModel:
    """Stands in for a model and has only its name, for measures of what was recorded; the model may be gone."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):  # copying and printing look for optional methods
            raise AttributeError(attribute)
        raise UndefinedError(f"it looks at `{attribute}` of the model, but its `needs` do not name the model")


def truth(fitted: Fitted) -> pd.Series[Any]:
    """Return the response of the test sample."""
    expect(fitted, Fitted, "fitted")
    if fitted.test.y is None:
        raise UndefinedError("the test sample has no response")
    return fitted.test.y


def true_codes(fitted: Fitted) -> IntArray:
    """Return the classes of the test sample, numbered in the order of the data set's classes."""
    return truth(fitted).cat.codes.to_numpy().astype(np.intp)


def predicted(fitted: Fitted) -> Any:
    """Return the predictions."""
    if fitted.prediction is None:
        raise UndefinedError(f"{model_name(fitted.model)} does not predict")
    return fitted.prediction


def predicted_codes(fitted: Fitted) -> IntArray:
    """Return the predicted classes, numbered in the order of the data set's classes."""
    classes = truth(fitted).cat.categories
    number = {label: code for code, label in enumerate(classes)}
    codes = np.array([number.get(label, -1) for label in np.asarray(predicted(fitted)).tolist()], dtype=np.intp)
    if codes.min(initial=0) < 0:  # a dictionary is fast; pandas also matches labels of another type
        codes = np.asarray(pd.Categorical(predicted(fitted), categories=classes).codes, dtype=np.intp)
    return codes


def probabilities(fitted: Fitted) -> FloatArray:
    """Return the class probabilities, columns in the order of the data set's classes."""
    if fitted.probability is None:
        raise UndefinedError(f"{model_name(fitted.model)} predicts no probabilities: it has no `predict_proba`")
    return fitted.probability.to_numpy(dtype=float)


def scores(fitted: Fitted) -> FloatArray:
    """Return a score for each class: probabilities, or decision values."""
    if fitted.score is None:
        raise UndefinedError(f"{model_name(fitted.model)} has neither `predict_proba` nor `decision_function`")
    return fitted.score.to_numpy(dtype=float)


def model_name(model: Any) -> str:
    """Return the class of a model, without the encoder before it."""
    if isinstance(model, RecordedModel):
        return model.name
    return type(model.model if isinstance(model, Encoded) else model).__name__
