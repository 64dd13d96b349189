"""Files: CSV, Parquet and JSON, in and out. Reading a file never executes anything in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.errors import AmbiguousInputError, InputError, LabelError, MissingExtraError, listing
from podium.results.cube import REASON_NAMES, Cube
from podium.results.forms.roles import find_roles
from podium.results.forms.table import Stored, describe_as_json, stored_measures, to_long
from podium.results.measure_info import MeasureInfo

JSON_FORMAT = "podium.results"
JSON_VERSION = 1
_COMPRESSIONS = (".gz", ".bz2", ".xz", ".zip", ".zst")
_EMPTY = ["", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "<NA>", "#N/A"]
_LABEL_ROLES = ("dataset", "algorithm", "measure", "reason", "direction", "unit", "scale")


def file_kind(path: Path) -> str:
    """Tell the kind of a file by its ending; a compression ending is looked through."""
    suffixes = [s.lower() for s in path.suffixes if s.lower() not in _COMPRESSIONS]
    kind = {
        ".csv": "csv",
        ".tsv": "csv",
        ".txt": "csv",
        ".parquet": "parquet",
        ".pq": "parquet",
        ".json": "json",
    }.get(suffixes[-1] if suffixes else "")
    if kind is None:
        raise InputError(f"{path.name!r} has no known ending; podium reads and writes .csv, .parquet and .json.")
    return kind


def read_csv(path: Path, columns: Mapping[str, str] | None) -> pd.DataFrame:
    """Read a CSV file; labels stay text as they stand there, and a header that names a column twice is refused."""
    try:
        first = pd.read_csv(path, header=None, nrows=1, sep="\0", dtype=str, engine="c", quoting=3).iloc[0, 0]
    except pd.errors.EmptyDataError:
        raise InputError(f"The table is empty: {path.name!r} has no line in it.") from None
    separator = max((",", ";", "\t"), key=str(first).count)
    names = pd.read_csv(path, header=None, nrows=1, sep=separator, dtype=str, keep_default_na=False).iloc[0]
    header = [str(name).strip().removeprefix("\ufeff") for name in names]
    if len(set(header)) < len(header):
        twice = next(name for i, name in enumerate(header) if name in header[:i])
        places = [i + 1 for i, name in enumerate(header) if name == twice]
        raise LabelError(
            f"The column {twice!r} is given twice, in columns {listing(places, quote=False)} of {path.name!r}. "
            "Rename or remove one of them."
        )
    roles = find_roles(header, columns)
    words = {str(roles[role]) for role in _LABEL_ROLES if role in roles}  # type: ignore[index]
    return pd.read_csv(
        path,
        sep=separator,
        header=0,
        names=header,
        index_col=False,
        dtype=dict.fromkeys(words, str),
        keep_default_na=False,
        na_values={name: _EMPTY for name in header if name not in words},
        float_precision="round_trip",
    )


def write_csv(cube: Cube, path: Path) -> None:
    """Write the long table, with direction and unit of each measure so that the file can be read back alone."""
    frame = to_long(cube)
    info = {measure.name: measure for measure in cube.measures}
    frame["direction"] = frame["measure"].map(lambda name: info[name].direction)
    for name in ("unit", "scale"):
        if any(getattr(measure, name) for measure in cube.measures):
            frame[name] = frame["measure"].map(lambda key, name=name: getattr(info[key], name) or "")
    frame.to_csv(path, index=False)


def read_parquet(path: Path) -> tuple[pd.DataFrame, Stored]:
    """Read a Parquet file; columns of text arrive as codes, which is many times faster than as text."""
    pq = _parquet()
    import pyarrow as pa

    schema = pq.read_schema(path)
    words = [f.name for f in schema if pa.types.is_string(f.type) or pa.types.is_large_string(f.type)]
    table = pq.read_table(path, read_dictionary=words)
    note = (schema.metadata or {}).get(b"podium")
    return table.to_pandas(), stored_measures(json.loads(note)) if note else {}


def write_parquet(cube: Cube, path: Path) -> None:
    """Write the long table; what is known of the measures stands in the file's metadata."""
    pq = _parquet()
    import pyarrow as pa

    table = pa.Table.from_pandas(to_long(cube), preserve_index=False)
    note = json.dumps({"measures": describe_as_json(cube.measures)})
    pq.write_table(table.replace_schema_metadata({**(table.schema.metadata or {}), b"podium": note.encode()}), path)


def _parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("Reading and writing Parquet files", "pyarrow", "parquet") from None
    return pyarrow.parquet


def to_document(cube: Cube) -> dict[str, Any]:
    """Put the whole cube into JSON's terms; nothing is lost."""
    lacking = np.argwhere(cube.missing & (cube.reasons > 1))
    return {
        "format": JSON_FORMAT,
        "version": JSON_VERSION,
        "datasets": list(cube.datasets),
        "replications": list(cube.replications),
        "algorithms": list(cube.algorithms),
        "measures": describe_as_json(cube.measures),
        "values": np.where(np.isnan(cube.values), None, cube.values).tolist(),
        "design": None if cube.design.all() else cube.design.astype(int).tolist(),
        "reasons": [[*map(int, at), REASON_NAMES[cube.reasons[tuple(at)]]] for at in lacking],
        "structure": {name: array.tolist() for name, array in cube.structure.items()},
    }


def from_document(document: Mapping[str, Any]) -> Cube:
    """Read what `to_document` wrote."""
    if document.get("version") != JSON_VERSION:
        raise InputError(
            f"The document has version {document.get('version')!r} of the format {JSON_FORMAT!r}; "
            f"this podium reads version {JSON_VERSION}. Use a newer podium."
        )
    values = np.array(document["values"], dtype=np.float64)
    reasons = np.ones(values.shape, np.uint8)
    for *at, name in document["reasons"]:
        reasons[tuple(at)] = REASON_NAMES.index(name)
    return Cube(
        values=values,
        reasons=reasons,
        design=None if document["design"] is None else np.array(document["design"], bool),  # type: ignore[arg-type]
        structure={name: np.array(array, np.int64) for name, array in document["structure"].items()},
        datasets=tuple(document["datasets"]),
        replications=tuple(document["replications"]),
        algorithms=tuple(document["algorithms"]),
        measures=tuple(MeasureInfo(**entry) for entry in document["measures"]),
        origin="JSON document of podium",
    )


def load_json(path: Path) -> Any:
    """Load a JSON file as dicts and lists."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise InputError(f"{path.name!r} is no JSON: {error}.") from None


def records_frame(records: list[Any]) -> pd.DataFrame:
    """Turn a list of JSON objects, one per row, into a frame."""
    if not records:
        raise InputError("The table is empty: the list has no row.")
    if not all(isinstance(record, Mapping) for record in records):
        raise AmbiguousInputError(
            "A list must hold one dict per row, such as {'dataset': ..., 'algorithm': ..., 'accuracy': ...}."
        )
    return pd.DataFrame(records)
