"""Tables and columns of a warehouse, for SQLite and PostgreSQL: no other module defines them.

There is one row per attempt at a trial, with its measures as one array of float64 (little endian), so that ten million
values load in seconds. Names, hosts and sets of measures are stored once and referred to by number. A trial refers to
its data set, algorithm and measures under their identity (see `podium.setup.identity`), so that numbers of a model that
was changed stay those of the model before the change. Rows are only ever added: the database itself refuses to change
or delete a trial. Every row has a checksum (see `podium.warehouse.checksum`); a trial says whether there is a row of
trouble (1) and of predictions (2) that belongs to it, so that a lost one is noticed. The table of decisions has what a
stopping rule found after each stage of a run (see `podium.warehouse.decision`).
"""

from __future__ import annotations

SCHEMA_VERSION = 1

# {key}: a number that the database assigns; {bytes}, {real}: the dialect's binary and double precision types.
TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE design (
        id {key},
        created {real} NOT NULL,
        fingerprint TEXT NOT NULL,
        document TEXT NOT NULL,
        before BIGINT NOT NULL,
        checksum BIGINT NOT NULL)""",
    """CREATE TABLE label (
        id {key},
        axis TEXT NOT NULL,
        name TEXT NOT NULL,
        identity TEXT NOT NULL,
        checksum BIGINT NOT NULL,
        UNIQUE (axis, name, identity))""",
    "CREATE TABLE host (id {key}, document TEXT NOT NULL UNIQUE, checksum BIGINT NOT NULL)",
    "CREATE TABLE measure_set (id {key}, document TEXT NOT NULL UNIQUE, checksum BIGINT NOT NULL)",
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
        host INTEGER REFERENCES host,
        attached INTEGER NOT NULL,
        checksum BIGINT NOT NULL)""",
    """CREATE TABLE trouble (
        trial BIGINT PRIMARY KEY REFERENCES trial,
        error_type TEXT NOT NULL,
        message TEXT NOT NULL,
        traceback TEXT NOT NULL,
        warnings TEXT NOT NULL,
        undefined TEXT NOT NULL,
        checksum BIGINT NOT NULL)""",
    """CREATE TABLE prediction (
        trial BIGINT PRIMARY KEY REFERENCES trial,
        content {bytes} NOT NULL,
        checksum BIGINT NOT NULL)""",
    """CREATE TABLE decision (
        id {key},
        created {real} NOT NULL,
        identity TEXT NOT NULL,
        dataset TEXT NOT NULL,
        stage INTEGER NOT NULL,
        document TEXT NOT NULL,
        checksum BIGINT NOT NULL,
        UNIQUE (identity, dataset, stage))""",
)
INDEXES = {
    "trial_key": "CREATE INDEX trial_key ON trial (dataset, replication, algorithm)",
    "design_key": "CREATE INDEX design_key ON design (created)",  # a second count of the designs
}

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
    "attached",
)
HAS_TROUBLE, HAS_PREDICTION = 1, 2

DESIGN_COLUMNS = ("created", "fingerprint", "document", "before")
PREDICTION_COLUMNS = ("trial", "content")
TROUBLE_COLUMNS = ("trial", "error_type", "message", "traceback", "warnings", "undefined")
DECISION_COLUMNS = ("created", "identity", "dataset", "stage", "document")

COLUMNS = {
    "meta": {"name", "value"},
    "design": {"id", *DESIGN_COLUMNS, "checksum"},
    "label": {"id", "axis", "name", "identity", "checksum"},
    "host": {"id", "document", "checksum"},
    "measure_set": {"id", "document", "checksum"},
    "trial": {"id", *TRIAL_COLUMNS, "checksum"},
    "trouble": {*TROUBLE_COLUMNS, "checksum"},
    "prediction": {*PREDICTION_COLUMNS, "checksum"},
    "decision": {"id", *DECISION_COLUMNS, "checksum"},
}
APPEND_ONLY_TABLES = tuple(table for table in COLUMNS if table != "meta")
