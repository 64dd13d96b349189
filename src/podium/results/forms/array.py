"""Labelled arrays: numpy with labels beside it, and xarray."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from podium.errors import AmbiguousInputError, CellValueError, InputError, MissingExtraError, listing
from podium.results.cube import Cube, FloatArray
from podium.results.forms.roles import find_roles
from podium.results.forms.table import Describe
from podium.results.forms.wide import describe_one
from podium.results.labels import AXES, PLURAL, Axis, Label, clean_labels


class LabelledArray(NamedTuple):
    """A four-dimensional array and the labels of its axes, in the order of the axes."""

    values: FloatArray
    labels: dict[Axis, tuple[Label, ...]]


def from_array(
    values: Any,
    labels: Mapping[Axis, Iterable[Any] | None] | None,
    describe: Describe,
    *,
    measure: str | None,
    dataset: str,
) -> Cube:
    """Read an array; `labels` maps each axis, in the order of the array, to its labels (None numbers them)."""
    array = _numbers(values)
    if labels is None:
        raise AmbiguousInputError(
            f"The array of shape {array.shape} has no labels. Name its axes in their order, with their labels: "
            "labels={'dataset': [...], 'replication': None, 'algorithm': [...]} (None numbers them)."
        )
    axes = list(labels)
    wrong = [axis for axis in axes if axis not in AXES]
    if wrong or len(axes) != array.ndim:
        raise InputError(
            f"`labels` must name each of the {array.ndim} axes of the array with one of {listing(AXES)}; "
            f"got {listing(axes)}."
        )
    if "algorithm" not in axes:
        raise InputError("`labels` must have the key 'algorithm'.")
    named = {}
    for axis, size in zip(axes, array.shape, strict=True):
        given = labels[axis]
        names = clean_labels(range(1, size + 1) if given is None else given, axis)
        if len(names) != size:
            raise InputError(f"`labels[{axis!r}]` has {len(names)} labels for an axis of length {size}.")
        named[axis] = names
    absent = [axis for axis in AXES if axis not in axes]
    full = array.reshape(array.shape + (1,) * len(absent))
    order = [[*axes, *absent].index(axis) for axis in AXES]
    measures = describe(named["measure"]) if "measure" in named else describe_one(measure, describe, {})
    return Cube(
        values=full.transpose(order),
        datasets=named.get("dataset", (dataset,)),  # type: ignore[arg-type]
        replications=named.get("replication", (1,)),
        algorithms=named["algorithm"],  # type: ignore[arg-type]
        measures=measures,
        origin=f"array of shape {array.shape}: {' × '.join(PLURAL[axis] for axis in axes)}",
    )


def from_xarray(source: Any, describe: Describe, *, measure: str | None, dataset: str) -> Cube:
    """Read an xarray DataArray; the names of its dimensions say what they are."""
    roles = find_roles(source.dims)
    axis_of = {dim: axis for axis, dim in roles.items() if axis in AXES}
    unknown = [dim for dim in source.dims if dim not in axis_of]
    if unknown:
        raise AmbiguousInputError(
            f"The dimension {listing(unknown)} has no known role. Rename it to one of {listing(AXES)}, "
            "for example array.rename({'x': 'algorithm'})."
        )
    labels = {axis_of[dim]: list(source.coords[dim].values) if dim in source.coords else None for dim in source.dims}
    name = measure if measure is not None else source.name
    return from_array(source.values, labels, describe, measure=name, dataset=dataset)  # type: ignore[arg-type]


def to_array(cube: Cube) -> LabelledArray:
    """Values as a new M × B × K × J array with its labels; NaN where missing."""
    labels: dict[Axis, tuple[Label, ...]] = {
        "dataset": cube.datasets,
        "replication": cube.replications,
        "algorithm": cube.algorithms,
        "measure": cube.measure_names,
    }
    return LabelledArray(cube.values.copy(), labels)


def to_xarray(cube: Cube) -> Any:
    """Values as an xarray DataArray with the four dimensions."""
    try:
        import xarray
    except ImportError:
        raise MissingExtraError("`to_xarray`", "xarray", "xarray") from None
    values, labels = to_array(cube)
    return xarray.DataArray(values, coords={axis: list(names) for axis, names in labels.items()}, dims=list(labels))


def _numbers(values: Any) -> FloatArray:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise CellValueError(f"The array must hold numbers, with rows of equal length: {error}.") from None
    return array
