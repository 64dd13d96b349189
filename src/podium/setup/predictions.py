"""The predictions of a fitted model for a test sample, checked and aligned with the classes of the data set."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import AnyArray
from podium.errors import InputError, listing
from podium.setup.dataset import Sample, Task

ROUNDING = 1e-3  # tolerance for the sum of probabilities


@dataclass(frozen=True, eq=False, kw_only=True)
class Responses:
    """Predictions, probabilities, scores, and the seconds of the prediction."""

    prediction: AnyArray | None = None
    probability: pd.DataFrame | None = None
    score: pd.DataFrame | None = None
    seconds: float = np.nan


def responses(model: Any, test: Sample, needs: frozenset[str], task: Task) -> Responses:
    """Ask a model for what the measures need; None for what it does not support."""
    prediction, seconds = None, np.nan
    if needs & {"prediction", "labels"} and hasattr(model, "predict"):
        own = test.X.copy(deep=True)
        start = time.perf_counter()
        prediction = model.predict(own)
        seconds = time.perf_counter() - start
        prediction = checked_prediction(prediction, test, task, labels="labels" in needs)
    probability = score = None
    if task == "classification" and test.y is not None and needs & {"probability", "score"}:
        classes = test.y.cat.categories
        if hasattr(model, "predict_proba"):
            answer = model.predict_proba(test.X.copy(deep=True))
            score = probability = aligned_probability(answer, model, classes, len(test))
        elif "score" in needs and hasattr(model, "decision_function"):
            answer = model.decision_function(test.X.copy(deep=True))
            score = aligned_decision(answer, model, classes, len(test))
    return Responses(prediction=prediction, probability=probability, score=score, seconds=seconds)


def checked_prediction(prediction: Any, test: Sample, task: Task, *, labels: bool) -> AnyArray:
    """Return the predictions as one value per observation, or refuse them."""
    values = np.asarray(prediction)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.shape != (len(test),):
        raise InputError(f"`predict` must return {len(test)} values, one per observation; got shape {values.shape}.")
    if task == "regression":
        if values.dtype.kind not in "biuf":
            raise InputError(f"`predict` must return numbers; got {listing(values.tolist(), most=3)}.")
        wrong = np.flatnonzero(~np.isfinite(values))
        if len(wrong):
            raise InputError(
                f"`predict` must return finite numbers; {len(wrong)} of {len(values)} are not, "
                f"the first is {values[wrong[0]]} for observation {wrong[0]}."
            )
        return values.astype(float)
    if pd.isna(values).any():
        wrong = np.flatnonzero(pd.isna(values))
        raise InputError(
            f"`predict` must return a class for each observation; {len(wrong)} of {len(values)} are missing, "
            f"the first for observation {wrong[0]}."
        )
    if labels and task == "classification" and test.y is not None:
        classes = test.y.cat.categories
        if set(values.tolist()) <= set(classes):  # fast; an index may still match other types
            return values
        unknown = pd.unique(values[classes.get_indexer(pd.Index(values)) < 0])
        if len(unknown):
            raise InputError(
                f"`predict` must return classes of the data set, {listing(classes)}; got {listing(unknown.tolist())}."
            )
    return values


def aligned_probability(answer: Any, model: Any, classes: pd.Index[Any], n: int) -> pd.DataFrame:
    """Return probabilities with a column per class of the data set, 0 for a class the model has not seen."""
    table = _columns(answer, model, classes, n, "predict_proba")
    values = table.to_numpy()
    if not np.isfinite(values).all() or values.min(initial=0.0) < -ROUNDING:
        raise InputError("`predict_proba` must return probabilities; some are negative or not numbers.")
    off = np.abs(values.sum(axis=1) - 1)
    if off.max(initial=0.0) > ROUNDING:
        at = int(off.argmax())
        raise InputError(
            f"`predict_proba` must return probabilities that add up to 1; those of observation {at} add up to "
            f"{values[at].sum():.4g}."
        )
    return table.reindex(columns=classes, fill_value=0.0)


def aligned_decision(answer: Any, model: Any, classes: pd.Index[Any], n: int) -> pd.DataFrame:
    """Return decision values with a column per class of the data set, the smallest for a class not seen."""
    values = np.asarray(answer, dtype=float)
    seen = getattr(model, "classes_", classes)
    if values.ndim == 1 and len(seen) == 2:
        values = np.column_stack([-values, values])
    table = _columns(values, model, classes, n, "decision_function")
    if not np.isfinite(table.to_numpy()).all():
        raise InputError("`decision_function` must return finite numbers.")
    return table.reindex(columns=classes, fill_value=float(table.to_numpy().min(initial=0.0)) - 1.0)


def _columns(answer: Any, model: Any, classes: pd.Index[Any], n: int, method: str) -> pd.DataFrame:
    """Put the classes over the columns of an answer: those of a frame, of ``classes_``, or of the data set."""
    if isinstance(answer, pd.DataFrame):
        table = answer.reset_index(drop=True).astype(float)
        seen = table.columns
    else:
        values = np.asarray(answer, dtype=float)
        seen = pd.Index(getattr(model, "classes_", classes))
        if values.ndim == 1 and len(seen) == 2:
            values = np.column_stack([1 - values, values])
        if values.shape != (n, len(seen)):
            raise InputError(
                f"`{method}` must return {n} rows with a column per class, {listing(seen)}; got shape {values.shape}."
            )
        table = pd.DataFrame(values, columns=seen)
    if len(table) != n or not seen.isin(classes).all():
        raise InputError(
            f"`{method}` must return {n} rows with columns for the classes {listing(classes)}; "
            f"got {len(table)} rows with {listing(seen)}."
        )
    return table
