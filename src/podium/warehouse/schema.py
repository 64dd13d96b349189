"""Tables and columns of a warehouse, for SQLite and PostgreSQL: no other module defines them.

There is one row per attempt at a trial, with its measures as one array of float64 (little endian), so that ten million
values load in seconds. Names, hosts and sets of measures are stored once and referred to by number. A trial refers to
its data set, algorithm and measures under their identity (see `podium.setup.identity`), so that numbers of a model that
was changed stay those of the model before the change. Rows are only ever added: the database itself refuses to change
or delete a trial.
"""

from __future__ import annotations

from dataclasses import dataclass

SCHEMA_VERSION = 3

# {key}: a number that the database assigns; {bytes}, {real}: the dialect's binary and double precision types.
_LABEL = """CREATE TABLE label (
        id {key},
        axis TEXT NOT NULL,
        name TEXT NOT NULL,
        identity TEXT NOT NULL DEFAULT '',
        UNIQUE (axis, name, identity))"""
_PREDICTION = "CREATE TABLE prediction (trial BIGINT PRIMARY KEY REFERENCES trial, content {bytes} NOT NULL)"
TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE design (
        id {key}, created {real} NOT NULL, fingerprint TEXT NOT NULL, document TEXT NOT NULL, before BIGINT)""",
    _LABEL,
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
    _PREDICTION,
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

DESIGN_COLUMNS = ("created", "fingerprint", "document", "before")
PREDICTION_COLUMNS = ("trial", "content")
TROUBLE_COLUMNS = ("trial", "error_type", "message", "traceback", "warnings", "undefined")

APPEND_ONLY_TABLES = ("design", "label", "host", "measure_set", "trial", "trouble", "prediction")


@dataclass(frozen=True)
class Migration:
    """The step from one version to the next: statements for both databases, then those for one of them."""

    shared: tuple[str, ...]
    sqlite: tuple[str, ...] = ()
    postgresql: tuple[str, ...] = ()


# By the version that a step starts from.
MIGRATIONS: dict[int, Migration] = {
    1: Migration(shared=("ALTER TABLE trouble ADD COLUMN undefined TEXT NOT NULL DEFAULT '{}'",)),
    2: Migration(
        shared=("ALTER TABLE design ADD COLUMN before BIGINT", _PREDICTION),
        # SQLite cannot alter a constraint: the table is copied.
        sqlite=(
            _LABEL.replace("label", "new_label"),
            "INSERT INTO new_label (id, axis, name) SELECT id, axis, name FROM label",
            "DROP TABLE label",
            "ALTER TABLE new_label RENAME TO label",
        ),
        postgresql=(
            "ALTER TABLE label ADD COLUMN identity TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE label DROP CONSTRAINT label_axis_name_key",
            "ALTER TABLE label ADD UNIQUE (axis, name, identity)",
        ),
    ),
}
