"""Files by their endings: what kind they are, and opening them as text."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias, cast

from podium.errors import InputError

Kind: TypeAlias = Literal["csv", "parquet", "json"]

_KINDS: dict[str, Kind] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".json": "json",
}
_OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


def file_kind(path: Path) -> Kind:
    """Tell the kind of a file by its ending; the ending of a compressed text file is looked through."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compressed = bool(suffixes) and suffixes[-1] in _OPENERS
    kind = _KINDS.get(suffixes[-2 if compressed else -1]) if len(suffixes) > compressed else None
    if suffixes[-1:] in ([".db"], [".sqlite"]):
        raise InputError(
            f"{path.name!r} looks like a warehouse, not like a table of scores. Read it by "
            f"`podium.Warehouse({path.name!r}, readonly=True).results()`."
        )
    if kind is None or (compressed and kind == "parquet"):
        raise InputError(
            f"{path.name!r} has no known ending; podium reads and writes .csv, .parquet and .json, "
            "the text files also with .gz, .bz2 or .xz behind it."
        )
    return kind


def open_text(path: Path, mode: Literal["r", "w"]) -> IO[str]:
    """Open a text file, compressed or not; a byte order mark at its start is skipped."""
    opener = _OPENERS.get(path.suffix.lower(), open)
    encoding = "utf-8-sig" if mode == "r" else "utf-8"
    return cast("IO[str]", opener(path, mode + "t", encoding=encoding, newline=""))


def not_utf8(path: Path) -> InputError:
    """Build the error for a file in another encoding."""
    return InputError(f"{path.name!r} is no text in UTF-8. Save it in UTF-8, and read it again.")
