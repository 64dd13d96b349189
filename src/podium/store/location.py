"""Where the trials of a run are kept: what names a warehouse, and which warehouse belongs to a design file."""

from __future__ import annotations

import shlex
from pathlib import Path

from podium.checks import check_path, is_database
from podium.errors import InputError
from podium.store.address import is_key_values

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
