"""Tables and columns of a warehouse, for SQLite and PostgreSQL: no other module defines them.

There is one row per attempt at a trial, with its measures as one array of float64 (little endian), so that ten million
values load in seconds. Names, hosts and sets of measures are stored once and referred to by number. Rows are only ever
added: the database itself refuses to change or delete a trial.
"""

from __future__ import annotations

SCHEMA_VERSION = 2

# {key}: a number that the database assigns; {bytes}, {real}: the dialect's binary and double precision types.
TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE design (
        id {key}, created {real} NOT NULL, fingerprint TEXT NOT NULL, document TEXT NOT NULL)""",
    "CREATE TABLE label (id {key}, axis TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (axis, name))",
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
        warnings TEXT NOT NULL,
        undefined TEXT NOT NULL DEFAULT '{}')""",
)

TRIAL_COLUMNS = (
    "dataset",
    "replication",
    "algorithm",
    "status",
    "measure_set",
    "numbers",
    "repeat",
    "fold",
    "n_learn",
    "n_test",
    "seed",
    "started",
    "fit_seconds",
    "predict_seconds",
    "host",
)

TROUBLE_COLUMNS = ("trial", "error_type", "message", "traceback", "warnings", "undefined")

APPEND_ONLY_TABLES = ("design", "label", "host", "measure_set", "trial", "trouble")

# Statements that lead from version n to n + 1, in order.
MIGRATIONS: dict[int, tuple[str, ...]] = {
    1: ("ALTER TABLE trouble ADD COLUMN undefined TEXT NOT NULL DEFAULT '{}'",),
}
