"""Cost against performance, with the Pareto front and the order of MultiTest."""

from __future__ import annotations

from typing import Literal

import numpy as np

from podium.analysis.multitest import Multi2Test, MultiTest
from podium.arrays import BoolArray, FloatArray
from podium.checks import expect, record
from podium.errors import InputError
from podium.plot.figures.numbers import Numbers
from podium.results import MeasureInfo

__all__ = ["CostTradeoff", "cost_tradeoff"]


@record(eq=False, kw_only=True)
class CostTradeoff(Numbers):
    """Numbers of a plot of cost against performance.

    Attributes
    ----------
    algorithms : tuple of str
        In the order of MultiTest, best first.
    cost, value : ndarray of float
        Of each; the average normalised cost and the mean over data sets, where there are several.
    front : ndarray of bool
        Which algorithms no other one matches in both and beats in one: the Pareto front.
    measure, cost_info : MeasureInfo
    dataset : str or None
    datasets : int
        Number of data sets.
    statistic : {"mean", "geometric mean"}
        What the values are, where there are several data sets.
    logarithmic : bool
        Whether costs are best shown on a logarithmic axis.
    """

    algorithms: tuple[str, ...]
    cost: FloatArray
    value: FloatArray
    front: BoolArray
    measure: MeasureInfo
    cost_info: MeasureInfo
    dataset: str | None
    datasets: int
    statistic: Literal["mean", "geometric mean"]
    logarithmic: bool


def cost_tradeoff(multitest: MultiTest | Multi2Test) -> CostTradeoff:
    """Compute the numbers of a plot of cost against performance.

    Parameters
    ----------
    multitest : MultiTest or Multi2Test
        The outcome of `podium.multitest` or `podium.multi2test`.

    Examples
    --------
    >>> import podium
    >>> results, seconds = (podium.examples.load_ulas2008(name) for name in ("accuracy", "training time"))
    >>> numbers = podium.plot.figures.cost_tradeoff(podium.multi2test(results, cost=seconds))
    >>> [name for name, front in zip(numbers.algorithms, numbers.front) if front]
    ['5nn', 'lnp', 'mlp', 'svl', 'svr']
    """
    if isinstance(multitest, Multi2Test):
        tables = np.array([one.means for one in multitest.first.values()], float)
        there = ~np.isnan(tables)
        common = (there | ~there.any(axis=0)).all(axis=1)  # data sets with a mean of every algorithm that has one
        means = tables[common].mean(axis=0) if common.any() else np.full(tables.shape[1], np.nan)
        found, measure, datasets = multitest.second, multitest.measure, len(multitest.datasets)
        info, scale = found.cost_info, None
    else:
        found = expect(multitest, MultiTest, "multitest")
        if found.means is None or found.measure is None:
            raise InputError("A plot of cost against performance needs values; this order was made from a relation.")
        means, measure, datasets, info, scale = found.means, found.measure, 1, found.cost_info, found.cost_info.scale
    at = [found.algorithms.index(name) for name in found.order]
    cost, value = found.cost[at], np.asarray(means, float)[at]
    known = cost[~np.isnan(cost)]
    return CostTradeoff(
        algorithms=found.order,
        cost=cost,
        value=value,
        front=pareto_front(info.sign * cost, measure.sign * value),
        measure=measure,
        cost_info=info,
        dataset=found.dataset,
        datasets=datasets,
        statistic="mean",
        logarithmic=scale == "log" and bool((known > 0).all()),
    )


def pareto_front(one: FloatArray, two: FloatArray) -> BoolArray:
    """Which points no other point dominates: is at most as large in both, and smaller in one. NaN is on no front.

    >>> pareto_front(np.array([1.0, 2.0, 3.0]), np.array([3.0, 3.0, 1.0])).tolist()
    [True, False, True]
    """
    known = ~np.isnan(one) & ~np.isnan(two)
    with np.errstate(invalid="ignore"):
        no_worse = (one[:, None] <= one) & (two[:, None] <= two)
        better = (one[:, None] < one) | (two[:, None] < two)
    return known & ~(no_worse & better).any(axis=0)
