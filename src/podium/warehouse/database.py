"""What a database must offer to hold a warehouse; `sqlite` and `postgresql` are the two that do."""

from __future__ import annotations

import logging
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, ClassVar, TypeVar

import numpy as np

from podium.errors import BusyError, ExecutionError, InputError, PodiumError, StorageError
from podium.warehouse.checksum import row_checksum, trial_guards
from podium.warehouse.rows import BATCH, GUARDED, columns_sql, damage_error, to_rows
from podium.warehouse.schema import (
    APPEND_ONLY_TABLES,
    DECISION_COLUMNS,
    HAS_PREDICTION,
    HAS_TROUBLE,
    INDEXES,
    MIGRATIONS,
    SCHEMA_VERSION,
    TABLES,
    TROUBLE_COLUMNS,
    Migration,
    columns_of,
)

Row = tuple[Any, ...]
T = TypeVar("T")
logger = logging.getLogger("podium")
# What a checksum of a row covers, by table; that of a trial is made elsewhere.
SUMMED = {
    "design": ("id", "created", "fingerprint", "document", "before"),
    "label": ("id", "axis", "name", "identity"),
    "host": ("id", "document"),
    "measure_set": ("id", "document"),
    "trouble": TROUBLE_COLUMNS,
    "prediction": ("trial", "content"),
    "decision": ("id", *DECISION_COLUMNS),
}
_WRITER = "writer"


class UnstorableError(ExecutionError):
    """The database refuses a value, such as one that is out of range."""


class LostFileError(StorageError):
    """The file was deleted, renamed or replaced while it was open."""


class LostConnectionError(StorageError):
    """The connection to the server has ended."""


class Database(ABC):
    """A connection to a database. SQL is written with ``?`` for parameters.

    Attributes
    ----------
    name : str
        Path of the file, or URL without the password.
    closed : bool
    version : int
        Version of the schema.
    """

    _parameter: ClassVar = "?"
    _types: ClassVar[dict[str, str]]
    _error: type[Exception]
    _connection: Any

    def __init__(self, name: str, *, readonly: bool) -> None:
        self.name = name
        self._readonly = readonly
        self._claim_token = ""
        self.closed = False
        self.version = SCHEMA_VERSION
        self.prepared = False  # whether its tables have been found, so that their rows can be checked

    # ---- queries --------------------------------------------------------------------------------------------------

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Row]:
        """Run a query and yield its rows."""
        for batch in self.batches(sql, BATCH, parameters):
            yield from batch

    def batches(
        self, sql: str, size: int, parameters: Sequence[Any] = (), *, large: bool = False
    ) -> Iterator[list[Row]]:
        """Run a query and yield its rows, `size` of them at a time; a large outcome is never held as a whole."""
        with self._errors_explained():
            cursor = self._connection.execute(sql.replace("?", self._parameter), parameters)
            while batch := cursor.fetchmany(size):
                yield batch

    def one(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """Run a query and return the first value of its first row; None if there is no row."""
        row = next(iter(self.rows(sql, parameters)), None)
        return None if row is None else row[0]

    def change(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Run a statement that changes rows; return how many it has changed."""
        with self._errors_explained():
            return int(self._connection.execute(sql.replace("?", self._parameter), parameters).rowcount)

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        """Add rows, with all columns given."""
        marks = ", ".join([self._parameter] * len(columns))
        sql = f"INSERT INTO {table} ({', '.join(columns)}) {self._own_numbers(table)}VALUES ({marks})"
        with self._errors_explained():
            self._execute_many(sql, list(rows))

    def create(self, statements: Iterable[str]) -> None:
        """Run statements that define the schema, with the types of this database."""
        with self._errors_explained():
            for statement in statements:
                for placeholder, kind in self._types.items():
                    statement = statement.replace(placeholder, kind)
                self._connection.execute(statement)

    # ---- transactions ---------------------------------------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Return a context in which everything is kept, or nothing; one inside another is a part of it."""
        self._require_writable()
        with self._errors_explained(), self._transaction():
            yield

    def write(self, function: Callable[[], T]) -> T:
        """Call a function in a transaction; it is called again if a lost connection could be restored."""
        with self.transaction():
            self._check_claim()
            value = function()
        return value

    def read(self, function: Callable[[], T]) -> T:
        """Call a function that sees the database as it is at one moment, whatever others write in the meantime."""
        with self._errors_explained(), self._snapshot():
            return function()

    @contextmanager
    def claim(self) -> Iterator[bool]:
        """Return a context in which no other connection holds the claim; it yields False if one does.

        The claim is a lock of the system or of the server, and a line in the database: should both fail to keep
        another writer out (a file system without locks), the older of the two is stopped at its next write.
        """
        self._require_writable()
        with self._lock() as ours:
            if not ours:
                yield False
                return
            token = f"{uuid.uuid4().hex} {self._whereabouts()}"
            self.write(lambda: self._set_meta(_WRITER, token))
            self._claim_token = token
            self.settle()
            try:
                yield True
            finally:
                self._claim_token = ""
                if not self.closed:
                    self._release(token)

    def _release(self, token: str) -> None:
        try:
            with self.transaction():
                if self._writer() == token:
                    self._set_meta(_WRITER, None)
            self.settle()
        except LostFileError:
            raise
        except PodiumError as error:  # a full disk, a lost server: the next claim replaces this one
            logger.debug("the claim of %s was not withdrawn: %s", self.name, error)

    def _check_claim(self) -> None:
        if self._claim_token and self._writer() != self._claim_token:
            raise BusyError(
                f"Another run has taken over the warehouse {self.name!r}; this one stops. Everything it has measured "
                "so far is kept."
            )

    def _writer(self) -> str | None:
        found = self.one("SELECT value FROM meta WHERE name = ?", (_WRITER,))
        return None if found is None else str(found)

    def _set_meta(self, name: str, value: str | None) -> None:
        self.change("DELETE FROM meta WHERE name = ?", (name,))
        if value is not None:
            self.insert("meta", ("name", "value"), [(name, value)])

    def settle(self) -> None:  # noqa: B027  a server has no log to settle
        """Bring what was written into the file itself."""

    def close(self) -> None:
        """Close the connection; SQLite then merges its log into the file."""
        if not self.closed:
            self.closed = True
            self._connection.close()

    # ---- the schema -----------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Create the tables in an empty database, migrate an older one, refuse a newer or a foreign one."""
        try:
            tables = self._tables()
            if not tables:
                if self._readonly:
                    raise self._foreign()
                self._prepare_writing()
                self._create_tables()
            self.version = self._found_version(self._tables())
            self._check_shape(self.version)
            if not self._readonly:
                self._prepare_writing()
            if self.version < SCHEMA_VERSION:
                self._migrate()
        except BaseException:
            self.close()
            raise
        self.prepared = True

    def _foreign(self, why: str = "") -> InputError:
        return InputError(f"{self.name!r} is not a podium warehouse{': ' if why else ''}{why}.")

    def _found_version(self, tables: dict[str, str]) -> int:
        """Return the version of the schema."""
        if tables.get("meta") != "table":
            raise self._foreign(f"'meta' is a {tables['meta']}, not a table" if "meta" in tables else "")
        found = self.one("SELECT value FROM meta WHERE name = 'schema version'")
        if not isinstance(found, str) or not found.isascii() or not found.isdecimal() or not int(found[:9]) > 0:
            raise self._foreign(f"its schema has the unknown version {str(found)[:20]!r}")
        version = int(found[:9])
        if version > SCHEMA_VERSION:
            raise InputError(
                f"The warehouse {self.name!r} has schema version {version}; this version of podium "
                f"supports up to {SCHEMA_VERSION}. Use a newer one."
            )
        return version

    def _check_shape(self, version: int) -> None:
        """Refuse a database whose tables are not those of a warehouse, before anything in it is used."""
        tables = self._tables()
        for table, expected in columns_of(version).items():
            kind = tables.get(table)
            if kind != "table":
                raise self._foreign(f"{table!r} is {f'a {kind}, not a table' if kind else 'missing'}")
            columns = self._columns(table)
            if columns != expected:
                wrong = sorted(columns ^ expected)
                raise self._foreign(f"the table {table!r} differs in its columns {', '.join(map(repr, wrong[:5]))}")

    def _create_tables(self) -> None:
        with self.transaction():
            self._wait_for_others()
            if self._tables():  # another process was faster
                return
            self.create(TABLES)
            self._protect()
            self.create(INDEXES.values())
            self.insert("meta", ("name", "value"), [("schema version", str(SCHEMA_VERSION))])

    def _migrate(self) -> None:
        if self._readonly:
            raise InputError(f"The warehouse {self.name!r} has an old schema. Open it once for writing to migrate it.")
        for step in range(self.version, SCHEMA_VERSION):
            with self._references_off(), self.transaction():
                # The first of several processes that migrate takes the step; the others wait for it here.
                self._wait_for_others()
                advance = "UPDATE meta SET value = ? WHERE name = 'schema version' AND value = ?"
                if self.change(advance, (str(step + 1), str(step))):
                    self.create([*MIGRATIONS[step].shared, *self._own_steps(MIGRATIONS[step])])
                    if MIGRATIONS[step].checksums:
                        tables = columns_of(step + 1)
                        self._unprotect([table for table in APPEND_ONLY_TABLES if table in tables])
                        self._fill_checksums(tables)
                    if MIGRATIONS[step].guards:
                        self._unprotect(["trial"])
                        self._fill_guards()
                    if step + 1 == SCHEMA_VERSION:
                        self._protect()
        self.version = SCHEMA_VERSION

    def _fill_checksums(self, tables: Container[str]) -> None:
        """Give every row of an earlier version its checksum, as it is found."""
        has = {HAS_TROUBLE: "trouble", HAS_PREDICTION: "prediction"}
        for flag, table in has.items():
            self.create([f"UPDATE trial SET attached = attached + {flag} WHERE id IN (SELECT trial FROM {table})"])
        for table, columns in SUMMED.items():
            if table not in tables:
                continue
            sql = f"SELECT {', '.join(columns)} FROM {table}"
            for batch in self._parts(sql, columns[0]):
                self._set_numbers(
                    table, "checksum", columns[0], [(row_checksum(*map(_plain, row)), row[0]) for row in batch]
                )
        sql = f"SELECT {columns_sql(self.blob('t.numbers'), checksum=False)} FROM trial t"
        for batch in self._parts(sql, "t.id"):
            rows = to_rows(batch)
            sums = zip(rows.checksums().tolist(), rows["number"].tolist(), strict=True)
            self._set_numbers("trial", "checksum", "id", sums)

    def _fill_guards(self) -> None:
        """Give every trial its guard; one that does not match its checksum gets none, and so stays known as such."""
        for batch in self._parts(f"SELECT {columns_sql(self.blob('t.numbers'))} FROM trial t", "t.id"):
            rows = to_rows(batch)
            guards = np.where(rows.damaged(), -1, trial_guards([rows[name] for name in GUARDED]))
            self._set_numbers("trial", "guard", "id", zip(guards.tolist(), rows["number"].tolist(), strict=True))

    def _parts(self, sql: str, key: str) -> Iterator[list[Row]]:
        """Yield the rows of a query in parts, each read completely before it is used: they are changed meanwhile."""
        last = None
        while True:
            after = "" if last is None else f" WHERE {key} > {int(last)}"
            batch = next(self.batches(f"{sql}{after} ORDER BY {key} LIMIT 10000", 10_000), [])
            if not batch:
                return
            yield batch
            last = batch[-1][0]

    def _set_numbers(self, table: str, column: str, key: str, numbers: Iterable[tuple[int, int]]) -> None:
        with self._errors_explained():
            mark = self._parameter
            self._execute_many(f"UPDATE {table} SET {column} = {mark} WHERE {key} = {mark}", list(numbers))

    def _protect(self) -> None:
        for table in APPEND_ONLY_TABLES:
            self.create(self._append_only(table))

    def _unprotect(self, tables: Iterable[str]) -> None:
        for table in tables:
            self.create(self._changeable(table))

    def _require_open(self) -> None:
        """Refuse to use a connection that is closed."""
        if self.closed:
            raise InputError(f"The warehouse {self.name!r} is closed. Open it again: podium.Warehouse({self.name!r}).")

    def _require_writable(self) -> None:
        if self._readonly:
            raise InputError(
                f"The warehouse {self.name!r} was opened for reading; open it without readonly=True to write."
            )

    @contextmanager
    def _errors_explained(self) -> Iterator[None]:
        """Turn errors of the driver into errors of podium."""
        self._require_open()
        try:
            yield
        except self._error as error:
            raise self._explained(error) from self._cause(error)
        except UnicodeDecodeError as error:
            raise damage_error(self, f"the database reports: {error}") from error
        except (OverflowError, UnicodeEncodeError) as error:
            raise UnstorableError(f"The warehouse {self.name!r} cannot store a value: {error}.") from error

    def _cause(self, error: Exception) -> Exception | None:
        """Return the error of the driver, unless it must not be shown."""
        return error

    # ---- what differs between databases ---------------------------------------------------------------------------

    @abstractmethod
    def new_numbers(self, table: str, n: int) -> list[int]:
        """Return numbers for rows that are about to be added in this transaction."""

    @abstractmethod
    def blob(self, column: str) -> str:
        """Return the expression for a column of bytes."""

    def count(self, table: str) -> int | None:
        """Count the rows of a table in another way than by reading them, if there is one."""
        return None

    def is_empty(self) -> bool:
        """Return whether there are no tables."""
        return not self._tables()

    def rows_of(self, table: str) -> int:
        """Count the rows of a table by reading them."""
        return int(self.one(f"SELECT COUNT(*) FROM {table}"))

    @abstractmethod
    def _execute_many(self, sql: str, rows: list[Any]) -> None:
        """Run a statement once for each row."""

    @abstractmethod
    def _explained(self, error: Exception) -> PodiumError:
        """Return the error of podium for one of the driver."""

    @abstractmethod
    def _tables(self) -> dict[str, str]:
        """Return the names of all tables and views, and which of the two each is."""

    @abstractmethod
    def _columns(self, table: str) -> set[str]:
        """Return the names of the columns of a table."""

    @staticmethod
    @abstractmethod
    def _own_steps(migration: Migration) -> Sequence[str]:
        """Return the statements of a migration that only this database needs."""

    def _own_numbers(self, table: str) -> str:
        """Return what an insert must say to set the number of a row itself."""
        return ""

    def _prepare_writing(self) -> None:  # noqa: B027  SQLite alone has settings
        """Set up a connection to a warehouse for writing."""

    def _wait_for_others(self) -> None:  # noqa: B027  a transaction of SQLite waits already
        """Wait, in a transaction, until no other process creates or migrates the tables."""

    def _references_off(self) -> AbstractContextManager[Any]:
        """Return a context in which a table that others refer to can be replaced."""
        return nullcontext()

    @abstractmethod
    def _append_only(self, table: str) -> Iterator[str]:
        """Yield statements that make a table refuse updates and deletes."""

    @abstractmethod
    def _changeable(self, table: str) -> Iterator[str]:
        """Yield statements that undo `_append_only`."""

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[Any]:
        """Return a transaction of the driver."""

    @abstractmethod
    def _snapshot(self) -> AbstractContextManager[Any]:
        """Return a transaction that only reads, and sees one state."""

    @abstractmethod
    def _lock(self) -> AbstractContextManager[bool]:
        """Take the lock, if it is free."""

    def _whereabouts(self) -> str:
        """Say where the writer has the database, for a claim."""
        return ""

    def integrity_errors(self) -> list[str]:
        """Return what the database's own integrity check reports."""
        return []

    def broken_references(self) -> list[tuple[str, int, str]]:
        """Return rows that refer to a missing one: table, number of the row, table of the missing row."""
        return []

    def log_missing(self) -> bool:
        """Return whether a part of what was written is missing because only the file was copied."""
        return False


def _plain(field: Any) -> Any:
    return bytes(field) if isinstance(field, memoryview) else field
