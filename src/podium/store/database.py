"""What a database must offer to hold a warehouse; `sqlite` and `postgresql` are the two that do."""

from __future__ import annotations

import logging
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, ClassVar, TypeVar

from podium.errors import BusyError, ExecutionError, InputError, PodiumError, StorageError
from podium.store.rows import BATCH, damage_error, row_checksum
from podium.store.schema import COLUMNS, INDEXES, SCHEMA_VERSION, TABLES

Row = tuple[Any, ...]
T = TypeVar("T")
logger = logging.getLogger("podium")
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
    """

    _parameter: ClassVar = "?"
    _own_numbers: ClassVar = ""  # what an insert must say to set the number of a row itself
    _types: ClassVar[dict[str, str]]
    _error: type[Exception]
    _connection: Any

    def __init__(self, name: str, *, readonly: bool) -> None:
        self.name = name
        self._readonly = readonly
        self._claim_token = ""
        self.closed = False
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

    def change(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        """Run a statement that changes rows or tables."""
        with self._errors_explained():
            self._connection.execute(sql.replace("?", self._parameter), parameters)

    def insert(self, table: str, rows: Sequence[Row], checksums: Iterable[int] | None = None) -> None:
        """Add rows with their checksums, which are computed unless they are given."""
        sums = (row_checksum(*row) for row in rows) if checksums is None else checksums
        columns = [*COLUMNS[table], "checksum"]
        sql = (
            f"INSERT INTO {table} ({', '.join(columns)}) {self._own_numbers if 'id' in columns else ''}"
            f"VALUES ({', '.join([self._parameter] * len(columns))})"
        )
        with self._errors_explained():
            self._execute_many(sql, [(*row, checksum) for row, checksum in zip(rows, sums, strict=True)])

    def add(self, table: str, row: Row) -> int:
        """Add a row; return the number that it is given."""
        (number,) = self.new_numbers(table, 1)
        self.insert(table, [(number, *row)])
        return number

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
            self.change("INSERT INTO meta (name, value) VALUES (?, ?)", (name, value))

    def settle(self) -> None:  # noqa: B027  a server has no log to settle
        """Bring what was written into the file itself."""

    def close(self) -> None:
        """Close the connection; SQLite then merges its log into the file."""
        if not self.closed:
            self.closed = True
            self._connection.close()

    # ---- the schema -----------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Create the tables in an empty database; refuse one of another schema, or a foreign one."""
        try:
            if not self._tables():
                if self._readonly:
                    raise self._foreign()
                self._prepare_writing()
                self._create_tables()
            self._check_schema()
            if not self._readonly:
                self._prepare_writing()
        except BaseException:
            self.close()
            raise
        self.prepared = True

    def _foreign(self, why: str = "") -> InputError:
        return InputError(f"{self.name!r} is not a podium warehouse{': ' if why else ''}{why}.")

    def _check_schema(self) -> None:
        """Refuse a database whose tables are not those of a warehouse, before anything in it is used."""
        tables = self._tables()
        if not {"meta", "design", "trial"} <= tables:
            raise self._foreign()
        if not tables >= COLUMNS.keys() or self.one("SELECT value FROM meta WHERE name = 'schema version'") != str(
            SCHEMA_VERSION
        ):
            raise self._other_schema()

    def _other_schema(self) -> InputError:
        return InputError(
            f"The warehouse {self.name!r} has another schema than this version of podium: export it with the version "
            "that made it (`podium warehouse export`), and import that file here (`podium warehouse import`)."
        )

    def _create_tables(self) -> None:
        with self.transaction():
            self.wait_for_others()
            if self._tables():  # another process was faster
                return
            for statement in [*TABLES, *self._protection(), *INDEXES]:
                self.change(self._typed(statement))
            self._set_meta("schema version", str(SCHEMA_VERSION))

    def _typed(self, statement: str) -> str:
        """Return a statement with the types of this database."""
        for placeholder, kind in self._types.items():
            statement = statement.replace(placeholder, kind)
        return statement

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
    def _tables(self) -> set[str]:
        """Return the names of all tables."""

    def _prepare_writing(self) -> None:  # noqa: B027  SQLite alone has settings
        """Set up a connection to a warehouse for writing."""

    def wait_for_others(self) -> None:  # noqa: B027  a transaction of SQLite waits already
        """Wait, in a transaction, until no other process creates the tables or is in such a transaction."""

    @abstractmethod
    def _protection(self) -> Iterable[str]:
        """Return statements that make the tables refuse updates and deletes."""

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
