"""A warehouse in one file."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from podium.errors import ExecutionError, IncompleteCopyWarning, InputError, PodiumError, StorageError
from podium.store import lock
from podium.store.database import Database, LostFileError, UnstorableError, logger
from podium.store.rows import damage_error
from podium.store.schema import COLUMNS, INDEXES, TABLES

_BUSY_SECONDS = 30.0
SETTLE_SECONDS = 5.0  # how long what was written may be in the log only
_LONGEST = 2**30  # bytes of one value
_INDEX = {"trial": "trial_key", "design": "design_key"}  # other tables have one of their own
_TRIGGERS = tuple(  # they make the tables refuse updates and deletes
    f"CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON {table} "
    "BEGIN SELECT RAISE(ABORT, 'a warehouse is append-only'); END"
    for table in COLUMNS
    for action in ("UPDATE", "DELETE")
)
MEMORY = ":memory:"
_Files: TypeAlias = tuple[lock.Inode | None, lock.Inode | None]
_State: TypeAlias = tuple[tuple[int, int, int] | None, ...]


class SQLite(Database):
    """One file, readable while a run writes (write-ahead log).

    Parameters
    ----------
    path : Path
    readonly : bool
    """

    _types: ClassVar = {"{key}": "INTEGER PRIMARY KEY", "{real}": "REAL", "{bytes}": "BLOB"}
    _error = sqlite3.Error

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        super().__init__(str(path), readonly=readonly)
        self._in_memory = self.name == MEMORY
        self._path = path if self._in_memory else Path(os.path.realpath(path))
        self._inode: lock.Inode | None = None
        self._files: _Files | None = None  # those that are written
        self._read_from: _State | None = None  # of files that another connection may change unnoticed
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._settled = time.monotonic()
        self._had_log = True
        self._log_missing = False
        try:
            self._connection = self._connected()
            if not self._in_memory:
                self._inode = lock.register(self._path)
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:  # the last: a damaged schema
            self._close_quietly()
            if isinstance(error, UnicodeDecodeError) or _primary(error) == sqlite3.SQLITE_CORRUPT:
                raise damage_error(self, "the definitions of its tables cannot be read") from error
            raise InputError(f"{path.name!r} cannot be opened as a warehouse: {error}.") from error
        self.prepare()
        if not (self._readonly or self._in_memory):
            self._files = _files(self._path)
        try:
            self._look_for_log()
        except BaseException:
            self.close()
            raise

    # ---- opening --------------------------------------------------------------------------------------------------

    def _connected(self) -> Any:
        if self._in_memory:
            return self._opened("file::memory:")
        self._had_log = _size(_log(self._path)) > 0
        if not self._readonly:
            return self._opened(f"{self._path.as_uri()}?mode=rwc")
        if self._is_writable():
            # The last connection that may write merges the log into the file: open that way, and do not write.
            return self._opened(f"{self._path.as_uri()}?mode=rw")
        state = _state(self._path)
        if not self._had_log:  # nobody is writing: SQLite need not make the files that it coordinates with others by
            self._read_from = state
            return self._opened(f"{self._path.as_uri()}?mode=ro&immutable=1")
        try:
            return self._opened(f"{self._path.as_uri()}?mode=ro")
        except sqlite3.OperationalError:
            # A log that has to be merged, in a folder where nothing can be written: merge it in a copy.
            self._read_from = state
            self._folder = tempfile.TemporaryDirectory(prefix="podium-")
            copy = Path(self._folder.name) / "copy.db"
            shutil.copyfile(self._path, copy)
            shutil.copyfile(_log(self._path), _log(copy))
            return self._opened(f"{copy.as_uri()}?mode=rw")

    def _open_again(self) -> None:
        """Read what is in the file now: this connection would see the old state for ever."""
        self.prepared, self._read_from = False, None
        self._connection.close()
        self._remove_copy()
        self._connection = self._connected()
        self.prepare()

    def _opened(self, uri: str) -> Any:
        connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA cell_size_check = ON")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute(f"PRAGMA query_only = {'ON' if self._readonly else 'OFF'}")
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # reads the file: is it a database?
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare_writing(self) -> None:
        with self._errors_explained():
            self._connection.execute("PRAGMA journal_mode = WAL")
            # NORMAL survives any crash of the process; a power cut may cost the last commits: a resume redoes them.
            self._connection.execute("PRAGMA synchronous = NORMAL")

    def _look_for_log(self) -> None:
        """Warn if the last run did not end properly and its log is not here; refuse a name that has another log."""
        token = None if self._in_memory or self._had_log else self._writer()
        if not token:
            return
        elsewhere = Path(token.partition(" ")[2])
        with suppress(OSError):
            # Of a file with one name, as a stranger sends it, the path inside is not looked up.
            several = elsewhere != self._path and self._path.stat().st_nlink > 1
            if several and os.path.samefile(elsewhere, self._path) and _size(_log(elsewhere)):
                raise InputError(
                    f"{self.name!r} is another name of the warehouse {str(elsewhere)!r}, which has a log under that "
                    "name. Open it by that name."
                )
        if not self._is_claimed():
            self._log_missing = True
            warnings.warn(
                f"The warehouse {self.name!r} is incomplete: a run that wrote it was killed or is running elsewhere, "
                "and "
                f"its log {_log(self._path).name!r} is not here. The last trials may be missing: copy that file, too, "
                "or run again.",
                IncompleteCopyWarning,
                stacklevel=6,
            )

    def _is_claimed(self) -> bool:
        """Return whether a writer on this machine holds the lock."""
        if self._inode is None or not lock.by_inode() or not os.access(self._path, os.W_OK):
            return False
        with lock.writer_lock(self._path, self._inode) as free:
            return not free

    def log_missing(self) -> bool:
        """Return whether the log of a run that was killed is missing."""
        return self._log_missing

    def close(self) -> None:
        """Close the connection; the last one merges the log into the file."""
        if self.closed:
            return
        self._withdraw_claim_of_killed_run()
        super().close()
        self._close_quietly()

    def _withdraw_claim_of_killed_run(self) -> None:
        """Withdraw the claim of a run that was killed, before closing merges its log: then nothing is missing."""
        if self._inode is None or self._log_missing or not self._merges_log():
            return
        with suppress(PodiumError, sqlite3.Error):  # a damaged file, a full disk: the claim stays
            token = self._writer()
            if not token or self._connection.in_transaction:
                return
            with lock.writer_lock(self._path, self._inode) as free:
                if not free:
                    return
            readonly, self._readonly = self._readonly, False
            self._connection.execute("PRAGMA query_only = OFF")
            try:
                self._release(token)  # and no other: a run that starts now is not disturbed
            finally:
                self._readonly = readonly
                self._connection.execute(f"PRAGMA query_only = {'ON' if readonly else 'OFF'}")

    def _merges_log(self) -> bool:
        """Return whether there is a log, and closing merges it into the file."""
        return self._is_writable() and _size(_log(self._path)) > 0

    def _is_writable(self) -> bool:
        return os.access(self._path, os.W_OK) and os.access(self._path.parent, os.W_OK)

    def _close_quietly(self) -> None:
        if self._inode is not None:
            lock.unregister(self._inode)
            self._inode = None
        self._remove_copy()

    def _remove_copy(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    # ---- statements -----------------------------------------------------------------------------------------------

    def _execute_many(self, sql: str, rows: list[Any]) -> None:
        self._connection.executemany(sql, rows)

    def new_numbers(self, table: str, n: int) -> list[int]:
        """Continue from the largest number; the transaction keeps other writers out."""
        last = self.one(f"SELECT COALESCE(MAX(id), 0) FROM {table}")
        return list(range(last + 1, last + 1 + n))

    def blob(self, column: str) -> str:
        """Take what is there as bytes, whatever its type."""
        return f"CAST({column} AS BLOB)"

    def count(self, table: str) -> int:
        """Count the entries of an index."""
        return int(self.one(f"SELECT COUNT(*) FROM {table} {self._by_index(table)}"))

    def _by_index(self, table: str) -> str:
        return f"INDEXED BY {_INDEX.get(table, f'sqlite_autoindex_{table}_1')}"

    def rows_of(self, table: str) -> int:
        """Count the rows of a table, not the entries of its index."""
        return int(self.one(f"SELECT COUNT(*) FROM {table} NOT INDEXED"))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        inner = self._connection.in_transaction
        self._connection.execute("SAVEPOINT part" if inner else "BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:  # a full disk may have ended it already
                self._connection.execute("ROLLBACK TO part" if inner else "ROLLBACK")
                if inner:
                    self._connection.execute("RELEASE part")
            raise
        try:
            self._connection.execute("RELEASE part" if inner else "COMMIT")
        except BaseException:
            if not inner and self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        if not inner:
            self._require_own_file()
            if time.monotonic() > self._settled + SETTLE_SECONDS:
                self.settle()

    def _require_own_file(self) -> None:
        """Raise if the file or its log was deleted, renamed or replaced; what is in the open ones is copied before.

        The copy takes the place of the lost file, so what is still written goes there.
        """
        now = _files(self._path)
        if self._files is None or (self._files[0] == now[0] and self._files[1] in (None, now[1])):
            return
        what = f"The warehouse {self.name!r} was deleted, renamed or replaced while it was written"
        where = self._copied()
        if where is None:
            raise LostFileError(f"{what}, and no copy of it could be made.")
        if self._inode is not None:
            lock.unregister(self._inode)
        if self._files[0] != now[0] and self._files[1] == now[1]:
            for ours in (_log(self._path), Path(f"{self._path}-shm")):  # SQLite would apply it to another file there
                with suppress(OSError):
                    ours.unlink()
        self.name, self._path = str(where), where
        self._inode, self._files = lock.register(where), _files(where)
        raise LostFileError(f"{what}. Everything stored until now is in {self.name!r}; run again with it to resume.")

    def _copied(self) -> Path | None:
        """Copy what is in the open database to a new file near its place, and go on with that; None if none can be."""
        for folder in (str(self._path.parent), "", tempfile.gettempdir()):
            try:
                place = os.path.abspath(folder)  # an error where the working folder is gone, too
                handle, name = tempfile.mkstemp(self._path.suffix, f"{self._path.stem}-rescued-", place)
            except OSError:
                continue
            os.close(handle)
            copy = self._opened(f"{Path(name).as_uri()}?mode=rw")
            try:
                self._connection.backup(copy)
            except sqlite3.Error:  # no room there
                copy.close()
                os.unlink(name)
                continue
            self._connection.close()
            self._connection = copy
            self._prepare_writing()
            return Path(name)
        return None

    @contextmanager
    def _snapshot(self) -> Iterator[None]:
        if self._connection.in_transaction:
            yield
            return
        if self.prepared and self._read_from not in (None, _state(self._path)):
            self._open_again()
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            if self._connection.in_transaction:
                self._connection.execute("COMMIT")  # nothing was written; a running query is not disturbed

    def settle(self) -> None:
        """Copy the log into the file as far as no reader needs it: a copy of the file alone then lacks little."""
        if self._in_memory or self._readonly:
            return
        with suppress(sqlite3.Error):  # a full disk, a busy reader: the log has everything
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._settled = time.monotonic()

    def _explained(self, error: Exception) -> PodiumError:
        reason = " ".join(str(error).split())
        primary = _primary(error)
        if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or "Could not decode" in reason:
            return damage_error(self, f"the database reports: {reason}")
        if primary == sqlite3.SQLITE_FULL or getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_IOERR_WRITE:
            return StorageError(
                f"The disk or the quota of the warehouse {self.name!r} is full. Everything stored before is kept; make "
                "room, then run again to resume."
            )
        message = f"The database of the warehouse {self.name!r} reports: {reason}."
        if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return StorageError(f"{message} Another program has locked it for {_BUSY_SECONDS:g} s.")
        if primary in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            return StorageError(message)
        if isinstance(error, sqlite3.IntegrityError | sqlite3.DataError | sqlite3.InterfaceError) or (
            isinstance(error, sqlite3.ProgrammingError) and "binding" in reason
        ):
            return UnstorableError(message)
        return ExecutionError(message)

    # ---- one writer -----------------------------------------------------------------------------------------------

    @contextmanager
    def _lock(self) -> Iterator[bool]:
        if self._inode is None:
            yield True
            return
        if not lock.by_inode():
            logger.warning(
                "This system cannot lock a file whatever its name: a second run that opens %r by another name (a hard "
                "link, a mount) is not refused; it takes over, and this run stops.",
                self.name,
            )
        with lock.writer_lock(self._path, self._inode) as ours:
            yield ours

    def _whereabouts(self) -> str:
        return str(self._path)

    # ---- the schema -----------------------------------------------------------------------------------------------

    def _protection(self) -> Iterable[str]:
        return _TRIGGERS

    def _objects(self) -> list[tuple[str, str, str, str]]:
        """Return type, name, table and definition of everything in the database but the indexes of constraints."""
        sql = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL"
        return [(str(kind), str(name), str(table), _normal(str(text))) for kind, name, table, text in self.rows(sql)]

    def _tables(self) -> set[str]:
        return {name for _, name, _, _ in self._objects()}  # views and others, too: it is not empty then

    def _check_schema(self) -> None:
        """Refuse what podium did not make: views, triggers and indexes could change what is read or written."""
        made = {_normal(self._typed(statement)) for statement in (*TABLES, *INDEXES, *_TRIGGERS)}
        others = [each for each in self._objects() if each[3] not in made]
        for kind, name, table, sql in others:
            if (
                kind in ("view", "trigger")
                or sql.startswith("create virtual")
                or (kind == "index" and table in COLUMNS)
            ):
                raise self._foreign(f"it has the {kind} {name!r}, which podium did not make")
        super()._check_schema()
        if any(name in ("meta", *COLUMNS) for _, name, _, _ in others):
            raise self._other_schema()

    def integrity_errors(self) -> list[str]:
        """Run SQLite's integrity check."""
        lines = [line for row in self.rows("PRAGMA integrity_check") for line in str(row[0]).splitlines()]
        return [line for line in lines if line not in ("ok", "*** in database main ***")]

    def broken_references(self) -> list[tuple[str, int, str]]:
        """Run SQLite's foreign key check."""
        return [(str(row[0]), int(row[1] or 0), str(row[2])) for row in self.rows("PRAGMA foreign_key_check")]


def _normal(sql: str) -> str:
    return " ".join(sql.replace('"', "").split()).lower()


def _primary(error: Exception) -> int | None:
    """Return the primary error code of SQLite."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _log(path: Path) -> Path:
    return Path(f"{path}-wal")


def _files(path: Path) -> _Files:
    """Return which files a database and its log are; None for one that is not there."""
    database, log = (None if found is None else (found.st_dev, found.st_ino) for found in _found(path))
    return database, log


def _state(path: Path) -> _State:
    """Return what changes when another connection writes."""
    return tuple(None if found is None else (found.st_ino, found.st_size, found.st_mtime_ns) for found in _found(path))


def _found(path: Path) -> Iterator[os.stat_result | None]:
    for file in (path, _log(path)):
        try:
            yield os.stat(file)
        except OSError:
            yield None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
