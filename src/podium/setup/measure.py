"""`Measure`: a named number per trial, with a direction and a unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

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
        ``model.predict(test.X)``; None for tasks without prediction.
    probability : DataFrame or None
        Class probabilities on the test sample, one column per class of the data set; None unless a measure asks.
    fit_seconds, predict_seconds : float
    peak_memory : float
        Peak memory of the fit in bytes; NaN unless a measure asks.
    """

    model: Any
    learn: Sample
    test: Sample
    prediction: npt.NDArray[Any] | None = None
    probability: pd.DataFrame | None = None
    fit_seconds: float = np.nan
    predict_seconds: float = np.nan
    peak_memory: float = np.nan


@dataclass(frozen=True, eq=False, kw_only=True)
class Measure:
    """A named number per trial.

    Parameters
    ----------
    info : MeasureInfo
        Name, direction, unit and scale.
    function : callable
        ``function(fitted: Fitted) -> float``.
    tasks : tuple of str
        The tasks it makes sense for.
    needs : frozenset of {"prediction", "probability", "memory"}
        What has to be recorded for it.
    spec : mapping
        How to write the measure down in a file; None for own functions.
    """

    info: MeasureInfo
    function: Callable[[Fitted], float]
    tasks: tuple[Task, ...] = ("classification", "regression", "unsupervised")
    needs: frozenset[str] = frozenset()
    spec: Mapping[str, Any] | None = field(default=None)

    @property
    def name(self) -> str:
        """Name of the measure."""
        return self.info.name
