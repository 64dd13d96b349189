"""One check of what is handed on as the outcome of a comparison, with the way from results to one."""

from __future__ import annotations

from podium.analysis.comparison import Comparison
from podium.errors import InputError
from podium.results import Results
from podium.results.expecting import came


def expect_comparison(thing: object, argument: str = "comparison") -> Comparison:
    """Return `thing` if it is a `Comparison`; else say what came, and how to get one.

    >>> expect_comparison([0.03, 0.2])
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `comparison` must be a Comparison; got a list. podium.compare(results) makes one.
    """
    if isinstance(thing, Comparison):
        return thing
    way_out = "podium.compare(results) makes one."
    if isinstance(thing, Results):
        way_out = "Compare first: podium.compare(results)."
    elif type(thing).__name__ == "MixedFit":  # stands on comparisons and cannot be imported here
        way_out = "Use fit.contrasts()."
    elif type(thing).__name__ == "DataFrame":
        way_out = "Read it and compare first: podium.compare(podium.read(frame))."
    raise InputError(f"`{argument}` must be a Comparison; got {came(thing)}. {way_out}")
