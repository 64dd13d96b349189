"""The trials of a warehouse as one plain table, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from podium.errors import InputError, MissingExtraError
from podium.warehouse.record import TrialKey, TrialRecord
from podium.warehouse.warehouse import Warehouse, expect_warehouse

_VALUE = "value: "  # before the name of a measure, so that no measure can take the name of another column
_WHOLE = ("replication", "repeat", "fold", "n_learn", "n_test", "seed")
_TEXT = ("dataset", "algorithm", "status", "host", "error_type", "message", "traceback")


def export_trials(warehouse: Warehouse, path: str | Path) -> Path:
    """Write every attempt at every trial into a ``.csv`` or ``.parquet`` file.

    One row per attempt, in the order they were made, with a column ``value: <measure>`` for each measure. The design
    stands in a file beside it, ``<name>.design.json``.
    """
    expect_warehouse(warehouse)
    path = _known(path)
    rows = [
        {
            **record.key._asdict(),
            "status": record.status,
            **{f"{_VALUE}{name}": value for name, value in record.values.items()},
            **{name: getattr(record, name) for name in ("repeat", "fold", "n_learn", "n_test", "seed", "started")},
            "fit_seconds": record.fit_seconds,
            "predict_seconds": record.predict_seconds,
            **{name: getattr(record, name) for name in ("host", "error_type", "message", "traceback")},
            "warnings": json.dumps(list(record.warnings)),
        }
        for record in warehouse.records()
    ]
    frame = pd.DataFrame(rows)
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    else:
        try:
            frame.to_parquet(path, index=False)
        except ImportError:
            raise MissingExtraError("Writing Parquet files", "pyarrow", "parquet") from None
    _design_path(path).write_text(json.dumps(warehouse.design), encoding="utf-8")
    return path


def import_trials(path: str | Path, warehouse: Warehouse) -> int:
    """Read into an empty warehouse what `export_trials` wrote; return the number of attempts."""
    expect_warehouse(warehouse)
    path = _known(path)
    if not path.exists():
        raise InputError(f"There is no file {str(path)!r}.")
    if warehouse.counts():
        raise InputError(f"The warehouse {warehouse.name!r} is not empty; import into a new one and merge it.")
    if not _design_path(path).exists():
        raise InputError(f"The design {_design_path(path).name!r} is not beside {path.name!r}.")
    is_csv = path.suffix == ".csv"
    frame = pd.read_csv(path, keep_default_na=False, dtype=str) if is_csv else pd.read_parquet(path)
    design = json.loads(_design_path(path).read_text(encoding="utf-8"))
    if design is not None:
        warehouse.set_design(design, fingerprint="imported")
    records = [_record(row) for row in frame.to_dict("records")]
    warehouse.append(records)
    return len(records)


def _record(row: dict[Any, Any]) -> TrialRecord:
    values = {
        str(name)[len(_VALUE) :]: _number(cell)
        for name, cell in row.items()
        if str(name).startswith(_VALUE) and row["status"] == "done"
    }
    whole: dict[str, Any] = {name: int(row[name]) for name in _WHOLE}
    text: dict[str, Any] = {name: str(row[name]) for name in _TEXT}
    key = TrialKey(text.pop("dataset"), whole.pop("replication"), text.pop("algorithm"))
    return TrialRecord(
        key=key,
        status=text.pop("status"),
        values=values,
        started=_number(row["started"]),
        fit_seconds=_number(row["fit_seconds"]),
        predict_seconds=_number(row["predict_seconds"]),
        warnings=tuple(json.loads(row["warnings"])),
        **whole,
        **text,
    )


def _number(cell: Any) -> float:
    return float("nan") if cell is None or cell == "" else float(cell)


def _known(path: str | Path) -> Path:
    path = Path(path)
    if path.suffix not in (".csv", ".parquet"):
        raise InputError(f"`path` must end in .csv or .parquet; got {path.name!r}.")
    return path


def _design_path(path: Path) -> Path:
    return path.with_name(f"{path.stem}.design.json")
