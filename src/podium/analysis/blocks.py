"""`Blocks`: one measure as a table, one row per block, one column per algorithm; tests, summaries and figures use it.

A block is a replication of one data set, or a data set of a domain; the two are never mixed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import lru_cache, partial
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from podium.analysis.notes import Note
from podium.arrays import BoolArray, FloatArray, Int64Array, IntArray
from podium.checks import (
    call_statistic,
    check_choice,
    describe,
    did_you_mean,
    expect,
    function_name,
    record,
    shown,
)
from podium.errors import InputError, LabelError, MissingCellsError, join_names
from podium.results import MeasureInfo, MissingReport, Results
from podium.results.aggregation import Aggregation
from podium.results.labels import Label, natural_key
from podium.results.missing import (
    RESOLVING,
    SETTING_ASIDE,
    MissingPolicy,
    missing_cells_error,
    parse_policy,
    report_missing,
    report_with_stopped,
    resolve_missing,
    set_stopped_aside,
    take_common,
)
from podium.results.ranks import ROUNDING, rank_rows
from podium.results.selection import take

Unit: TypeAlias = Literal["replication", "dataset"]

RANK_POLICIES: tuple[MissingPolicy, ...] = ("raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value")
VALUE_POLICIES: tuple[MissingPolicy, ...] = ("raise", "drop-block", "drop-algorithm", "worst-value")
PAIR_POLICIES: tuple[MissingPolicy, ...] = (*VALUE_POLICIES, "available")

_FEW = 32  # algorithms whose pairs are kept
_MAX_PAIRS = 200_000  # of 632 algorithms
_REDUCED = ("mean", "median", "min", "max", "sd")

LARGEST = 2.0**1000  # about 1e301: sums of millions of such numbers are still finite

# Decimal digits that are kept of a difference, counted from the first digit of the numbers it was computed from.
DIGITS = 15


@record(eq=False, kw_only=True)
class Blocks:
    """Values of one measure: n blocks × K algorithms.

    Attributes
    ----------
    values : ndarray of float, shape (n, K)
        NaN where a cell is missing and the policy left it so. Of a data set they are over the replications that all
        algorithms with a value on it share.
    labels : tuple
        The blocks: replications of the one data set, or data sets.
    algorithms : tuple of str
    measure : MeasureInfo
    unit : {"replication", "dataset"}
        What a block is.
    source : Results
        What the values were taken from, after the policy for missing cells.
    missing : MissingReport
        What was done about missing cells.
    structure : mapping of str to ndarray of int, shape (n,)
        Repeat, fold and sample sizes of the replications, as far as they are known.
    aggregate : str or callable
        How replications were reduced.
    notes : tuple of Note
    """

    values: FloatArray
    labels: tuple[Label, ...]
    algorithms: tuple[str, ...]
    measure: MeasureInfo
    unit: Unit
    source: Results
    missing: MissingReport
    structure: Mapping[str, Int64Array] = field(default_factory=dict)
    aggregate: Aggregation = "mean"
    notes: tuple[Note, ...] = ()

    @property
    def n(self) -> int:
        """Number of blocks."""
        return len(self.values)

    @property
    def datasets(self) -> int:
        """Number of data sets behind the blocks."""
        return len(self.source.datasets)

    @property
    def facts(self) -> dict[str, Any]:
        """What an outcome says about the blocks behind it, by the names of its fields."""
        return {name: getattr(self, name) for name in ("algorithms", "unit", "n", "datasets", "missing")}

    @property
    def costs(self) -> FloatArray:
        """The values, with the sign that makes lower better."""
        return self.measure.sign * self.values

    @property
    def means(self) -> FloatArray:
        """Mean of each algorithm over the blocks that all have; NaN if there is none."""
        return self._over_common(self.values)

    @property
    def mean_ranks(self) -> FloatArray:
        """Mean rank of each algorithm over the blocks that all have; NaN if there is none.

        Over all blocks, if missing cells are to be ranked last.
        """
        if self.missing.policy == "worst-rank":
            return np.asarray(rank_rows(self.costs, "average").mean(axis=0))
        return self._over_common(rank_rows(self.costs, "average"))

    def _over_common(self, numbers: FloatArray) -> FloatArray:
        """Average over the blocks that all algorithms with a value have."""
        lacking = np.isnan(self.values)
        valued = np.asarray(~lacking.all(axis=0))
        common = ~lacking[:, valued].any(axis=1)
        means = np.full(len(valued), np.nan)
        if common.any():
            means[valued] = numbers[np.ix_(common, valued)].mean(axis=0)
        return means

    @property
    def matched(self) -> bool:
        """Whether the replications of a data set have to be matched, because algorithms lack different ones."""
        return self.missing.policy == "available" and self.missing.missing > 0 and self.unit == "dataset"

    @property
    def wins(self) -> Int64Array:
        """In how many blocks the row is better than the column, of those that both have, shape (K, K)."""
        if self.matched:
            k = len(self.algorithms)
            first, second = all_pairs(k)
            loss = self.measure.sign * self.differences(first, second)
            wins = np.zeros((k, k), np.int64)
            wins[first, second], wins[second, first] = (loss < 0).sum(axis=1), (loss > 0).sum(axis=1)
            return wins
        costs, sizes = self.costs, np.abs(self.values)
        columns = zip(costs.T[:, :, None], sizes.T[:, :, None], strict=True)
        with np.errstate(invalid="ignore"):
            return np.stack([(costs - cost > ROUNDING * np.maximum(sizes, size)).sum(axis=0) for cost, size in columns])

    @property
    def common(self) -> Int64Array:
        """How many blocks the row and the column have in common, shape (K, K)."""
        if self.matched:
            there = (~np.isnan(self.cube)).astype(np.int64)  # M × B × K
            return np.asarray((np.swapaxes(there, 1, 2) @ there > 0).sum(axis=0))
        present = (~np.isnan(self.values)).astype(np.int64)
        return present.T @ present

    @property
    def cube(self) -> FloatArray:
        """The values before the replications were reduced, shape (M, B, K)."""
        return self.source.values[..., 0]

    @property
    def name(self) -> str:
        """Name of the data set, or how many there are."""
        return self.source.datasets[0] if self.datasets == 1 else f"{self.datasets} data sets"

    def position(self, algorithm: str) -> int:
        """Column of the control."""
        if not isinstance(algorithm, str) or algorithm not in self.algorithms:
            raise LabelError(
                f"`control` must be one of the algorithms {join_names(self.algorithms, most=12)}; got "
                f"{shown(algorithm)}.{did_you_mean(algorithm, self.algorithms)}"
            )
        return self.algorithms.index(algorithm)

    def pairs(self, control: str | None) -> tuple[IntArray, IntArray]:
        """Positions of all pairs, or of all others with the control."""
        if control is None:
            return all_pairs(len(self.algorithms))
        position = self.position(control)
        others = np.delete(np.arange(len(self.algorithms)), position)
        return others, np.full(len(others), position)

    def differences(self, first: IntArray, second: IntArray, origin: float = 0.0) -> FloatArray:
        """Differences a - b - origin in each block, one row per pair; NaN in blocks that a pair does not have."""
        return paired_differences(*self.sides(first, second), origin)

    def sides(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Values of a and of b in each block, one row per pair; of the replications that both have."""
        if self.matched:
            return self._common(first, second)
        return self.values.T[first], self.values.T[second]

    def _common(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Reduce, pair by pair, the replications that both algorithms have."""
        reduce = np.nanmedian if self.aggregate == "median" else np.nanmean
        if self.aggregate not in ("mean", "median"):
            raise InputError(
                "`missing='available'` needs aggregate='mean' or 'median' for replicated data sets; got "
                f"{shown(self.aggregate)}."
            )
        sides = []
        by_algorithm = np.moveaxis(self.cube, 2, 0)
        a, b = by_algorithm[first], by_algorithm[second]
        gaps: BoolArray = np.isnan(by_algorithm)
        both: BoolArray = np.logical_not(gaps[first] | gaps[second])
        some: BoolArray = np.any(both, axis=2)
        for side in (a, b):
            filled = np.where(both | ~some[:, :, None], np.nan_to_num(side), np.nan)
            sides.append(np.where(some, reduce(filled, axis=2), np.nan))
        return sides[0], sides[1]


def to_blocks(
    results: Results,
    measure: str | None = None,
    *,
    unit: Unit | None = None,
    aggregate: Aggregation = "mean",
    missing: str = "raise",
    allowed: tuple[MissingPolicy, ...] = RANK_POLICIES,
    analysis: str = "",
) -> Blocks:
    """Make the blocks of a test: select one measure, choose the unit, apply the policy for missing cells.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    unit : {"replication", "dataset"}, optional
        By default replications where there is one data set, and data sets where there are several.
    aggregate : str or callable, default "mean"
        How the replications of a data set are reduced, with unit ``"dataset"``.
    missing : str
        Policy for missing cells. With unit ``"dataset"`` and ``"worst-rank"``, an algorithm with a missing replication
        on a data set is ranked last on it.
    allowed : tuple of str
        The policies that make sense for the test.
    analysis : str
        Name of the test, for a message.
    """
    whole = chosen = one_measure(results, measure)
    if not callable(aggregate) and not (isinstance(aggregate, str) and aggregate in _REDUCED):
        raise InputError(
            f"`aggregate` must be one of {join_names(_REDUCED)} or a function; got "
            f"{shown(aggregate)}.{did_you_mean(aggregate, _REDUCED)}"
        )
    policy = parse_policy(missing, allowed=allowed, analysis=analysis)
    found_unit = find_unit(chosen, unit)
    if policy in SETTING_ASIDE:
        chosen = set_stopped_aside(chosen)
    if policy in ("worst-rank", "available"):
        report = report_missing(chosen, policy)
        # A block without any value is left out: it carries no information about the algorithms.
        there = chosen.present.any(axis=(2, 3))
        # Nor is an algorithm without any value compared, unless it is to be ranked last.
        valued = chosen.present.any(axis=(0, 1, 3)) | (policy == "worst-rank")
        resolved = take(chosen.replace(design=chosen.design & there), algorithm=np.flatnonzero(valued))
    elif policy == "raise" and chosen.missing.any():
        raise missing_cells_error(chosen, allowed)
    else:
        resolved = chosen.resolve_missing(policy)
        report = resolved.reports[-1]
    if found_unit == "dataset" and len(resolved.datasets) < 2:
        raise InputError(
            f"Only the data set {resolved.datasets[0]!r} is left after missing={policy!r}; two are needed."
        )
    blocks = (
        _of_datasets(resolved, aggregate, report) if found_unit == "dataset" else _of_replications(resolved, report)
    )
    if policy == "worst-rank":
        report = report_missing(chosen, policy, filled=int(np.isnan(blocks.values).sum()))
    _check_size(blocks)
    if chosen is not whole:
        report = report_with_stopped(report, whole, chosen)
    notes = stopped_notes(whole) + blocks.notes + ((Note("missing", report=report),) if report.missing else ())
    return dataclasses.replace(blocks, missing=report, notes=notes)


def stopped_notes(results: Results) -> tuple[Note, ...]:
    """Return the note on what a stopping rule has left out of a run, if it has."""
    planned = results.structure.get("planned")
    given = np.sum(results.design, axis=1)
    lacking = np.zeros_like(given) if planned is None else np.maximum(planned.max(axis=1) - given, 0)
    left_out = np.any(results.stopped & results.missing, axis=(0, 1, 3))
    if not lacking.any() and not left_out.any():
        return ()
    return (
        Note(
            "stopped",
            datasets=tuple(name for name, n in zip(results.datasets, lacking, strict=True) if n),
            replications=int(lacking.sum()),
            algorithms=tuple(name for name, gone in zip(results.algorithms, left_out, strict=True) if gone),
        ),
    )


def ordered_blocks(
    results: Results,
    measure: str | None = None,
    *,
    missing: str = "raise",
    order: Sequence[str] | None = None,
    allowed: tuple[MissingPolicy, ...] = RESOLVING,
) -> Blocks:
    """Make the blocks of a summary or a figure: rows in natural order, the algorithm with the best mean first.

    Replications of several data sets are averaged.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells. With ``"available"`` the blocks are those that all algorithms with a value have; if
        these are too few for an order, the algorithms come by name. With ``"worst-rank"`` an algorithm lacks the value
        of a data set where it lacks a replication, and the best mean rank comes first.
    order : sequence of str, optional
        The algorithms in the desired order, instead of the best mean first (equal means by name). Names of algorithms
        that the policy for missing cells drops are passed over; those without any value have empty columns.
    allowed : tuple of str
        The policies that the caller accepts.
    """
    chosen = one_measure(results, measure)
    if order is not None:
        _check_order(order, chosen.algorithms)
    resolved, report = _resolved(
        chosen, parse_policy(missing, allowed=allowed), allowed, () if order is None else order
    )
    single = len(resolved.datasets) == 1
    table = resolved if single else resolved.aggregate("mean", missing="available")
    values = table.values[0, :, :, 0] if single else table.values[:, 0, :, 0]
    labels: tuple[Label, ...] = table.replications if single else table.datasets
    filled = [i for i in range(len(labels)) if not np.isnan(values[i]).all()]
    rows = sorted(filled, key=lambda i: natural_key(labels[i]))
    values = values[rows]
    by_name = None if report.ordered else sorted(table.algorithms)
    costs = table.measures[0].sign * values
    costs = rank_rows(costs, "average") if report.policy == "worst-rank" else costs
    columns = _columns(table.algorithms, costs, by_name if order is None else order)
    return Blocks(
        values=values[:, columns],
        labels=tuple(labels[i] for i in rows),
        algorithms=tuple(table.algorithms[i] for i in columns),
        measure=table.measures[0],
        unit="replication" if single else "dataset",
        source=resolved,
        missing=report,
    )


def _resolved(
    chosen: Results, policy: MissingPolicy, allowed: tuple[MissingPolicy, ...], keep: Sequence[str]
) -> tuple[Results, MissingReport]:
    """Apply a policy for missing cells so that means are comparable; algorithms to `keep` may have an empty column."""
    if policy == "worst-rank":
        rest = set_stopped_aside(chosen)
        return lacking_as_whole(rest), report_missing(rest, policy, filled=int(rest.missing.sum()))
    resolved, report = resolve_missing(chosen, policy, allowed=allowed)
    resolved = resolved._with_reports((*chosen.reports, report))
    return (resolved if report.common is None else take_common(resolved, keep)), report


def lacking_as_whole(results: Results) -> Results:
    """Leave an algorithm without a value on each of several data sets on which it lacks a replication."""
    if len(results.datasets) == 1:
        return results
    lacks = results.missing.any(axis=1, keepdims=True)
    return results.replace(values=np.where(lacks, np.nan, results.values))


def one_measure(results: Results, measure: str | None, otherwise: str = "") -> Results:
    """Take the named measure, or the only one there is; without any value there is nothing to analyse.

    `otherwise` is a sentence for the message: another way out of several measures.
    """
    expect(results, Results, "results")
    if measure is not None:
        results = results.select(measure=measure)
    if len(results.measures) > 1:
        raise InputError(
            f"These results have {len(results.measures)} measures; say which one: "
            f"measure={results.measure_names[0]!r}. There are {join_names(results.measure_names, most=12)}.{otherwise}",
            remedy={"measure": results.measure_names[0]},
        )
    if np.isnan(results.values).all():
        raise MissingCellsError(
            f"These results have no value of {results.measure_names[0]!r}: all {results.values.size:,} cells are "
            "missing. `results.missing_frame()` lists them with their reasons."
        )
    refuse_huge(results.values, f"value of {results.measure_names[0]!r}")
    return results


def refuse_huge(values: FloatArray, what: str) -> None:
    """Refuse numbers whose differences and sums may not be representable; `what` they are, for a message."""
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    if largest > LARGEST:
        raise InputError(
            f"The largest {what} is about 1e{round(np.log10(largest)):d}; sums of such numbers cannot be represented. "
            "Measure in other units."
        )


def one_dataset(results: Results, purpose: str, *, argument: bool = False) -> Results:
    """Return the results if they are of one data set; the error says how to select one.

    `argument` says whether the function that needs one data set has an argument `dataset`.
    """
    if len(results.datasets) == 1:
        return results
    first = results.datasets[0]
    way = f"dataset={first!r}" if argument else f"results.select(dataset={first!r})"
    raise InputError(
        f"{purpose} needs one data set; these results have {len(results.datasets)}. Select one: {way}.",
        remedy={"dataset": first},
    )


def find_unit(results: Results, unit: Unit | None) -> Unit:
    """Choose the unit that the outcome generalises to, and refuse pseudo-replication."""
    several = len(results.datasets) > 1
    if unit is None:
        return "dataset" if several else "replication"
    check_choice(unit, get_args(Unit), "unit")
    if unit == "replication" and several:
        raise InputError(
            f"`unit='replication'` needs one data set; there are {len(results.datasets)}. Replications of several "
            "data sets are not independent blocks (pseudo-replication). Select one data set, "
            f"results.select(dataset={results.datasets[0]!r}), or use unit='dataset'."
        )
    if unit == "dataset" and not several:
        raise InputError(
            f"`unit='dataset'` needs several data sets; there is only {results.datasets[0]!r}. "
            "Use unit='replication': the outcome then holds for this data set."
        )
    return unit


def overlap_notes(test: str, structure: Mapping[str, Int64Array]) -> tuple[Note, ...]:
    """Say what an outcome holds for, where a test treats replications of one data set as independent.

    `structure` is what the results know about the replications; an entry of -1 is unknown. Nothing is said of samples
    that were drawn afresh.
    """
    known = {name: array for name, array in structure.items() if array.size and (array >= 0).all()}
    if "independent" in known and (known["independent"] == 1).all():
        return ()
    folds = "fold" in known and len(np.unique(known["fold"])) > 1
    return (Note("overlap", test=test, known=folds or ("n_learn" in known and "n_test" in known)),)


def all_pairs(k: int) -> tuple[IntArray, IntArray]:
    """Positions of all pairs i < j of k algorithms."""
    refuse_too_many_pairs(k)
    return _kept_pairs(k) if k <= _FEW else np.triu_indices(k, 1)


def refuse_too_many_pairs(k: int) -> None:
    """Refuse to compare all pairs of so many algorithms that memory and time would not suffice."""
    n = k * (k - 1) // 2
    if n > _MAX_PAIRS:
        raise InputError(
            f"{k:,} algorithms have {n:,} pairs; at most {_MAX_PAIRS:,} are compared. Compare all with one of them: "
            "podium.compare(results, control=...); or select fewer: results.select(algorithms=[...]).",
            path=("control",),
        )


@lru_cache(maxsize=_FEW)
def _kept_pairs(k: int) -> tuple[IntArray, IntArray]:
    first, second = np.triu_indices(k, 1)
    first.flags.writeable = second.flags.writeable = False
    return first, second


def best_first(costs: FloatArray, names: Sequence[str], sizes: FloatArray | None = None) -> IntArray:
    """Positions in increasing order of costs; those that are equal up to rounding by name, NaN last.

    `sizes` are the sizes of the numbers that the costs were computed from, and so of their rounding errors; by default
    those of the costs. The order does not depend on the order in which the algorithms are given.
    """
    scale = np.abs(costs) if sizes is None else sizes
    placed: list[list[int]] = []
    for i in np.lexsort((np.array(names, str), costs)).tolist():
        start = placed[-1][0] if placed else i
        equal = costs[i] == costs[start] or costs[i] - costs[start] <= 1e-12 * max(scale[i], scale[start])
        if placed and (equal or np.isnan(costs[start])):
            placed[-1].append(i)
        else:
            placed.append([i])
    return np.array([i for group in placed for i in sorted(group, key=lambda k: names[k])], np.intp)


def paired_differences(a: FloatArray, b: FloatArray, origin: float = 0.0) -> FloatArray:
    """Return a - b - origin, one row per pair, without the noise of rounding.

    Decimal numbers have decimal differences: 0.3 - 0.2 is 0.1. Differences that are 0 up to rounding become 0, and
    those of equal size up to rounding become equal. How large the noise is depends on the three numbers alone, not on
    other blocks.
    """
    sizes = np.maximum(np.maximum(np.abs(a), np.abs(b)), abs(origin))
    noise = ROUNDING * sizes
    differences = snap(a - b - origin, sizes)
    differences = np.where(np.abs(differences) <= noise, 0.0, differences)
    amounts = np.abs(differences)
    order = np.argsort(amounts, axis=1)
    ordered, noises = (np.take_along_axis(array, order, axis=1) for array in (amounts, noise))
    gaps = np.diff(ordered, axis=1)
    near = (gaps <= np.maximum(noises[:, 1:], noises[:, :-1])) & (ordered[:, :-1] > 0)
    for row in np.flatnonzero((near & (gaps > 0)).any(axis=1)):
        for group in np.split(order[row], np.flatnonzero(~near[row]) + 1):
            precise = amounts[row, group[np.argmin(noise[row, group])]]
            differences[row, group] = np.copysign(precise, differences[row, group])
    return differences


def snap(values: FloatArray, sizes: FloatArray) -> FloatArray:
    """Round to 15 digits of `sizes`, the numbers that the values were computed from.

    Values that differ only by rounding noise become equal, and decimal numbers stay what they are.
    """
    at_hand = (sizes > 1e-280) & (sizes < 1e280)  # powers of ten beyond that overflow
    places = DIGITS - np.ceil(np.log10(np.where(at_hand, sizes, 1.0)))
    up, down = 10.0 ** np.maximum(places, 0.0), 10.0 ** np.maximum(-places, 0.0)  # a division rounds once
    with np.errstate(over="ignore", invalid="ignore"):
        snapped = np.rint(values * up / down) / up * down
    return np.where(at_hand, snapped, values)


def _of_replications(results: Results, report: MissingReport) -> Blocks:
    there = results.design[0]
    return Blocks(
        values=results.values[0, there, :, 0],
        labels=tuple(label for label, kept in zip(results.replications, there, strict=True) if kept),
        algorithms=results.algorithms,
        measure=results.measures[0],
        unit="replication",
        source=results,
        missing=report,
        structure={name: array[0, there] for name, array in results.structure.items()},
    )


def _of_datasets(results: Results, aggregate: Aggregation, report: MissingReport) -> Blocks:
    counts = results.design.sum(axis=1)
    notes: tuple[Note, ...] = ()
    if counts.max() == 1 and aggregate in ("mean", "median"):
        values = np.where(results.design[:, :, None], np.nan_to_num(results.values[..., 0]), 0.0).sum(axis=1)
        values = np.where(results.present[..., 0].any(axis=1), values, np.nan)
    else:
        statistic = partial(call_statistic, aggregate, "aggregate") if callable(aggregate) else aggregate
        whole = lacking_as_whole(results) if report.policy == "worst-rank" else results
        reduced = whole.aggregate(statistic, missing="available").values[:, 0, :, 0]
        sizes = np.abs(reduced)
        if aggregate in ("mean", "median"):  # large numbers of both signs may have a small mean
            sizes = np.fmax.reduce(np.abs(results.values[..., 0]), axis=1)
        values = snap(reduced, sizes)
        how = aggregate if isinstance(aggregate, str) else function_name(aggregate)
        least, most = int(counts.min()), int(counts.max())
        notes = (Note("reduced", least=least, most=most, statistic=how, datasets=len(reduced)),)
    return Blocks(
        values=values,
        labels=results.datasets,
        algorithms=results.algorithms,
        measure=results.measures[0],
        unit="dataset",
        source=results,
        missing=report,
        aggregate=aggregate,
        notes=notes,
    )


def _check_size(blocks: Blocks) -> None:
    n, k = blocks.values.shape
    if k < 2:
        raise InputError(f"A comparison needs two algorithms; there is only {blocks.algorithms[0]!r}.")
    if n < 2:
        what = "replications" if blocks.unit == "replication" else "data sets"
        raise InputError(f"A test needs at least two {what}; there is {n}.")


def _columns(names: tuple[str, ...], costs: FloatArray, order: Sequence[str] | None) -> list[int]:
    if order is None:
        return [int(k) for k in best_first(costs.mean(axis=0), names, np.abs(costs).mean(axis=0))]
    place = {name: i for i, name in enumerate(order)}
    unplaced = [name for name in names if name not in place]
    if unplaced:
        raise LabelError(f"`order` leaves out {join_names(unplaced)}; name every algorithm, best first.")
    return sorted(range(len(names)), key=lambda k: place[names[k]])


def _check_order(order: object, algorithms: tuple[str, ...]) -> None:
    """Refuse what is not a sequence of names, and unknown names."""
    if isinstance(order, str) or not isinstance(order, Sequence):
        raise InputError(f"`order` must be the names of all algorithms, best first; got {describe(order)}.")
    unknown = [name for name in order if name not in algorithms]
    if unknown:
        raise LabelError(
            f"`order` names {join_names(unknown)}, which these results do not contain. The algorithms are "
            f"{join_names(algorithms, most=12)}.{did_you_mean(unknown[0], algorithms)}"
        )
