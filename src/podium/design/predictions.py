"""The predictions of a fitted model for a test sample, checked and aligned with the classes of the data set."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, FloatArray, IntArray
from podium.checks import as_list, check_call, check_choice
from podium.design.encoding import Encoded, Encoder
from podium.design.fitted import Fitted, model_name
from podium.design.sample import Sample, Task
from podium.design.seeds import seed_generators
from podium.errors import FitError, InputError, SkipTrial, join_names

ROUNDING = 1e-3  # tolerance for the sum of probabilities


# What a measure may need from the predictions. Whatever is needed, the calls of a model and their order are the same.
RECORDED = frozenset({"prediction", "labels", "probability", "score"})

Keep: TypeAlias = Literal["predictions", "probabilities", "parameters"]
KEEP: tuple[Keep, ...] = get_args(Keep)
# The needs of measures that each kind of what is kept covers.
NEEDS: Mapping[str, frozenset[str]] = {
    "predictions": frozenset({"prediction", "labels"}),
    "probabilities": frozenset({"probability", "score"}),
    "parameters": frozenset(),
}


def check_keep(keep: Any) -> tuple[Keep, ...]:
    """Return what is to be kept, in a fixed order, or refuse it."""
    wanted = (
        [keep] if isinstance(keep, str) else as_list(keep, "keep", f"any of {join_names(KEEP)}, or a list of these")
    )
    for i, each in enumerate(wanted):
        check_choice(each, KEEP, "keep", path=("keep", i))
    return tuple(each for each in KEEP if each in wanted)


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class Kept:
    """What is kept of the predictions of a trial.

    Attributes
    ----------
    keep : tuple of {"predictions", "probabilities", "parameters"}
        What was requested.
    model : str
        Class of the model.
    rows : array of int or None
        Positions of the test observations in their data set; None for fresh draws.
    truth : Series or None
        Response of the test sample.
    prediction, probability, score
        As in `Fitted`.
    failures : dict of str to str
        Why there is no prediction, probability or score, where a call failed.
    parameters : dict
        The hyperparameters that the fit has chosen.
    """

    keep: tuple[Keep, ...]
    model: str
    rows: IntArray | None = None
    truth: pd.Series[Any] | None = None
    prediction: AnyArray | None = None
    probability: pd.DataFrame | None = None
    score: pd.DataFrame | None = None
    failures: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)


def kept_of(
    keep: tuple[Keep, ...], fitted: Fitted, failures: Mapping[str, FitError], parameters: Mapping[str, Any]
) -> Kept:
    """Keep what was requested; a prediction that is not a class of the data set is found again when it is used."""
    predictions, probabilities = "predictions" in keep, "probabilities" in keep
    covered = frozenset[str]().union(*(NEEDS[each] for each in keep)) - {"labels"}
    any_response = predictions or probabilities
    return Kept(
        keep=keep,
        model=model_name(fitted.model),
        rows=fitted.test.rows if any_response else None,
        truth=fitted.test.y if any_response else None,
        prediction=fitted.prediction if predictions else None,
        probability=fitted.probability if probabilities else None,
        score=fitted.score if probabilities else None,
        failures={need: failure.reason for need, failure in failures.items() if need in covered},
        parameters=parameters if "parameters" in keep else {},
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Responses:
    """What a model predicts for a test sample.

    Attributes
    ----------
    prediction : array or None
    probability, score : DataFrame or None
    seconds : float
        Seconds of the prediction.
    failures : dict of str to Exception
        Why a call failed or its answer cannot be used, by what needs it: "prediction", "labels", "probability",
        "score".
    """

    prediction: AnyArray | None = None
    probability: pd.DataFrame | None = None
    score: pd.DataFrame | None = None
    seconds: float = np.nan
    failures: Mapping[str, Exception] = field(default_factory=dict)


def responses(model: Any, learn: Sample, test: Sample, needs: frozenset[str], task: Task, seed: int) -> Responses:
    """Ask a model for what the measures need; None for what it does not support.

    `predict` comes first, even if only probabilities are needed: a model that changes when it predicts then gives the
    same probabilities whatever else is measured. The global generators are seeded before each call for the same reason.
    """
    prediction = probability = score = None
    seconds = np.nan
    failures: dict[str, Exception] = {}
    if needs & RECORDED:
        with _failing(failures, "prediction"):
            predict = getattr(model, "predict", None)
            if predict is None and task == "unsupervised" and hasattr(clusterer_of(model), "labels_"):
                predict = partial(nearest_groups, model, learn.X.copy(deep=True))
            if predict is not None:
                own = test.X.copy(deep=True)
                seed_generators(seed, "predict")
                start = time.perf_counter()
                answer = predict(own)
                seconds = time.perf_counter() - start
                prediction = checked_prediction(answer, test, task)
        if "labels" in needs and prediction is not None:
            with _failing(failures, "labels"):
                check_labels(prediction, test, task)
    if task == "classification" and test.y is not None and needs & {"probability", "score"}:
        classes = test.y.cat.categories
        with _failing(failures, "probability", "score"):
            if hasattr(model, "predict_proba"):
                own = test.X.copy(deep=True)
                seed_generators(seed, "predict_proba")
                score = probability = aligned_probability(model.predict_proba(own), model, classes, len(test))
        if "score" in needs and "score" not in failures and score is None:
            with _failing(failures, "score"):
                if hasattr(model, "decision_function"):
                    own = test.X.copy(deep=True)
                    seed_generators(seed, "decision_function")
                    score = aligned_decision(model.decision_function(own), model, classes, len(test))
    return Responses(prediction=prediction, probability=probability, score=score, seconds=seconds, failures=failures)


@contextmanager
def _failing(failures: dict[str, Exception], *needs: str) -> Iterator[None]:
    """Note an error as the failure of what needs the call; a skipped trial and a lack of memory end the trial."""
    try:
        yield
    except (SkipTrial, MemoryError):
        raise
    except Exception as error:
        failures.update(dict.fromkeys(needs, error))


def checked_prediction(prediction: Any, test: Sample, task: Task) -> AnyArray:
    """Return the predictions as one value per observation, in their own memory, or refuse them."""
    values = np.array(prediction)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.shape != (len(test),):
        raise InputError(f"`predict` must return {len(test)} values, one per observation; got shape {values.shape}.")
    if task == "regression":
        if values.dtype.kind not in "biuf":
            raise InputError(f"`predict` must return numbers; got {join_names(values.tolist(), most=3)}.")
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
    return values


def check_labels(values: AnyArray, test: Sample, task: Task) -> None:
    """Refuse predictions that are not classes of the data set."""
    if task != "classification" or test.y is None:
        return
    classes = test.y.cat.categories
    if set(values.tolist()) <= set(classes):  # fast; an index may still match other types
        return
    unknown = pd.unique(values[classes.get_indexer(pd.Index(values)) < 0])
    if len(unknown):
        raise InputError(
            f"`predict` must return classes of the data set, {join_names(classes)}; got {join_names(unknown.tolist())}."
        )


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
    return by_class(table.reindex(columns=classes, fill_value=0.0).to_numpy(dtype=float), classes)


def aligned_decision(answer: Any, model: Any, classes: pd.Index[Any], n: int) -> pd.DataFrame:
    """Return decision values with a column per class of the data set, the smallest for a class not seen."""
    values = np.asarray(answer, dtype=float)
    seen = getattr(model, "classes_", classes)
    if values.ndim == 1 and len(seen) == 2:
        values = np.column_stack([-values, values])
    table = _columns(values, model, classes, n, "decision_function")
    if not np.isfinite(table.to_numpy()).all():
        raise InputError("`decision_function` must return finite numbers.")
    least = float(table.to_numpy().min(initial=0.0)) - 1.0
    return by_class(table.reindex(columns=classes, fill_value=least).to_numpy(dtype=float), classes)


def by_class(values: FloatArray, classes: pd.Index[Any]) -> pd.DataFrame:
    """Put numbers under classes, in their own memory, rows or columns together as they were: sums depend on it."""
    return pd.DataFrame(np.array(values, order="K"), columns=classes, copy=False)


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
                f"`{method}` must return {n} rows with a column per class, {join_names(seen)}; got shape "
                f"{values.shape}."
            )
        table = pd.DataFrame(values, columns=seen)
    if len(table) != n or not seen.isin(classes).all():
        raise InputError(
            f"`{method}` must return {n} rows with columns for the classes {join_names(classes)}; got {len(table)} "
            f"rows with {join_names(seen)}."
        )
    return table


def clusterer_of(model: Any) -> Any:
    """Return what groups the observations, behind an encoder and the steps of a pipeline."""
    while True:
        if isinstance(model, Encoded):
            model = model.model
        elif hasattr(model, "steps"):
            model = model[-1]
        else:
            return model


def nearest_groups(model: Any, learn: pd.DataFrame, new: pd.DataFrame) -> AnyArray:
    """Give each new observation the group of the nearest one of the learning sample.

    Distances are Euclidean, in the inputs of the clusterer: after an encoder and the earlier steps of a pipeline.
    Nominal inputs of the clusterer itself count as 0/1 columns, and missing values as medians.
    """
    from scipy.spatial import KDTree

    known: Any = learn
    asked: Any = new
    while True:
        if isinstance(model, Encoded):
            known, asked = model.encoder.transform(known), model.encoder.transform(asked)
            model = model.model
        elif hasattr(model, "steps"):
            if len(model.steps) > 1:
                known, asked = model[:-1].transform(known), model[:-1].transform(asked)
            model = model[-1]
        else:
            break
    encoder = Encoder().fit(known)
    points: FloatArray = encoder.transform(known)
    _, nearest = KDTree(points).query(encoder.transform(asked))
    groups: AnyArray = np.asarray(model.labels_)[nearest]
    return groups
