"""What is kept of the predictions of a trial, as compact bytes and back, without loss.

The bytes are one digit for the version of the format, one for what was kept (the sum of 1 for predictions, 2 for
probabilities, 4 for parameters), then compressed with zlib: the length of a header, the header in JSON, and the arrays
one after another. An array with few distinct values is stored as these values and a code of one,
two or four bytes per entry; other numbers keep all their bits, with the first bytes of all numbers before the second
ones, which compresses better. Positions are stored as differences. Nothing in it can run code when it is read.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.arrays import AnyArray, BoolArray, CodeArray, Int64Array
from podium.checks import check_call, shown
from podium.design.predictions import KEEP, Kept, by_class
from podium.design.sample import Sample, Task
from podium.design.spec.objects import plain
from podium.errors import ExecutionError
from podium.store.cube import Selection, load_measured
from podium.store.database import Database
from podium.store.record import TrialKey
from podium.store.rows import UNREADABLE, damage_error, read_trials, row_checksum
from podium.store.schema import HAS_PREDICTION

_VERSION = b"1"
_LENGTH = struct.Struct("<I")
_LEVEL = 6
_HEADER = 300  # bytes of the header, about
_AT_ONCE = 500  # attempts that one query reads
_PLAIN = (str, bool, int, float)


MAX_PREDICTION_BYTES = 2**31  # of predictions that are read: a few bytes can decompress to endless zeros


class _NotPlain(Exception):
    """Values that are neither numbers nor text."""


def kind_code(keep: Iterable[str]) -> int:
    """Return the number that stands for what was kept."""
    return sum(1 << KEEP.index(kind) for kind in KEEP if kind in set(keep))


def encode(kept: Kept) -> bytes:
    """Return what was kept as bytes.

    Predictions that are neither numbers nor text are left out, and `keep` says so.
    """
    keep = set(kept.keep)
    blocks: list[bytes] = []
    header: dict[str, Any] = {"model": kept.model, "failures": dict(kept.failures)}
    if kept.parameters:
        header["parameters"] = plain(kept.parameters, shown)
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
    text = json.dumps(header, separators=(",", ":")).encode()
    kinds = str(kind_code(keep)).encode()
    return _VERSION + kinds + zlib.compress(b"".join([_LENGTH.pack(len(text)), text, *blocks]), _LEVEL)


def decode(content: bytes) -> Kept:
    """Return what `encode` was given."""
    if content[:1] != _VERSION:
        raise ExecutionError(
            "Kept predictions were written by a newer version of podium, or are damaged. Use a newer version."
        )
    try:
        data = _decompressed(content[2:])
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
    except (zlib.error, struct.error, *UNREADABLE) as error:
        raise ExecutionError(f"Kept predictions are damaged: {error}.") from error
    return Kept(
        keep=tuple(kind for kind in KEEP if int(content[1:2]) & kind_code([kind])),
        model=header["model"],
        rows=None if rows is None else np.cumsum(rows.astype(np.intp)),
        truth=truth,
        prediction=prediction,
        probability=score if header.get("probability") else None,
        score=score,
        failures=header["failures"],
        parameters=header.get("parameters", {}),
    )


def _decompressed(content: bytes) -> bytes:
    stream = zlib.decompressobj()
    data = stream.decompress(content, MAX_PREDICTION_BYTES)
    if not stream.eof:
        raise ValueError("they are incomplete, or more than 2 GB")
    return data


def largest_size(test: Sample, task: Task, keep: Iterable[str]) -> int:
    """Return how many bytes `encode` needs at most for the predictions of a test sample, up to long names."""
    n, classes = len(test), 0
    if task != "regression" and test.y is not None:
        classes = len(test.y.cat.categories)
    each = 2 if test.rows is not None else 0
    value = 8 if task == "regression" else 1 if classes < 256 else 2
    kinds = set(keep)
    per_row = each + value + value * ("predictions" in kinds) + 8 * classes * ("probabilities" in kinds)
    return _HEADER + (n * per_row if kinds & {"predictions", "probabilities"} else 0)


# ---- the table ------------------------------------------------------------------------------------------------------


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class KeptTrials:
    """What a warehouse has of the trials of a design.

    Attributes
    ----------
    measured : ndarray of bool, shape (M, B, K, J)
        Which measures have a value, or a reason for having none.
    numbers : ndarray of int, shape (M, B, K)
        The number of the newest attempt whose predictions are kept; 0 where nothing is kept.
    kinds : ndarray of uint8, shape (M, B, K)
        What is kept of it: the sum of 1 for predictions, 2 for probabilities, 4 for parameters.
    """

    measured: BoolArray
    numbers: Int64Array
    kinds: CodeArray


def load_kept(database: Database, design: Mapping[str, Any]) -> KeptTrials:
    """Load where predictions of the trials of a design are kept."""
    selection = Selection.of(database, design)
    numbers, kinds = np.zeros(selection.shape[:3], np.int64), np.zeros(selection.shape[:3], np.uint8)
    sql = "SELECT trial, SUBSTR(content, 2, 1) FROM prediction ORDER BY trial"
    kept = {int(number): int(bytes(kind)) for number, kind in database.rows(sql)}
    n = 0
    for rows in read_trials(database):
        flagged = rows["attached"] & HAS_PREDICTION > 0
        if not flagged.any():
            continue
        part = {name: column[flagged] for name, column in rows.fields.items()}
        lost = [number for number in part["number"].tolist() if number not in kept]
        if lost:
            raise damage_error(database, f"the predictions of trial {lost[0]} are missing")
        kind = np.array([kept[number] for number in part["number"].tolist()], np.uint8)
        m, b, k, inside = selection.cells(part)
        numbers[m, b, k], kinds[m, b, k] = part["number"][inside], kind[inside]  # in order: the newest stays
        n += len(kind)
    if n != len(kept):
        raise damage_error(database, "predictions without a trial")
    measured = np.zeros(selection.shape, bool)
    if kept:
        found = load_measured(database, design)
        measured, numbers, kinds = found.has, np.where(found.stopped, 0, numbers), np.where(found.stopped, 0, kinds)
    return KeptTrials(measured=measured, numbers=numbers, kinds=kinds)


def read_kept(database: Database, numbers: Sequence[int]) -> dict[int, Kept]:
    """Read what was kept of attempts, by their numbers."""
    found: dict[int, Kept] = {}
    for start in range(0, len(numbers), _AT_ONCE):
        part = [int(number) for number in numbers[start : start + _AT_ONCE]]
        marks = ", ".join("?" * len(part))
        sql = f"SELECT trial, content, checksum FROM prediction WHERE trial IN ({marks})"
        for number, content, checksum in database.rows(sql, part):
            if row_checksum(number, content) != checksum:
                raise damage_error(database, f"the predictions of trial {number} do not match their checksum")
            found[int(number)] = decode(bytes(content))
    for number in numbers:
        if int(number) not in found:
            raise damage_error(database, f"the predictions of trial {number} are missing")
    return found


# ---- as tables ------------------------------------------------------------------------------------------------------


def prediction_frame(trials: Iterable[tuple[TrialKey, Kept]]) -> pd.DataFrame:
    """Return one row per test observation; see `Warehouse.predictions`."""
    frames = [_observations(key, kept) for key, kept in trials if set(kept.keep) & {"predictions", "probabilities"}]
    columns = [*TrialKey._fields, "row", "truth", "prediction"]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)


def _observations(key: TrialKey, kept: Kept) -> pd.DataFrame:
    parts = (kept.truth, kept.prediction, kept.score)
    n = next((len(part) for part in parts if part is not None), 0)
    word = "score" if kept.probability is None else "probability"
    scores = {} if kept.score is None else {f"{word}: {label}": kept.score[label] for label in kept.score}
    return pd.DataFrame(
        {
            **{name: np.repeat(value, n) for name, value in key._asdict().items()},
            "row": np.arange(n) if kept.rows is None else kept.rows,
            "truth": None if kept.truth is None else kept.truth.to_numpy(),
            "prediction": kept.prediction,
            **scores,
        },
        index=range(n),
    )


def parameter_frame(trials: Iterable[tuple[TrialKey, Kept]]) -> pd.DataFrame:
    """Return one row per trial; see `Warehouse.parameters`."""
    rows = [{**key._asdict(), **kept.parameters} for key, kept in trials if "parameters" in kept.keep]
    return pd.DataFrame(rows, columns=None if rows else list(TrialKey._fields))


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
        """Read the array that an entry of the header describes, into its own memory."""
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
