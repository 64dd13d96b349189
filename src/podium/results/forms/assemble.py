"""The one door into a cube: coded labels and values in, checked cube out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.errors import CellValueError, DuplicateCellError, InputError, LabelError, listing
from podium.results.cube import MEASURED, REASON_NAMES, Cube, FloatArray
from podium.results.labels import Axis, Label, clean_labels, is_missing_label, natural_key
from podium.results.measure_info import MeasureInfo

Codes: TypeAlias = npt.NDArray[np.intp]

_REASON_WORDS = {
    **{name: code for code, name in enumerate(REASON_NAMES)},
    **dict.fromkeys(("done", "ok", "measured", "success"), MEASURED),
    **dict.fromkeys(("timed out", "timedout"), REASON_NAMES.index("timeout")),
    **dict.fromkeys(("error", "failure", "crashed"), REASON_NAMES.index("failed")),
    **dict.fromkeys(("missing",), REASON_NAMES.index("absent")),
}


@dataclass(frozen=True, slots=True)
class Rows:
    """How the rows of a table are named in messages: by position in a frame, by line in a text file."""

    noun: str = "row"
    first: int = 0

    def one(self, i: int) -> str:
        """Name one row."""
        return f"{self.noun} {i + self.first}"

    def many(self, rows: Sequence[int] | Codes) -> str:
        """Name several rows."""
        if len(rows) == 1:
            return self.one(int(rows[0]))
        return f"{self.noun}s {listing([int(i) + self.first for i in rows], quote=False)}"


@dataclass(frozen=True, slots=True)
class Coded:
    """A column of labels: the distinct labels in order, and for each row the position of its label."""

    labels: tuple[Label, ...]
    codes: Codes


def constant(label: Label, n: int) -> Coded:
    """Return a column that has the same label in every row."""
    return Coded((label,), np.zeros(n, np.intp))


def encode(column: pd.Series[Any], axis: Axis, rows: Rows) -> Coded:
    """Code a column of labels.

    Labels come in natural order, whatever the order of the rows; an ordered categorical keeps its own.
    """
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes, raw = column.cat.codes.to_numpy(), list(column.cat.categories)
        ordered = bool(column.cat.ordered)
    else:
        codes, uniques = pd.factorize(column)
        raw, ordered = list(uniques), False
    return encode_codes(codes, raw, axis, rows, keep_order=ordered)


def encode_codes(
    codes: npt.NDArray[np.integer[Any]],
    raw: Sequence[Any],
    axis: Axis,
    rows: Rows,
    *,
    keep_order: bool = False,
) -> Coded:
    """Code labels that are coded already, only neither cleaned nor ordered; unused labels are left out."""
    if codes.size and int(codes.min()) < 0:
        raise LabelError(
            f"The {axis} label is empty in {rows.many(np.flatnonzero(codes < 0))}. Give every row its {axis}."
        )
    used = np.flatnonzero(np.bincount(codes, minlength=len(raw)))

    def where(i: int) -> str:
        return rows.one(int(np.argmax(codes == used[i])))

    labels = clean_labels((raw[i] for i in used), axis, where)
    order = list(range(len(labels))) if keep_order else sorted(range(len(labels)), key=lambda i: natural_key(labels[i]))
    place = np.empty(len(raw), np.intp)
    place[used[order]] = np.arange(len(order))
    return Coded(tuple(labels[i] for i in order), place[codes])


def numbers(column: pd.Series[Any], name: object, rows: Rows) -> FloatArray:
    """Turn a column into finite floats, NaN where empty; anything else is an error that names the rows."""
    if pd.api.types.is_numeric_dtype(column.dtype) or pd.api.types.is_bool_dtype(column.dtype):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    else:
        values = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
        blank = np.fromiter((is_missing_label(cell) for cell in column), bool, len(column))
        wrong = np.flatnonzero(np.isnan(values) & ~blank)
        if wrong.size:
            shown = listing([column.iloc[i] for i in wrong])
            raise CellValueError(
                f"The column {name!r} must hold numbers; {rows.many(wrong)} hold{'s' if wrong.size == 1 else ''} "
                f"{shown}. Correct them, or leave the cell empty and give a reason."
            )
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        raise CellValueError(
            f"The column {name!r} holds infinite values in {rows.many(infinite)}. "
            "Give finite numbers, or leave the cell empty and give a reason."
        )
    return values


def reason_codes(column: pd.Series[Any], rows: Rows) -> npt.NDArray[np.uint8]:
    """Turn a column of reasons (or of trial states) into codes."""
    codes, uniques = pd.factorize(column)
    table = np.zeros(len(uniques) + 1, np.uint8)  # the last entry serves code -1: no reason
    for i, word in enumerate(uniques):
        found = _REASON_WORDS.get(str(word).strip().lower())
        if found is None:
            raise InputError(
                f"The column {column.name!r} gives the reason {word!r} in {rows.many(np.flatnonzero(codes == i))}; "
                f"the reasons are {listing(REASON_NAMES[1:])}."
            )
        table[i] = found
    return table[codes]


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Rows of a table on their way into a cube.

    `values` has one row per table row and one column per measure, unless `measure` codes the measure
    of each row; then it has one column. A `reason` of 0 with an empty value means: not told.
    """

    dataset: Coded
    replication: Coded
    algorithm: Coded
    values: FloatArray
    measure: Coded | None = None
    reason: npt.NDArray[np.uint8] | None = None
    structure: Mapping[str, npt.NDArray[np.int64]] | None = None
    rows: Rows = Rows()
    has_replication: bool = True


def assemble(cells: Cells, measures: tuple[MeasureInfo, ...], origin: str) -> Cube:
    """Place every row in its cell; a cell that is hit twice is an error that names the rows."""
    coded = [cells.dataset, cells.replication, cells.algorithm]
    if cells.measure is not None:
        coded.append(cells.measure)
    shape = tuple(len(c.labels) for c in coded)
    flat = np.ravel_multi_index([c.codes for c in coded], shape)
    _refuse_duplicates(flat, shape, coded, cells)
    width = cells.values.shape[1]
    values = np.full((int(np.prod(shape)), width), np.nan)
    values[flat] = cells.values
    reasons = None
    if cells.reason is not None:
        reasons = np.ones(values.shape, np.uint8)
        reasons[flat] = cells.reason[:, None]
    full = shape if cells.measure is not None else (*shape, width)
    block_of_row = np.ravel_multi_index([cells.dataset.codes, cells.replication.codes], shape[:2])
    design = np.zeros(shape[:2], bool)
    design.reshape(-1)[block_of_row] = True
    return Cube(
        values=values.reshape(full),
        reasons=None if reasons is None else reasons.reshape(full),  # type: ignore[arg-type]
        design=design,
        structure=_place_structure(cells, block_of_row, shape[:2]),
        datasets=cells.dataset.labels,  # type: ignore[arg-type]
        replications=cells.replication.labels,
        algorithms=cells.algorithm.labels,  # type: ignore[arg-type]
        measures=measures,
        origin=origin,
    )


def _refuse_duplicates(
    flat: npt.NDArray[np.intp], shape: tuple[int, ...], coded: Sequence[Coded], cells: Cells
) -> None:
    hits = np.bincount(flat, minlength=int(np.prod(shape)))
    if hits.max(initial=0) <= 1:
        return
    repeated = np.flatnonzero(hits > 1)
    shown = []
    for cell in repeated[:3]:
        at = np.unravel_index(cell, shape)
        names = [f"{axis} {c.labels[i]!r}" for axis, c, i in zip(_AXIS_NAMES, coded, at, strict=False)]
        shown.append(f"{', '.join(names)} in {cells.rows.many(np.flatnonzero(flat == cell))}")
    more = f"; and {len(repeated) - 3} more" if len(repeated) > 3 else ""
    way_out = (
        "Keep one row for each cell."
        if cells.has_replication
        else "The table has no replication column; if the rows are replications, add one that numbers them "
        "and name it with columns={'replication': ...}, otherwise keep one row for each cell."
    )
    raise DuplicateCellError(
        f"{len(repeated)} cell{'s are' if len(repeated) > 1 else ' is'} given more than once: "
        f"{'; '.join(shown)}{more}. {way_out}"
    )


_AXIS_NAMES = ("dataset", "replication", "algorithm", "measure")


def _place_structure(cells: Cells, block: Codes, shape: tuple[int, ...]) -> dict[str, npt.NDArray[np.int64]]:
    placed = {}
    for name, column in (cells.structure or {}).items():
        table = np.full(int(np.prod(shape)), -1, np.int64)
        told = np.flatnonzero(column >= 0)
        table[block[told]] = column[told]
        wrong = told[table[block[told]] != column[told]]
        if wrong.size:
            i = int(wrong[0])
            other = int(told[np.flatnonzero((block[told] == block[i]) & (column[told] != column[i]))[0]])
            m, b = np.unravel_index(block[i], shape)
            raise InputError(
                f"Replication {cells.replication.labels[b]!r} of dataset {cells.dataset.labels[m]!r} has two values of "
                f"{name!r}: {column[i]} in {cells.rows.one(i)} and {column[other]} in {cells.rows.one(other)}. "
                "All rows of a replication share it."
            )
        placed[name] = table.reshape(shape)
    return placed


def structure_column(column: pd.Series[Any], name: str, rows: Rows) -> npt.NDArray[np.int64]:
    """Turn a column such as ``repeat`` or ``n_test`` into whole numbers, -1 where empty."""
    values = numbers(column, name, rows)
    wrong = np.flatnonzero(~np.isnan(values) & ((values < 0) | (values != np.floor(values))))
    if wrong.size:
        raise CellValueError(
            f"The column {name!r} must hold whole numbers, 0 or greater; {rows.many(wrong)} "
            f"hold{'s' if wrong.size == 1 else ''} {listing([float(values[i]) for i in wrong], quote=False)}."
        )
    return np.where(np.isnan(values), -1, values).astype(np.int64)
