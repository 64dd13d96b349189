"""Where the trials of a run are kept: what names a warehouse, which one a design file has, and how it is opened."""

from __future__ import annotations

import shlex
import stat
from pathlib import Path

from podium.checks import check_path, describe, hide_password, is_database
from podium.errors import InputError
from podium.store.address import is_address, is_key_values
from podium.store.database import Database
from podium.store.postgresql import PostgreSQL
from podium.store.sqlite import MEMORY, SQLite

DESIGNS = (".yaml", ".yml")  # a .json file may also be a table of scores
EXTENSIONS = (".db", ".sqlite", ".sqlite3")  # of a warehouse; it may have any other


def is_design(name: str) -> bool:
    """Return whether a name is that of a design file; a database is not one, whatever its name.

    >>> is_design("monks.yaml"), is_design("monks.db")
    (True, False)
    """
    return name.lower().endswith(DESIGNS) and not is_database(name)


def is_warehouse(name: str) -> bool:
    """Return whether a name is that of a warehouse: an address, a database file of any name, or a file named like one.

    >>> is_warehouse("postgresql://host/db"), is_warehouse("monks.DB"), is_warehouse("scores.csv")
    (True, True, False)
    """
    is_server = "://" in name or is_key_values(name)
    return is_server or name.lower().endswith(EXTENSIONS) or is_database(name)


def find_warehouse(name: str) -> str | None:
    """Return the warehouse that a name leads to: itself, or that of a design that was run; None for any other file."""
    if is_design(name):
        return existing_warehouse(name)
    return name if is_warehouse(name) else None


def warehouse_of(design: str) -> str:
    """Return the default warehouse of a design file: FILE.db, here or, if only that exists, beside the design."""
    beside = check_path(design, "source").with_suffix(".db")
    here = Path(beside.name)
    return str(beside if beside.exists() and not here.exists() else here)


def existing_warehouse(design: str) -> str:
    """Return the warehouse of a design that was run."""
    where = warehouse_of(design)
    if not Path(where).exists():
        raise InputError(
            f"There is no warehouse {where!r} yet. Run the experiment first: podium run {shlex.quote(design)}"
        )
    return where


def holds_nothing(where: str | Path) -> bool:
    """Return whether a run would create a new warehouse here: no file, an empty one, or a database without tables.

    Nothing is created or changed.
    """
    text = str(where)
    _refuse_key_values(text)
    if text == MEMORY:
        return True
    if is_address(text):
        database = PostgreSQL(text, readonly=True, raw=True)
        try:
            return database.is_empty()
        finally:
            database.close()
    try:
        return "://" not in text and (not Path(where).exists() or Path(where).stat().st_size == 0)
    except (OSError, ValueError):  # opening it says what is wrong
        return False


def open_database(where: object, *, readonly: bool = False) -> Database:
    """Open a database: a ``postgresql://`` URL, or the path of a file."""
    if not isinstance(where, str | Path):
        raise InputError(f"`where` must be a file or a postgresql:// URL; got {describe(where)}.")
    text = str(where)
    _refuse_key_values(text)
    if is_address(text):
        return PostgreSQL(text, readonly=readonly)
    if "://" in text:
        raise InputError(f"`where` must be a file or a postgresql:// URL; got {hide_password(text)!r}.")
    path = Path(where)
    if text == MEMORY:
        return SQLite(path, readonly=readonly)
    try:
        exists, has_folder = path.exists(), path.resolve().parent.is_dir()
        kind = path.stat().st_mode if exists else stat.S_IFREG
    except (OSError, ValueError, RuntimeError) as error:  # the last: a loop of symbolic links
        raise InputError(f"{text!r:.60} cannot be the name of a file: {error}.") from error
    if stat.S_ISDIR(kind):
        raise InputError(f"{text!r} is a folder; name a file in it, such as {str(path / 'experiment.db')!r}.")
    if not stat.S_ISREG(kind):
        raise InputError(f"{text!r} is not a file but a device, a pipe or a socket.")
    if not has_folder:
        raise InputError(f"The folder of the warehouse {text!r} does not exist; create it first.")
    if readonly and not exists:
        raise InputError(f"There is no warehouse {text!r}.")
    return SQLite(path, readonly=readonly)


def _refuse_key_values(where: str) -> None:
    """Refuse ``host=… password=…``, which would become the name of a file with the password in it."""
    if is_key_values(where):
        raise InputError(
            "`where` must be a file or a postgresql:// URL; got settings of a connection. Write "
            "postgresql://user@host:port/database, and set the password in PGPASSWORD or in ~/.pgpass."
        )
