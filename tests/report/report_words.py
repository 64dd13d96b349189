"""The words of a report."""

from __future__ import annotations

from report_sources import NAMES

import podium
from podium.show.report import Points


def texts_of(report: podium.show.report.Report) -> list[str]:
    """All paragraphs and items of lists."""
    blocks = [block for section in report.sections for block in section.blocks]
    return [
        text
        for block in blocks
        for text in (block.items if isinstance(block, Points) else [getattr(block, "text", "")])
    ]


def cautions(report: podium.show.report.Report) -> list[str]:
    """What the section of cautions warns of, before it tells how the tests were made."""
    first = report.section("cautions").blocks[0]
    return list(first.items) if isinstance(first, Points) else []


def check_words(report: podium.show.report.Report) -> None:
    """Look for missing sections, and for cautions that are said twice."""
    assert [section.name for section in report.sections] == NAMES
    assert all(section.blocks for section in report.sections)
    texts = texts_of(report)
    assert [one for one in cautions(report) if sum(one in text for text in texts) != 1] == []  # each is said once
