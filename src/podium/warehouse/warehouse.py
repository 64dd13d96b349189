"""`Warehouse`: where every trial of an experiment is kept."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.arrays import Int64Array
from podium.checks import check_call, check_count, check_flag, check_mapping, describe, expect
from podium.errors import BusyError, InputError
from podium.results import Results
from podium.warehouse.cube import load_results
from podium.warehouse.database import Database, open_database
from podium.warehouse.files import read_trials, write_trials
from podium.warehouse.integrity import Damage, find_damage
from podium.warehouse.merge import joint_design, new_trials
from podium.warehouse.record import STATUSES, TrialKey, TrialRecord, TrialStatus, check_statuses
from podium.warehouse.schema import TRIAL_COLUMNS, TROUBLE_COLUMNS
from podium.warehouse.status import Status, status_of

_BATCH = 5000  # trials that a merge adds at once


@check_call
class Warehouse:
    """Where the trials of one experiment are kept: append-only, resumable, readable while a run writes.

    Parameters
    ----------
    where : path or str
        A file (SQLite), created if it does not exist, or a ``postgresql://`` URL.
    readonly : bool, default False
        Open for reading only; the warehouse must exist.

    Examples
    --------
    >>> import podium
    >>> experiment = podium.Experiment("iris", ["lda", "constant"], podium.Bootstrap(replications=2), "accuracy")
    >>> with podium.Warehouse(":memory:") as warehouse:
    ...     results = podium.run(experiment, warehouse, executor="threads", workers=1)
    ...     print(warehouse.status())
    :memory:: 4 trials: 4 done
    <BLANKLINE>
              done
    lda          2
    constant     2
    """

    _ways_out: ClassVar = {"Results": "Use warehouse.results()."}
    _made_from: ClassVar = (
        ((str, Path), "Open it: podium.Warehouse({thing})."),
        (object, "podium.Warehouse('file.db') opens one."),
    )

    def __init__(self, where: str | Path, *, readonly: bool = False) -> None:
        check_flag(readonly, "readonly")
        self._database: Database = open_database(where, readonly=readonly)
        self._labels: dict[tuple[str, str], int] = {}
        self._documents: dict[str, dict[str, int]] = {"host": {}, "measure_set": {}}
        self._learn_numbers()

    @property
    def name(self) -> str:
        """Path of the file, or address of the database without its password."""
        return self._database.name

    def __repr__(self) -> str:
        if self._database.closed:
            return f"Warehouse {self.name!r}: closed"
        counts = ", ".join(f"{count:,} {status}" for status, count in self.counts().items())
        return f"Warehouse {self.name!r}: {counts or 'no trials yet'}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; everything appended is kept already."""
        self._database.close()

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Be the only run that writes here while the block lasts; other runs are refused, readers are not.

        Raises
        ------
        BusyError
            If another run is writing.
        """
        with self._database.claim() as ours:
            if not ours:
                raise BusyError(
                    f"Another run is writing into the warehouse {self.name!r}. `podium status` shows its progress; "
                    "wait for it, or use another warehouse and merge the two afterwards."
                )
            yield

    # ---- the design -----------------------------------------------------------------------------------------------

    @property
    def design(self) -> dict[str, Any] | None:
        """The newest design, or None in an empty warehouse.

        A mapping with the keys ``datasets``, ``algorithms`` (names), ``replications`` (their number), ``measures``
        (name, direction, units, scale of each), ``experiment`` (the design as it is written in a file, or None) and
        ``record`` (what two designs are compared by; absent where no experiment was run).
        """
        newest = next(iter(self._database.rows("SELECT document FROM design ORDER BY id DESC LIMIT 1")), None)
        return None if newest is None else json.loads(newest[0])

    def designs(self) -> list[dict[str, Any]]:
        """Return every design the warehouse has had, oldest first."""
        return [json.loads(text) for (text,) in self._database.rows("SELECT document FROM design ORDER BY id")]

    def set_design(self, document: Mapping[str, Any], fingerprint: str) -> None:
        """Record a design (its keys: see `design`); the earlier ones stay."""
        text = json.dumps(check_mapping(document, "`document`"), sort_keys=True)
        with self._database.transaction():
            self._database.insert("design", ("created", "fingerprint", "document"), [(time.time(), fingerprint, text)])

    def _require_design(self) -> dict[str, Any]:
        design = self.design
        if design is None:
            raise InputError(f"The warehouse {self.name!r} is empty: it has no design and no trials.")
        return design

    # ---- writing --------------------------------------------------------------------------------------------------

    def append(self, records: Iterable[TrialRecord]) -> None:
        """Add trials, all of them or none."""
        if not isinstance(records, Iterable):
            raise InputError(f"`records` must be a sequence of TrialRecord; got {describe(records)}.")
        records = [expect(record, TrialRecord, "records") for record in records]
        if not records:
            return
        try:
            with self._database.transaction():
                self._insert(records)
        except BaseException:
            self._learn_numbers()  # forget those that were rolled back
            raise

    def merge(self, source: Warehouse) -> int:
        """Add the trials of another warehouse that this one does not have.

        The designs must agree: the same seed, resampling, data, algorithms and measures where they share a name. A
        trial that is done in both must have the same values, times aside; where it is done in one only, that counts.

        Parameters
        ----------
        source : Warehouse
            The other warehouse; it is not changed.

        Returns
        -------
        int
            Number of trials added.

        Raises
        ------
        DesignChangedError
            If the designs contradict each other.
        ConflictError
            If a trial is done in both with different values; its `report` lists all of them.
        """
        expect(source, Warehouse, "source")
        design, other = self.design, source.design
        if other is None:
            return 0
        joint = other if design is None else joint_design(design, other, self.name, source.name)
        new = new_trials(self.records(), source.records(), joint, self.name, source.name)
        if joint != design:
            self.set_design(joint, fingerprint="merged")
        for start in range(0, len(new), _BATCH):
            self.append(new[start : start + _BATCH])
        return len(new)

    def import_trials(self, path: str | Path) -> int:
        """Read what `export_trials` wrote into this warehouse, which must be empty.

        Parameters
        ----------
        path : path or str
            The ``.csv`` or ``.parquet`` file; ``<name>.design.json`` must lie beside it.

        Returns
        -------
        int
            Number of attempts read.
        """
        records, design = read_trials(path)
        if self.counts():
            raise InputError(f"The warehouse {self.name!r} is not empty; import into a new one and merge it.")
        if design is not None:
            self.set_design(design, fingerprint="imported")
        self.append(records)
        return len(records)

    def _insert(self, records: Sequence[TrialRecord]) -> None:
        numbers = self._database.insert("trial", TRIAL_COLUMNS, (self._row(record) for record in records))
        trouble = [
            (number, r.error_type, r.message, r.traceback, json.dumps(list(r.warnings)), json.dumps(dict(r.undefined)))
            for number, r in zip(numbers, records, strict=True)
            if r.error_type or r.message or r.traceback or r.warnings or r.undefined
        ]
        if trouble:
            self._database.insert_plain("trouble", TROUBLE_COLUMNS, trouble)

    def _row(self, record: TrialRecord) -> tuple[Any, ...]:
        key = record.key
        names = list(record.values)
        numbers = np.array([record.values[name] for name in names], "<f8").tobytes() if names else None
        return (
            self._label("dataset", key.dataset),
            int(key.replication),
            self._label("algorithm", key.algorithm),
            STATUSES.index(record.status) + 1,
            self._document("measure_set", json.dumps(names)) if names else None,
            numbers,
            record.repeat,
            record.fold,
            record.n_learn,
            record.n_test,
            record.seed,
            record.started,
            _or_none(record.fit_seconds),
            _or_none(record.predict_seconds),
            self._document("host", record.host) if record.host else None,
        )

    def _label(self, axis: str, name: str) -> int:
        if (axis, name) not in self._labels:
            self._learn_numbers()
        if (axis, name) not in self._labels:
            self._labels[axis, name] = self._database.insert("label", ("axis", "name"), [(axis, name)])[0]
        return self._labels[axis, name]

    def _document(self, table: str, text: str) -> int:
        known = self._documents[table]
        if text not in known:
            self._learn_numbers()
        if text not in known:
            known[text] = self._database.insert(table, ("document",), [(text,)])[0]
        return known[text]

    def _learn_numbers(self) -> None:
        """Read the numbers that this or another process has assigned."""
        rows = self._database.rows
        self._labels = {(axis, name): int(i) for i, axis, name in rows("SELECT id, axis, name FROM label")}
        for table, known in self._documents.items():
            known.clear()
            known.update({document: int(i) for i, document in rows(f"SELECT id, document FROM {table}")})

    # ---- reading --------------------------------------------------------------------------------------------------

    def results(self) -> Results:
        """Return everything that was measured; a trial that is not done is a missing cell with its reason."""
        design = self._require_design()
        self._learn_numbers()
        positions = {
            "dataset": self._positions("dataset", design["datasets"]),
            "algorithm": self._positions("algorithm", design["algorithms"]),
        }
        return load_results(self._database, design, positions, self.name)

    def status(self) -> Status:
        """Return what is done, what went wrong and why, and what is left; also while a run writes.

        Returns
        -------
        Status
        """
        design = self._require_design()
        datasets, algorithms = design["datasets"], design["algorithms"]
        codes = self.status_codes(datasets, design["replications"], algorithms)
        records = self.records(every_attempt=False) if (codes > 1).any() else ()
        inside = (r for r in records if r.key.dataset in datasets and r.key.algorithm in algorithms)
        return status_of(self.name, codes, datasets, algorithms, inside)

    def check(self) -> tuple[Damage, ...]:
        """Check the integrity of the warehouse.

        Returns
        -------
        tuple of Damage
            What is wrong; empty if the warehouse is intact.
        """
        return find_damage(self._database)

    def export_trials(self, path: str | Path) -> Path:
        """Write every attempt at every trial into a ``.csv`` or ``.parquet`` file.

        One row per attempt, in the order they were made, with a column ``value: <measure>`` for each measure. The
        design is written to a file beside it, ``<name>.design.json``.

        Returns
        -------
        Path
        """
        return write_trials(path, self.records(), self.design)

    def counts(self) -> dict[str, int]:
        """Count the trials by the status of their newest attempt."""
        sql = (
            "SELECT status, COUNT(*) FROM trial WHERE id IN "
            "(SELECT MAX(id) FROM trial GROUP BY dataset, replication, algorithm) GROUP BY status ORDER BY status"
        )
        return {STATUSES[status - 1]: int(count) for status, count in self._database.rows(sql)}

    def trials(
        self, status: TrialStatus | Sequence[TrialStatus] | None = None, *, every_attempt: bool = False
    ) -> pd.DataFrame:
        """Return one row per trial (its newest attempt, or every attempt), with everything that is known of it."""
        wanted = STATUSES if status is None else check_statuses(status, "status")
        rows = [
            {**record.key._asdict(), "status": record.status, **record.values, **_details(record)}
            for record in self.records(every_attempt=every_attempt)
            if record.status in wanted
        ]
        return pd.DataFrame(rows, columns=None if rows else [*TrialKey._fields, "status"])

    def failures(self) -> pd.DataFrame:
        """Return one row per trial that is not done, with its reason."""
        frame = self.trials(("failed", "timeout", "crashed", "skipped"))
        columns = ["dataset", "replication", "algorithm", "status", "error_type", "message"]
        return frame.reindex(columns=columns)

    def status_codes(
        self, datasets: Sequence[str], replications: int, algorithms: Sequence[str]
    ) -> npt.NDArray[np.uint8]:
        """Return the status of every trial of a grid: 0 not tried, else 1 + position in `STATUSES` of its last attempt.

        Returns
        -------
        ndarray of uint8, shape (M, B, K)
        """
        check_count(replications, "replications")
        self._learn_numbers()
        m_of = self._positions("dataset", datasets)
        k_of = self._positions("algorithm", algorithms)
        codes = np.zeros((len(datasets), replications, len(algorithms)), np.uint8)
        # One number per trial: fetching four takes three times as long.
        base, factor = len(m_of), len(STATUSES) + 1
        packed = f"((CAST(replication AS BIGINT) * {base} + dataset) * {base} + algorithm) * {factor} + status"
        rows = self._database.rows(f"SELECT {packed} FROM trial ORDER BY id")
        rest, status = np.divmod(np.fromiter(chain.from_iterable(rows), np.int64), factor)
        rest, algorithm = np.divmod(rest, base)
        b, dataset = np.divmod(rest, base)
        m, b, k = m_of[dataset], b - 1, k_of[algorithm]
        inside = (m >= 0) & (k >= 0) & (b >= 0) & (b < replications)
        codes[m[inside], b[inside], k[inside]] = status[inside]  # rows are in order: the newest attempt stays
        return codes

    def records(self, *, every_attempt: bool = True) -> Iterator[TrialRecord]:
        """Yield every attempt in the order it was appended, or only the newest attempt at each trial."""
        check_flag(every_attempt, "every_attempt")
        newest = " WHERE t.id IN (SELECT MAX(id) FROM trial GROUP BY dataset, replication, algorithm)"
        sql = (
            "SELECT d.name, t.replication, a.name, t.status, s.document, t.numbers, t.repeat, t.fold, t.n_learn, "
            "t.n_test, t.seed, t.started, t.fit_seconds, t.predict_seconds, h.document, x.error_type, x.message, "
            "x.traceback, x.warnings, x.undefined FROM trial t JOIN label d ON d.id = t.dataset "
            "JOIN label a ON a.id = t.algorithm LEFT JOIN measure_set s ON s.id = t.measure_set "
            "LEFT JOIN host h ON h.id = t.host "
            f"LEFT JOIN trouble x ON x.trial = t.id{'' if every_attempt else newest} ORDER BY t.id"
        )
        for row in self._database.rows(sql):
            names = json.loads(row[4]) if row[4] else []
            yield TrialRecord(
                key=TrialKey(row[0], int(row[1]), row[2]),
                status=STATUSES[row[3] - 1],
                values=dict(zip(names, np.frombuffer(row[5] or b"", "<f8").tolist(), strict=True)),
                repeat=int(row[6]),
                fold=int(row[7]),
                n_learn=int(row[8]),
                n_test=int(row[9]),
                seed=int(row[10]),
                started=float(row[11]),
                fit_seconds=_or_nan(row[12]),
                predict_seconds=_or_nan(row[13]),
                host=row[14] or "",
                error_type=row[15] or "",
                message=row[16] or "",
                traceback=row[17] or "",
                warnings=tuple(json.loads(row[18])) if row[18] else (),
                undefined=json.loads(row[19]) if row[19] else {},
            )

    def _positions(self, axis: str, names: Sequence[str]) -> Int64Array:
        """Map the database's numbers of labels to positions in `names`; -1 for others."""
        place = {name: i for i, name in enumerate(names)}
        size = max(self._labels.values(), default=0) + 1
        table = np.full(size, -1, np.int64)
        for (label_axis, name), number in self._labels.items():
            if label_axis == axis:
                table[number] = place.get(name, -1)
        return table


@contextmanager
def opened(warehouse: str | Path | Warehouse, *, readonly: bool = False) -> Iterator[Warehouse]:
    """Open a warehouse for the duration of the block; one that is open already stays open."""
    if isinstance(warehouse, Warehouse):
        yield warehouse
        return
    with Warehouse(warehouse, readonly=readonly) as store:
        yield store


def _details(record: TrialRecord) -> dict[str, Any]:
    names = [field.name for field in fields(TrialRecord) if field.name not in ("key", "status", "values")]
    return {name: getattr(record, name) for name in names}


def _or_none(x: float) -> float | None:
    return None if np.isnan(x) else float(x)


def _or_nan(x: Any) -> float:
    return float("nan") if x is None else float(x)
