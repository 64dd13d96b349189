"""Where preferences differ: a tree over characteristics of the data sets."""

from __future__ import annotations

import dataclasses

from podium.analysis.trees import BradleyTerryTree
from podium.plot.drawing import PLOTS
from podium.show.report.analyses import Analyses
from podium.show.report.blocks import Block, Figure, Paragraph, Tabular
from podium.show.report.sections import SectionMaker, absent
from podium.typesetting import Cell, Table
from podium.typesetting.numbers import pvalue

_HEADS = {
    "node": "Node",
    "parent": "Parent",
    "n": "n",
    "variable": "Split by",
    "split": "Split at",
    "statistic": "Statistic",
    "pvalue": "p",
    "adjusted": "Adjusted p",
    "best": "Best",
}


def _make(analyses: Analyses) -> list[Block]:
    found = analyses.tree.value
    if found is None:
        return [absent(analyses.tree.problem)]
    tree = PLOTS["preference_tree"].function()
    table = _nodes(found)
    where = " in each leaf" if len(found.leaves) > 1 else ""
    samples = found.unit == "replication" and analyses.main.design.sum(axis=1).max() > 1
    return [
        Paragraph(_reading(found, "learning samples" if samples else "data sets")),
        Figure("tree", f"Worths of the algorithms{where}.", lambda: tree(found), table),
        Tabular("tree", table),
    ]


def _reading(found: BradleyTerryTree, of: str) -> str:
    if len(found.leaves) > 1:
        return f"The tree has {len(found.leaves)} leaves: groups of {of} in which the preferences differ."
    root = found.nodes[0]
    if root.tests["pvalue"].notna().any():
        return "No characteristic is shown to change the preferences: the tree has no split."
    if root.n < 2 * found.min_size:
        return f"The tree has no split: one needs {2 * found.min_size} {of} or more, and there are {root.n}."
    return "The tree has no split: no characteristic varies, or every outcome is certain, so nothing was tested."


def _nodes(found: BradleyTerryTree) -> Table:
    frame = found.frame()
    table = Table.from_frame(frame.rename(columns=_HEADS), "Nodes of the tree")
    tests = [i for i, name in enumerate(frame.columns) if name in ("pvalue", "adjusted")]

    def row(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple(written(cell) if i in tests else cell for i, cell in enumerate(cells))

    def written(cell: Cell) -> Cell:
        return (
            dataclasses.replace(cell, text=pvalue(cell.value, found.alpha)) if isinstance(cell.value, float) else cell
        )

    return table.replace(rows=tuple(map(row, table.rows)))


TREE = SectionMaker("tree", "Where preferences differ", 90, _make)
