"""From pairs to an order: the relation of what is shown, and how stable the order is."""

from __future__ import annotations

import pandas as pd

from podium.plot.drawing import PLOTS
from podium.reporting.analyses import Analyses, attempt
from podium.reporting.blocks import Block, Figure, Paragraph, Tabular
from podium.reporting.sections import SectionMaker, absent
from podium.typesetting import Table

MOST_DRAWN = 25  # algorithms of a Hasse diagram


def _make(analyses: Analyses) -> list[Block]:
    found = analyses.comparison.value
    if found is None:
        return [absent(analyses.comparison.problem)]
    relation = attempt(found.relation).value
    if relation is None:
        return [absent("An order needs all pairs of algorithms.")]
    blocks: list[Block] = []
    if not relation.better.any():
        blocks.append(Paragraph("No algorithm is shown to be better than another: the data show no order."))
    elif relation.chain is not None:
        blocks.append(Paragraph(f"What is shown orders the algorithms: {relation}."))
    else:
        blocks.append(
            Paragraph(
                "What is shown is not a ranking: some algorithms that are not shown to differ have different "
                f"algorithms above or below them. Shown: {relation}."
            )
        )
    if relation.better.any() and len(relation.algorithms) <= MOST_DRAWN:
        hasse = PLOTS["hasse"].function()
        levels = attempt(relation.levels).value
        data = None
        if levels is not None:
            frame = pd.DataFrame({"Level": range(1, len(levels) + 1), "Algorithms": [", ".join(one) for one in levels]})
            data = Table.from_frame(frame, "Levels, best first")
        blocks.append(
            Figure("hasse", "Lines lead from better algorithms down to worse ones.", lambda: hasse(relation), data)
        )
    stable = analyses.stability.value
    if stable is not None:
        of = "data sets" if stable.unit == "dataset" else "replications"
        table = stable.places.rename_axis("Algorithm")
        table = table.loc[table.iloc[:, 0].sort_values(ascending=False, kind="stable").index]
        title = f"Share of {stable.resamples:,} bootstrap resamples of the {of} in which an algorithm takes a place"
        blocks.append(Tabular("stability", Table.from_frame(table, title), 15))
    return blocks


ORDER = SectionMaker("order", "The order", 50, _make)
