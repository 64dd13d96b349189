"""Results as tables: long, trials, wide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, BoolArray
from podium.errors import InputError, LabelError, listing
from podium.results.cube import MEASURED, REASON_NAMES, STRUCTURE_FIELDS, Cube
from podium.results.forms.asked import Stored
from podium.results.forms.roles import role_of
from podium.results.measure_info import MeasureInfo

NOTE = "podium"  # where a frame (in `attrs`) or a file carries what is known of the measures


def to_long(cube: Cube, *, categories: bool = False) -> pd.DataFrame:
    """One row per cell of the design; a missing cell has an empty value and its reason.

    With `categories` the labels are categoricals, which take far less time and memory than text.
    """
    rows = _Rows(cube.design, cube.shape)
    labels = _categorical if categories else _text
    data: dict[str, Any] = {
        "dataset": labels(cube.datasets, rows.along(0)),
        "algorithm": labels(cube.algorithms, rows.along(2)),
        "replication": _replications(cube, rows.along(1)),
        "measure": labels(cube.measure_names, rows.along(3)),
        "value": rows.of(cube.values),
    }
    data |= {name: rows.of(array[:, :, None, None]) for name, array in cube.structure.items()}
    if cube.missing.any():
        data["reason"] = labels(REASON_NAMES, rows.of(cube.reasons))
    return _frame(data, cube)


def to_trials(cube: Cube) -> pd.DataFrame:
    """One row per trial, one column per measure; refused where one trial's measures miss for different reasons."""
    rows = _Rows(cube.design, cube.shape[:3])
    data: dict[str, Any] = {
        "dataset": _text(cube.datasets, rows.along(0)),
        "algorithm": _text(cube.algorithms, rows.along(2)),
        "replication": _replications(cube, rows.along(1)),
    }
    data |= {name: rows.of(array[:, :, None]) for name, array in cube.structure.items()}
    clash = [name for name in cube.measure_names if role_of(name) not in (None, "value", "direction", "units", "scale")]
    if clash:
        raise LabelError(
            f"The measure {listing(clash)} has a name that means something else in a table of trials; rename it first, "
            "or use `to_long()`."
        )
    data |= {name: rows.of(cube.values[..., j]) for j, name in enumerate(cube.measure_names)}
    if cube.missing.any():
        worst = np.max(cube.reasons, axis=3)
        mixed = (cube.reasons != MEASURED) & (cube.reasons != worst[..., None])
        if mixed.any():
            m, b, k, _ = np.argwhere(mixed)[0]
            raise InputError(
                f"The measures of {cube.algorithms[k]} on {cube.datasets[m]}, replication {cube.replications[b]}, are "
                "missing for different reasons, which one row per trial cannot say. Use `to_long()`."
            )
        data["reason"] = _text(REASON_NAMES, rows.of(worst))
    return _frame(data, cube)


def to_wide(cube: Cube) -> pd.DataFrame:
    """One row per (data set, replication), one column per algorithm, of the one measure there is."""
    if len(cube.measures) > 1:
        raise InputError(
            f"A wide table holds one measure; these results have {listing(cube.measure_names)}. "
            f"Choose one: to_wide(measure={cube.measure_names[0]!r})."
        )
    m, b = np.nonzero(cube.design)
    index = pd.MultiIndex.from_arrays(
        [_text(cube.datasets, m), _replications(cube, b)], names=["dataset", "replication"]
    )
    frame = pd.DataFrame(cube.values[m, b, :, 0], index=index, columns=list(cube.algorithms))
    frame.columns.name = cube.measures[0].name
    frame.attrs[NOTE] = note(cube.measures)
    return frame


def note(measures: Sequence[MeasureInfo]) -> dict[str, Any]:
    """Write what is known of measures in JSON's terms."""
    return {
        "measures": [{"name": i.name, "direction": i.direction, "units": i.units, "scale": i.scale} for i in measures]
    }


def read_note(written: Any) -> Stored:
    """Read what `note` wrote; anything else says nothing."""
    if not isinstance(written, Mapping):
        return {}
    return {entry["name"]: dict(entry) for entry in written.get("measures", [])}


class _Rows:
    """The cells of the design, one after the other: what stands in each row of a table of them."""

    def __init__(self, design: BoolArray, shape: tuple[int, ...]) -> None:
        self._shape = shape
        self._there = None if design.all() else design.reshape(design.shape + (1,) * (len(shape) - 2))

    def of(self, array: AnyArray) -> AnyArray:
        """Return the entry of each row, from an array that is as large as the cube or constant along some axes."""
        full = np.broadcast_to(array, self._shape)
        return full.reshape(-1) if self._there is None else full[np.broadcast_to(self._there, self._shape)]

    def along(self, axis: int) -> AnyArray:
        """Return the position of each row along an axis."""
        shape = [1] * len(self._shape)
        shape[axis] = -1
        return self.of(np.arange(self._shape[axis]).reshape(shape))


def _text(labels: Sequence[Any], at: AnyArray) -> Any:
    return pd.Index(labels).take(at)


def _categorical(labels: Sequence[str], at: AnyArray) -> Any:
    return pd.Categorical.from_codes(at, categories=pd.Index(labels))


def _replications(cube: Cube, at: AnyArray) -> Any:
    if all(isinstance(label, int) for label in cube.replications):
        return np.take(np.array(cube.replications, np.int64), at)
    return _text(cube.replications, at)


def _frame(data: Mapping[str, Any], cube: Cube) -> pd.DataFrame:
    """Make the frame, -1 (unknown) as an empty cell, and let it carry what is known of the measures."""
    frame = pd.DataFrame(data)
    for name in STRUCTURE_FIELDS:
        if name in frame and (frame[name] < 0).any():
            frame[name] = frame[name].astype("Int64").mask(frame[name] < 0)
    frame.attrs[NOTE] = note(cube.measures)
    return frame
