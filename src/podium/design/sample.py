"""`Sample`: some observations, and the task that they are for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from podium.arrays import IntArray
from podium.checks import check_call, expect, shown
from podium.errors import InputError

Task: TypeAlias = Literal["classification", "regression", "unsupervised"]
TASKS: tuple[Task, ...] = get_args(Task)
Indices: TypeAlias = IntArray


@check_call
@dataclass(frozen=True, eq=False, slots=True)
class Sample:
    """Some observations: a learning sample or a test sample.

    Attributes
    ----------
    X : DataFrame
        Attributes; nominal ones have a categorical dtype whose categories are those of the whole data set.
    y : Series or None
        Response: categorical for classification, float for regression. In unsupervised tasks None, or the known
        groups that measures may compare with; a model never sees them.
    rows : array of int or None
        Positions of the observations in their data set. A bootstrap sample contains copies of observations; tuning
        inside a fit keeps them together.
    """

    X: pd.DataFrame
    y: pd.Series[Any] | None = None
    rows: Indices | None = None

    def __post_init__(self) -> None:
        expect(self.X, pd.DataFrame, "X")
        if self.y is not None:
            expect(self.y, pd.Series, "y")
        if self.rows is not None:
            object.__setattr__(self, "rows", positions(self.rows, "rows"))
        for argument, part in {"y": self.y, "rows": self.rows}.items():
            if part is not None and len(part) != len(self.X):
                raise InputError(
                    f"`{argument}` must have one entry for each of the {len(self.X)} rows of `X`; got {len(part)}."
                )

    def __len__(self) -> int:
        return len(self.X)

    def copy(self) -> Sample:
        """Copy the numbers themselves.

        A copy on write would not do: scikit-learn makes the buffer of a frame writeable and writes into it
        (``StandardScaler(copy=False)``, ``copy_X=False``), past pandas.
        """
        y = None if self.y is None else self.y.copy(deep=True)
        return Sample(self.X.copy(deep=True), y, self.rows)


def positions(given: Any, argument: str) -> Indices:
    """Return positions in a data set as an array; refuse what is not a list of whole numbers."""
    try:
        found = np.asarray(given)
    except ValueError:  # a nested list without a shape
        found = np.asarray(None)
    if found.ndim != 1 or (found.dtype.kind not in "iu" and len(found)):
        raise InputError(f"`{argument}` must be a list of positions; got {shown(given)}.")
    return found.astype(np.intp)
