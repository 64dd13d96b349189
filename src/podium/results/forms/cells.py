"""From the rows of a table to the cells of a cube; contradictions are refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from podium.arrays import CodeArray, FloatArray, IntArray
from podium.errors import CellValueError, DuplicateCellError, InputError
from podium.results.cube import ABSENT, REASON_NAMES, Cube
from podium.results.forms.columns import Coded, RowNames
from podium.results.labels import Axis, Label, noun
from podium.results.measure_info import MeasureInfo

Flat: TypeAlias = IntArray

# A table of few rows may span a far larger cube if its labels are numbered consecutively instead of within data sets.
MAX_CELLS, MAX_CELLS_PER_ROW = 10**8, 100


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Rows of a table, and their places in the cube.

    `places` says which data set, replication, ... each row belongs to, in the order of the axes of the cube; the
    columns of `values` run along the next axis. A `reason` of 0 with an empty value means that none is given.
    """

    places: Mapping[Axis, Coded]
    values: FloatArray
    reason: CodeArray | None = None
    structure: Mapping[str, IntArray] = field(default_factory=dict)
    rows: RowNames = field(default_factory=RowNames)
    numbered: bool = True  # whether the table itself numbers the replications


def assemble(
    cells: Cells, *, algorithms: tuple[Label, ...], measures: tuple[MeasureInfo, ...], origin: str, form: str
) -> Cube:
    """Place every row in its cell; a cell that is given twice is an error that names the rows."""
    datasets, replications = cells.places["dataset"], cells.places["replication"]
    shape = (len(datasets.labels), len(replications.labels), len(algorithms), len(measures))
    _refuse_overgrowth(shape, cells)
    block = _flat_index(datasets.codes.astype(np.intp), replications)
    _refuse_replications_of_one(block, cells)
    flat = _flat_index(block, *list(cells.places.values())[2:])
    _refuse_duplicates(flat, cells)
    width = cells.values.shape[1]
    values = np.full(shape, np.nan)
    values.reshape(-1, width)[flat] = cells.values
    values.flags.writeable = False  # locked, so that the cube need not copy it
    reasons = None
    if cells.reason is not None:
        reasons = np.full(shape, ABSENT, np.uint8)
        reasons.reshape(-1, width)[flat] = cells.reason[:, None]
        _refuse_reasons_beside_values(values, reasons, cells.reason, flat, cells)
    design = np.zeros(shape[:2], bool)
    design.reshape(-1)[block] = True
    return Cube(
        values=values,
        reasons=reasons,  # type: ignore[arg-type]  # None: whatever is missing is absent
        design=design,
        structure={name: _placed(name, column, block, cells) for name, column in cells.structure.items()},
        datasets=tuple(map(str, datasets.labels)),
        replications=replications.labels,
        algorithms=tuple(map(str, algorithms)),
        measures=measures,
        origin=origin,
        form=form,
    )


def _flat_index(start: Flat, *columns: Coded) -> Flat:
    """Return the number of the cell of each row, given the numbers along the first axes and columns for the others."""
    flat = start
    for column in columns:
        flat = flat * len(column.labels)
        flat += column.codes
    return flat


def _refuse_overgrowth(shape: tuple[int, ...], cells: Cells) -> None:
    size, given = int(np.prod(shape, dtype=object)), cells.values.size
    if size > MAX_CELLS and size > MAX_CELLS_PER_ROW * given:
        raise InputError(
            f"The table has {given:,} values, and its labels span {shape[0]:,} data sets × {shape[1]:,} replications × "
            f"{shape[2]:,} algorithms × {shape[3]:,} measures. Replications belong to their data set: number them "
            "within each data set, so that data sets can share the labels."
        )


def _refuse_replications_of_one(block: Flat, cells: Cells) -> None:
    """Refuse replications that no two algorithms share: their labels number trials, not learning samples."""
    if "algorithm" not in cells.places or not cells.numbered:
        return
    dataset, replication, algorithm = (cells.places[axis] for axis in ("dataset", "replication", "algorithm"))
    blocks = len(dataset.labels) * len(replication.labels)
    rows_per_trial = len(cells.places["measure"].labels) if "measure" in cells.places else 1
    if block.size > blocks * rows_per_trial or _differs_within(block, algorithm, blocks).size:
        return
    shared = _differs_within(dataset.codes.astype(np.intp), algorithm, len(dataset.labels))
    if shared.size:
        name = dataset.labels[int(dataset.codes[shared[0]])]
        raise InputError(
            f"No two algorithms share a replication, on {name!r} or any other data set, so no values can be compared "
            "within a replication. If the replication column numbers the trials, number them within each data set and "
            "algorithm instead: frame.groupby(['dataset', 'algorithm']).cumcount()."
        )


def _differs_within(group: Flat, column: Coded, groups: int) -> Flat:
    """Find rows whose label differs from that of another row of their group."""
    seen = np.zeros(groups, np.intp)
    seen[group] = column.codes
    return np.flatnonzero(seen[group] != column.codes)


def _refuse_duplicates(flat: Flat, cells: Cells) -> None:
    shape = tuple(len(column.labels) for column in cells.places.values())
    hit = np.zeros(int(np.prod(shape)), bool)
    hit[flat] = True
    if np.count_nonzero(hit) == flat.size:
        return
    repeated = np.flatnonzero(np.bincount(flat, minlength=hit.size) > 1)
    shown = []
    for cell in repeated[:3]:
        at = np.unravel_index(cell, shape)
        pairs = zip(cells.places.items(), at, strict=True)
        names = [f"{noun(axis)} {column.labels[int(i)]!r}" for (axis, column), i in pairs]
        shown.append(f"{', '.join(names)} in {cells.rows.many(np.flatnonzero(flat == cell))}")
    more = f"; and {len(repeated) - 3:,} more" if len(repeated) > 3 else ""
    wide = "algorithm" not in cells.places
    way_out = "Keep one row for each."
    if cells.numbered and "repeat" not in cells.structure:
        way_out = (
            "Keep one row for each; if repeat and fold together number the replications, name both columns: "
            "columns={'repeat': ..., 'fold': ...}."
        )
    if not cells.numbered and wide:
        way_out = (
            "If the rows of a data set are its replications, pass rows='replication'; otherwise keep one row for each."
        )
    elif not cells.numbered:
        way_out = (
            "The table has no replication column; if the rows are replications, add one that numbers them and name it "
            "with columns={'replication': ...}, otherwise keep one row for each."
        )
    what = "row label" if wide else "cell"
    raise DuplicateCellError(
        f"{len(repeated):,} {what}{'s are' if len(repeated) > 1 else ' is'} given more than once: "
        f"{'; '.join(shown)}{more}. {way_out}"
    )


def _refuse_reasons_beside_values(
    values: FloatArray, reasons: CodeArray, given: CodeArray, flat: Flat, cells: Cells
) -> None:
    """Refuse a trial that has a reason for missing values although it has all values."""
    wrong = ~np.isnan(values).any(axis=3) & (reasons > 0).any(axis=3)
    if not wrong.any():
        return
    trial = flat // len(cells.places["measure"].labels) if "measure" in cells.places else flat
    rows = np.flatnonzero(wrong.reshape(-1)[trial] & (given != 0))
    reason = REASON_NAMES[int(given[rows[0]])]
    raise CellValueError(
        f"{cells.rows.many(rows).capitalize()} hold{'s' if len(rows) == 1 else ''} both a value and a reason for a "
        f"missing value, such as {reason!r}. Leave one of them empty."
    )


def _placed(name: str, column: IntArray, block: Flat, cells: Cells) -> IntArray:
    """Place what the rows say about their replication; rows of one replication must agree."""
    datasets, replications = (cells.places["dataset"].labels, cells.places["replication"].labels)
    table = np.full(len(datasets) * len(replications), -1, np.int64)
    given = np.flatnonzero(column >= 0)
    table[block[given]] = column[given]
    wrong = given[table[block[given]] != column[given]]
    if wrong.size:
        i = int(wrong[0])
        other = int(given[np.flatnonzero((block[given] == block[i]) & (column[given] != column[i]))[0]])
        m, b = divmod(int(block[i]), len(replications))
        raise InputError(
            f"Replication {replications[b]!r} of data set {datasets[m]!r} has two values of {name!r}: {column[i]} in "
            f"{cells.rows.one(i)} and {column[other]} in {cells.rows.one(other)}. All rows of a "
            "replication must have the same value."
        )
    return table.reshape(len(datasets), len(replications))
