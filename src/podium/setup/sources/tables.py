"""Table files: CSV and Parquet."""

from __future__ import annotations

import csv
import warnings
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pandas as pd

from podium.errors import InputError, LabelError, MissingExtraError, listing
from podium.results.text_files import COMPRESSIONS, not_utf8, open_bytes, open_text

MISSING = ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "<NA>", "#N/A")

# Older versions of pandas may read the last digit of a number wrong by default.
_EXACT: dict[str, Any] = (
    {} if tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1) else {"float_precision": "round_trip"}
)


def read_csv(path: Path, missing: Sequence[str] | None) -> pd.DataFrame:
    """Read a CSV file with a header; the separator is the comma, semicolon or tab that splits the header most."""
    try:
        separator, header = _header(path)
        unnamed = [i for i, name in enumerate(header) if not name]
        if unnamed and unnamed != [0]:
            raise LabelError(f"Column {unnamed[-1] + 1} of {path.name!r} has no name. Give it one, or remove it.")
        if len(set(header)) < len(header):
            twice = sorted({name for name in header if header.count(name) > 1})
            raise LabelError(f"The header of {path.name!r} has the column {listing(twice)} twice. Rename one of them.")
        frame = _body(path, separator, header, MISSING if missing is None else missing)
    except UnicodeDecodeError:
        raise not_utf8(path) from None
    return frame.drop(columns="") if unnamed else frame  # as pandas writes an index without a name


def read_parquet(path: Path) -> pd.DataFrame:
    """Read a Parquet file; dictionary columns become categories."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtraError("Reading Parquet files", "pyarrow", "parquet") from None
    try:
        table: Any = pq.read_table(path)
        frame: pd.DataFrame = table.to_pandas()
    except (pa.ArrowException, OSError, ValueError, TypeError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # of the operating system, not of the content
            raise
        raise InputError(f"The file {path.name!r} is not a Parquet file, or it is damaged: {error}") from None
    return frame


def _header(path: Path) -> tuple[str, list[str]]:
    found: dict[str, list[str]] = {",": []}
    for separator in (",", ";", "\t"):
        with open_text(path, "r") as handle, suppress(csv.Error):  # a cell of a whole header is too long for one
            found[separator] = next((record for record in csv.reader(handle, delimiter=separator) if record), [])
    separator = max(found, key=lambda separator: len(found[separator]))
    if not found[separator]:
        raise InputError(f"The file {path.name!r} is empty.")
    return separator, [name.strip().removeprefix("\ufeff") for name in found[separator]]


def _body(path: Path, separator: str, header: list[str], missing: Sequence[str]) -> pd.DataFrame:
    try:
        compressed = path.suffix.lower() in COMPRESSIONS
        with warnings.catch_warnings(), open_bytes(path) if compressed else nullcontext(path) as source:
            warnings.simplefilter("error", pd.errors.ParserWarning)  # all rows are longer than the header
            frame: pd.DataFrame = pd.read_csv(
                source,
                sep=separator,
                header=0,
                names=header,
                index_col=False,
                skipinitialspace=True,
                keep_default_na=False,
                na_values=list(missing),
                encoding="utf-8-sig",
                **_EXACT,
            )
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        _refuse_irregular(path, separator, len(header))
        raise InputError(f"{path.name!r} is not a regular table: {str(error).strip().rstrip('.')}.") from None
    if frame.iloc[:, -1].isna().any():  # pandas fills up short rows
        _refuse_irregular(path, separator, len(header))
    return frame


def _refuse_irregular(path: Path, separator: str, expected: int) -> None:
    """Refuse the first row that has more or fewer cells than the header."""
    with open_text(path, "r") as handle:
        reader = csv.reader(handle, delimiter=separator)
        for record in reader:
            if record and len(record) != expected:
                raise InputError(
                    f"Line {reader.line_num} of {path.name!r} has {len(record)} cells, but the header has {expected} "
                    "names. Put text that contains the separator in quotes."
                )
