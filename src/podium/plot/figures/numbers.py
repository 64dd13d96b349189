"""What all figures have in common: which algorithms, which measure, which blocks; and how they are written as JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from podium.analysis.blocks import Blocks, Unit
from podium.analysis.comparison import Comparison
from podium.analysis.pairs import Estimand
from podium.analysis.text import ESTIMANDS
from podium.arrays import FloatArray, IntArray
from podium.checks import expect, record
from podium.plot.namespace import Registered
from podium.results import MeasureInfo
from podium.typesetting.table import json_value

__all__ = ["ComparisonNumbers", "FigureNumbers", "panel"]

_BLOCK: dict[Unit, tuple[str, str]] = {  # one, several
    "replication": ("replication", "replications"),
    "dataset": ("data set", "data sets"),
}
MAX_MARKS = 12_000  # in a figure; more are thinned
Compute = TypeVar("Compute", bound=Callable[..., Any])

# Functions that compute the numbers of one panel, by name.
PANELS: Registered[Callable[..., Any]] = Registered("podium.plot.figures")


def panel(compute: Compute) -> Compute:
    """Decorate a function that computes the numbers of a figure, so that `trellis` can show it.

    The function takes `results`, and the options `order` and `missing`.
    """
    expect(compute, FunctionType, "compute")
    PANELS[compute.__name__] = compute
    return compute


@record(eq=False, kw_only=True)
class Numbers:
    """The numbers of a figure; drawings in matplotlib, in a report and in a browser start from them."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain lists, numbers and texts; NaN is None, infinite numbers are "Infinity"."""
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {"figure": type(self).__name__, **json_value(fields, _as_mapping)}

    def to_json(self) -> str:
        """Write everything as JSON."""
        return json.dumps(self.as_dict(), allow_nan=False)


@record(eq=False, kw_only=True)
class FigureNumbers(Numbers):
    """The numbers of a figure of results, or of what was computed from them.

    Attributes
    ----------
    algorithms : tuple of str
        In the order in which they are shown, best first.
    measure : MeasureInfo
    unit : {"replication", "dataset"}
        What a block is.
    n : int
        Number of blocks.
    datasets : int
        Number of data sets behind them.
    dataset : str or None
        The data set that the numbers are for, where it is one and its name is known.
    """

    algorithms: tuple[str, ...]
    measure: MeasureInfo
    unit: Unit
    n: int
    datasets: int
    dataset: str | None = None

    @property
    def measure_label(self) -> str:
        """Name of the measure, with its units."""
        return self.measure.name + (f" [{self.measure.units}]" if self.measure.units else "")

    @property
    def value_parts(self) -> tuple[str, str]:
        """Text for the axis of values: what is shown, and which values are better."""
        return self.measure_label, f"({self.measure.direction} is better)"

    @property
    def value_label(self) -> str:
        """Text for the axis of values, on one line."""
        return " ".join(self.value_parts)

    @property
    def block_noun(self) -> str:
        """What the blocks are called, in the plural."""
        return _BLOCK[self.unit][1]

    @property
    def block_label(self) -> str:
        """Text that says how many blocks there are."""
        count = f"{self.n:,} {_BLOCK[self.unit][0] if self.n == 1 else self.block_noun}"
        return f"{count} of {self.datasets} data sets" if self.unit == "replication" and self.datasets > 1 else count

    @property
    def heading(self) -> str:
        """Text that says what the figure is about."""
        return self.block_label if self.dataset is None else f"{self.dataset}, {self.block_label}"

    @property
    def logarithmic(self) -> bool:
        """Whether values are best shown on a logarithmic axis."""
        return self.measure.scale == "log"


@record(eq=False, kw_only=True)
class ComparisonNumbers(FigureNumbers):
    """The numbers of a figure of a comparison.

    Attributes
    ----------
    method : str
        The procedure, as in a title.
    estimand : str
        What the difference of a pair is a difference of: ``"mean"``, ``"mean rank"``, ...
    alpha : float
    """

    method: str
    estimand: Estimand
    alpha: float

    @property
    def estimand_label(self) -> str:
        """What the difference of a pair is, in words."""
        return ESTIMANDS[self.estimand] + (f" on {self.dataset}" if self.dataset is not None else "")


def from_blocks(table: Blocks, algorithms: tuple[str, ...] | None = None) -> dict[str, Any]:
    """Return what a figure has in common with a table of blocks; its algorithms may be in another order."""
    names = table.source.datasets
    return {
        "algorithms": table.algorithms if algorithms is None else algorithms,
        "measure": table.measure,
        "unit": table.unit,
        "n": table.n,
        "datasets": table.datasets,
        "dataset": names[0] if len(names) == 1 else None,
    }


def copy_fields(source: object, *names: str) -> dict[str, Any]:
    """Return fields that an outcome and its figure share; arrays are copied, because a figure locks its own."""
    found = {name: getattr(source, name) for name in names}
    return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in found.items()}


def floats_of(frame: pd.DataFrame, *columns: str) -> dict[str, Any]:
    """Return columns of a table as arrays of their own."""
    return {name: frame[name].to_numpy(float, copy=True) for name in columns}


def from_comparison(comparison: Comparison, algorithms: tuple[str, ...] | None = None) -> dict[str, Any]:
    """Return what a figure has in common with a comparison; its algorithms are best first, unless given otherwise."""
    return {
        "algorithms": comparison.layout if algorithms is None else algorithms,
        "method": comparison.title,
        **copy_fields(comparison, "measure", "unit", "n", "datasets", "dataset", "estimand", "alpha"),
    }


def _as_mapping(value: Any) -> dict[str, Any]:
    """Return frozen data as a mapping of its fields."""
    return value.as_dict() if isinstance(value, Numbers) else json_value(dataclasses.asdict(value), _as_mapping)


def columns_of(values: FloatArray) -> list[FloatArray]:
    """Split a table into one array per algorithm, sorted, without the missing cells."""
    return [np.sort(column[~np.isnan(column)]) for column in values.T]


def means_of(columns: list[FloatArray]) -> FloatArray:
    """Return the mean of each algorithm; NaN for one without any value."""
    return np.array([column.mean() if len(column) else np.nan for column in columns])


def quartiles_of(column: FloatArray) -> FloatArray:
    """Return the quartiles of an algorithm; NaN for one without any value."""
    return np.quantile(column, [0.25, 0.5, 0.75]) if len(column) else np.full(3, np.nan)


def evenly(n: int, most: int) -> IntArray:
    """Choose at most `most` of n ordered items, evenly spread, the first and the last among them.

    >>> evenly(7, 3)
    array([0, 3, 6])
    """
    if n <= most:
        return np.arange(n)
    if most == 1:
        return np.array([n // 2])
    return np.round(np.linspace(0, n - 1, most)).astype(np.int64)


def van_der_corput(n: int) -> FloatArray:
    """First n numbers of the van der Corput sequence in base 2: evenly spread in (0, 1), in no visible order.

    >>> van_der_corput(4)
    array([0.5  , 0.25 , 0.75 , 0.125])
    """
    index = np.arange(1, n + 1)
    result = np.zeros(n)
    weight = 0.5
    while index.any():
        result += weight * (index & 1)
        index >>= 1
        weight /= 2
    return result
