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
        for first in range(0, last + 1, _AT_ONCE):
            yield from self._part(sql, key, first, min(first + _AT_ONCE - 1, last))

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
