"""Data in files: which kinds there are, and what is read from one."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pandas as pd

from podium.design.sources.arff import ArffTable, read_arff
from podium.design.sources.frame import Roles
from podium.errors import AmbiguousInputError, InputError, LabelError, MissingExtraError, join_names, plural
from podium.results.text_files import COMPRESSIONS, EXACT, find_header, foreign_file, open_bytes, records

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


FileKind: TypeAlias = Literal["csv", "parquet", "arff"]
ENDINGS: dict[str, FileKind] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arff": "arff",
}
_WRAPPED = (*COMPRESSIONS, ".zip", ".zst")  # the last two are left to pandas


def file_kind(path: Path) -> FileKind | None:
    """Find the kind of a table file by its extension, ignoring that of a compression; None if it is not known."""
    endings = [ending for ending in (suffix.lower() for suffix in path.suffixes) if ending not in _WRAPPED]
    return ENDINGS.get(endings[-1]) if endings else None


def from_file(
    path: Path,
    roles: Roles,
    *,
    name: str | None = None,
    na_values: Sequence[str] | None = None,
    folder: Path | None = None,
) -> dict[str, Any]:
    """Read a file, and return the arguments of `Dataset`; `folder` is where a relative path starts."""
    kind = file_kind(path)
    place = path if folder is None else folder / path
    if kind is None:
        raise InputError(
            f"The file {str(path)!r} has an extension that podium does not read; use .csv, .parquet or .arff.",
            path=("file",),
        )
    if na_values is not None and kind != "csv":
        raise InputError("`na_values` has no effect: it applies to CSV files only.")
    if not place.is_file():
        raise InputError(f"There is no file {str(place)!r}.", path=("file",))
    spec: dict[str, Any] = {"file": path.as_posix(), **roles.as_spec()}
    if na_values is not None:
        spec["na_values"] = list(na_values)
    if name is not None:
        spec["name"] = name
    stem = path.name
    while Path(stem).suffix.lower() in (*_WRAPPED, *ENDINGS):
        stem = Path(stem).stem
    origin = path.name
    with foreign_file(place):
        if kind == "csv":
            frame = read_csv(place, na_values)
        elif kind == "parquet":
            frame = read_parquet(place)
        else:
            table = read_arff(place)
            roles, reason = _arff_roles(table, roles, path.name)
            frame, origin = table.frame, f"{path.name}{reason}"
    return {"X": frame, **vars(roles), "name": name or stem, "origin": origin, "spec": spec}


def _arff_roles(table: ArffTable, roles: Roles, file: str) -> tuple[Roles, str]:
    """Take the last attribute as the response, as Weka does, and refuse dates."""
    reason = ""
    if roles.target is None and roles.task != "unsupervised":
        roles = replace(roles, target=table.attributes[-1].name)
        reason = f"; response {roles.target!r}, the last attribute"
    dates = [a.name for a in table.attributes if a.kind == "date" and a.name not in (*roles.drop, *roles.nominal)]
    if dates:
        raise AmbiguousInputError(
            f"The attribute {join_names(dates)} of {file!r} holds dates, which are neither numeric nor nominal. Leave "
            f"it out with drop={dates!r}, or keep it as nominal={dates!r}."
        )
    return roles, reason
