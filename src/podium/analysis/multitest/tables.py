"""The tables of MultiTest, Multi²Test, orders by several costs, wins, and rank reports, for papers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from podium.analysis.multitest import text
from podium.analysis.notes import Note
from podium.checks import check_count
from podium.errors import plural
from podium.typesetting import Cell, Column, Table

if TYPE_CHECKING:  # outcomes use this module for their tables
    from podium.analysis.multitest.multi2test import Multi2Test
    from podium.analysis.multitest.multitest import MultiTest
    from podium.analysis.multitest.orders_by_cost import OrdersByCost
    from podium.analysis.multitest.rank_report import RankReport
    from podium.analysis.multitest.win_table import WinTable


def multitest_table(found: MultiTest) -> Table:
    """One row per algorithm, best first: prior place, cost, mean, and which algorithms it is moved ahead of."""
    frame = found.frame()
    rows = tuple(
        (
            Cell(row["rank"], str(row["rank"])),
            Cell(str(name), str(name), bold=row["rank"] == 1),
            Cell(row["prior"], str(row["prior"])),
            _number(row["cost"]),
            _number(row["mean"]),
            _names(row["better_than"]),
        )
        for name, row in frame.iterrows()
    )
    where = "" if found.dataset is None else f" on {found.dataset}"
    by = "" if found.measure is None else f" by {found.measure.name}"
    adjusted = "" if found.adjust == "none" else f", adjustment {found.adjust}"
    level = "" if found.alpha is None else f" at level {found.alpha:g}{adjusted}"
    return Table(
        title=f"Order of {plural(len(rows), 'algorithm')}{where}{by} and {found.cost_info.name} (MultiTest)",
        columns=(
            Column("Place"),
            Column("Algorithm", "left", is_label=True),
            Column("Prior place"),
            Column(_named(found.cost_info.name, found.cost_info.units)),
            Column("Mean" if found.measure is None else f"Mean {found.measure.name}"),
            Column("Better than", "left"),
        ),
        rows=rows,
        notes=(
            f"Prior place: by {found.cost_info.name}, {found.cost_info.direction} is preferred. Better than: cheaper "
            f"algorithms, or equally cheap ones, that the test shows to be worse ({found.method}{level}).",
            *(f"Equal cost: {', '.join(group)}." for group in found.ties),
            *(f"In a cycle: {', '.join(group)}." for group in found.cycles),
        ),
    )


def multi2test_table(found: Multi2Test) -> Table:
    """One row per algorithm, best first: prior place, mean rank of the first pass, average cost."""
    frame = found.frame()
    rows = tuple(
        (
            Cell(row["rank"], str(row["rank"])),
            Cell(str(name), str(name), bold=row["rank"] == 1),
            Cell(row["prior"], str(row["prior"])),
            Cell(row["mean_rank"], f"{row['mean_rank']:.2f}"),
            _number(row["average_cost"]),
            Cell(row["first"], str(row["first"])),
            _names(row["better_than"]),
        )
        for name, row in frame.iterrows()
    )
    second = found.second
    ranked = f"the mean {found.measure.name}" if found.over_datasets else "the first pass"
    level = "" if second.alpha is None else f" at level {second.alpha:g}"
    return Table(
        title=f"Order of {plural(len(rows), 'algorithm')} on {plural(len(found.datasets), 'data set')} by "
        f"{found.measure.name} and {found.cost_info.name} (Multi²Test)",
        columns=(
            Column("Place"),
            Column("Algorithm", "left", is_label=True),
            Column("Prior place"),
            Column("Mean rank"),
            Column("Average cost"),
            Column("First"),
            Column("Better than", "left"),
        ),
        rows=rows,
        notes=(
            *text.untested_sentences(found),
            f"Mean rank: of {ranked}. Average cost: 0 for the cheapest on a data set, 1 for the costliest. First: "
            f"number of data sets on which {ranked} puts it first. Better than: cheaper algorithms that the "
            f"second pass shows to be worse ({second.method}{level}).",
            *_cautions(found.notes),
        ),
    )


def costs_table(found: OrdersByCost) -> Table:
    """One row per algorithm, one column per cost: its place."""
    frame = found.frame()
    rows = tuple(
        (Cell(str(name), str(name)), *(Cell(place, str(place), bold=place == 1) for place in row.tolist()))
        for name, row in frame.iterrows()
    )
    return Table(
        title=f"Places of {plural(len(rows), 'algorithm')} by {plural(len(frame.columns), 'cost')}",
        columns=(Column("Algorithm", "left", is_label=True), *(Column(str(name)) for name in frame.columns)),
        rows=rows,
    )


def wins_table(table: WinTable, what: str) -> Table:
    """Wins of the row over the column, bold where the sign test is significant; `what` says what a win is."""
    rows = tuple(
        (
            Cell(name, name),
            *(Cell(n, str(n), bold=bool(table.significant[i, j])) for j, n in enumerate(table.wins[i].tolist())),
        )
        for i, name in enumerate(table.algorithms)
    )
    return Table(
        title=f"Number of data sets (of {len(table.datasets)}) on which the row beats the column, by {what}; bold "
        f"where the sign test is significant at the {table.alpha:g} level.",
        columns=(Column("", "left", is_label=True), *(Column(name, is_name=True) for name in table.algorithms)),
        rows=rows,
        notes=_cautions(table.notes),
    )


def _cautions(notes: Sequence[Note]) -> tuple[str, ...]:
    """Notes without which the table would be misread."""
    return tuple(note.finding for note in notes if note.code == "few blocks inside")


def report_table(report: RankReport, *, decimals: int) -> Table:
    """Make the table of values with ranks for a paper."""
    check_count(decimals, "decimals", least=0, most=17)
    rows = [
        (
            Cell(str(name), str(name)),
            *(
                Cell((v, r), f"{'–' if np.isnan(v) else f'{v:.{decimals}f}'} ({r:g})")
                for v, r in zip(values, ranks, strict=True)
            ),
        )
        for name, values, ranks in zip(report.labels, report.values.tolist(), report.ranks.tolist(), strict=True)
    ]
    means = report.ranks.mean(axis=0).tolist()
    foot = (Cell("average rank", "average rank"), *(Cell(r, f"{r:.3f}") for r in means))
    what = f"{report.aggregate.capitalize()} {report.measure.name}" if report.unit == "dataset" else report.measure.name
    usual = f"{what} with ranks in parentheses. {report.sentence}"
    first = "Data set" if report.unit == "dataset" else "Replication"
    columns = (Column(first, "left", is_label=True), *(Column(name, is_name=True) for name in report.algorithms))
    return Table(title=usual, columns=columns, rows=tuple(rows), foot=(foot,))


def _named(name: str, units: str) -> str:
    return f"{name} [{units}]" if units else name


def _number(value: float) -> Cell:
    return Cell() if np.isnan(value) else Cell(float(value), f"{value:.4g}")


def _names(names: Sequence[str]) -> Cell:
    return Cell(", ".join(names), ", ".join(names)) if names else Cell()
