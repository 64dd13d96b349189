"""Table of algorithms: one row each, best first."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy.stats import t

from podium.analysis.blocks import Blocks, one_measure, ordered_blocks
from podium.analysis.compare import compare
from podium.analysis.comparison import Comparison
from podium.analysis.describe import median_interval
from podium.analysis.describe.summary import summarize_measure
from podium.analysis.magnitude import magnitude
from podium.analysis.methods.effects import superiority
from podium.arrays import FloatArray
from podium.checks import check_alpha, check_call, check_choice, check_count
from podium.results import Results
from podium.results.aggregation import sample_deviation
from podium.show.tables.pairs import advice, cautions, check_options, how, missing_notes
from podium.typesetting import Cell, Column, Table
from podium.typesetting.numbers import confidence, decimals_of, interval, number, pvalue


@check_call
def algorithms(
    results: Results,
    measure: str | None = None,
    *,
    statistic: Literal["median", "mean"] = "median",
    method: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
    digits: int = 2,
    missing: str = "raise",
    **options: Any,
) -> Table:
    """Tabulate the algorithms, best mean rank first: rank, location, spread, interval, superiority, p.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    statistic : {"median", "mean"}
        The median with the median absolute deviation (MAD, not scaled) and the interval of the sign test; or the mean
        with the standard deviation and Student's interval. On several data sets, of the data sets' means.
    method, missing
        Of the comparison, as for `podium.compare`.
    control : str, optional
        The algorithm that superiority (the probability of being better in a block) and p-values refer to; by default
        the one with the best mean rank.
    alpha : float, default 0.05
        Each interval has confidence 1 - alpha, by itself.
    digits : int, default 2
        Significant digits of the spread divided by √n, which determines the number of decimals.
    **options
        Additional options of `podium.compare`, such as ``adjust``.

    Examples
    --------
    >>> import podium
    >>> print(podium.show.tables.algorithms(podium.examples.load_demsar2006()))
    4 algorithms by AUC (higher is better) on 14 data sets, best mean rank first.
    <BLANKLINE>
    Algorithm  Mean rank  Median    MAD    95% interval  Superiority  Its interval  Magnitude       p
    C4.5+m+cf     *1.93*   0.887  0.088  [0.657, 0.970]            –             –  –               –
    C4.5+m         2.00    0.863  0.116  [0.661, 0.978]         0.46  [0.18, 0.75]  negligible  0.385
    C4.5+cf        2.93    0.876  0.102  [0.609, 0.968]         0.29  [0.06, 0.57]  large       0.071
    C4.5           3.14    0.829  0.136  [0.619, 0.957]         0.18  [0.02, 0.47]  large       0.040
    ...
    """
    check_options("algorithms", algorithms, method, options)
    check_alpha(alpha)
    check_count(digits, "digits", most=17)
    check_choice(statistic, ("median", "mean"), "statistic")
    chosen = one_measure(results, measure)
    if control is not None:
        check_choice(control, chosen.algorithms, "control")
    compared = compare(chosen, method=method, control=control, alpha=alpha, missing=missing, **options)
    summary = summarize_measure(chosen, missing=missing, transform="identity")
    ranks = summary.mean_ranks.sort_values(kind="stable") if summary.ordered else summary.mean_ranks
    policy = "available" if missing == "worst-rank" else missing
    blocks = ordered_blocks(chosen, missing=policy, order=[str(name) for name in ranks.index])
    head = [(Column("Algorithm", "left", is_label=True), [Cell(name, name) for name in blocks.algorithms])]
    reference = control
    if summary.ordered:
        first = f"{ranks.iloc[0]:.2f}"
        shown = [Cell(float(x), f"{x:.2f}", bold=f"{x:.2f}" == first) for x in ranks]
        head.append((Column("Mean rank"), shown))
        reference = control or str(ranks.index[0])
    columns = _location(blocks, statistic, alpha, digits)
    if reference is not None:
        columns += [*_effects(blocks, reference, alpha), _pvalues(blocks, compared, reference)]
    kept = [(column, cells) for column, cells in (*head, *columns) if any(cell.value is not None for cell in cells)]
    return Table(
        title=_title(blocks, ordered=summary.ordered),
        columns=tuple(column for column, _ in kept),
        rows=tuple(zip(*(cells for _, cells in kept), strict=True)),
        notes=_notes(reference, statistic, compared),
        advice=advice(compared),
    )


def _location(blocks: Blocks, statistic: str, alpha: float, digits: int) -> list[tuple[Column, list[Cell]]]:
    """Location, spread and interval of each algorithm."""
    samples = [column[~np.isnan(column)] for column in blocks.values.T]
    names = ("Median", "MAD") if statistic == "median" else ("Mean", "SD")
    described = [_describe(x, statistic, alpha) if len(x) else (np.nan, np.nan, (np.nan, np.nan)) for x in samples]
    centre, spread, ends = zip(*described, strict=True)
    decimals = decimals_of(np.array(spread) / np.sqrt([max(len(x), 1) for x in samples]), centre, digits)
    return [
        *(
            (Column(name), [Cell(None) if np.isnan(x) else Cell(x, number(x, decimals)) for x in column])
            for name, column in zip(names, (centre, spread), strict=True)
        ),
        (
            Column(f"{confidence(alpha):%} interval"),
            [
                Cell(None) if np.isnan(low) else Cell((float(low), float(high)), interval(low, high, decimals))
                for low, high in ends
            ],
        ),
    ]


def _describe(values: FloatArray, statistic: str, alpha: float) -> tuple[float, float, tuple[float, float]]:
    """Location and spread of values, and the ends of an interval for the location."""
    if statistic == "median":
        centre = float(np.median(values))
        return centre, float(np.median(np.abs(values - centre))), median_interval(values, alpha)
    return float(values.mean()), float(sample_deviation(values)), _student(values, alpha)


def _student(values: FloatArray, alpha: float) -> tuple[float, float]:
    n = len(values)
    if n < 2:
        return np.nan, np.nan
    half = float(t.ppf(1 - alpha / 2, n - 1)) * float(sample_deviation(values)) / np.sqrt(n)
    return float(values.mean()) - half, float(values.mean()) + half


def _effects(blocks: Blocks, reference: str, alpha: float) -> list[tuple[Column, list[Cell]]]:
    """Probability of superiority of each algorithm over the reference, with its interval and the word for its size."""
    sizes, ends, words = [], [], []
    origin = blocks.algorithms.index(reference)
    for k, name in enumerate(blocks.algorithms):
        n = int(blocks.common[k, origin])
        if name == reference or n == 0:
            sizes.append(Cell(None))
            ends.append(Cell(None))
            words.append(Cell(None))
            continue
        size, low, high = superiority(int(blocks.wins[k, origin]), int(blocks.wins[origin, k]), n, alpha)
        sizes.append(Cell(size, number(size, 2)))
        ends.append(Cell((low, high), interval(low, high, 2)))
        words.append(Cell(magnitude(size), magnitude(size)))
    return [(Column("Superiority"), sizes), (Column("Its interval"), ends), (Column("Magnitude", "left"), words)]


def _pvalues(blocks: Blocks, compared: Comparison, reference: str) -> tuple[Column, list[Cell]]:
    adjusted = compared.matrix()
    cells = []
    for name in blocks.algorithms:
        p = float(adjusted[reference][name]) if {name, reference} <= set(adjusted.index) else np.nan
        known = name != reference and not np.isnan(p)
        cells.append(Cell(p, pvalue(p, compared.alpha)) if known else Cell(None))
    return Column("p", symbol=True), cells


def _title(blocks: Blocks, *, ordered: bool) -> str:
    of = "data sets" if blocks.unit == "dataset" else f"replications of {blocks.name}"
    first = ", best mean rank first" if ordered else ""
    return f"{len(blocks.algorithms)} algorithms by {blocks.measure} on {blocks.n} {of}{first}."


def _notes(reference: str | None, statistic: str, compared: Comparison) -> tuple[str, ...]:
    ends = "the sign test (order statistics)" if statistic == "median" else "Student's t"
    spread = "MAD is the median absolute deviation, not scaled; intervals" if statistic == "median" else "Intervals"
    against = (
        f"Superiority is the share of blocks in which the algorithm is better than {reference}, ties counted half.",
        f"p-values against {reference}: {how(compared)}.",
    )
    return (
        *cautions(compared),
        f"{spread} of the {statistic} are those of {ends}, each by itself.",
        *(() if reference is None else against),
        *missing_notes(compared.missing),
    )
