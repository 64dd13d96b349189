"""The two databases that can hold a warehouse, behind one interface."""

from __future__ import annotations

import os
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any, ClassVar

from podium.checks import describe
from podium.errors import ExecutionError, InputError, MissingExtraError
from podium.warehouse.schema import APPEND_ONLY_TABLES, MIGRATIONS, SCHEMA_VERSION, TABLES, Migration

Row = tuple[Any, ...]
_BUSY_SECONDS = 30.0
_BATCH = 50_000


class Database(ABC):
    """A connection to a database. SQL is written with ``?`` for parameters.

    Attributes
    ----------
    name : str
        Path of the file, or address without the password.
    closed : bool
    """

    _parameter: ClassVar = "?"
    _types: ClassVar[dict[str, str]]
    _error: type[Exception]
    _connection: Any

    def __init__(self, name: str, *, readonly: bool) -> None:
        self.name = name
        self._readonly = readonly
        self.closed = False

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Row]:
        """Run a query and yield its rows."""
        with self._errors_explained():
            cursor = self._connection.execute(sql.replace("?", self._parameter), parameters)
            while batch := cursor.fetchmany(_BATCH):
                yield from batch

    @abstractmethod
    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> list[int]:
        """Add rows to a table with a key; return their numbers in order."""

    def insert_plain(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        """Add rows to a table without its own key."""
        with self._errors_explained(), closing(self._connection.cursor()) as cursor:
            cursor.executemany(self._insert_sql(table, columns), list(rows))

    def create(self, statements: Iterable[str]) -> None:
        """Run statements that define the schema, with the types of this database."""
        for statement in statements:
            for placeholder, kind in self._types.items():
                statement = statement.replace(placeholder, kind)
            self._connection.execute(statement)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Return a context in which everything is kept, or nothing."""
        self._require_writable()
        with self._errors_explained(), self._transaction():
            yield

    @contextmanager
    def claim(self) -> Iterator[bool]:
        """Return a context in which no other connection holds the claim; it yields False if one does."""
        self._require_writable()
        with self._claim() as ours:
            yield ours

    def close(self) -> None:
        """Close the connection; SQLite then merges its log into the file."""
        self.closed = True
        self._connection.close()

    def prepare(self) -> None:
        """Create the tables in an empty database, migrate an older one, refuse a newer or a foreign one."""
        try:
            tables = self._tables()
            if "meta" in tables:
                self._migrate()
            elif tables or self._readonly:
                raise InputError(f"{self.name!r} is not a podium warehouse.")
            else:
                self._create_tables()
        except BaseException:
            self.close()
            raise

    def _create_tables(self) -> None:
        with self.transaction():
            self.create(TABLES)
            self._protect()
            self.create(["CREATE INDEX trial_key ON trial (dataset, replication, algorithm)"])
            self.insert_plain("meta", ("name", "value"), [("schema version", str(SCHEMA_VERSION))])

    def _migrate(self) -> None:
        found = next(iter(self.rows("SELECT value FROM meta WHERE name = 'schema version'")), None)
        version = int(found[0]) if found else 0
        if version > SCHEMA_VERSION:
            raise InputError(
                f"The warehouse {self.name!r} has schema version {version}; this podium supports up to "
                f"{SCHEMA_VERSION}. Use a newer podium."
            )
        if version < SCHEMA_VERSION and self._readonly:
            raise InputError(f"The warehouse {self.name!r} has an old schema. Open it once for writing to migrate it.")
        for step in range(version, SCHEMA_VERSION):
            with self._references_off(), self.transaction():
                # The first of several processes that migrate takes the step; the others wait for it here.
                advance = f"UPDATE meta SET value = '{step + 1}' WHERE name = 'schema version' AND value = '{step}'"
                if self._connection.execute(advance).rowcount:
                    self.create([*MIGRATIONS[step].shared, *self._own_steps(MIGRATIONS[step])])
                    if step + 1 == SCHEMA_VERSION:
                        self._protect()

    def _protect(self) -> None:
        for table in APPEND_ONLY_TABLES:
            self.create(self._append_only(table))

    def _insert_sql(self, table: str, columns: Sequence[str]) -> str:
        parameters = ", ".join([self._parameter] * len(columns))
        return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({parameters})"

    def _require_writable(self) -> None:
        if self._readonly:
            raise InputError(
                f"The warehouse {self.name!r} was opened for reading; open it without readonly=True to write."
            )

    @contextmanager
    def _errors_explained(self) -> Iterator[None]:
        """Turn errors of the driver into errors of podium."""
        if self.closed:
            raise InputError(f"The warehouse {self.name!r} is closed. Open it again: podium.Warehouse({self.name!r}).")
        try:
            yield
        except self._error as error:
            reason = " ".join(str(error).split())
            raise ExecutionError(f"The database of the warehouse {self.name!r} reports: {reason}.") from error

    @abstractmethod
    def _tables(self) -> set[str]:
        """Return the names of all tables."""

    @staticmethod
    @abstractmethod
    def _own_steps(migration: Migration) -> Sequence[str]:
        """Return the statements of a migration that only this database needs."""

    def _references_off(self) -> AbstractContextManager[Any]:
        """Return a context in which a table that others refer to can be replaced."""
        return nullcontext()

    @abstractmethod
    def _append_only(self, table: str) -> Iterator[str]:
        """Yield statements that make a table refuse updates and deletes."""

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[Any]:
        """Return a transaction of the driver."""

    @abstractmethod
    def _claim(self) -> AbstractContextManager[bool]:
        """Take the lock, if it is free."""

    def integrity_errors(self) -> list[str]:
        """Return what the database's own integrity check reports."""
        return []

    def broken_references(self) -> list[tuple[str, int, str]]:
        """Return rows that refer to a missing one: table, number of the row, table of the missing row."""
        return []


class SQLite(Database):
    """One file, readable while a run writes (write-ahead log)."""

    _types: ClassVar = {"{key}": "INTEGER PRIMARY KEY", "{real}": "REAL", "{bytes}": "BLOB"}
    _error = sqlite3.Error

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        super().__init__(str(path), readonly=readonly)
        in_memory = self.name == ":memory:"
        # The last connection that may write merges the log into the file: open that way if possible, and do not write.
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
            self._connection.execute("SELECT 1 FROM sqlite_master")  # reads the file: is it a database?
        except sqlite3.Error as error:
            raise InputError(f"{path.name!r} cannot be opened as a warehouse: {error}.") from error
        self.prepare()

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> list[int]:
        """Add rows; return their numbers."""
        sql = self._insert_sql(table, columns)
        with self._errors_explained():
            return [int(self._connection.execute(sql, row).lastrowid) for row in rows]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextmanager
    def _claim(self) -> Iterator[bool]:
        """Lock a file beside this one; the system releases the lock when the process ends, however it ends."""
        if self.name == ":memory:":
            yield True
            return
        import fcntl  # POSIX, as the pool is

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

    @staticmethod
    def _own_steps(migration: Migration) -> Sequence[str]:
        return migration.sqlite

    @contextmanager
    def _references_off(self) -> Iterator[None]:
        self._connection.execute("PRAGMA foreign_keys = OFF")
        try:
            yield
        finally:
            self._connection.execute("PRAGMA foreign_keys = ON")

    def _append_only(self, table: str) -> Iterator[str]:
        for action in ("UPDATE", "DELETE"):
            yield (
                f"CREATE TRIGGER IF NOT EXISTS {table}_no_{action.lower()} BEFORE {action} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, 'a warehouse is append-only'); END"
            )

    def _tables(self) -> set[str]:
        return {name for (name,) in self.rows("SELECT name FROM sqlite_master")}

    def integrity_errors(self) -> list[str]:
        """Run SQLite's integrity check."""
        return [str(row[0]) for row in self.rows("PRAGMA integrity_check") if row[0] != "ok"]

    def broken_references(self) -> list[tuple[str, int, str]]:
        """Run SQLite's foreign key check."""
        return [(row[0], int(row[1]), row[2]) for row in self.rows("PRAGMA foreign_key_check")]


class PostgreSQL(Database):
    """A PostgreSQL database, by URL. It enforces references on every write and needs no check of its own."""

    _parameter = "%s"
    _types: ClassVar = {
        "{key}": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        "{real}": "DOUBLE PRECISION",
        "{bytes}": "BYTEA",
    }

    def __init__(self, url: str, *, readonly: bool = False) -> None:
        try:
            import psycopg
        except ImportError:
            raise MissingExtraError("A warehouse in PostgreSQL", "psycopg", "postgres") from None
        super().__init__(url.rpartition("@")[2] or url, readonly=readonly)
        self._error = psycopg.Error
        try:
            self._connection = psycopg.connect(url, autocommit=True)
        except psycopg.Error as error:
            reason = " ".join(str(error).split())
            raise InputError(f"The PostgreSQL warehouse at {self.name!r} cannot be opened: {reason}") from error
        self.prepare()

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> list[int]:
        """Add rows; return their numbers."""
        numbers: list[int] = []
        with self._errors_explained(), self._connection.cursor() as cursor:
            cursor.executemany(f"{self._insert_sql(table, columns)} RETURNING id", list(rows), returning=True)
            if cursor.rownumber is not None or cursor.description:
                while True:
                    numbers += [int(row[0]) for row in cursor.fetchall()]
                    if not cursor.nextset():
                        break
        return numbers

    def _transaction(self) -> AbstractContextManager[Any]:
        transaction: AbstractContextManager[Any] = self._connection.transaction()
        return transaction

    @contextmanager
    def _claim(self) -> Iterator[bool]:
        """Take a lock that the server releases when the connection ends, however it ends."""
        key = "hashtextextended('podium run in ' || current_schema(), 0)"
        ours = bool(next(self.rows(f"SELECT pg_try_advisory_lock({key})"))[0])
        try:
            yield ours
        finally:
            if ours and not self._connection.closed:
                self._connection.execute(f"SELECT pg_advisory_unlock({key})")

    @staticmethod
    def _own_steps(migration: Migration) -> Sequence[str]:
        return migration.postgresql

    def _append_only(self, table: str) -> Iterator[str]:
        yield (
            "CREATE OR REPLACE FUNCTION podium_append_only() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'a warehouse is append-only'; END $$"
        )
        yield f"DROP TRIGGER IF EXISTS {table}_append_only ON {table}"
        yield (
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION podium_append_only()"
        )

    def _tables(self) -> set[str]:
        sql = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
        return {name for (name,) in self.rows(sql)}


def open_database(where: object, *, readonly: bool = False) -> Database:
    """Open a database: a ``postgresql://`` URL, or the path of a file."""
    if not isinstance(where, str | Path):
        raise InputError(f"`where` must be a file or a postgresql:// URL; got {describe(where)}.")
    text = str(where)
    if text.startswith(("postgresql://", "postgres://")):
        return PostgreSQL(text, readonly=readonly)
    if "://" in text:
        raise InputError(f"`where` must be a file or a postgresql:// URL; got {text!r}.")
    path = Path(where)
    try:
        exists, is_folder, has_folder = path.exists(), path.is_dir(), path.resolve().parent.is_dir()
    except (OSError, ValueError) as error:
        raise InputError(f"{text!r:.60} cannot be the name of a file: {error}.") from error
    if is_folder:
        raise InputError(f"{text!r} is a folder; name a file in it, such as {str(path / 'experiment.db')!r}.")
    if not has_folder:
        raise InputError(f"The folder of the warehouse {text!r} does not exist; create it first.")
    if readonly and not exists:
        raise InputError(f"There is no warehouse {text!r}.")
    return SQLite(path, readonly=readonly)
