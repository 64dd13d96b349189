"""Selection along the axes of a cube: parts by position or by label, new names, a completed grid."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, TypedDict, TypeVar

import numpy as np

from podium.arrays import IntArray
from podium.checks import check_keys, shown
from podium.errors import InputError, LabelError
from podium.results.cube import ABSENT, Cube
from podium.results.labels import AXES, PLURAL, Axis, Label, clean_labels, natural_key, noun, one_or_several, positions

C = TypeVar("C", bound=Cube)
F = TypeVar("F", bound=Callable[..., Any])
Positions: TypeAlias = Sequence[int] | IntArray


class AxisArguments(TypedDict, total=False):
    """One entry per axis, under its singular or its plural name."""

    measure: Any
    dataset: Any
    algorithm: Any
    replication: Any
    measures: Any
    datasets: Any
    algorithms: Any
    replications: Any


def takes_axis_arguments(method: F) -> F:
    """Show the names of `AxisArguments` in the signature of a method that takes them as keywords."""
    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = AxisArguments.__annotations__
    keywords = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in names]
    method.__signature__ = inspect.Signature([itself, *keywords])  # type: ignore[attr-defined]
    method.__annotations__ = {**dict.fromkeys(names, Any), "return": method.__annotations__["return"]}
    return method


class AxisArgument(NamedTuple):
    """What was given for one axis, and the name under which it was given."""

    name: str
    value: Any


def by_axis(given: AxisArguments, method: str) -> dict[Axis, AxisArgument]:
    """Sort the arguments of a method by axis; the singular and the plural name of an axis mean the same."""
    check_keys(given, AxisArguments.__annotations__, f"`{method}`", "argument")
    chosen: dict[Axis, AxisArgument] = {}
    for axis in AXES:
        singular, plural = given.get(axis), given.get(PLURAL[axis])
        if singular is not None and plural is not None:
            raise InputError(f"Give `{axis}` or `{PLURAL[axis]}`, not both.")
        if singular is not None:
            chosen[axis] = AxisArgument(axis, singular)
        elif plural is not None:
            chosen[axis] = AxisArgument(PLURAL[axis], plural)
    return chosen


def take(
    cube: C,
    *,
    dataset: Positions | None = None,
    replication: Positions | None = None,
    algorithm: Positions | None = None,
    measure: Positions | None = None,
) -> C:
    """Take positions along each axis (None: all); data sets and replications left without a block are dropped."""
    wanted = (dataset, replication, algorithm, measure)
    m, b, k, j = (
        np.arange(n) if p is None else np.asarray(p, np.intp) for n, p in zip(cube.shape, wanted, strict=True)
    )
    design = cube.design[np.ix_(m, b)]
    if not design.any():
        raise LabelError("Nothing is left: the chosen data sets have none of the chosen replications.")
    m, b = m[design.any(axis=1)], b[design.any(axis=0)]
    cells, blocks = np.ix_(m, b, k, j), np.ix_(m, b)
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
    return cube.measure_names if axis == "measure" else getattr(cube, PLURAL[axis])


def select(cube: C, wanted: Mapping[Axis, AxisArgument]) -> C:
    """Take the named labels along each axis, in the order they are named; an axis that is not named stays whole."""
    chosen = {
        axis: positions(axis_labels(cube, axis), labels, axis, argument) for axis, (argument, labels) in wanted.items()
    }
    return take(cube, **chosen)


def drop(cube: C, unwanted: Mapping[Axis, AxisArgument]) -> C:
    """Take everything except the named labels."""
    kept = {}
    for axis, (argument, labels) in unwanted.items():
        known = axis_labels(cube, axis)
        gone = set(positions(known, labels, axis, argument))
        if len(gone) == len(known):
            raise LabelError(f"`{argument}` names every {noun(axis)}; at least one must stay.")
        kept[axis] = [i for i in range(len(known)) if i not in gone]
    return take(cube, **kept)


def rename(cube: C, changes: Mapping[Axis, AxisArgument]) -> C:
    """Give labels new names; the order of the axis stays."""
    new: dict[str, Any] = {}
    for axis, (argument, mapping) in changes.items():
        if not isinstance(mapping, Mapping):
            raise InputError(f"`{argument}` must be a mapping from old to new names; got {shown(mapping)}.")
        if not mapping:
            continue
        known = axis_labels(cube, axis)
        at = dict(zip(positions(known, list(mapping), axis, argument), mapping.values(), strict=True))

        def where(i: int, known: tuple[Label, ...] = known) -> str:
            return f"for {known[i]!r}"

        labels = clean_labels((at.get(i, label) for i, label in enumerate(known)), axis, where)
        new[PLURAL[axis]] = labels
        if axis == "measure":
            pairs = zip(cube.measures, labels, strict=True)
            new["measures"] = tuple(dataclasses.replace(info, name=str(name)) for info, name in pairs)
    return cube.replace(**new)


def complete(cube: C, wanted: Mapping[Axis, object]) -> C:
    """Complete the grid: add labels, and give every data set every replication; new cells are absent."""
    axes: dict[Axis, tuple[Label, ...]] = {}
    for axis in AXES:
        known = axis_labels(cube, axis)
        seen = {str(label) for label in known}
        more = clean_labels([] if wanted.get(axis) is None else one_or_several(wanted[axis]), axis)
        axes[axis] = clean_labels((*known, *(label for label in more if str(label) not in seen)), axis)
    shape = tuple(len(labels) for labels in axes.values())
    old = tuple(slice(n) for n in cube.shape)
    values = np.full(shape, np.nan)
    values[old] = cube.values
    reasons = np.full(shape, ABSENT, np.uint8)
    reasons[old] = cube.reasons
    structure = {}
    for name, array in cube.structure.items():
        structure[name] = np.full(shape[:2], -1, np.int64)
        structure[name][old[:2]] = array
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
    """Put all axes into natural order, so that two cubes with the same content become equal."""
    order: dict[Axis, list[int]] = {}
    for axis in AXES:
        keys = [natural_key(label) for label in axis_labels(cube, axis)]
        order[axis] = sorted(range(len(keys)), key=keys.__getitem__)
    return take(cube, **order)
