"""The scale on which means are taken: as measured, logarithms, or your own function."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from podium.analysis.notes import Note
from podium.arrays import FloatArray
from podium.checks import call_function, function_name, shown
from podium.errors import InputError
from podium.results import MeasureInfo, Results

# A name, or an increasing function of an array of values.
Transform: TypeAlias = Literal["log", "identity"] | Callable[[FloatArray], Any]


class Transformed(NamedTuple):
    """Results of one measure on another scale.

    Attributes
    ----------
    results : Results
        With the transformed values, and a measure named after them.
    transform : str
        ``"identity"``, ``"log"`` or the name of a function.
    measure : MeasureInfo
        The measure as it was.
    notes : tuple of Note
    """

    results: Results
    transform: str
    measure: MeasureInfo
    notes: tuple[Note, ...]


def check_transform(transform: object) -> None:
    """Refuse what is neither a name of a scale nor a function."""
    if transform is None or callable(transform) or (isinstance(transform, str) and transform in ("log", "identity")):
        return
    raise InputError(
        "`transform` must be 'log', 'identity', an increasing function such as numpy.sqrt, or None for the scale of "
        f"the measure; got {shown(transform)}.",
        path=("transform",),
    )


def transform_results(results: Results, transform: Transform | None, *, in_units: bool = False) -> Transformed:
    """Transform the values of results with one measure.

    Parameters
    ----------
    results : Results
    transform : {"log", "identity"}, function or None
        None takes logarithms where the scale of the measure is ``"log"`` and all values are positive.
    in_units : bool
        Whether something was requested in the units of the measure, which logarithms do not have: None then leaves the
        values as they are.
    """
    check_transform(transform)
    measure = results.measures[0]
    values = results.values
    positive = bool((values[~np.isnan(values)] > 0).all())
    notes: tuple[Note, ...] = ()
    if transform is None:
        transform = "identity"
        if measure.scale == "log":
            if in_units:
                notes = (Note("as measured", measure=measure.name, because="units"),)
            elif not positive:
                notes = (Note("as measured", measure=measure.name, because="zeros"),)
            else:
                transform = "log"
    if transform == "identity":
        return Transformed(results, "identity", measure, notes)
    if transform == "log":
        if not positive:
            low = float(np.nanmin(values))
            raise InputError(
                f"`transform='log'` needs positive values; the smallest of {measure.name!r} is {low:g}. Use "
                "transform='identity', or a function that is defined for all values.",
                path=("transform",),
            )
        name, changed = "log", np.log(values)
    else:
        assert callable(transform)
        name, changed = function_name(transform), _call(transform, values)
    named = MeasureInfo(f"{name} of {measure.name}", measure.direction, scale="linear")
    return Transformed(dataclasses.replace(results, values=changed, measures=(named,)), name, measure, notes)


def _call(function: Callable[[FloatArray], Any], values: FloatArray) -> FloatArray:
    """Apply a function to all values that are present; it must return finite numbers in the same order."""
    there = ~np.isnan(values)
    given, back = np.unique(values[there], return_inverse=True)
    name = function_name(function)
    found = np.asarray(call_function(function, "transform", given))
    if found.shape != given.shape or found.dtype.kind not in "fiu" or not np.isfinite(found).all():
        raise InputError(
            f"`transform` must return one finite number for each value; {name} returned {shown(found)}.",
            path=("transform",),
        )
    if (np.diff(found) <= 0).any():
        raise InputError(
            f"`transform` must be increasing, so that better values stay better; {name} is not, between {given[0]:g} "
            f"and {given[-1]:g}.",
            path=("transform",),
        )
    changed = np.full(values.shape, np.nan)
    changed[there] = found[back]
    return changed
