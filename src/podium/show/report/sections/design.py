"""The design and its completeness."""

from __future__ import annotations

import numpy as np
import pandas as pd

from podium.analysis.notes import enumerated
from podium.arrays import BoolArray
from podium.errors import plural
from podium.results import Results
from podium.show.report.analyses import Analyses, attempt
from podium.show.report.blocks import Block, Paragraph, Tabular
from podium.show.report.sections import SectionMaker
from podium.typesetting import Cell, Column, Table
from podium.typesetting.numbers import percent


def _make(analyses: Analyses) -> list[Block]:
    results = analyses.results
    per_set = analyses.main.design.sum(axis=1)
    low, high = int(per_set.min()), int(per_set.max())
    replications = f"{high}" if low == high else f"{low} to {high}"
    replications += " each" if len(results.datasets) > 1 else ""
    if analyses.once:
        replications += f"; {enumerated(analyses.once)} once per data set"
    facts = [
        ("Data sets", f"{len(results.datasets)}: {enumerated(results.datasets, 12)}"),
        ("Replications", replications),
        ("Algorithms", f"{len(results.algorithms)}: {enumerated(results.algorithms, 12)}"),
        ("Measures", enumerated([str(one) for one in results.measures], 12)),
        ("Source", results.origin or "a table in memory"),
    ]
    rows = tuple((Cell(name, name), Cell(text, text)) for name, text in facts)
    columns = (Column("Part", "left", is_label=True), Column("Content", "left"))
    blocks: list[Block] = [Tabular("design", Table(title="The design", columns=columns, rows=rows))]
    return [*blocks, *_completeness(analyses), *_methods(analyses)]


def _completeness(analyses: Analyses) -> list[Block]:
    results = analyses.results
    cells = int(analyses.run.sum())
    stopped = int(analyses.expected.sum()) - cells
    gaps = analyses.lacking
    lacking = int(gaps.sum())
    which = " that were run" if stopped else ""
    early = f" In addition, {_never_run(stopped)} never run, because a stopping rule had decided." if stopped else ""
    if not lacking:
        all_ = f"all {cells:,} cells{which} have a value" if cells > 1 else "its only cell has a value"
        return [Paragraph(f"The table is complete: {all_}.{early}")]
    verb, them = ("has", "it") if lacking == 1 else ("have", "them")
    said = f"{lacking:,} of {cells:,} cells{which} ({percent(lacking / cells)}) {verb} no value."
    table = _gaps(results, gaps)
    shown = Table.from_frame(table, f"Where {plural(lacking, 'cell')} {verb} no value, and why")
    said += f" Analyses use the policy {analyses.missing!r} for {them}.{_empty(analyses)}{early}"
    return [
        Paragraph(said, "caution"),
        Tabular("missing", shown, 8),
    ]


def _empty(analyses: Analyses) -> str:
    """Name the data sets on which no algorithm has a value."""
    main = analyses.main
    there = np.asarray(main.present[..., 0].any(axis=(1, 2)))
    empty = [name for name, some in zip(main.datasets, there, strict=True) if not some]
    if not empty or analyses.missing == "worst-value":  # which says itself that it needs values there
        return ""
    it, name = "it" if len(empty) == 1 else "them", analyses.info.name
    return f" On {enumerated(empty, 6)} no algorithm has a value of {name}: analyses of {name} leave {it} out."


def _never_run(cells: int) -> str:
    return f"{plural(cells, 'cell')} {'was' if cells == 1 else 'were'}"


def _gaps(results: Results, gaps: BoolArray) -> pd.DataFrame:
    """Count the cells without a value, by data set, algorithm, measure and reason, in the order of the results."""
    labels = {"dataset": results.datasets, "algorithm": results.algorithms, "measure": results.measure_names}
    table = results.missing_frame()[gaps[results.missing]]
    counts = table.groupby([*labels, "reason"], sort=False).size().rename("Cells").reset_index()
    counts = counts.sort_values(
        [*labels], key=lambda column: column.map(labels[str(column.name)].index), kind="stable", ignore_index=True
    )
    heads = {"dataset": "Data set", "algorithm": "Algorithm", "measure": "Measure", "reason": "Reason"}
    return counts.rename(columns=heads)


def _methods(analyses: Analyses) -> list[Block]:
    experiment = analyses.experiment
    described = None if experiment is None else attempt(experiment.describe).value
    return [] if described is None else [Paragraph(described.methods)]


DESIGN = SectionMaker("design", "The experiment", 20, _make)
