"""Table of data sets × algorithms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from podium.analysis.blocks import one_measure, ordered_blocks
from podium.analysis.compare import compare
from podium.analysis.comparison import Comparison
from podium.analysis.describe import summarize
from podium.arrays import FloatArray
from podium.checks import check_alpha, check_call, check_choice, check_count, check_flag
from podium.errors import counted
from podium.results import Results
from podium.tables.comparing import explained, how, marks_of
from podium.typesetting import Cell, Column, Table
from podium.typesetting.numbers import decimals_of, number

_APART = 2  # decimals by which rows may differ and still get the same


@check_call
def scores(
    results: Results,
    measure: str | None = None,
    *,
    method: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
    adjust: str | None = None,
    digits: int = 2,
    order: Sequence[str] | None = None,
    marks: bool = True,
    missing: str = "raise",
) -> Table:
    """Tabulate data sets × algorithms: mean ± standard deviation, best in bold, marks of significance, mean ranks.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    method, adjust
        Of the comparison over all data sets, as for `podium.compare`; it marks the row of mean ranks.
    control : str, optional
        Mark what differs from this algorithm, instead of what is worse than the best of the row.
    alpha : float, default 0.05
    digits : int, default 2
        Significant digits of the standard error of the means, which decides on the number of decimals.
    order : sequence of str, optional
        The algorithms in the order of the columns; by default the best mean first.
    marks : bool, default True
        Whether to test. Inside a data set all pairs are compared over its replications, by the test that
        `podium.compare` chooses there, with Holm's adjustment for the pairs of that data set.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells. With ``"available"`` a cell without a value shows a dash.

    Returns
    -------
    Table
        Its rows are the data sets, in natural order.

    Examples
    --------
    >>> import podium
    >>> table = podium.tables.scores(podium.datasets.load_demsar2006())
    >>> table.frame().loc["Mean rank"].to_dict()
    {'C4.5+m+cf': 1.928..., 'C4.5+m': 2.0, 'C4.5+cf': 2.928..., 'C4.5': 3.142...}
    """
    check_alpha(alpha)
    check_count(digits, "digits", most=17)
    check_flag(marks, "marks")
    chosen = one_measure(results, measure)
    if control is not None:
        check_control(control, chosen)
    blocks = ordered_blocks(chosen, missing=missing, order=order)
    source, names = blocks.source, blocks.algorithms
    datasets = [str(label) for label in blocks.labels] if blocks.unit == "dataset" else list(source.datasets)
    means, spreads, counts = _moments(source.select(algorithms=list(names)), datasets)
    notes: list[str] = []
    inner = _inner_tests(source, datasets, control, alpha, means, names) if marks else {}
    decimals = _decimals(means, spreads / np.sqrt(np.maximum(counts, 1)), digits)
    best = np.nanmin(np.where(np.isnan(means), np.inf, blocks.measure.sign * means), axis=1)
    rows = []
    for m, dataset in enumerate(datasets):
        written = [number(x, decimals[m]) for x in means[m]]
        of_row = inner[dataset][1] if dataset in inner else {}
        winner = number(blocks.measure.sign * best[m], decimals[m])
        cells = [
            _cell(means[m, k], spreads[m, k], decimals[m], written[k] == winner, of_row.get(name, ()))
            for k, name in enumerate(names)
        ]
        rows.append((Cell(dataset, dataset), *cells))
    foot, tested = _foot(source, blocks.n, names, method, control, alpha, adjust, marks)
    used = [one for _, by_name in inner.values() for one in by_name.values()]
    if used:
        tests = "; ".join(dict.fromkeys(test for test, _ in inner.values()))
        notes.append(f"In a data set: {explained(used, control or 'the best of the row')} ({tests}).")
    if tested is not None:
        reference = control or next(name for name, cell in zip(names, foot[0][1:], strict=True) if cell.bold)
        found = explained([cell.marks for cell in foot[0][1:]], reference)
        verdict = found or f"no algorithm is shown to differ from {reference}"
        notes.append(f"Mean ranks: {verdict} ({how(tested)}).")
    if np.isnan(means).any():
        empty = int(np.isnan(means).sum())
        last = "it comes last" if empty == 1 else "they come last"
        notes.append(f"{counted(empty, 'cell')} without a value; in the mean ranks {last}.")
    replicated = bool((counts > 1).any())
    many = counted(len(datasets), "data set")
    over = f"over {_span(counts)} replications of each of {many}" if replicated else f"on {many}"
    what = "Mean ± standard deviation of " if replicated else ""
    title = f"{what}{blocks.measure} {over}; best in bold."
    columns = (Column("Data set", "left", is_label=True), *(Column(name) for name in names))
    return Table(title=title, columns=columns, rows=tuple(rows), foot=tuple(foot), notes=tuple(notes))


def check_control(control: object, results: Results) -> None:
    """Refuse a control that is not among the algorithms."""
    check_choice(control, results.algorithms, "control")


def _moments(results: Results, datasets: Sequence[str]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mean and standard deviation over the replications, and their number, each data sets × algorithms."""
    rows = [results.datasets.index(name) for name in datasets]
    values = results.values[rows, :, :, 0]
    counts = (~np.isnan(values)).sum(axis=1)
    total = np.where(np.isnan(values), 0.0, values).sum(axis=1)
    means = np.divide(total, counts, out=np.full(counts.shape, np.nan), where=counts > 0)
    squares = np.where(np.isnan(values), 0.0, (values - means[:, None, :]) ** 2).sum(axis=1)
    spreads = np.sqrt(np.divide(squares, counts - 1, out=np.full(counts.shape, np.nan), where=counts > 1))
    return means, spreads, counts.astype(float)


def _decimals(means: FloatArray, errors: FloatArray, digits: int) -> list[int]:
    """Decimals of each row by its standard errors; the same for all rows unless these differ very much.

    Without replications the spread between the algorithms takes their place, as far as the values have decimals.
    """
    replicated = not np.isnan(errors).all()
    found = []
    for row, error in zip(means, errors, strict=True):
        present = row[~np.isnan(row)]
        sizes = error if replicated else [float(np.std(present))]
        varies = bool(np.nansum(sizes) > 0)
        found.append(decimals_of(sizes, present, digits) if varies else -1)
    known = [d for d in found if d >= 0] or [digits]
    usual = int(np.percentile(known, 75, method="higher"))
    if max(known) - min(known) <= _APART:
        found = [usual] * len(found)
    finite = means[~np.isnan(means)]
    exact = next((d for d in range(12) if np.allclose(np.round(finite, d), finite, rtol=0, atol=1e-13)), 12)
    return [min(usual if d < 0 else d, 99 if replicated else exact) for d in found]


def _cell(mean: float, spread: float, decimals: int, is_best: bool, marks: tuple[str, ...]) -> Cell:
    if np.isnan(mean):
        return Cell(None)
    if np.isnan(spread):
        return Cell(float(mean), number(mean, decimals), bold=is_best, marks=marks)
    text = f"{number(mean, decimals)} ± {number(spread, decimals)}"
    return Cell(float(mean), text, spread=float(spread), bold=is_best, marks=marks)


def _inner_tests(
    source: Results,
    datasets: Sequence[str],
    control: str | None,
    alpha: float,
    means: FloatArray,
    names: Sequence[str],
) -> dict[str, tuple[str, dict[str, tuple[str, ...]]]]:
    """Compare inside each data set that has replications; return, for each, the test and the marks by algorithm."""
    found = {}
    signed = source.measures[0].sign * means
    for m, dataset in enumerate(datasets):
        one = source.select(dataset=dataset)
        there = one.present[0, :, :, 0]
        if len(one.algorithms) < 2 or (there.sum(axis=0) < 2).any() or not _varies(one):
            continue
        compared = compare(
            one,
            control=control,
            alpha=alpha,
            adjust="holm",
            intervals=False,
            missing="available" if one.missing.any() else "raise",
        )
        reference = control or names[int(np.nanargmin(signed[m]))]
        found[dataset] = how(compared), marks_of(compared, reference)
    return found


def _varies(one: Results) -> bool:
    """Whether any two algorithms differ in any replication; without a difference there is nothing to test."""
    values = one.values[0, :, :, 0]
    return bool((np.nanmax(values, axis=1) > np.nanmin(values, axis=1)).any())


def _foot(
    source: Results,
    n: int,
    names: Sequence[str],
    method: str | None,
    control: str | None,
    alpha: float,
    adjust: str | None,
    marks: bool,
) -> tuple[list[tuple[Cell, ...]], Comparison | None]:
    """Row of mean ranks, marked by the comparison over all blocks."""
    if n < 2 or len(names) < 2:
        return [], None
    gaps = "available" if source.missing.any() else "raise"
    ranks = summarize(source, missing=gaps, transform="identity")["mean rank"]
    tested = None
    if marks:
        tested = compare(source, method=method, control=control, alpha=alpha, adjust=adjust, missing=gaps)
    reference = control or str(ranks[list(names)].idxmin())
    by_name = marks_of(tested, reference) if tested is not None else {}
    best = f"{ranks.min():.2f}"
    cells = [
        Cell(float(ranks[name]), f"{ranks[name]:.2f}", bold=f"{ranks[name]:.2f}" == best, marks=by_name.get(name, ()))
        for name in names
    ]
    return [(Cell("Mean rank", "Mean rank"), *cells)], tested


def _span(counts: FloatArray) -> str:
    least, most = int(counts[counts > 0].min()), int(counts.max())
    return f"{most}" if least == most else f"{least} to {most}"
