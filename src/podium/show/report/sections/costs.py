"""Performance and cost: the order in which a cheaper algorithm goes first unless a test shows a costlier one better."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
import pandas as pd

from podium.analysis.multitest import Multi2Test, MultiTest
from podium.analysis.notes import Note, enumerated
from podium.plot.drawing import PLOTS
from podium.plot.figures.cost_tradeoff import CostTradeoff, pareto_front
from podium.results import Results
from podium.show.report.analyses import Analyses, is_geometric
from podium.show.report.blocks import Block, Figure, Paragraph, Tabular
from podium.show.report.figures import numbers_of
from podium.show.report.sections import ON_INTERVALS, SectionMaker, absent
from podium.typesetting import Table


def _make(analyses: Analyses) -> list[Block]:
    found = analyses.multitest.value
    if found is None:
        return [absent(analyses.multitest.problem)]
    costs = analyses.results.select(measure=analyses.costs[0])
    numbers = _numbers(analyses, found)
    frame = found.frame()
    if isinstance(found, Multi2Test):
        frame.insert(4, "mean", pd.Series(numbers.value, index=list(numbers.algorithms)))
    table = _table(frame, _HEADS | _of_means(analyses, found, costs), geometric="cost" in frame and is_geometric(costs))
    tradeoff = PLOTS["cost_tradeoff"].function()
    figure = Figure(
        "cost",
        "Cost against performance. The line joins the algorithms that no other beats in both.",
        lambda: tradeoff(numbers),
        table,
    )
    said = dataclasses.replace(found, notes=_new_notes(analyses, found.notes)).text()
    return [Paragraph(said), figure, Tabular("costs", table, 15)]


def _numbers(analyses: Analyses, found: MultiTest | Multi2Test) -> CostTradeoff:
    """Compute the numbers of the figure; on a log scale values over data sets are geometric means."""
    numbers: CostTradeoff = PLOTS["cost_tradeoff"].compute(found)
    if isinstance(found, MultiTest) or not is_geometric(analyses.main):
        return numbers
    value = np.asarray(analyses.means_of_tested(found).reindex(list(numbers.algorithms)), dtype=np.float64)
    front = pareto_front(numbers.cost_info.sign * numbers.cost, numbers.measure.sign * value)
    return dataclasses.replace(numbers, value=value, front=front, statistic="geometric mean")


def _new_notes(analyses: Analyses, notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """Leave out what the cautions say about all pairs, and what is about intervals, which are not shown here."""
    compared = analyses.comparison.value
    known = [] if compared is None else [(note.code, note.facts) for note in compared.notes]
    elsewhere = (ON_INTERVALS, "few blocks inside")
    return tuple(note for note in notes if note.code not in elsewhere and (note.code, note.facts) not in known)


_HEADS = {
    "rank": "Rank",
    "prior": "Prior place",
    "mean_rank": "Mean rank",
    "average_cost": "Average normalised cost",
    "first": "First places",
    "better_than": "Better than",
    "worse_than": "Worse than",
}
_HEADS_OF_MEANS = {False: "Mean", True: "Geometric mean"}


def _of_means(analyses: Analyses, found: MultiTest | Multi2Test, costs: Results) -> dict[str, str]:
    """Name the columns of means."""
    normalised = isinstance(found, MultiTest) and found.normalised
    return {
        "cost": _HEADS["average_cost"] if normalised else f"{_HEADS_OF_MEANS[is_geometric(costs)]} {analyses.costs[0]}",
        "mean": f"{_HEADS_OF_MEANS[is_geometric(analyses.main)]} {analyses.info.name}",
    }


def _table(frame: pd.DataFrame, heads: Mapping[str, str], *, geometric: bool) -> Table:
    """The order with costs and means; lists of names as text."""
    shown = {
        heads.get(str(name), str(name)): [_names(one) if isinstance(one, tuple) else one for one in frame[name]]
        for name in frame.columns
    }
    made = pd.DataFrame(shown, index=pd.Index(list(frame.index), name="Algorithm"))
    return numbers_of(made, "Order by performance and cost, best first", geometric=geometric)


def _names(names: tuple[str, ...]) -> str:
    return enumerated(names) if names else "–"


COSTS = SectionMaker("costs", "Performance and cost", 80, _make)
