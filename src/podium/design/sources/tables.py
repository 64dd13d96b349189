"""Table files: CSV and Parquet."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import pandas as pd

from podium.errors import InputError, LabelError, MissingExtraError, join_names, plural
from podium.results.text_files import COMPRESSIONS, EXACT, find_header, open_bytes, records

MISSING = ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "<NA>", "#N/A")


def read_csv(path: Path, na_values: Sequence[str] | None) -> pd.DataFrame:
    """Read a CSV file with a header; the separator is the one that splits the header most."""
    separator, header = find_header(path)
    unnamed = [i for i, name in enumerate(header) if not name]
    if unnamed and unnamed != [0]:
        raise LabelError(f"Column {unnamed[-1] + 1} of {path.name!r} has no name. Give it one, or remove it.")
    if len(set(header)) < len(header):
        twice = sorted({name for name in header if header.count(name) > 1})
        raise LabelError(f"The header of {path.name!r} has the column {join_names(twice)} twice. Rename one of them.")
    frame = _body(path, separator, header, MISSING if na_values is None else na_values)
    return frame.drop(columns="") if unnamed else frame  # as pandas writes an index without a name


def read_parquet(path: Path) -> pd.DataFrame:
    """Read a Parquet file; dictionary columns become categories."""
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtraError("Reading Parquet files", "pyarrow", "parquet") from None
    frame: pd.DataFrame = pq.read_table(path).to_pandas()
    return frame


def _body(path: Path, separator: str, header: list[str], na_values: Sequence[str]) -> pd.DataFrame:
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
                na_values=list(na_values),
                encoding="utf-8-sig",
                **EXACT,
            )
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        _refuse_irregular(path, separator, len(header))
        raise InputError(f"{path.name!r} is not a regular table: {str(error).strip().rstrip('.')}.") from None
    if frame.iloc[:, -1].isna().any():  # pandas fills up short rows
        _refuse_irregular(path, separator, len(header))
    return frame


def _refuse_irregular(path: Path, separator: str, expected: int) -> None:
    """Refuse the first row that has more or fewer cells than the header."""
    for line, record in records(path, separator):
        if len(record) != expected:
            raise InputError(
                f"Line {line} of {path.name!r} has {plural(len(record), 'cell')}, but the header has {expected} names. "
                "Put text that contains the separator in quotes."
            )
