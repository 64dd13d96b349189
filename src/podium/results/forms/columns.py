"""Columns of a table: labels become codes, cells become numbers; an error names the rows that cannot be read."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, AnyIntArray, CodeArray, FloatArray, IntArray
from podium.checks import shown
from podium.errors import AmbiguousInputError, CellValueError, InputError, LabelError, join_names
from podium.results.cube import MEASURED, REASON_NAMES
from podium.results.labels import Axis, Label, clean_labels, is_missing, natural_key, noun

# Words for a missing value, as R, pandas, Excel and databases write them.
EMPTY_WORDS = ("", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "<NA>", "#N/A", "-")

_STRANGE = {"M": "dates", "m": "time spans", "c": "complex numbers"}  # by the kind of a dtype

_REASON_WORDS = {
    **{name: code for code, name in enumerate(REASON_NAMES)},
    **dict.fromkeys(("done", "ok", "measured", "success", "complete", "completed", "finished"), MEASURED),
    **dict.fromkeys(("timed out", "timedout"), REASON_NAMES.index("timeout")),
    **dict.fromkeys(("error", "failure", "fail"), REASON_NAMES.index("failed")),
    **dict.fromkeys(("crash",), REASON_NAMES.index("crashed")),
    **dict.fromkeys(("missing",), REASON_NAMES.index("absent")),
}

MAX_ROWS = 5  # rows that a message names


@dataclass(frozen=True, slots=True)
class RowNames:
    """How messages name the rows of a table: by position from 0, as in ``frame.iloc``, or by what `number` makes of it.

    In a file, for example, a row is named by its line.
    """

    noun: str = "row"
    number: Callable[[int], object] = int

    def one(self, position: int) -> str:
        """Name one row."""
        return f"{self.noun} {self.number(int(position))}"

    def many(self, positions: Sequence[int] | AnyArray) -> str:
        """Name several rows: the first few, and how many more there are."""
        if len(positions) == 1:
            return self.one(positions[0])
        first = ", ".join(str(self.number(int(i))) for i in positions[:MAX_ROWS])
        more = f" and {len(positions) - MAX_ROWS:,} more" if len(positions) > MAX_ROWS else ""
        return f"{self.noun}s {first}{more}"

    def taken(self, kept: IntArray) -> RowNames:
        """Return the names of some of the rows, after the others have been left out."""
        return RowNames(self.noun, lambda position: self.number(int(kept[position])))


@dataclass(frozen=True, slots=True)
class Coded:
    """A column of labels: the distinct labels in order, and for each row the position of its label."""

    labels: tuple[Label, ...]
    codes: AnyIntArray


def constant(label: Label, n: int) -> Coded:
    """Return a column that has the same label in every row."""
    return Coded((label,), np.zeros(n, np.int8))


def column_of(frame: pd.DataFrame, name: Any) -> pd.Series[Any]:
    """Return one column; tables with repeated column names have already been refused."""
    column: pd.Series[Any] = frame[name]
    return column


def encode(column: pd.Series[Any], axis: Axis, rows: RowNames) -> Coded:
    """Code a column of labels.

    Labels come in natural order, whatever the order of the rows; an ordered categorical keeps its own.
    """
    codes, raw, keep_order = _factorized(column)
    blank = [-1, *(i for i, label in enumerate(raw) if is_missing(label))]
    if len(blank) > 1 or (codes.size and int(codes.min()) < 0):
        empty = np.flatnonzero(np.isin(codes, blank))
        if empty.size:
            raise LabelError(f"The {noun(axis)} label is empty in {rows.many(empty)}. Give every row its {noun(axis)}.")
    seen = np.zeros(len(raw), bool)
    seen[codes] = True
    used = np.flatnonzero(seen)

    def where(i: int) -> str:
        return f"in {rows.one(int(np.argmax(codes == used[i])))}"

    labels = clean_labels((raw[int(i)] for i in used), axis, where)
    order = list(range(len(labels)))
    if not keep_order:
        order.sort(key=lambda i: natural_key(labels[i]))
    if np.array_equal(used[order], np.arange(len(raw))):  # coded as it should be: no need to touch every row
        return Coded(labels, codes)
    place = np.zeros(len(raw), np.min_scalar_type(len(order)))
    place[used[order]] = np.arange(len(order))
    return Coded(tuple(labels[i] for i in order), place[codes])


def _factorized(column: pd.Series[Any]) -> tuple[AnyIntArray, Sequence[Any], bool]:
    """Return codes, the labels they stand for, and whether their order carries meaning."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.codes.to_numpy(), list(column.cat.categories), bool(column.cat.ordered)
    values = column.to_numpy() if isinstance(column.dtype, np.dtype) else None
    if values is not None and values.dtype.kind in "iu" and values.size:
        low, high = int(values.min()), int(values.max())
        if high - low < max(values.size, 1000) and high < 2**62:  # few gaps: subtracting is faster than hashing
            return values.astype(np.intp) - low, range(low, high + 1), False
    return *factorize(column), False


def factorize(column: pd.Series[Any]) -> tuple[AnyIntArray, list[Any]]:
    """Return the code of each cell, -1 where it is empty, and the distinct cells that the codes stand for."""
    try:
        codes, uniques = pd.factorize(column)
    except TypeError:
        raise LabelError(f"The column {column.name!r} must hold labels; it holds lists or dicts.") from None
    return codes, list(uniques)


def refuse_fractions(column: pd.Series[Any], axis: Axis) -> None:
    """Refuse a column whose name only suggests labels and whose cells are measurements."""
    if str(column.name).lower() == axis or pd.api.types.is_integer_dtype(column.dtype):
        return
    cells = column.cat.categories if isinstance(column.dtype, pd.CategoricalDtype) else factorize(column)[1]
    values = np.array([cell_number(cell) for cell in cells if not is_empty_cell(cell)])
    fractions = values[values != np.floor(values)]
    if not np.isnan(values).any() and fractions.size:
        raise AmbiguousInputError(
            f"The column {column.name!r} is named like the {noun(axis)} and holds numbers like {fractions[0]:g}. If "
            f"these are labels, pass columns={{{axis!r}: {column.name!r}}}; if not, rename the column."
        )


def numbers(column: pd.Series[Any], rows: RowNames, title: str = "") -> FloatArray:
    """Turn a column into finite floats, NaN where empty; anything else is an error that names the rows.

    True counts as 1 and False as 0. `title` is what the message calls the column.
    """
    dtype = column.dtype
    title = title or f"The column {column.name!r}"
    if isinstance(dtype, pd.CategoricalDtype):
        return numbers(column.astype(dtype.categories.dtype), rows, title)
    strange = _STRANGE.get(dtype.kind)
    if strange is not None:
        raise CellValueError(f"{title} must hold numbers; it holds {strange}.")
    if pd.api.types.is_numeric_dtype(dtype) or pd.api.types.is_bool_dtype(dtype):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    else:
        values = np.array([cell_number(cell) for cell in column], dtype=np.float64)
        wrong = [int(i) for i in np.flatnonzero(np.isnan(values)) if not is_empty_cell(column.iloc[i])]
        if wrong:
            held = join_names([shown(column.iloc[i]) for i in wrong], quote=False)
            raise CellValueError(
                f"{title} must hold numbers; {rows.many(wrong)} "
                f"hold{'s' if len(wrong) == 1 else ''} {held}. "
                "Give numbers, or leave the cells empty and give a reason."
            )
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        raise CellValueError(
            f"{title} holds infinite values in {rows.many(infinite)}. "
            "Give finite numbers, or leave the cells empty and give a reason."
        )
    return values


def cell_number(cell: Any) -> float:
    """Read one cell; NaN where it is empty or not a number."""
    try:
        if isinstance(cell, str):
            return float("nan" if "_" in cell else cell)  # Python would read 1_000 as a number
        if isinstance(cell, Real | Decimal | np.bool_) and not is_missing(cell):
            return float(cell)
    except (ValueError, OverflowError):
        pass
    return np.nan


def is_empty_cell(cell: Any) -> bool:
    """Return whether a cell is empty or holds a word for a missing value."""
    return is_missing(cell) or (isinstance(cell, str) and cell.strip() in EMPTY_WORDS)


def holds_words(column: pd.Series[Any]) -> bool:
    """Distinguish a column of words from a column of numbers, which may contain a typo or be empty."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return holds_words(pd.Series(column.cat.categories))
    if pd.api.types.is_numeric_dtype(column.dtype) or pd.api.types.is_bool_dtype(column.dtype):
        return False
    cells = [cell for cell in column if not is_empty_cell(cell)]
    return sum(math.isnan(cell_number(cell)) for cell in cells) > len(cells) / 2


def reason_codes(column: pd.Series[Any], rows: RowNames) -> CodeArray:
    """Turn a column of reasons (or of trial states) into codes."""
    codes, uniques = factorize(column)
    table = np.zeros(len(uniques) + 1, np.uint8)  # the last entry serves code -1: no reason
    for i, word in enumerate(uniques):
        found = _REASON_WORDS.get(str(word).strip().lower())
        if found is None:
            raise InputError(
                f"The column {column.name!r} gives the reason {str(word)!r} in "
                f"{rows.many(np.flatnonzero(codes == i))}; the reasons are {join_names(REASON_NAMES[1:])}."
            )
        table[i] = found
    return table[codes]


def structure_column(column: pd.Series[Any], rows: RowNames) -> IntArray:
    """Turn a column such as ``repeat`` or ``n_test`` into whole numbers, -1 where empty."""
    values = numbers(column, rows)
    wrong = np.flatnonzero(~np.isnan(values) & ((values < 0) | (values != np.floor(values))))
    if wrong.size:
        raise CellValueError(
            f"The column {column.name!r} must hold whole numbers, 0 or greater; {rows.many(wrong)} "
            f"hold{'s' if wrong.size == 1 else ''} {join_names([float(values[i]) for i in wrong], quote=False)}."
        )
    return np.where(np.isnan(values), -1, values).astype(np.int64)
