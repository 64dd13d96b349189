"""Whether a warehouse is intact."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

from podium.checks import check_call
from podium.errors import DamageError, ExecutionError, StorageError
from podium.store.database import Database
from podium.store.record import printable
from podium.store.rows import BATCH, UNREADABLE, columns_sql, row_checksum, to_rows
from podium.store.schema import COLUMNS, HAS_PREDICTION, HAS_TROUBLE

DamageKind: TypeAlias = Literal["file", "log", "unreadable", "reference", "checksum", "lost", "unexpected"]

_AT_ONCE = 1_000  # rows of other tables than that of the trials: each may be large
_SENTENCES: dict[DamageKind, str] = {
    "file": "the database is damaged: {found}",
    "log": "the log of a run that was killed, or is running elsewhere, is missing: the last trials may be missing, too",
    "unreadable": "table {table} cannot be read to its end: {found}",
    "reference": "row {row} of table {table} refers to a missing {found}",
    "checksum": "row {row} of table {table} does not match its checksum",
    "lost": "trial {row} has lost its row of table {table}",
    "unexpected": "table {table} has a row for trial {row}, which should have none",
}


@check_call
@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """One thing that is wrong with a warehouse.

    Attributes
    ----------
    kind : str
        ``"file"`` is what the database's own check reports; ``"log"``, the missing log of a run that was killed;
        ``"unreadable"``, a table that the database cannot return; ``"reference"``, a row that refers to a missing one;
        ``"checksum"``, a row that is not as it was written; ``"lost"`` and ``"unexpected"``, a trial without its
        message or predictions, and the other way round.
    table : str
        Empty for ``"file"`` and ``"log"``.
    row : int, optional
        Number of the row, which for messages and predictions is that of the trial.
    found : str
        What the database reports, or the table of the missing row.
    """

    kind: DamageKind
    table: str = ""
    row: int | None = None
    found: str = ""

    def __str__(self) -> str:
        return printable(_SENTENCES[self.kind].format(table=self.table, row=self.row, found=self.found))


def find_damage(database: Database) -> tuple[Damage, ...]:
    """Let the database check itself, and verify every row of every table."""
    parts: list[tuple[str, Callable[[Database], Iterator[Damage]]]] = [
        ("", _of_file),
        *((table, partial(_of_table, table=table)) for table in COLUMNS if table != "trial"),
        ("trial", _of_trials),
        ("trouble", partial(_of_attached, table="trouble", flag=HAS_TROUBLE)),
        ("prediction", partial(_of_attached, table="prediction", flag=HAS_PREDICTION)),
    ]
    found: dict[Damage, None] = {}

    def find() -> None:
        found.clear()  # it is called again where a lost connection was restored
        for table, part in parts:
            try:
                for damage in part(database):
                    found[damage] = None
            except StorageError:  # a lost connection, missing privileges: this is no damage
                raise
            except (ExecutionError, *UNREADABLE) as error:
                reason = " ".join(str(error.__cause__ or error).split())
                found[Damage(kind="unreadable" if table else "file", table=table, found=reason)] = None

    try:
        database.read(find)
    except DamageError:  # the transaction of a damaged file does not end properly, either
        if not found:
            raise
    return tuple(found)


def _of_file(database: Database) -> Iterator[Damage]:
    for text in database.integrity_errors():
        yield Damage(kind="file", found=text)
    if database.log_missing():
        yield Damage(kind="log")
    for table, row, parent in database.broken_references():
        yield Damage(kind="reference", table=table, row=row, found=parent)


def _of_table(database: Database, table: str) -> Iterator[Damage]:
    for batch in database.batches(f"SELECT {', '.join(COLUMNS[table])}, checksum FROM {table}", _AT_ONCE, large=True):
        for *row, stored in batch:
            if row_checksum(*row) != stored:
                yield Damage(kind="checksum", table=table, row=row[0])


def _of_trials(database: Database) -> Iterator[Damage]:
    for batch in database.batches(f"SELECT {columns_sql(database.blob('t.numbers'))} FROM trial t", BATCH, large=True):
        rows = to_rows(batch)
        for number in rows["number"][rows.damaged()].tolist():
            yield Damage(kind="checksum", table="trial", row=number)


def _of_attached(database: Database, table: str, flag: int) -> Iterator[Damage]:
    """Find trials without their row of another table, and rows of trials that should have none."""
    sql = (
        f"SELECT t.id, x.trial FROM trial t LEFT JOIN {table} x ON x.trial = t.id "
        f"WHERE (t.attached & {flag} = {flag}) <> (x.trial IS NOT NULL)"
    )
    for number, there in database.rows(sql):
        yield Damage(kind="lost" if there is None else "unexpected", table=table, row=number)
