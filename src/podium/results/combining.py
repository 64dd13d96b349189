"""Joining two cubes into one, with a report where they contradict each other."""

from __future__ import annotations

from typing import Literal, TypeVar

import numpy as np
import pandas as pd

from podium.errors import ConflictError, InputError, listing
from podium.results.cube import STRUCTURE_FIELDS, Cube, IntArray
from podium.results.labels import AXES, Axis, Label, natural_key
from podium.results.selecting import axis_labels

C = TypeVar("C", bound=Cube)
Conflict = Literal["raise", "first", "second"]


def combine(first: C, second: Cube, on_conflict: Conflict) -> tuple[C, pd.DataFrame]:
    """Join two cubes; a cell that only one of them measured is taken from that one.

    Returns the joint cube and a frame with the cells both measured with different values.
    """
    if on_conflict not in ("raise", "first", "second"):
        raise InputError(f"`on_conflict` must be 'raise', 'first' or 'second'; got {on_conflict!r}.")
    _refuse_other_measures(first, second)
    labels = {axis: _union(axis_labels(first, axis), axis_labels(second, axis), axis) for axis in AXES}
    place_first, place_second = _Place(first, labels), _Place(second, labels)
    one, two = place_first.cells(first.values, np.nan), place_second.cells(second.values, np.nan)
    why_one, why_two = place_first.cells(first.reasons, 1), place_second.cells(second.reasons, 1)
    both = ~np.isnan(one) & ~np.isnan(two)
    conflicts = np.argwhere(both & (one != two))
    report = pd.DataFrame(
        {
            **{axis: [labels[axis][at[i]] for at in conflicts] for i, axis in enumerate(AXES)},
            "first": one[tuple(conflicts.T)],
            "second": two[tuple(conflicts.T)],
        }
    )
    if len(report) and on_conflict == "raise":
        raise _conflict_error(report)
    from_second = np.isnan(one) if on_conflict != "second" else ~np.isnan(two)
    measures = {info.name: info for info in (*second.measures, *first.measures)}
    joint = first.replace(
        values=np.where(from_second, two, one),
        # A reason that says something wins over "absent".
        reasons=np.maximum(why_one, why_two),
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
    """Where the cells of one cube stand in the joint grid."""

    def __init__(self, cube: Cube, labels: dict[Axis, tuple[Label, ...]]) -> None:
        self._shape = tuple(len(labels[axis]) for axis in AXES)
        self._at = [
            [where[str(label)] for label in axis_labels(cube, axis)]
            for axis in AXES
            for where in [{str(label): i for i, label in enumerate(labels[axis])}]
        ]

    def cells(self, array: np.ndarray, fill: float) -> np.ndarray:
        grown = np.full(self._shape, fill, array.dtype)
        grown[np.ix_(*self._at)] = array
        return grown

    def blocks(self, array: np.ndarray, fill: float) -> np.ndarray:
        grown = np.full(self._shape[:2], fill, array.dtype)
        grown[np.ix_(*self._at[:2])] = array
        return grown


def _union(first: tuple[Label, ...], second: tuple[Label, ...], axis: Axis) -> tuple[Label, ...]:
    """Keep the order of the first and append what is new; replications are sorted through."""
    joint = (*first, *(label for label in second if label not in set(first)))
    if axis != "replication":
        return joint
    if len({type(label) for label in joint}) > 1:
        joint = tuple(str(label) for label in joint)
    return tuple(sorted(joint, key=natural_key))


def _refuse_other_measures(first: Cube, second: Cube) -> None:
    known = {info.name: info for info in first.measures}
    for info in second.measures:
        mine = known.get(info.name)
        if mine is not None and (mine.direction, mine.unit) != (info.direction, info.unit):
            raise ConflictError(
                f"The measure {info.name!r} is not the same in both: {mine} and {info}. "
                "Rename one of them, or read one again with the right direction and unit.",
                pd.DataFrame([mine, info]),
            )


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
    first: Cube,
    second: Cube,
    place_first: _Place,
    place_second: _Place,
    labels: dict[Axis, tuple[Label, ...]],
) -> dict[str, IntArray]:
    joined = {}
    shape = (len(labels["dataset"]), len(labels["replication"]))
    nothing = np.full(shape, -1, np.int64)
    for name in STRUCTURE_FIELDS:
        if name in first.structure or name in second.structure:
            one = place_first.blocks(first.structure[name], -1) if name in first.structure else nothing
            two = place_second.blocks(second.structure[name], -1) if name in second.structure else nothing
            clash = np.argwhere((one >= 0) & (two >= 0) & (one != two))
            if len(clash):
                m, b = clash[0]
                places = listing([labels["dataset"][m], labels["replication"][b]])
                raise ConflictError(
                    f"The replications are not the same in both: {name!r} of {places} is {one[m, b]} and {two[m, b]}. "
                    "Rename the replications of one of them.",
                    pd.DataFrame({"dataset": [labels["dataset"][m]], "replication": [labels["replication"][b]]}),
                )
            joined[name] = np.maximum(one, two)
    return joined
