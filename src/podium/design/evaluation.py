"""The evaluation of an algorithm on one learning and one test sample: fit, predict, measure. Pure: no files."""

from __future__ import annotations

import random
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import AnyArray
from podium.checks import as_list, check_call, check_choice, check_seed, expect
from podium.design.algorithm import Algorithm, as_algorithm
from podium.design.encoding import is_nominal
from podium.design.factories import CandidateFactory, CopyFactory, EstimatorFactory, task_of
from podium.design.fitted import Fitted, RecordedModel, model_name
from podium.design.measure import Measure, as_measure
from podium.design.predictions import (
    NEEDS,
    RECORDED,
    Keep,
    Kept,
    Responses,
    check_keep,
    check_labels,
    kept_of,
    responses,
)
from podium.design.sample import TASKS, Sample, Task
from podium.design.seeds import before_calls, seed_generators
from podium.design.untrusted_text import collected_warnings, name_of, text_of
from podium.errors import FitError, InputError, PodiumError, UndefinedError, join_names

_LOOKS_AT_NO_DATA = (CandidateFactory, CopyFactory, EstimatorFactory)  # no code of a user sees what these are given


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
    kept : Kept or None
        What is kept of the predictions, on request.
    """

    values: Mapping[str, float]
    undefined: Mapping[str, str] = field(default_factory=dict)
    fit_seconds: float = np.nan
    predict_seconds: float = np.nan
    peak_memory: float = np.nan
    warnings: tuple[str, ...] = ()
    tuned: Mapping[str, Any] = field(default_factory=dict)
    kept: Kept | None = None


@check_call
def fit_and_measure(
    algorithm: Algorithm | str,
    learn: Sample,
    test: Sample,
    measures: Sequence[Measure | str],
    seed: int,
    *,
    task: Task | None = None,
    keep: Keep | Sequence[Keep] = (),
) -> Outcome:
    """Fit an algorithm to a learning sample and measure it on a test sample.

    The model is made, fitted and asked for its predictions once. No value depends on which others are measured:

    - Every call of the model, and every measure that may call it, gets a copy of the data that nothing else sees.
    - A measure that may call the model gets a copy of it, as the fit left it; a model that cannot be copied is fitted
      again, from the same seed.
    - ``predict`` is called before ``predict_proba`` and ``decision_function``, also if only these are needed.
    - A call that fails costs the measures that need it; the trial fails if no measure has a value.

    All randomness derives from the seed: that of the algorithm, and the global generators of Python and NumPy, which
    are seeded before each call and restored afterwards. Warnings are recorded.

    Parameters
    ----------
    algorithm : Algorithm or str
    learn, test : Sample
    measures : sequence of Measure or str
    seed : int
    task : {"classification", "regression", "unsupervised"}, optional
        Default: recognised from the response of the learning sample. In an unsupervised task the model does not see a
        response.
    keep : {"predictions", "probabilities", "parameters"} or a sequence of these
        What is kept in ``Outcome.kept``.

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
    >>> data = podium.Dataset.generated("twonorm", n=300).fixed(seed=1)
    >>> learn, test = data.take(np.arange(200)), data.take(np.arange(200, 300))
    >>> outcome = podium.design.fit_and_measure("lda", learn, test, ["misclassification", "auc"], seed=1)
    >>> {name: round(value, 2) for name, value in outcome.values.items()}
    {'misclassification': 0.03, 'auc': 1.0}
    """
    algorithm = as_algorithm(algorithm)
    _check_trial(learn, seed, task)
    expect(test, Sample, "test")
    wanted = [as_measure(one) for one in as_list(measures, "measures")]
    kept = check_keep(keep)
    task = task_of(learn) if task is None else task
    needs = frozenset[str]().union(*(measure.needs for measure in wanted), *(NEEDS[each] for each in kept))
    seen = Sample(learn.X, None, learn.rows) if task == "unsupervised" else learn
    with fixed_randomness(seed), collected_warnings() as issued:
        model = _made(algorithm, seen, seed)
        start = time.perf_counter()
        _fit(algorithm.name, model, seen, seed)
        fit_seconds = time.perf_counter() - start
        tuned = _tuned(model)
        fitted = Fitted(model=model, learn=learn, test=test, fit_seconds=fit_seconds)
        table = _Values(task, seed)
        table.add(fitted, [measure for measure in wanted if _is_early(measure)])
        late = [measure for measure in wanted if not _is_early(measure)]
        own = _OwnModels(model, lambda: fit_model(algorithm, learn, seed, task=task), any(map(_takes_model, late)))
        answers, failures = _predict(algorithm.name, model, (learn, test), needs, task, seed)
        peak_memory = _peak_memory(algorithm, seen, seed) if "memory" in needs else np.nan
        fitted = Fitted(
            model=RecordedModel(model_name(model)),
            learn=learn,
            test=test,
            prediction=answers.prediction,
            probability=answers.probability,
            score=answers.score,
            fit_seconds=fit_seconds,
            predict_seconds=answers.seconds,
            peak_memory=peak_memory,
        )
        table.add(fitted, late, failures, own)
    table.require_a_value()
    values, undefined = table.of(wanted)
    return Outcome(
        values=values,
        undefined=undefined,
        fit_seconds=fit_seconds,
        predict_seconds=answers.seconds,
        peak_memory=peak_memory,
        warnings=tuple(issued),
        tuned=tuned,
        kept=kept_of(kept, fitted, failures, tuned) if kept else None,
    )


def measure_again(
    kept: Kept, algorithm: str, learn: Sample, test: Sample, measures: Sequence[Measure], seed: int, task: Task
) -> tuple[dict[str, float], dict[str, str]]:
    """Measure the kept predictions: the values, and the reasons for those that are undefined.

    The measures must be `rescorable`; then everything equals what a fit would give.
    """
    failures = {need: FitError(algorithm, "predict", reason) for need, reason in kept.failures.items()}
    if kept.prediction is not None:
        try:
            check_labels(kept.prediction, test, task)
        except InputError as error:
            failures["labels"] = FitError(algorithm, "predict", reason_of(error))
    fitted = Fitted(
        model=RecordedModel(kept.model),
        learn=learn,
        test=test,
        prediction=kept.prediction,
        probability=kept.probability,
        score=kept.score,
    )
    table = _Values(task, seed)
    with fixed_randomness(seed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table.add(fitted, measures, failures)
    return table.of(measures)


def rescorable(measure: Measure, keep: frozenset[Keep]) -> bool:
    """Return whether a measure can be computed from what was kept: it needs nothing else, neither model nor time."""
    covered = frozenset[str]().union(*(NEEDS[each] for each in keep))
    return measure.known and bool(measure.needs) and measure.needs <= covered


@check_call
def fit_model(algorithm: Algorithm | str, learn: Sample, seed: int, *, task: Task | None = None) -> Any:
    """Fit an algorithm to a learning sample and return the model; the same one for the same seed.

    Parameters
    ----------
    algorithm : Algorithm or str
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
    >>> iris = podium.Dataset.named("iris")
    >>> model = podium.design.fit_model("lda", iris.take(np.arange(150)), seed=1)
    >>> model.predict(iris.X[:2])
    array(['setosa', 'setosa'], dtype=object)
    """
    algorithm = as_algorithm(algorithm)
    _check_trial(learn, seed, task)
    seen = Sample(learn.X, None, learn.rows) if task == "unsupervised" else learn
    with fixed_randomness(seed):
        model = _made(algorithm, seen, seed)
        _fit(algorithm.name, model, seen, seed)
    return model


def _check_trial(learn: Sample, seed: int, task: Task | None) -> None:
    expect(learn, Sample, "learn")
    check_seed(seed)
    if task is not None:
        check_choice(task, TASKS, "task")


def _made(algorithm: Algorithm, learn: Sample, seed: int) -> Any:
    try:
        model = algorithm.make(learn if isinstance(algorithm.make, _LOOKS_AT_NO_DATA) else learn.copy(), seed)
    except Exception as error:
        raise FitError(algorithm.name, "make", reason_of(error)) from error
    if not hasattr(model, "fit"):
        raise FitError(algorithm.name, "make", f"a model must have `fit`; got {type(model).__name__}.")
    return model


def _fit(name: str, model: Any, learn: Sample, seed: int) -> None:
    own = learn.copy()
    response = () if own.y is None else (_array(own.y),)
    seed_generators(seed)
    try:
        model.fit(own.X, *response)
    except Exception as error:
        raise FitError(name, "fit", reason_of(error) + _hint(error, learn)) from error


def _array(y: pd.Series[Any]) -> AnyArray:
    """Copy a response to an array."""
    if isinstance(y.dtype, pd.CategoricalDtype):
        codes = np.asarray(y.array.codes)
        if codes.min(initial=0) >= 0:  # the same as below, in half the time
            return np.asarray(y.dtype.categories).take(codes)
    return y.to_numpy(copy=True)


def _hint(error: Exception, learn: Sample) -> str:
    """Suggest a remedy for a model that cannot use the attributes."""
    if isinstance(error, PodiumError):
        return ""
    nominal = [name for name in learn.X.columns if is_nominal(learn.X[name])]
    lacking = [name for name in learn.X.columns if learn.X[name].isna().any()]
    kinds = [f"nominal attributes ({join_names(nominal)})"] if nominal else []
    kinds += [f"missing values ({join_names(lacking)})"] if lacking else []
    if not kinds:
        return ""
    return (
        f" (The learning sample has {' and '.join(kinds)}: podium.Algorithm(..., encoding='one-hot') turns them into "
        "numbers.)"
    )


def _predict(
    name: str, model: Any, samples: tuple[Sample, Sample], needs: frozenset[str], task: Task, seed: int
) -> tuple[Responses, dict[str, FitError]]:
    """Ask a model for its predictions; also return why some needs cannot be met."""
    try:
        answers = responses(model, *samples, needs, task, seed)
    except Exception as error:
        raise FitError(name, "predict", reason_of(error)) from error
    failures = {need: FitError(name, "predict", reason_of(cause)) for need, cause in answers.failures.items()}
    for need, failure in failures.items():
        failure.__cause__ = answers.failures[need]
    return answers, failures


def _is_early(measure: Measure) -> bool:
    """Return whether one of podium's own measures looks at the fit only: it then comes before the first prediction."""
    return measure.known and not measure.needs & (RECORDED | {"memory"})


def _takes_model(measure: Measure) -> bool:
    """Return whether a measure may call the model: only those known by name say what they need."""
    return not measure.known or not measure.needs or "model" in measure.needs


class _OwnModels:
    """A separate model for each measure that may call it, as the fit left it."""

    def __init__(self, model: Any, fit_again: Callable[[], Any], wanted: bool) -> None:
        self._fit_again = fit_again
        self._spare = _copied(model) if wanted else None

    def model(self) -> Any:
        """Copy the model; fit an equal one if it cannot be copied."""
        copied = None if self._spare is None else _copied(self._spare)
        return self._fit_again() if copied is None else copied


def _copied(model: Any) -> Any:
    try:
        return deepcopy(model)
    except Exception:  # whatever its class raises: locks, open files, generators
        return None


class _Values:
    """The values of the measures of one trial, each measured as if it were the only one."""

    def __init__(self, task: Task, seed: int) -> None:
        self._task = task
        self._seed = seed
        self._found: dict[int, tuple[float, str | None]] = {}
        self._failure: FitError | None = None

    def add(
        self,
        fitted: Fitted,
        measures: Sequence[Measure],
        failures: Mapping[str, FitError] | None = None,
        own: _OwnModels | None = None,
    ) -> None:
        """Take measures of what was fitted: podium's own first, which change nothing."""
        for measure in sorted(measures, key=lambda each: not each.known):
            try:
                value: tuple[float, str | None] = self._value(measure, fitted, failures or {}, own), None
            except UndefinedError as error:
                value = np.nan, text_of(error)
            except Exception as error:
                value = np.nan, reason_of(error)
            self._found[id(measure)] = value

    def _value(
        self, measure: Measure, fitted: Fitted, failures: Mapping[str, FitError], own: _OwnModels | None
    ) -> float:
        if self._task not in measure.tasks:
            raise UndefinedError(f"it is for {' and '.join(measure.tasks)}, not for {self._task}")
        for need in ("prediction", "labels", "probability", "score"):
            if need in measure.needs and need in failures:
                self._failure = self._failure or failures[need]
                raise failures[need]
        if measure.known and (own is None or not _takes_model(measure)):
            value = float(measure.function(fitted))
        else:
            view = _for_itself(measure, fitted, own)
            seed_generators(self._seed, "measure")
            with np.errstate(), warnings.catch_warnings():
                value = float(measure.function(view))
        if not np.isfinite(value):
            raise UndefinedError(f"its value is {'NaN' if np.isnan(value) else 'infinite'}")
        return value

    def require_a_value(self) -> None:
        """Raise the failure of a call if it leaves no value at all."""
        if self._failure is not None and all(reason is not None for _, reason in self._found.values()):
            raise self._failure

    def of(self, measures: Sequence[Measure]) -> tuple[dict[str, float], dict[str, str]]:
        """Return values and reasons in this order."""
        found = {measure.name: self._found[id(measure)] for measure in measures}
        values = {name: value for name, (value, _) in found.items()}
        return values, {name: reason for name, (_, reason) in found.items() if reason is not None}


def _for_itself(measure: Measure, fitted: Fitted, own: _OwnModels | None) -> Fitted:
    """Return what a measure needs, and no more, in memory that nothing else sees: it may call the model, or write."""
    needs = measure.needs
    timed = _takes_model(measure) or "time" in needs
    return Fitted(
        model=own.model() if own is not None and _takes_model(measure) else fitted.model,
        learn=fitted.learn.copy(),
        test=fitted.test.copy(),
        prediction=_copy(fitted.prediction) if needs & {"prediction", "labels"} else None,
        probability=_copy(fitted.probability) if needs & {"probability", "score"} else None,
        score=_copy(fitted.score) if "score" in needs else None,
        fit_seconds=fitted.fit_seconds if timed else np.nan,
        predict_seconds=fitted.predict_seconds if timed and needs & {"prediction", "labels"} else np.nan,
        peak_memory=fitted.peak_memory if "memory" in needs else np.nan,
    )


def _copy(recorded: Any) -> Any:
    return None if recorded is None else recorded.copy()


def _peak_memory(algorithm: Algorithm, learn: Sample, seed: int) -> float:
    """Fit a second, equal model and return the peak of the memory that Python and NumPy allocate."""
    was_tracing = tracemalloc.is_tracing()
    if not was_tracing:
        tracemalloc.start()
    try:
        with fixed_randomness(seed):
            before, _ = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            _fit(algorithm.name, _made(algorithm, learn, seed), learn, seed)
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
    text = text_of(error)
    return text if isinstance(error, PodiumError) else f"{name_of(error)}: {text}" if text else name_of(error)


@contextmanager
def fixed_randomness(seed: int) -> Iterator[None]:
    """Seed the global generators of Python and NumPy temporarily; in a worker, they are seeded before each trial."""
    if before_calls:
        seed_generators(seed)
        yield
        return
    python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002, algorithms use the global one
    seed_generators(seed)
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)  # noqa: NPY002
