"""The rows of a warehouse as the cube of `Results`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from podium.arrays import BoolArray, FloatArray, Int64Array, IntArray
from podium.results import MeasureInfo, Results
from podium.warehouse.database import Database
from podium.warehouse.record import STATUSES, TrialKey, measure_set

# Reasons of missing cells in Results ("", absent, failed, timeout, skipped) by status; a crash is a failure there.
_REASON_OF_STATUS = np.array([1, 1, 2, 3, 2, 4], np.uint8)
# What is known about the samples of a trial, in the order of the query below.
_STRUCTURE = ("repeat", "fold", "n_learn", "n_test")
_DONE = STATUSES.index("done") + 1
_FAILED = STATUSES.index("failed") + 1


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
        labels = list(database.rows("SELECT id, axis, name, identity FROM label"))
        place = {name: i for i, name in enumerate(entry["name"] for entry in design["measures"])}
        size = max((int(label[0]) for label in labels), default=0) + 1
        positions = {axis: np.full(size, -1, np.int64) for axis in ("dataset", "algorithm")}
        for number, axis, name, identity in labels:
            if name in design[f"{axis}s"] and belongs(design, f"{axis}s", name, identity):
                positions[axis][number] = design[f"{axis}s"].index(name)
        return cls(
            shape=(len(design["datasets"]), int(design["replications"]), len(design["algorithms"]), len(place)),
            datasets=positions["dataset"],
            algorithms=positions["algorithm"],
            measures={
                int(number): [
                    place[name] if name in place and belongs(design, "measures", name, identity) else -1
                    for name, identity in measure_set(document)
                ]
                for number, document in database.rows("SELECT id, document FROM measure_set")
            },
        )

    @property
    def known(self) -> str:
        """A condition in SQL that leaves out trials of labels and sets which another process has added since."""
        size = len(self.datasets)
        return (
            f"dataset < {size} AND algorithm < {size} AND COALESCE(measure_set, 0) <= {max(self.measures, default=0)}"
        )

    def inside(self, m: Int64Array, b: Int64Array, k: Int64Array) -> BoolArray:
        """Tell which positions are those of a trial of the design."""
        return (m >= 0) & (k >= 0) & (b >= 0) & (b < self.shape[1])


def belongs(design: Mapping[str, Any], part: str, name: str, identity: str) -> bool:
    """Tell whether trials made with this identity count for a design; one without identities has unknown ones."""
    return identity in design.get("identities", {}).get(part, {}).get(name, ("",))


def is_trial_of(design: Mapping[str, Any], key: TrialKey, dataset: str, algorithm: str) -> bool:
    """Tell whether an attempt at a trial, with these identities of its data set and algorithm, belongs to a design."""
    return (
        key.dataset in design["datasets"]
        and key.algorithm in design["algorithms"]
        and 1 <= key.replication <= design["replications"]
        and belongs(design, "datasets", key.dataset, dataset)
        and belongs(design, "algorithms", key.algorithm, algorithm)
    )


def load_codes(database: Database, design: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
    """Load the status of every trial of a design, as `Warehouse.status_codes` returns them."""
    codes, has = load_measured(database, design)
    complete = has.all(axis=3)
    codes[(codes == _DONE) & ~complete] = 0
    codes[complete & (codes > 0)] = _DONE
    return codes


def load_measured(database: Database, design: Mapping[str, Any]) -> tuple[npt.NDArray[np.uint8], BoolArray]:
    """Load the status of the newest attempt at every trial of a design, and which measures any attempt has."""
    selection = Selection.of(database, design)
    codes = np.zeros(selection.shape[:3], np.uint8)
    # One number per trial: fetching five takes three times as long.
    base, sets, factor = len(selection.datasets), max(selection.measures, default=0) + 1, len(STATUSES) + 1
    trial = f"(CAST(replication AS BIGINT) * {base} + dataset) * {base} + algorithm"
    packed = f"(({trial}) * {sets} + COALESCE(measure_set, 0)) * {factor} + status"
    sql = f"SELECT {packed} FROM trial WHERE {selection.known} ORDER BY id"
    rest, status = np.divmod(np.fromiter(chain.from_iterable(database.rows(sql)), np.int64), factor)
    rest, measured = np.divmod(rest, sets)
    rest, algorithm = np.divmod(rest, base)
    b, dataset = np.divmod(rest, base)
    m, b, k = selection.datasets[dataset], b - 1, selection.algorithms[algorithm]
    inside = selection.inside(m, b, k)
    m, b, k, status, measured = m[inside], b[inside], k[inside], status[inside], measured[inside]
    # A trial that failed because no measure had a value may have values of measures that were not tried.
    tried = {number for number, places in selection.measures.items() if {*range(selection.shape[3])} <= {*places}}
    untried = (status == _FAILED) & (measured > 0) & ~np.isin(measured, list(tried))
    codes[m, b, k] = np.where(untried, 0, status)  # rows are in order: the newest attempt stays
    has = np.zeros(selection.shape, bool)
    for number in np.unique(measured[status == _DONE]):
        at = (measured == number) & (status == _DONE)
        for j in selection.measures.get(int(number), ()):
            if j >= 0:
                has[m[at], b[at], k[at], j] = True
    return codes, has


def load_results(database: Database, design: Mapping[str, Any], name: str) -> Results:
    """Load the trials of a design: values from the newest attempt that has them, reasons from the newest attempt."""
    measures = tuple(_measure(entry) for entry in design["measures"])
    selection = Selection.of(database, design)
    shape = selection.shape
    values = np.full(shape, np.nan)
    reasons = np.ones(shape, np.uint8)
    structure = {field: np.full(shape[:2], -1, np.int64) for field in _STRUCTURE}
    for numbers, blobs in _batches(database, selection.known):
        m, b, k = selection.datasets[numbers[:, 0]], numbers[:, 1] - 1, selection.algorithms[numbers[:, 2]]
        inside = np.flatnonzero(selection.inside(m, b, k))
        m, b, k, numbers = m[inside], b[inside], k[inside], numbers[inside]
        newest = _last_of_each(np.ravel_multi_index((m, b, k), shape[:3]))
        reasons[m[newest], b[newest], k[newest]] = _REASON_OF_STATUS[numbers[newest, 3]][:, None]
        for field, column in zip(_STRUCTURE, numbers.T[5:], strict=True):
            known = column >= 0
            structure[field][m[known], b[known]] = column[known]
        done = numbers[:, 3] == _DONE
        # The attempts of a cell can have different sets of measures: each value is kept with the row it comes from.
        found: dict[int, list[tuple[IntArray, FloatArray]]] = {}
        for number in np.unique(numbers[done, 4]):
            at = np.flatnonzero(done & (numbers[:, 4] == number))
            places = selection.measures.get(int(number), ())
            table = np.frombuffer(b"".join(blobs[i] for i in inside[at]), "<f8").reshape(len(at), -1)
            for column, j in zip(table.T, places, strict=True):
                if j >= 0:
                    found.setdefault(j, []).append((at, column))
        for j, parts in found.items():
            at, column = (np.concatenate(pieces) for pieces in zip(*parts, strict=True))
            order = np.argsort(at, kind="stable")
            at = at[order]
            values[m[at], b[at], k[at], j] = column[order]  # rows are in order: the newest stays
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
    """Read what a design says about a measure; designs of schema version 1 have `unit` in place of `units`."""
    return MeasureInfo(**{"units" if name == "unit" else name: value for name, value in entry.items()})


def _last_of_each(cell: IntArray) -> IntArray:
    """Positions of the last row of each cell: its newest attempt."""
    _, from_behind = np.unique(cell[::-1], return_index=True)
    last: IntArray = len(cell) - 1 - from_behind
    return last


def _batches(database: Database, known: str) -> Any:
    """Yield the trials, oldest first, as an integer table and a list of value arrays; later attempts overwrite."""
    sql = (
        "SELECT dataset, replication, algorithm, status, COALESCE(measure_set, -1), repeat, fold, n_learn, n_test, "
        f"numbers FROM trial WHERE {known} ORDER BY id"
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
