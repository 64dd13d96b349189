"""A paragraph on the methods, with its references."""

from __future__ import annotations

from podium.show.report.analyses import Analyses
from podium.show.report.blocks import Block, Code, Paragraph, Points
from podium.show.report.references import cited
from podium.show.report.sections import SectionMaker
from podium.show.report.text import methods_paragraph


def _make(analyses: Analyses) -> list[Block]:
    entries = cited(analyses)
    return [
        Paragraph(methods_paragraph(analyses, entries)),
        Points(tuple(entry.text for entry in entries)),
        Code("\n\n".join(entry.bibtex() for entry in entries), "BibTeX"),
    ]


METHODS = SectionMaker("methods", "Methods and references", 120, _make)
