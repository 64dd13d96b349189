"""Wide tables: one column per algorithm, one row per data set or replication."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.errors import AmbiguousInputError, IndexColumnWarning, InputError, join_names, plural
from podium.results.cube import STRUCTURE_FIELDS, Cube
from podium.results.forms.arguments import Arguments, RowMeaning
from podium.results.forms.cells import assemble
from podium.results.forms.columns import column_of, holds_words, is_empty_cell, numbers
from podium.results.forms.roles import UNNAMED
from podium.results.forms.table import (
    NOTE,
    RecognisedTable,
    holds_whole_numbers,
    in_words,
    replication_column,
    text_column,
)
from podium.results.known_measures import known_measure
from podium.results.labels import clean_labels
from podium.results.measure_info import write_measures

_INDEX_NAMES = ("", "#", "id", "idx", "index", "no", "no.", "nr", "nr.", "row", "rows", "rowid", "row id")
_OTHER_NAMES = {  # of whole numbers that belong to a row and are not scores
    **dict.fromkeys(("seed", "seeds", "random seed", "random state", "rng seed"), "a seed"),
    **dict.fromkeys(("n", "n samples", "n instances", "n rows", "n obs", "sample size"), "the size of a data set"),
    **dict.fromkeys(("n features", "n attributes", "n columns", "n classes"), "the size of a data set"),
    **dict.fromkeys(("timestamp", "unix time"), "a time stamp"),
}
_NUMBERED = "(number within data set)"


def from_wide(table: RecognisedTable, arguments: Arguments) -> Cube:
    """Read a table whose columns of numbers are the algorithms."""
    arguments.only_for("a wide table", "columns", "rows")
    table, found = _name_the_rows(table, arguments.rows)
    frame = table.frame
    at = [i for i, name in enumerate(frame.columns) if name not in {*table.roles.values(), *table.from_index}]
    if not at:
        raise InputError("The table has no column of values: in a wide table each algorithm is a column of numbers.")
    first = len(table.from_index)
    algorithms = clean_labels((frame.columns[i] for i in at), "algorithm", lambda i: f"in column {at[i] - first + 1}")
    _refuse_measures_as_algorithms([frame.columns[i] for i in at])
    _refuse_names_as_values([frame.iloc[:, i] for i in at])
    _refuse_index_as_algorithm([frame.iloc[:, i] for i in at])
    cells = table.cells(arguments, np.column_stack([numbers(frame.iloc[:, i], table.rows) for i in at]))
    found = "; ".join([found, *table.left_out_in_words])
    origin = f"wide table, {plural(len(frame), 'row')}; {found}; algorithms in {plural(len(at), 'column')}"
    measures = arguments.describe_only(table.stored)
    return assemble(cells, algorithms=algorithms, measures=measures, origin=origin, form="wide table")


def to_wide(cube: Cube) -> pd.DataFrame:
    """One row per data set and replication, one column per algorithm; there must be one measure."""
    if len(cube.measures) > 1:
        raise InputError(
            f"A wide table holds one measure; these results have {join_names(cube.measure_names)}. Choose one: "
            f"to_wide(measure={cube.measure_names[0]!r})."
        )
    m, b = np.nonzero(cube.design)
    index = pd.MultiIndex.from_arrays(
        [text_column(cube.datasets, m), replication_column(cube, b)], names=["dataset", "replication"]
    )
    frame = pd.DataFrame(cube.values[m, b, :, 0], index=index, columns=list(cube.algorithms))
    frame.columns.name = cube.measures[0].name
    frame.attrs[NOTE] = write_measures(cube.measures)
    return frame


def _name_the_rows(table: RecognisedTable, meaning: RowMeaning | None) -> tuple[RecognisedTable, str]:
    """Find out what a row is; if that is ambiguous, raise an error with the two readings."""
    kept = ("dataset", "replication", *STRUCTURE_FIELDS)
    table = dataclasses.replace(table, roles={role: name for role, name in table.roles.items() if role in kept})
    frame, roles = table.frame, table.roles
    if "dataset" in roles and meaning == "replication" and not table.numbers_replications:
        order = pd.Series(frame.index)
        if table.from_index == (UNNAMED,) and pd.api.types.is_integer_dtype(column_of(frame, UNNAMED).dtype):
            order = column_of(frame, UNNAMED)  # the original order, also after shuffling
        number = (
            frame.assign(_order=order)
            .sort_values("_order", kind="stable")
            .groupby(roles["dataset"], observed=True)
            .cumcount()
        )
        numbered = frame.assign(**{_NUMBERED: number.reindex(frame.index) + 1})
        table = dataclasses.replace(table, frame=numbered, roles={**roles, "replication": _NUMBERED})
        return table, "rows are replications, numbered within their data set"
    if "dataset" in roles or table.numbers_replications:
        if meaning == "dataset" and "dataset" not in roles:
            role = next(role for role in ("replication", "repeat", "fold") if role in roles)
            raise InputError(
                f"`rows='dataset'` contradicts the column {str(roles[role])!r}, which numbers replications. Leave one "
                "of them out."
            )
        named_by = [role for role in roles if role in ("dataset", "replication", "repeat", "fold")]
        return table, f"rows named by {join_names(named_by)}"
    label = _label_column(table)
    if label is not None and meaning is None and holds_words(column_of(frame, label)):
        table = dataclasses.replace(table, roles={**roles, "dataset": label})
        return table, f"rows are data sets, named by {in_words(label)}"
    if meaning is not None:
        name = label if label is not None else UNNAMED
        noun = "data sets" if meaning == "dataset" else "replications"
        unnamed = name == UNNAMED and not holds_words(column_of(frame, name))
        table = dataclasses.replace(table, roles={**roles, meaning: name})
        return table, f"rows are {noun}, {'numbered' if unnamed else f'named by {in_words(name)}'}"
    columns = frame.shape[1] - len(table.from_index)
    raise AmbiguousInputError(
        f"The table has {plural(len(frame), 'row')}, {plural(columns, 'column')} of numbers and nothing that says what "
        "a row is. If each row is a data set, pass rows='dataset'; if each row is a replication on one data set, pass "
        "rows='replication'."
    )


def _label_column(table: RecognisedTable) -> Hashable | None:
    """Find the one column, or the index, that names the rows."""
    frame = table.frame
    words = [
        name
        for name in frame.columns
        if holds_words(column_of(frame, name)) or (name in table.from_index and name != UNNAMED)
    ]
    if len(words) > 1:
        raise AmbiguousInputError(
            f"The columns {join_names(map(str, words))} hold text, so this is not a plain wide table. If one of them "
            f"names the algorithms, say so: columns={{'algorithm': {str(words[-1])!r}}}; if one names the data sets: "
            f"columns={{'dataset': {str(words[0])!r}}}.",
            remedy={"columns": {"algorithm": words[-1]}},
        )
    values = [name for name in frame.columns if name not in table.from_index and name not in words]
    if len(words) == 1 and len(values) == 1:
        raise AmbiguousInputError(
            f"The table has one column of text, {str(words[0])!r}, and one of numbers. If the text names the "
            f"algorithms, pass columns={{'algorithm': {str(words[0])!r}}}; if it names the data sets, pass "
            f"columns={{'dataset': {str(words[0])!r}}}.",
            remedy={"columns": {"algorithm": words[0]}},
        )
    return words[0] if words else None


def _refuse_measures_as_algorithms(columns: list[Any]) -> None:
    if all(known_measure(str(name)) for name in columns):
        raise AmbiguousInputError(
            f"The column{'s' if len(columns) > 1 else ''} {join_names(map(str, columns), most=8)} "
            f"{'are named like measures' if len(columns) > 1 else 'is named like a measure'}, and no column names the "
            "algorithms. Say which one does: columns={'algorithm': ...}; an index needs a name: "
            "frame.rename_axis('algorithm').",
            remedy={"columns": {"algorithm": ...}},
        )


def _refuse_names_as_values(columns: list[pd.Series[Any]]) -> None:
    """Refuse columns of names, which show that this is a table of trials rather than a wide one."""
    names = [str(column.name) for column in columns if holds_words(column) and _starts_with_a_letter(column)]
    if names:
        several = len(names) > 1
        raise AmbiguousInputError(
            f"The column{'s' if several else ''} {join_names(names)} hold{'' if several else 's'} text, and no column "
            "is known to name the algorithms; in a wide table each algorithm is a column of numbers. If "
            f"{'one of them' if several else 'it'} names the algorithms, pass columns={{'algorithm': {names[0]!r}}}; "
            f"if not, remove {'them' if several else 'it'}.",
            remedy={"columns": {"algorithm": names[0]}},
        )


def _refuse_index_as_algorithm(columns: list[pd.Series[Any]]) -> None:
    """Refuse a column that is named like an index and is one; warn of one that counts the rows by another name."""
    whole = [holds_whole_numbers(column) for column in columns]
    for column, is_whole in zip(columns, whole, strict=True):
        if not is_whole or len(columns) == 1:
            continue
        name = str(column.name)
        if not (name == "n" and all(whole)):  # one of many algorithms with short names
            _refuse_index_by_name(name, column)
        cells = column.to_numpy(dtype=np.float64)
        if _counts(cells) and sum(whole) == 1:
            message = (
                f"The column {name!r} counts the rows, {cells.min():g} to {cells.max():g}, and was taken for an "
                f"algorithm. If it numbers the replications, pass columns={{'replication': {name!r}}}; if it is not an "
                "algorithm, remove it."
            )
            warnings.warn(IndexColumnWarning(message, column=name), stacklevel=8)


def _refuse_index_by_name(name: str, column: pd.Series[Any]) -> None:
    key = " ".join(name.lower().replace("_", " ").split())
    replication = f"if it numbers the replications, pass columns={{'replication': {name!r}}}"
    if key in _INDEX_NAMES and column.is_unique:
        raise AmbiguousInputError(
            f"The column {name!r} is named like an index, and no two of its whole numbers are equal. If it names the "
            f"data sets, pass columns={{'dataset': {name!r}}}; {replication}; if neither, remove it; if it is an "
            "algorithm, rename it."
        )
    if key in _OTHER_NAMES:
        raise AmbiguousInputError(
            f"The column {name!r} is named like {_OTHER_NAMES[key]}, and holds whole numbers. If it is not an "
            f"algorithm, remove it; {replication}; if it is an algorithm, rename it."
        )


def _counts(cells: FloatArray) -> bool:
    """Return whether the numbers count from 0 or 1, once or over and over, as they do within data sets."""
    first = cells[0]
    starts = np.flatnonzero(np.diff(cells) != 1) + 1
    if len(cells) < 3 or first not in (0, 1) or (cells[starts] != first).any():
        return False
    return bool((np.diff([0, *starts, len(cells)]) > 1).all())


def _starts_with_a_letter(column: pd.Series[Any]) -> bool:
    """Distinguish names from numbers followed by text, such as ``0.9 (0.1)``."""
    return next((str(cell).strip()[0].isalpha() for cell in column if not is_empty_cell(cell)), False)
