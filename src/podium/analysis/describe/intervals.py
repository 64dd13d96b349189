"""Intervals around the performance of each algorithm, and of a median by order statistics."""

from __future__ import annotations

import dataclasses
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from podium.analysis.blocks import Blocks, one_measure, ordered_blocks
from podium.analysis.describe.orders import chain
from podium.analysis.describe.statistic import Statistic, StatisticLike, bootstrap, one_statistic, percentile_ends
from podium.analysis.describe.summary import Described
from podium.analysis.transform import Transform, transform_results
from podium.arrays import BoolArray, FloatArray
from podium.checks import as_numbers, check_alpha, check_call, check_choice, check_draws, check_seed, describe
from podium.errors import InputError, LabelError, join_names
from podium.results import Results
from podium.typesetting.numbers import confidence

Kind: TypeAlias = Literal["percentile", "normal", "t", "bootstrap"]
Ends: TypeAlias = tuple[FloatArray, FloatArray]


@check_call
def intervals(
    results: Results,
    measure: str | None = None,
    *,
    kind: Kind = "percentile",
    alpha: float = 0.05,
    statistic: StatisticLike = "mean",
    resamples: int | None = None,
    seed: int = 0,
    missing: str = "raise",
    transform: Transform | None = None,
) -> pd.DataFrame:
    """Give each algorithm an interval.

    Which one answers which question:

    - ``"percentile"``: where does the performance itself lie? The middle part of its distribution, from the
      ⌈Bα/2⌉-th to the ⌈B(1-α/2)⌉-th of the B ordered values.
    - ``"normal"``: how well is the mean known, if the blocks are independent? Mean ± z·SD/√B.
    - ``"t"``: the same with Student's t, for few blocks.
    - ``"bootstrap"``: how well is any statistic known? The percentile interval of the statistic over blocks drawn
      with replacement.

    Whether intervals overlap is a first impression, not a test: it ignores that all algorithms saw the same learning
    samples, and that learning samples of one data set share observations.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    kind : {"percentile", "normal", "t", "bootstrap"}
    alpha : float, default 0.05
        The intervals have confidence 1 - alpha, or contain that share of the values.
    statistic : str or function, default "mean"
        What the bootstrap is for; the other kinds are for the mean.
    resamples, seed : int, optional
        Size (2,000 by default) and seed of the bootstrap, with ``kind="bootstrap"``; the same blocks are drawn for all
        algorithms.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells.
    transform : {"log", "identity"} or function, optional
        With ``"log"`` the mean is the geometric mean, and the ends are those of the mean of the logarithms, back in the
        units of the measure; the default for means where the scale of the measure is ``"log"`` and all values are
        positive. With an increasing function the table is about what it returns.

    Returns
    -------
    DataFrame
        One row per algorithm, ordered by mean (best first), with columns ``n``, ``estimate``, ``lower``, ``upper``
        and ``place``: 1 + number of algorithms whose interval lies wholly on the better side.
        ``frame.attrs["order"]`` writes the places as a chain in which algorithms with overlapping intervals are equal;
        it is None if overlapping is not transitive, or the algorithms have fewer than half of the blocks in common.

    References
    ----------
    M. J. A. Eugster (2011), section 2.1 (percentile). M. J. A. Eugster, T. Hothorn, F. Leisch (2008), section 3.1
    (normal). B. Efron, R. J. Tibshirani (1993). An Introduction to the Bootstrap. Chapman & Hall.

    Examples
    --------
    >>> import podium
    >>> iris = podium.examples.load_ulas2008().select(dataset="iris", algorithms=["lnp", "c45"])
    >>> podium.summaries.intervals(iris, kind="t").round(2)
          n  estimate  lower  upper  place
    c45  10     93.30  89.93  96.67      1
    lnp  10     90.39  86.86  93.93      1
    """
    check_choice(kind, get_args(Kind), "kind")
    check_alpha(alpha)
    resamples = check_draws(resamples, "resamples", 2_000, drawn=kind == "bootstrap", needs="kind='bootstrap'")
    check_seed(seed)
    one = one_measure(results, measure)
    chosen = one_statistic(statistic, one.measures[0])
    if transform is None and chosen.name != "mean":
        transform = "identity"
    transformed = transform_results(one, transform)
    logged = transformed.transform == "log"
    table = ordered_blocks(transformed.results, missing=missing)
    if kind != "bootstrap" and chosen.name != "mean":
        raise InputError(f"`statistic={chosen.name!r}` needs kind='bootstrap'; {kind!r} intervals are for the mean.")
    low, high = _ends(table, kind, alpha, chosen, resamples, seed)
    estimate = chosen.of(table.values)
    if logged:
        low, high, estimate = np.exp(low), np.exp(high), np.exp(estimate)
        table = dataclasses.replace(table, measure=transformed.measure)
    better = high[:, None] < low[None, :] if table.measure.sign == 1 else low[:, None] > high[None, :]
    place = 1 + better.sum(axis=0)
    frame = pd.DataFrame(
        {
            "n": (~np.isnan(table.values)).sum(axis=0),
            "estimate": estimate,
            "lower": low,
            "upper": high,
            "place": place,
        },
        index=list(table.algorithms),
    )
    share = f"{confidence(alpha):%}"
    what = (
        f"the performance ({share} of its distribution)"
        if kind == "percentile"
        else f"the {'geometric ' if logged else ''}{chosen.name}"
    )
    how = {"percentile": "", "normal": ", mean ± z·SD/√n", "t": ", mean ± t·SD/√n"}
    method = how.get(kind, f", bootstrap of blocks, {resamples} resamples, seed {seed}")
    legend = {
        "n": "number of replications" if table.unit == "replication" else "number of data sets",
        "estimate": f"exp of the {chosen.meaning} of the logarithms" if logged else chosen.meaning,
        "lower": f"lower end of the {share} interval of {what}{method}",
        "upper": "upper end of the same interval",
        "place": "1 + number of algorithms whose interval lies wholly on the better side",
    }
    frame = Described(frame=frame, table=table, legend=legend).with_attrs()
    met = _meet(low, high)
    transitive = bool(((met.astype(float) @ met > 0) == met).all())
    frame.attrs["order"] = chain(table.algorithms, place) if transitive and table.missing.ordered else None
    return frame


@check_call
def overlaps(intervals: pd.DataFrame) -> pd.DataFrame:
    """Find which intervals have a point in common.

    Parameters
    ----------
    intervals : DataFrame
        With columns ``lower`` and ``upper``, as `intervals` returns it.

    Returns
    -------
    DataFrame of bool
        One row and one column per algorithm.
    """
    if not isinstance(intervals, pd.DataFrame):
        raise InputError(
            f"`intervals` must be a table of intervals, as intervals() returns it; got {describe(intervals)}."
        )
    lacking = [name for name in ("lower", "upper") if name not in intervals.columns]
    if lacking:
        raise LabelError(f"`intervals` must have the columns 'lower' and 'upper'; {join_names(lacking)} is missing.")
    met = _meet(intervals["lower"].to_numpy(float), intervals["upper"].to_numpy(float))
    return pd.DataFrame(met, index=intervals.index, columns=intervals.index)


def _meet(low: FloatArray, high: FloatArray) -> BoolArray:
    return (low[:, None] <= high[None, :]) & (low[None, :] <= high[:, None])


def _ends(table: Blocks, kind: Kind, alpha: float, statistic: Statistic, resamples: int, seed: int) -> Ends:
    if kind == "percentile":
        # On costs, so that the ends change places with the direction and nothing else changes.
        ends = [percentile_ends(column[~np.isnan(column)], alpha) for column in table.costs.T]
        low, high = np.array(ends, float).reshape(-1, 2).T
        return (low, high) if table.measure.sign == 1 else (-high, -low)
    if kind == "bootstrap":
        sign = table.measure.sign
        draws = bootstrap(table.values, statistic.reduce, resamples=resamples, seed=seed)
        low, high = percentile_ends(sign * draws, alpha)
        return (low, high) if sign == 1 else (-high, -low)
    n = (~np.isnan(table.values)).sum(axis=0)
    if n.min() < 2:
        raise InputError(
            f"A {kind!r} interval needs at least two blocks; {table.algorithms[int(n.argmin())]!r} has {int(n.min())}."
        )
    mean, sd = (one_statistic(name, table.measure).of(table.values) for name in ("mean", "sd"))
    quantile = stats.norm.ppf(1 - alpha / 2) if kind == "normal" else stats.t.ppf(1 - alpha / 2, n - 1)
    half = quantile * sd / np.sqrt(n)
    return mean - half, mean + half


def sign_depth(n: int, alpha: float) -> int:
    """How many order statistics to go in from each end: the number of k with P(B ≤ k) at most alpha/2.

    B is binomial, with n trials and probability 1/2.
    """
    return int((stats.binom.cdf(np.arange(n), n, 0.5) <= alpha / 2).sum())


@check_call
def median_interval(values: npt.ArrayLike, alpha: float = 0.05) -> tuple[float, float]:
    """Confidence interval of a median, whatever the distribution: the medians that the sign test does not reject.

    It reaches from the k-th smallest to the k-th largest value, with the largest k for which a binomial variable with
    n trials and probability 1/2 is below k with probability at most alpha/2.

    Parameters
    ----------
    values : array-like of float
    alpha : float, default 0.05
        The confidence is at least 1 - alpha.

    Returns
    -------
    (float, float)
        NaN where there are too few values (fewer than 6 at ``alpha=0.05``).

    References
    ----------
    W. J. Conover (1999). Practical Nonparametric Statistics, 3rd ed., section 3.2. Wiley.

    Examples
    --------
    >>> import podium
    >>> podium.summaries.median_interval([46.9, 47.2, 49.1, 56.5, 56.8, 59.2, 59.9, 63.2, 63.3, 63.4])
    (47.2, 63.3)
    """
    check_alpha(alpha)
    given = as_numbers(values, "values")
    if given.ndim != 1 or not given.size or np.isnan(given).any():
        raise InputError(f"`values` must be a list of numbers; got an array of shape {given.shape} or missing values.")
    ordered = np.sort(given)
    k = sign_depth(len(ordered), alpha)
    return (float(ordered[k - 1]), float(ordered[-k])) if k >= 1 else (np.nan, np.nan)
