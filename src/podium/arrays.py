"""The array types used in signatures."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.intp]  # positions and counts
Int64Array: TypeAlias = npt.NDArray[np.int64]  # whole numbers that are data: folds, sizes, rank sums
AnyIntArray: TypeAlias = npt.NDArray[np.integer[Any]]  # whole numbers of any size
CodeArray: TypeAlias = npt.NDArray[np.uint8]  # states of cells and trials
HashArray: TypeAlias = npt.NDArray[np.uint64]  # 64 bits each: checksums, sort keys
BoolArray: TypeAlias = npt.NDArray[np.bool_]
StrArray: TypeAlias = npt.NDArray[np.str_]
ObjectArray: TypeAlias = npt.NDArray[np.object_]
AnyArray: TypeAlias = npt.NDArray[Any]


def lock(outcome: object, *names: str) -> None:
    """Replace arrays of a frozen object by views that cannot be changed; None stays."""
    for name in names:
        array = getattr(outcome, name)
        if array is not None:
            locked = array.view()
            locked.flags.writeable = False
            object.__setattr__(outcome, name, locked)
