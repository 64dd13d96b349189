"""Performance and cost: the order in which a cheaper algorithm goes first unless a test shows a costlier one better."""

from __future__ import annotations

from podium.plot.drawing import PLOTS
from podium.reporting.analyses import Analyses
from podium.reporting.blocks import Block, Figure, Paragraph, Tabular
from podium.reporting.sections import SectionMaker, absent
from podium.typesetting import Table


def _make(analyses: Analyses) -> list[Block]:
    found = analyses.multitest.value
    if found is None:
        return [absent(analyses.multitest.problem)]
    table = Table.from_frame(found.frame().rename_axis("Algorithm"), "Order by performance and cost, best first")
    tradeoff = PLOTS["cost_tradeoff"].function()
    figure = Figure(
        "cost",
        "Cost against performance. The line joins the algorithms that no other beats in both.",
        lambda: tradeoff(found),
        table,
    )
    return [Paragraph(found.text()), figure, Tabular("costs", table, 15)]


COSTS = SectionMaker("costs", "Performance and cost", 80, _make)
