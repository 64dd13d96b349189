"""Why here and not there: a tree over characteristics of the data sets."""

from __future__ import annotations

from podium.plot.drawing import PLOTS
from podium.reporting.analyses import Analyses
from podium.reporting.blocks import Block, Figure, Paragraph, Tabular
from podium.reporting.sections import SectionMaker, absent
from podium.typesetting import Table


def _make(analyses: Analyses) -> list[Block]:
    found = analyses.tree.value
    if found is None:
        return [absent(analyses.tree.problem)]
    tree = PLOTS["preference_tree"].function()
    table = Table.from_frame(found.frame().reset_index(drop=True), "Nodes of the tree")
    if len(found.leaves) == 1:
        said = Paragraph("No characteristic is shown to change the order of the algorithms: the tree has no split.")
    else:
        said = Paragraph(f"The tree has {len(found.leaves)} leaves: groups of data sets with different orders.")
    return [
        said,
        Figure("tree", "Worths of the algorithms in each leaf.", lambda: tree(found), table),
        Tabular("tree", table),
    ]


TREE = SectionMaker("tree", "Why here and not there", 90, _make)
