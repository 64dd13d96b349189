"""What algorithms cost: one number per data set and algorithm, from a measure, other results, or given numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from podium.analysis.blocks import one_measure
from podium.analysis.notes import Note
from podium.arrays import AnyArray, BoolArray, FloatArray
from podium.checks import describe, did_you_mean, is_number, shown
from podium.errors import InputError, LabelError, MissingCellsError, join_names
from podium.results import MeasureInfo, Results
from podium.results.cube import ABSENT
from podium.results.measure_info import parse_direction
from podium.results.missing import MissingPolicy

# A measure of the results, other results, numbers by algorithm (and data set), or the names, cheapest first.
Cost: TypeAlias = "str | Results | pd.Series[Any] | pd.DataFrame | Mapping[str, float] | Sequence[Any] | AnyArray"

_EXPECTED = (
    "must be the name of a measure, a Results, a number for each algorithm (a Series, a dict, a "
    "DataFrame with one row per data set, or a list in the order of the algorithms), or the algorithms' names, "
    "cheapest first"
)


@dataclass(frozen=True, kw_only=True)
class CostTable:
    """Cost of each algorithm on each data set, in its own units.

    Attributes
    ----------
    info : MeasureInfo
        Name and direction; where greater is better, greater is preferred.
    datasets, algorithms : tuple of str
    values : ndarray of float, shape (M, K)
        NaN where a cost is not known.
    same : bool
        Whether it was given once for all data sets.
    """

    info: MeasureInfo
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    values: FloatArray
    same: bool = False

    @property
    def costs(self) -> FloatArray:
        """The values, with the sign that makes lower preferred; what is not known costs more than anything else."""
        costs: FloatArray = self.info.sign * self.values
        return np.where(np.isnan(costs), np.inf, costs)

    @property
    def unknown(self) -> BoolArray:
        """Which costs are not known, shape (M, K)."""
        return np.isnan(self.values)

    def of(self, dataset: str) -> FloatArray:
        """Costs on one data set, lower preferred."""
        costs: FloatArray = self.costs[self.datasets.index(dataset)]
        return costs

    def shown(self, dataset: str) -> FloatArray:
        """Costs on one data set, in their own units."""
        values: FloatArray = self.values[self.datasets.index(dataset)]
        return values

    @property
    def average(self) -> FloatArray:
        """Mean over the data sets of the normalised costs: 0 for the cheapest on a data set, 1 for the costliest.

        Dividing by the range is what the report does (tables A.9 and A.10); subtracting the lowest cost first moves all
        averages by the same amount and does not change their order.
        """
        signed = self.info.sign * self.values
        gaps = np.isnan(signed)
        low = np.where(gaps, np.inf, signed).min(axis=1, keepdims=True)
        high = np.where(gaps, -np.inf, signed).max(axis=1, keepdims=True)
        shares = np.where(gaps, np.nan, signed - low) / np.where(high > low, high - low, 1.0)
        known = ~np.isnan(shares)
        total = np.where(known, shares, 0.0).sum(axis=0)
        return np.where(known.any(axis=0), total / np.maximum(known.sum(axis=0), 1), np.nan)

    def take(self, datasets: Sequence[str], algorithms: Sequence[str]) -> CostTable:
        """Keep some data sets and algorithms."""
        rows = [self.datasets.index(name) for name in datasets]
        columns = [self.algorithms.index(name) for name in algorithms]
        values = self.values[np.ix_(rows, columns)]
        return replace(self, datasets=tuple(datasets), algorithms=tuple(algorithms), values=values)


def split_cost(results: Results, measure: str | None, cost: Any) -> tuple[Results, Any]:
    """Return the results of the measure that is tested, and the cost; the name of a measure becomes its results."""
    if not isinstance(cost, str):
        return one_measure(results, measure), cost
    if cost not in results.measure_names:
        raise LabelError(
            f"`cost` must be a measure of the results, {join_names(results.measure_names, most=12)}; got "
            f"{cost!r}.{did_you_mean(cost, results.measure_names)} Give your own cost as a dict, a Series or a Results."
        )
    others = [name for name in results.measure_names if name != cost]
    if cost == measure or not others:
        raise InputError(f"`cost={cost!r}` is the measure that is tested; name another one, or give your own cost.")
    tested = others[0] if measure is None and len(others) == 1 else measure
    if tested is None:
        raise InputError(
            f"These results have {len(others)} measures besides the cost; say which one is tested: "
            f"measure={others[0]!r}. There are {join_names(others, most=12)}.",
            remedy={"measure": others[0]},
        )
    return measured(one_measure(results, tested)), measured(results.select(measure=cost))


def measured(results: Results) -> Results:
    """Leave out replications in which no algorithm has a row: there the measure was not taken.

    A cost that is known once per data set is then a separate replication, not missing in all others.
    """
    taken = (results.reasons[..., 0] != ABSENT).any(axis=2)
    if bool((taken | ~results.design).all()):
        return results
    kept = taken.any(axis=0)
    return results.replace(design=results.design & taken).select(
        replication=[name for name, there in zip(results.replications, kept, strict=True) if there]
    )


def cost_table(
    cost: Any,
    datasets: tuple[str, ...],
    algorithms: tuple[str, ...],
    *,
    direction: str | None,
    missing: MissingPolicy,
) -> CostTable:
    """Read a cost: one number for each data set and algorithm, NaN where there is none.

    Parameters
    ----------
    cost
        As `Cost`, but no name of a measure.
    datasets, algorithms : tuple of str
        What costs are needed for; others are left out.
    direction : str or None
        Which values are preferred, where the cost does not say so itself; lower by default.
    missing : str
        Policy for replications without a cost: ``"raise"`` refuses them, the others average those that exist.
    """
    if isinstance(cost, Results):
        return _from_results(cost, datasets, algorithms, direction, missing)
    if isinstance(cost, pd.DataFrame):
        return _from_frame(cost, datasets, algorithms, direction, missing)
    name, by_name = _by_hand(cost, algorithms)
    values = np.tile([by_name[a] for a in algorithms], (len(datasets), 1)).astype(float)
    return CostTable(info=_info(name, direction), datasets=datasets, algorithms=algorithms, values=values, same=True)


def unknown_notes(table: CostTable, missing: MissingPolicy) -> tuple[Note, ...]:
    """Refuse costs that are not known, or say what is done about them."""
    lacking = [(table.datasets[m], table.algorithms[k]) for m, k in np.argwhere(table.unknown)]
    if not lacking:
        return ()
    if missing == "raise":
        first = "; ".join(f"{algorithm} on {dataset}" for dataset, algorithm in lacking[:3])
        more = f"; and {len(lacking) - 3:,} more" if len(lacking) > 3 else ""
        raise MissingCellsError(
            f"`cost` has no value for {first}{more}. Choose what to do with `missing`: 'drop-block' leaves the data "
            "set out, 'drop-algorithm' the algorithm; with the other policies a cost that is not known counts as the "
            "highest."
        )
    return (Note("unknown cost", cells=len(lacking), cost=table.info.name),)


def _info(name: str, direction: str | None) -> MeasureInfo:
    return MeasureInfo(name, "lower" if direction is None else parse_direction(direction))


def _from_results(
    cost: Results, datasets: tuple[str, ...], algorithms: tuple[str, ...], direction: str | None, missing: MissingPolicy
) -> CostTable:
    if len(cost.measures) > 1:
        raise InputError(
            f"`cost` has {len(cost.measures)} measures; select one: cost.select(measure={cost.measure_names[0]!r}). "
            "For the order of each of them, use podium.inference.orders_by_cost."
        )
    _refuse_lacking("algorithm", algorithms, cost.algorithms, missing == "drop-algorithm")
    _refuse_lacking("data set", datasets, cost.datasets, missing != "raise")
    rows = [i for i, name in enumerate(datasets) if name in cost.datasets]
    columns = [i for i, name in enumerate(algorithms) if name in cost.algorithms]
    chosen = cost.select(datasets=[datasets[i] for i in rows], algorithms=[algorithms[i] for i in columns])
    policy = "raise" if missing == "raise" else "available"
    values = np.full((len(datasets), len(algorithms)), np.nan)
    values[np.ix_(rows, columns)] = chosen.aggregate("mean", missing=policy).values[:, 0, :, 0]
    info = chosen.measures[0]
    if direction is not None:
        info = replace(info, direction=parse_direction(direction))
    return CostTable(info=info, datasets=datasets, algorithms=algorithms, values=values)


def _from_frame(
    cost: pd.DataFrame,
    datasets: tuple[str, ...],
    algorithms: tuple[str, ...],
    direction: str | None,
    missing: MissingPolicy,
) -> CostTable:
    frame = cost.rename(index=str, columns=str)
    _refuse_lacking("algorithm", algorithms, tuple(frame.columns), missing == "drop-algorithm")
    _refuse_lacking("data set", datasets, tuple(frame.index), missing != "raise")
    for axis, labels in (("columns", frame.columns), ("rows", frame.index)):
        if labels.has_duplicates:
            raise LabelError(f"`cost` has two {axis} {labels[labels.duplicated()][0]!r}.")
    frame = frame.reindex(index=list(datasets), columns=list(algorithms))
    try:
        values = frame.to_numpy(float)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"`cost` must hold numbers; got {describe(cost)} with other entries.") from None
    _refuse_infinite(values, [f"{a} on {d}" for d in datasets for a in algorithms])
    return CostTable(info=_info("cost", direction), datasets=datasets, algorithms=algorithms, values=values)


def _by_hand(cost: Any, algorithms: tuple[str, ...]) -> tuple[str, dict[str, float]]:
    """Read numbers by algorithm, or a list: numbers in the order of the algorithms, or names, cheapest first."""
    name = "cost"
    if isinstance(cost, pd.Series):
        if cost.index.has_duplicates:
            raise LabelError(f"`cost` has two values for {str(cost.index[cost.index.duplicated()][0])!r}.")
        name = str(cost.name).strip() if isinstance(cost.name, str) and cost.name.strip() else name
        cost = {str(key): value for key, value in cost.items()}
    if isinstance(cost, Mapping):
        given = {str(key): value for key, value in cost.items()}
        _refuse_lacking("algorithm", algorithms, tuple(given))
        return name, _numbers({a: given[a] for a in algorithms})
    if isinstance(cost, np.ndarray):
        cost = cost.tolist()
    if not isinstance(cost, Sequence) or isinstance(cost, str | bytes) or not cost:
        raise InputError(f"`cost` {_EXPECTED}; got {describe(cost)}.")
    if all(is_number(entry) for entry in cost):
        if len(cost) != len(algorithms):
            raise InputError(
                f"`cost` must have one number for each of the {len(algorithms)} algorithms, in their order; got "
                f"{len(cost)}."
            )
        return name, _numbers(dict(zip(algorithms, cost, strict=True)))
    return "given place", _places(cost, algorithms)


def _places(cost: Sequence[Any], algorithms: tuple[str, ...]) -> dict[str, float]:
    """Turn names, cheapest first, into places; names in an inner list share one."""
    groups = [[entry] if isinstance(entry, str) else entry for entry in cost]
    if not all(isinstance(g, Sequence | set | frozenset) and all(isinstance(n, str) for n in g) for g in groups):
        raise InputError(f"`cost` {_EXPECTED}; got {shown(cost)}.")
    names = [str(n) for group in groups for n in group]
    twice = [n for n in names if names.count(n) > 1]
    if twice:
        raise LabelError(f"`cost` names {twice[0]!r} twice.")
    _refuse_lacking("algorithm", algorithms, tuple(names))
    place = {str(n): float(i) for i, group in enumerate(groups, 1) for n in group}
    return {a: place[a] for a in algorithms}


def _numbers(by_name: Mapping[str, Any]) -> dict[str, float]:
    odd = [name for name, value in by_name.items() if not is_number(value) or np.isnan(float(value))]
    if odd:
        raise InputError(f"`cost` must be a number for each algorithm; that of {odd[0]!r} is {shown(by_name[odd[0]])}.")
    _refuse_infinite(np.array([float(v) for v in by_name.values()]), list(by_name))
    return {name: float(value) for name, value in by_name.items()}


def _refuse_infinite(values: FloatArray, names: Sequence[str]) -> None:
    endless = np.flatnonzero(np.isinf(values.ravel()))
    if endless.size:
        raise InputError(f"`cost` must be finite; that of {names[int(endless[0])]} is {values.ravel()[endless[0]]:g}.")


def _refuse_lacking(noun: str, needed: tuple[str, ...], known: tuple[str, ...], allowed: bool = False) -> None:
    """Refuse a cost without some of the labels; where that is `allowed`, only one without all of them."""
    lacking = [name for name in needed if name not in known]
    if len(lacking) == len(needed) or (lacking and not allowed):
        what = noun if len(lacking) == 1 else f"{noun}s"
        raise LabelError(
            f"`cost` lacks the {what} {join_names(lacking)}; it has "
            f"{join_names(known, most=12)}.{did_you_mean(lacking[0], known)}"
        )
