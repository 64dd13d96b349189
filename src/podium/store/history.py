"""The history of a warehouse: its designs, and what changed when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np

from podium.checks import check_call
from podium.design.spec.difference import Difference, differences
from podium.store.characteristics import compared
from podium.store.database import Database
from podium.store.document import parse
from podium.store.rows import read_table


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
    rows = read_table(database, "design")
    designs = [parse(row[3]) for row in rows]
    records = [None, *(design.get("record") for design in designs)]
    before = [row[4] for row in rows]
    numbers = np.concatenate([np.empty(0, np.int64), *(keys["number"] for keys in compared(database))])
    trials = np.diff(np.searchsorted(numbers, before, side="right"), append=len(numbers))
    for number, ((old, new), row) in enumerate(zip(pairwise(records), rows, strict=True), start=1):
        known = old is not None and new is not None
        yield Revision(
            number=number,
            created=datetime.fromtimestamp(row[1], UTC),
            changes=tuple(differences(old, new)) if known else (),
            accept=tuple(designs[number - 1].get("accept", ())),
            trials=int(trials[number - 1]),
        )
