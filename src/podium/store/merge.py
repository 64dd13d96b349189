"""What a merge of two warehouses adds, and whether their designs and values agree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from podium.design.spec.difference import differences
from podium.errors import ConflictError, DesignChangedError, plural
from podium.store.decision import Decision
from podium.store.record import TrialKey, TrialRecord


def joint_design(design: dict[str, Any], other: dict[str, Any], name: str, other_name: str) -> dict[str, Any]:
    """Name everything that either design names, under the identities of the first where both name it.

    The experiment's own text stays that of the first.

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
        **_joint(design, other, "identities"),
        **_joint(design, other, "record"),
    }


def _joint(design: dict[str, Any], other: dict[str, Any], key: str) -> dict[str, Any]:
    """Join what two designs say about each data set, algorithm and measure, if both say something."""
    mine, theirs = design.get(key), other.get(key)
    if mine is None or theirs is None:
        return {}
    return {key: {**mine, **{part: {**theirs[part], **mine[part]} for part in ("datasets", "algorithms", "measures")}}}


def new_trials(
    known: Iterable[TrialRecord], offered: Iterable[TrialRecord], design: dict[str, Any], name: str, other_name: str
) -> list[TrialRecord]:
    """Return the offered attempts at trials that are not known, or at which a measure is not known.

    A trial under another identity of its data set or algorithm is another trial.

    Raises
    ------
    ConflictError
        If a trial is done in both with different values.
    """
    values: dict[Any, dict[tuple[str, str], float]] = {}
    for record in known:
        values.setdefault(_trial(record), {}).update(_measured(record))
    # Times and memory, on a log scale, never repeat.
    unsteady = {entry["name"] for entry in design["measures"] if entry["scale"] == "log"}
    new: list[TrialRecord] = []
    conflicts: list[TrialKey] = []
    for record in offered:
        mine, theirs = values.get(_trial(record)), _measured(record)
        if mine is None or theirs.keys() - mine.keys():
            new.append(record)
        shared = [measure for measure in theirs if mine and measure in mine and measure[0] not in unsteady]
        if mine and not np.array_equal([mine[m] for m in shared], [theirs[m] for m in shared], equal_nan=True):
            conflicts.append(record.key)
    if conflicts:
        raise ConflictError(
            f"{plural(len(conflicts), 'trial')} with different values in {other_name!r} and in {name!r}, first "
            f"{conflicts[0]}. Nothing was merged; the error's `report` lists them.",
            pd.DataFrame(conflicts),
        )
    return new


def new_decisions(
    known: Iterable[tuple[float, Decision]], offered: Iterable[tuple[float, Decision]], name: str, other_name: str
) -> list[tuple[float, Decision]]:
    """Return the offered decisions of stopping rules that are not known.

    Raises
    ------
    ConflictError
        If the two decided differently about the same stage with the same rule.
    """
    mine = {_decided(decision): decision.document() for _, decision in known}
    new = []
    for created, decision in offered:
        if _decided(decision) not in mine:
            new.append((created, decision))
        elif mine[_decided(decision)] != decision.document():
            about = f"the data set {decision.dataset!r}" if decision.dataset else "the domain"
            raise ConflictError(
                f"The stopping rule decided differently in {other_name!r} and in {name!r}, first in stage "
                f"{decision.stage} of {about}. Nothing was merged.",
                pd.DataFrame([{"dataset": decision.dataset, "stage": decision.stage}]),
            )
    return new


def _decided(decision: Decision) -> tuple[str, str, int]:
    return decision.identity.digest, decision.dataset, decision.stage


def _trial(record: TrialRecord) -> tuple[TrialKey, str, str]:
    return record.key, record.identity.dataset, record.identity.algorithm


def _measured(record: TrialRecord) -> dict[tuple[str, str], float]:
    return {(name, record.identity.measures.get(name, "")): value for name, value in record.values.items()}


def _contradictions(design: dict[str, Any], other: dict[str, Any]) -> list[str]:
    found = []
    if design.get("record") is not None and other.get("record") is not None:
        found = [str(d) for d in differences(design["record"], other["record"]) if d.contradicts]
    mine = {entry["name"]: entry for entry in design["measures"]}
    for entry in other["measures"]:
        if entry["name"] in mine and entry["direction"] != mine[entry["name"]]["direction"]:
            found.append(f"{entry['name']!r}: {mine[entry['name']]['direction']} and {entry['direction']} is better")
    if bool(design.get("recorded")) != bool(other.get("recorded")):
        found.append("one is written by a Recorder, the other by runs")
    if design.get("stopping") != other.get("stopping"):
        found.append("the stopping rules differ: what one of them left out, the other would run")
    return found
