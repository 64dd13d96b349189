"""Warehouses of earlier versions are migrated when they are opened for writing, on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_trials import DESIGN, everything, trial

from podium.errors import DamageError, ExecutionError, InputError
from podium.warehouse import TrialIdentity, Warehouse

TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE design (
        id {key}, created {real} NOT NULL, fingerprint TEXT NOT NULL, document TEXT NOT NULL{before})""",
    "CREATE TABLE label (id {key}, axis TEXT NOT NULL, name TEXT NOT NULL{identity}, UNIQUE (axis, name{and_identity}))",
    "CREATE TABLE host (id {key}, document TEXT NOT NULL UNIQUE)",
    "CREATE TABLE measure_set (id {key}, document TEXT NOT NULL UNIQUE)",
    """CREATE TABLE trial (
        id {key},
        dataset INTEGER NOT NULL REFERENCES label,
        replication INTEGER NOT NULL,
        algorithm INTEGER NOT NULL REFERENCES label,
        status INTEGER NOT NULL,
        measure_set INTEGER REFERENCES measure_set,
        numbers {bytes},
        repeat INTEGER NOT NULL,
        fold INTEGER NOT NULL,
        n_learn INTEGER NOT NULL,
        n_test INTEGER NOT NULL,
        seed BIGINT NOT NULL,
        started {real} NOT NULL,
        fit_seconds {real},
        predict_seconds {real},
        host INTEGER REFERENCES host)""",
    """CREATE TABLE trouble (
        trial BIGINT PRIMARY KEY REFERENCES trial,
        error_type TEXT NOT NULL,
        message TEXT NOT NULL,
        traceback TEXT NOT NULL,
        warnings TEXT NOT NULL{undefined})""",
    "CREATE INDEX trial_key ON trial (dataset, replication, algorithm)",
)
PREDICTION = "CREATE TABLE prediction (trial BIGINT PRIMARY KEY REFERENCES trial, content {bytes} NOT NULL)"
ADDED = {  # by the version that added it
    "{undefined}": (2, ", undefined TEXT NOT NULL DEFAULT '{}'"),
    "{before}": (3, ", before BIGINT"),
    "{identity}": (3, ", identity TEXT NOT NULL DEFAULT ''"),
    "{and_identity}": (3, ", identity"),
}
SQLITE = {"{key}": "INTEGER PRIMARY KEY", "{real}": "REAL", "{bytes}": "BLOB"}
POSTGRESQL = {
    "{key}": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "{real}": "DOUBLE PRECISION",
    "{bytes}": "BYTEA",
}


def make_old(where: str, version: int) -> None:
    """Fill a database as podium did in that version: one finished trial and one with a warning (and predictions)."""
    if where.startswith("postgresql"):
        import psycopg

        connection: Any = psycopg.connect(where)
        types, mark = POSTGRESQL, "%s"
    else:
        connection, types, mark = sqlite3.connect(where), SQLITE, "?"

    def insert(table: str, columns: str, *values: Any) -> None:
        marks = ", ".join([mark] * len(values))
        connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", values)

    for statement in (*TABLES, *([PREDICTION] if version > 2 else [])):
        for placeholder, (since, text) in ADDED.items():
            statement = statement.replace(placeholder, text if version >= since else "")
        for placeholder, kind in types.items():
            statement = statement.replace(placeholder, kind)
        connection.execute(statement)
    for action in ("UPDATE", "DELETE") if types is SQLITE else ():
        connection.execute(
            f"CREATE TRIGGER label_no_{action.lower()} BEFORE {action} ON label "
            "BEGIN SELECT RAISE(ABORT, 'a warehouse is append-only'); END"
        )
    measures = [dict(measure) for measure in DESIGN["measures"]]
    if version == 1:
        measures = [{("unit" if key == "units" else key): value for key, value in m.items()} for m in measures]
    insert("meta", "name, value", "schema version", str(version))
    document = json.dumps({**DESIGN, "measures": measures})
    insert("design", "created, fingerprint, document", 1234567890.0, "f", document)
    for axis, name in (("dataset", "iris"), ("algorithm", "svm"), ("algorithm", "knn")):
        insert("label", "axis, name", axis, name)
    insert("measure_set", "document", json.dumps(["accuracy", "fit time"]))
    columns = (
        "dataset, replication, algorithm, status, measure_set, numbers, repeat, fold, n_learn, n_test, seed, started"
    )
    for algorithm, value in ((2, 0.5), (3, 0.75)):
        numbers = np.array([value, 2.0], "<f8").tobytes()
        insert("trial", columns, 1, 1, algorithm, 1, 1, numbers, -1, -1, 100, 50, 7, 1234567891.0)
    insert("trouble", "trial, error_type, message, traceback, warnings", 2, "", "", "", '["careful"]')
    if version > 2:
        insert("prediction", "trial, content", 2, b"predictions")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("version", [1, 2, 3])
def test_an_older_warehouse_is_migrated(version: int, where: str) -> None:
    make_old(where, version)
    if where.startswith("postgresql"):
        with pytest.raises(InputError, match="has an old schema"):
            Warehouse(where, readonly=True)
    else:  # a copy in memory is migrated
        with Warehouse(where, readonly=True) as warehouse:
            assert warehouse.results().values[0, 0, :, 0].tolist() == [0.5, 0.75]
            assert warehouse.check() == ()
        with closing(sqlite3.connect(where)) as raw, raw:
            assert raw.execute("SELECT value FROM meta").fetchone() == (str(version),)
    new = trial("iris", 2, "svm", identity=TrialIdentity("d1", "a1", {"accuracy": "m1"}), kept=b"predictions")
    with Warehouse(where) as warehouse:
        warehouse.append([new])
        assert warehouse.check() == ()
        with pytest.raises(ExecutionError, match="append-only"):
            list(warehouse._database.rows("DELETE FROM label"))
        with pytest.raises(ExecutionError, match="append-only"):
            list(warehouse._database.rows("DELETE FROM prediction"))
    with Warehouse(where, readonly=True) as warehouse:
        svm, knn, back = warehouse.records()
        assert (svm.values, knn.values) == ({"accuracy": 0.5, "fit time": 2.0}, {"accuracy": 0.75, "fit time": 2.0})
        assert svm.identity == knn.identity == TrialIdentity()
        assert (svm.warnings, knn.warnings, knn.undefined) == ((), ("careful",), {})
        assert (svm.kept, knn.kept) == (b"", b"predictions" if version > 2 else b"")
        assert repr(back) == repr(new)
        assert warehouse.results().measures[1].units == "s"
        assert warehouse.results().values[0, 0, :, 0].tolist() == [0.5, 0.75]
        assert np.isnan(warehouse.results().values[0, 1, 0, 0])  # made under an identity that the design does not have


def as_version_five(where: str) -> None:
    """Take from a warehouse what later versions have added."""
    if where.startswith("postgresql"):
        import psycopg

        connection: Any = psycopg.connect(where)
    else:
        connection = sqlite3.connect(where)
    connection.execute("ALTER TABLE trial DROP COLUMN guard")
    connection.execute("UPDATE meta SET value = '5' WHERE name = 'schema version'")
    connection.commit()
    connection.close()


def test_version_five_is_migrated(where: str) -> None:
    records = everything()
    with Warehouse(where) as warehouse:
        warehouse.set_design(DESIGN, "f")
        warehouse.append(records)
        before = str(warehouse.status())
    as_version_five(where)
    with Warehouse(where) as warehouse:
        assert str(warehouse.status()) == before
        assert warehouse.check() == ()
        assert repr(list(warehouse.records())) == repr(records)
        with pytest.raises(ExecutionError, match="append-only"):
            list(warehouse._database.rows("UPDATE trial SET status = 1"))


def test_a_migration_does_not_hide_damage(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with Warehouse(path) as warehouse:
        warehouse.set_design(DESIGN, "f")
        warehouse.append(everything())
    as_version_five(str(path))
    raw = sqlite3.connect(path)
    raw.execute("DROP TRIGGER trial_no_update")
    raw.execute("UPDATE trial SET status = 2 WHERE id = 1")
    raw.commit()
    raw.close()
    with Warehouse(path) as warehouse:
        for read in (warehouse.status, warehouse.counts, warehouse.results):
            with pytest.raises(DamageError, match="trial 1 does not match its checksum"):
                read()
        assert [(damage.kind, damage.row) for damage in warehouse.check()] == [("checksum", 1)]


def test_a_migration_leaves_other_tables_as_they_were(tmp_path: Path) -> None:
    make_old(str(tmp_path / "old.db"), 1)
    Warehouse(tmp_path / "old.db").close()
    Warehouse(tmp_path / "new.db").close()

    def schema(name: str) -> dict[str, set[str]]:
        with closing(sqlite3.connect(tmp_path / name)) as raw, raw:
            tables = [row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            return {table: {row[1] for row in raw.execute(f"PRAGMA table_info({table})")} for table in tables}

    assert schema("old.db") == schema("new.db")
