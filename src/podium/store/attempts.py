"""Attempts at trials as records, one after another: whatever their number, only a few are in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from podium.store.cube import belongs
from podium.store.database import Database
from podium.store.document import parse
from podium.store.record import MAX_TRACEBACK_CHARS, STATUSES, TrialIdentity, TrialKey, TrialRecord, clean, measure_set
from podium.store.rows import (
    N_COLUMNS,
    Rows,
    check_count_of,
    columns_sql,
    damage_error,
    read_table,
    row_checksum,
    to_rows,
)
from podium.store.schema import HAS_PREDICTION, HAS_TROUBLE

_AT_ONCE = 2_000
_AT_ONCE_WITH_PREDICTIONS = 100  # each may be large
_OF_REPLICATION = "WHERE t.dataset IN (SELECT id FROM label WHERE axis = 'dataset' AND name = ?) AND t.replication = ? "
_TROUBLE = ("error_type", "message", "traceback", "warnings", "undefined", "checksum")


def read_records(
    database: Database,
    *,
    kept: bool = True,
    design: Mapping[str, Any] | None = None,
    replication: tuple[str, int] | None = None,
) -> Iterator[TrialRecord]:
    """Yield attempts in the order they were appended: all of them, or those of a design or of one replication.

    Without `kept`, predictions are not read. A replication is that of a data set.

    Raises
    ------
    DamageError
        If a row does not match its checksum, or is missing.
    """
    names = _Names(database)
    sql = (
        f"SELECT {columns_sql(database.blob('t.numbers'))}, {', '.join(f'x.{name}' for name in _TROUBLE)}, "
        f"{'p.content, p.checksum' if kept else 'NULL, NULL'} FROM trial t LEFT JOIN trouble x ON x.trial = t.id "
        f"{'LEFT JOIN prediction p ON p.trial = t.id ' if kept else ''}{_OF_REPLICATION if replication else ''}"
        "ORDER BY t.id"
    )
    seen, size = 0, _AT_ONCE_WITH_PREDICTIONS if kept else _AT_ONCE
    for batch in database.batches(sql, size, replication or (), large=replication is None):
        rows = to_rows([row[:N_COLUMNS] for row in batch])
        wrong = rows["number"][rows.damaged()]
        if len(wrong):
            raise damage_error(database, f"trial {wrong[0]} does not match its checksum")
        seen += len(rows)
        for i, row in enumerate(batch):
            if design is None or names.belongs(design, rows, i):
                yield _record(database, names, rows, i, row[N_COLUMNS:], kept)
    if design is None and replication is None:  # others may have written since
        check_at_least(database, seen)


def check_at_least(database: Database, seen: int) -> None:
    """Refuse a table of trials that has fewer rows than its index; more may have been added meanwhile."""
    if (database.count("trial") or 0) > seen:
        database.read(lambda: check_count_of(database, "trial", database.rows_of("trial")))


class _Names:
    """Names, hosts and sets of measures by their numbers, read again when there are new ones."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._chosen: dict[tuple[int, int], bool] = {}
        self._found = database.read(self._learn)

    def _learn(self) -> dict[str, dict[int, Any]]:
        return {
            table: {number: fields for number, *fields in read_table(self._database, table)}
            for table in ("label", "host", "measure_set")
        }

    def _look_up(self, table: str, number: int) -> Any:
        if number not in self._found[table]:
            self._found = self._database.read(self._learn)
        if number not in self._found[table]:
            raise damage_error(self._database, f"a trial refers to row {number} of the table {table}: it is missing")
        return self._found[table][number]

    def label(self, axis: str, number: int) -> tuple[str, str]:
        """Return the name and the identity of a data set or an algorithm."""
        found, name, identity = self._look_up("label", number)
        if found != axis:
            raise damage_error(self._database, f"a trial names the {found} {name!r} where it must name the {axis}")
        return name, identity

    def host(self, number: int) -> str:
        """Return what is known about a host; -1 is an unknown one."""
        return "" if number < 0 else str(self._look_up("host", number)[0])

    def measures(self, number: int) -> list[tuple[str, str]]:
        """Return the names and identities of a set of measures; -1 is the empty set."""
        return [] if number < 0 else measure_set(self._look_up("measure_set", number)[0])

    def belongs(self, design: Mapping[str, Any], rows: Rows, i: int) -> bool:
        """Return whether an attempt belongs to a design."""
        pair = int(rows["dataset"][i]), int(rows["algorithm"][i])
        if pair not in self._chosen:
            self._chosen[pair] = all(
                name in design[f"{axis}s"] and belongs(design, f"{axis}s", name, identity)
                for axis, number in zip(("dataset", "algorithm"), pair, strict=True)
                for name, identity in [self.label(axis, number)]
            )
        return self._chosen[pair] and 1 <= int(rows["replication"][i]) <= int(design["replications"])


def _record(
    database: Database, names: _Names, rows: Rows, i: int, attached: Sequence[Any], with_kept: bool
) -> TrialRecord:
    """Make the record of one row, with what other tables have of it."""
    number, has = int(rows["number"][i]), int(rows["attached"][i])
    *trouble, stored, content, kept_stored = attached
    if stored != (row_checksum(number, *trouble) if has & HAS_TROUBLE else None):
        raise damage_error(database, f"the message of trial {number} cannot be read as written")
    if with_kept and kept_stored != (row_checksum(number, content) if has & HAS_PREDICTION else None):
        raise damage_error(database, f"the predictions of trial {number} cannot be read as written")
    error_type, message, traceback, warnings, undefined = (text or "" for text in trouble)
    dataset, algorithm = (names.label(axis, int(rows[axis][i])) for axis in ("dataset", "algorithm"))
    measured = names.measures(int(rows["measure_set"][i]))
    values = np.frombuffer(rows.numbers[i] or b"", "<f8").tolist()
    return TrialRecord(
        key=TrialKey(dataset[0], int(rows["replication"][i]), algorithm[0]),
        status=STATUSES[int(rows["status"][i]) - 1],
        values=dict(zip((name for name, _ in measured if values), values, strict=True)),
        undefined={clean(name): clean(text) for name, text in parse(undefined or "{}").items()},
        repeat=int(rows["repeat"][i]),
        fold=int(rows["fold"][i]),
        n_learn=int(rows["n_learn"][i]),
        n_test=int(rows["n_test"][i]),
        seed=int(rows["seed"][i]),
        started=float(rows["started"][i]),
        fit_seconds=float(rows["fit_seconds"][i]),
        predict_seconds=float(rows["predict_seconds"][i]),
        host=clean(names.host(int(rows["host"][i])), MAX_TRACEBACK_CHARS),
        error_type=clean(error_type),
        message=clean(message),
        traceback=clean(traceback, MAX_TRACEBACK_CHARS),
        warnings=tuple(clean(text) for text in parse(warnings or "[]")),
        identity=TrialIdentity(dataset[1], algorithm[1], {name: identity for name, identity in measured if identity}),
        kept=content or b"",
    )
