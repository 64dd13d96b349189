"""Statistics of a performance distribution: named ones, quantiles, and any function; and their bootstrap."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from podium.arrays import FloatArray
from podium.checks import call_statistic, check_count, did_you_mean, function_name, random_generator
from podium.errors import InputError, MissingCellsError, join_names
from podium.results import MeasureInfo
from podium.results.aggregation import sample_deviation

CELLS_AT_ONCE = 4_000_000  # 32 MB of float

# A name, or a function from the values of one algorithm to a number.
StatisticLike: TypeAlias = str | Callable[[FloatArray], float]
Wanted: TypeAlias = StatisticLike | Sequence[StatisticLike] | Mapping[str, StatisticLike]


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic of a distribution.

    Attributes
    ----------
    name : str
    reduce : callable
        From an array to the statistic along its first axis.
    better : {"as measured", "lower"}
        Which values of the statistic are better: those in the direction of the measure (a mean, a quantile), or
        the lower ones whatever the measure (a standard deviation).
    meaning : str
        For legends.
    """

    name: str
    reduce: Callable[[FloatArray], FloatArray]
    better: Literal["as measured", "lower"]
    meaning: str

    def of(self, values: FloatArray) -> FloatArray:
        """Compute it for each column, without the missing cells."""
        if not np.isnan(values).any():
            return np.asarray(self.reduce(values), float)
        columns = [column[~np.isnan(column)] for column in values.T]
        return np.array([float(self.reduce(column)) if len(column) else np.nan for column in columns])

    def sign(self, measure: MeasureInfo) -> Literal[1, -1]:
        """1 if lower values of the statistic are better for this measure, else -1."""
        return 1 if self.better == "lower" else measure.sign


def statistics_of(wanted: Wanted, measure: MeasureInfo) -> list[Statistic]:
    """Look up named statistics, and wrap functions."""
    if isinstance(wanted, Mapping):
        return [_statistic(one, measure, str(name), f"statistics[{name!r}]") for name, one in wanted.items()]
    if isinstance(wanted, Sequence) and not isinstance(wanted, str):
        return [_statistic(one, measure, None, "statistics") for one in wanted]
    return [_statistic(wanted, measure, None, "statistics")]


def one_statistic(wanted: StatisticLike, measure: MeasureInfo) -> Statistic:
    """Look up one named statistic, or wrap a function."""
    return _statistic(wanted, measure, None, "statistic")


def _statistic(wanted: object, measure: MeasureInfo, name: str | None, argument: str) -> Statistic:
    if callable(wanted):
        return _wrapped(wanted, name, argument)
    found = (_named(measure).get(wanted) or _quantile(wanted)) if isinstance(wanted, str) else None
    if found is None:
        known = [*_named(measure), "q25", "q95"]
        raise InputError(
            f"`{argument}` must be one of {join_names(known, most=20)} (any of q0 to q100), or a function; got "
            f"{wanted!r:.60}.{did_you_mean(wanted, known)}"
        )
    return found if name is None else Statistic(name, found.reduce, found.better, found.meaning)


def _named(measure: MeasureInfo) -> dict[str, Statistic]:
    low = measure.direction == "lower"
    best, worst = (np.min, np.max) if low else (np.max, np.min)
    table: list[tuple[str, Any, Literal["as measured", "lower"], str]] = [
        ("mean", _mean, "as measured", "mean"),
        ("median", _median, "as measured", "median"),
        ("min", np.min, "as measured", "smallest value"),
        ("max", np.max, "as measured", "largest value"),
        ("best", best, "as measured", f"best value ({'smallest' if low else 'largest'})"),
        ("worst", worst, "as measured", f"worst value ({'largest' if low else 'smallest'})"),
        ("sd", _sd, "lower", "standard deviation, with n - 1"),
        ("iqr", _iqr, "lower", "distance between the quartiles"),
        ("range", np.ptp, "lower", "distance between smallest and largest value"),
    ]
    return {
        name: Statistic(name, lambda x, f=f: f(x, axis=0), better, text)  # type: ignore[misc]
        for name, f, better, text in table
    }


def _quantile(name: str) -> Statistic | None:
    match = re.fullmatch(r"q(\d{1,3}(?:\.\d+)?)", name)
    if match is None or float(match[1]) > 100:
        return None
    q = float(match[1]) / 100
    text = f"{match[1]}% quantile, linearly interpolated"
    return Statistic(name, lambda x: np.asarray(np.quantile(x, q, axis=0)), "as measured", text)


def _wrapped(function: Callable[[FloatArray], float], name: str | None, argument: str) -> Statistic:
    def reduce(values: FloatArray) -> FloatArray:
        return np.asarray(np.apply_along_axis(partial(call_statistic, function, argument), 0, values))

    title = name or function_name(function)
    doc = (inspect.getdoc(function) or "").partition("\n")[0].rstrip(".")
    own = doc if doc and not isinstance(function, type) else f"the function {title}"
    return Statistic(title, reduce, "as measured", own)


def _mean(x: FloatArray, axis: int) -> FloatArray:
    return np.asarray(np.mean(x, axis=axis))


def _median(x: FloatArray, axis: int) -> FloatArray:
    return np.asarray(np.median(x, axis=axis))


def _sd(x: FloatArray, axis: int) -> FloatArray:
    return sample_deviation(x, axis)


def _iqr(x: FloatArray, axis: int) -> FloatArray:
    low, high = np.quantile(x, [0.25, 0.75], axis=axis)
    return np.asarray(high - low)


def bootstrap(
    values: FloatArray, reduce: Callable[[FloatArray], FloatArray], *, resamples: int, seed: int
) -> FloatArray:
    """Compute a statistic on resampled blocks.

    Parameters
    ----------
    values : ndarray of float, shape (blocks, algorithms)
    reduce : callable
        From an array to the statistic along its first axis.
    resamples : int
    seed : int

    Returns
    -------
    ndarray of float, shape (resamples, algorithms)
    """
    check_count(resamples, "resamples")
    random = random_generator(seed)
    if np.isnan(values).any():
        raise MissingCellsError("The bootstrap draws whole blocks; use missing='drop-block' or 'worst-value'.")
    n, k = values.shape
    draws = np.empty((resamples, k))
    step = max(1, CELLS_AT_ONCE // (n * k))
    for start in range(0, resamples, step):
        stop = min(start + step, resamples)
        drawn = random.integers(0, n, size=(stop - start, n)).T
        draws[start:stop] = reduce(values[drawn])
    return draws


def percentile_ends(draws: FloatArray, alpha: float) -> tuple[FloatArray, FloatArray]:
    """Take the ends of percentile intervals, as order statistics of the rows.

    With n rows these are the ⌈nα/2⌉-th and the ⌈n(1-α/2)⌉-th value: the percentile interval of Efron and Tibshirani
    (1993, chapter 13), as in Eugster (2011), section 2.1.
    """
    n = len(draws)
    tail = alpha / 2
    ordered = np.sort(draws, axis=0)
    return ordered[_position(n * tail)], ordered[_position(n * (1 - tail))]


def _position(rank: float) -> int:
    """Turn a rank into an index; a whole number that rounding has pushed up a little is not rounded up again."""
    return max(int(np.ceil(np.round(rank, 9))) - 1, 0)
