"""Blocks × algorithms: the table of one measure that every summary and figure starts from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from podium.analysis.omnibus import Unit
from podium.arrays import FloatArray
from podium.checks import expect
from podium.errors import InputError, LabelError, MissingCellsError, listing
from podium.results import MeasureInfo, Results
from podium.results.labels import Label, natural_key


@dataclass(frozen=True, eq=False, kw_only=True)
class Blocks:
    """Values of one measure: one row per block, one column per algorithm.

    Attributes
    ----------
    values : ndarray of float, shape (blocks, algorithms)
        NaN where a cell is missing and the policy left it so.
    labels : tuple
        The blocks: replications of the one data set, or data sets; in natural order.
    algorithms : tuple of str
        The best mean first; equal means by name.
    measure : MeasureInfo
    unit : {"replication", "dataset"}
        What a block is.
    source : Results
        What the values were taken from, after the policy for missing cells.
    missing : str
        What was done about missing cells.
    """

    values: FloatArray
    labels: tuple[Label, ...]
    algorithms: tuple[str, ...]
    measure: MeasureInfo
    unit: Unit
    source: Results
    missing: str

    @property
    def costs(self) -> FloatArray:
        """The values, with the sign that makes lower better."""
        costs: FloatArray = self.measure.sign * self.values
        return costs

    @property
    def name(self) -> str:
        """Name of the data set, or how many there are."""
        datasets = self.source.datasets
        return datasets[0] if self.unit == "replication" else f"{len(datasets)} data sets"


def blocks(
    results: Results, measure: str | None = None, *, missing: str = "raise", order: Sequence[str] | None = None
) -> Blocks:
    """Take one measure, settle missing cells, and reduce the replications if there are several data sets.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells.
    order : sequence of str, optional
        The algorithms in the order wanted, instead of the best mean first. Names that are not there are passed over.
    """
    chosen = one_measure(results, measure)
    resolved = chosen.resolve_missing(missing)
    report = "; ".join(str(one) for one in resolved.reports)
    single = len(resolved.datasets) == 1
    table = resolved if single else resolved.aggregate("mean", missing="available")
    values = table.values[0, :, :, 0] if single else table.values[:, 0, :, 0]
    labels: tuple[Label, ...] = table.replications if single else table.datasets
    filled = [i for i in range(len(labels)) if not np.isnan(values[i]).all()]
    rows = sorted(filled, key=lambda i: natural_key(labels[i]))
    values = values[rows]
    columns = _columns(table.algorithms, values, table.measures[0], order)
    return Blocks(
        values=values[:, columns],
        labels=tuple(labels[i] for i in rows),
        algorithms=tuple(table.algorithms[i] for i in columns),
        measure=table.measures[0],
        unit="replication" if single else "dataset",
        source=resolved,
        missing=report,
    )


def one_measure(results: Results, measure: str | None) -> Results:
    """Take the named measure, or the only one there is; without any value there is nothing to describe."""
    expect(results, Results, "results")
    if measure is not None:
        results = results.select(measure=measure)
    if len(results.measures) > 1:
        raise InputError(
            f"These results have {len(results.measures)} measures; say which one: measure="
            f"{results.measure_names[0]!r}. There are {listing(results.measure_names, most=12)}."
        )
    if np.isnan(results.values).all():
        raise MissingCellsError(
            f"There is no value of {results.measure_names[0]!r} at all: all {results.values.size:,} cells are missing. "
            "`results.missing_table()` lists them with their reasons."
        )
    return results


def one_dataset(results: Results, dataset: str | None, purpose: str) -> Results:
    """Take the named data set, or the only one there is."""
    if dataset is not None:
        return results.select(dataset=dataset)
    if len(results.datasets) > 1:
        raise InputError(
            f"{purpose} needs one data set; these results have {len(results.datasets)}. Say which one: dataset="
            f"{results.datasets[0]!r}."
        )
    return results


def _columns(
    names: tuple[str, ...], values: FloatArray, measure: MeasureInfo, order: Sequence[str] | None
) -> list[int]:
    if order is None:
        present = ~np.isnan(values)
        # An algorithm without any value comes last.
        total = np.where(present, values, 0.0).sum(axis=0)
        count = present.sum(axis=0)
        cost = np.where(count > 0, measure.sign * total / np.maximum(count, 1), np.inf)
        return sorted(range(len(names)), key=lambda k: (cost[k], names[k]))
    place = {name: i for i, name in enumerate(order)}
    unplaced = [name for name in names if name not in place]
    if unplaced:
        raise LabelError(f"`order` leaves out {listing(unplaced)}; name every algorithm, best first.")
    return sorted(range(len(names)), key=lambda k: place[names[k]])
