"""Reading a damaged database: everything that can be read, and what cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from podium.errors import ExecutionError, InputError
from podium.warehouse.database import Database, Row

_AT_ONCE = 2_000


@dataclass
class Salvage:
    """The rows of a table in the order of their numbers, a few at a time; a part that cannot be read is divided.

    Attributes
    ----------
    lost : list of (int, int)
        First and last number of rows that cannot be read, filled while the rows are read.
    """

    database: Database
    table: str
    lost: list[tuple[int, int]] = field(default_factory=list)

    def rows(self, sql: str, alias: str = "") -> Iterator[list[Row]]:
        """Yield the rows of a query that ends before its conditions."""
        last = self.database.last_row(self.table)
        key = f"{alias}{self.database.row_key(self.table)}"
        first = self._next(0, last)
        while first <= last:
            end = min(first + _AT_ONCE - 1, last)
            yield from self._part(sql, key, first, end)
            first = self._next(end + 1, last)

    def all_rows(self, sql: str, alias: str = "") -> Iterator[list[Row]]:
        """Yield the same rows, also those that a number out of order hides when rows are looked for by number.

        The first column must be the number.
        """
        if self.database.in_order(self.table):
            yield from self.rows(sql, alias)
            return
        number = 0
        try:
            for batch in self.database.batches(sql, _AT_ONCE):
                number = int(batch[-1][0])
                yield batch
        except (ExecutionError, MemoryError, ValueError):
            self.lost.append((number + 1, max(number + 1, self.database.last_row(self.table))))

    def _next(self, number: int, last: int) -> int:
        """Return the next number that a row has: those of a hostile file may be far apart; beyond the last if none."""
        key = self.database.row_key(self.table)
        try:
            found = self.database.one(f"SELECT MIN({key}) FROM {self.table} WHERE {key} >= ?", (number,))
        except InputError:
            raise
        except (ExecutionError, MemoryError, ValueError):
            # The rows from here on cannot be found: they are looked for as far as an intact file would have them.
            return number if number <= self.database.most_rows(self.table) else last + 1
        return last + 1 if found is None else int(found)

    def some(self, sql: str, first: int, last: int) -> Iterator[list[Row]]:
        """Yield the rows that belong to some trials."""
        yield from self._part(sql, "trial", first, last)

    def _part(self, sql: str, key: str, first: int, last: int) -> Iterator[list[Row]]:
        ranges = [(first, last)]
        while ranges:
            first, end = ranges.pop()
            batch = self._read(f"{sql} WHERE {key} >= ? AND {key} <= ? ORDER BY {key}", (first, end))
            if batch:
                yield batch
            elif batch is None and first < end:
                middle = (first + end) // 2
                ranges += [(middle + 1, end), (first, middle)]
            elif batch is None:
                self._lose(first)

    def _read(self, sql: str, parameters: tuple[Any, ...]) -> list[Row] | None:
        try:
            return list(self.database.rows(sql, parameters))
        except InputError:
            raise
        except (ExecutionError, MemoryError, ValueError):
            return None

    def _lose(self, number: int) -> None:
        if self.lost and self.lost[-1][1] == number - 1:
            self.lost[-1] = self.lost[-1][0], number
        else:
            self.lost.append((number, number))
