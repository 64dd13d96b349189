"""What all figures have in common: which algorithms, of which measure and data, and how to write them down."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from podium.analysis.blocks import Blocks, Unit
from podium.analysis.comparison import Comparison
from podium.arrays import FloatArray
from podium.results import MeasureInfo


@dataclass(frozen=True, eq=False, kw_only=True)
class FigureNumbers:
    """The numbers of a figure; drawings in matplotlib, in a report and in a browser start from them.

    Attributes
    ----------
    algorithms : tuple of str
        In the order in which they are shown, best first.
    measure : MeasureInfo
    data : str
        Name of the data set, or how many there are.
    unit : {"replication", "dataset"}
        What a block is.
    blocks : int
        Number of blocks.
    """

    algorithms: tuple[str, ...]
    measure: MeasureInfo
    data: str
    unit: Unit
    blocks: int

    @classmethod
    def of(cls, table: Blocks, **numbers: Any) -> Self:
        """Take what is common from a table of blocks; arrays are locked."""
        for value in numbers.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
        return cls(
            algorithms=table.algorithms,
            measure=table.measure,
            data=table.name,
            unit=table.unit,
            blocks=len(table.values),
            **numbers,
        )

    @property
    def value_label(self) -> str:
        """Text for the axis of values."""
        units = f" [{self.measure.units}]" if self.measure.units else ""
        return f"{self.measure.name}{units} ({self.measure.direction} is better)"

    @property
    def block_label(self) -> str:
        """Text that says how many blocks there are."""
        noun = "replication" if self.unit == "replication" else "data set"
        return f"{self.blocks:,} {noun}{'' if self.blocks == 1 else 's'}"

    @property
    def heading(self) -> str:
        """Text that says what the figure is about."""
        return self.block_label if self.unit == "dataset" else f"{self.data}, {self.block_label}"

    @property
    def logarithmic(self) -> bool:
        """Whether values are best looked at on a logarithmic axis."""
        return self.measure.scale == "log"

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain lists, numbers and texts; NaN becomes None."""
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {"figure": type(self).__name__, **{name: plain(value) for name, value in fields.items()}}

    def to_json(self) -> str:
        """Write everything as JSON."""
        return json.dumps(self.as_dict(), allow_nan=False)


def plain(value: Any) -> Any:
    """Turn arrays, tuples and frozen data into what JSON knows."""
    if isinstance(value, FigureNumbers):
        return value.as_dict()
    if isinstance(value, MeasureInfo):
        return dataclasses.asdict(value)
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def columns_of(values: FloatArray) -> list[FloatArray]:
    """Split a table into one array per algorithm, sorted, without the missing cells."""
    return [np.sort(column[~np.isnan(column)]) for column in values.T]


def data_of(comparison: Comparison) -> str:
    """Say on what data a comparison rests."""
    return "one data set" if comparison.datasets == 1 else f"{comparison.datasets} data sets"
