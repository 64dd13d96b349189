"""Table of data sets × algorithms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from podium.analysis.blocks import one_measure, ordered_blocks
from podium.analysis.compare import compare
from podium.analysis.comparison import Comparison
from podium.analysis.describe.summary import summarize_measure
from podium.analysis.notes import Note, few_blocks_inside
from podium.analysis.transform import Transformed, transform_results
from podium.arrays import FloatArray, IntArray
from podium.checks import check_alpha, check_call, check_choice, check_count, check_flag
from podium.errors import plural
from podium.results import MeasureInfo, Results
from podium.results.aggregation import sample_deviation
from podium.results.labels import natural_key
from podium.results.missing import report_missing, shared_cells
from podium.show.tables.pairs import (
    Scale,
    advice,
    cautions,
    check_options,
    check_scale,
    explained,
    how,
    marks_of,
    missing_notes,
)
from podium.typesetting import Cell, Column, Table
from podium.typesetting.numbers import decimals_of, number

_STATISTICS = {"±": "Mean ± standard deviation", "×/÷": "Geometric mean ×/÷ geometric standard deviation"}
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
    transform: Scale | None = None,
    ratio: float | None = None,
    missing: str = "raise",
    **options: Any,
) -> Table:
    """Tabulate data sets × algorithms: mean ± standard deviation, best in bold, marks of significance, mean ranks.

    Of replications on a log scale, such as times, it is the geometric mean with the geometric standard deviation, a
    factor (×/÷), unless some values are not positive; ranks and tests are then those of the logarithms.

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
        Significant digits of the standard error of the means, which determines the number of decimals.
    order : sequence of str, optional
        The algorithms in the order of the columns; by default the best mean first, geometric where the table shows
        geometric means.
    marks : bool, default True
        Whether to test. Inside a data set all pairs are compared over its replications, by the test that
        `podium.compare` chooses there, with Holm's adjustment for the pairs of that data set. Of a single data set
        there is one comparison, that of `method` and `adjust`.
    transform : {"log", "identity"}, optional
        The scale on which replications are averaged and compared; by default that of the measure.
    ratio : float, optional
        Size of the test sample divided by that of the learning sample, where the results do not contain it: tests
        inside a data set then correct for the overlap of its replications.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells. With ``"available"`` a cell without a value shows a dash.
    **options
        Additional options of the comparison over all data sets, such as ``fold`` or ``seed``.

    Returns
    -------
    Table
        Its rows are the data sets, in natural order.

    Examples
    --------
    >>> import podium
    >>> table = podium.show.tables.scores(podium.examples.load_demsar2006())
    >>> table.frame().loc["Mean rank"].to_dict()
    {'C4.5+m+cf': 1.928..., 'C4.5+m': 2.0, 'C4.5+cf': 2.928..., 'C4.5': 3.142...}
    """
    check_options("scores", scores, method, options)
    check_alpha(alpha)
    check_count(digits, "digits", most=17)
    check_flag(marks, "marks")
    check_scale(transform)
    chosen = one_measure(results, measure)
    if control is not None:
        check_choice(control, chosen.algorithms, "control")
    resolved = chosen.resolve_missing(missing)
    report = resolved.reports[-1]
    scaled = _averaged_scale(resolved, transform)
    source, names = scaled.results, _columns(scaled.results, order)
    valued = np.asarray(source.present.any(axis=(1, 2, 3)))
    datasets = sorted(
        (name for name, any_value in zip(source.datasets, valued, strict=True) if any_value), key=natural_key
    )
    means, spreads, counts = _moments(source.select(algorithms=list(names)), datasets)
    request: dict[str, Any] = {"control": control, "alpha": alpha}
    single = len(datasets) == 1
    foot, tested, reference = _foot(
        source,
        names,
        {**request, "method": method, "adjust": adjust, **_given(ratio, single), **options},
        marks,
    )
    if single and tested is not None:
        inner = dict.fromkeys(datasets, tested)
    else:
        inner = _inner_tests(source, datasets, {**request, "adjust": "holm", **_given(ratio)}) if marks else {}
    costs = np.where(np.isnan(means), np.inf, source.measures[0].sign * means)
    references = [control or names[int(np.argmin(row))] for row in costs]
    inner_marks = [
        marks_of(inner[name], of) if name in inner else {} for name, of in zip(datasets, references, strict=True)
    ]
    sign = "×/÷" if scaled.transform == "log" else "±"
    rows = _rows(datasets, names, means, spreads, counts, sign, scaled.measure, digits, inner_marks)
    notes = _notes(foot, tested, reference, inner, inner_marks, control, single)
    notes += missing_notes(report)
    if sign == "×/÷" and marks:
        notes.append("Ranks and tests are those of the logarithms.")
    replicated = bool((counts > 1).any())
    many = plural(len(datasets), "data set")
    of_each = datasets[0] if single else f"each of {many}"
    over = f"over {_span(counts)} replications of {of_each}" if replicated else f"on {many}"
    what = f"{_STATISTICS[sign]} of " if replicated else ""
    ordered = f"best {'geometric ' if sign == '×/÷' else ''}mean first, " if order is None and report.ordered else ""
    title = f"{what}{scaled.measure} {over}; {ordered}best in bold."
    columns = (Column("Data set", "left", is_label=True), *(Column(name, is_name=True) for name in names))
    return Table(
        title=title,
        columns=columns,
        rows=tuple(rows),
        foot=tuple(foot),
        notes=tuple(notes),
        advice=(
            *(() if tested is None else advice(tested)),
            *(() if single else [note.advice for note in _where_powerless(inner)]),
            *(() if single else _untested(inner.values())[1:]),
        ),
    )


def _moments(results: Results, datasets: Sequence[str]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mean and standard deviation over the replications, and their number, each data sets × algorithms.

    Of a data set they are over the replications that all algorithms with a value on it share.
    """
    rows = [results.datasets.index(name) for name in datasets]
    values = np.where(shared_cells(results), results.values, np.nan)[rows, :, :, 0]
    counts = (~np.isnan(values)).sum(axis=1)
    total = np.where(np.isnan(values), 0.0, values).sum(axis=1)
    means = np.divide(total, counts, out=np.full(counts.shape, np.nan), where=counts > 0)
    return means, sample_deviation(values, axis=1), counts.astype(float)


def _rows(
    datasets: Sequence[str],
    names: Sequence[str],
    means: FloatArray,
    spreads: FloatArray,
    counts: FloatArray,
    sign: str,
    measure: MeasureInfo,
    digits: int,
    marks: Sequence[Mapping[str, tuple[str, ...]]],
) -> list[tuple[Cell, ...]]:
    """One row per data set; means and spreads of logarithms are shown as factors."""
    errors = spreads / np.sqrt(np.maximum(counts, 1))
    if sign == "×/÷":
        means, errors, spreads = np.exp(means), np.exp(means) * errors, np.exp(spreads)
    decimals = _decimals(means, errors, digits, each=measure.scale == "log")
    factors = np.full(means.shape, decimals_of((), spreads, digits)) if sign == "×/÷" else decimals
    best = np.argmin(np.where(np.isnan(means), np.inf, measure.sign * means), axis=1)
    rows = []
    for m, dataset in enumerate(datasets):
        winner = number(means[m, best[m]], decimals[m, best[m]])
        cells = [Cell(dataset, dataset)]
        for k, name in enumerate(names):
            is_best = number(means[m, k], decimals[m, best[m]]) == winner
            places = int(decimals[m, k]), int(factors[m, k])
            cells.append(_cell(means[m, k], spreads[m, k], places, sign, is_best, marks[m].get(name, ())))
        rows.append(tuple(cells))
    return rows


def _notes(
    foot: Sequence[tuple[Cell, ...]],
    tested: Comparison | None,
    reference: str,
    inner: Mapping[str, Comparison],
    inner_marks: Sequence[Mapping[str, tuple[str, ...]]],
    control: str | None,
    single: bool,
) -> list[str]:
    """Say what the tests hold for, what the marks mean, and which tests they come from."""
    notes = [] if tested is None else cautions(tested)
    if not single:
        notes += [note.finding for note in _where_powerless(inner)]
        notes += _untested(inner.values())[:1]
    used = [one for by_name in inner_marks for one in by_name.values()]
    if used:
        tests = "; ".join(dict.fromkeys(how(test) for test in inner.values() if not test.untested.all()))
        where = "In the data set" if single else "In a data set"
        notes.append(f"{where}: {explained(used, control or 'the best of the row')} ({tests}).")
    if tested is not None:
        found = explained([cell.marks for cell in foot[0][1:]], reference)
        verdict = found or f"no algorithm is shown to differ from {reference}"
        notes.append(f"Mean ranks: {verdict} ({how(tested)}).")
    return notes


def _columns(results: Results, order: Sequence[str] | None) -> tuple[str, ...]:
    """Order the algorithms by their means over common blocks; by name, where there are none."""
    gaps = report_missing(results, "available")
    if gaps.common is not None and not gaps.common.blocks and order is None:
        order = sorted(name for name in results.algorithms if name not in dict(gaps.absent))
        return tuple(order)
    return ordered_blocks(results, missing="available", order=order).algorithms


def _averaged_scale(results: Results, transform: Scale | None) -> Transformed:
    """Take the scale on which replications are averaged; without replications values are shown as measured."""
    replicated = bool((results.design.sum(axis=1) > 1).any())
    return transform_results(results, transform if replicated or transform is not None else "identity")


def _given(ratio: float | None, used: bool = True) -> dict[str, float]:
    return {"ratio": ratio} if used and ratio is not None else {}


def _decimals(means: FloatArray, errors: FloatArray, digits: int, *, each: bool) -> IntArray:
    """Decimals of each cell by the standard errors of its row; the same for all rows unless these differ very much.

    Without replications the spread between the algorithms takes their place, as far as the values have decimals. On a
    log scale `each` cell has its own: values of one row may differ by orders of magnitude. It has no more digits than
    the factor beside it.
    """
    replicated = not np.isnan(errors).all()
    finite = means[~np.isnan(means)]
    exact = next((d for d in range(12) if np.allclose(np.round(finite, d), finite, rtol=0, atol=1e-13)), 12)
    most = 99 if replicated else exact
    if each:
        cells = [
            min(decimals_of([error], [mean], digits), decimals_of((), mean, digits))
            for mean, error in zip(means.flat, errors.flat, strict=True)
        ]
        return np.minimum(np.array(cells, dtype=np.int64), most).reshape(means.shape)
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
    rows = [min(usual if d < 0 else d, most) for d in found]
    return np.repeat(np.array(rows, dtype=np.int64)[:, None], means.shape[1], axis=1)


def _cell(
    mean: float, spread: float, decimals: tuple[int, int], sign: str, is_best: bool, marks: tuple[str, ...]
) -> Cell:
    if np.isnan(mean):
        return Cell(None)
    if np.isnan(spread):
        return Cell(float(mean), number(mean, decimals[0]), bold=is_best, marks=marks)
    text = f"{number(mean, decimals[0])} {sign} {number(spread, decimals[1])}"
    return Cell(float(mean), text, spread=float(spread), bold=is_best, marks=marks)


def _inner_tests(source: Results, datasets: Sequence[str], request: Mapping[str, Any]) -> dict[str, Comparison]:
    """Compare inside each data set that has replications."""
    found = {}
    for dataset in datasets:
        one = source.select(dataset=dataset)
        there = one.present[0, :, :, 0]
        counts = there.sum(axis=0)
        if (counts > 0).sum() < 2 or (counts == 1).any() or not _varies(one):
            continue
        found[dataset] = compare(one, missing="available" if one.missing.any() else "raise", **request)
    return found


def _untested(inner: Iterable[Comparison]) -> list[str]:
    """Say that pairs were not tested inside data sets, where that is so, and what would decide."""
    for note in (note for one in inner for note in one.notes if note.code == "no test"):
        return [
            "In a data set nothing was tested, where it is not known how the replications were drawn.",
            note.advice,
        ]
    return []


def _where_powerless(inner: Mapping[str, Comparison]) -> tuple[Note, ...]:
    """Say on which data sets no test can show a difference."""
    return few_blocks_inside({name: [test.notes] for name, test in inner.items()})


def _varies(one: Results) -> bool:
    """Whether any two algorithms differ in any replication; without a difference there is nothing to test."""
    values = one.values[0, :, :, 0]
    values = values[~np.isnan(values).all(axis=1)]  # a replication may have failed as a whole
    return bool((np.nanmax(values, axis=1) > np.nanmin(values, axis=1)).any())


def _foot(
    source: Results,
    names: Sequence[str],
    request: Mapping[str, Any],
    marks: bool,
) -> tuple[list[tuple[Cell, ...]], Comparison | None, str]:
    """Row of mean ranks, marked by the comparison over all blocks, and the algorithm that others are compared with."""
    gaps = report_missing(source, "available" if source.missing.any() else "raise")
    blocks = len(source.datasets) if len(source.datasets) > 1 else int(source.design.sum())
    if blocks < 2 or len(names) < 2 or not gaps.ordered:
        return [], None, ""
    ranks = summarize_measure(source, missing=gaps.policy, transform="identity").mean_ranks
    tested = None
    if marks:
        tested = compare(source, missing=gaps.policy, **request)
    reference: str = request["control"] or str(ranks.idxmin())
    by_name = marks_of(tested, reference) if tested is not None else {}
    best = f"{ranks.min():.2f}"
    cells = [
        Cell(
            float(ranks[name]),
            f"{ranks[name]:.2f}",
            bold=f"{ranks[name]:.2f}" == best,
            marks=by_name.get(name, ()),
        )
        if name in ranks
        else Cell(None)
        for name in names
    ]
    return [(Cell("Mean rank", "Mean rank"), *cells)], tested, reference


def _span(counts: FloatArray) -> str:
    least, most = int(counts[counts > 0].min()), int(counts.max())
    return f"{most}" if least == most else f"{least} to {most}"
