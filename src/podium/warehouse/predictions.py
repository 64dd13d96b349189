"""What is kept of the predictions of a trial, as compact bytes and back, without loss.

The bytes are one digit for the version of the format, then compressed with zlib: the length of a header, the header in
JSON, and the arrays one after another. An array with few distinct values is stored as these values and a code of one,
two or four bytes per entry; other numbers keep all their bits, with the first bytes of all numbers before the second
ones, which compresses better. Positions are stored as differences. Nothing in it can run code when it is read.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.arrays import AnyArray
from podium.checks import shown
from podium.errors import ExecutionError
from podium.setup.predictions import Kept, by_class

_VERSION = b"1"
_LENGTH = struct.Struct("<I")
_LEVEL = 6
_PLAIN = (str, bool, int, float)


class _NotPlain(Exception):
    """Values that are neither numbers nor text."""


def encode(kept: Kept) -> bytes:
    """Return what was kept as bytes.

    Predictions that are neither numbers nor text are left out, and `keep` says so.
    """
    keep = list(kept.keep)
    blocks: list[bytes] = []
    header: dict[str, Any] = {"model": kept.model, "failures": dict(kept.failures)}
    if kept.parameters:
        header["parameters"] = _plain(kept.parameters)
    if kept.rows is not None:
        steps = np.diff(kept.rows, prepend=0)
        header["rows"] = _packed(steps.astype(_smallest(steps)), blocks)
    if kept.truth is not None:
        header["truth"] = _packed_truth(kept.truth, blocks)
    if kept.prediction is not None:
        try:
            header["prediction"] = _packed(kept.prediction, blocks)
        except _NotPlain:
            keep.remove("predictions")
    if kept.score is not None:
        header["score"] = _packed(kept.score.to_numpy(dtype=float), blocks)
        header["probability"] = kept.probability is not None
    text = json.dumps({"keep": keep, **header}, separators=(",", ":")).encode()
    return _VERSION + zlib.compress(b"".join([_LENGTH.pack(len(text)), text, *blocks]), _LEVEL)


def decode(content: bytes) -> Kept:
    """Return what `encode` was given."""
    if content[:1] != _VERSION:
        raise ExecutionError("Kept predictions were written by a newer podium, or are damaged. Use a newer podium.")
    try:
        data = zlib.decompress(content[1:])
        (length,) = _LENGTH.unpack_from(data)
        start = _LENGTH.size + length
        header = json.loads(data[_LENGTH.size : start])
        reader = _Reader(data, start)
        rows = reader.array(header["rows"]) if "rows" in header else None
        truth = _truth(header["truth"], reader) if "truth" in header else None
        prediction = reader.array(header["prediction"]) if "prediction" in header else None
        score = None
        if "score" in header and truth is not None:
            score = by_class(reader.array(header["score"]), truth.cat.categories)
    except (zlib.error, struct.error, ValueError, KeyError, IndexError) as error:
        raise ExecutionError(f"Kept predictions are damaged: {error}.") from error
    return Kept(
        keep=tuple(header["keep"]),
        model=header["model"],
        rows=None if rows is None else np.cumsum(rows.astype(np.intp)),
        truth=truth,
        prediction=prediction,
        probability=score if header.get("probability") else None,
        score=score,
        failures=header["failures"],
        parameters=header.get("parameters", {}),
    )


# ---- arrays ---------------------------------------------------------------------------------------------------------


def _packed(values: AnyArray, blocks: list[bytes]) -> dict[str, Any]:
    """Add the bytes of an array to the blocks, and return how to read them."""
    columns_together = values.ndim == 2 and not values.flags.c_contiguous
    entry: dict[str, Any] = {"type": values.dtype.str, "shape": list(values.shape), "columns": columns_together}
    flat = values.ravel(order="F" if columns_together else "C")
    if values.dtype.kind in "US" or values.dtype.hasobject:
        entry["values"], codes = _distinct(flat.tolist())
    elif values.dtype.itemsize in (2, 4, 8):
        bits, codes = np.unique(flat.view(f"u{values.dtype.itemsize}"), return_inverse=True)
        codes = codes.astype(_smallest(codes))
        if bits.nbytes + codes.nbytes >= flat.nbytes:
            blocks.append(_shuffled(flat))
            return entry
        entry["distinct"] = len(bits)
        blocks.append(bits.tobytes())
    else:
        blocks.append(_shuffled(flat))
        return entry
    entry["codes"] = codes.dtype.str
    blocks.append(codes.tobytes())
    return entry


class _Reader:
    """Reads arrays in the order in which they were packed."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at

    def array(self, entry: Mapping[str, Any]) -> AnyArray:
        """Read the array that an entry of the header describes, in memory of its own."""
        kind, shape = np.dtype(entry["type"]), tuple(entry["shape"])
        n = int(np.prod(shape))
        if "codes" not in entry:
            sheets = self._take(n * kind.itemsize, np.dtype(np.uint8)).reshape(kind.itemsize, n)
            flat = np.ascontiguousarray(sheets.T).reshape(-1).view(kind)
        else:
            if "values" in entry:
                distinct = _array_of(entry["values"], kind)
            else:
                distinct = self._take(entry["distinct"] * kind.itemsize, kind)
            codes = np.dtype(entry["codes"])
            flat = distinct[self._take(n * codes.itemsize, codes)]
        shaped: AnyArray = flat.reshape(shape, order="F" if entry["columns"] else "C").copy(order="K")
        return shaped

    def _take(self, size: int, kind: npt.DTypeLike) -> AnyArray:
        part = np.frombuffer(self._data[self._at : self._at + size], kind)
        self._at += size
        return part


def _shuffled(flat: AnyArray) -> bytes:
    return np.ascontiguousarray(flat).view(np.uint8).reshape(len(flat), -1).T.tobytes() if len(flat) else b""


def _smallest(whole: AnyArray) -> np.dtype[Any]:
    """Return the smallest type of integers that holds these."""
    if not len(whole):
        return np.dtype("u1")
    return np.promote_types(np.min_scalar_type(whole.min()), np.min_scalar_type(whole.max()))


def _distinct(labels: list[Any]) -> tuple[list[Any], AnyArray]:
    """Return the distinct labels and the code of each entry; 1, 1.0 and True are three labels."""
    number: dict[tuple[type, Any], int] = {}
    plain = [label.item() if isinstance(label, np.generic) else label for label in labels]
    if not all(type(label) in _PLAIN for label in plain):
        raise _NotPlain
    codes = np.array([number.setdefault((type(label), label), len(number)) for label in plain], np.intp)
    return [label for _, label in number], codes.astype(_smallest(codes))


def _array_of(labels: list[Any], kind: np.dtype[Any]) -> AnyArray:
    made = np.empty(len(labels), kind)
    made[:] = labels
    return made


def _packed_truth(truth: pd.Series[Any], blocks: list[bytes]) -> dict[str, Any]:
    """Pack a response; classes that are neither numbers nor text are stored as text."""
    if not isinstance(truth.dtype, pd.CategoricalDtype):
        return _packed(truth.to_numpy(dtype=float), blocks)
    codes = truth.cat.codes.to_numpy()
    classes = truth.cat.categories.tolist()
    try:
        _distinct(classes)
    except _NotPlain:
        classes = [str(label) for label in classes]
    return {"classes": classes, **_packed(codes, blocks)}


def _truth(entry: Mapping[str, Any], reader: _Reader) -> pd.Series[Any]:
    values = reader.array(entry)
    if "classes" not in entry:
        return pd.Series(values)
    return pd.Series(pd.Categorical.from_codes(values, categories=pd.Index(entry["classes"])))


def _plain(value: Any) -> Any:
    """Return a chosen parameter as JSON has it; what is neither a number nor text is described."""
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(inner) for inner in value]
    if isinstance(value, np.generic):
        value = value.item()
    return value if value is None or isinstance(value, _PLAIN) else shown(value)
