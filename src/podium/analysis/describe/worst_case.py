"""The worst case: minimax, and the m-worst performance that is robust against single outliers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from podium.analysis.blocks import ordered_blocks
from podium.analysis.describe.orders import chain, classes
from podium.analysis.describe.statistic import bootstrap, percentile_ends
from podium.analysis.describe.summary import Described
from podium.arrays import FloatArray
from podium.checks import (
    check_alpha,
    check_call,
    check_draws,
    check_epsilon,
    check_flag,
    check_seed,
    is_number,
    is_whole,
    shown,
)
from podium.errors import InputError
from podium.results import Results
from podium.typesetting.numbers import confidence


@check_call
def worst_case(
    results: Results,
    measure: str | None = None,
    *,
    m: int | None = None,
    quantile: float | None = None,
    average: bool = False,
    epsilon: float = 0.0,
    interval: bool = False,
    alpha: float = 0.05,
    resamples: int | None = None,
    seed: int = 0,
    missing: str = "raise",
) -> pd.DataFrame:
    """Compare the algorithms by their worst performance.

    Without `m` and `quantile` this is the minimax rule: the algorithm whose worst value is best comes first.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    m : int, optional
        Take the m-th worst value instead of the worst.
    quantile : float, optional
        Take this quantile of the losses (linearly interpolated) instead: with 0.95, the value that 5% of the
        blocks exceed. The literature behind podium speaks of the m-worst values with m = 12 of 250, but prints the
        0.95 quantile, not the 12th worst value.
    average : bool, default False
        With `m`: the mean of the m worst values instead of the m-th.
    epsilon : float, default 0
        Values that differ by no more than this count as equal; see `orders`.
    interval : bool, default False
        Whether to compute a bootstrap interval of the m-worst value.
    alpha : float, default 0.05
        The interval has confidence 1 - alpha.
    resamples, seed : int, optional
        Size (2,000 by default) and seed of the bootstrap, with ``interval=True``.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells, as in `podium.summarize`.

    Returns
    -------
    DataFrame
        One row per algorithm, ordered by the m-worst value (best first; then by mean), with columns

        - ``worst``: the worst value;
        - ``m-worst``: the m-th worst value, the mean of the m worst ones, or the quantile;
        - ``place``: 1 + number of algorithms in better classes;
        - ``lower``, ``upper``: bootstrap percentile interval of the m-worst value, with `interval`.

        ``frame.attrs["order"]`` is the chain.

    References
    ----------
    M. J. A. Eugster, T. Hothorn, F. Leisch (2008), section 3.1; M. J. A. Eugster (2011), section 2.1.

    Examples
    --------
    >>> import podium
    >>> iris = podium.examples.load_ulas2008().select(dataset="iris", algorithms=["c45", "lnp", "svl"])
    >>> podium.summaries.worst_case(iris, m=2)
         worst  m-worst  place
    svl  94.12    94.12      1
    c45  81.25    90.20      2
    lnp  82.35    86.27      3
    """
    epsilon = check_epsilon(epsilon)
    check_flag(interval, "interval")
    check_alpha(alpha)
    resamples = check_draws(resamples, "resamples", 2_000, drawn=interval, needs="interval=True")
    check_seed(seed)
    table = ordered_blocks(results, measure, missing=missing)
    check_flag(average, "average")
    reduce, meaning = _worst(len(table.values), m, quantile, average)
    sign, costs = table.measure.sign, table.costs
    worst = reduce(costs)
    number = classes(worst, epsilon)
    columns: dict[str, object] = {
        "worst": sign * costs.max(axis=0),
        "m-worst": sign * worst,
        "place": 1 + (number[None, :] < number[:, None]).sum(axis=1),
    }
    legend = {
        "worst": "worst value",
        "m-worst": meaning,
        "place": "1 + number of algorithms whose m-worst value is better"
        + (f" by more than {epsilon:g}" if epsilon else ""),
    }
    if interval:
        ends = percentile_ends(bootstrap(costs, reduce, resamples=resamples, seed=seed), alpha)
        columns["lower"], columns["upper"] = ends if sign == 1 else (-ends[1], -ends[0])
        legend["lower"] = (
            f"lower end of the {confidence(alpha):%} bootstrap percentile interval ({resamples} resamples, seed {seed})"
        )
        legend["upper"] = "upper end of the same interval"
    frame = pd.DataFrame(columns, index=list(table.algorithms)).iloc[np.argsort(number, kind="stable")]
    frame = Described(frame=frame, table=table, legend=legend).with_attrs()
    frame.attrs["order"] = chain(table.algorithms, number) if table.missing.ordered else None
    return frame


def mth_worst(costs: FloatArray, m: int, average: bool) -> FloatArray:
    """The m-th largest along the first axis, or the mean of the m largest."""
    n = costs.shape[0]
    tail = np.partition(costs, n - m, axis=0)[n - m :]
    return np.asarray(tail.mean(axis=0) if average else tail[0])


def _upper_quantile(costs: FloatArray, quantile: float) -> FloatArray:
    """A quantile along the first axis, linearly interpolated (type 7 of Hyndman & Fan 1996)."""
    return np.asarray(np.quantile(costs, quantile, axis=0))


def _worst(
    n: int, m: int | None, quantile: float | None, average: bool
) -> tuple[Callable[[FloatArray], FloatArray], str]:
    if m is not None and quantile is not None:
        raise InputError("Give `m` or `quantile`, not both.")
    if quantile is not None:
        if not is_number(quantile) or not 0 <= quantile <= 1:
            raise InputError(f"`quantile` must be a number from 0 to 1; got {shown(quantile)}.")
        if average:
            raise InputError("`average` needs `m`: it is the mean of the m worst values.")
        return partial(
            _upper_quantile, quantile=quantile
        ), f"{quantile:.4g} quantile of the losses, linearly interpolated"
    m = 1 if m is None else m
    if not is_whole(m) or not 1 <= m <= n:
        raise InputError(f"`m` must be a whole number from 1 to the number of blocks, {n}; got {shown(m)}.")
    nth = f"mean of the {m} worst values" if average else f"value at place {m} from the worst"
    nth = "worst value" if m == 1 else nth
    return partial(mth_worst, m=m, average=average), nth
