"""Parquet files: the long table with what is known about its measures, or any table from elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from podium.errors import MissingExtraError
from podium.results.cube import Cube
from podium.results.formats import Format
from podium.results.forms.arguments import Arguments
from podium.results.forms.long import to_long
from podium.results.forms.table import NOTE
from podium.results.measure_info import write_measures


def read_parquet(path: Path, arguments: Arguments) -> pd.DataFrame:
    """Read a Parquet file; columns of text arrive as codes, which is many times faster than as text."""
    pa, pq = _arrow()
    schema = pq.read_schema(path)
    words = [f.name for f in schema if pa.types.is_string(f.type) or pa.types.is_large_string(f.type)]
    table = pq.read_table(path, read_dictionary=words).replace_schema_metadata(None)  # it describes plain text
    frame: pd.DataFrame = table.to_pandas(split_blocks=True)
    index = [name for name in (schema.pandas_metadata or {}).get("index_columns", []) if isinstance(name, str)]
    if index:
        frame = frame.set_index(index)
        frame.index.names = [None if name.startswith("__index_level_") else name for name in index]
    written = (schema.metadata or {}).get(NOTE.encode())
    if written:
        frame.attrs[NOTE] = json.loads(written)
    return frame


def write_parquet(cube: Cube, path: Path) -> None:
    """Write the long table; the metadata of the file holds what is known about the measures."""
    pa, pq = _arrow()
    frame = to_long(cube, categories=True)
    text = set(frame.select_dtypes("category"))
    table = pa.Table.from_pandas(frame, preserve_index=False)
    plain = pa.schema([f.with_type(pa.string()) if f.name in text else f for f in table.schema])
    table = table.cast(plain).replace_schema_metadata({NOTE: json.dumps(write_measures(cube.measures))})
    pq.write_table(table, path)


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("Reading and writing Parquet files", "pyarrow", "parquet") from None
    return pyarrow, pyarrow.parquet


FORMAT = Format(name="Parquet", suffixes=(".parquet", ".pq"), read=read_parquet, write=write_parquet)
