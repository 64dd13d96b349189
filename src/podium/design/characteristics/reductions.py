"""Reductions: from the vector of a characteristic to numbers, as many for every data set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from podium.arrays import FloatArray
from podium.checks import check_call, check_choice, is_number, shown
from podium.errors import InputError, UndefinedError

Reduction: TypeAlias = str | Callable[[FloatArray], Any]

__all__ = ["REDUCTIONS", "histogram", "quantiles"]


@check_call
def quantiles(*levels: float) -> Callable[[FloatArray], dict[str, float]]:
    """Reduce a vector to quantiles.

    Parameters
    ----------
    *levels : float
        Between 0 and 1; minimum, quartiles and maximum by default.

    Examples
    --------
    >>> import numpy as np
    >>> import podium
    >>> podium.design.quantiles(0.5, 0.9)(np.arange(11))
    {'q50': 5.0, 'q90': 9.0}
    """
    wanted = levels or (0.0, 0.25, 0.5, 0.75, 1.0)
    wrong = [level for level in wanted if not is_number(level) or not 0 <= level <= 1]
    if wrong:
        raise InputError(f"`levels` must lie between 0 and 1; got {shown(wrong[0])}.")

    def reduce(vector: FloatArray) -> dict[str, float]:
        found = np.quantile(vector, wanted)
        return {f"q{100 * level:g}": float(value) for level, value in zip(wanted, found, strict=True)}

    return reduce


@check_call
def histogram(edges: Sequence[float]) -> Callable[[FloatArray], dict[str, float]]:
    """Reduce a vector to the shares of its values in the bins of a histogram.

    The bins are the same for all data sets, so that they can be compared. Values outside go to the first or last bin.

    Parameters
    ----------
    edges : sequence of float
        Increasing; one more than there are bins.

    Examples
    --------
    >>> import numpy as np
    >>> import podium
    >>> podium.design.histogram([-2, 0, 2])(np.array([-1.0, 0.5, 1.0, 9.0]))
    {'h1': 0.25, 'h2': 0.75}
    """
    try:
        bounds = np.asarray(edges, dtype=float)
    except (TypeError, ValueError, OverflowError):
        bounds = np.empty(0)
    if bounds.ndim != 1 or len(bounds) < 2 or not (np.diff(bounds) > 0).all():
        raise InputError(f"`edges` must be at least two increasing numbers; got {shown(edges)}.")

    def reduce(vector: FloatArray) -> dict[str, float]:
        place = np.searchsorted(bounds[1:-1], vector, side="right")
        share = np.bincount(place, minlength=len(bounds) - 1) / len(vector)
        return {f"h{bin + 1}": float(value) for bin, value in enumerate(share)}

    return reduce


def _sd(vector: FloatArray) -> float:
    if len(vector) < 2:
        raise UndefinedError("A standard deviation needs two values.")
    return float(np.std(vector, ddof=1))


REDUCTIONS: Mapping[str, Callable[[FloatArray], Any]] = {
    "mean": np.mean,
    "median": np.median,
    "min": np.min,
    "max": np.max,
    "sd": _sd,
    "quantiles": quantiles(),
}


def check_reduction(reduce: object, argument: str) -> None:
    """Refuse what reduces nothing."""
    if not callable(reduce):
        check_choice(reduce, REDUCTIONS, argument)


def labels(reduce: Reduction, name: str) -> tuple[str, ...]:
    """Return the names of what a reduction gives, for a data set that lacks the characteristic."""
    try:
        return tuple(reduced(np.zeros(2), reduce, name))
    except Exception:  # a user's function that does not accept zeros
        return (name,)


def reduced(vector: FloatArray, reduce: Reduction, name: str) -> dict[str, float]:
    """Reduce a vector; each of several numbers gets the name with a suffix."""
    function = REDUCTIONS[reduce] if isinstance(reduce, str) else reduce
    found = function(vector)
    if isinstance(found, Mapping):
        return {f"{name}.{ending}": float(value) for ending, value in found.items()}
    values = np.asarray(found, dtype=float)
    if values.ndim == 0 or values.size == 1:
        return {name: float(values.reshape(-1)[0])}
    return {f"{name}.{i + 1}": float(value) for i, value in enumerate(values.reshape(-1))}
