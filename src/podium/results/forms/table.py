"""Tables that name the algorithm in a column: long (one row per value) and trials (one row per trial)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from podium.errors import AmbiguousInputError, InputError, LabelError, listing
from podium.results.cube import REASON_NAMES, STRUCTURE_FIELDS, Cube
from podium.results.forms.assemble import (
    Cells,
    Coded,
    Rows,
    assemble,
    constant,
    encode,
    numbers,
    reason_codes,
    structure_column,
)
from podium.results.forms.roles import Role
from podium.results.measure_info import MeasureInfo

# Names of measures in, what is known of them out; `describe_measures` with the caller's words bound to it.
Describe: TypeAlias = Callable[..., tuple[MeasureInfo, ...]]
Stored: TypeAlias = Mapping[str, MeasureInfo]


def from_long(
    frame: pd.DataFrame,
    roles: Mapping[Role, Any],
    describe: Describe,
    *,
    dataset: str,
    stored: Stored,
    rows: Rows,
) -> Cube:
    """Read a table with one row per value: algorithm, measure, value, and what else is there."""
    measure = encode(frame[roles["measure"]], "measure", rows)
    told = {**stored, **_measure_columns(frame, roles, measure, rows)}
    measures = describe(measure.labels, stored=told)
    values = numbers(frame[roles["value"]], roles["value"], rows)[:, None]
    cells = Cells(values=values, measure=measure, **_places(frame, roles, dataset, rows))
    return assemble(cells, measures, _origin("long table", frame, roles))


def from_trials(
    frame: pd.DataFrame,
    roles: Mapping[Role, Any],
    describe: Describe,
    *,
    measure: str | Sequence[str] | None,
    dataset: str,
    stored: Stored,
    rows: Rows,
) -> Cube:
    """Read a table with one row per trial and one column per measure."""
    columns, names = _measure_columns_of_trials(frame, roles, measure)
    values = np.column_stack([numbers(frame[column], column, rows) for column in columns])
    measures = describe(names, stored=stored)
    cells = Cells(values=values, **_places(frame, roles, dataset, rows))
    origin = _origin("table of trials", frame, roles, f"measures {listing(columns, most=8)}")
    return assemble(cells, measures, origin)


def to_long(cube: Cube) -> pd.DataFrame:
    """One row per cell of the design; a missing cell has an empty value and its reason."""
    m, b, k, j = np.nonzero(np.broadcast_to(cube.design[:, :, None, None], cube.values.shape))
    data: dict[str, Any] = {
        "dataset": np.array(cube.datasets, object)[m],
        "algorithm": np.array(cube.algorithms, object)[k],
        "replication": _label_array(cube.replications)[b],
        "measure": np.array(cube.measure_names, object)[j],
        "value": cube.values[m, b, k, j],
    }
    data |= {name: array[m, b] for name, array in _structure(cube)}
    if cube.missing.any():
        data["reason"] = np.array(REASON_NAMES, object)[cube.reasons[m, b, k, j]]
    return _frame(data, cube)


def to_trials(cube: Cube) -> pd.DataFrame:
    """One row per trial, one column per measure; refused where one trial's measures miss for different reasons."""
    m, b, k = np.nonzero(np.broadcast_to(cube.design[:, :, None], cube.values.shape[:3]))
    data: dict[str, Any] = {
        "dataset": np.array(cube.datasets, object)[m],
        "algorithm": np.array(cube.algorithms, object)[k],
        "replication": _label_array(cube.replications)[b],
    }
    data |= {name: array[m, b] for name, array in _structure(cube)}
    clash = sorted(set(data) & set(cube.measure_names))
    if clash:
        raise LabelError(f"The measure {listing(clash)} has the name of another column; rename it first.")
    data |= {name: cube.values[m, b, k, j] for j, name in enumerate(cube.measure_names)}
    if cube.missing.any():
        codes = cube.reasons[m, b, k]
        worst = codes.max(axis=1)
        mixed = np.flatnonzero(((codes != 0) & (codes != worst[:, None])).any(axis=1))
        if mixed.size:
            i = mixed[0]
            raise InputError(
                f"The measures of {cube.algorithms[k[i]]} on {cube.datasets[m[i]]}, replication "
                f"{cube.replications[b[i]]}, are missing for different reasons, which one row per trial cannot say. "
                "Use `to_long()`."
            )
        data["reason"] = np.array(REASON_NAMES, object)[worst]
    return _frame(data, cube)


def _places(frame: pd.DataFrame, roles: Mapping[Role, Any], dataset: str, rows: Rows) -> dict[str, Any]:
    """Code where each row belongs, and take along reason and structure."""
    n = len(frame)
    structure = {
        name: structure_column(frame[roles[name]], str(roles[name]), rows)  # type: ignore[index]
        for name in STRUCTURE_FIELDS
        if name in roles
    }
    return {
        "dataset": encode(frame[roles["dataset"]], "dataset", rows) if "dataset" in roles else constant(dataset, n),
        "algorithm": encode(frame[roles["algorithm"]], "algorithm", rows) if "algorithm" in roles else None,
        "replication": replication_of(frame, roles, structure, rows),
        "reason": reason_codes(frame[roles["reason"]], rows) if "reason" in roles else None,
        "structure": structure,
        "rows": rows,
        "has_replication": bool({"replication", "repeat", "fold"} & set(roles)),
    }


def replication_of(
    frame: pd.DataFrame, roles: Mapping[Role, Any], structure: Mapping[str, np.ndarray], rows: Rows
) -> Coded:
    """Code the replication of each row: its own column, else repeat and fold numbered through, else 1."""
    if "replication" in roles:
        return encode(frame[roles["replication"]], "replication", rows)
    keys = [structure[name] for name in ("repeat", "fold") if name in structure]
    if not keys:
        return constant(1, len(frame))
    for name in ("repeat", "fold"):
        if name in structure and (structure[name] < 0).any():
            raise LabelError(
                f"The {name} is empty in {rows.many(np.flatnonzero(structure[name] < 0))}. Give every row its {name}."
            )
    pairs, codes = np.unique(np.column_stack(keys), axis=0, return_inverse=True)
    labels = tuple(int(p[0]) for p in pairs) if len(keys) == 1 else tuple(range(1, len(pairs) + 1))
    return Coded(labels, codes.reshape(-1))


def _measure_columns(frame: pd.DataFrame, roles: Mapping[Role, Any], measure: Coded, rows: Rows) -> Stored:
    """Read the direction, unit and scale columns of a long table, if it has a direction column."""
    if "direction" not in roles:
        return {}
    columns = [roles[role] for role in ("direction", "unit", "scale") if role in roles]
    seen = frame[columns].fillna("").assign(_measure=measure.codes).drop_duplicates()
    twice = seen[seen["_measure"].duplicated(keep=False)]
    if len(twice):
        name = measure.labels[int(twice["_measure"].iloc[0])]
        same = twice[twice["_measure"] == twice["_measure"].iloc[0]]
        raise InputError(
            f"The measure {name!r} is described in two ways in {rows.many(list(same.index[:5]))}: the columns "
            f"{listing(columns)} must be the same in all rows of a measure."
        )
    stored = {}
    for _, row in seen.iterrows():
        name = str(measure.labels[int(row["_measure"])])
        stored[name] = MeasureInfo(
            name,
            row[roles["direction"]],
            unit=str(row[roles["unit"]]) if "unit" in roles else "",
            scale=(row[roles["scale"]] or None) if "scale" in roles else None,
        )
    return stored


def _measure_columns_of_trials(
    frame: pd.DataFrame, roles: Mapping[Role, Any], measure: str | Sequence[str] | None
) -> tuple[list[Any], list[str]]:
    """Tell which columns of a table of trials are measures, and how they are called."""
    used = {column for role, column in roles.items() if role not in ("value", "measure")}
    left = [column for column in frame.columns if column not in used]
    wanted = [measure] if isinstance(measure, str) else list(measure or [])
    if len(wanted) == 1 and wanted[0] not in left and len(left) == 1:
        return left, wanted  # the one column of values, under the name it is given
    if wanted:
        unknown = [name for name in wanted if name not in left]
        if unknown:
            raise LabelError(f"`measure` names {listing(unknown)}; the columns left are {listing(left, most=12)}.")
        return wanted, [str(name) for name in wanted]
    text = [c for c in left if not pd.api.types.is_numeric_dtype(frame[c].dtype) and _mostly_text(frame[c])]
    numeric = [column for column in left if column not in text]
    if text:
        raise AmbiguousInputError(
            f"The column{'s' if len(text) > 1 else ''} {listing(text)} hold{'' if len(text) > 1 else 's'} text and "
            "have no known role. Say what they are with columns={'dataset': ..., 'replication': ...}, or name the "
            f"columns that are measures: measure={[str(c) for c in numeric] or ['...']}."
        )
    if not left:
        raise InputError(
            "The table names algorithms but has no column of values. Name the measure columns with measure=[...]."
        )
    return left, [str(column) for column in left]


def _mostly_text(column: pd.Series[Any]) -> bool:
    """Tell a column of words from a column of numbers with a slip in it."""
    return bool(pd.to_numeric(column, errors="coerce").notna().mean() < 0.5)


def _structure(cube: Cube) -> list[tuple[str, np.ndarray]]:
    return [(name, cube.structure[name]) for name in STRUCTURE_FIELDS if name in cube.structure]


def _label_array(labels: tuple[Any, ...]) -> np.ndarray:
    return np.array(labels) if all(isinstance(label, int) for label in labels) else np.array(labels, object)


def _frame(data: Mapping[str, Any], cube: Cube) -> pd.DataFrame:
    """Make the frame, -1 (unknown) as an empty cell, and let it carry what is known of the measures."""
    frame = pd.DataFrame(data)
    for name in STRUCTURE_FIELDS:
        if name in frame and (frame[name] < 0).any():
            frame[name] = frame[name].astype("Int64").mask(frame[name] < 0)
    frame.attrs["podium"] = {"measures": describe_as_json(cube.measures)}
    return frame


def describe_as_json(measures: tuple[MeasureInfo, ...]) -> list[dict[str, Any]]:
    """Write what is known of measures in JSON's terms."""
    return [{"name": i.name, "direction": i.direction, "unit": i.unit, "scale": i.scale} for i in measures]


def stored_measures(note: Any) -> Stored:
    """Read what `describe_as_json` wrote; anything else says nothing."""
    if not isinstance(note, Mapping):
        return {}
    return {entry["name"]: MeasureInfo(**entry) for entry in note.get("measures", [])}


def _origin(form: str, frame: pd.DataFrame, roles: Mapping[Role, Any], *more: str) -> str:
    renamed = [f"{role} in {column!r}" for role, column in roles.items() if role != column]
    found = [f"{form}, {len(frame):,} rows", *renamed, *more]
    if "dataset" not in roles:
        found.append("no dataset column: one data set")
    if not {"replication", "repeat", "fold"} & set(roles):
        found.append("no replication column: one replication")
    return "; ".join(found)
