"""`Measure`: a named number per trial, with a direction and units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, FloatArray
from podium.results.measure_info import MeasureInfo
from podium.setup.dataset import Sample, Task


@dataclass(frozen=True, eq=False, kw_only=True)
class Fitted:
    """What a measure may look at: the fitted model, both samples, and what was recorded of the fit.

    Attributes
    ----------
    model : object
        The fitted model.
    learn, test : Sample
    prediction : array or None
        ``model.predict(test.X)``; None unless a measure asks, and for models that do not predict.
    probability : DataFrame or None
        Class probabilities on the test sample, one column per class of the data set, 0 for classes that the learning
        sample lacked; None unless a measure asks, and for models without probabilities.
    score : DataFrame or None
        Probabilities, or decision values where the model has no probabilities; a greater value speaks for the class.
    fit_seconds, predict_seconds : float
        Wall-clock time of ``fit`` and of ``predict``.
    peak_memory : float
        Peak memory of the fit in bytes; NaN unless a measure asks.
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


@dataclass(frozen=True, eq=False, kw_only=True)
class Measure:
    """A named number per trial; `podium.measure` makes one from a name, a scorer or a function.

    Parameters
    ----------
    info : MeasureInfo
        Name, direction, units and scale.
    function : callable
        ``function(fitted: Fitted) -> float``. It may raise `podium.errors.UndefinedError`.
    tasks : tuple of str
        The tasks it makes sense for.
    needs : frozenset of {"prediction", "labels", "probability", "score", "memory"}
        What has to be recorded for it. ``"labels"`` are predictions that must be classes of the data set.
    spec : mapping
        How to write the measure down in a file; None for own functions that cannot be imported.
    losses : callable, optional
        ``losses(fitted: Fitted) -> array``: the loss of each test observation, where the measure is made of such.
    description : str
        What it is.
    """

    info: MeasureInfo
    function: Callable[[Fitted], float]
    tasks: tuple[Task, ...] = ("classification", "regression", "unsupervised")
    needs: frozenset[str] = frozenset()
    spec: Mapping[str, Any] | None = field(default=None)
    losses: Callable[[Fitted], FloatArray] | None = None
    description: str = ""

    @property
    def name(self) -> str:
        """Name of the measure."""
        return self.info.name

    def renamed(self, name: str) -> Measure:
        """Return the same measure under another name."""
        spec = None if self.spec is None else {**self.spec, "name": name}
        return replace(self, info=replace(self.info, name=name), spec=spec)

    def __repr__(self) -> str:
        return f"Measure {self.info}"
