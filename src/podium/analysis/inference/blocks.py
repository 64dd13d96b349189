"""`Blocks`: from results to the table that a test sees, one row per block and one column per algorithm.

A block is a replication of one data set, or a data set of a domain; the two are never mixed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from podium.analysis.describe.summary import one_measure
from podium.analysis.omnibus import Unit
from podium.arrays import BoolArray, FloatArray, Int64Array, IntArray
from podium.checks import did_you_mean
from podium.errors import InputError, LabelError, listing
from podium.results import MeasureInfo, MissingReport, Results
from podium.results.aggregating import How
from podium.results.labels import Label
from podium.results.missing import MissingPolicy, missing_cells_error, parse_policy, report_missing

RANK_POLICIES: tuple[MissingPolicy, ...] = ("raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value")
VALUE_POLICIES: tuple[MissingPolicy, ...] = ("raise", "drop-block", "drop-algorithm", "worst-value")
PAIR_POLICIES: tuple[MissingPolicy, ...] = (*VALUE_POLICIES, "available")

_REDUCED = ("mean", "median", "min", "max", "std")

# Two averages that differ in their last binary digits only are equal; 12 digits is more than anyone measures.
DIGITS = 12


@dataclass(frozen=True, eq=False, kw_only=True)
class Blocks:
    """What a test sees: n blocks × K algorithms.

    Attributes
    ----------
    values : ndarray of float, shape (n, K)
        NaN where a cell is missing and the policy leaves it so.
    algorithms : tuple of str
    measure : MeasureInfo
    unit : {"replication", "dataset"}
    labels : tuple
        Names of the blocks.
    report : MissingReport
    structure : mapping of str to ndarray of int, shape (n,)
        Repeat, fold and sample sizes of the replications, as far as they are known.
    source : ndarray of float, shape (M, B, K)
        The values before the replications were reduced.
    aggregate : str or callable
        How replications were reduced.
    notes : tuple of str
    """

    values: FloatArray
    algorithms: tuple[str, ...]
    measure: MeasureInfo
    unit: Unit
    labels: tuple[Label, ...]
    report: MissingReport
    structure: Mapping[str, Int64Array] = field(default_factory=dict)
    source: FloatArray
    aggregate: How = "mean"
    notes: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Number of blocks."""
        return len(self.values)

    @property
    def costs(self) -> FloatArray:
        """The values with their sign turned where greater is better: low is good."""
        return self.values * self.measure.sign

    def position(self, algorithm: str) -> int:
        """Column of an algorithm."""
        if algorithm not in self.algorithms:
            raise LabelError(
                f"`control` must be one of the algorithms {listing(self.algorithms, most=12)}; got {algorithm!r}."
                f"{did_you_mean(algorithm, self.algorithms)}"
            )
        return self.algorithms.index(algorithm)

    def differences(self, first: IntArray, second: IntArray) -> FloatArray:
        """Differences a - b in each block, one row per pair; NaN in blocks that a pair does not have."""
        a, b = self.sides(first, second)
        return snap(a - b, np.nanmax(np.abs(self.values), axis=1, initial=0.0))

    def sides(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Values of a and of b in each block, one row per pair; of the replications that both have."""
        if self.report.policy == "available" and self.report.missing and self.unit == "dataset":
            return self._common(first, second)
        return self.values.T[first], self.values.T[second]

    def _common(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Reduce, pair by pair, the replications that both algorithms have."""
        reduce = np.nanmedian if self.aggregate == "median" else np.nanmean
        if self.aggregate not in ("mean", "median"):
            raise InputError(
                f"`missing='available'` needs aggregate='mean' or 'median' for replicated data sets; "
                f"got {self.aggregate!r}."
            )
        sides = []
        by_algorithm = np.moveaxis(self.source, 2, 0)
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
    aggregate: How = "mean",
    missing: str = "raise",
    allowed: tuple[MissingPolicy, ...] = RANK_POLICIES,
) -> Blocks:
    """Take one measure, settle the unit and the missing cells, and lay out the blocks.

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
        Policy for missing cells. With unit ``"dataset"`` and ``"worst-rank"``, an algorithm that misses any
        replication of a data set is ranked last on it.
    allowed : tuple of str
        The policies that make sense for the test.
    """
    chosen = one_measure(results, measure)
    if not callable(aggregate) and aggregate not in _REDUCED:
        raise InputError(f"`aggregate` must be one of {listing(_REDUCED)} or a function; got {aggregate!r}.")
    policy = parse_policy(missing, allowed=allowed)
    settled = find_unit(chosen, unit)
    if policy in ("worst-rank", "available"):
        resolved, report = chosen, report_missing(chosen, policy)
    elif policy == "raise" and chosen.missing.any():
        raise missing_cells_error(chosen, allowed)
    else:
        resolved = chosen.resolve_missing(policy)
        report = resolved.reports[-1]
    if settled == "dataset" and len(resolved.datasets) < 2:
        raise InputError(
            f"Only the data set {resolved.datasets[0]!r} is left after missing={policy!r}; two are needed."
        )
    laid = _dataset_blocks if settled == "dataset" else _replication_blocks
    values, labels, structure, notes = laid(resolved, aggregate, policy)
    if policy == "worst-rank":
        report = report_missing(chosen, policy, filled=int(np.isnan(values).sum()))
    _check_size(values, resolved, settled)
    return Blocks(
        values=values,
        algorithms=resolved.algorithms,
        measure=resolved.measures[0],
        unit=settled,
        labels=labels,
        report=report,
        structure=structure,
        source=resolved.values[..., 0],
        aggregate=aggregate,
        notes=notes + ((f"Missing cells: {report}.",) if report.missing else ()),
    )


def find_unit(results: Results, unit: Unit | None) -> Unit:
    """Settle what the outcome generalises to, and refuse pseudo-replication."""
    several = len(results.datasets) > 1
    if unit is None:
        return "dataset" if several else "replication"
    if unit not in ("replication", "dataset"):
        raise InputError(f"`unit` must be 'replication' or 'dataset'; got {unit!r}.")
    if unit == "replication" and several:
        raise InputError(
            f"`unit='replication'` asks for one data set; there are {len(results.datasets)}. Replications of several "
            "data sets are not independent blocks (pseudo-replication). Select one data set, "
            f"results.select(dataset={results.datasets[0]!r}), or use unit='dataset'."
        )
    if unit == "dataset" and not several:
        raise InputError(
            f"`unit='dataset'` asks for several data sets; there is only {results.datasets[0]!r}. "
            "Use unit='replication': the outcome then holds for this data set."
        )
    return unit


def snap(values: FloatArray, scale: float | FloatArray) -> FloatArray:
    """Round to 12 digits of `scale`, so that values which differ by rounding noise only become equal.

    The unit is a power of ten: decimal numbers stay what they are, in whatever block they stand.
    """
    size = np.asarray(scale, float)
    unit = 10.0 ** np.ceil(np.log10(np.where(size > 0, size, 1.0)))
    snapped: FloatArray = np.round(values / unit, DIGITS) * unit
    return snapped


_Laid: TypeAlias = tuple[FloatArray, tuple[Label, ...], dict[str, Int64Array], tuple[str, ...]]


def _replication_blocks(results: Results, aggregate: How, policy: MissingPolicy) -> _Laid:
    there = results.design[0]
    values = results.values[0, there, :, 0]
    structure = {name: array[0, there] for name, array in results.structure.items()}
    labels = tuple(label for label, kept in zip(results.replications, there, strict=True) if kept)
    return values, labels, structure, ()


def _dataset_blocks(results: Results, aggregate: How, policy: MissingPolicy) -> _Laid:
    counts = results.design.sum(axis=1)
    if counts.max() == 1 and aggregate in ("mean", "median"):
        values = np.where(results.design[:, :, None], np.nan_to_num(results.values[..., 0]), 0.0).sum(axis=1)
        values = np.where(results.present[..., 0].any(axis=1), values, np.nan)
        return values, results.datasets, {}, ()
    reduced = results.aggregate(aggregate, missing="available").values[:, 0, :, 0]
    if policy == "worst-rank":
        reduced = np.where(results.missing[..., 0].any(axis=1), np.nan, reduced)
    scale = np.nanmax(np.abs(np.nan_to_num(reduced)), axis=1, keepdims=True)
    replications = f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"
    how = aggregate if isinstance(aggregate, str) else getattr(aggregate, "__name__", "a function")
    note = (
        f"The {replications} replications of each data set were reduced to their {how} first: the blocks are the "
        f"{len(reduced)} data sets, and more replications do not make more blocks."
    )
    return snap(reduced, scale), results.datasets, {}, (note,)


def _check_size(values: FloatArray, results: Results, unit: Unit) -> None:
    n, k = values.shape
    if k < 2:
        raise InputError(f"A comparison needs two algorithms; there is only {results.algorithms[0]!r}.")
    if n < 2:
        what = "replications" if unit == "replication" else "data sets"
        raise InputError(f"A test needs at least two {what}; there is {n}.")
