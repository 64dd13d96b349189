"""Tables and columns of a warehouse, for SQLite and PostgreSQL: no other module defines them.

There is one row per attempt at a trial, with its measures as one array of float64 (little endian), so that ten million
values load in seconds. Names, hosts and sets of measures are stored once and referred to by number. A trial refers to
its data set, algorithm and measures under their identity (see `podium.setup.identity`), so that numbers of a model that
was changed stay those of the model before the change. Rows are only ever added: the database itself refuses to change
or delete a trial. Every row has a checksum (see `podium.warehouse.checksum`), and a trial a second one, its guard, of
what a count of trials needs; a trial says whether there is a row of
trouble (1) and of predictions (2) that belongs to it, so that a lost one is noticed. The table of decisions has what a
stopping rule found after each stage of a run (see `podium.warehouse.decision`).
"""

from __future__ import annotations

from dataclasses import dataclass

SCHEMA_VERSION = 6

# {key}: a number that the database assigns; {bytes}, {real}: the dialect's binary and double precision types.
_LABEL = """CREATE TABLE label (
        id {key},
        axis TEXT NOT NULL,
        name TEXT NOT NULL,
        identity TEXT NOT NULL DEFAULT ''{checksum},
        UNIQUE (axis, name, identity))"""
_PREDICTION = "CREATE TABLE prediction (trial BIGINT PRIMARY KEY REFERENCES trial, content {bytes} NOT NULL{checksum})"
_DECISION = """CREATE TABLE decision (
        id {key},
        created {real} NOT NULL,
        identity TEXT NOT NULL,
        dataset TEXT NOT NULL,
        stage INTEGER NOT NULL,
        document TEXT NOT NULL{checksum},
        UNIQUE (identity, dataset, stage))"""
_CHECKSUM = "checksum BIGINT NOT NULL DEFAULT 0"
_GUARD = "guard BIGINT NOT NULL DEFAULT 0"


def _summed(statement: str) -> str:
    return statement.replace("{checksum}", f", {_CHECKSUM}")


INDEXES = {
    "trial_key": "CREATE INDEX trial_key ON trial (dataset, replication, algorithm)",
    "design_key": "CREATE INDEX design_key ON design (created)",  # a second count of the designs
}
_TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE design (
        id {key},
        created {real} NOT NULL,
        fingerprint TEXT NOT NULL,
        document TEXT NOT NULL,
        before BIGINT{checksum})""",
    _LABEL,
    "CREATE TABLE host (id {key}, document TEXT NOT NULL UNIQUE{checksum})",
    "CREATE TABLE measure_set (id {key}, document TEXT NOT NULL UNIQUE{checksum})",
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
        attached INTEGER NOT NULL DEFAULT 0{checksum},
        guard BIGINT NOT NULL DEFAULT 0)""",
    """CREATE TABLE trouble (
        trial BIGINT PRIMARY KEY REFERENCES trial,
        error_type TEXT NOT NULL,
        message TEXT NOT NULL,
        traceback TEXT NOT NULL,
        warnings TEXT NOT NULL,
        undefined TEXT NOT NULL DEFAULT '{}'{checksum})""",
    _PREDICTION,
    _DECISION,
)
TABLES = tuple(_summed(statement) for statement in _TABLES)

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

_TABLES_OF_4 = ("design", "label", "host", "measure_set", "trial", "trouble", "prediction")
APPEND_ONLY_TABLES = (*_TABLES_OF_4, "decision")


@dataclass(frozen=True)
class Migration:
    """The step from one version to the next: statements for both databases, those for one of them, and checksums."""

    shared: tuple[str, ...]
    sqlite: tuple[str, ...] = ()
    postgresql: tuple[str, ...] = ()
    checksums: bool = False
    guards: bool = False


# By the version that a step starts from.
MIGRATIONS: dict[int, Migration] = {
    1: Migration(shared=("ALTER TABLE trouble ADD COLUMN undefined TEXT NOT NULL DEFAULT '{}'",)),
    2: Migration(
        shared=("ALTER TABLE design ADD COLUMN before BIGINT", _PREDICTION.replace("{checksum}", "")),
        # SQLite cannot alter a constraint: the table is copied.
        sqlite=(
            _LABEL.replace("label", "new_label").replace("{checksum}", ""),
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
    3: Migration(
        shared=(
            "ALTER TABLE trial ADD COLUMN attached INTEGER NOT NULL DEFAULT 0",
            *(f"ALTER TABLE {table} ADD COLUMN {_CHECKSUM}" for table in _TABLES_OF_4),
            INDEXES["design_key"],
        ),
        checksums=True,
    ),
    4: Migration(shared=(_summed(_DECISION),)),
    5: Migration(shared=(f"ALTER TABLE trial ADD COLUMN {_GUARD}",), guards=True),
}

_ADDED = {  # columns by the version that added them
    ("trouble", "undefined"): 2,
    ("label", "identity"): 3,
    ("design", "before"): 3,
    ("trial", "attached"): 4,
    **{(table, "checksum"): 4 for table in _TABLES_OF_4},
    ("trial", "guard"): 6,
}
_COLUMNS = {
    "meta": ("name", "value"),
    "design": ("id", *DESIGN_COLUMNS, "checksum"),
    "label": ("id", "axis", "name", "identity", "checksum"),
    "host": ("id", "document", "checksum"),
    "measure_set": ("id", "document", "checksum"),
    "trial": ("id", *TRIAL_COLUMNS, "checksum", "guard"),
    "trouble": (*TROUBLE_COLUMNS, "checksum"),
    "prediction": (*PREDICTION_COLUMNS, "checksum"),
    "decision": ("id", *DECISION_COLUMNS, "checksum"),
}
_SINCE = {"prediction": 3, "decision": 5}  # tables by the version that added them


def columns_of(version: int) -> dict[str, set[str]]:
    """Return the tables of a version and the names of their columns."""
    return {
        table: {name for name in columns if _ADDED.get((table, name), 1) <= version}
        for table, columns in _COLUMNS.items()
        if _SINCE.get(table, 1) <= version
    }
