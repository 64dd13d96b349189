"""The rows of a warehouse as the cube of `Results`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from podium.arrays import Int64Array, IntArray
from podium.results import MeasureInfo, Results
from podium.warehouse.database import Database
from podium.warehouse.record import STATUSES

# Reasons of missing cells in Results ("", absent, failed, timeout, skipped) by status; a crash is a failure there.
_REASON_OF_STATUS = np.array([1, 1, 2, 3, 2, 4], np.uint8)
# What is known of the samples of a trial, in the order of the query below.
_STRUCTURE = ("repeat", "fold", "n_learn", "n_test")
_DONE = STATUSES.index("done") + 1


def load_results(
    database: Database, design: Mapping[str, Any], positions: Mapping[str, Int64Array], name: str
) -> Results:
    """Load the newest attempt at every trial of a design.

    `positions` maps the database's numbers of labels to positions in the design, -1 for labels outside.
    """
    measures = tuple(_measure(entry) for entry in design["measures"])
    shape = (len(design["datasets"]), int(design["replications"]), len(design["algorithms"]), len(measures))
    values = np.full(shape, np.nan)
    reasons = np.ones(shape, np.uint8)
    structure = {field: np.full(shape[:2], -1, np.int64) for field in _STRUCTURE}
    names = [measure.name for measure in measures]
    sets = {int(i): json.loads(text) for i, text in database.rows("SELECT id, document FROM measure_set")}
    for numbers, blobs in _batches(database):
        m, b, k = positions["dataset"][numbers[:, 0]], numbers[:, 1] - 1, positions["algorithm"][numbers[:, 2]]
        inside = np.flatnonzero((m >= 0) & (k >= 0) & (b >= 0) & (b < shape[1]))
        cell = np.ravel_multi_index((m[inside], b[inside], k[inside]), shape[:3])
        newest = inside[_last_of_each(cell)]
        m, b, k, numbers = m[newest], b[newest], k[newest], numbers[newest]
        reasons[m, b, k] = _REASON_OF_STATUS[numbers[:, 3]][:, None]
        values[m, b, k] = np.nan
        for field, column in zip(_STRUCTURE, numbers.T[5:], strict=True):
            known = column >= 0
            structure[field][m[known], b[known]] = column[known]
        kept = [blobs[i] for i in newest]
        for number, measured in sets.items():
            at = np.flatnonzero((numbers[:, 4] == number) & (numbers[:, 3] == _DONE))
            if at.size:
                table = np.frombuffer(b"".join(kept[i] for i in at), "<f8").reshape(-1, len(measured))
                for column, measure in zip(table.T, measured, strict=True):
                    if measure in names:
                        values[m[at], b[at], k[at], names.index(measure)] = column
    if design.get("independent"):
        structure["independent"] = np.where(structure["n_learn"] >= 0, 1, -1)
    return Results(
        values=values,
        reasons=reasons,
        structure={field: table for field, table in structure.items() if (table >= 0).any()},
        datasets=tuple(design["datasets"]),
        replications=tuple(range(1, shape[1] + 1)),
        algorithms=tuple(design["algorithms"]),
        measures=measures,
        origin=f"warehouse {name}",
    )


def _measure(entry: Mapping[str, Any]) -> MeasureInfo:
    """Read what a design says of a measure; designs of schema version 1 have `unit` in place of `units`."""
    return MeasureInfo(**{"units" if name == "unit" else name: value for name, value in entry.items()})


def _last_of_each(cell: IntArray) -> IntArray:
    """Positions of the last row of each cell: its newest attempt."""
    _, from_behind = np.unique(cell[::-1], return_index=True)
    last: IntArray = len(cell) - 1 - from_behind
    return last


def _batches(database: Database) -> Any:
    """Yield the trials, oldest first, as an integer table and a list of value arrays; later attempts overwrite."""
    sql = (
        "SELECT dataset, replication, algorithm, status, COALESCE(measure_set, -1), repeat, fold, n_learn, n_test, "
        "numbers FROM trial ORDER BY id"
    )
    rows: list[tuple[Any, ...]] = []
    for row in database.rows(sql):
        rows.append(row)
        if len(rows) == 100_000:
            yield _split(rows)
            rows = []
    if rows:
        yield _split(rows)


def _split(rows: Sequence[tuple[Any, ...]]) -> tuple[Int64Array, list[bytes]]:
    numbers = np.fromiter((n for row in rows for n in row[:9]), np.int64, 9 * len(rows)).reshape(-1, 9)
    return numbers, [bytes(row[9]) if row[9] is not None else b"" for row in rows]
