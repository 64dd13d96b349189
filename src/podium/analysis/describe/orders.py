"""The order of the algorithms that a statistic of their performance induces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from podium.analysis.blocks import ordered_blocks
from podium.analysis.describe.statistic import Wanted, statistics_of
from podium.analysis.describe.summary import Described, parts_of, stacked
from podium.arrays import BoolArray, FloatArray, IntArray
from podium.checks import check_call, check_epsilon
from podium.errors import InputError
from podium.results import Results


@check_call
def orders(
    results: Results,
    measure: str | Sequence[str] | None = None,
    *,
    statistics: Wanted = ("mean", "median", "best", "worst", "sd"),
    epsilon: float = 0.0,
    missing: str = "raise",
) -> pd.DataFrame:
    """Order the algorithms by one or several statistics: a is before b if its statistic is better.

    Parameters
    ----------
    results : Results
    measure : str or list of str, optional
        The measure, where there are several; or several measures, one below the other.
    statistics : str, function, sequence or mapping
        The statistics, as in `summarize`. ``"best"`` and ``"worst"`` follow the direction of the measure: ordering
        by ``"worst"`` is the minimax rule. For ``"sd"``, ``"iqr"`` and ``"range"`` the lower one is better.
    epsilon : float, default 0
        Values that differ by no more than this count as equal. Each class of equal algorithms holds those within
        epsilon of its best one, so no two members of a class are further apart.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells, as in `summarize`.

    Returns
    -------
    DataFrame
        One row per statistic (with several measures per measure and statistic), with columns

        - ``order``: the chain, best first; ``<`` is "better than", ``~`` is "equal to"; None where the algorithms have
          fewer than half of the blocks in common;
        - ``classes``: number of classes of equal algorithms;
        - ``exact``: False if two algorithms of different classes are within epsilon of each other, because being
          within epsilon is not transitive here.

    References
    ----------
    M. J. A. Eugster (2011), section 2.1; M. J. A. Eugster, T. Hothorn, F. Leisch (2008), section 3.1, for epsilon.

    Examples
    --------
    >>> import podium
    >>> iris = podium.examples.load_ulas2008().select(dataset="iris")
    >>> print(podium.summaries.orders(iris, statistics="worst")["order"].iloc[0])
    mdt ~ svl < svr < 5nn < lnp < c45 < sv2 < mlp
    """
    epsilon = check_epsilon(epsilon)
    if measure is not None and not isinstance(measure, str):
        return stacked(parts_of(results, measure, lambda name: _orders(results, name, statistics, epsilon, missing)))
    return _orders(results, measure, statistics, epsilon, missing).with_attrs()


def _orders(results: Results, measure: str | None, statistics: Wanted, epsilon: float, missing: str) -> Described:
    """Order the algorithms by statistics of one measure."""
    table = ordered_blocks(results, measure, missing=missing)
    wanted = statistics_of(statistics, table.measure)
    if not wanted:
        raise InputError("`statistics` is empty; name at least one, such as 'mean'.")
    rows = []
    for statistic in wanted:
        costs = statistic.sign(table.measure) * statistic.of(table.values)
        place = classes(costs, epsilon)
        rows.append(
            {
                "statistic": statistic.name,
                "order": chain(table.algorithms, place) if table.missing.ordered else None,
                "classes": int(place.max()) + 1,
                "exact": bool((near(costs, epsilon) == (place[:, None] == place[None, :])).all()),
            }
        )
    frame = pd.DataFrame(rows).set_index("statistic")
    legend = {
        "order": "the algorithms, best first; < is better than, ~ is equal to",
        "classes": "number of classes of equal algorithms",
        "exact": "whether equality within epsilon is transitive here, so that the chain is complete",
    }
    return Described(frame=frame, table=table, legend=legend)


def classes(costs: FloatArray, epsilon: float = 0.0) -> IntArray:
    """Give each cost the number of its class, 0 for the best; a class holds all within epsilon of its best member.

    A missing cost (NaN) is worse than any number.

    >>> classes(np.array([0.3, 0.1, 0.15, 0.2]), 0.06)
    array([2, 0, 0, 1])
    """
    ranked = np.argsort(costs, kind="stable")
    reach = epsilon + rounding(costs)
    number = np.zeros(len(costs), np.int64)
    current, leader = -1, -np.inf
    for i in ranked:
        joins = current >= 0 and (costs[i] - leader <= reach or (np.isnan(costs[i]) and np.isnan(leader)))
        if not joins:
            current, leader = current + 1, costs[i]
        number[i] = current
    return number


def near(costs: FloatArray, epsilon: float) -> BoolArray:
    """Find which pairs are within epsilon of each other."""
    gaps = np.abs(costs[:, None] - costs[None, :])
    both_missing = np.isnan(costs)[:, None] & np.isnan(costs)[None, :]
    return (gaps <= epsilon + rounding(costs)) | both_missing


def rounding(costs: FloatArray) -> float:
    """Bound the difference that mere rounding of equal numbers can leave."""
    finite = costs[np.isfinite(costs)]
    return float(64 * np.finfo(float).eps * np.abs(finite).max()) if len(finite) else 0.0


def chain(algorithms: Sequence[str], number: IntArray) -> str:
    """Write classes as a chain, equal algorithms sorted by name.

    >>> chain(["b", "a", "c"], np.array([0, 0, 1]))
    'a ~ b < c'
    """
    members: dict[int, list[str]] = {}
    for i, name in sorted(zip(number.tolist(), algorithms, strict=True)):
        members.setdefault(i, []).append(name)
    return " < ".join(" ~ ".join(group) for group in members.values())
