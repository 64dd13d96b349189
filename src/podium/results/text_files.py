"""Text files in UTF-8, compressed or not."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal, cast

import pandas as pd

from podium.checks import file_access
from podium.errors import InputError, PodiumError

# Older versions of pandas round the last digit of a number wrongly unless this option is set.
EXACT: dict[str, Any] = (
    {} if tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1) else {"float_precision": "round_trip"}
)

_OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
COMPRESSIONS = tuple(_OPENERS)
MAX_DECOMPRESSED_BYTES = 2_000_000_000  # a file of a thousandth of that size can fill any memory


def open_text(path: Path, mode: Literal["r", "w"]) -> IO[str]:
    """Open a text file, compressed or not; a byte order mark at its start is skipped."""
    opener = _OPENERS.get(path.suffix.lower(), open)
    if mode == "r" and opener is not open:
        return io.TextIOWrapper(cast("IO[bytes]", open_bytes(path)), encoding="utf-8-sig", newline="")
    encoding = "utf-8-sig" if mode == "r" else "utf-8"
    return cast("IO[str]", opener(path, mode + "t", encoding=encoding, newline=""))


def open_bytes(path: Path, *, compressed: bool | None = None) -> io.BufferedIOBase:
    """Open a file for reading, compressed or not; a compressed one that holds too much ends in an error.

    Its extension says how it is compressed; `compressed` says whether it is gzipped, whatever its extension.
    """
    opener = _OPENERS.get(path.suffix.lower(), open)
    if compressed is not None:
        opener = gzip.open if compressed else open
    if opener is open:
        return path.open("rb")
    return io.BufferedReader(_Limited(opener(path, "rb"), path))


def find_header(path: Path) -> tuple[str, list[str]]:
    """Return the separator that splits the first record of a CSV file into most cells, and these cells."""
    found: dict[str, list[str]] = {}
    unreadable = None
    for separator in (",", ";", "\t", "|"):
        try:
            found[separator] = next(records(path, separator), (0, []))[1]
        except InputError as error:  # a whole header may be too long for one cell
            unreadable = unreadable or error
    if not found and unreadable:
        raise unreadable
    separator = max(found, key=lambda separator: len(found[separator]))
    if not found[separator]:
        raise InputError(f"The table is empty: {path.name!r} has no lines.")
    return separator, [name.strip() for name in found[separator]]


def records(path: Path, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each record of a CSV file that is not blank, with the line on which it starts."""
    with open_text(path, "r") as handle:
        reader = csv.reader(handle, delimiter=separator)
        start = 1
        try:
            for record in reader:
                if record:
                    yield start, record
                start = reader.line_num + 1
        except csv.Error as error:  # such as a cell of more characters than the reader of Python takes
            raise InputError(f"Line {start} of {path.name!r} cannot be read: {error}.") from None


def refuse_large_archive(path: Path) -> None:
    """Refuse a zip archive that holds too much."""
    with zipfile.ZipFile(path) as archive:
        if sum(member.file_size for member in archive.infolist()) > MAX_DECOMPRESSED_BYTES:
            raise _too_large(path)


class _Limited(io.RawIOBase):
    """What a compressed file holds, up to a limit: a few kilobytes may hold many gigabytes."""

    def __init__(self, inner: Any, path: Path) -> None:
        self._inner, self._path, self._left = inner, path, MAX_DECOMPRESSED_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._inner.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise _too_large(self._path)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._inner.close()
        super().close()


def _too_large(path: Path) -> InputError:
    return InputError(
        f"{path.name!r} holds more than {MAX_DECOMPRESSED_BYTES / 1e9:g} GB when it is decompressed. If that is "
        "correct, decompress it yourself, and read the decompressed file."
    )


def load_json(text: str, name: str) -> Any:
    """Load JSON; a key given twice, numbers that are too long and values nested too deeply are errors."""
    try:
        return json.loads(text, object_pairs_hook=_distinct)
    except json.JSONDecodeError as error:
        raise InputError(f"{name!r} is not JSON: {error}.") from None
    except RecursionError:
        raise InputError(f"{name!r} is nested too deeply.") from None
    except InputError as error:
        raise InputError(f"{name!r}: {error}") from None
    except ValueError:  # Python refuses to read integers of more than 4,300 digits
        raise InputError(f"{name!r} holds a whole number with too many digits.") from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"the key {twice!r} is given twice in one object. Remove one of the two.")
    return found


@contextmanager
def foreign_file(path: Path, argument: str = "source") -> Iterator[None]:
    """Turn whatever a library raises about a file into one `InputError` with its name."""
    with file_access(path, "read", argument):
        try:
            yield
        except (PodiumError, OSError, Warning):
            raise
        except UnicodeDecodeError:
            raise InputError(f"{path.name!r} is not text in UTF-8. Save it in UTF-8, and read it again.") from None
        except Exception as error:
            reason = " ".join(f"{type(error).__name__}: {error!s:.200}".split()).rstrip(".: ")
            raise InputError(
                f"{path.name!r} cannot be read: it is damaged, or not what its extension says ({reason}).",
                path=(argument,),
            ) from error
