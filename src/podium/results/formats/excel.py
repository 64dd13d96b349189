"""Excel files: a sheet that holds any of the tables. They are not written: Excel keeps 15 digits of a number."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

from podium.errors import AmbiguousInputError, InputError, LabelError, MissingExtraError, join_names
from podium.results.formats import Format
from podium.results.forms.arguments import Arguments
from podium.results.text_files import refuse_large_archive


def read_excel(path: Path, arguments: Arguments) -> pd.DataFrame:
    """Read a sheet; with several that are not empty, `sheet` says which one."""
    _openpyxl()
    refuse_large_archive(path)
    sheets: dict[Any, pd.DataFrame] = pd.read_excel(path, sheet_name=None, engine="openpyxl")
    filled = {str(name): frame for name, frame in sheets.items() if frame.size}
    if arguments.sheet is not None:
        if arguments.sheet not in filled:
            raise LabelError(f"`sheet` names {arguments.sheet!r}; {path.name!r} has {join_names(filled, most=12)}.")
        return filled[arguments.sheet]
    if not filled:
        raise InputError(f"The table is empty: {path.name!r} has no sheet with cells.")
    if len(filled) > 1:
        first = next(iter(filled))
        raise AmbiguousInputError(
            f"{path.name!r} has the sheets {join_names(filled, most=12)}. Say which one to read: sheet={first!r}.",
            remedy={"sheet": first},
        )
    return next(iter(filled.values()))


def _openpyxl() -> None:
    if find_spec("openpyxl") is None:
        raise MissingExtraError("Reading Excel files", "openpyxl", "excel")


FORMAT = Format(name="Excel", suffixes=(".xlsx",), read=read_excel)
