"""Labelled arrays: numpy arrays with labels, and xarray."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from podium.arrays import FloatArray
from podium.checks import is_collection, shown
from podium.errors import AmbiguousInputError, CellValueError, InputError, MissingExtraError, join_names, plural
from podium.results.cube import Cube
from podium.results.forms.arguments import Arguments
from podium.results.forms.columns import cell_number, is_empty_cell
from podium.results.forms.roles import find_roles
from podium.results.labels import AXES, PLURAL, Axis, Label, clean_labels


class _ValuesAndLabels(NamedTuple):
    values: FloatArray
    labels: dict[Axis, tuple[Label, ...]]


class LabelledArray(_ValuesAndLabels):
    """An array, `values`, and the labels of its axes in their order, `labels`."""

    __slots__ = ()

    def __new__(cls, values: Any, labels: Mapping[Any, Iterable[Any] | None]) -> Self:
        """Check that the labels fit the array."""
        return super().__new__(cls, *_labelled(values, Arguments(labels=labels).labels))


def from_array(values: Any, labels: Mapping[Any, Iterable[Any] | None] | None, arguments: Arguments) -> Cube:
    """Read an array; `labels` maps each axis, in the order of the array, to its labels (None numbers them)."""
    arguments.only_for("an array", "labels")
    array, named = _labelled(values, labels)
    axes = list(named)
    if "dataset" in axes:
        arguments.refuse_dataset("`labels` names the data sets here")
    absent = [axis for axis in AXES if axis not in axes]
    order = [[*axes, *absent].index(axis) for axis in AXES]
    cube = array.reshape(array.shape + (1,) * len(absent)).transpose(order)
    if "measure" in axes:
        kept = arguments.chosen(named["measure"])
        cube, named["measure"] = (cube[..., kept], tuple(named["measure"][i] for i in kept))
    return Cube(
        values=cube,
        datasets=tuple(map(str, named.get("dataset", (arguments.dataset_name,)))),
        replications=named.get("replication", (1,)),
        algorithms=tuple(map(str, named["algorithm"])),
        measures=arguments.describe(named["measure"]) if "measure" in named else arguments.describe_only(),
        form="array",
        origin=f"array of shape {array.shape}: {' × '.join(PLURAL[axis] for axis in axes)}",
    )


def _labelled(values: Any, labels: Mapping[Any, Iterable[Any] | None] | None) -> _ValuesAndLabels:
    """Check that the labels fit the array."""
    array = _numbers(values)
    if labels is None:
        raise AmbiguousInputError(
            f"The array of shape {array.shape} has no labels. Name its axes in their order, with their labels: "
            "labels={'dataset': [...], 'replication': None, 'algorithm': [...]} (None numbers them)."
        )
    axes: list[Axis] = [axis for axis in labels if axis in AXES]
    if len(axes) < len(labels) or len(axes) != array.ndim or "algorithm" not in axes:
        raise InputError(
            f"`labels` must give each axis of the array (it has {array.ndim}) a different name out of "
            f"{join_names(AXES)}, and one of them must be 'algorithm'; got {join_names(labels) or 'none'}."
        )
    named: dict[Axis, tuple[Label, ...]] = {}
    for axis, size in zip(axes, array.shape, strict=True):
        given = range(1, size + 1) if labels[axis] is None else labels[axis]
        if not is_collection(given):
            raise InputError(f"`labels[{axis!r}]` must be labels, or None to number them; got {shown(given)}.")
        named[axis] = clean_labels(given, axis)
        if len(named[axis]) != size:
            raise InputError(
                f"`labels[{axis!r}]` must have {plural(size, 'label')}, one for each entry of the axis; got "
                f"{len(named[axis])}."
            )
    return _ValuesAndLabels(array, named)


def from_xarray(source: Any, arguments: Arguments) -> Cube:
    """Read an xarray DataArray, or a Dataset with one variable per measure; the dimensions name the axes."""
    arguments.only_for("an xarray object")
    if hasattr(source, "data_vars"):
        source = source.to_dataarray("measure")
    axis_of = {dim: axis for axis, dim in find_roles(source.dims).items() if axis in AXES}
    unknown = [dim for dim in source.dims if dim not in axis_of]
    if unknown:
        raise AmbiguousInputError(
            f"The dimension {join_names(unknown)} has no known role. Rename it to one of {join_names(AXES)}, for "
            f"example array.rename({{{unknown[0]!r}: 'algorithm'}})."
        )
    labels = {
        axis_of[dim]: list(source.coords[dim].to_index()) if dim in source.coords else None for dim in source.dims
    }
    if arguments.measure is None and "measure" not in labels and isinstance(source.name, str):
        arguments = arguments.replace(measure=source.name)
    return from_array(source.values, labels, arguments)


def to_array(cube: Cube) -> LabelledArray:
    """Values as a new M × B × K × J array with its labels; NaN where missing."""
    labels: dict[Axis, tuple[Label, ...]] = {
        "dataset": cube.datasets,
        "replication": cube.replications,
        "algorithm": cube.algorithms,
        "measure": cube.measure_names,
    }
    return LabelledArray(cube.values, labels)


def to_xarray(cube: Cube) -> Any:
    """Values as an xarray DataArray with the four dimensions."""
    try:
        import xarray
    except ImportError:
        raise MissingExtraError("`to_xarray`", "xarray", "xarray") from None
    values, labels = to_array(cube)
    return xarray.DataArray(values, coords={axis: list(names) for axis, names in labels.items()}, dims=list(labels))


def _numbers(values: Any) -> FloatArray:
    """Turn an array of any type into floats, NaN where it is masked or empty."""
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(np.float64), np.nan)
    try:
        array = np.asarray(values)
    except ValueError:
        raise CellValueError("The array must have rows of equal length.") from None
    if array.dtype.kind in "biuf":
        return array.astype(np.float64)
    if array.dtype.kind not in "OU":
        raise CellValueError(f"The array must hold numbers; it holds {array.dtype}.")
    floats = np.array([cell_number(cell) for cell in array.flat], np.float64).reshape(array.shape)
    for at in np.argwhere(np.isnan(floats)):
        cell = array.astype(object)[tuple(at)]
        if not is_empty_cell(cell):
            raise CellValueError(f"The array must hold numbers; at {tuple(at.tolist())} it holds {shown(cell)}.")
    return floats
