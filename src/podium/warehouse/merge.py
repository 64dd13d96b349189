"""What a merge of two warehouses adds, and whether their designs and values agree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from podium.errors import ConflictError, DesignChangedError
from podium.setup.spec.difference import differences
from podium.warehouse.record import TrialKey, TrialRecord


def joint_design(design: dict[str, Any], other: dict[str, Any], name: str, other_name: str) -> dict[str, Any]:
    """Name everything that either design names; the experiment's own text stays that of the first.

    Raises
    ------
    DesignChangedError
        If the designs contradict each other.
    """
    contradictions = _contradictions(design, other)
    if contradictions:
        raise DesignChangedError(
            f"The warehouses {name!r} and {other_name!r} were made with designs that contradict each other:\n"
            + "\n".join(f"  {line}" for line in contradictions)
            + "\nNothing was merged."
        )
    names = {entry["name"] for entry in design["measures"]}
    return {
        **design,
        "datasets": list(dict.fromkeys([*design["datasets"], *other["datasets"]])),
        "algorithms": list(dict.fromkeys([*design["algorithms"], *other["algorithms"]])),
        "replications": max(design["replications"], other["replications"]),
        "measures": [*design["measures"], *(entry for entry in other["measures"] if entry["name"] not in names)],
    }


def new_trials(
    known: Iterable[TrialRecord], offered: Iterable[TrialRecord], design: dict[str, Any], name: str, other_name: str
) -> list[TrialRecord]:
    """Return the offered trials that are not known, or are known but not done.

    Raises
    ------
    ConflictError
        If a trial is done in both with different values.
    """
    newest = {record.key: record for record in known}
    steady = [entry["name"] for entry in design["measures"] if entry["scale"] != "log"]
    new: list[TrialRecord] = []
    conflicts: list[TrialKey] = []
    for record in offered:
        mine = newest.get(record.key)
        if mine is None or (mine.status != "done" and record.status == "done"):
            new.append(record)
        elif mine.status == record.status == "done" and not _same(mine, record, steady):
            conflicts.append(record.key)
    if conflicts:
        raise ConflictError(
            f"{len(conflicts)} trials have other values in {other_name!r} than in {name!r}, first {conflicts[0]}. "
            "Nothing was merged; the error's `report` lists them.",
            pd.DataFrame(conflicts),
        )
    return new


def _contradictions(design: dict[str, Any], other: dict[str, Any]) -> list[str]:
    found = []
    if design.get("record") is not None and other.get("record") is not None:
        found = [str(d) for d in differences(design["record"], other["record"]) if d.kind == "changes"]
    mine = {entry["name"]: entry for entry in design["measures"]}
    for entry in other["measures"]:
        if entry["name"] in mine and entry["direction"] != mine[entry["name"]]["direction"]:
            found.append(f"{entry['name']!r}: {mine[entry['name']]['direction']} and {entry['direction']} is better")
    return found


def _same(one: TrialRecord, two: TrialRecord, measures: list[str]) -> bool:
    """Compare the values of some measures: those of time and memory, on a log scale, never repeat."""
    a = [one.values.get(name, np.nan) for name in measures]
    b = [two.values.get(name, np.nan) for name in measures]
    return np.array_equal(a, b, equal_nan=True)
