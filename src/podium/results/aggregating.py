"""Aggregating over replications: one number per data set, algorithm and measure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np

from podium.errors import InputError, listing
from podium.results.cube import Cube, FloatArray
from podium.results.missing import MissingReport, parse_policy, resolve_missing

C = TypeVar("C", bound=Cube)
How: TypeAlias = Literal["mean", "median", "min", "max", "std", "quantile"] | Callable[[FloatArray], float]

_VECTORISED: dict[str, Callable[..., Any]] = {
    "mean": np.nanmean,
    "median": np.nanmedian,
    "min": np.nanmin,
    "max": np.nanmax,
}


def aggregate(cube: C, how: How, q: float | None, missing: str) -> tuple[C, MissingReport]:
    """Reduce the replications of every data set to one value."""
    policy = parse_policy(missing, allowed=("raise", "drop-block", "drop-algorithm", "worst-value", "available"))
    if (how == "quantile") != (q is not None):
        raise InputError("`q` goes with how='quantile', and only with it: aggregate('quantile', q=0.9).")
    if q is not None and not 0 <= q <= 1:
        raise InputError(f"`q` must lie between 0 and 1; got {q!r}.")
    complete, report = resolve_missing(cube, policy)
    values = _reduce(complete, how, q)
    name = f"quantile {q:g}" if q is not None else how if isinstance(how, str) else _name_of(how)
    single = complete.replace(
        values=values[:, None],
        reasons=None,
        design=np.ones((len(complete.datasets), 1), bool),
        structure={},
        replications=(name,),
    )
    return single, report


def _reduce(cube: Cube, how: How, q: float | None) -> FloatArray:
    if callable(how):
        return _apply(cube, how)
    values, some = cube.values, cube.present.any(axis=1)
    if not some.all():  # all-NaN slices would warn; they stay NaN
        values = np.where(some[:, None], values, 0.0)
    if how == "quantile":
        reduced = np.nanquantile(values, q, axis=1)
    elif how == "std":
        reduced = _sample_deviation(values)
    elif how in _VECTORISED:
        reduced = _VECTORISED[how](values, axis=1)
    else:
        known = [*_VECTORISED, "std", "quantile"]
        raise InputError(f"`how` must be one of {listing(known, most=9)} or a function; got {how!r}.")
    return np.where(some, reduced, np.nan)


def _sample_deviation(values: FloatArray) -> FloatArray:
    """Standard deviation with n - 1; NaN (no warning) for a single value."""
    n = (~np.isnan(values)).sum(axis=1)
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
