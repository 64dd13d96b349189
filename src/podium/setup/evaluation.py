"""The evaluation of an algorithm on one learning and one test sample: fit, predict, measure. Pure: no files."""

from __future__ import annotations

import random
import time
import tracemalloc
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from podium.checks import check_call, check_choice, check_seed, expect, shown
from podium.errors import FitError, InputError, PodiumError, UndefinedError, listing
from podium.setup.algorithm import Algorithm
from podium.setup.dataset import TASKS, Sample, Task
from podium.setup.encoding import is_nominal
from podium.setup.factories import task_of
from podium.setup.fitted import Fitted
from podium.setup.measure import Measure
from podium.setup.predictions import Responses, responses
from podium.setup.seeds import seed_for


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """The outcome of a trial.

    Attributes
    ----------
    values : dict
        Measure → value; NaN if it is undefined.
    undefined : dict
        Measure → why it has no value.
    fit_seconds, predict_seconds : float
        Wall-clock time; NaN if there was no prediction.
    peak_memory : float
        Peak memory of the fit in bytes; NaN unless a measure needs it.
    warnings : tuple of str
        Warnings that were issued, each once.
    tuned : dict
        Hyperparameters that the fit has chosen, if the model has them.
    """

    values: Mapping[str, float]
    undefined: Mapping[str, str] = field(default_factory=dict)
    fit_seconds: float = np.nan
    predict_seconds: float = np.nan
    peak_memory: float = np.nan
    warnings: tuple[str, ...] = ()
    tuned: Mapping[str, Any] = field(default_factory=dict)


@check_call
def fit_and_measure(
    algorithm: Algorithm,
    learn: Sample,
    test: Sample,
    measures: Sequence[Measure],
    seed: int,
    *,
    task: Task | None = None,
) -> Outcome:
    """Fit an algorithm to a learning sample and measure it on a test sample.

    The model is made, fitted and asked for its predictions once. Every call of the model, and every measure that may
    call it, gets a copy of the data that nothing else sees: a model that writes into its data changes no other number.
    All randomness derives from the seed: that of the
    algorithm, and the global generators of Python and NumPy, which are restored afterwards. Warnings are recorded.

    Parameters
    ----------
    algorithm : Algorithm
    learn, test : Sample
    measures : sequence of Measure
    seed : int
    task : {"classification", "regression", "unsupervised"}, optional
        Default: recognised from the response of the learning sample. In an unsupervised task the model does not see a
        response.

    Returns
    -------
    Outcome
        An undefined measure is NaN, and ``undefined`` has the reason.

    Raises
    ------
    FitError
        If the model cannot be made or fitted, or its predictions are invalid.

    Examples
    --------
    >>> import numpy as np, podium
    >>> data = podium.generator("twonorm", n=300).fixed(seed=1)
    >>> learn, test = data.take(np.arange(200)), data.take(np.arange(200, 300))
    >>> measures = [podium.measure("misclassification"), podium.measure("auc")]
    >>> outcome = podium.setup.fit_and_measure(podium.algorithm("lda"), learn, test, measures, seed=1)
    >>> {name: round(value, 2) for name, value in outcome.values.items()}
    {'misclassification': 0.03, 'auc': 1.0}
    """
    _check_trial(algorithm, learn, seed, task)
    expect(test, Sample, "test")
    if not isinstance(measures, Sequence) or not all(isinstance(measure, Measure) for measure in measures):
        raise InputError(f"`measures` must be a list of Measure; got {shown(measures)}.")
    task = task_of(learn) if task is None else task
    needs = frozenset().union(*(measure.needs for measure in measures)) if measures else frozenset()
    seen = Sample(learn.X, None, learn.rows) if task == "unsupervised" else learn
    with fixed_randomness(seed), collected_warnings() as issued:
        model = _made(algorithm, seen, seed)
        start = time.perf_counter()
        _fit(algorithm.name, model, seen)
        fit_seconds = time.perf_counter() - start
        asked = _asked(algorithm.name, model, test, needs, task)
        peak_memory = _peak_memory(algorithm, seen, seed) if "memory" in needs else np.nan
        fitted = Fitted(
            model=model,
            learn=learn,
            test=test,
            prediction=asked.prediction,
            probability=asked.probability,
            score=asked.score,
            fit_seconds=fit_seconds,
            predict_seconds=asked.seconds,
            peak_memory=peak_memory,
        )
        values, undefined = _measured(measures, fitted, task)
    return Outcome(
        values=values,
        undefined=undefined,
        fit_seconds=fit_seconds,
        predict_seconds=asked.seconds,
        peak_memory=peak_memory,
        warnings=tuple(issued),
        tuned=_tuned(model),
    )


@check_call
def fit_model(algorithm: Algorithm, learn: Sample, seed: int, *, task: Task | None = None) -> Any:
    """Fit an algorithm to a learning sample and return the model; the same one for the same seed.

    Parameters
    ----------
    algorithm : Algorithm
    learn : Sample
    seed : int
    task : {"classification", "regression", "unsupervised"}, optional
        Default: recognised from the response of the learning sample.

    Returns
    -------
    object
        The fitted model.

    Examples
    --------
    >>> import numpy as np, podium
    >>> model = podium.setup.fit_model(podium.algorithm("lda"), podium.dataset("iris").take(np.arange(150)), seed=1)
    >>> model.predict(podium.dataset("iris").X[:2])
    array(['setosa', 'setosa'], dtype=object)
    """
    _check_trial(algorithm, learn, seed, task)
    seen = Sample(learn.X, None, learn.rows) if task == "unsupervised" else learn
    with fixed_randomness(seed):
        model = _made(algorithm, seen, seed)
        _fit(algorithm.name, model, seen)
    return model


def _check_trial(algorithm: Algorithm, learn: Sample, seed: int, task: Task | None) -> None:
    expect(algorithm, Algorithm, "algorithm")
    expect(learn, Sample, "learn")
    check_seed(seed)
    if task is not None:
        check_choice(task, TASKS, "task")


def _made(algorithm: Algorithm, learn: Sample, seed: int) -> Any:
    try:
        model = algorithm.make(learn.copy(), seed)
    except Exception as error:
        raise FitError(algorithm.name, "make", reason_of(error)) from error
    if not hasattr(model, "fit"):
        raise FitError(algorithm.name, "make", f"a model must have `fit`; got {type(model).__name__}.")
    return model


def _fit(name: str, model: Any, learn: Sample) -> None:
    own = learn.copy()
    response = () if own.y is None else (own.y.to_numpy(copy=True),)
    try:
        model.fit(own.X, *response)
    except Exception as error:
        raise FitError(name, "fit", reason_of(error) + _hint(error, learn)) from error


def _hint(error: Exception, learn: Sample) -> str:
    """Suggest a remedy for a model that cannot use the attributes."""
    if isinstance(error, PodiumError):
        return ""
    nominal = [name for name in learn.X.columns if is_nominal(learn.X[name])]
    lacking = [name for name in learn.X.columns if learn.X[name].isna().any()]
    kinds = [f"nominal attributes ({listing(nominal)})"] if nominal else []
    kinds += [f"missing values ({listing(lacking)})"] if lacking else []
    if not kinds:
        return ""
    return (
        f" (The learning sample has {' and '.join(kinds)}: algorithm(..., encoding='one-hot') turns them into numbers.)"
    )


def _asked(name: str, model: Any, test: Sample, needs: frozenset[str], task: Task) -> Responses:
    try:
        return responses(model, test, needs, task)
    except FitError:
        raise
    except Exception as error:
        raise FitError(name, "predict", reason_of(error)) from error


def _measured(measures: Sequence[Measure], fitted: Fitted, task: Task) -> tuple[dict[str, float], dict[str, str]]:
    values, undefined = {}, {}
    for measure in measures:
        try:
            if task not in measure.tasks:
                raise UndefinedError(f"it is for {' and '.join(measure.tasks)}, not for {task}")
            value = float(measure.function(fitted if measure.named else _for_itself(fitted)))
            if np.isnan(value):
                raise UndefinedError("its value is NaN")
        except UndefinedError as error:
            value, undefined[measure.name] = np.nan, str(error)
        except Exception as error:
            value, undefined[measure.name] = np.nan, reason_of(error)
        values[measure.name] = value
    return values, undefined


def _for_itself(fitted: Fitted) -> Fitted:
    """Return the same with data that nothing else sees: a scorer or a function may call the model, or write into it."""
    return replace(
        fitted,
        learn=fitted.learn.copy(),
        test=fitted.test.copy(),
        prediction=None if fitted.prediction is None else fitted.prediction.copy(),
        probability=None if fitted.probability is None else fitted.probability.copy(),
        score=None if fitted.score is None else fitted.score.copy(),
    )


def _peak_memory(algorithm: Algorithm, learn: Sample, seed: int) -> float:
    """Fit a second, equal model and return the peak of the memory that Python and NumPy allocate."""
    was_tracing = tracemalloc.is_tracing()
    if not was_tracing:
        tracemalloc.start()
    try:
        with fixed_randomness(seed):
            before, _ = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            _fit(algorithm.name, _made(algorithm, learn, seed), learn)
            _, peak = tracemalloc.get_traced_memory()
    finally:
        if not was_tracing:
            tracemalloc.stop()
    return float(max(peak - before, 0))


def _tuned(model: Any) -> dict[str, Any]:
    """Return the hyperparameters that a fit has chosen: of a candidate, or of a search of scikit-learn."""
    for attribute in ("tuned", "best_params_"):
        chosen = getattr(model, attribute, None)
        if isinstance(chosen, Mapping):
            return dict(chosen)
    return {}


def reason_of(error: BaseException) -> str:
    """Return kind and text of an error in one line."""
    text = " ".join(str(error).split())
    return (
        text if isinstance(error, PodiumError) else f"{type(error).__name__}: {text}" if text else type(error).__name__
    )


@contextmanager
def fixed_randomness(seed: int) -> Iterator[None]:
    """Seed the global generators of Python and NumPy temporarily."""
    python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002, algorithms use the global one
    random.seed(seed_for(seed, "random"))
    np.random.seed(seed_for(seed, "numpy") % 2**32)  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)  # noqa: NPY002


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Record warnings; after the block, the list has each of them once."""
    issued: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield issued
    texts = [f"{each.category.__name__}: {' '.join(str(each.message).split())}" for each in caught]
    issued.extend(dict.fromkeys(texts))
