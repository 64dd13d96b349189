"""Text files in UTF-8, compressed or not."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Literal, cast

from podium.errors import InputError

_OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
COMPRESSIONS = tuple(_OPENERS)


def open_text(path: Path, mode: Literal["r", "w"]) -> IO[str]:
    """Open a text file, compressed or not; a byte order mark at its start is skipped."""
    opener = _OPENERS.get(path.suffix.lower(), open)
    encoding = "utf-8-sig" if mode == "r" else "utf-8"
    return cast("IO[str]", opener(path, mode + "t", encoding=encoding, newline=""))


def not_utf8(path: Path) -> InputError:
    """Build the error for a file in another encoding."""
    return InputError(f"{path.name!r} is not text in UTF-8. Save it in UTF-8, and read it again.")
