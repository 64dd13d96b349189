"""The history of a warehouse: its designs, and what changed when."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from podium.checks import check_call
from podium.setup.spec.difference import Difference, differences
from podium.warehouse.database import Database


@check_call
@dataclass(frozen=True, kw_only=True)
class Revision:
    """One design in the history of a warehouse.

    Attributes
    ----------
    number : int
        From 1, the oldest; ``Warehouse.results(design=number)`` has its outcomes.
    created : datetime
        When it was recorded.
    changes : tuple of Difference
        How it differs from the one before; empty for the first, and where a design was not recorded by `podium.run`.
    accept : tuple of str
        What was accepted; see `podium.run`.
    trials : int
        Number of attempts at trials that were added while it was the newest.
    """

    number: int
    created: datetime
    changes: tuple[Difference, ...]
    accept: tuple[str, ...]
    trials: int

    def __str__(self) -> str:
        accepted = f", accepting {' and '.join(self.accept)}" if self.accept else ""
        noun = "trial" if self.trials == 1 else "trials"
        head = f"{self.number}. {self.created:%Y-%m-%d %H:%M} UTC: {self.trials:,} {noun}{accepted}"
        return "\n".join([head, *(f"   {change}" for change in self.changes)])


def read_history(database: Database) -> Iterator[Revision]:
    """Yield the designs of a database, oldest first."""
    # Designs of earlier versions do not say which trials came before them.
    before = "COALESCE(before, (SELECT COALESCE(MAX(t.id), 0) FROM trial t WHERE t.started < design.created))"
    rows = list(database.rows(f"SELECT created, document, {before} FROM design ORDER BY id"))
    designs = [json.loads(row[1]) for row in rows]
    records = [None, *(design.get("record") for design in designs)]
    ends = [*(int(row[2]) for row in rows), None][1:]
    for number, ((old, new), row, end) in enumerate(zip(pairwise(records), rows, ends, strict=True), start=1):
        known = old is not None and new is not None
        until = "" if end is None else f" AND id <= {end}"
        yield Revision(
            number=number,
            created=datetime.fromtimestamp(row[0], UTC),
            changes=tuple(differences(old, new)) if known else (),
            accept=tuple(designs[number - 1].get("accept", ())),
            trials=int(next(database.rows(f"SELECT COUNT(*) FROM trial WHERE id > {int(row[2])}{until}"))[0]),
        )
