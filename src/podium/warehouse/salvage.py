"""Reading a damaged database: everything that can be read, and what cannot."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from podium.errors import ExecutionError, InputError
from podium.warehouse.database import Database, LostConnectionError, Row

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
        expected = self.database.numbers(self.table)
        self.lost = _without([*self.lost_of(expected, found), *((n, n) for n in expected or ())], found)

    def lost_of(self, expected: set[int] | None, found: set[int]) -> list[tuple[int, int]]:
        """Return what cannot be read, up to the last number that is known: rows after it never existed.

        An index without any row is itself damaged: all rows that an intact file might have then count as lost.
        """
        if not expected:
            return self.lost
        last = max(expected | found, default=0)
        return [(first, min(end, last)) for first, end in self.lost if first <= last]

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
        except (InputError, LostConnectionError):
            raise
        except (ExecutionError, MemoryError, ValueError):
            # The rows from here on cannot be found: they are looked for as far as an intact file would have them.
            return max(number, 1) if number <= self.database.most_rows(self.table) else last + 1
        # A damaged page may lead back to rows before the number that was asked for.
        return last + 1 if found is None else max(int(found), number)

    def some(self, sql: str, first: int, last: int) -> Iterator[list[Row]]:
        """Yield the rows that belong to some trials."""
        yield from self._part(sql, "trial", first, last)

    def at(self, sql: str, place: int) -> list[Row]:
        """Return the row with this number, apart from any index; none if it cannot be read."""
        return self._read(f"{sql} WHERE {self.database.row_key(self.table)} = ?", (place,)) or []

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
        except (InputError, LostConnectionError):
            raise
        except (ExecutionError, MemoryError, ValueError):
            return None

    def _lose(self, number: int) -> None:
        if self.lost and self.lost[-1][1] == number - 1:
            self.lost[-1] = self.lost[-1][0], number
        else:
            self.lost.append((number, number))


def _without(ranges: list[tuple[int, int]], found: set[int]) -> list[tuple[int, int]]:
    """Return the numbers in any of these ranges that were not found, as ranges."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(joined[-1][1], last)
        else:
            joined.append((first, last))
    left: list[tuple[int, int]] = []
    there = sorted(found)
    for first, last in joined:
        for number in there[bisect_left(there, first) : bisect_right(there, last)]:
            if first < number:
                left.append((first, number - 1))
            first = number + 1
        if first <= last:
            left.append((first, last))
    return left
