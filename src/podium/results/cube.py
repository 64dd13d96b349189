"""The arrays and labels behind `Results`: one immutable, checked M × B × K × J cube."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from podium.errors import CellValueError, InputError, LabelError
from podium.results.labels import AXES, PLURAL, Label
from podium.results.measure_info import MeasureInfo

if TYPE_CHECKING:
    from podium.results.missing import MissingReport

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
ReasonArray: TypeAlias = npt.NDArray[np.uint8]

# The code of a reason is its position; 0 stands for a cell that was measured.
REASON_NAMES = ("", "absent", "failed", "timeout", "skipped")
MEASURED, ABSENT = 0, 1

# What a replication may carry for the tests that need it; -1 where it is unknown.
STRUCTURE_FIELDS = ("repeat", "fold", "n_learn", "n_test")


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
    design: BoolArray = field(default=None)  # type: ignore[assignment]
    reasons: ReasonArray = field(default=None)  # type: ignore[assignment]
    structure: Mapping[str, IntArray] = field(default_factory=dict)
    origin: str = ""
    reports: tuple[MissingReport, ...] = ()

    def __post_init__(self) -> None:
        put = object.__setattr__
        for axis in AXES:
            put(self, PLURAL[axis], tuple(getattr(self, PLURAL[axis])))
        values = np.asarray(self.values, dtype=np.float64)
        self._check_shape(values)
        self._check_labels()
        design = np.ones(values.shape[:2], bool) if self.design is None else np.asarray(self.design, bool)
        if np.isinf(values).any():
            m, b, k, j = np.argwhere(np.isinf(values))[0]
            raise CellValueError(
                f"The value of {self.measures[j].name} for {self.algorithms[k]} on {self.datasets[m]}, replication "
                f"{self.replications[b]}, is infinite. Give a finite number, or leave it missing with a reason."
            )
        there = ~np.isnan(values) & design[:, :, None, None]
        given = np.full(values.shape, ABSENT, np.uint8) if self.reasons is None else self.reasons
        reasons = np.where(there, MEASURED, np.maximum(given, ABSENT)).astype(np.uint8)
        reasons[~design] = ABSENT
        if not design.all():
            values = np.where(design[:, :, None, None], values, np.nan)
        structure = {name: np.where(design, array, -1).astype(np.int64) for name, array in self.structure.items()}
        put(self, "values", _locked(values))
        put(self, "design", _locked(design))
        put(self, "reasons", _locked(reasons))
        put(self, "structure", MappingProxyType({name: _locked(a) for name, a in structure.items()}))

    def _check_shape(self, values: FloatArray) -> None:
        expected = tuple(len(getattr(self, PLURAL[axis])) for axis in AXES)
        if values.shape != expected:
            raise InputError(
                f"`values` must have one entry per data set, replication, algorithm and measure: "
                f"shape {expected} by the labels; got {values.shape}."
            )
        if 0 in expected:
            raise InputError(f"The table is empty: there is no {AXES[expected.index(0)]} in it.")

    def _check_labels(self) -> None:
        for axis in AXES:
            labels = [label.name if isinstance(label, MeasureInfo) else label for label in getattr(self, PLURAL[axis])]
            if len(set(labels)) < len(labels):
                twice = next(label for i, label in enumerate(labels) if label in labels[:i])
                raise LabelError(f"The {axis} {twice!r} is given twice. Rename or remove one of them.")

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Numbers of data sets, replications, algorithms and measures: M, B, K, J."""
        m, b, k, j = self.values.shape
        return m, b, k, j

    @property
    def present(self) -> BoolArray:
        """Which cells hold a value, as an M × B × K × J array of bool."""
        return self.reasons == MEASURED

    @property
    def missing(self) -> BoolArray:
        """Which cells of the design hold no value, as an M × B × K × J array of bool."""
        return (self.reasons != MEASURED) & self.design[:, :, None, None]

    @property
    def cells(self) -> int:
        """Number of cells in the design."""
        return int(self.design.sum()) * len(self.algorithms) * len(self.measures)

    @property
    def measure_names(self) -> tuple[str, ...]:
        """Names of the measures."""
        return tuple(measure.name for measure in self.measures)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed; it is checked like a new one."""
        return dataclasses.replace(self, **changes)


def _locked(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array nobody can write to; the caller's own array stays writeable."""
    locked = array.copy() if array.base is not None or array.flags.writeable else array
    locked.flags.writeable = False
    return locked
