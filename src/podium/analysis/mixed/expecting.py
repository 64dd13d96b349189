"""One check of what is handed on as a fitted mixed model, with the way from results to one."""

from __future__ import annotations

import pandas as pd

from podium.analysis.comparison import Comparison
from podium.analysis.mixed.fit import MixedFit
from podium.errors import InputError
from podium.results import Results
from podium.results.expecting import came


def expect_fit(thing: object, argument: str = "fit") -> MixedFit:
    """Return `thing` if it is a `MixedFit`; else say what came, and how to get one.

    >>> expect_fit(None)
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `fit` must be a MixedFit; got None. podium.mixed(results) makes one.
    """
    if isinstance(thing, MixedFit):
        return thing
    raise InputError(f"`{argument}` must be a MixedFit; got {came(thing)}. {way_to_fit(thing)}")


def way_to_fit(thing: object) -> str:
    """Tell how to fit a model to something."""
    if isinstance(thing, Results):
        return "Fit a model first: podium.mixed(results)."
    if isinstance(thing, pd.DataFrame):
        return "Read it and fit a model first: podium.mixed(podium.read(frame))."
    if isinstance(thing, Comparison):
        return "Fit a model to the results it was made from: podium.mixed(results)."
    return "podium.mixed(results) makes one."
