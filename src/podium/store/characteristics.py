"""Characteristics of learning samples in a warehouse, stored as trials of a special algorithm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import AnyArray
from podium.design.characteristics.selection import NAME
from podium.results import Results
from podium.store.database import Database
from podium.store.record import TrialRecord
from podium.store.rows import read_table, read_trials


def compared(database: Database) -> Iterator[dict[str, AnyArray]]:
    """Yield the columns of all trials of the algorithms that are compared; see `read_trials`."""
    labels = read_table(database, "label")
    others = [number for number, axis, name, _ in labels if (axis, name) == ("algorithm", NAME)]
    for rows in read_trials(database):
        inside = ~np.isin(rows["algorithm"], others)
        yield {name: column[inside] for name, column in rows.fields.items()}


def design_of_characteristics(design: Mapping[str, Any]) -> dict[str, Any]:
    """Return the design under which a warehouse has the characteristics of another one."""
    return {**{key: design[key] for key in ("datasets", "replications")}, **design["characteristics"]}


def characteristics_frame(cube: Results, records: Iterable[TrialRecord]) -> pd.DataFrame:
    """Return one row per learning sample that was described, with the reasons for missing values in `attrs`."""
    reasons: dict[tuple[str, int], dict[str, str]] = {}
    described = set()
    for record in records:
        key = (record.key.dataset, record.key.replication)
        described.add(key)
        why = dict(record.undefined)
        if record.status != "done" and not why:
            why = dict.fromkeys(cube.measure_names, record.message)
        if why:
            reasons[key] = why
    m, b = np.indices(cube.shape[:2]).reshape(2, -1)
    keys = [(cube.datasets[i], int(cube.replications[j])) for i, j in zip(m, b, strict=True)]
    index = pd.MultiIndex.from_tuples(keys, names=["dataset", "replication"])
    frame = pd.DataFrame(cube.values[m, b, 0], index=index, columns=list(cube.measure_names))
    frame = frame[[key in described for key in keys]]
    frame.attrs["reasons"] = reasons
    return frame
