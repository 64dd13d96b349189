"""Checksums of the rows of a warehouse: a flipped bit, a lost row or a swapped field does not go unnoticed.

Those of trials are made for whole columns at once, so that a million rows are verified in a fraction of a second. Each
step maps a word to the next state one to one, so a change of a single word always changes the checksum.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from podium.arrays import AnyArray, HashArray, Int64Array

_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio: spreads the bits of its factor
_SHIFT = np.uint64(29)
_NO_NUMBERS = -1


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
