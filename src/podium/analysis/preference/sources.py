"""Where preferences come from: ranks, point estimates, and the numbers of a benchmark experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.arrays import BoolArray, FloatArray
from podium.checks import as_numbers, describe, did_you_mean, expect
from podium.errors import InputError, LabelError, listing
from podium.results import Results

if TYPE_CHECKING:
    from podium.analysis.preference.relation import Relation

Direction: TypeAlias = Literal["lower", "greater"]
Values: TypeAlias = "Mapping[str, float] | pd.Series[Any] | npt.ArrayLike"

_STATISTICS = ("mean", "median", "min", "max", "std", "quantile")

# Two sums of the same numbers in another order differ by a few units in the last place.
ROUNDING = 16 * np.finfo(np.float64).eps


def labelled_values(values: Values, algorithms: Sequence[str] | None, argument: str) -> tuple[FloatArray, list[str]]:
    """Take one number per algorithm from a mapping, a Series, or a sequence with names."""
    refuse_not_numeric(values, argument)
    if isinstance(values, pd.Series):
        values = {str(name): value for name, value in values.items()}
    if isinstance(values, Mapping):
        if algorithms is not None:
            raise InputError(f"`{argument}` names the algorithms already; leave `algorithms` out.")
        algorithms, numbers = [str(name) for name in values], as_numbers(list(values.values()), argument)
    elif algorithms is None:
        raise InputError(f"`algorithms` is missing: `{argument}` holds numbers without names.")
    else:
        numbers = as_numbers(values, argument)
    if numbers.ndim != 1 or len(numbers) != len(algorithms):
        raise InputError(
            f"`{argument}` must hold one number for each of the {len(algorithms)} algorithms; "
            f"got shape {numbers.shape}."
        )
    if not np.isfinite(numbers).all():
        culprits = [name for name, number in zip(algorithms, numbers, strict=True) if not np.isfinite(number)]
        raise InputError(f"`{argument}` must be finite numbers; those of {listing(culprits)} are not.")
    return numbers, list(algorithms)


def better_by_value(values: FloatArray, direction: Direction, epsilon: float) -> BoolArray:
    """Which algorithms are better than which by more than epsilon."""
    if direction not in ("lower", "greater"):
        raise InputError(f"`direction` must be 'lower' or 'greater' (which is better); got {direction!r}.")
    if not epsilon >= 0:
        raise InputError(f"`epsilon` must be a number of at least 0; got {epsilon!r}.")
    costs = values if direction == "lower" else -values
    gain = costs[None, :] - costs[:, None]
    slack = ROUNDING * np.maximum(np.abs(values)[:, None], np.abs(values)[None, :])
    better: BoolArray = gain > epsilon + slack
    return better


def estimates_by(
    results: Results, statistic: Any, by: Literal["dataset", "measure"], q: float | None, missing: str
) -> tuple[dict[str, tuple[FloatArray, Direction]], tuple[str, ...]]:
    """Reduce replications to one number per algorithm, for each data set or measure, with its direction."""
    ends: tuple[Any, Any] | None = None
    if isinstance(statistic, str):
        ends = {"worst": ("max", "min"), "best": ("min", "max")}.get(statistic)
        if ends is None and statistic not in _STATISTICS:
            known = ["worst", "best", *_STATISTICS]
            raise InputError(
                f"`statistic` must be one of {listing(known, most=9)} or a function; got {statistic!r}."
                f"{did_you_mean(statistic, known)}"
            )
    lower = results.aggregate(ends[0] if ends else statistic, q=q, missing=missing)
    greater = results.aggregate(ends[1], missing=missing) if ends else lower
    found: dict[str, tuple[FloatArray, Direction]] = {}
    for m, dataset in enumerate(lower.datasets):
        for j, measure in enumerate(lower.measures):
            reduced = lower if measure.direction == "lower" else greater
            direction: Direction = "lower" if statistic == "std" else measure.direction
            found[dataset if by == "dataset" else measure.name] = (reduced.values[m, 0, :, j], direction)
    return found, lower.algorithms


def preferences(
    results: Results,
    *,
    statistic: Any = "mean",
    by: Literal["dataset", "measure"] | None = None,
    epsilon: float | Mapping[str, float] = 0.0,
    q: float | None = None,
    missing: str = "raise",
) -> dict[str, Relation]:
    """Order the algorithms by a point estimate, on each data set or for each measure.

    Parameters
    ----------
    results : Results
    statistic : {"mean", "median", "worst", "best", "min", "max", "std", "quantile"} or callable, default "mean"
        What summarises the replications of an algorithm on a data set; see `Results.aggregate`. ``"worst"`` and
        ``"best"`` follow the direction of the measure: ``"worst"`` is the minimax order. Of ``"std"`` the lower one is
        better, of all others the one that is better for the measure.
    by : {"dataset", "measure"}, optional
        What the relations are named after; the other axis must have one label. Left out, it is the axis with
        several labels (data sets, if both have one).
    epsilon : float or mapping, default 0
        Differences up to this do not count; a mapping gives one for each data set or measure, 0 where it names none.
    q : float, optional
        The quantile, with ``statistic="quantile"``.
    missing : str, default "raise"
        Policy for missing cells, as in `Results.aggregate`.

    Returns
    -------
    dict of str to Relation
        In the order of the data sets or measures; each a strict relation (`Relation.from_estimates`).

    Examples
    --------
    >>> import podium
    >>> relations = podium.relations.preferences(podium.datasets.load_demsar2006())
    >>> str(relations["iris"])
    'C4.5 < C4.5+m ~ C4.5+m+cf < C4.5+cf'
    """
    from podium.analysis.preference.relation import Relation  # relation.py needs this module

    m, _, _, j = expect(results, Results, "results").shape
    if by is None:
        by = "measure" if m == 1 and j > 1 else "dataset"
    if by not in ("dataset", "measure"):
        raise InputError(f"`by` must be 'dataset' or 'measure'; got {by!r}.")
    other, labels = ("measure", results.measure_names) if by == "dataset" else ("dataset", results.datasets)
    refuse_several(labels, other)
    margins = epsilon if isinstance(epsilon, Mapping) else None
    found, algorithms = estimates_by(results, statistic, by, q, missing)
    if margins is not None and not set(margins) <= set(found):
        raise LabelError(
            f"`epsilon` names {listing(sorted(set(margins) - set(found)))}, which is no {by} of the results: "
            f"{listing(found, most=12)}."
        )
    return {
        label: Relation.from_estimates(
            values,
            algorithms=algorithms,
            direction=direction,
            epsilon=float(epsilon) if margins is None else float(margins.get(label, 0.0)),  # type: ignore[arg-type]
        )
        for label, (values, direction) in found.items()
    }


def refuse_several(labels: Sequence[str], axis: str) -> None:
    """Refuse results with several data sets or measures where one is needed."""
    if len(labels) > 1:
        raise InputError(
            f"`results` must have one {axis} here; it has {len(labels)}: {listing(labels)}. "
            f"Choose one with `results.select({axis}=...)`."
        )


def refuse_not_numeric(thing: object, argument: str) -> None:
    """Refuse what holds no numbers of algorithms at all, before anything else is asked about it."""
    if isinstance(thing, str) or not isinstance(thing, Mapping | Sequence | np.ndarray | pd.Series | pd.DataFrame):
        raise InputError(f"`{argument}` must be numbers; got {describe(thing)}.")
