"""Aggregation over replications: one number per data set, algorithm and measure; deviations of numbers of any size."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np

from podium.arrays import FloatArray
from podium.checks import call_statistic, did_you_mean, function_name, is_number, shown
from podium.errors import InputError, join_names
from podium.results.cube import Cube
from podium.results.missing import MissingReport, resolve_missing, shared_cells

C = TypeVar("C", bound=Cube)
Aggregation: TypeAlias = Literal["mean", "median", "min", "max", "sd", "quantile"] | Callable[[FloatArray], float]

_VECTORISED: dict[str, Callable[..., Any]] = {
    "mean": np.nanmean,
    "median": np.nanmedian,
    "min": np.nanmin,
    "max": np.nanmax,
    "quantile": np.nanquantile,
}
_NAMES = ("mean", "median", "min", "max", "sd", "quantile")


def aggregate(cube: C, statistic: Aggregation, quantile: float | None, missing: str) -> tuple[C, MissingReport]:
    """Reduce the replications of every data set to one value."""
    if not callable(statistic) and not (isinstance(statistic, str) and statistic in _NAMES):
        raise InputError(
            f"`statistic` must be one of {join_names(_NAMES, most=9)} or a function; got "
            f"{shown(statistic)}.{did_you_mean(statistic, _NAMES)}"
        )
    if (statistic == "quantile") != (quantile is not None):
        raise InputError("`quantile` and statistic='quantile' must be given together, such as `quantile=0.9`.")
    if quantile is not None and not (is_number(quantile) and 0 <= quantile <= 1):
        raise InputError(f"`quantile` must be a number between 0 and 1; got {shown(quantile)}.")
    complete, report = resolve_missing(cube, missing)
    reasons = complete.reasons
    if report.common is not None:
        complete = complete.replace(values=np.where(shared_cells(complete), complete.values, np.nan))
    if callable(statistic):
        name, values = function_name(statistic).replace("<lambda>", "function"), _apply(complete, statistic)
    else:
        name = statistic if quantile is None else f"quantile {quantile:g}"
        values = _reduce(complete, statistic, quantile)
    measures = complete.measures
    if statistic == "sd":  # the spread of an accuracy is not an accuracy: less of it is better
        measures = tuple(dataclasses.replace(info, direction="lower") for info in measures)
    in_design = np.where(complete.design[:, :, None, None], reasons, 0)
    single = complete.replace(
        values=values[:, None],
        reasons=in_design.max(axis=1, keepdims=True),  # a specific reason wins over "absent"
        measures=measures,
        design=np.ones((len(complete.datasets), 1), bool),
        structure={},
        replications=(name,),
    )
    return single, report


def _reduce(cube: Cube, statistic: str, quantile: float | None) -> FloatArray:
    some = np.any(cube.present, axis=1)
    values = np.where(some[:, None], cube.values, 0.0)  # slices without a value would cause warnings; they become NaN
    if statistic == "sd":
        reduced = sample_deviation(values, axis=1)
    else:
        reduced = _VECTORISED[statistic](values, axis=1, **({} if quantile is None else {"q": quantile}))
    return np.where(some, reduced, np.nan)


def _apply(cube: Cube, statistic: Callable[[FloatArray], float]) -> FloatArray:
    m, _, k, j = cube.shape
    reduced = np.full((m, k, j), np.nan)
    for at in np.ndindex(m, k, j):
        column = cube.values[at[0], :, at[1], at[2]]
        column = column[~np.isnan(column)]
        if column.size:
            reduced[at] = call_statistic(statistic, "statistic", column)
    return reduced


def power_of_two(values: FloatArray, axis: int = 1) -> FloatArray:
    """Return the largest power of two that is not above the largest size along an axis; 1 where all are 0.

    Values divided by it lose no digit, and their squares neither vanish nor overflow.
    """
    size = np.abs(values).max(axis=axis, initial=0.0, where=~np.isnan(values), keepdims=True)
    unit: FloatArray = np.ldexp(1.0, np.frexp(np.where(size > 0, size, 1.0))[1] - 1)
    return unit


def sample_deviation(values: FloatArray, axis: int = 0) -> FloatArray:
    """Return the standard deviation with n - 1 along an axis, without missing values; NaN for fewer than two."""
    unit = power_of_two(values, axis)
    n = np.sum(~np.isnan(values), axis=axis, keepdims=True)
    scaled = values / unit
    centred = scaled - np.nansum(scaled, axis=axis, keepdims=True) / np.maximum(n, 1)
    squares = np.nansum(centred**2, axis=axis, keepdims=True)
    variance = np.divide(squares, n - 1, out=np.full(n.shape, np.nan), where=n > 1)
    deviation: FloatArray = (np.sqrt(variance) * unit).squeeze(axis)
    return deviation
