"""The trials of a warehouse as a plain file, and back."""

from __future__ import annotations

import base64
import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pandas as pd

from podium.checks import check_path, new_file, write_text
from podium.errors import InputError, MissingExtraError, join_names
from podium.results.cube import SAMPLE_FIELDS
from podium.results.formats.podium_export import SUPERFLUOUS, VALUE
from podium.results.text_files import foreign_file
from podium.store.decision import Decision
from podium.store.document import parse
from podium.store.record import TrialIdentity, TrialKey, TrialRecord, check_statuses, unmark, without_places
from podium.typesetting.plain import mark_formula

_WHOLE = (*SAMPLE_FIELDS, "seed")
_NUMBERS = ("started", "fit_seconds", "predict_seconds")
_TEXT = ("host", "error_type", "message", "traceback")
_JSON = ("undefined", "warnings")
_AT_ONCE = 5_000  # rows that are in memory
_MARKED = ("dataset", "algorithm", *_TEXT)  # text in CSV files that a spreadsheet could take for a formula
_COLUMNS = (*TrialKey._fields, "status", *_WHOLE, *_NUMBERS, *_TEXT, *_JSON, "identity", "kept")


def write_trials(
    path: str | Path,
    records: Iterable[TrialRecord],
    designs: list[dict[str, Any]],
    decisions: Iterable[tuple[float, Decision]],
    measures: Sequence[str],
    counts: Callable[[TrialKey], bool] | None = None,
    *,
    machines: bool = False,
) -> Path:
    """Write every attempt at a trial into a ``.csv`` or ``.parquet`` file, and designs and decisions beside it.

    If there is a stopping rule, `counts` says which trials count; a column ``superfluous`` marks the others.

    Without `machines`, the names of hosts are left out, and absolute paths are cut to the name of the file.

    The records are written as they come, so their number does not matter. A file of that name is replaced when all
    are written.
    """
    path = _known(path)
    if not machines:
        records, designs = map(_anonymous, records), without_places(designs)
    columns = [*TrialKey._fields, "status", *(f"{VALUE}{name}" for name in measures), *_COLUMNS[4:]]
    rows: Iterator[dict[str, Any]] = map(_row, records)
    if counts is not None:
        columns.append(SUPERFLUOUS)
        rows = ({**_row(record), SUPERFLUOUS: "" if counts(record.key) else "yes"} for record in records)
    with new_file(path) as part, _parquet_explained("Writing"):
        (_write_csv if path.suffix == ".csv" else _write_parquet)(part, rows, columns)
        decided = [
            {"created": created, "dataset": each.dataset, "stage": each.stage, "document": parse(each.document())}
            for created, each in decisions
        ]
        more = {"decisions": decided} if decided else {}
        write_text(_design_path(path), json.dumps({"designs": designs, **more}))
    return path


def _write_csv(path: Path, rows: Iterable[dict[str, Any]], columns: Sequence[str]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        for row in rows:
            marked = {name: mark_formula(row[name]) for name in _MARKED}
            numbers = {name: "" if value != value else value for name, value in row.items() if isinstance(value, float)}
            writer.writerow({**row, **numbers, **marked})


def _write_parquet(path: Path, rows: Iterable[dict[str, Any]], columns: Sequence[str]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    whole, real = {"replication", *_WHOLE}, set(_NUMBERS)
    schema = pa.schema(
        (
            name,
            pa.int64() if name in whole else pa.float64() if name in real or name.startswith(VALUE) else pa.string(),
        )
        for name in columns
    )
    with pq.ParquetWriter(path, schema) as writer:
        waiting = iter(rows)
        while batch := list(islice(waiting, _AT_ONCE)):
            table = {name: [row.get(name) for row in batch] for name in columns}
            writer.write_table(pa.table(table, schema=schema))


def read_trials(
    path: str | Path,
) -> tuple[list[dict[str, Any]], list[tuple[float, Decision]], Iterator[list[TrialRecord]]]:
    """Read what `write_trials` wrote: the designs, the decisions, and the trials in batches."""
    path = _known(path)
    beside = _design_path(path)
    batches = _read_csv(path) if path.suffix == ".csv" else _read_parquet(path)
    with foreign_file(path, "path"), _parquet_explained("Reading"):
        first = next(batches, pd.DataFrame())
    missing = [name for name in _COLUMNS if name not in first]
    if missing:
        raise InputError(
            f"`path`: {str(path)!r} is not a table of exported trials: it has no column {join_names(missing)}. "
            "podium.read reads tables of scores."
        )
    with foreign_file(beside, "path"):
        design = parse(beside.read_text(encoding="utf-8"))
    designs = design.get("designs") if isinstance(design, dict) else None
    if not isinstance(designs, list) or not all(isinstance(each, dict) and "document" in each for each in designs):
        raise InputError(f"{str(beside)!r} is not the design of exported trials.")
    return designs, _decisions(design.get("decisions", []), beside), _batches(path, chain([first], batches))


def _decisions(entries: Any, path: Path) -> list[tuple[float, Decision]]:
    try:
        return [
            (float(each["created"]), Decision.read(each["dataset"], each["stage"], json.dumps(each["document"])))
            for each in entries
        ]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"The decisions in {str(path)!r} cannot be read: {error}.") from error


def _batches(path: Path, frames: Iterable[pd.DataFrame]) -> Iterator[list[TrialRecord]]:
    number = 0
    with foreign_file(path, "path"):
        for frame in frames:
            rows = frame.to_dict("records")
            if path.suffix == ".csv":
                rows = [{**row, **{name: unmark(str(row[name])) for name in _MARKED}} for row in rows]
            yield [_record(row, path.name, i) for i, row in enumerate(rows, number + 1)]
            number += len(rows)


def _read_csv(path: Path) -> Iterator[pd.DataFrame]:
    with pd.read_csv(path, keep_default_na=False, dtype=str, chunksize=_AT_ONCE) as reader:
        yield from reader


def _read_parquet(path: Path) -> Iterator[pd.DataFrame]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        if file.metadata.num_rows == 0:
            yield file.schema_arrow.empty_table().to_pandas()
        for batch in file.iter_batches(_AT_ONCE):
            yield batch.to_pandas()


def _row(record: TrialRecord) -> dict[str, Any]:
    return {
        **record.key._asdict(),
        "status": record.status,
        **{f"{VALUE}{name}": value for name, value in record.values.items()},
        **{name: getattr(record, name) for name in (*_WHOLE, *_NUMBERS, *_TEXT)},
        "undefined": json.dumps(dict(record.undefined)),
        "warnings": json.dumps(list(record.warnings)),
        "identity": json.dumps([*record.identity[:2], _measures(record)]),
        "kept": base64.b64encode(record.kept).decode("ascii"),
    }


def _anonymous(record: TrialRecord) -> TrialRecord:
    """Return a record without what says where it was made: the name of the host, and absolute paths."""
    try:
        host = json.dumps({key: value for key, value in json.loads(record.host).items() if key != "host"})
    except (AttributeError, ValueError):  # written by another tool
        host = ""
    texts = ("message", "traceback", "undefined", "warnings")
    return replace(record, host=host, **{name: without_places(getattr(record, name)) for name in texts})


def _measures(record: TrialRecord) -> dict[str, str]:
    """Return the identities of the measures, including those without a value."""
    return {name: record.identity.measures.get(name, "") for name in record.values or record.identity.measures}


def _record(row: dict[Any, Any], file: str, number: int) -> TrialRecord:
    try:
        (status,) = check_statuses(str(row["status"]), "status")
        dataset, algorithm, measures = json.loads(row["identity"])
        fields: dict[str, Any] = {
            **{name: int(row[name]) for name in _WHOLE},
            **{name: _number(row[name]) for name in _NUMBERS},
            **{name: str(row[name]) for name in _TEXT},
        }
        return TrialRecord(
            key=TrialKey(str(row["dataset"]), int(row["replication"]), str(row["algorithm"])),
            status=status,
            values={name: _number(row[f"{VALUE}{name}"]) for name in measures if status == "done"},
            undefined={name: str(reason) for name, reason in json.loads(row["undefined"]).items()},
            warnings=tuple(map(str, json.loads(row["warnings"]))),
            identity=TrialIdentity(dataset, algorithm, {name: key for name, key in measures.items() if key}),
            kept=base64.b64decode(row["kept"], validate=True),
            **fields,
        )
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
        raise InputError(f"Row {number} of {file!r} is not an exported trial: {error}") from error


def _number(cell: Any) -> float:
    return float("nan") if cell is None or cell == "" else float(cell)


@contextmanager
def _parquet_explained(purpose: str) -> Iterator[None]:
    try:
        yield
    except ImportError:
        raise MissingExtraError(f"{purpose} Parquet files", "pyarrow", "parquet") from None


def _known(path: object) -> Path:
    known = check_path(path)
    if known.suffix not in (".csv", ".parquet"):
        raise InputError(f"`path` must end in .csv or .parquet; got {known.name!r}.")
    return known


def _design_path(path: Path) -> Path:
    return path.with_name(f"{path.stem}.design.json")
