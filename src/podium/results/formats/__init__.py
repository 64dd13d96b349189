"""File formats for scores, and tables of other tools: one module each, which defines one `Format`.

A module that is added to this folder is found by `podium.read` and `Results.write`; nothing else needs to change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from podium.checks import check_path, describe, is_database
from podium.errors import InputError
from podium.registry import Registry
from podium.results.cube import Cube
from podium.results.forms.arguments import Arguments
from podium.results.forms.table import NOTE, NumberedFrame
from podium.results.text_files import COMPRESSIONS, foreign_file


@dataclass(frozen=True, kw_only=True)
class Format:
    """A file format, or a table of another tool.

    Attributes
    ----------
    name : str
        What the format is called in messages.
    suffixes : tuple of str
        The extensions of its files, the usual one first; empty for a table of another tool.
    text : bool
        Whether its files are text, which may be compressed.
    read : callable, optional
        From a path and the arguments of `podium.read` to anything that `podium.read` takes: a frame, a dict, ...
    write : callable, optional
        Writes results to a path, so that `read` gives equal results.
    recognise : callable, optional
        Says whether a source in memory is a table of this tool.
    convert : callable, optional
        From a source that is recognised and the arguments of `podium.read` to a form that `podium.read` takes.
    complete : callable, optional
        From a frame that was read from a file, and the path of that file, to the frame completed from files beside it.
    """

    name: str
    suffixes: tuple[str, ...] = ()
    text: bool = False
    read: Callable[[Path, Arguments], Any] | None = None
    write: Callable[[Cube, Path], None] | None = None
    recognise: Callable[[Any], bool] | None = None
    convert: Callable[[Any, Arguments], Any] | None = None
    complete: Callable[[pd.DataFrame, Path], pd.DataFrame] | None = None


WAREHOUSES = (".db", ".sqlite", ".sqlite3")
FORMATS: Registry[Format] = Registry(__name__, Format)


def file_format(path: Path, purpose: Literal["read", "write"]) -> Format:
    """Find the format of a file by its extension; that of a compression is ignored."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compressed = bool(suffixes) and suffixes[-1] in COMPRESSIONS
    suffix = suffixes[-2 if compressed else -1] if len(suffixes) > compressed else ""
    able = [format for format in FORMATS.values() if format.suffixes and getattr(format, purpose) is not None]
    if purpose == "read" and (suffix in WAREHOUSES or is_database(path)):
        raise InputError(
            f"{path.name!r} looks like a warehouse, not like a table of scores. Read it with "
            f"podium.Warehouse({path.name!r}, readonly=True).results()."
        )
    for format in able:
        if suffix in format.suffixes and (format.text or not compressed):
            return format
    *most, last = (suffix for format in able for suffix in format.suffixes)
    raise InputError(
        f"{describe(path.name)} has no known extension; podium {purpose}s {', '.join(most)} and {last}, the text files "
        f"also with {', '.join(COMPRESSIONS[:-1])} or {COMPRESSIONS[-1]} after it."
    )


def recognised(source: Any) -> Format | None:
    """Find the tool whose table this is."""
    source = source.frame if isinstance(source, NumberedFrame) else source
    tools = (format for format in FORMATS.values() if format.recognise is not None)
    return next((format for format in tools if format.recognise is not None and format.recognise(source)), None)


def with_directions(frame: pd.DataFrame, directions: Mapping[str, str]) -> pd.DataFrame:
    """Note in a frame which values of its measures are better; an argument of `podium.read` wins over it."""
    frame.attrs[NOTE] = {"measures": [{"name": name, "direction": word} for name, word in directions.items()]}
    return frame


def load_frame(source: object) -> pd.DataFrame:
    """Return a table that is given as a DataFrame, or as the path of a file that holds one."""
    loaded = load_file(check_path(source, "source"), Arguments()) if isinstance(source, str | PathLike) else source
    frame = loaded.frame if isinstance(loaded, NumberedFrame) else loaded
    if not isinstance(frame, pd.DataFrame):
        raise InputError(f"`source` must be a DataFrame, or the path of a table; got {describe(source)}.")
    return frame


def lacking_columns(source: object, needed: Iterable[str]) -> list[str]:
    """List the required columns that a table does not have; all of them, where the source is not a table."""
    return [name for name in needed if not isinstance(source, pd.DataFrame) or name not in source]


def load_file(path: Path, arguments: Arguments) -> Any:
    """Load a file as a source in memory."""
    format = file_format(path, "read")
    assert format.read is not None
    with foreign_file(path):
        loaded = format.read(path, arguments)
        frame = loaded.frame if isinstance(loaded, NumberedFrame) else loaded
        if not isinstance(frame, pd.DataFrame):
            return loaded
        for other in FORMATS.values():
            if other.complete is not None:
                frame = other.complete(frame, path)
    return loaded._replace(frame=frame) if isinstance(loaded, NumberedFrame) else frame
