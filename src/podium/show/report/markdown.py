"""A report in Markdown, as GitHub and pandoc read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podium.show.report.blocks import Block, Code, Figure, Paragraph, Points, Tabular
from podium.typesetting.markdown import escape

if TYPE_CHECKING:  # a report uses this module for its forms
    from podium.show.report.model import Report


def as_markdown(report: Report, figures: str = "figures") -> str:
    """Write the whole text; figures are referred to as SVG files in a folder."""

    def written(block: Block) -> str:
        match block:
            case Paragraph():
                if block.importance == "caution":
                    return f"> {escape(block.text)}"
                return f"*{escape(block.text)}*" if block.importance == "absent" else escape(block.text)
            case Points():
                return "\n".join(f"- {escape(item)}" for item in block.items)
            case Tabular():
                return block.table.markdown()
            case Figure():
                return f"![{escape(block.caption)}]({figures}/{block.name}.svg)\n\n*{escape(block.caption)}*"
            case Code():
                fence = "`" * max(3, 1 + _longest_run(block.text, "`"))
                return f"{escape(block.title)}:\n\n{fence}\n{block.text}\n{fence}"

    parts = [f"# {escape(report.title)}", escape(report.subtitle)]
    parts += [escape(", ".join(report.authors))] if report.authors else []
    parts += [written(Paragraph(report.caution, "caution"))] if report.caution else []
    for section in report.sections:
        parts += [f"## {escape(section.title)}", *(written(block) for block in section.blocks)]
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def _longest_run(text: str, sign: str) -> int:
    longest = run = 0
    for c in text:
        run = run + 1 if c == sign else 0
        longest = max(longest, run)
    return longest
