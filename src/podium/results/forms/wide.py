"""Wide tables: one column per algorithm, one row per data set or replication."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import pandas as pd

from podium.errors import AmbiguousInputError, DirectionError, InputError, listing
from podium.results.cube import STRUCTURE_FIELDS, Cube
from podium.results.forms.assemble import (
    Cells,
    Coded,
    Rows,
    assemble,
    constant,
    encode,
    numbers,
    structure_column,
)
from podium.results.forms.roles import Role
from podium.results.forms.table import Describe, Stored, describe_as_json, replication_of
from podium.results.labels import clean_labels
from podium.results.measure_info import known_measure

RowMeaning = Literal["dataset", "replication"]
_NUMBERED = "(row number)"


def from_wide(
    frame: pd.DataFrame,
    roles: Mapping[Role, Any],
    describe: Describe,
    *,
    measure: str | None,
    dataset: str,
    row_meaning: RowMeaning | None,
    stored: Stored,
    rows: Rows,
) -> Cube:
    """Read a table whose numeric columns are the algorithms."""
    frame, roles, found = _name_the_rows(frame, roles, row_meaning)
    used = {roles[role] for role in ("dataset", "replication", *STRUCTURE_FIELDS) if role in roles}  # type: ignore[index]
    at = [i for i, column in enumerate(frame.columns) if column not in used]
    if not at:
        raise InputError("The table has no column of values: in a wide table each algorithm is a numeric column.")
    algorithms = clean_labels((frame.columns[i] for i in at), "algorithm", lambda i: f"column {at[i] + 1}")
    _refuse_measures_as_algorithms(algorithms)
    columns = [numbers(frame.iloc[:, i], frame.columns[i], rows) for i in at]
    structure = {
        name: structure_column(frame[roles[name]], str(roles[name]), rows)  # type: ignore[index]
        for name in STRUCTURE_FIELDS
        if name in roles
    }
    n, k = len(frame), len(at)
    dataset_of = encode(frame[roles["dataset"]], "dataset", rows) if "dataset" in roles else constant(dataset, n)
    replication = replication_of(frame, roles, structure, rows)
    cells = Cells(
        dataset=Coded(dataset_of.labels, np.tile(dataset_of.codes, k)),
        replication=Coded(replication.labels, np.tile(replication.codes, k)),
        algorithm=Coded(algorithms, np.repeat(np.arange(k), n)),
        values=np.concatenate(columns)[:, None],
        structure={name: np.tile(column, k) for name, column in structure.items()},
        rows=rows,
        has_replication=bool({"replication", "repeat", "fold"} & set(roles)),
    )
    origin = f"wide table, {n:,} rows; {found}; algorithms in {k} columns"
    return assemble(cells, describe_one(measure, describe, stored), origin)


def to_wide(cube: Cube) -> pd.DataFrame:
    """One row per (data set, replication), one column per algorithm, of the one measure there is."""
    if len(cube.measures) > 1:
        raise InputError(
            f"A wide table holds one measure; these results have {listing(cube.measure_names)}. "
            f"Choose one: to_wide(measure={cube.measure_names[0]!r})."
        )
    m, b = np.nonzero(cube.design)
    index = pd.MultiIndex.from_arrays(
        [[cube.datasets[i] for i in m], [cube.replications[i] for i in b]], names=["dataset", "replication"]
    )
    frame = pd.DataFrame(cube.values[m, b, :, 0], index=index, columns=list(cube.algorithms))
    frame.columns.name = cube.measures[0].name
    frame.attrs["podium"] = {"measures": describe_as_json(cube.measures)}
    return frame


def describe_one(measure: str | None, describe: Describe, stored: Stored) -> Any:
    """Describe the only measure of a form that does not name it."""
    if measure is None and len(stored) == 1:
        measure = next(iter(stored))
    try:
        return describe((measure or "value",), stored=stored)
    except DirectionError:
        if measure is not None:
            raise
        raise DirectionError(
            "The table does not say what its values measure. Name the measure (measure='accuracy'), or say which "
            "values are better (direction='lower' or direction='greater')."
        ) from None


def _name_the_rows(
    frame: pd.DataFrame, roles: Mapping[Role, Any], row_meaning: RowMeaning | None
) -> tuple[pd.DataFrame, dict[Role, Any], str]:
    """Find out what a row stands for, or refuse with the two readings."""
    if row_meaning not in (None, "dataset", "replication"):
        raise InputError(f"`rows` must be 'dataset' or 'replication'; got {row_meaning!r}.")
    roles = {role: column for role, column in roles.items() if role in ("dataset", "replication", *STRUCTURE_FIELDS)}
    if {"dataset", "replication", "repeat", "fold"} & set(roles):
        named = [role for role in ("dataset", "replication", "repeat", "fold") if role in roles]
        return frame, roles, f"rows named by {listing(named)}"
    labels = [name for i, name in enumerate(frame.columns) if _holds_words(frame.iloc[:, i])]
    if len(labels) > 1:
        raise AmbiguousInputError(
            f"The columns {listing(labels)} hold text, so this is no plain wide table. If one of them names the "
            f"algorithms, say so: columns={{'algorithm': {str(labels[-1])!r}}}; if one names the data sets: "
            f"columns={{'dataset': {str(labels[0])!r}}}."
        )
    if len(labels) == 1:
        if frame.shape[1] == 2:
            raise AmbiguousInputError(
                f"The table has one column of text, {str(labels[0])!r}, and one of numbers. If the text names the "
                f"algorithms, say columns={{'algorithm': {str(labels[0])!r}}}; a wide table needs a column for each."
            )
        role: RowMeaning = row_meaning or "dataset"
        return frame, {**roles, role: labels[0]}, f"rows are {role}s, named by {str(labels[0])!r}"
    if row_meaning is not None:
        numbered = frame.assign(**{_NUMBERED: np.arange(1, len(frame) + 1)})
        return numbered, {**roles, row_meaning: _NUMBERED}, f"rows are {row_meaning}s, numbered"
    raise AmbiguousInputError(
        f"The table has {len(frame)} rows, {frame.shape[1]} columns of numbers and nothing that says what a row is. "
        "If each row is a data set, say rows='dataset'; if each row is a replication on one data set, "
        "say rows='replication'."
    )


def _holds_words(column: pd.Series[Any]) -> bool:
    if pd.api.types.is_numeric_dtype(column.dtype):
        return False
    return bool(pd.to_numeric(column, errors="coerce").isna().all())


def _refuse_measures_as_algorithms(algorithms: tuple[Any, ...]) -> None:
    if all(known_measure(str(name)) for name in algorithms):
        raise AmbiguousInputError(
            f"The columns {listing(algorithms, most=8)} are named like measures, and no column names the algorithms. "
            "Say which column does: columns={'algorithm': ...}."
        )
