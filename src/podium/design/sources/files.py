"""Data in files: which kinds there are, and what is read from one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from podium.design.sources.arff import ArffTable, read_arff
from podium.design.sources.frame import Roles
from podium.design.sources.tables import read_csv, read_parquet
from podium.errors import AmbiguousInputError, InputError, join_names
from podium.results.text_files import foreign_file

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
COMPRESSIONS = (".gz", ".bz2", ".xz", ".zip", ".zst")


def file_kind(path: Path) -> FileKind | None:
    """Find the kind of a table file by its extension, ignoring that of a compression; None if it is not known."""
    endings = [ending for ending in (suffix.lower() for suffix in path.suffixes) if ending not in COMPRESSIONS]
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
    while Path(stem).suffix.lower() in (*COMPRESSIONS, *ENDINGS):
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
