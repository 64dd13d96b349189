"""Tables and columns of a warehouse, for SQLite and PostgreSQL: no other module defines them.

There is one row per attempt at a trial, with its measures as one array of float64 (little endian), so that ten million
values load in seconds. Names, hosts and sets of measures are stored once and referred to by number. A trial refers to
its data set, algorithm and measures under their identity (see `podium.design.identity`), so that numbers of a model
that was changed stay those of the model before the change. Rows are only ever added: the database itself refuses to
change or delete a trial. Every row has a checksum (see `podium.store.rows`); a trial says whether there is a row of
trouble (1) and of predictions (2) that belongs to it, so that a lost one is noticed. The table of decisions has what a
stopping rule found after each stage of a run (see `podium.store.decision`).
"""

from __future__ import annotations

SCHEMA_VERSION = 1

_TEXT, _INTEGER, _BIGINT, _REAL = "TEXT NOT NULL", "INTEGER NOT NULL", "BIGINT NOT NULL", "{real} NOT NULL"
_OF_TRIAL = "BIGINT PRIMARY KEY REFERENCES trial"
# Columns by table. {key}: a number that the database assigns; {bytes}, {real}: the dialect's types.
COLUMNS: dict[str, dict[str, str]] = {
    "design": {"id": "{key}", "created": _REAL, "fingerprint": _TEXT, "document": _TEXT, "before": _BIGINT},
    "label": {"id": "{key}", "axis": _TEXT, "name": _TEXT, "identity": _TEXT},
    "host": {"id": "{key}", "document": f"{_TEXT} UNIQUE"},
    "measure_set": {"id": "{key}", "document": f"{_TEXT} UNIQUE"},
    "trial": {
        "id": "{key}",
        "dataset": f"{_INTEGER} REFERENCES label",
        "replication": _INTEGER,
        "algorithm": f"{_INTEGER} REFERENCES label",
        "status": _INTEGER,
        "measure_set": "INTEGER REFERENCES measure_set",
        "numbers": "{bytes}",
        "repeat": _INTEGER,
        "fold": _INTEGER,
        "n_learn": _INTEGER,
        "n_test": _INTEGER,
        "seed": _BIGINT,
        "started": _REAL,
        "fit_seconds": "{real}",
        "predict_seconds": "{real}",
        "host": "INTEGER REFERENCES host",
        "attached": _INTEGER,
    },
    "trouble": {
        "trial": _OF_TRIAL,
        **dict.fromkeys(("error_type", "message", "traceback", "warnings", "undefined"), _TEXT),
    },
    "prediction": {"trial": _OF_TRIAL, "content": "{bytes} NOT NULL"},
    "decision": {
        "id": "{key}",
        "created": _REAL,
        "identity": _TEXT,
        "dataset": _TEXT,
        "stage": _INTEGER,
        "document": _TEXT,
    },
}
_UNIQUE = {"label": ", UNIQUE (axis, name, identity)", "decision": ", UNIQUE (identity, dataset, stage)"}
TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    *(
        f"CREATE TABLE {table} ({', '.join(f'{name} {kind}' for name, kind in columns.items())}, "
        f"checksum BIGINT NOT NULL{_UNIQUE.get(table, '')})"
        for table, columns in COLUMNS.items()
    ),
)
INDEXES = (
    "CREATE INDEX trial_key ON trial (dataset, replication, algorithm)",
    "CREATE INDEX design_key ON design (created)",  # a second count of the designs
)
HAS_TROUBLE, HAS_PREDICTION = 1, 2
