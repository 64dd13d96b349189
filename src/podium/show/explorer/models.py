"""The models of replications, fitted again as in the run and within its limits, and their predictions for the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, FloatArray
from podium.checks import check_call
from podium.design.evaluation import fit_and_measure
from podium.design.fitted import Fitted
from podium.design.measure import Measure
from podium.design.untrusted_text import text_of
from podium.errors import FitError, PodiumError
from podium.running.limits import Limits, limited_memory
from podium.running.tasks import make_pool
from podium.running.worker import retire
from podium.show.explorer.data import Data
from podium.store.record import TrialKey

if TYPE_CHECKING:
    from podium.design.dataset import Dataset
    from podium.design.experiment import Experiment

CURVE = 121  # points of a curve
GRID = 61  # points of decision regions in each direction
RESOURCES = frozenset({"time", "memory"})  # measures of these are not the same in a second fit
MARGIN = 0.05  # of the range, that curves and regions go beyond the data


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class Model:
    """The predictions of a model of one replication.

    Attributes
    ----------
    algorithm : str
    prediction : ndarray of float
        For every observation of the data set; of a classification the position of the class. NaN where there is none.
    surface : ndarray of float
        On the grid of the data set: a curve for one numeric input, decision regions for two; else empty.
    values : dict of str to float
        The measures of this fit.
    differences : tuple of (str, float, float)
        Measures whose value is not that of the run: name, value of the run, value now.
    """

    algorithm: str
    prediction: FloatArray
    surface: FloatArray
    values: dict[str, float]
    differences: tuple[tuple[str, float, float], ...]


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class PredictionGrid:
    """The grid on which models are evaluated, in addition to the data.

    Attributes
    ----------
    columns : tuple of int
        Positions of the one or two numeric inputs; empty where there is no grid.
    axes : tuple of ndarray
        The values of each of them.
    """

    columns: tuple[int, ...]
    axes: tuple[FloatArray, ...]


def grid_of(data: Data) -> PredictionGrid:
    """Find the grid: of regressions with one numeric input, and of supervised tasks with two; else none."""
    plain = len(data.numeric) == len(data.inputs)
    one = data.task == "regression" and len(data.inputs) == 1
    two = data.task == "classification" and len(data.inputs) == 2
    if not plain or not (one or two):
        return PredictionGrid(columns=(), axes=())
    return PredictionGrid(
        columns=data.numeric, axes=tuple(_axis(data.inputs[i].values, CURVE if one else GRID) for i in data.numeric)
    )


def _axis(values: FloatArray, points: int) -> FloatArray:
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    margin = MARGIN * ((high - low) or 1.0)
    return np.linspace(low - margin, high + margin, points)


class Wanted(NamedTuple):
    """A model that is wanted: its trial, the grid on which it is evaluated, and the values that its trial had."""

    key: TrialKey
    grid: PredictionGrid
    stored: dict[str, float]


def fit_models(experiment: Experiment, wanted: Sequence[Wanted], limits: Limits) -> list[Model | str]:
    """Fit models again, in worker processes; for one that cannot be fitted within the limits, say why."""
    pool = make_pool(None, limits, _install, experiment, limits.memory)
    try:
        futures = [pool.submit(_fit_in_worker, one) for one in wanted]
        found: list[Model | str] = []
        for future in futures:
            try:
                found.append(future.result())
            except PodiumError as error:  # its process was lost
                found.append(str(error))
        return found
    finally:
        pool.kill()


_installed: tuple[Experiment, int | None]  # in a worker: what it fits, and the limit of its memory


def _install(experiment: Experiment, memory: int | None) -> None:
    global _installed
    _installed = experiment, memory


def _fit_in_worker(wanted: Wanted) -> Model | str:
    retire()  # each fit has a process of its own
    experiment, memory = _installed
    try:
        return fit_again(experiment, wanted, memory)
    except BaseException as error:  # whatever an algorithm raises
        return text_of(error)


def fit_again(experiment: Experiment, wanted: Wanted, memory: int | None = None) -> Model:
    """Fit one model as its trial did, evaluate it on all observations and the grid, and compare its measures.

    The predictions are made inside a measure, so sampling, seeds, fitting and measuring are those of the run itself.
    """
    key, grid, stored = wanted
    dataset = experiment.dataset(key.dataset)
    asked = _PredictionRecorder(dataset, grid)
    learn, test = experiment.samples(key.dataset, key.replication)
    candidate = next(one for one in experiment.algorithms if one.name == key.algorithm)
    measures = [one for one in experiment.measures if not one.needs & RESOURCES]
    look = Measure("predictions of the explorer", asked, direction="lower", needs=frozenset({"model"}))
    with limited_memory(memory):
        outcome = fit_and_measure(
            candidate, learn, test, [*measures, look], experiment.seed_of(*key), task=dataset.task
        )
    if look.name in outcome.undefined:
        raise FitError(key.algorithm, "predict", outcome.undefined[look.name])
    values = {name: value for name, value in outcome.values.items() if name != look.name}
    compared = {one.name for one in measures if one.needs} & set(stored)  # a user's function may depend on the clock
    return Model(
        algorithm=key.algorithm,
        prediction=asked.prediction,
        surface=asked.surface,
        values=values,
        differences=tuple(
            (name, stored[name], value)
            for name, value in values.items()
            if name in compared and not _same(stored[name], value)
        ),
    )


def _same(stored: float, found: float) -> bool:
    """Return whether two values of a measure are equal up to rounding, such as that of a text file; or both missing."""
    return bool(np.isclose(stored, found, rtol=1e-9, atol=1e-12, equal_nan=True))


class _PredictionRecorder:
    """A measure that records the predictions of a fitted model."""

    def __init__(self, dataset: Dataset, grid: PredictionGrid) -> None:
        self._dataset, self._grid = dataset, grid
        self.prediction: FloatArray = np.full(len(dataset), np.nan)
        self.surface: FloatArray = np.empty(0)

    def __call__(self, fitted: Fitted) -> float:
        model = fitted.model
        if not hasattr(model, "predict"):
            return 0.0
        self.prediction = self._coded(model.predict(self._dataset.X.copy()))
        if self._grid.columns:
            mesh = np.meshgrid(*self._grid.axes, indexing="xy")
            names = [self._dataset.X.columns[i] for i in self._grid.columns]
            frame = pd.DataFrame({name: part.ravel() for name, part in zip(names, mesh, strict=True)})
            self.surface = self._coded(model.predict(frame))
        return 0.0

    def _coded(self, answer: Any) -> FloatArray:
        values: AnyArray = np.asarray(answer).reshape(len(answer))
        if self._dataset.task == "regression":
            return values.astype(float)
        if self._dataset.task == "unsupervised":
            return pd.factorize(values, sort=True)[0].astype(float)
        codes = pd.Index(self._dataset.classes).get_indexer(pd.Index(values)).astype(float)
        return np.where(codes < 0, np.nan, codes)
