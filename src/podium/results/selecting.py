"""Taking parts of a cube, by position or by label, and renaming labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from podium.errors import InputError, LabelError
from podium.results.cube import ABSENT, Cube
from podium.results.labels import AXES, PLURAL, Axis, Label, clean_labels, natural_key, positions

C = TypeVar("C", bound=Cube)
Positions = Sequence[int] | npt.NDArray[np.intp] | None


def take(
    cube: C,
    *,
    dataset: Positions = None,
    replication: Positions = None,
    algorithm: Positions = None,
    measure: Positions = None,
) -> C:
    """Take positions along each axis (None: all); data sets and replications left without a block go too."""
    size = cube.shape
    wanted = (dataset, replication, algorithm, measure)
    m, b, k, j = (np.arange(n) if p is None else np.asarray(p, np.intp) for n, p in zip(size, wanted, strict=True))
    design = cube.design[np.ix_(m, b)]
    if not design.any():
        raise LabelError("Nothing is left: the chosen data sets have none of the chosen replications.")
    m, b = m[design.any(axis=1)], b[design.any(axis=0)]
    cells = np.ix_(m, b, k, j)
    blocks = np.ix_(m, b)
    return cube.replace(
        values=cube.values[cells],
        reasons=cube.reasons[cells],
        design=cube.design[blocks],
        structure={name: array[blocks] for name, array in cube.structure.items()},
        datasets=tuple(cube.datasets[i] for i in m),
        replications=tuple(cube.replications[i] for i in b),
        algorithms=tuple(cube.algorithms[i] for i in k),
        measures=tuple(cube.measures[i] for i in j),
    )


def axis_labels(cube: Cube, axis: Axis) -> tuple[Label, ...]:
    """Labels along an axis; for measures, their names."""
    labels: tuple[Label, ...] = cube.measure_names if axis == "measure" else getattr(cube, PLURAL[axis])
    return labels


def select(cube: C, wanted: Mapping[Axis, object]) -> C:
    """Take the named labels along each axis, in the order they are named; None keeps the axis."""
    chosen = {
        axis: positions(axis_labels(cube, axis), labels, axis) for axis, labels in wanted.items() if labels is not None
    }
    return take(cube, **chosen)


def drop(cube: C, unwanted: Mapping[Axis, object]) -> C:
    """Take everything but the named labels."""
    kept = {}
    for axis, labels in unwanted.items():
        if labels is not None:
            known = axis_labels(cube, axis)
            gone = positions(known, labels, axis)
            if len(gone) == len(known):
                raise LabelError(f"`{PLURAL[axis]}` names every {axis}; at least one must stay.")
            kept[axis] = [i for i in range(len(known)) if i not in set(gone)]
    return take(cube, **kept)


def rename(cube: C, changes: Mapping[Axis, Mapping[Any, Any] | None]) -> C:
    """Give labels new names; the order of the axis stays."""
    new: dict[str, Any] = {}
    for axis, mapping in changes.items():
        if not mapping:
            continue
        known = axis_labels(cube, axis)
        at = dict(zip(positions(known, list(mapping), axis), mapping.values(), strict=True))
        labels = clean_labels(
            (at.get(i, label) for i, label in enumerate(known)),
            axis,
            lambda i, known=known: f"{known[i]!r}",  # type: ignore[misc]
        )
        if axis == "measure":
            new["measures"] = tuple(
                type(info)(str(name), info.direction, info.unit, info.scale)
                for info, name in zip(cube.measures, labels, strict=True)
            )
        else:
            new[PLURAL[axis]] = labels
    return cube.replace(**new)


def extend(cube: C, wanted: Mapping[Axis, Sequence[Any] | None]) -> C:
    """Complete the grid: add labels, and give every data set every replication; new cells are absent."""
    if wanted.get("measure") is not None:
        raise InputError("`complete` cannot invent measures; use `combine` to add them.")
    axes: dict[Axis, tuple[Label, ...]] = {}
    for axis in AXES:
        known = axis_labels(cube, axis)
        more = [label for label in clean_labels(wanted.get(axis) or (), axis) if label not in known]
        axes[axis] = clean_labels((*known, *more), axis)
    shape = tuple(len(labels) for labels in axes.values())
    old = tuple(slice(n) for n in cube.shape)
    values = np.full(shape, np.nan)
    values[old] = cube.values
    reasons = np.full(shape, ABSENT, np.uint8)
    reasons[old] = cube.reasons
    structure = {}
    for name, array in cube.structure.items():
        grown = np.full(shape[:2], -1, np.int64)
        grown[old[:2]] = array
        structure[name] = grown
    return cube.replace(
        values=values,
        reasons=reasons,
        design=np.ones(shape[:2], bool),
        structure=structure,
        datasets=axes["dataset"],
        replications=axes["replication"],
        algorithms=axes["algorithm"],
    )


def canonical(cube: C) -> C:
    """Put all axes into natural order, so that two cubes with the same content become alike."""
    order = {
        axis: sorted(range(len(labels)), key=lambda i, labels=labels: natural_key(labels[i]))  # type: ignore[misc]
        for axis in AXES
        for labels in [axis_labels(cube, axis)]
    }
    return take(cube, **order)
