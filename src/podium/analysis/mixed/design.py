"""From `Results` to the array a mixed model is fitted to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from podium.analysis.blocks import Unit
from podium.analysis.notes import Note
from podium.arrays import FloatArray
from podium.checks import expect
from podium.errors import InputError, LabelError, listing
from podium.results import MeasureInfo, MissingReport, Results

Model: TypeAlias = Literal["block", "domain", "survey"]

MODELS = ("auto", "block", "domain", "survey")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Design:
    """Values of one measure, arranged for a model.

    Attributes
    ----------
    model : {"block", "domain", "survey"}
        One data set; data sets drawn from a domain; data sets taken as they are.
    values : ndarray of shape (M, B, K)
        NaN where a cell is missing. Where every data set has a single replication, the data sets are the rows of one
        block design: shape (1, M, K).
    datasets, rows, algorithms
        Labels of the three axes.
    row_name : {"replication", "dataset"}
        What a row is.
    measure : MeasureInfo
    unit : {"replication", "dataset"}
        What the model generalises to.
    n : int
        Number of units.
    missing : MissingReport
    notes : tuple of str
    """

    model: Model
    values: FloatArray
    datasets: tuple[str, ...]
    rows: tuple[object, ...]
    algorithms: tuple[str, ...]
    row_name: Unit
    measure: MeasureInfo
    unit: Unit
    n: int
    missing: MissingReport
    notes: tuple[Note, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every data set has the same number of rows and no cell is missing."""
        return not np.isnan(self.values).any()

    @property
    def dataset_count(self) -> int:
        """Number of data sets behind the rows."""
        return self.n if self.row_name == "dataset" else len(self.datasets)


def make_design(results: Results, measure: str | None, model: str, missing: str) -> Design:
    """Select the measure, treat missing cells, choose the model, and refuse what cannot be fitted."""
    if model not in MODELS:
        raise InputError(f"`model` must be one of {listing(MODELS)}; got {model!r}.")
    chosen = _one_measure(expect(results, Results, "results"), measure).resolve_missing(missing)
    values = np.array(chosen.values[..., 0])
    datasets = chosen.datasets
    notes: tuple[Note, ...] = ()
    report = chosen.reports[-1]
    empty = np.isnan(values).reshape(len(values), -1).all(axis=1)
    if empty.any():
        gone = [datasets[i] for i in np.flatnonzero(empty)]
        notes = (Note("without values", datasets=tuple(gone)),)
        values, datasets = values[~empty], tuple(name for name in datasets if name not in gone)
    values = _rows_upwards(values)
    single = len(datasets) > 1 and values.shape[1] == 1
    kind = _kind(model, len(datasets), single)
    rows: tuple[object, ...] = chosen.replications
    row_name: Unit = "replication"
    if kind == "block" and single:
        values, rows, row_name = values.transpose(1, 0, 2), datasets, "dataset"
        datasets = ("all data sets",)
        notes = (*notes, Note("single replications"))
    unit: Unit = "dataset" if kind == "domain" or row_name == "dataset" else "replication"
    filled = ~np.isnan(values).all(axis=2)
    design = Design(
        model=kind,
        values=values,
        datasets=datasets,
        rows=rows,
        algorithms=chosen.algorithms,
        row_name=row_name,
        measure=chosen.measures[0],
        unit=unit,
        n=len(datasets) if kind == "domain" else int(filled.sum()),
        missing=report,
        notes=notes,
    )
    _check(design)
    return design


def _one_measure(results: Results, measure: str | None) -> Results:
    if measure is not None:
        if measure not in results.measure_names:
            raise LabelError(f"`measure` must be one of {listing(results.measure_names, most=12)}; got {measure!r}.")
        return results.select(measure=measure)
    if len(results.measures) > 1:
        raise InputError(
            f"`measure` must name one of {listing(results.measure_names, most=12)}: a mixed model is fitted to one "
            "measure."
        )
    return results


def _rows_upwards(values: FloatArray) -> FloatArray:
    """Leave out replications that no data set has, and move single rows of data sets into the same place."""
    filled = ~np.isnan(values).all(axis=2)
    if filled.sum(axis=1).max() > 1:
        return values
    single = np.full((len(values), 1, values.shape[2]), np.nan)
    m, b = np.nonzero(filled)
    single[m, 0] = values[m, b]
    return single


def _kind(model: str, m: int, single: bool) -> Model:
    alone = m == 1 or single
    if model == "auto":
        return "block" if alone else "domain"
    if model == "block" and m > 1 and not single:
        raise InputError(
            f"`model='block'` is for one data set, and there are {m}. Select one, or use 'domain' (data sets drawn "
            "from a domain) or 'survey' (these data sets and no others)."
        )
    if model in ("domain", "survey") and m == 1:
        raise InputError(f"`model={model!r}` needs several data sets, and there is one. Use 'block'.")
    if model in ("domain", "survey") and single:
        raise InputError(
            f"`model={model!r}` needs replications within data sets, and every data set has one. Use 'block': the data "
            "sets are then the blocks."
        )
    return "block" if alone else "survey" if model == "survey" else "domain"


def _check(design: Design) -> None:
    """Refuse designs in which the variances or means cannot be estimated."""
    values, names = design.values, design.algorithms
    if len(names) < 2:
        raise InputError(f"A comparison needs two algorithms or more; got {listing(names)}.")
    count = (~np.isnan(values)).sum(axis=(0, 1))
    if (count == 0).any():
        without = [name for name, n in zip(names, count, strict=True) if n == 0]
        raise InputError(
            f"There is no value at all of {listing(without)}. Leave them out: results.drop(algorithms=...)."
        )
    there = ~np.isnan(values)
    rows = int(there.any(axis=2).sum())
    if design.model == "block" and rows < 2:
        raise InputError(
            f"A mixed model needs replications; {design.datasets[0]!r} has one. With one value per algorithm no "
            "difference can be told from chance."
        )
    cells = there.any(axis=1)
    left = int(there.sum()) - int(cells.sum()) - (rows - len(values))
    if left <= 0:
        raise InputError(
            f"Nothing is left to estimate the residual variance from: {int(there.sum())} values, {int(cells.sum())} "
            f"means of algorithms on data sets and {rows - len(values)} further rows. More replications, or more "
            "complete ones, are needed."
        )
    if design.model == "survey" and not cells.all():
        m, k = np.argwhere(~cells)[0]
        raise InputError(
            f"`model='survey'` needs every algorithm on every data set; {names[k]!r} has no value on "
            f"{design.datasets[m]!r} ({int((~cells).sum())} such cells). Leave out the data set or the algorithm, or "
            "use 'domain'."
        )
