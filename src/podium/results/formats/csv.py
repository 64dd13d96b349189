"""CSV files: the long table with everything known about its measures, or any table from elsewhere."""

from __future__ import annotations

import csv
import re
import warnings
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from podium.errors import InputError, LabelError
from podium.results.cube import Cube
from podium.results.formats import Format, recognised
from podium.results.forms.arguments import Arguments
from podium.results.forms.columns import EMPTY_WORDS, RowNames
from podium.results.forms.long import to_long
from podium.results.forms.roles import find_roles
from podium.results.forms.table import NumberedFrame, refuse_repeated
from podium.results.known_measures import known_facts
from podium.results.text_files import EXACT, find_header, open_bytes, open_text, records

_LABELS = ("dataset", "replication", "algorithm", "measure", "reason", "direction", "units", "scale")

_DECIMAL_COMMA = re.compile(r"[-+]?\d*,?\d+(?:[eE][-+]?\d+)?")

_LONG_LINE = (
    "Line {line} of {file!r} has {size} cells, but the header has {names} names. "
    "Put text that holds the separator in quotes."
)


def read_csv(path: Path, arguments: Arguments) -> NumberedFrame:
    """Read a CSV file; labels stay text as written, and a header that names a column twice is refused."""
    separator, names = find_header(path)
    refuse_repeated(names)
    unnamed = [i for i, name in enumerate(names) if not name]
    if unnamed and unnamed != [0]:
        raise LabelError(f"Column {unnamed[-1] + 1} of {path.name!r} has no name. Give it one, or remove it.")
    # The columns of another tool have their own meaning.
    tool = recognised(pd.DataFrame(columns=names)) if arguments.columns is None else None
    roles = find_roles(names, arguments.columns) if tool is None else {}
    labels = {str(column) for role, column in roles.items() if role in _LABELS}
    decimal = "."
    frame = _parse(path, separator, names, labels)
    words = {name for name in names if name not in labels and not pd.api.types.is_numeric_dtype(frame[name].dtype)}
    if separator != "," and any(_has_decimal_commas(frame[name]) for name in words):
        decimal = ","
        frame = _parse(path, separator, names, labels, decimal)
        words = {name for name in words if not pd.api.types.is_numeric_dtype(frame[name].dtype)}
    if words:  # read again, so that a data set called NA keeps its name
        frame = _parse(path, separator, names, labels | words, decimal)
    if unnamed:  # as pandas writes an index without a name
        frame = _as_index(frame)
    return NumberedFrame(frame, RowNames("line", _LineNumbers(path, separator)))


def write_csv(cube: Cube, path: Path) -> None:
    """Write the long table, with what is known about each measure, so that the file can be read back as it is."""
    frame = to_long(cube, categories=True)
    facts: dict[str, dict[str, str]] = {
        "direction": {i.name: i.direction for i in cube.measures},
        "units": {i.name: i.units for i in cube.measures},
        "scale": {i.name: i.scale or "" for i in cube.measures},
    }
    for role, words in facts.items():
        if role == "direction" or any(word != (known_facts(name).get(role) or "") for name, word in words.items()):
            frame[role] = frame["measure"].map(words)
    labels = (*cube.datasets, *cube.replications, *cube.algorithms, *cube.measure_names)
    # The writer does not treat a lone carriage return as a line end, but every reader does.
    quoting: Any = csv.QUOTE_NONNUMERIC if any("\r" in str(label) for label in labels) else csv.QUOTE_MINIMAL
    separator = "\t" if ".tsv" in map(str.lower, path.suffixes) else ","
    with open_text(path, "w") as handle:
        frame.to_csv(handle, sep=separator, index=False, lineterminator="\n", quoting=quoting)


def _has_decimal_commas(column: pd.Series[Any]) -> bool:
    """Return whether all cells that are not empty are numbers, some of them with a decimal comma."""
    cells = [cell.strip() for cell in column if isinstance(cell, str) and cell.strip() not in EMPTY_WORDS]
    return any("," in cell for cell in cells) and all(_DECIMAL_COMMA.fullmatch(cell) for cell in cells)


def _parse(path: Path, separator: str, names: list[str], labels: set[str], decimal: str = ".") -> pd.DataFrame:
    """Parse the body; columns of labels stay text, whatever they look like."""
    try:
        with warnings.catch_warnings(), open_bytes(path) as handle:
            warnings.simplefilter("error", pd.errors.ParserWarning)
            frame: pd.DataFrame = pd.read_csv(
                handle,
                sep=separator,
                header=0,
                names=names,
                index_col=False,
                dtype=dict.fromkeys(labels, object),
                keep_default_na=False,
                na_values={name: list(EMPTY_WORDS) for name in names if name not in labels},
                encoding="utf-8-sig",
                decimal=decimal,
                **EXACT,
            )
        return frame
    except pd.errors.ParserWarning:
        raise _too_long(path, separator, len(names)) from None
    except pd.errors.ParserError as error:
        raise _irregular(path, str(error)) from None


def _too_long(path: Path, separator: str, n: int) -> InputError:
    """Distinguish a header that lacks names from lines that have a cell too many."""
    sizes = [(line, len(record)) for line, record in records(path, separator)][1:]
    long = [(line, size) for line, size in sizes if size > n]
    if len(long) < len(sizes):
        return InputError(_LONG_LINE.format(line=long[0][0], file=path.name, size=long[0][1], names=n))
    return InputError(
        f"All lines of {path.name!r} have more cells than the header has names ({n}). "
        "Name all columns, or remove those without a name."
    )


def _irregular(path: Path, message: str) -> InputError:
    """Reword the message of the parser."""
    found = re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", message)
    if found:
        return InputError(_LONG_LINE.format(line=found[2], file=path.name, size=found[3], names=found[1]))
    if "EOF inside string" in message:
        return InputError(f"A quotation mark in {path.name!r} is never closed.")
    return InputError(f"{path.name!r} is not a regular table: {message.strip().rstrip('.')}.")


def _as_index(frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame.set_index("")
    frame.index.name = None
    return frame


class _LineNumbers:
    """From the position of a row to its line in the file; looked up only when a message needs it."""

    def __init__(self, path: Path, separator: str) -> None:
        self._path, self._separator = path, separator

    @cached_property
    def _lines(self) -> list[int]:
        return [line for line, _ in records(self._path, self._separator)]

    def __call__(self, position: int) -> int:
        return self._lines[position + 1]


FORMAT = Format(name="CSV", suffixes=(".csv", ".tsv", ".txt"), text=True, read=read_csv, write=write_csv)
