"""Whether a warehouse is intact."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal, TypeAlias

from podium.checks import check_call
from podium.warehouse.database import Database
from podium.warehouse.record import STATUSES

DamageKind: TypeAlias = Literal["file", "reference", "unexpected values", "no measures", "no values", "size", "status"]

_DONE = STATUSES.index("done") + 1
_SENTENCES: dict[DamageKind, str] = {
    "file": "{found}",
    "reference": "row {row} of table {table} refers to a missing {found}",
    "unexpected values": "trial {row} has values although it is not done",
    "no measures": "trial {row} is done but does not say what was measured",
    "no values": "trial {row} is done but has no values",
    "size": "trial {row} has {found} bytes instead of {expected}",
    "status": "trial {row} has the unknown status {found}",
}


@check_call
@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """One thing that is wrong with a warehouse.

    Attributes
    ----------
    kind : {"file", "reference", "unexpected values", "no measures", "no values", "size", "status"}
        ``"file"`` is what the database's own check reports; ``"reference"`` is a row that refers to a missing one; the
        others concern a trial.
    table : str
        Table of the row; empty for ``"file"``.
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
        return _SENTENCES[self.kind].format(**facts)


def find_damage(database: Database) -> tuple[Damage, ...]:
    """Check the database itself, the references, and that every finished trial has all its values."""
    damage = [Damage(kind="file", table="", found=text) for text in database.integrity_errors()]
    damage += [
        Damage(kind="reference", table=table, row=row, found=parent)
        for table, row, parent in database.broken_references()
    ]
    sizes = {int(i): 8 * len(json.loads(text)) for i, text in database.rows("SELECT id, document FROM measure_set")}
    sql = "SELECT id, status, measure_set, LENGTH(numbers) FROM trial WHERE status = ? OR numbers IS NOT NULL"
    for row, status, measure_set, size in database.rows(sql, (_DONE,)):
        if status != _DONE:
            damage.append(Damage(kind="unexpected values", row=row))
        elif measure_set not in sizes:
            damage.append(Damage(kind="no measures", row=row))
        elif size is None:
            damage.append(Damage(kind="no values", row=row))
        elif size != sizes[measure_set]:
            damage.append(Damage(kind="size", row=row, found=size, expected=sizes[measure_set]))
    wrong = f"SELECT id, status FROM trial WHERE status < 1 OR status > {len(STATUSES)}"
    damage += [Damage(kind="status", row=row, found=status) for row, status in database.rows(wrong)]
    return tuple(damage)
