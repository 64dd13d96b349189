"""The arrays and labels behind `Results`: one immutable, checked M × B × K × J cube."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from podium.arrays import AnyArray, BoolArray, CodeArray, FloatArray, Int64Array
from podium.checks import as_list, as_numbers, check_call, check_keys, shown
from podium.errors import CellValueError, InputError
from podium.results.labels import AXES, PLURAL, Label, clean_labels
from podium.results.measure_info import MeasureInfo

if TYPE_CHECKING:
    from podium.results.missing import MissingReport


# The code of a reason is its position; 0 stands for a cell that was measured.
# "stopped": never run because a stopping rule had decided, so planned and not missing at random.
REASON_NAMES = ("", "absent", "failed", "timeout", "skipped", "crashed", "stopped")
MEASURED, ABSENT, STOPPED = 0, 1, 6

# Facts about the samples of a replication, and all that some tests need about it; -1 where unknown. `planned` is the
# number of replications that its data set would have had if a stopping rule had not ended it early.
SAMPLE_FIELDS = ("repeat", "fold", "n_learn", "n_test")
STRUCTURE_FIELDS = (*SAMPLE_FIELDS, "independent", "planned")


@check_call
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Cube:
    """Values by data set, replication, algorithm and measure, with everything needed to read them.

    A data set need not have all replications of the axis: `design` says which it has, and cells outside
    the design are padding, never missing cells.
    """

    values: FloatArray
    datasets: tuple[str, ...]
    replications: tuple[Label, ...]
    algorithms: tuple[str, ...]
    measures: tuple[MeasureInfo, ...]
    design: BoolArray = None  # type: ignore[assignment]  # None in the constructor: every block is there
    reasons: CodeArray = None  # type: ignore[assignment]  # None in the constructor: what is missing is absent
    structure: Mapping[str, Int64Array] = field(default_factory=dict)
    origin: str = ""
    form: str = ""
    reports: tuple[MissingReport, ...] = ()
    warehouse: str = ""

    def __post_init__(self) -> None:
        put = object.__setattr__
        for name in ("datasets", "replications", "algorithms", "measures", "reports"):
            put(self, name, tuple(as_list(getattr(self, name), name, keys=False)))
        wrong = [measure for measure in self.measures if not isinstance(measure, MeasureInfo)]
        if wrong:
            raise InputError(f"`measures` must hold MeasureInfo, each with a direction; got {shown(wrong[0])}.")
        for name in ("origin", "form", "warehouse"):
            if not isinstance(getattr(self, name), str):
                raise InputError(f"`{name}` must be text; got {shown(getattr(self, name))}.")
        clean_labels(self.measure_names, "measure")
        for axis in ("dataset", "replication", "algorithm"):
            put(self, PLURAL[axis], clean_labels(getattr(self, PLURAL[axis]), axis))
        values = as_numbers(self.values, "values")
        self._check_shape(values)
        design = _array_like(self.design, True, values.shape[:2], "design").astype(bool)
        there = np.isfinite(values)
        if not there.all():
            self._refuse_infinite(values)
        if not design.all():
            padding = ~design[:, :, None, None]
            values, there = np.where(padding, np.nan, values), there & ~padding
        put(self, "values", _locked(values))
        put(self, "design", _locked(design))
        put(self, "reasons", _locked(self._reasons_where_missing(there)))
        put(self, "structure", MappingProxyType(self._checked_structure()))

    def _check_shape(self, values: FloatArray) -> None:
        expected = tuple(len(getattr(self, PLURAL[axis])) for axis in AXES)
        if values.shape != expected:
            raise InputError(
                f"`values` must have one entry per data set, replication, algorithm and measure: "
                f"shape {expected} according to the labels; got {values.shape}."
            )
        if 0 in expected:
            raise InputError(f"The table is empty: there is no {AXES[expected.index(0)]} in it.")

    def _refuse_infinite(self, values: FloatArray) -> None:
        infinite = np.argwhere(np.isinf(values))
        if len(infinite):
            m, b, k, j = infinite[0]
            raise CellValueError(
                f"{len(infinite):,} {'value is' if len(infinite) == 1 else 'values are'} infinite, first "
                f"{self.measures[j].name} of {self.algorithms[k]} on {self.datasets[m]}, replication "
                f"{self.replications[b]}. Give finite numbers, or leave the cells missing with a reason."
            )

    def _reasons_where_missing(self, there: BoolArray) -> CodeArray:
        """Keep the reasons of the missing cells only; without a reason, a missing cell is absent."""
        if there.all():
            return np.zeros(there.shape, np.uint8)
        given = _array_like(self.reasons, np.uint8(ABSENT), there.shape, "reasons")
        if given.max(initial=0) >= len(REASON_NAMES):
            raise InputError(f"`reasons` must hold codes below {len(REASON_NAMES)}; got {int(given.max())}.")
        reasons = np.where(there, MEASURED, np.maximum(given, ABSENT)).astype(np.uint8)
        reasons[~self.design[:, :, None, None] & (given != STOPPED)] = ABSENT
        return reasons

    def _checked_structure(self) -> dict[str, Int64Array]:
        """Lock each field; leave out a field about which nothing is known."""
        if not isinstance(self.structure, Mapping):
            raise InputError(f"`structure` must be a mapping from field to array; got {shown(self.structure)}.")
        check_keys(self.structure, STRUCTURE_FIELDS, "`structure`", "field")
        fields = {}
        for name in STRUCTURE_FIELDS:
            if name in self.structure:
                array = _array_like(self.structure[name], -1, self.design.shape, f"structure[{name!r}]")
                if self.design.any() and (array[self.design] >= 0).any():
                    fields[name] = _locked(np.where(self.design & (array >= 0), array, -1).astype(np.int64))
        return fields

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle through the constructor, so that a copy is locked as well."""
        fields = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return _rebuild, (type(self), {**fields, "structure": dict(self.structure)})

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Numbers of data sets, replications, algorithms and measures: M, B, K, J."""
        m, b, k, j = self.values.shape
        return m, b, k, j

    @property
    def present(self) -> BoolArray:
        """Which cells hold a value, as an M × B × K × J array of bool."""
        return np.equal(self.reasons, MEASURED)

    @property
    def missing(self) -> BoolArray:
        """Which cells of the design hold no value, as an M × B × K × J array of bool."""
        return np.not_equal(self.reasons, MEASURED) & self.design[:, :, None, None]

    @property
    def stopped(self) -> BoolArray:
        """Which cells were never run because a stopping rule had decided, as an M × B × K × J array of bool.

        Replications that were not run on a data set are outside the design; missing cells of an algorithm that was left
        out are inside.
        """
        return np.equal(self.reasons, STOPPED)

    @property
    def cells(self) -> int:
        """Number of cells in the design."""
        return int(self.design.sum()) * len(self.algorithms) * len(self.measures)

    @property
    def measure_names(self) -> tuple[str, ...]:
        """Names of the measures."""
        return tuple(measure.name for measure in self.measures)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed; it is checked like a new one.

        Parameters
        ----------
        **changes
            New values of any attributes, such as ``origin="table 3"``.
        """
        check_keys(changes, [field.name for field in dataclasses.fields(self)], f"`{type(self).__name__}`", "field")
        return dataclasses.replace(self, **changes)

    def _with_reports(self, reports: tuple[MissingReport, ...]) -> Self:
        """Return a copy with other reports; nothing else has to be checked again."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__, reports=reports)
        return made


def _rebuild(kind: type[Cube], fields: dict[str, Any]) -> Cube:
    return kind(**fields)


def _array_like(array: Any, default: object, shape: tuple[int, ...], name: str) -> AnyArray:
    """Return the array, or one filled with the default; refuse any other shape."""
    try:
        full = np.full(shape, default) if array is None else np.asarray(array)
    except ValueError:  # rows of unequal length
        full = np.empty(0, object)
    if full.dtype.kind not in "biuf":
        raise InputError(f"`{name}` must be an array of numbers; got {shown(array)}.")
    if full.shape != shape:
        raise InputError(f"`{name}` must have the shape {shape}; got {full.shape}.")
    return full


def _locked(array: AnyArray) -> AnyArray:
    """Return a read-only array: a locked array is shared, any other is copied."""
    if array.base is None and not array.flags.writeable:
        return array
    locked = array.copy()
    locked.flags.writeable = False
    return locked
