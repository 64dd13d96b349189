"""Benchmark summary plot: the podium of every data set, with a statistic and the significant differences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from podium.analysis.domain import Domain
from podium.analysis.relation import Relation
from podium.arrays import BoolArray, FloatArray, IntArray
from podium.checks import as_list, expect, record
from podium.plot.figures.numbers import Numbers
from podium.results import MeasureInfo
from podium.results.aggregation import Aggregation

__all__ = ["Summary", "summary"]


@record(eq=False, kw_only=True)
class Summary(Numbers):
    """Numbers of a benchmark summary plot.

    Attributes
    ----------
    datasets : tuple of str
        In the order of the dendrogram's leaves.
    algorithms : tuple of str
    podium : ndarray of int, shape (data sets, places)
        The algorithm at each place, by its position in `algorithms`; -1 where there is none. Indifferent algorithms
        are in the order of the statistic.
    values : ndarray of float, shape (data sets, places)
        The statistic of that algorithm.
    share : ndarray of float, shape (data sets, places)
        The statistic scaled so that the worst value of the domain is 1.
    from_zero : bool
        Whether 0 of `share` is the value 0; otherwise it is the best value of the domain.
    border : ndarray of bool, shape (data sets, places - 1)
        Whether the algorithm at a place is better than the one at the next place.
    weak_order : ndarray of bool
        Whether the relation of a data set is a weak order. If not, the row is a linear extension of it: each place goes
        to the algorithm with the best statistic among those that no remaining algorithm beats; in a cycle, to one that
        the fewest beat.
    measure : MeasureInfo
    statistic : str
    """

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    podium: IntArray
    values: FloatArray
    share: FloatArray
    from_zero: bool
    border: BoolArray
    weak_order: BoolArray
    measure: MeasureInfo
    statistic: str


def summary(
    domain: Domain,
    *,
    measure: str | None = None,
    statistic: Aggregation = "mean",
    datasets: Sequence[str] | None = None,
) -> Summary:
    """Compute the numbers of a benchmark summary plot (Eugster 2011, section 4.2).

    Parameters
    ----------
    measure : str, optional
        The measure of the statistic; that of the first criterion by default.
    statistic : str or callable, default "mean"
        What the bars show, as for `Results.aggregate`.
    datasets : sequence of str, optional
        The data sets in the desired order, instead of that of the dendrogram.
    """
    expect(domain, Domain, "domain")
    name = domain.criteria[0].measure if measure is None else measure
    chosen = domain.results.select(measure=name)
    order = domain.order if datasets is None else tuple(chosen.select(dataset=as_list(datasets, "datasets")).datasets)
    reduced = chosen.select(dataset=list(order), algorithm=list(domain.algorithms)).aggregate(
        statistic, missing="available"
    )
    table = reduced.values[:, 0, :, 0]
    info = reduced.measures[0]
    costs = table * info.sign
    rows = [_row(domain.relations[dataset], domain.algorithms, costs[m]) for m, dataset in enumerate(order)]
    podium = np.array([row for row, _ in rows])
    values = np.where(podium >= 0, np.take_along_axis(table, np.maximum(podium, 0), axis=1), np.nan)
    from_zero = info.direction == "lower" and bool(np.nanmin(table) >= 0)
    worst, best = float(np.nanmax(costs)), 0.0 if from_zero else float(np.nanmin(costs))
    spread = worst - best
    return Summary(
        datasets=order,
        algorithms=domain.algorithms,
        podium=podium,
        values=values,
        share=(values * info.sign - best) / spread if spread > 0 else np.where(np.isnan(values), np.nan, 0.0),
        from_zero=from_zero,
        border=np.array([border for _, border in rows]),
        weak_order=np.array([domain.relations[dataset].chain is not None for dataset in order]),
        measure=info,
        statistic=statistic if isinstance(statistic, str) else getattr(statistic, "__name__", "statistic"),
    )


def _row(relation: Relation, algorithms: tuple[str, ...], costs: FloatArray) -> tuple[list[int], list[bool]]:
    """Put the algorithms of a data set in a linear order that agrees with its relation; ties by the statistic.

    Each place goes to the algorithm with the best statistic among those that no remaining algorithm beats. In a cycle,
    where each is beaten, those that the fewest beat come first.
    """
    at = [algorithms.index(name) for name in relation.algorithms]
    better = relation.better
    left = list(range(len(at)))
    chosen: list[int] = []
    while left:
        above = better[np.ix_(left, left)].sum(axis=0)
        key = [(int(count), _last(costs[at[one]]), at[one]) for one, count in zip(left, above, strict=True)]
        best = left[min(range(len(left)), key=lambda i: key[i])]
        chosen.append(best)
        left.remove(best)
    border = [bool(better[one, two]) for one, two in pairwise(chosen)]
    empty = len(algorithms) - len(chosen)
    return [at[one] for one in chosen] + [-1] * empty, border + [False] * empty


def _last(cost: float) -> float:
    return float("inf") if np.isnan(cost) else float(cost)
