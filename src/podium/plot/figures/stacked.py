"""Stacked bars, spine and mosaic plots: a statistic of all algorithms over the data sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np

from podium.analysis.blocks import one_measure
from podium.arrays import FloatArray
from podium.checks import as_list, check_choice, expect, record
from podium.errors import InputError, join_names
from podium.plot.figures.numbers import Numbers
from podium.results import MeasureInfo, Results
from podium.results.aggregation import Aggregation

__all__ = ["Stacked", "stacked"]

StackedKind: TypeAlias = Literal["bars", "spine", "mosaic"]


@record(eq=False, kw_only=True)
class Stacked(Numbers):
    """Numbers of stacked bars.

    Attributes
    ----------
    datasets, algorithms : tuple of str
        Rows, and the parts of a row from left to right.
    values : ndarray of float, shape (data sets, algorithms)
        The statistic.
    left, width : ndarray of float, shape (data sets, algorithms)
        Where each part begins, and how wide it is; 0 where there is no value.
    top, thickness : ndarray of float
        Where each row begins, and how thick it is.
    kind : {"bars", "spine", "mosaic"}
    measure : MeasureInfo
    statistic : str
    """

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    values: FloatArray
    left: FloatArray
    width: FloatArray
    top: FloatArray
    thickness: FloatArray
    kind: StackedKind
    measure: MeasureInfo
    statistic: str


def stacked(
    results: Results,
    measure: str | None = None,
    *,
    kind: StackedKind = "bars",
    statistic: Aggregation = "mean",
    datasets: Sequence[str] | None = None,
    missing: str = "raise",
) -> Stacked:
    """Compute the numbers of stacked bars (Eugster 2011, section 4.2).

    Parameters
    ----------
    kind : {"bars", "spine", "mosaic"}
        ``"bars"``: rows as long as the sum of the values. ``"spine"``: rows of the same length, parts as shares of the
        sum. ``"mosaic"``: the same, and rows as thick as the sum.
    statistic : str or callable, default "mean"
        What is stacked, as for `Results.aggregate`.
    datasets : sequence of str, optional
        The data sets in the desired order, such as ``domain.order``.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells; with ``"available"`` an algorithm without any value on a data set has no part there.

    Examples
    --------
    >>> import podium
    >>> numbers = podium.plot.figures.stacked(podium.examples.load_demsar2006(), kind="spine")
    >>> numbers.width.sum(axis=1).round(9).tolist()[:3]
    [1.0, 1.0, 1.0]
    """
    check_choice(kind, get_args(StackedKind), "kind")
    one = one_measure(expect(results, Results, "results"), measure)
    if datasets is not None:
        one = one.select(dataset=as_list(datasets, "datasets"))
    reduced = one.aggregate(statistic, missing=missing)
    values = reduced.values[:, 0, :, 0]
    if np.nanmin(values) < 0:
        negative = [name for name, row in zip(reduced.datasets, values, strict=True) if np.nanmin(row) < 0]
        raise InputError(
            f"Only values of at least 0 can be stacked; {reduced.measures[0].name!r} is negative on "
            f"{join_names(negative)}."
        )
    parts = np.nan_to_num(values)
    totals = parts.sum(axis=1)
    width = parts if kind == "bars" else parts / np.where(totals > 0, totals, 1.0)[:, None]
    thickness = np.ones(len(totals))
    if kind == "mosaic" and totals.any():
        thickness = len(totals) * totals / totals.sum()
    return Stacked(
        datasets=reduced.datasets,
        algorithms=reduced.algorithms,
        values=values,
        left=np.cumsum(width, axis=1) - width,
        width=width,
        top=np.cumsum(thickness) - thickness,
        thickness=thickness,
        kind=kind,
        measure=reduced.measures[0],
        statistic=statistic if isinstance(statistic, str) else getattr(statistic, "__name__", "statistic"),
    )
