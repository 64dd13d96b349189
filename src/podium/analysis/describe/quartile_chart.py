"""Quartile charts in plain text, for terminals and e-mails.

A chart names the data sets whose replications rank the algorithms against the order of the other data sets, by Page's
trend test.

E. B. Page (1963). Ordered hypotheses for multiple treatments: a significance test for linear ranks. Journal of the
American Statistical Association 58, 216–230.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import field
from functools import lru_cache
from html import escape
from itertools import chain, permutations
from math import floor, log10

import numpy as np
import pandas as pd
from scipy.special import ndtr

from podium.analysis.adjustment import adjust_pvalues
from podium.analysis.blocks import one_measure
from podium.arrays import FloatArray
from podium.checks import check_alpha, check_call, check_count, check_flag, record
from podium.errors import join_names
from podium.results import MeasureInfo, Results
from podium.results.labels import natural_key
from podium.results.missing import common_blocks, shared_cells
from podium.results.ranks import rank_rows
from podium.typesetting.plain import safe_line

MAX_EXACT = 8  # algorithms; for more the sum of products is nearly normal
QUARTILES = (0.0, 0.25, 0.5, 0.75, 1.0)
PAGE = 78  # characters per line that e-mail programs do not wrap
HEADS = ("min", "25%", "50%", "75%", "max")


@record(eq=False, kw_only=True)
class QuartileSection:
    """The quartiles of all algorithms on one data set, or over all of them.

    Attributes
    ----------
    title : str
        ``"overall"``, or the name of the data set.
    algorithms : tuple of str
        The best median first; equal medians by name.
    quartiles : ndarray of float, shape (algorithms, 5)
        Minimum, 25%, 50%, 75% and maximum.
    reversed : float
        Share of the pairs of algorithms whose medians are in the reverse order of the overall medians.
    pvalue : float
        Against "its replications do not rank the algorithms in the reverse order of the other data sets" (Page's test,
        adjusted by Holm over the data sets); NaN without two replications or without other data sets.
    """

    title: str
    algorithms: tuple[str, ...]
    quartiles: FloatArray
    reversed: float = 0.0
    pvalue: float = np.nan


@record(eq=False, kw_only=True)
class QuartileChart:
    """Quartiles as numbers and as bars of text; ``str(chart)`` is the chart.

    A bar runs on one scale for all sections: ``-`` from the minimum to the lower quartile, ``|`` the median,
    ``+`` from the upper quartile to the maximum.

    Attributes
    ----------
    measure : MeasureInfo
    sections : tuple of QuartileSection
        Overall first, where there are several data sets.
    width : int
        Characters of a bar.
    alpha : float
        Level of the test for data sets that are strikingly different from the others.
    overall_only : bool
        Whether the text shows the overall chart only; the numbers have all data sets.
    legend : dict of str to str
        What each column of `frame` is.
    missing : str
        What was done about missing cells, and which algorithms have no value at all; empty if no cell is missing.
    """

    measure: MeasureInfo
    sections: tuple[QuartileSection, ...]
    width: int
    alpha: float
    overall_only: bool = False
    legend: dict[str, str] = field(default_factory=dict)
    missing: str = ""

    @property
    def different(self) -> tuple[str, ...]:
        """Data sets that are shown to reverse the order of the others."""
        return tuple(part.title for part in self.sections if part.pvalue <= self.alpha)

    @property
    def warning(self) -> str:
        """A warning about the overall chart, or empty text."""
        if not self.different:
            return ""
        return (
            f"Do not rely on the overall chart: {len(self.different)} of {len(self.sections) - 1} data sets reverse "
            "the order of the others, by Page's test on their replications "
            f"({join_names(self.different, quote=False)})."
        )

    def frame(self) -> pd.DataFrame:
        """One row per section and algorithm: section, algorithm, min, q25, median, q75, max, reversed, pvalue."""
        rows = [
            (part.title, name, *numbers, part.reversed, part.pvalue)
            for part in self.sections
            for name, numbers in zip(part.algorithms, part.quartiles.tolist(), strict=True)
        ]
        frame = pd.DataFrame(rows, columns=list(self.legend))
        frame.attrs["measure"] = str(self.measure)
        frame.attrs["legend"] = self.legend
        frame.attrs["missing"] = self.missing
        return frame

    def __str__(self) -> str:
        return "\n".join(_text(self))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


@check_call
def quartile_chart(
    results: Results,
    measure: str | None = None,
    *,
    width: int = 30,
    per_dataset: bool = True,
    alpha: float = 0.05,
    missing: str = "raise",
) -> QuartileChart:
    """Chart the quartiles of each algorithm in plain text, overall and for each data set.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    width : int, default 30
        Characters of a bar.
    per_dataset : bool, default True
        Whether to show each data set in addition to the overall chart. The overall chart is checked against them
        anyway.
    alpha : float, default 0.05
        The overall chart pools the values of all data sets and is misleading if they disagree. The chart warns if the
        replications of a data set are shown to reverse the order of the others. Where no algorithm differs from
        another, it warns with a probability of at most alpha.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells. With ``"available"`` the quartiles are those of the replications that all algorithms
        with a value share, overall and on each data set; if these are too few for an order, the algorithms come by
        name.

    Returns
    -------
    QuartileChart
        ``print`` it, or take its numbers with ``frame()``.

    Examples
    --------
    >>> import podium
    >>> results = podium.examples.load_ulas2008().select(algorithms=["5nn", "c45", "svl"])
    >>> print(podium.summaries.quartile_chart(results, width=30, per_dataset=False))
    ==== accuracy (higher is better, %) ====
    Do not rely on the overall chart: 2 of 38 data sets reverse the order of the
    others, by Page's test on their replications (monks, segment).
    ---- overall ----
    name    min    25%    50%    75%    max
    svl    32.6   74.5   87.8   95.8  100.0  [   ----------------     |   ++]
    5nn    26.0   69.6   83.4   93.3  100.0  [-----------------      |   +++]
    c45    32.6   71.5   81.9   90.4  100.0  [   ---------------    |   ++++]
    bars from 26.0 to 100.0: --- min to 25%, | median, +++ 75% to max
    """
    check_count(width, "width", least=10, most=1000)
    check_flag(per_dataset, "per_dataset")
    check_alpha(alpha)
    resolved = one_measure(results, measure).resolve_missing(missing)
    report = resolved.reports[-1]
    info = resolved.measures[0]
    values = np.where(shared_cells(resolved), resolved.values, np.nan)[..., 0]
    common = common_blocks(resolved)
    pooled = values[common] if common.any() else values.reshape(-1, values.shape[2])
    overall = _section("overall", resolved.algorithms, pooled, info, None, ordered=report.ordered)
    pvalues = reversal_pvalues(list(info.sign * values), resolved.algorithms)
    parts = [
        _section(name, resolved.algorithms, values[i], info, pooled, pvalues[i], ordered=report.ordered)
        for name, i in sorted(zip(resolved.datasets, range(len(values)), strict=True), key=lambda x: natural_key(x[0]))
    ]
    several = len(parts) > 1
    return QuartileChart(
        measure=info,
        sections=(overall, *parts) if several else tuple(parts),
        width=width,
        alpha=alpha,
        overall_only=several and not per_dataset,
        missing=str(report) if report.missing else "",
        legend={
            "section": "data set, or all of them pooled",
            "algorithm": "algorithm, best median first",
            "min": "smallest value",
            "q25": "lower quartile",
            "median": "median",
            "q75": "upper quartile",
            "max": "largest value",
            "reversed": "share of the pairs of algorithms whose medians are in the reverse order of the overall ones",
            "pvalue": "against the data set not reversing the order of the others, adjusted by Holm",
        },
    )


def _section(
    title: str,
    algorithms: tuple[str, ...],
    values: FloatArray,
    info: MeasureInfo,
    pooled: FloatArray | None,
    pvalue: float = np.nan,
    *,
    ordered: bool,
) -> QuartileSection:
    columns = [column[~np.isnan(column)] for column in values.T]
    there = [k for k, column in enumerate(columns) if len(column)]
    quartiles = np.array([np.quantile(columns[k], QUARTILES) for k in there])
    best_first = sorted(
        range(len(there)), key=lambda i: (info.sign * quartiles[i, 2] if ordered else 0.0, algorithms[there[i]])
    )
    share = 0.0
    if pooled is not None:
        share = reversed_pairs(quartiles[:, 2], np.nanmedian(pooled[:, there], axis=0))
    return QuartileSection(
        title=title,
        algorithms=tuple(algorithms[there[i]] for i in best_first),
        quartiles=quartiles[best_first],
        reversed=share,
        pvalue=float(pvalue),
    )


def reversed_pairs(one: FloatArray, two: FloatArray) -> float:
    """Share of all pairs that are in opposite orders in two lists of numbers.

    >>> reversed_pairs(np.array([1.0, 2.0, 3.0]), np.array([2.0, 1.0, 3.0])).__round__(2)
    0.33
    """
    first, second = np.triu_indices(len(one), 1)
    if not len(first):
        return 0.0
    return float(np.mean(np.sign(one[first] - one[second]) * np.sign(two[first] - two[second]) < 0))


def _text(chart: QuartileChart) -> list[str]:
    numbers = np.concatenate([part.quartiles for part in chart.sections])
    low, high = float(numbers.min()), float(numbers.max())
    logged = chart.measure.scale == "log" and low > 0
    lines = [f"==== {chart.measure} ===="]
    if chart.warning:
        lines.extend(textwrap.wrap(chart.warning, PAGE))
    if chart.missing:
        lines.extend(textwrap.wrap(chart.missing, PAGE))
    written = [[_number(x, low, high, logged) for x in row] for row in numbers.tolist()]
    size = max(len(text) for text in (*chain.from_iterable(written), *HEADS))
    names = max(len(safe_line(name)) for part in chart.sections for name in ("name", *part.algorithms))
    i = 0
    for part in chart.sections[: 1 if chart.overall_only else None]:
        mark = "   (strikingly different from overall)" if part.pvalue <= chart.alpha else ""
        lines.append(f"---- {safe_line(part.title)} ----{mark}")
        lines.append(f"{'name':{names}}  " + "  ".join(head.rjust(size) for head in HEADS))
        for name, row in zip(part.algorithms, part.quartiles.tolist(), strict=True):
            cells = "  ".join(text.rjust(size) for text in written[i])
            lines.append(f"{safe_line(name):{names}}  {cells}  [{bar(row, low, high, chart.width, logged)}]")
            i += 1
    lines.append(
        f"bars from {_number(low, low, high, logged)} to {_number(high, low, high, logged)}"
        f"{', logarithmic' if logged else ''}: --- min to 25%, | median, +++ 75% to max"
    )
    return lines


def bar(quartiles: list[float], low: float, high: float, width: int, logged: bool = False) -> str:
    """Draw one bar.

    >>> bar([0, 2, 5, 6, 10], 0, 10, 11)
    '--   | ++++'
    """
    ends = (log10(low), log10(high)) if logged else (low, high)
    span = ends[1] - ends[0]
    spots = [
        round(((log10(x) if logged else x) - ends[0]) / span * (width - 1)) if span else (width - 1) // 2
        for x in quartiles
    ]
    cells = [" "] * width
    cells[spots[0] : spots[1]] = "-" * (spots[1] - spots[0])
    cells[spots[3] + 1 : spots[4] + 1] = "+" * (spots[4] - spots[3])
    cells[spots[2]] = "|"
    return "".join(cells)


def _number(x: float, low: float, high: float, logged: bool) -> str:
    if logged:
        return f"{x:.3g}"
    size = max(high - low, abs(high) * 1e-3)
    digits = max(2 - floor(log10(size)), 1) if size > 0 else 1
    return f"{x:.{digits}f}" if digits <= 8 else f"{x:.2e}"


def reversal_pvalues(costs: Sequence[FloatArray], names: Sequence[str]) -> FloatArray:
    """P-value of each data set against "it does not reverse the order of the others", adjusted by Holm.

    Where no algorithm differs from another, the order of the other data sets is any order to the replications of one,
    so the probability of any p-value of at most alpha is at most alpha.

    Parameters
    ----------
    costs : sequence of ndarray
        Replications × algorithms of each data set, low values are better. Rows with a missing value are left out.
    names : sequence of str
        The algorithms; they decide between equal mean ranks.

    Returns
    -------
    ndarray of float
        NaN for data sets with fewer than two complete replications, and where there is no other.
    """
    complete = [rows[~np.isnan(rows).any(axis=1)] for rows in costs]
    ranks = {m: rank_rows(rows, "average") for m, rows in enumerate(complete) if len(rows) > 1}
    found = np.full(len(costs), np.nan)
    if len(ranks) < 2:
        return found
    means = {m: one.mean(axis=0) for m, one in ranks.items()}
    total = np.sum(list(means.values()), axis=0)
    for m in ranks:
        others = np.round(total - means[m], 9)
        place = np.empty(len(names))
        place[np.lexsort((np.array(names, str), others))] = np.arange(1, len(names) + 1)
        found[m] = _trend_pvalue(float((ranks[m] @ place).sum()), len(names), len(complete[m]))
    tested = list(ranks)
    found[tested] = adjust_pvalues(found[tested], "holm")
    return found


def _trend_pvalue(statistic: float, k: int, n: int) -> float:
    """Probability that n random permutations of k ranks agree with the order as little; tied ranks agree less often."""
    if k > MAX_EXACT:
        mean, variance = n * k * (k + 1) ** 2 / 4, n * k**2 * (k + 1) ** 2 * (k - 1) / 144
        return float(ndtr((statistic - mean) / np.sqrt(variance)))
    least = n * k * (k + 1) * (k + 2) // 6
    return float(min(_sums(k, n)[: int(np.ceil(statistic - 1e-9)) - least + 1].sum(), 1.0))


@lru_cache(maxsize=64)
def _sums(k: int, n: int) -> FloatArray:
    """Distribution of the sum of products of 1 to k with n random permutations of them, from the smallest on."""
    if n == 1:
        products = np.array(list(permutations(range(1, k + 1)))) @ np.arange(1, k + 1)
        counts = np.bincount(products - products.min())
        return np.asarray(counts / counts.sum(), float)
    half = _sums(k, n // 2)
    whole = np.convolve(half, half)
    return whole if n % 2 == 0 else np.convolve(whole, _sums(k, 1))
