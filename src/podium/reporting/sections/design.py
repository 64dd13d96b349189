"""The design and its completeness."""

from __future__ import annotations

from podium.analysis.notes import enumerated
from podium.errors import counted
from podium.reporting.analyses import Analyses, attempt
from podium.reporting.blocks import Block, Paragraph, Tabular
from podium.reporting.numerals import percent
from podium.reporting.sections import SectionMaker
from podium.setup.experiment import Experiment
from podium.typesetting import Cell, Column, Table


def _make(analyses: Analyses) -> list[Block]:
    results = analyses.results
    per_set = analyses.main.design.sum(axis=1)
    low, high = int(per_set.min()), int(per_set.max())
    replications = f"{high:,} each" if low == high else f"{low:,} to {high:,} each"
    if analyses.once:
        replications += f"; {enumerated(analyses.once)} once per data set"
    facts = [
        ("Data sets", f"{len(results.datasets):,}: {enumerated(results.datasets, 12)}"),
        ("Replications", replications),
        ("Algorithms", f"{len(results.algorithms):,}: {enumerated(results.algorithms, 12)}"),
        ("Measures", enumerated([str(one) for one in results.measures], 12)),
        ("Source", results.origin or "a table in memory"),
    ]
    rows = tuple((Cell(name, name), Cell(text, text)) for name, text in facts)
    columns = (Column("Part", "left", is_label=True), Column("What there is", "left"))
    blocks: list[Block] = [Tabular("design", Table(title="The design", columns=columns, rows=rows))]
    return [*blocks, *_completeness(analyses), *_methods(analyses)]


def _completeness(analyses: Analyses) -> list[Block]:
    results = analyses.results
    cells = int(analyses.expected.sum())
    gaps = analyses.expected & ~results.present
    lacking = int(gaps.sum())
    if not lacking:
        all_ = f"all {cells:,} cells have a value" if cells > 1 else "its only cell has a value"
        return [Paragraph(f"The table is complete: {all_}.")]
    table = results.missing_frame()[gaps[results.missing]]
    verb, them = ("has", "it") if lacking == 1 else ("have", "them")
    said = f"{lacking:,} of {cells:,} cells ({percent(lacking / cells)}) {verb} no value."
    blocks: list[Block] = [Paragraph(f"{said} Analyses use the policy {analyses.missing!r} for {them}.", "caution")]
    if len(table):
        by = [name for name in ("dataset", "algorithm", "measure", "reason") if name in table.columns]
        counts = table.groupby(by, observed=True, sort=False).size().rename("cells").reset_index()
        shown = Table.from_frame(counts, f"Where {counted(lacking, 'cell')} {verb} no value, and why")
        blocks.append(Tabular("missing", shown, 8))
    return blocks


def _methods(analyses: Analyses) -> list[Block]:
    written = None if analyses.design is None else analyses.design.get("experiment")
    if written is None:
        return []
    described = attempt(lambda: Experiment.from_dict(dict(written)).describe()).value
    return [] if described is None else [Paragraph(described.methods)]


DESIGN = SectionMaker("design", "The experiment", 20, _make)
