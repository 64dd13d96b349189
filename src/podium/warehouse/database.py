"""The two databases a warehouse can live in, behind one small face."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

from podium.errors import InputError, MissingExtraError
from podium.warehouse.schema import APPEND_ONLY_TABLES, MIGRATIONS, SCHEMA_VERSION, TABLES

Row = tuple[Any, ...]
_BUSY_SECONDS = 30.0
_BATCH = 50_000


class Database(Protocol):
    """What the warehouse asks of a database. SQL is written with ``?`` for parameters."""

    name: str

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Row]:
        """Run a query and yield its rows."""
        ...

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> list[int]:
        """Add rows to a table with a key; return their numbers in order."""
        ...

    def insert_plain(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        """Add rows to a table without a key of its own."""
        ...

    def transaction(self) -> Any:
        """Return a context in which everything is kept, or nothing."""
        ...

    def claim(self) -> AbstractContextManager[bool]:
        """Return a context in which nobody else holds the claim; False if somebody does."""
        ...

    def problems(self) -> list[str]:
        """Run the database's own check; return what it found."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class SQLite:
    """One file, readable while a run writes (write-ahead log)."""

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        self.name = str(path)
        in_memory = self.name == ":memory:"
        # The last connection that may write folds the log into the file: open that way if possible, and do not write.
        mode = "rwc" if not readonly else "rw" if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK) else "ro"
        uri = "file::memory:" if in_memory else f"{path.resolve().as_uri()}?mode={mode}"
        try:
            self._connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)
            if not readonly:
                self._connection.execute("PRAGMA journal_mode = WAL")
                # NORMAL survives any crash of the process; a power cut may cost the last commits: a resume redoes them.
                self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            self._connection.execute("PRAGMA trusted_schema = OFF")
            self._connection.execute(f"PRAGMA query_only = {'ON' if readonly else 'OFF'}")
            prepare(self, key="INTEGER PRIMARY KEY", real="REAL", binary="BLOB", readonly=readonly)
        except sqlite3.DatabaseError as error:
            raise InputError(f"{path.name!r} cannot be opened as a warehouse: {error}.") from error

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Row]:
        """Run a query and yield its rows."""
        cursor = self._connection.execute(sql, parameters)
        while batch := cursor.fetchmany(_BATCH):
            yield from batch

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> list[int]:
        """Add rows; return their numbers."""
        sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        return [int(self._connection.execute(sql, row).lastrowid or 0) for row in rows]

    def insert_plain(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        """Add rows."""
        sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        self._connection.executemany(sql, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep everything or nothing."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextmanager
    def claim(self) -> Iterator[bool]:
        """Lock a file beside this one; the system gives the lock back when the process ends, however it ends."""
        if self.name == ":memory:":
            yield True
            return
        import fcntl  # POSIX; no run without it either

        path = Path(f"{self.name}-run")
        with path.open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield False
                return
            try:
                yield True
            finally:
                path.unlink(missing_ok=True)

    def create(self, statements: Iterable[str]) -> None:
        """Run statements that define the schema, and lock the tables against change."""
        for statement in statements:
            self._connection.execute(statement)

    def append_only(self, table: str) -> Iterator[str]:
        """Yield statements that make a table refuse updates and deletes."""
        for action in ("UPDATE", "DELETE"):
            yield (
                f"CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, 'a warehouse is append-only'); END"
            )

    def has_table(self, table: str) -> bool:
        """Tell whether a table is there."""
        found = self._connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,))
        return found.fetchone() is not None

    def is_empty(self) -> bool:
        """Tell whether the database holds nothing at all."""
        return self._connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None

    def problems(self) -> list[str]:
        """Run SQLite's integrity and foreign key checks."""
        found = [str(row[0]) for row in self._connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        found += [
            f"row {row[1]} of {row[0]} refers to a missing {row[2]}" for row in self.rows("PRAGMA foreign_key_check")
        ]
        return found

    def close(self) -> None:
        """Close the file; the log is folded into it."""
        self._connection.close()


class PostgreSQL:
    """A PostgreSQL database, by URL."""

    def __init__(self, url: str, *, readonly: bool = False) -> None:
        try:
            import psycopg
        except ImportError:
            raise MissingExtraError("A warehouse in PostgreSQL", "psycopg", "postgres") from None
        self.name = url.rpartition("@")[2] or url
        try:
            self._connection = psycopg.connect(url, autocommit=True)
        except psycopg.Error as error:
            raise InputError(f"The PostgreSQL warehouse at {self.name!r} cannot be opened: {error}".strip()) from error
        prepare(
            self,
            key="BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
            real="DOUBLE PRECISION",
            binary="BYTEA",
            readonly=readonly,
        )

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Row]:
        """Run a query and yield its rows."""
        with self._connection.cursor() as cursor:
            cursor.execute(sql.replace("?", "%s"), parameters)
            while batch := cursor.fetchmany(_BATCH):
                yield from batch

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> list[int]:
        """Add rows; return their numbers."""
        values = ", ".join(["%s"] * len(columns))
        sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values}) RETURNING id"
        numbers: list[int] = []
        with self._connection.cursor() as cursor:
            cursor.executemany(sql, list(rows), returning=True)
            if cursor.rownumber is not None or cursor.description:
                while True:
                    numbers += [int(row[0]) for row in cursor.fetchall()]
                    if not cursor.nextset():
                        break
        return numbers

    def insert_plain(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        """Add rows."""
        values = ", ".join(["%s"] * len(columns))
        with self._connection.cursor() as cursor:
            cursor.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values})", list(rows))

    def transaction(self) -> Any:
        """Keep everything or nothing."""
        return self._connection.transaction()

    @contextmanager
    def claim(self) -> Iterator[bool]:
        """Take a lock that the server gives back when the connection ends, however it ends."""
        key = "hashtextextended('podium run in ' || current_schema(), 0)"
        row = self._connection.execute(f"SELECT pg_try_advisory_lock({key})").fetchone()
        ours = bool(row and row[0])
        try:
            yield ours
        finally:
            if ours and not self._connection.closed:
                self._connection.execute(f"SELECT pg_advisory_unlock({key})")

    def create(self, statements: Iterable[str]) -> None:
        """Run statements that define the schema."""
        for statement in statements:
            self._connection.execute(statement)

    def append_only(self, table: str) -> Iterator[str]:
        """Yield statements that make a table refuse updates and deletes."""
        yield (
            "CREATE OR REPLACE FUNCTION podium_append_only() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'a warehouse is append-only'; END $$"
        )
        yield (
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION podium_append_only()"
        )

    def has_table(self, table: str) -> bool:
        """Tell whether a table is there."""
        found = self._connection.execute(
            "SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = %s",
            (table,),
        )
        return found.fetchone() is not None

    def is_empty(self) -> bool:
        """Tell whether the schema holds no table."""
        found = self._connection.execute(
            "SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema()"
        )
        return found.fetchone() is None

    def problems(self) -> list[str]:
        """PostgreSQL keeps its own house in order; references are enforced on every write."""
        return []

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def prepare(database: Any, *, key: str, real: str, binary: str, readonly: bool) -> None:
    """Create the tables in an empty database, migrate an older one, refuse a newer or a foreign one."""
    if not database.has_table("meta"):
        if readonly or not database.is_empty():
            raise InputError(f"{database.name!r} is no warehouse of podium.")
        with database.transaction():
            types = {"{key}": key, "{real}": real, "{bytes}": binary}
            for statement in TABLES:
                for word, kind in types.items():
                    statement = statement.replace(word, kind)
                database.create([statement])
            for table in APPEND_ONLY_TABLES:
                database.create(database.append_only(table))
            database.create(["CREATE INDEX trial_key ON trial (dataset, replication, algorithm)"])
            database.insert_plain("meta", ("name", "value"), [("schema version", str(SCHEMA_VERSION))])
        return
    found = next(iter(database.rows("SELECT value FROM meta WHERE name = 'schema version'")), None)
    version = int(found[0]) if found else 0
    if version > SCHEMA_VERSION:
        raise InputError(
            f"The warehouse {database.name!r} has schema version {version}; this podium knows up to {SCHEMA_VERSION}. "
            "Use a newer podium."
        )
    if version < SCHEMA_VERSION and readonly:
        raise InputError(f"The warehouse {database.name!r} has an old schema. Open it once for writing to migrate it.")
    for step in range(version, SCHEMA_VERSION):
        with database.transaction():
            database.create(MIGRATIONS[step])
            database.create([f"UPDATE meta SET value = '{step + 1}' WHERE name = 'schema version'"])


def open_database(where: str | Path, *, readonly: bool = False) -> SQLite | PostgreSQL:
    """Open the database a text names: a ``postgresql://`` URL, or the path of a file."""
    if not isinstance(where, str | Path):
        raise InputError(f"`where` must be a file or a postgresql:// URL; got {where!r:.60}.")
    text = str(where)
    if text.startswith(("postgresql://", "postgres://")):
        return PostgreSQL(text, readonly=readonly)
    if "://" in text:
        raise InputError(f"`warehouse` must be a file or a postgresql:// URL; got {text!r}.")
    path = Path(where)
    if readonly and not path.exists():
        raise InputError(f"There is no warehouse {str(path)!r}.")
    if not path.resolve().parent.is_dir():
        raise InputError(f"The folder of the warehouse {str(path)!r} does not exist; make it first.")
    if path.is_dir():
        raise InputError(f"{str(path)!r} is a folder; name a file in it, such as {str(path / 'experiment.db')!r}.")
    return SQLite(path, readonly=readonly)
