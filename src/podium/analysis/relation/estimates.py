"""Point estimates of the algorithms: one number each, and which algorithm is better by it; names of algorithms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.arrays import BoolArray, FloatArray
from podium.checks import as_list, as_numbers, check_choice, check_epsilon, did_you_mean, position, shown
from podium.errors import InputError, LabelError, join_names
from podium.results import Results
from podium.results.aggregation import Aggregation
from podium.results.measure_info import Direction
from podium.results.ranks import ROUNDING

OrderStatistic: TypeAlias = str | Callable[[FloatArray], float]
Values: TypeAlias = "Mapping[str, float] | pd.Series[Any] | npt.ArrayLike"

# The statistic to take if lower values of the measure are better, and if greater ones are.
_BY_DIRECTION: dict[str, tuple[Any, Any]] = {"worst": ("max", "min"), "best": ("min", "max")}
_STATISTICS = (*_BY_DIRECTION, "mean", "median", "min", "max", "sd", "quantile")


def labelled_values(
    values: Values, algorithms: Sequence[str] | None, argument: str
) -> tuple[FloatArray, tuple[str, ...]]:
    """Take one number per algorithm from a mapping, a Series, or a sequence with names."""
    if isinstance(values, Mapping | pd.Series):
        if algorithms is not None:
            raise InputError(f"`{argument}` already names the algorithms; leave `algorithms` out.")
        names = check_algorithms([str(name) for name in values.keys()])  # noqa: SIM118  # a Series iterates its values
        numbers = as_numbers([value for _, value in values.items()], argument)
    elif algorithms is None:
        raise InputError(f"`algorithms` is missing: `{argument}` holds numbers without names.")
    else:
        names, numbers = check_algorithms(algorithms), as_numbers(values, argument)
    if numbers.shape != (len(names),):
        raise InputError(
            f"`{argument}` must hold one number for each of the {len(names)} algorithms; got shape {numbers.shape}."
        )
    if not np.isfinite(numbers).all():
        culprits = [name for name, number in zip(names, numbers, strict=True) if not np.isfinite(number)]
        raise InputError(f"`{argument}` must be finite numbers; those of {join_names(culprits)} are not.")
    return numbers, names


def better_by_value(values: FloatArray, direction: Direction, epsilon: float) -> BoolArray:
    """Which algorithms are better than which by more than epsilon."""
    check_choice(direction, ("lower", "higher"), "direction")
    least = check_epsilon(epsilon)
    costs = values if direction == "lower" else -values
    gain = costs[None, :] - costs[:, None]
    slack = ROUNDING * np.maximum(np.abs(values)[:, None], np.abs(values)[None, :])
    return gain > least + slack


def estimates_per(
    results: Results,
    per: Literal["dataset", "measure", "both"],
    statistic: OrderStatistic,
    quantile: float | None,
    missing: str,
) -> tuple[dict[str, tuple[FloatArray, Direction]], tuple[str, ...]]:
    """Reduce replications to one number per algorithm, for each data set or measure, with its direction."""
    if not callable(statistic) and not (isinstance(statistic, str) and statistic in _STATISTICS):
        raise InputError(
            f"`statistic` must be one of {join_names(_STATISTICS, most=9)} or a function; got "
            f"{shown(statistic)}.{did_you_mean(statistic, _STATISTICS)}"
        )
    ends = _BY_DIRECTION.get(statistic) if isinstance(statistic, str) else None
    lower = results.aggregate(ends[0] if ends else cast(Aggregation, statistic), quantile=quantile, missing=missing)
    greater = results.aggregate(ends[1], missing=missing) if ends else lower
    found: dict[str, tuple[FloatArray, Direction]] = {}
    for m, dataset in enumerate(lower.datasets):
        for j, measure in enumerate(lower.measures):
            reduced = lower if measure.direction == "lower" else greater
            direction: Direction = "lower" if statistic == "sd" else measure.direction
            label = {"dataset": dataset, "measure": measure.name, "both": cell_label(dataset, measure.name)}[per]
            found[label] = (reduced.values[m, 0, :, j], direction)
    return found, lower.algorithms


def cell_label(dataset: str, measure: str) -> str:
    """Name a measure on a data set."""
    return f"{dataset}: {measure}"


def check_algorithms(algorithms: Iterable[object]) -> tuple[str, ...]:
    """Refuse an empty sequence, names that are not text, and duplicates."""
    names = as_list(algorithms, "algorithms", "several names, such as ['svm', 'knn']")
    if not names:
        raise InputError("`algorithms` is empty: a relation needs at least one algorithm.")
    odd = [name for name in names if not isinstance(name, str) or not name]
    if odd:
        raise InputError(f"`algorithms` must be names; got {join_names(map(shown, odd), quote=False)}.")
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise LabelError(f"`algorithms` must be different; {join_names(twice)} is given twice.")
    return tuple(names)


def positions(known: Sequence[str], names: Iterable[str], argument: str) -> list[int]:
    """Positions of several names among the known ones."""
    expected = f"several names, such as {list(known[:2])}"
    return [position(known, name, argument, "name only") for name in as_list(names, argument, expected)]
