"""Putting the trials of one warehouse into another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from podium.errors import ConflictError, DesignChangedError
from podium.setup.difference import differences
from podium.warehouse.record import TrialKey, TrialRecord
from podium.warehouse.warehouse import Warehouse, expect_warehouse

_BATCH = 5000


def merge(target: Warehouse, source: Warehouse) -> int:
    """Add to a warehouse the trials of another that it does not have; return how many were added.

    Both must be made with designs that fit together: the same seed, resampling, data, algorithms and measures where
    they share a name. A trial that both have done must have the same values, times aside.

    Raises
    ------
    DesignChangedError
        If the designs contradict each other.
    ConflictError
        If both have done a trial with different values; its `report` lists them all.
    """
    expect_warehouse(target, "target")
    expect_warehouse(source, "source")
    design, other = target.design, source.design
    if other is None:
        return 0
    if design is not None:
        _refuse_other_design(design, other, target.name, source.name)
    known = {record.key: record for record in target.records()}
    fresh, conflicts = [], []
    for record in source.records():
        mine = known.get(record.key)
        if mine is None or (mine.status != "done" and record.status == "done"):
            fresh.append(record)
        elif mine.status == record.status == "done" and not _same(mine, record, design or other):
            conflicts.append(record.key)
    if conflicts:
        raise _conflict(conflicts, target.name, source.name)
    joint = other if design is None else _joint_design(design, other)
    if joint != design:
        target.set_design(joint, fingerprint="merged")
    for start in range(0, len(fresh), _BATCH):
        target.append(fresh[start : start + _BATCH])
    return len(fresh)


def _refuse_other_design(design: dict[str, Any], other: dict[str, Any], name: str, other_name: str) -> None:
    found = []
    if design.get("record") is not None and other.get("record") is not None:
        found = [str(d) for d in differences(design["record"], other["record"]) if d.kind == "changes"]
    mine = {entry["name"]: entry for entry in design["measures"]}
    for entry in other["measures"]:
        if entry["name"] in mine and entry["direction"] != mine[entry["name"]]["direction"]:
            found.append(f"{entry['name']!r}: {mine[entry['name']]['direction']} and {entry['direction']} is better")
    if found:
        raise DesignChangedError(
            f"The warehouses {name!r} and {other_name!r} were made with designs that contradict each other:\n"
            + "\n".join(f"  {line}" for line in found)
            + "\nNothing was merged."
        )


def _joint_design(design: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Name everything that either design names; the experiment's own text stays that of the first."""
    names = {entry["name"] for entry in design["measures"]}
    return {
        **design,
        "datasets": list(dict.fromkeys([*design["datasets"], *other["datasets"]])),
        "algorithms": list(dict.fromkeys([*design["algorithms"], *other["algorithms"]])),
        "replications": max(design["replications"], other["replications"]),
        "measures": [*design["measures"], *(entry for entry in other["measures"] if entry["name"] not in names)],
    }


def _same(one: TrialRecord, two: TrialRecord, design: dict[str, Any]) -> bool:
    """Compare values, but not of measures on a scale of time or memory, which never repeat."""
    steady = [entry["name"] for entry in design["measures"] if entry["scale"] != "log"]
    a = [one.values.get(name, np.nan) for name in steady]
    b = [two.values.get(name, np.nan) for name in steady]
    return np.array_equal(a, b, equal_nan=True)


def _conflict(keys: list[TrialKey], name: str, other_name: str) -> ConflictError:
    first = keys[0]
    return ConflictError(
        f"{len(keys)} trials have other values in {other_name!r} than in {name!r}, first {first.algorithm} on "
        f"{first.dataset}, replication {first.replication}. Nothing was merged; the error's `report` lists them.",
        pd.DataFrame(keys),
    )
