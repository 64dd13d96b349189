"""The trials of a warehouse as a plain file, and back."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from podium.checks import check_path, describe, file_access
from podium.errors import InputError, MissingExtraError, listing
from podium.warehouse.record import TrialIdentity, TrialKey, TrialRecord, check_statuses

_VALUE = "value: "  # precedes the name of a measure, so that no measure can take the name of another column
_WHOLE = ("repeat", "fold", "n_learn", "n_test", "seed")
_NUMBERS = ("started", "fit_seconds", "predict_seconds")
_TEXT = ("host", "error_type", "message", "traceback")
_JSON = ("undefined", "warnings")
_NEWER: dict[str, Any] = {"identity": None, "kept": ""}  # columns that files of earlier versions do not have
_COLUMNS = (*TrialKey._fields, "status", *_WHOLE, *_NUMBERS, *_TEXT, *_JSON)


def write_trials(path: str | Path, records: Iterable[TrialRecord], designs: list[dict[str, Any]]) -> Path:
    """Write every attempt at a trial into a ``.csv`` or ``.parquet`` file, and the designs beside it."""
    path = _known(path)
    rows = [_row(record) for record in records]
    frame = pd.DataFrame(rows, columns=None if rows else list(_COLUMNS))
    with file_access(path, "write"), _parquet_explained("Writing"):
        if path.suffix == ".csv":
            frame.to_csv(path, index=False)
        else:
            frame.to_parquet(path, index=False)
        _design_path(path).write_text(json.dumps({"designs": designs}), encoding="utf-8")
    return path


def read_trials(path: str | Path) -> tuple[list[TrialRecord], list[dict[str, Any]]]:
    """Read the trials and the designs that `write_trials` wrote; files of earlier versions have one design, or none."""
    path = _known(path)
    beside = _design_path(path)
    with file_access(path, "read"), _damage_explained(path):
        frame = pd.read_csv(path, keep_default_na=False, dtype=str) if path.suffix == ".csv" else pd.read_parquet(path)
    missing = [name for name in _COLUMNS if name not in frame]
    if missing:
        raise InputError(
            f"`path`: {str(path)!r} is not a table of exported trials: it has no column {listing(missing)}. "
            "podium.read reads tables of scores."
        )
    with file_access(beside, "read"), _damage_explained(beside):
        design = json.loads(beside.read_text(encoding="utf-8"))
    if design is not None and not isinstance(design, dict):
        raise InputError(f"{str(beside)!r} is not the design of exported trials; got {describe(design)}.")
    designs = [] if design is None else design.get("designs", [{"document": design}])
    return [_record(row, path.name, i) for i, row in enumerate(frame.to_dict("records"), 1)], designs


def _row(record: TrialRecord) -> dict[str, Any]:
    return {
        **record.key._asdict(),
        "status": record.status,
        **{f"{_VALUE}{name}": value for name, value in record.values.items()},
        **{name: getattr(record, name) for name in (*_WHOLE, *_NUMBERS, *_TEXT)},
        "undefined": json.dumps(dict(record.undefined)),
        "warnings": json.dumps(list(record.warnings)),
        "identity": json.dumps([*record.identity[:2], _measures(record)]),
        "kept": base64.b64encode(record.kept).decode("ascii"),
    }


def _measures(record: TrialRecord) -> dict[str, str]:
    """Return the identities of the measures, those that no value could be found of included."""
    return {name: record.identity.measures.get(name, "") for name in record.values or record.identity.measures}


def _record(row: dict[Any, Any], file: str, number: int) -> TrialRecord:
    row = {**_NEWER, **row}
    try:
        (status,) = check_statuses(str(row["status"]), "status")
        columns = [str(name).removeprefix(_VALUE) for name in row if str(name).startswith(_VALUE)]
        if row["identity"] is None:
            dataset, algorithm, measures = "", "", dict.fromkeys(columns if status == "done" else (), "")
        else:
            dataset, algorithm, measures = json.loads(row["identity"])
        fields: dict[str, Any] = {
            **{name: int(row[name]) for name in _WHOLE},
            **{name: _number(row[name]) for name in _NUMBERS},
            **{name: str(row[name]) for name in _TEXT},
        }
        return TrialRecord(
            key=TrialKey(str(row["dataset"]), int(row["replication"]), str(row["algorithm"])),
            status=status,
            values={name: _number(row[f"{_VALUE}{name}"]) for name in measures if status == "done"},
            undefined=dict(json.loads(row["undefined"])),
            warnings=tuple(json.loads(row["warnings"])),
            identity=TrialIdentity(dataset, algorithm, {name: key for name, key in measures.items() if key}),
            kept=base64.b64decode(row["kept"], validate=True),
            **fields,
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"Row {number} of {file!r} is not an exported trial: {error}") from error


def _number(cell: Any) -> float:
    return float("nan") if cell is None or cell == "" else float(cell)


@contextmanager
def _damage_explained(path: Path) -> Iterator[None]:
    try:
        with _parquet_explained("Reading"):
            yield
    except InputError:
        raise
    except ValueError as error:  # what pandas, pyarrow and json raise about damaged files
        reason = " ".join(str(error).split())
        raise InputError(f"{str(path)!r} cannot be read: {reason}.") from error


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
