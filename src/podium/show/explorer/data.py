"""The data behind an experiment as columns that a page can draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.checks import check_call
from podium.design.dataset import Dataset
from podium.design.sample import Task


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class DataColumn:
    """One variable.

    Attributes
    ----------
    name : str
    values : ndarray of float
        The numbers; for a nominal variable the position of its level. NaN where missing.
    levels : tuple of str
        Of a nominal variable; empty for a numeric one.
    """

    name: str
    values: FloatArray
    levels: tuple[str, ...] = ()


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class Data:
    """The observations of a data set.

    Attributes
    ----------
    task : {"classification", "regression", "unsupervised"}
    inputs : tuple of DataColumn
    target : DataColumn or None
    components : ndarray of float, shape (n, 2), or None
        The first two principal components of the standardised numeric variables, where there are three or more.
    explained : tuple of float
        Shares of the variance that they have.
    """

    task: Task
    inputs: tuple[DataColumn, ...]
    target: DataColumn | None
    components: FloatArray | None
    explained: tuple[float, ...]

    @property
    def n(self) -> int:
        """Number of observations."""
        return len(self.inputs[0].values)

    @property
    def numeric(self) -> tuple[int, ...]:
        """Positions of the numeric inputs."""
        return tuple(i for i, column in enumerate(self.inputs) if not column.levels)


def to_data(dataset: Dataset) -> Data:
    """Turn a data set into columns."""
    inputs = tuple(_column(str(name), dataset.X[name]) for name in dataset.X.columns)
    target = None if dataset.y is None else _column(str(dataset.y.name or "target"), dataset.y)
    numeric = [column.values for column in (*inputs, *((target,) if target else ())) if not column.levels]
    components, explained = principal_components(np.column_stack(numeric)) if len(numeric) > 2 else (None, ())
    return Data(task=dataset.task, inputs=inputs, target=target, components=components, explained=explained)


def _column(name: str, values: pd.Series[float]) -> DataColumn:
    if isinstance(values.dtype, pd.CategoricalDtype):
        codes = values.cat.codes.to_numpy().astype(float)
        return DataColumn(
            name=name,
            values=np.where(codes < 0, np.nan, codes).astype(np.float64),
            levels=tuple(str(level) for level in values.cat.categories),
        )
    return DataColumn(name=name, values=np.asarray(values.to_numpy(float, na_value=np.nan), np.float64))


def principal_components(table: FloatArray) -> tuple[FloatArray, tuple[float, ...]]:
    """Return the first two principal components of the standardised columns, and their shares of the variance.

    Jolliffe (2002), Principal Component Analysis, section 3.5: by singular values of the centred table. A missing value
    is placed at the mean of its column. The sign is such that the largest loading is positive.

    >>> scores, shares = principal_components(np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [4.0, 8.0, 12.0]]))
    >>> [round(share, 6) for share in shares]
    [1.0, 0.0]
    """
    with np.errstate(invalid="ignore"):
        centred = table - np.nanmean(table, axis=0)
    centred = np.nan_to_num(centred)
    spread = centred.std(axis=0)
    scaled = centred / np.where(spread > 0, spread, 1.0)
    left, size, right = np.linalg.svd(scaled, full_matrices=False)
    sign = np.sign(right[np.arange(len(right)), np.abs(right).argmax(axis=1)])
    total = float((size**2).sum()) or 1.0
    return (left * size * sign)[:, :2], tuple(float(one) for one in (size**2 / total)[:2])
