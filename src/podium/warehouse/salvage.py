"""Reading a damaged database: everything that can be read, and what cannot."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from podium.errors import ExecutionError, InputError
from podium.warehouse.database import Database, Row

_AT_ONCE = 2_000
_MOST_LISTED = 1_000_000  # numbers of rows in a part that cannot be read


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
        """Yield the rows of a query without conditions, also those that cannot be found by their number.

        The first column must be the number. Which rows there should be is known from another place of the database.
        """
        found: set[int] = set()
        seen: set[int] = set()  # hashes of rows: a damaged page may lead to the same row twice
        for batch in chain(self.rows(sql, alias), self._hidden_rows(sql, alias, found)):
            fresh = {hash(tuple(row)): row for row in batch}
            fresh = {key: row for key, row in fresh.items() if key not in seen}
            seen |= fresh.keys()
            found |= {row[0] for row in fresh.values()}
            if fresh:
                yield list(fresh.values())
        lost = {number for first, last in self.lost for number in range(first, min(last, first + _MOST_LISTED) + 1)}
        lost |= self.database.numbers(self.table) or set()
        self.lost = []
        for number in sorted(lost - found):
            self._lose(number)

    def _hidden_rows(self, sql: str, alias: str, found: set[int]) -> Iterator[list[Row]]:
        """Yield all rows as they follow each other in the file, from both ends, unless all have been found."""
        expected = self.database.numbers(self.table)
        if expected is not None and expected <= found:
            return
        for order in ("", f" ORDER BY {alias}{self.database.row_key(self.table)} DESC"):
            with suppress(ExecutionError, MemoryError, ValueError):
                yield from self.database.batches(f"{sql}{order}", 1)

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
        # A damaged page may lead back to rows before the number that was asked for.
        return last + 1 if found is None else max(int(found), number)

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
