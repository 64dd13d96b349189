"""Copying what is intact in a damaged warehouse into a new one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from podium.arrays import Int64Array
from podium.checks import check_call
from podium.errors import DamageError, InputError, PodiumError, plural
from podium.warehouse.address import is_address
from podium.warehouse.attempts import Names, made_record
from podium.warehouse.connection import open_database
from podium.warehouse.database import SUMMED, Database
from podium.warehouse.decision import Decision, check_decision_row
from podium.warehouse.document import check_document, parse
from podium.warehouse.integrity import Damage, wrong_row
from podium.warehouse.record import TrialRecord, measure_set, storable
from podium.warehouse.rows import columns_sql, to_rows
from podium.warehouse.salvage import Salvage
from podium.warehouse.schema import HAS_PREDICTION, HAS_TROUBLE, SCHEMA_VERSION, columns_of
from podium.warehouse.warehouse import Warehouse

_DEFAULTS = {"identity": "''", "before": "NULL", "undefined": "'{}'", "attached": "0", "checksum": "0"}
_SHOWN = 20
_DAMAGED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
_LOST_MESSAGE = "[the message was lost when the warehouse was damaged]"


@check_call
@dataclass(frozen=True, kw_only=True)
class Repair:
    """What a repair kept, and what was lost.

    Attributes
    ----------
    source, target : str
        The damaged warehouse, which is left as it is, and the new one.
    attempts, designs, decisions : int
        Numbers of attempts at trials, of designs and of decisions of stopping rules that were kept.
    given_up : tuple of Damage
        What is not in the new warehouse, or not as it was.
    """

    source: str
    target: str
    attempts: int
    designs: int
    given_up: tuple[Damage, ...]
    decisions: int = 0

    def __str__(self) -> str:
        kept = f"{plural(self.attempts, 'attempt')} and {plural(self.designs, 'design')}"
        if self.decisions:
            kept += f" and {plural(self.decisions, 'decision')}"
        lines = [f"{self.target}: {kept} kept from {self.source}"]
        if not self.given_up:
            return f"{lines[0]}; nothing was lost"
        lines += ["Lost:", *(f"  {item}" for item in self.given_up[:_SHOWN])]
        more = len(self.given_up) - _SHOWN
        return "\n".join([*lines, f"  and {more:,} more"] if more > 0 else lines)


@check_call
def repair(source: str | Path, target: str | Path) -> Repair:
    """Copy what is intact in a damaged warehouse, of any version, into a new one.

    A trial is kept if its row, its names and its measures are as they were written. If only its message or its
    predictions are damaged, it is kept without them. Run the experiment again with the new warehouse to measure what
    was lost.

    Parameters
    ----------
    source : path or str
        The damaged warehouse; it is not changed.
    target : path or str
        Where to make the new one; nothing may be there yet.

    Returns
    -------
    Repair
        What was kept, and what was lost.

    Examples
    --------
    >>> import tempfile, podium
    >>> folder = tempfile.TemporaryDirectory()
    >>> experiment = podium.Experiment("iris", ["lda", "constant"], podium.Bootstrap(replications=2), "accuracy")
    >>> results = podium.run(experiment, f"{folder.name}/old.db", executor="threads", workers=1)
    >>> outcome = podium.warehouse.repair(f"{folder.name}/old.db", f"{folder.name}/new.db")
    >>> outcome.attempts, outcome.given_up
    (4, ())
    >>> folder.cleanup()
    """
    if isinstance(target, str | Path) and not is_address(str(target)) and Path(target).exists():
        raise InputError(f"`target`: {str(target)!r} already exists; name a new file.", path=("target",))
    database = open_database(source, readonly=True, raw=True)
    try:
        return _Copy(database).into(target)
    except BaseException as error:
        if isinstance(target, str | Path) and not is_address(str(target)):
            Path(target).unlink(missing_ok=True)
        if isinstance(error, _DAMAGED) and not isinstance(error, PodiumError):
            raise DamageError(f"{database.name!r} is too damaged to be repaired: {error!s:.200}.") from error
        raise
    finally:
        database.close()


class _Names(Names):
    """Names and documents of a damaged warehouse: those that are intact."""

    def __init__(self, copy: _Copy) -> None:
        self._database = copy.database
        self._labels = {row[0]: row[1:] for row in copy.intact("label")}
        self._hosts = {row[0]: row[1] for row in copy.intact("host")}
        self._measures = {}
        for number, document in copy.intact("measure_set"):
            try:
                self._measures[number] = measure_set(document)
            except _DAMAGED as error:
                copy.give_up("document", "measure_set", number, f"{error!s:.200}")

    def _learn(self) -> None:
        """There is nothing more to learn."""

    def host(self, number: int) -> str:
        """Return what is known about a host; a trial is kept without it."""
        return str(self._hosts.get(number, ""))


class _Copy:
    def __init__(self, database: Database) -> None:
        self.database = database
        with database.lenient():
            self._tables = {table: database.columns(table) for table in columns_of(SCHEMA_VERSION)}
            defined = {table for table in self._tables if database.has_table(table)}
        if not self._tables["trial"] and "trial" in defined:
            raise DamageError(
                f"{database.name!r} is too damaged to be repaired: the definition of its table of trials cannot be "
                "read. Use a copy of the file, or run the experiment again with a new warehouse."
            )
        if not self._tables["trial"]:
            raise InputError(f"{database.name!r} is not a podium warehouse, or too damaged: it has no table of trials.")
        self._summed = "checksum" in self._tables["trial"]
        self._given_up: list[Damage] = []
        for table in columns_of(self._version()):
            if not self._tables[table]:
                self.give_up("definition" if table in defined else "table", table, None)
        self._kept_numbers: list[int] = []
        self._places: dict[str, dict[int, int]] = {}

    def _version(self) -> int:
        """Return the version of the schema; where it cannot be read, the oldest that it may be."""
        try:
            found = int(self.database.one("SELECT value FROM meta WHERE name = 'schema version'"))
        except (PodiumError, TypeError, ValueError):
            found = 0
        return found if 1 <= found <= SCHEMA_VERSION else 4 if self._summed else 1

    def into(self, target: str | Path) -> Repair:
        with Warehouse(target) as warehouse, warehouse.claimed():
            if warehouse.attempts or warehouse.design is not None:
                raise InputError(f"`target`: {warehouse.name!r} is not empty.", path=("target",))
            names = _Names(self)
            attempts = 0
            for records in self._records(names):
                warehouse.append(records)
                attempts += len(records)
            designs = 0
            numbers = np.array(self._kept_numbers, np.int64)
            for number, created, fingerprint, text, before in self.intact("design"):
                try:
                    document = check_document(parse(text), "design")
                except (PodiumError, *_DAMAGED) as error:
                    self.give_up("document", "design", number, f"{error!s:.200}")
                    continue
                rank = None if before is None else int(np.searchsorted(numbers, before, side="right"))
                warehouse._set_design(document, fingerprint, created, rank or 0)
                designs += 1
            decisions = list(self._decisions())
            warehouse._add_decisions(decisions)
            name = warehouse.name
        return Repair(
            source=self.database.name,
            target=name,
            attempts=attempts,
            designs=designs,
            decisions=len(decisions),
            given_up=tuple(self._given_up),
        )

    def _decisions(self) -> Iterator[tuple[float, Decision]]:
        for number, created, *row in self.intact("decision"):
            try:
                yield created, check_decision_row(*row)
            except (PodiumError, *_DAMAGED) as error:
                self.give_up("document", "decision", number, f"{error!s:.200}")

    def give_up(self, kind: Any, table: str, row: int | None, found: object = None) -> None:
        """Note what is not kept."""
        self._given_up.append(Damage(kind=kind, table=table, row=row, found=found))

    def intact(self, table: str) -> list[list[Any]]:
        """Return the rows of a table that are as they were written."""
        return [row for row in self._rows(table) if row is not None]

    def _rows(self, table: str) -> Iterator[list[Any] | None]:
        """Yield all rows of a table; None for those that are not as they were written."""
        if not self._tables[table]:
            return
        salvage = Salvage(self.database, table)
        yield from self._checked(table, salvage.all_rows(self._query(table)))
        for first, last in salvage.lost:
            self.give_up("unreadable", table, first, last)

    def _query(self, table: str) -> str:
        there = self._tables[table]
        chosen = [name if name in there else _DEFAULTS.get(name, "NULL") for name in SUMMED[table]]
        return f"SELECT {', '.join(chosen)}, {'checksum' if self._summed else '0'} FROM {table}"

    def _checked(self, table: str, batches: Iterable[Sequence[Any]]) -> Iterator[list[Any] | None]:
        for batch in batches:
            for *row, stored in batch:
                fields = [bytes(each) if isinstance(each, memoryview) else each for each in row]
                wrong = wrong_row(table, fields, stored, summed=self._summed)
                if wrong is not None:
                    self._given_up.append(wrong)
                yield fields if wrong is None else None

    def _attached(self, table: str, trials: Int64Array, wanted: set[int]) -> dict[int, list[Any]]:
        """Return the rows that belong to some trials, by the number of the trial.

        `wanted` are the trials that have one. Where the index of the table does not lead to it, all rows are looked at.
        """
        if not self._tables[table]:
            return {}
        salvage = Salvage(self.database, table)
        by_index = list(salvage.some(self._query(table), int(trials.min()), int(trials.max())))
        met = {row[0] for batch in by_index for row in batch}
        lacking = (wanted if self._summed else set(trials.tolist()) if salvage.lost else set()) - met
        places = self._places_of(table) if lacking else {}
        by_place = [salvage.at(self._query(table), places[trial]) for trial in sorted(lacking & places.keys())]
        return {row[0]: row[1:] for row in self._checked(table, [*by_index, *by_place]) if row is not None}

    def _places_of(self, table: str) -> dict[int, int]:
        """Return the row of each trial in a table, found without the index of the table."""
        if table not in self._places:
            salvage = Salvage(self.database, table)
            key = self.database.row_key(table)
            batches = salvage.rows(f"SELECT trial, {key} FROM {table}")
            self._places[table] = {trial: place for batch in batches for trial, place in batch}
            for first, last in salvage.lost:
                self.give_up("unreadable", table, first, last)
        return self._places[table]

    def _records(self, names: Names) -> Iterator[list[TrialRecord]]:
        salvage = Salvage(self.database, "trial")
        columns = columns_sql(self.database.blob("t.numbers"), checksum=self._summed, attached=self._summed)
        for batch in salvage.all_rows(f"SELECT {columns} FROM trial t", "t."):
            rows = to_rows(batch)
            wrong = rows.damaged() if self._summed else np.zeros(len(rows), bool)
            numbers, flags = rows["number"], rows["attached"]
            trouble = self._attached("trouble", numbers, set(numbers[flags & HAS_TROUBLE > 0].tolist()))
            kept = self._attached("prediction", numbers, set(numbers[flags & HAS_PREDICTION > 0].tolist()))
            predictions = {number: row[0] for number, row in kept.items()}
            records = []
            for i, number in enumerate(rows["number"].tolist()):
                if wrong[i]:
                    self.give_up("checksum", "trial", number)
                    continue
                try:
                    record = made_record(names, rows, i, trouble.get(number), predictions.get(number, b""))
                    record = self._with_loss(record, number, int(rows["attached"][i]), trouble, predictions)
                    records.append(storable(record))
                    self._kept_numbers.append(number)
                except (PodiumError, *_DAMAGED):
                    self.give_up("reference", "trial", number, "or damaged name or measure")
            if records:
                yield records
        for first, last in salvage.lost:
            self.give_up("unreadable", "trial", first, last)

    def _with_loss(
        self, record: TrialRecord, number: int, attached: int, trouble: dict[int, Any], predictions: dict[int, bytes]
    ) -> TrialRecord:
        """Note what belonged to a trial and is not there."""
        if attached & HAS_PREDICTION and number not in predictions:
            self.give_up("lost", "trial", number, "prediction")
        if attached & HAS_TROUBLE and number not in trouble:
            self.give_up("lost", "trial", number, "trouble")
            return replace(record, message=_LOST_MESSAGE) if record.status != "done" else record
        return record
