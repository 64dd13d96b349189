"""The rows of a warehouse as the cube of `Results`.

Characteristics of learning samples are stored as trials of a special algorithm, which is not compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, BoolArray, CodeArray, FloatArray, Int64Array, IntArray
from podium.design.characteristics.selection import NAME
from podium.results import MeasureInfo, Results
from podium.results.cube import ABSENT, REASON_NAMES, SAMPLE_FIELDS
from podium.store.database import Database
from podium.store.decision import load_stopped
from podium.store.record import STATUSES, TrialRecord, measure_set
from podium.store.rows import LIMITS, Rows, damage_error, read_table, read_trials

# Reasons for missing cells in Results by status, the first for a trial that has not been run.
_REASON_OF_STATUS = np.array(
    [ABSENT, *(ABSENT if status == "done" else REASON_NAMES.index(status) for status in STATUSES)], np.uint8
)
_DONE = STATUSES.index("done") + 1
_FAILED = STATUSES.index("failed") + 1
STOPPED = len(STATUSES) + 1  # the code of a trial that is not to be run, or does not count, because of a decision
_REASON_STOPPED = REASON_NAMES.index("stopped")
_LABEL_BITS = 20  # of the number of a label


@dataclass(frozen=True, eq=False)
class Selection:
    """Which rows of a database belong to a design: those with its names, under the identities that count for it.

    Attributes
    ----------
    shape : tuple of int
        Numbers of data sets, replications, algorithms and measures.
    datasets, algorithms : ndarray of int
        The position in the design by the number of a label; -1 for labels outside.
    measures : mapping of int to list of int
        The positions in the design of the measures of each set, by the number of the set; -1 for those outside.
    """

    shape: tuple[int, int, int, int]
    datasets: Int64Array
    algorithms: Int64Array
    measures: Mapping[int, Sequence[int]]

    @classmethod
    def of(cls, database: Database, design: Mapping[str, Any]) -> Self:
        """Read the numbers that the database has assigned, and select those of a design."""
        labels = read_table(database, "label")
        last = max((label[0] for label in labels), default=0)
        if last > LIMITS["dataset"][1]:  # podium assigns no such number: an array as long as that would be large
            raise damage_error(database, f"a label has the number {last}")
        places = {axis: {name: i for i, name in enumerate(design[f"{axis}s"])} for axis in ("dataset", "algorithm")}
        positions = {axis: np.full(last + 1, -1, np.int64) for axis in places}
        for number, axis, name, identity in labels:
            if name in places[axis] and belongs(design, f"{axis}s", name, identity):
                positions[axis][number] = places[axis][name]
        place = {name: i for i, name in enumerate(entry["name"] for entry in design["measures"])}
        return cls(
            shape=(len(design["datasets"]), int(design["replications"]), len(design["algorithms"]), len(place)),
            datasets=positions["dataset"],
            algorithms=positions["algorithm"],
            measures={
                int(number): [
                    place[name] if name in place and belongs(design, "measures", name, identity) else -1
                    for name, identity in measure_set(document)
                ]
                for number, document in read_table(database, "measure_set")
            },
        )

    def cells(self, rows: Rows | Mapping[str, Int64Array]) -> tuple[Int64Array, Int64Array, Int64Array, IntArray]:
        """Return the positions of trials in the design, and which of the rows these are; others are left out."""
        for name in ("dataset", "algorithm"):
            if rows[name].min() < 0 or rows[name].max() >= len(self.datasets):
                raise IndexError(f"a trial refers to the missing label {rows[name].max()}")
        m, b, k = self.datasets[rows["dataset"]], rows["replication"] - 1, self.algorithms[rows["algorithm"]]
        inside = np.flatnonzero((m >= 0) & (k >= 0) & (b >= 0) & (b < self.shape[1]))
        return m[inside], b[inside], k[inside], inside


def belongs(design: Mapping[str, Any], part: str, name: str, identity: str) -> bool:
    """Return whether trials made with this identity count for a design; one without identities has unknown ones."""
    return identity in design.get("identities", {}).get(part, {}).get(name, ("",))


@dataclass(frozen=True, eq=False)
class Measured:
    """What is stored of the trials of a design, by cell.

    Attributes
    ----------
    codes : ndarray of uint8, shape (M, B, K)
        Status of the newest attempt.
    has : ndarray of bool, shape (M, B, K, J)
        Which measures any attempt has.
    newest : ndarray of int, shape (M, B, K)
        Number of the newest attempt; 0 where there is none.
    attached : ndarray of uint8, shape (M, B, K)
        Which rows of other tables belong to the newest attempt; see `podium.store.schema`.
    stopped : ndarray of bool, shape (M, B, K)
        Which trials are not to be run, or do not count, because a stopping rule has decided.
    """

    codes: CodeArray
    has: BoolArray
    newest: Int64Array
    attached: CodeArray
    stopped: BoolArray

    def complete_codes(self) -> CodeArray:
        """Return the statuses, with a trial done only if it has every measure; see `Warehouse.status_codes`."""
        codes, complete = self.codes.copy(), self.has.all(axis=3)
        codes[(codes == _DONE) & ~complete] = 0
        codes[complete & (codes > 0)] = _DONE
        codes[self.stopped] = STOPPED
        return codes


def load_measured(database: Database, design: Mapping[str, Any]) -> Measured:
    """Load the status of the newest attempt at every trial of a design, and which measures any attempt has."""
    selection = Selection.of(database, design)
    codes = np.zeros(selection.shape[:3], np.uint8)
    newest = np.zeros(selection.shape[:3], np.int64)
    attached = np.zeros(selection.shape[:3], np.uint8)
    has = np.zeros(selection.shape, bool)
    # A trial that failed because no measure had a value may have values of measures that were not tried.
    tried = [number for number, places in selection.measures.items() if {*range(selection.shape[3])} <= {*places}]
    for rows in read_trials(database):
        m, b, k, inside = selection.cells(rows)
        status, measured = rows["status"][inside], rows["measure_set"][inside]
        untried = (status == _FAILED) & (measured > 0) & ~np.isin(measured, tried)
        codes[m, b, k] = np.where(untried, 0, status)  # rows are in order: the newest attempt stays
        newest[m, b, k] = rows["number"][inside]
        attached[m, b, k] = rows["attached"][inside]
        for number in np.unique(measured[status == _DONE]):
            at = (measured == number) & (status == _DONE)
            for j in selection.measures.get(int(number), ()):
                if j >= 0:
                    has[m[at], b[at], k[at], j] = True
    return Measured(codes, has, newest, attached, load_stopped(database, design))


def load_counts(database: Database) -> dict[str, int]:
    """Count the trials, under all identities, by the status of their newest attempt."""
    parts = [
        (keys["dataset"] << _LABEL_BITS | keys["algorithm"], keys["replication"], keys["status"].astype(np.uint8))
        for keys in compared(database)
    ]
    if not parts:
        return {}
    pair, replication, status = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    _, pair = np.unique(pair, return_inverse=True)
    newest = _last_of_each(pair * (replication.max(initial=0) + 1) + replication)
    counts = np.bincount(status[newest], minlength=len(STATUSES) + 1).tolist()
    return {name: count for name, count in zip(STATUSES, counts[1:], strict=False) if count}


def load_results(database: Database, design: Mapping[str, Any], name: str) -> Results:
    """Load the trials of a design: values from the newest attempt that has them, reasons from the newest attempt.

    Where a stopping rule has decided, what comes after does not count, whether or not it was run.
    """
    measures = tuple(MeasureInfo(**entry) for entry in design["measures"])
    selection = Selection.of(database, design)
    shape = selection.shape
    values = np.full(shape, np.nan)
    reasons = np.ones(shape, np.uint8)
    structure = {field: np.full(shape[:2], -1, np.int64) for field in SAMPLE_FIELDS}
    tried: BoolArray = np.zeros(shape[:2], bool)
    for rows in read_trials(database):
        m, b, k, inside = selection.cells(rows)
        status, measured = rows["status"][inside], rows["measure_set"][inside]
        tried[m, b] = True
        newest = _last_of_each(np.ravel_multi_index((m, b, k), shape[:3]))
        reasons[m[newest], b[newest], k[newest]] = _REASON_OF_STATUS[status[newest]][:, None]
        for field in SAMPLE_FIELDS:
            column = rows[field][inside]
            known = column >= 0
            structure[field][m[known], b[known]] = column[known]
        # The attempts of a cell can have different sets of measures: each value is kept with the row it comes from.
        found: dict[int, list[tuple[IntArray, FloatArray]]] = {}
        for number in np.unique(measured[status == _DONE]):
            at = np.flatnonzero((status == _DONE) & (measured == number))
            joined = b"".join(rows.numbers[i] or b"" for i in inside[at])
            table = np.frombuffer(joined, "<f8").reshape(len(at), -1)
            for column, j in zip(table.T, selection.measures[int(number)], strict=True):
                if j >= 0:
                    found.setdefault(j, []).append((at, column))
        for j, parts in found.items():
            at, column = (np.concatenate(pieces) for pieces in zip(*parts, strict=True))
            order = np.argsort(at, kind="stable")
            at = at[order]
            values[m[at], b[at], k[at], j] = column[order]  # rows are in order: the newest stays
    stopped = load_stopped(database, design)
    values[stopped], reasons[stopped] = np.nan, _REASON_STOPPED
    ended: BoolArray = np.all(stopped, axis=2)
    early: BoolArray = np.any(ended, axis=1)
    if early.any():
        structure["planned"] = np.where(early[:, None] & ~ended, shape[1], -1)
    numbers = np.arange(1, shape[1] + 1)
    if design.get("recorded"):  # nobody has said what is planned: a replication belongs to the design once it was tried
        kept = np.any(tried, axis=0)
        values, reasons, tried = values[:, kept], reasons[:, kept], tried[:, kept]
        ended = ~tried
        structure, numbers = {field: table[:, kept] for field, table in structure.items()}, numbers[kept]
    if design.get("independent"):
        structure["independent"] = np.where(tried if design.get("recorded") else structure["n_learn"] >= 0, 1, -1)
    return Results(
        values=values,
        reasons=reasons,
        design=~ended,
        structure={field: table for field, table in structure.items() if (table >= 0).any()},
        datasets=tuple(design["datasets"]),
        replications=tuple(numbers.tolist()),
        algorithms=tuple(design["algorithms"]),
        measures=measures,
        origin=f"warehouse {name}",
        warehouse="" if name == ":memory:" else name,
    )


def _last_of_each(cell: IntArray) -> IntArray:
    """Positions of the last row of each cell: its newest attempt."""
    _, from_behind = np.unique(cell[::-1], return_index=True)
    return len(cell) - 1 - from_behind


def compared(database: Database) -> Iterator[dict[str, AnyArray]]:
    """Yield the columns of all trials of the algorithms that are compared; see `read_trials`."""
    labels = read_table(database, "label")
    others = [number for number, axis, name, _ in labels if (axis, name) == ("algorithm", NAME)]
    for rows in read_trials(database):
        inside = ~np.isin(rows["algorithm"], others)
        yield {name: column[inside] for name, column in rows.fields.items()}


def design_of_characteristics(design: Mapping[str, Any]) -> dict[str, Any]:
    """Return the design under which a warehouse has the characteristics of another one."""
    return {**{key: design[key] for key in ("datasets", "replications")}, **design["characteristics"]}


def characteristics_frame(cube: Results, records: Iterable[TrialRecord]) -> pd.DataFrame:
    """Return one row per learning sample that was described, with the reasons for missing values in `attrs`."""
    reasons: dict[tuple[str, int], dict[str, str]] = {}
    described = set()
    for record in records:
        key = (record.key.dataset, record.key.replication)
        described.add(key)
        why = dict(record.undefined)
        if record.status != "done" and not why:
            why = dict.fromkeys(cube.measure_names, record.message)
        if why:
            reasons[key] = why
    m, b = np.indices(cube.shape[:2]).reshape(2, -1)
    keys = [(cube.datasets[i], int(cube.replications[j])) for i, j in zip(m, b, strict=True)]
    index = pd.MultiIndex.from_tuples(keys, names=["dataset", "replication"])
    frame = pd.DataFrame(cube.values[m, b, 0], index=index, columns=list(cube.measure_names))
    frame = frame[[key in described for key in keys]]
    frame.attrs["reasons"] = reasons
    return frame
