"""Aggregating over replications: one number per data set, algorithm and measure."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np

from podium.arrays import FloatArray
from podium.errors import InputError, listing
from podium.results.cube import Cube
from podium.results.missing import MissingReport, resolve_missing

C = TypeVar("C", bound=Cube)
How: TypeAlias = Literal["mean", "median", "min", "max", "std", "quantile"] | Callable[[FloatArray], float]

_VECTORISED: dict[str, Callable[..., Any]] = {
    "mean": np.nanmean,
    "median": np.nanmedian,
    "min": np.nanmin,
    "max": np.nanmax,
    "quantile": np.nanquantile,
}
_NAMES = ("mean", "median", "min", "max", "std", "quantile")


def aggregate(cube: C, how: How, q: float | None, missing: str) -> tuple[C, MissingReport]:
    """Reduce the replications of every data set to one value."""
    if not callable(how) and how not in _NAMES:
        raise InputError(f"`how` must be one of {listing(_NAMES, most=9)} or a function; got {how!r}.")
    if (how == "quantile") != (q is not None):
        raise InputError("`q` goes with how='quantile', and only with it: aggregate('quantile', q=0.9).")
    if q is not None and not 0 <= q <= 1:
        raise InputError(f"`q` must lie between 0 and 1; got {q!r}.")
    complete, report = resolve_missing(cube, missing)
    name = f"quantile {q:g}" if q is not None else how if isinstance(how, str) else _name_of(how)
    measures = complete.measures
    if how == "std":  # the spread of an accuracy is no accuracy: less of it is better
        measures = tuple(dataclasses.replace(info, direction="lower") for info in measures)
    in_design = np.where(complete.design[:, :, None, None], complete.reasons, 0)
    single = complete.replace(
        values=(_apply(complete, how) if callable(how) else _reduce(complete, how, q))[:, None],
        reasons=in_design.max(axis=1, keepdims=True),  # a reason that says something wins over "absent"
        measures=measures,
        design=np.ones((len(complete.datasets), 1), bool),
        structure={},
        replications=(name,),
    )
    return single, report


def _reduce(cube: Cube, how: str, q: float | None) -> FloatArray:
    some = np.any(cube.present, axis=1)
    values = np.where(some[:, None], cube.values, 0.0)  # slices without a value would warn; they end as NaN
    if how == "std":
        reduced = _sample_deviation(values)
    else:
        reduced = _VECTORISED[how](values, axis=1, **({} if q is None else {"q": q}))
    return np.where(some, reduced, np.nan)


def _sample_deviation(values: FloatArray) -> FloatArray:
    """Return the standard deviation with n - 1; NaN (and no warning) for a single value."""
    n = np.sum(~np.isnan(values), axis=1)
    centred = values - np.nanmean(values, axis=1, keepdims=True)
    squares = np.nansum(centred**2, axis=1)
    deviation: FloatArray = np.sqrt(np.divide(squares, n - 1, out=np.full(n.shape, np.nan), where=n > 1))
    return deviation


def _apply(cube: Cube, how: Callable[[FloatArray], float]) -> FloatArray:
    m, _, k, j = cube.shape
    reduced = np.full((m, k, j), np.nan)
    for at in np.ndindex(m, k, j):
        column = cube.values[at[0], :, at[1], at[2]]
        column = column[~np.isnan(column)]
        if column.size:
            value = np.asarray(how(column))
            if value.shape != ():
                raise InputError(
                    f"`how` must return one number for the values of an algorithm on a data set; "
                    f"{_name_of(how)} returned an array of shape {value.shape}."
                )
            reduced[at] = value
    return reduced


def _name_of(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__name__", type(function).__name__)).replace("<lambda>", "function")
