"""Whether a warehouse is intact."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from podium.checks import check_call, shown, with_article
from podium.errors import DamageError, PodiumError
from podium.warehouse.checksum import row_checksum
from podium.warehouse.database import SUMMED, Database, LostConnectionError
from podium.warehouse.decision import check_decision_row
from podium.warehouse.document import check_document, parse
from podium.warehouse.record import STATUSES, measure_set
from podium.warehouse.rows import Rows, columns_sql, keys_sql, to_keys, to_rows
from podium.warehouse.salvage import Salvage
from podium.warehouse.schema import HAS_PREDICTION, HAS_TROUBLE
from podium.warehouse.text import printable

DamageKind: TypeAlias = Literal[
    "file",
    "check",
    "log",
    "table",
    "definition",
    "unreadable",
    "reference",
    "protection",
    "type",
    "checksum",
    "document",
    "axis",
    "lost",
    "unexpected",
    "replication",
    "unexpected values",
    "no measures",
    "no values",
    "size",
    "status",
    "infinite",
]

_DONE = STATUSES.index("done") + 1
_SENTENCES: dict[DamageKind, str] = {
    "file": "the database is damaged: {found}",
    "check": "part of the check failed: {found}",
    "log": "the log of a run that was killed, or is running elsewhere, is missing: the last trials may be missing, too",
    "table": "table {table} is missing",
    "definition": "the definition of table {table} cannot be read",
    "unreadable": "rows {row} to {found} of table {table} cannot be read",
    "reference": "row {row} of table {table} refers to a missing {found}",
    "protection": "table {table} does not refuse changes: its triggers are missing",
    "type": "row {row} of table {table} has {found} where {expected} is expected",
    "checksum": "row {row} of table {table} does not match its checksum",
    "document": "row {row} of table {table} cannot be understood: {found}",
    "axis": "row {row} of table {table} names {found} where {expected} is expected",
    "lost": "trial {row} has lost its row of table {found}",
    "unexpected": "table {table} has a row for trial {row}, which should have none",
    "replication": "trial {row} has the impossible replication {found}",
    "unexpected values": "trial {row} has values although it is not done",
    "no measures": "trial {row} is done but does not say what was measured",
    "no values": "trial {row} is done but has no values",
    "size": "trial {row} has {found} bytes instead of {expected}",
    "status": "trial {row} has the unknown status {found}",
    "infinite": "trial {row} has an infinite value of {found}, which counts as undefined",
}
_MOST = 100_000  # findings; a hostile file could have any number of them


@check_call
@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """One thing that is wrong with a warehouse.

    Attributes
    ----------
    kind : str
        ``"file"`` is what the database's own check reports; ``"check"``, why a part could not be checked; ``"log"``,
        the missing log of a run that was killed; ``"table"``, a missing table; ``"definition"``, a table whose
        definition cannot be read; ``"unreadable"``, rows that the database cannot return; ``"reference"``, a row that
        refers to a missing one; ``"protection"``, a table that can be changed; ``"type"``, ``"checksum"``,
        ``"document"`` and ``"axis"``, a row whose content is wrong; ``"lost"`` and ``"unexpected"``, a message or
        predictions without their trial or the other way round. The others (``"replication"``, ``"unexpected values"``,
        ``"no measures"``, ``"no values"``, ``"size"``, ``"status"``, ``"infinite"``) concern a trial.
    table : str
        Table of the row; empty for ``"file"``, ``"check"`` and ``"log"``.
    row : int, optional
        Number of the row, which for the table ``"trial"`` is that of the trial.
    found, expected : object
        What is there and what should be, where this says more than `kind`.
    """

    kind: DamageKind
    table: str = "trial"
    row: int | None = None
    found: object = None
    expected: object = None

    def __str__(self) -> str:
        facts = {"table": self.table, "row": self.row, "found": self.found, "expected": self.expected}
        return printable(_SENTENCES[self.kind].format(**facts))


def find_damage(database: Database) -> tuple[Damage, ...]:
    """Check the database itself, and every row of every table; whatever is wrong there, this does not raise.

    A connection that is lost is no damage: the check begins anew when it is restored, and raises if it is not.
    """
    database.require_open()
    damage: list[Damage] = []

    def find() -> None:
        damage.clear()
        sets: dict[int, list[str]] = {}
        axes: dict[int, str] = {}
        attached: dict[str, set[int]] = {"trouble": set(), "prediction": set()}
        parts: list[Callable[[], Iterator[Damage]]] = [
            lambda: _of_file(database),
            lambda: _of_labels(database, axes),
            lambda: _of_documents(database, sets),
            lambda: _of_attached(database, attached),
            lambda: _of_trials(database, axes, sets, attached),
            lambda: _of_attached_without_trial(attached),
            lambda: _of_guards(database),
        ]
        for part in parts:
            try:
                for item in part():
                    damage.append(item)
                    if len(damage) >= _MOST:
                        return
            except LostConnectionError:
                raise
            except PodiumError as error:
                damage.append(_failure(error))
            except Exception as error:  # unforeseen content: it is damage, and the check continues
                damage.append(Damage(kind="file", table="", found=f"{type(error).__name__}: {error}"))

    try:
        with database.lenient():
            database.read(find)
    except DamageError as error:
        damage.append(_failure(error))
    return tuple(dict.fromkeys(damage))


def _failure(error: PodiumError) -> Damage:
    """Why a part could not be checked: because the file is damaged, or for another reason."""
    reason = " ".join(str(error.__cause__ or error).split())
    return Damage(kind="file" if isinstance(error, DamageError) else "check", table="", found=reason)


def _of_file(database: Database) -> Iterator[Damage]:
    for text in database.integrity_errors():
        yield Damage(kind="file", table="", found=text)
    if database.log_missing():
        yield Damage(kind="log", table="")
    for table, row, parent in database.broken_references():
        yield Damage(kind="reference", table=table, row=row, found=parent)
    for table in database.unprotected():
        yield Damage(kind="protection", table=table)


def _read(database: Database, table: str) -> Iterator[Any]:
    """Yield the rows of a table, each with what is wrong with it: a Damage, or None."""
    salvage = Salvage(database, table)
    found: set[int] = set()
    for batch in salvage.rows(f"SELECT {', '.join(SUMMED[table])}, checksum FROM {table}"):
        found.update(_whole(row[0]) for row in batch)
        for *row, stored in batch:
            fields = [bytes(each) if isinstance(each, memoryview) else each for each in row]
            yield fields, wrong_row(table, fields, stored)
    for first, last in _lost(salvage, found):
        yield None, Damage(kind="unreadable", table=table, row=first, found=last)


def _lost(salvage: Salvage, found: set[int]) -> list[tuple[int, int]]:
    """Return the first and last numbers of rows that were there and cannot be read."""
    return salvage.lost_of(salvage.database.numbers(salvage.table), found) if salvage.lost else []


def wrong_row(table: str, fields: Sequence[Any], stored: object, *, summed: bool = True) -> Damage | None:
    """Return what is wrong with a row: a type or, where rows have one, the stored checksum; None if nothing is."""
    number = _whole(fields[0])
    for each, (kind, types) in zip(fields, map(_expected_type, SUMMED[table]), strict=True):
        if not isinstance(each, types):
            return Damage(kind="type", table=table, row=number, found=shown(each), expected=kind)
    if summed and row_checksum(*fields) != stored:
        return Damage(kind="checksum", table=table, row=number)
    return None


def _expected_type(column: str) -> tuple[str, tuple[type, ...]]:
    """Return what a column of a small table holds: words for it, and the types of Python."""
    if column in ("id", "trial", "stage"):
        return "a whole number", (int,)
    if column == "before":
        return "a whole number", (int, type(None))
    if column == "created":
        return "a number", (float,)
    return ("bytes", (bytes,)) if column == "content" else ("text", (str,))


def _of_labels(database: Database, axes: dict[int, str]) -> Iterator[Damage]:
    for row, wrong in _read(database, "label"):
        if wrong is not None:
            yield wrong
        if row is not None:
            axes[_whole(row[0])] = str(row[1])
            if row[1] not in ("dataset", "algorithm"):
                yield Damage(kind="axis", table="label", row=_whole(row[0]), found=shown(row[1]), expected="an axis")


def _of_documents(database: Database, sets: dict[int, list[str]]) -> Iterator[Damage]:
    for table in ("host", "measure_set", "design", "decision"):
        for row, wrong in _read(database, table):
            if wrong is not None:
                yield wrong
            if row is None or table == "host":
                continue
            number = _whole(row[0])
            try:
                if table == "measure_set":
                    sets[number] = [name for name, _ in measure_set(row[1])]
                elif table == "decision":
                    check_decision_row(*row[2:])
                else:
                    check_document(parse(row[3]), "document")
            except (PodiumError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                yield Damage(kind="document", table=table, row=number, found=f"{error!s:.200}")


def _of_attached(database: Database, attached: dict[str, set[int]]) -> Iterator[Damage]:
    for table, trials in attached.items():
        for row, wrong in _read(database, table):
            if wrong is not None:
                yield wrong
            if row is not None:
                trials.add(_whole(row[0]))


def _of_attached_without_trial(attached: dict[str, set[int]]) -> Iterator[Damage]:
    for table, trials in attached.items():  # those of a trial were taken out
        for number in sorted(trials):
            yield Damage(kind="unexpected", table=table, row=number)


def _of_trials(
    database: Database, axes: dict[int, str], sets: dict[int, list[str]], attached: dict[str, set[int]]
) -> Iterator[Damage]:
    salvage = Salvage(database, "trial")
    seen: set[int] = set()
    for batch in salvage.rows(f"SELECT {columns_sql(database.blob('t.numbers'))} FROM trial t", "t."):
        rows = to_rows(batch)
        seen.update(rows["number"].tolist())
        wrong = rows.damaged()
        for number in rows["number"][wrong].tolist():
            yield from _details(database, number)
            yield Damage(kind="checksum", row=number)
        for name in ("dataset", "algorithm"):
            for i in np.flatnonzero(~wrong):
                if (found := axes.get(int(rows[name][i]), "nothing")) != name:
                    yield Damage(kind="axis", row=int(rows["number"][i]), found=found, expected=with_article(name))
        for flag, table in ((HAS_TROUBLE, "trouble"), (HAS_PREDICTION, "prediction")):
            has = (rows["attached"] & flag > 0).tolist()
            for number, expected in zip(rows["number"].tolist(), has, strict=True):
                if expected and number not in attached[table]:
                    yield Damage(kind="lost", row=number, found=table)
                elif expected:
                    attached[table].discard(number)
        yield from _of_values(rows, wrong, sets)
    for first, last in _lost(salvage, seen):
        yield Damage(kind="unreadable", row=first, found=last)
    expected = database.count("trial")
    if expected not in (None, len(seen)) and not salvage.lost:
        yield Damage(kind="file", table="", found=f"the table trial has {len(seen)} rows, its index {expected}")


def _of_guards(database: Database) -> Iterator[Damage]:
    """Check the fields that trials are counted by; if the checksum of a trial is wrong, too, that is one damage."""
    for batch in Salvage(database, "trial").rows(f"SELECT {keys_sql()} FROM trial t", "t."):
        fields, wrong = to_keys(batch)
        yield from (Damage(kind="checksum", row=number) for number in fields["number"][wrong].tolist())


def _of_values(rows: Rows, wrong: Any, sets: dict[int, list[str]]) -> Iterator[Damage]:
    """Check that every finished trial has all its values, among the rows that match their checksums."""
    for i in np.flatnonzero(~wrong).tolist():
        number, status, numbers = int(rows["number"][i]), int(rows["status"][i]), rows.numbers[i]
        measured = sets.get(int(rows["measure_set"][i]))
        if rows["replication"][i] < 1:
            yield Damage(kind="replication", row=number, found=int(rows["replication"][i]))
        if not 1 <= status <= len(STATUSES):
            yield Damage(kind="status", row=number, found=status)
        if status != _DONE:
            if numbers is not None:
                yield Damage(kind="unexpected values", row=number)
        elif measured is None:
            yield Damage(kind="no measures", row=number)
        elif numbers is None:
            yield Damage(kind="no values", row=number)
        elif len(numbers) != 8 * len(measured):
            yield Damage(kind="size", row=number, found=len(numbers), expected=8 * len(measured))
        else:
            for name, value in zip(measured, np.frombuffer(numbers, "<f8").tolist(), strict=True):
                if np.isinf(value):
                    yield Damage(kind="infinite", row=number, found=repr(name))


def _details(database: Database, number: int) -> Iterator[Damage]:
    """Say more about a trial that does not match its checksum, if more can be said."""
    sql = f"SELECT status, replication, LENGTH({database.blob('numbers')}) FROM trial WHERE id = ?"
    for status, replication, _ in database.rows(sql, (number,)):
        for value in (status, replication):
            if not isinstance(value, int):
                yield Damage(kind="type", row=number, found=shown(value), expected="a whole number")
        if isinstance(status, int) and not 1 <= status <= len(STATUSES):
            yield Damage(kind="status", row=number, found=status)


def _whole(thing: Any) -> int:
    return thing if isinstance(thing, int) else -1
