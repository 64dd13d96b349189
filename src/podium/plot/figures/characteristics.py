"""Relative variation of characteristics: over the samples of a data set, or over data sets."""

from __future__ import annotations

import numpy as np
import pandas as pd

from podium.arrays import FloatArray, IntArray
from podium.checks import expect, record
from podium.errors import InputError, LabelError, join_names
from podium.plot.figures.numbers import Numbers

__all__ = ["CharacteristicsNumbers", "characteristics"]


@record(eq=False, kw_only=True)
class CharacteristicsNumbers(Numbers):
    """Numbers of a table of relative characteristics: data sets (columns) by characteristics (rows).

    A relative value is 0 for the smallest and 1 for the largest value of a characteristic that is shown; 0.5 where it
    is the same everywhere.

    Attributes
    ----------
    datasets, names : tuple of str
        The columns, and the characteristics.
    dataset : ndarray of int
        Column of each sample.
    relative : ndarray of shape (samples, characteristics)
        NaN where a sample has no value.
    whole : ndarray of shape (datasets, characteristics)
        Relative values of whole data sets, limited to -0.04 and 1.04; NaN where not known.
    low, high : ndarray of float
        The values at 0 and at 1.
    """

    datasets: tuple[str, ...]
    names: tuple[str, ...]
    dataset: IntArray
    relative: FloatArray
    whole: FloatArray
    low: FloatArray
    high: FloatArray


def characteristics(table: pd.DataFrame, *, whole: pd.DataFrame | None = None) -> CharacteristicsNumbers:
    """Compute the numbers of a table of relative characteristics (Eugster 2011, figures 5.2 and 5.4).

    Parameters
    ----------
    table : DataFrame
        What `podium.characterize` returns for an experiment, a warehouse, or a list of data sets.
    whole : DataFrame, optional
        What it returns for the list of the whole data sets; they are marked.

    Examples
    --------
    >>> import podium
    >>> table = podium.characterize(["iris", "sonar"])
    >>> podium.plot.figures.characteristics(table).relative[:, 0]
    array([0., 1.])
    """
    expect(table, pd.DataFrame, "table")
    if not len(table) or not len(table.columns):
        raise InputError("`table` has no characteristics: it is empty.")
    if not all(pd.api.types.is_numeric_dtype(kind) for kind in table.dtypes):
        raise InputError("`table` must hold numbers, as podium.characterize returns them.")
    labels = [str(label) for label in table.index.get_level_values(0)]
    datasets = tuple(dict.fromkeys(labels))
    values = table.to_numpy(float, na_value=np.nan)
    low, high = np.full(values.shape[1], np.nan), np.full(values.shape[1], np.nan)
    known = np.isfinite(values).any(axis=0)
    low[known], high[known] = np.nanmin(values[:, known], axis=0), np.nanmax(values[:, known], axis=0)
    entire = np.full((len(datasets), values.shape[1]), np.nan)
    if whole is not None:
        expect(whole, pd.DataFrame, "whole")
        lacking = [name for name in datasets if name not in whole.index]
        if lacking or list(whole.columns) != list(table.columns):
            raise LabelError(
                "`whole` must have a row for each data set and the same columns as `table`; "
                + (
                    f"it has no {join_names(lacking)}."
                    if lacking
                    else f"it has {join_names(list(whole.columns), most=6)}."
                )
            )
        entire = whole.loc[list(datasets)].to_numpy(float, na_value=np.nan)
    return CharacteristicsNumbers(
        datasets=datasets,
        names=tuple(map(str, table.columns)),
        dataset=np.array([datasets.index(label) for label in labels], np.intp),
        relative=_relative(values, low, high),
        whole=np.clip(_relative(entire, low, high), -0.04, 1.04),
        low=low,
        high=high,
    )


def _relative(values: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    span = high - low
    flat = ~(span > 0)
    found: FloatArray = (values - low) / np.where(flat, 1.0, span)
    same = np.where(np.isnan(values), np.nan, np.clip(0.5 + 10 * np.sign(values - low), -0.04, 1.04))
    return np.where(flat, same, found)
