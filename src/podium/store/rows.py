"""The rows of a warehouse as they are read: verified, so nothing damaged is taken for a result.

A row has a checksum, so that a flipped bit, a lost row or a swapped field does not go unnoticed. Those of trials are
made for whole columns at once, so that a million rows are verified in a fraction of a second. Each step maps a word to
the next state one to one, so a change of a single word always changes the checksum.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.arrays import AnyArray, BoolArray, HashArray, Int64Array
from podium.errors import DamageError, plural
from podium.store.document import MAX_CHARACTERS
from podium.store.schema import COLUMNS

if TYPE_CHECKING:
    from podium.store.database import Database

BATCH = 2_000  # few enough to stay in the cache of the processor
# What reading damaged content can raise.
UNREADABLE = (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError)
# Fields that share one number in a query, each with the number of bits it takes: fetching fewer columns takes less
# time. A field that does not fit its bits spoils the checksum, and what is written is checked.
_PACKED: tuple[tuple[tuple[str, int, int], ...], ...] = (  # name, bits, and what is added so that it is never negative
    (("dataset", 20, 0), ("algorithm", 20, 0), ("status", 3, 0), ("measure_set", 18, 1), ("attached", 2, 0)),
    (("replication", 31, 0), ("host", 31, 1)),
    (("repeat", 31, 1), ("fold", 31, 1)),
    (("n_learn", 31, 1), ("n_test", 31, 1)),
)
_UNKNOWN = {"measure_set", "host"}  # NULL where there is none
# What a checksum is made from, in this order.
_SUMMED = ("number", *(name for name in COLUMNS["trial"] if name not in ("id", "numbers")))
# What fits each field, from the least to the most that can be stored.
LIMITS = {name: (-extra, 2**bits - 1 - extra) for group in _PACKED for name, bits, extra in group if name != "status"}
N_COLUMNS = len(_PACKED) + 7


WAY_OUT = "Restore a copy, or save what can be read: `sqlite3 FILE .recover`."
_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio: spreads the bits of its factor
_SHIFT = np.uint64(29)
_NO_NUMBERS = -1


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of the table of trials, by column; -1 stands for NULL.

    Attributes
    ----------
    fields : mapping of str to ndarray
        The columns by their names, and the number of each row as ``"number"``.
    numbers : list of bytes or None
        The values of each trial.
    stored : ndarray of int
        The checksums in the database.
    """

    fields: dict[str, AnyArray]
    numbers: list[bytes | None]
    stored: Int64Array

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    def __len__(self) -> int:
        return len(self.numbers)

    def checksums(self) -> Int64Array:
        """Compute the checksums."""
        return trial_checksums([self.fields[name] for name in _SUMMED], self.numbers)

    def damaged(self) -> BoolArray:
        """Return which rows do not match their checksums."""
        wrong: BoolArray = self.checksums() != self.stored
        return wrong


def columns_sql(blob: str) -> str:
    """Return the columns of a query for trials; `blob` is the expression for the values as bytes."""
    packed = [_packed_sql(group) for group in _PACKED]
    reals = [f"CAST(t.{name} AS DOUBLE PRECISION)" for name in ("started", "fit_seconds", "predict_seconds")]
    stored = "COALESCE(CAST(t.checksum AS BIGINT), 0)"
    return ", ".join(["t.id", *packed, "COALESCE(CAST(t.seed AS BIGINT), 0)", *reals, blob, stored])


def _packed_sql(group: Sequence[tuple[str, int, int]]) -> str:
    """Return the expression for the number that some fields share."""
    total = ""
    for name, bits, extra in group:
        value = f"COALESCE(t.{name}, -1) + 1" if name in _UNKNOWN else f"t.{name} + {extra}"
        total = f"({total}) * {2**bits} + {value}" if total else f"CAST({value} AS BIGINT)"
    return f"COALESCE(CAST({total} AS BIGINT), -1)"


def _unpacked(group: Sequence[tuple[str, int, int]], column: Int64Array) -> Iterator[tuple[str, Int64Array]]:
    rest = column
    for name, bits, extra in reversed(group[1:]):
        rest, value = rest >> bits, rest & (2**bits - 1)
        yield name, value - extra
    yield group[0][0], rest - group[0][2]


def to_rows(batch: Sequence[Sequence[Any]]) -> Rows:
    """Return fetched rows, whose columns are those of `columns_sql`, by column."""
    columns = list(zip(*batch, strict=True))
    fields: dict[str, AnyArray] = {"number": np.array(columns[0], np.int64)}
    for group, column in zip(_PACKED, columns[1:], strict=False):
        fields.update(_unpacked(group, np.array(column, np.int64)))
    at = 1 + len(_PACKED)
    fields["seed"] = np.array(columns[at], np.int64)
    for name, column in zip(("started", "fit_seconds", "predict_seconds"), columns[at + 1 :], strict=False):
        fields[name] = np.array(column, np.float64)  # None becomes NaN
    return Rows(fields, list(columns[at + 4]), np.array(columns[at + 5], np.int64))


def read_trials(database: Database) -> Iterator[Rows]:
    """Yield all trials in the order they were appended, verified.

    Raises
    ------
    DamageError
        If a row does not match its checksum, or rows are missing.
    """
    sql = f"SELECT {columns_sql(database.blob('t.numbers'))} FROM trial t ORDER BY t.id"
    seen = 0
    for batch in database.batches(sql, BATCH, large=True):
        rows = to_rows(batch)
        damaged = rows["number"][rows.damaged()]
        if len(damaged):
            raise damage_error(database, f"trial {damaged[0]} does not match its checksum")
        seen += len(rows)
        yield rows
    check_count_of(database, "trial", seen)


def read_table(database: Database, table: str) -> list[tuple[Any, ...]]:
    """Return the rows of a small table with their number first, verified; a document that is too long is not read.

    Raises
    ------
    DamageError
        If a row does not match its checksum, or rows are missing.
    """
    bounded = [
        f"CASE WHEN LENGTH({name}) <= {MAX_CHARACTERS} THEN {name} END" if name == "document" else name
        for name in COLUMNS[table]
    ]
    sql = f"SELECT {', '.join(bounded)}, checksum FROM {table} ORDER BY id"

    def read() -> list[tuple[Any, ...]]:
        found = []
        for *row, stored in database.rows(sql):
            if row_checksum(*row) != stored:
                raise damage_error(database, f"row {row[0]} of the table {table} does not match its checksum")
            found.append(tuple(row))
        check_count_of(database, table, len(found))
        return found

    return database.read(read)


def check_count_of(database: Database, table: str, seen: int) -> None:
    """Refuse a table that has lost rows."""
    expected = database.count(table)
    if expected is not None and seen != expected:
        raise damage_error(database, f"the table {table} has {plural(seen, 'row')}, its index {expected:,}")


def damage_error(database: Database, what: str) -> DamageError:
    """Return the error for damage, with the way out."""
    check = " `podium warehouse check` lists all damage." if database.prepared else ""  # it opens the warehouse, too
    return DamageError(f"The warehouse {database.name!r} is damaged: {what}.{check} {WAY_OUT}")


def row_checksum(*fields: str | bytes | int | float | None) -> int:
    """Return the checksum of a row other than a trial, its key included.

    >>> row_checksum(1, "dataset", "iris", "") == row_checksum(1, "dataset", "iri", "s")
    False
    """
    parts: list[bytes] = []
    for field in fields:
        if isinstance(field, str):
            kind, content = b"s", field.encode("utf-8", "surrogatepass")
        elif isinstance(field, bytes):
            kind, content = b"b", field
        elif isinstance(field, float):
            kind, content = b"f", struct.pack("<d", field + 0.0)  # databases do not keep the sign of 0
        else:
            kind, content = b"i", str(field).encode()
        parts += (kind, len(content).to_bytes(8, "little"), content)
    return int.from_bytes(blake2b(b"".join(parts), digest_size=8).digest(), "little", signed=True)


def trial_checksums(columns: Sequence[AnyArray], numbers: Sequence[bytes | None]) -> Int64Array:
    """Return the checksums of trials from the columns of their rows and from their values.

    Parameters
    ----------
    columns : sequence of ndarray
        Whole or floating point numbers, one array per column, always in the same order.
    numbers : sequence of bytes or None
        The values of each trial, as the database has them.
    """
    lengths = np.fromiter((_NO_NUMBERS if x is None else len(x) for x in numbers), np.int64, len(numbers))
    state = np.full(len(lengths), _ODD)
    for column in (*columns, lengths):
        _fold(state, column)
    for length in np.unique(lengths[lengths > 0]):
        at = np.flatnonzero(lengths == length)
        pad = b"\0" * (-int(length) % 8)
        joined = b"".join((numbers[i] or b"") + pad for i in at.tolist())
        part = state[at]
        for words in np.frombuffer(joined, "<i8").reshape(len(at), -1).T:
            _fold(part, words)
        state[at] = part
    return state.view(np.int64)


def _fold(state: HashArray, words: AnyArray) -> None:
    """Add one word per row to the state, in place."""
    if words.dtype.kind == "f":
        words = np.where(np.isnan(words), np.nan, words + 0.0).astype(np.float64)
    else:
        words = words.astype(np.int64)
    state ^= np.ascontiguousarray(words).view(np.uint64)
    state *= _ODD
    state ^= state >> _SHIFT
