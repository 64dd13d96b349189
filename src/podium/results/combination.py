"""Combination of two cubes into one, with a report where they contradict each other."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypeVar, get_args

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, IntArray
from podium.checks import check_choice
from podium.errors import ConflictError
from podium.results.cube import ABSENT, STRUCTURE_FIELDS, Cube
from podium.results.labels import AXES, Axis, Label, clean_labels, natural_key
from podium.results.selection import axis_labels

C = TypeVar("C", bound=Cube)
Conflict: TypeAlias = Literal["raise", "first", "second"]
JointLabels: TypeAlias = dict[Axis, tuple[Label, ...]]


def combine(first: C, second: Cube, on_conflict: Conflict) -> tuple[C, pd.DataFrame]:
    """Join two cubes; a cell that only one of them measured is taken from that one.

    Returns the joint cube and a frame with the cells both measured with different values.
    """
    check_choice(on_conflict, get_args(Conflict), "on_conflict")
    _refuse_other_measures(first, second)
    labels: JointLabels = {axis: _union(axis_labels(first, axis), axis_labels(second, axis), axis) for axis in AXES}
    place_first, place_second = _Place(first, labels), _Place(second, labels)
    one, two = (place_first.cells(first.values, np.nan), place_second.cells(second.values, np.nan))
    report = _conflict_report(one, two, labels)
    if len(report) and on_conflict == "raise":
        raise _conflict_error(report)
    from_second = np.isnan(one) if on_conflict != "second" else ~np.isnan(two)
    measures = {info.name: info for info in (*second.measures, *first.measures)}
    reasons = np.maximum(place_first.cells(first.reasons, ABSENT), place_second.cells(second.reasons, ABSENT))
    joint = first.replace(
        values=np.where(from_second, two, one),
        reasons=reasons,  # a specific reason wins over "absent"
        design=place_first.blocks(first.design, False) | place_second.blocks(second.design, False),
        structure=_join_structure(first, second, place_first, place_second, labels),
        datasets=labels["dataset"],
        replications=labels["replication"],
        algorithms=labels["algorithm"],
        measures=tuple(measures[str(name)] for name in labels["measure"]),
        origin=" + ".join(origin for origin in (first.origin, second.origin) if origin),
        reports=(*first.reports, *second.reports),
    )
    return joint, report


class _Place:
    """Where the cells of one cube are in the joint grid."""

    def __init__(self, cube: Cube, labels: JointLabels) -> None:
        self._shape = tuple(len(labels[axis]) for axis in AXES)
        self._at: list[list[int]] = []
        for axis in AXES:
            where = {str(label): i for i, label in enumerate(labels[axis])}
            self._at.append([where[str(label)] for label in axis_labels(cube, axis)])

    def cells(self, array: AnyArray, fill: float) -> AnyArray:
        grown = np.full(self._shape, fill, array.dtype)
        grown[np.ix_(*self._at)] = array
        return grown

    def blocks(self, array: AnyArray, fill: float) -> AnyArray:
        grown = np.full(self._shape[:2], fill, array.dtype)
        grown[np.ix_(*self._at[:2])] = array
        return grown


def _union(first: tuple[Label, ...], second: tuple[Label, ...], axis: Axis) -> tuple[Label, ...]:
    """Keep the order of the first and append what is new; replications are sorted."""
    seen = {str(label) for label in first}
    joint = clean_labels((*first, *(label for label in second if str(label) not in seen)), axis)
    return tuple(sorted(joint, key=natural_key)) if axis == "replication" else joint


def _refuse_other_measures(first: Cube, second: Cube) -> None:
    known = {info.name: info for info in first.measures}
    for info in second.measures:
        mine = known.get(info.name)
        if mine is not None and (mine.direction, mine.units) != (info.direction, info.units):
            raise ConflictError(
                f"The measure {info.name!r} is not the same in both: {mine} and {info}. "
                "Rename one of them, or read one again with the right direction and units.",
                pd.DataFrame([mine, info]),
            )


def _conflict_report(one: AnyArray, two: AnyArray, labels: JointLabels) -> pd.DataFrame:
    at = np.nonzero(~np.isnan(one) & ~np.isnan(two) & (one != two))
    names: dict[str, Any] = {axis: [labels[axis][i] for i in index] for axis, index in zip(AXES, at, strict=True)}
    return pd.DataFrame({**names, "first": one[at], "second": two[at]})


def _conflict_error(report: pd.DataFrame) -> ConflictError:
    rows = [
        f"{r.algorithm} on {r.dataset}, replication {r.replication}, {r.measure}: {r.first:g} and {r.second:g}"
        for r in report.head(3).itertuples()
    ]
    more = f"; and {len(report) - 3} more" if len(report) > 3 else ""
    return ConflictError(
        f"{len(report)} cell{'s have' if len(report) > 1 else ' has'} different values in the two results: "
        f"{'; '.join(rows)}{more}. Choose with on_conflict='first' or 'second'; the error's `report` has them all.",
        report,
    )


def _join_structure(
    first: Cube, second: Cube, place_first: _Place, place_second: _Place, labels: JointLabels
) -> dict[str, IntArray]:
    joined = {}
    for name in STRUCTURE_FIELDS:
        if name not in first.structure and name not in second.structure:
            continue
        unknown = np.full((1, 1), -1)
        one = place_first.blocks(first.structure[name], -1) if name in first.structure else unknown
        two = place_second.blocks(second.structure[name], -1) if name in second.structure else unknown
        clash = np.argwhere((one >= 0) & (two >= 0) & (one != two))
        if len(clash):
            m, b = clash[0]
            dataset, replication = labels["dataset"][m], labels["replication"][b]
            raise ConflictError(
                f"The replications are not the same in both: replication {replication!r} of {dataset!r} has the "
                f"{name} {one[m, b]} and {two[m, b]}. Rename the replications of one of them.",
                pd.DataFrame({"dataset": [dataset], "replication": [replication], "field": [name]}),
            )
        joined[name] = np.maximum(one, two)
    return joined
