"""Table of algorithms × measures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from podium.analysis.blocks import Blocks, best_first, one_measure, ordered_blocks
from podium.analysis.compare import compare
from podium.analysis.transform import transform_results
from podium.checks import check_alpha, check_call, check_choice, check_count, check_flag, expect
from podium.errors import plural
from podium.results import MeasureInfo, MissingReport, Results
from podium.results.aggregation import sample_deviation
from podium.results.known_measures import in_units_of_response
from podium.results.ranks import rank_rows
from podium.show.tables.pairs import Scale, advice, cautions, check_options, check_scale, explained, how, marks_of
from podium.typesetting import Cell, Column, Table
from podium.typesetting.numbers import decimals_of, number


@check_call
def measures(
    results: Results,
    measure: str | Sequence[str] | None = None,
    *,
    method: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
    digits: int = 2,
    marks: bool = True,
    transform: Scale | None = None,
    missing: str = "raise",
    **options: Any,
) -> Table:
    """Tabulate algorithms × measures: mean ± standard deviation over the blocks, best in bold, marks of significance.

    Of a measure on a log scale, such as a time, it is the geometric mean with the geometric standard deviation, a
    factor (×/÷), unless some values are not positive; tests then compare logarithms. Of a measure in the units of the
    response, such as the RMSE, it is the mean rank over data sets, unless its units are given or ``transform`` is.

    Parameters
    ----------
    results : Results
    measure : str or list of str, optional
        Some of the measures; by default all.
    method, alpha
        Of the comparison by each measure, as for `podium.compare`.
    control : str, optional
        Mark what differs from this algorithm, instead of what is worse than the best.
    digits : int, default 2
        Significant digits of the standard error of the means, which determines the number of decimals.
    marks : bool, default True
        Whether to test.
    transform : {"log", "identity"}, optional
        The scale on which means are taken and values compared; by default that of each measure.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells, for each measure by itself.
    **options
        Additional options of `podium.compare`, such as ``adjust`` or ``ratio``.

    Examples
    --------
    >>> import podium
    >>> results = podium.examples.load_ulas2008()
    >>> podium.show.tables.measures(results, marks=False).columns[1].name
    'accuracy [%] ↑'
    """
    check_options("measures", measures, method, options)
    check_alpha(alpha)
    check_count(digits, "digits", most=17)
    check_flag(marks, "marks")
    check_scale(transform)
    given = expect(results, Results, "results")
    chosen = given if measure is None else given.select(measure=measure)
    if control is not None:
        check_choice(control, chosen.algorithms, "control")
    columns: list[tuple[Column, dict[str, Cell]]] = []
    tests: dict[str, str] = {}
    first: dict[str, None] = {}
    advised: dict[str, None] = {}
    geometric: list[str] = []
    ranked: list[str] = []
    reports: dict[str, MissingReport] = {}
    used_blocks: dict[str, Blocks] = {}
    for info in chosen.measures:
        resolved = one_measure(chosen, info.name).resolve_missing(missing)
        reports[info.name] = resolved.reports[-1]
        transformed = transform_results(resolved, transform)
        blocks = ordered_blocks(transformed.results, missing="available")
        if transform is None and blocks.unit == "dataset" and in_units_of_response(info):
            ranked.append(info.name)
            blocks = _in_ranks(blocks)
        ordered = blocks.missing.ordered
        used_blocks[info.name] = blocks
        found = {}
        gaps = "available" if resolved.missing.any() else "raise"
        if marks and blocks.n > 1 and len(blocks.algorithms) > 1:
            compared = compare(
                transformed.results, method=method, control=control, alpha=alpha, missing=gaps, **options
            )
            if ordered or control is not None:
                found, tests[info.name] = marks_of(compared, control or blocks.algorithms[0]), how(compared)
            first |= dict.fromkeys(cautions(compared))
            advised |= dict.fromkeys(advice(compared))
        if transformed.transform == "log":
            geometric.append(info.name)
        cells = _cells(blocks, blocks.measure, transformed.transform == "log", digits, found, ordered=ordered)
        arrow = "↓" if info.direction == "lower" else "↑"
        columns.append((Column(f"{info.name}{f' [{info.units}]' if info.units else ''} {arrow}"), cells))
    names = list(next(iter(used_blocks.values())).algorithms)
    every = names + [name for name in chosen.algorithms if name not in names and any(name in of for _, of in columns)]
    rows = tuple((Cell(name, name), *(cells.get(name, Cell(None)) for _, cells in columns)) for name in every)
    meaning = explained(
        [cell.marks for _, cells in columns for cell in cells.values()], control or "the best of the column"
    )
    notes = [*first, *([f"{meaning}."] if meaning else [])]
    notes += _of_measures(tests)
    notes += _of_measures({name: str(report) for name, report in reports.items() if report.missing})
    notes += _of_scales(geometric, ranked, "; tests compare logarithms" if tests else "")
    return Table(
        title=_title(chosen, used_blocks, geometric, ranked),
        columns=(Column("Algorithm", "left", is_label=True), *(column for column, _ in columns)),
        rows=rows,
        notes=tuple(notes),
        advice=tuple(advised),
    )


def _title(results: Results, used: Mapping[str, Blocks], geometric: Sequence[str], ranked: Sequence[str]) -> str:
    """Say what the cells show, over how many blocks, and in which order."""
    lead = results.measures[0].name
    mean = "geometric mean" if lead in geometric else "mean rank" if lead in ranked else "mean"
    of_lead = f"{lead} " if len(results.measures) > 1 else ""
    order = f"; best {mean} {of_lead}first, best in bold" if used[lead].missing.ordered else ""
    return f"{_statistic(len(geometric), len(results.measures))} over {_over(results, used.values())}{order}."


def _of_measures(said: Mapping[str, str]) -> list[str]:
    """Say of which measures each statement holds."""
    return [f"{', '.join(name for name in said if said[name] == one)}: {one}." for one in dict.fromkeys(said.values())]


def _of_scales(geometric: Sequence[str], ranked: Sequence[str], tests: str) -> list[str]:
    """Say of which measures the means are geometric, and of which they are means of ranks."""
    said = {}
    if geometric:
        said[", ".join(geometric)] = f"geometric mean ×/÷ geometric standard deviation{tests}"
    if ranked:
        said[", ".join(ranked)] = "means of ranks, because data sets have different units"
    return [f"{names}: {one}." for names, one in said.items()]


def _in_ranks(blocks: Blocks) -> Blocks:
    """Take the ranks within blocks for values, the best mean rank first."""
    order = (
        best_first(blocks.mean_ranks, blocks.algorithms)
        if blocks.missing.ordered
        else np.arange(blocks.values.shape[1])
    )
    return replace(
        blocks,
        values=rank_rows(blocks.costs, "average")[:, order],
        algorithms=tuple(blocks.algorithms[k] for k in order),
        measure=MeasureInfo(blocks.measure.name, "lower"),
    )


def _over(results: Results, used: Iterable[Blocks]) -> str:
    """Say over how many blocks the means are."""
    counts = sorted({blocks.n for blocks in used})
    single = len(results.datasets) == 1
    if single and counts == [int(results.design.sum())]:
        return f"the replications of {results.datasets[0]}"
    up_to = "" if len(counts) == 1 else f"{counts[0]:,} to "
    if single:
        return f"{up_to}{plural(counts[-1], 'replication')} of {results.datasets[0]}"
    return f"{up_to}{plural(counts[-1], 'data set')}"


def _statistic(geometric: int, measures: int) -> str:
    """Say what the cells show."""
    if geometric == measures:
        return "Geometric mean ×/÷ geometric standard deviation"
    return "Mean ± standard deviation" + (" (on a log scale: geometric)" if geometric else "")


def _cells(
    blocks: Blocks,
    measure: MeasureInfo,
    is_log: bool,
    digits: int,
    marks: Mapping[str, tuple[str, ...]],
    *,
    ordered: bool,
) -> dict[str, Cell]:
    """Mean and spread of each algorithm; those of logarithms are shown as factors."""
    means = blocks.means
    sd = sample_deviation(blocks.values)
    sign, errors = "±", sd / np.sqrt(blocks.n)
    if is_log:
        sign, means, errors, sd = "×/÷", np.exp(means), np.exp(means) * errors, np.exp(sd)
    typical = decimals_of(errors, means, digits)
    decimals = [typical] * len(means)
    factors = typical
    if is_log:  # digits of the uncertainty, but no more than a factor has
        each = zip(errors, means, strict=True)
        decimals = [min(decimals_of([e], [x], digits), decimals_of((), x, digits)) for e, x in each]
        factors = decimals_of((), sd, digits)
    best = int(np.nanargmin(measure.sign * means))
    winner = number(means[best], decimals[best])
    cells = {}
    for k, name in enumerate(blocks.algorithms):
        text = number(means[k], decimals[k])
        spread = None if np.isnan(sd[k]) else float(sd[k])
        shown = text if spread is None else f"{text} {sign} {number(spread, factors)}"
        is_best = ordered and number(means[k], decimals[best]) == winner
        cells[name] = Cell(float(means[k]), shown, spread=spread, bold=is_best, marks=marks.get(name, ()))
    return cells
