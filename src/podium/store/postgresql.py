"""A warehouse in a PostgreSQL database."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, ClassVar, TypeVar, cast

from podium.errors import BusyError, ExecutionError, InputError, MissingExtraError, PodiumError, StorageError
from podium.store.address import Address
from podium.store.database import Database, LostConnectionError, Row, UnstorableError, logger
from podium.store.schema import COLUMNS

T = TypeVar("T")
WAIT_SECONDS = 120.0  # for a server that is gone
_KEY = "hashtextextended('podium {} in ' || current_schema(), 0)"


class PostgreSQL(Database):
    """A PostgreSQL database, by URL. It enforces references on every write and needs no check of its own."""

    _parameter = "%s"
    _own_numbers = "OVERRIDING SYSTEM VALUE "
    _types: ClassVar = {
        "{key}": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        "{real}": "DOUBLE PRECISION",
        "{bytes}": "BYTEA",
    }

    def __init__(self, url: str, *, readonly: bool = False, raw: bool = False) -> None:
        try:
            import psycopg
        except ImportError:
            raise MissingExtraError("A warehouse in PostgreSQL", "psycopg", "postgres") from None
        self._address = Address(url)
        super().__init__(self._address.name, readonly=readonly)
        self._error = psycopg.Error
        self._driver = psycopg
        self._cursors = 0
        try:
            self._connection = self._connected()
        except (psycopg.Error, UnicodeError) as error:
            reason = self._address.scrubbed(str(error)).rstrip(".")
            raise InputError(f"The PostgreSQL warehouse at {self.name!r} cannot be opened: {reason}.") from None
        if not raw:
            self.prepare()

    def _connected(self) -> Any:
        return self._driver.connect(self._address.connection, autocommit=True)

    # ---- a server that is unavailable -----------------------------------------------------------------------------

    def write(self, function: Callable[[], T]) -> T:
        """Call a function in a transaction; if the connection is lost, restore it and find out whether it was kept."""
        if self._in_transaction():
            return super().write(function)
        while True:
            kept: list[T] = []
            number = None
            try:
                with self.transaction():
                    self._check_claim()
                    number = self.one("SELECT CAST(pg_current_xact_id() AS TEXT)")
                    kept.append(function())
                return kept[0]
            except LostConnectionError as lost:
                self._reconnect(lost)
                if kept and self.one("SELECT pg_xact_status(CAST(? AS xid8))", (number,)) == "committed":
                    return kept[0]

    def read(self, function: Callable[[], T]) -> T:
        """Call a function that sees one state of the database, again if the connection was lost and restored."""
        if self._in_transaction():
            return function()
        while True:
            try:
                return super().read(function)
            except LostConnectionError as lost:
                self._reconnect(lost)

    def _in_transaction(self) -> bool:
        idle = self._driver.pq.TransactionStatus.IDLE
        return not self._connection.closed and self._connection.info.transaction_status != idle

    def _reconnect(self, lost: LostConnectionError) -> None:
        """Connect again, and claim again what was claimed."""
        logger.warning("The connection to the warehouse %s was lost; waiting for the server.", self.name)
        until, pause = time.monotonic() + WAIT_SECONDS, 0.1
        while True:
            try:
                self._connection.close()
                self._connection = self._connected()
                break
            except self._error:
                if time.monotonic() + pause > until:
                    raise StorageError(
                        f"{lost} It could not be restored in {WAIT_SECONDS:g} s. Everything stored before is kept; "
                        "run again to resume."
                    ) from None
            time.sleep(pause)
            pause = min(2 * pause, 5.0)
        logger.warning("The connection to the warehouse %s is restored.", self.name)
        # The server may not have noticed yet that the old connection is gone: its lock then ends shortly.
        while self._claim_token and not self._try_lock():
            if self._writer() != self._claim_token or time.monotonic() > until:
                raise BusyError(
                    f"Another run has taken over the warehouse {self.name!r} while the server was unavailable."
                )
            time.sleep(0.2)

    # ---- statements -----------------------------------------------------------------------------------------------

    def batches(
        self, sql: str, size: int, parameters: Sequence[Any] = (), *, large: bool = False
    ) -> Iterator[list[Row]]:
        """Yield rows in batches; of a large outcome the server keeps what was not fetched yet."""
        if not large:
            yield from super().batches(sql, size, parameters)
            return
        self._cursors += 1
        with (
            self._errors_explained(),
            self._connection.cursor(name=f"podium_{self._cursors}", withhold=True) as cursor,
        ):
            cursor.execute(sql.replace("?", self._parameter), parameters)
            while batch := cursor.fetchmany(size):
                yield batch

    def _execute_many(self, sql: str, rows: list[Any]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(sql, rows)

    def new_numbers(self, table: str, n: int) -> list[int]:
        """Take numbers from the sequence of the table."""
        sequence = f"nextval(pg_get_serial_sequence('{table}', 'id'))"
        return [int(row[0]) for row in self.rows(f"SELECT {sequence} FROM generate_series(1, {int(n)})")]

    def blob(self, column: str) -> str:
        """Return the column: it has bytes only."""
        return column

    def _transaction(self) -> AbstractContextManager[Any]:
        return cast(AbstractContextManager[Any], self._connection.transaction())

    @contextmanager
    def _snapshot(self) -> Iterator[None]:
        if self._in_transaction():
            yield
            return
        with self._connection.transaction():
            self._connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield

    def _explained(self, error: Exception) -> PodiumError:
        reason = self._address.scrubbed(str(error)).rstrip(".")
        message = f"The database of the warehouse {self.name!r} reports: {reason}."
        errors = self._driver.errors
        if isinstance(error, errors.InsufficientPrivilege):
            return StorageError(f"{message} Ask its owner for the right to create tables, or to use those of podium.")
        if isinstance(error, errors.DiskFull):
            return StorageError(f"{message} Everything stored before is kept; make room, then run again to resume.")
        if self._connection.closed or self._connection.broken:
            return LostConnectionError(f"The connection to the warehouse {self.name!r} was lost: {reason}.")
        if isinstance(error, self._driver.DataError | self._driver.IntegrityError | self._driver.ProgrammingError):
            return UnstorableError(message)
        return ExecutionError(message)

    def _cause(self, error: Exception) -> Exception | None:
        return error if self._address.scrubbed(str(error)) == " ".join(str(error).split()) else None

    # ---- one writer -----------------------------------------------------------------------------------------------

    @contextmanager
    def _lock(self) -> Iterator[bool]:
        """Take a lock that the server releases when the connection ends, however it ends."""
        ours = self._try_lock()
        try:
            yield ours
        finally:
            if ours and not self._connection.closed:
                try:
                    self._connection.execute(f"SELECT pg_advisory_unlock({_KEY.format('run')})")
                except self._error as error:  # a lost connection has no lock
                    logger.debug("%s", self._explained(error))

    def _try_lock(self) -> bool:
        return bool(self.one(f"SELECT pg_try_advisory_lock({_KEY.format('run')})"))

    # ---- the schema -----------------------------------------------------------------------------------------------

    def wait_for_others(self) -> None:
        """Take a lock that the server releases when the transaction ends."""
        self.one(f"SELECT pg_advisory_xact_lock({_KEY.format('schema')})")

    def _protection(self) -> Iterator[str]:
        yield (
            "CREATE OR REPLACE FUNCTION podium_append_only() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'a warehouse is append-only'; END $$"
        )
        for table in COLUMNS:
            yield (
                f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION podium_append_only()"
            )

    def _tables(self) -> set[str]:
        return {
            str(name) for (name,) in self.rows("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        }
