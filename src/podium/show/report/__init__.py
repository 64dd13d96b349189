"""Reports: a typed model, collected from all analyses, and one renderer for each form."""

from podium.show.report.analyses import Analyses, Attempt, PlaceShares
from podium.show.report.answer import Answer, Choice, find_answer
from podium.show.report.blocks import Code, Figure, Paragraph, Points, Section, Tabular
from podium.show.report.model import Report
from podium.show.report.registered_sections import register_section, section_names, unregister_section
from podium.show.report.report import report

__all__ = [
    "Analyses",
    "Answer",
    "Attempt",
    "Choice",
    "Code",
    "Figure",
    "Paragraph",
    "PlaceShares",
    "Points",
    "Report",
    "Section",
    "Tabular",
    "find_answer",
    "register_section",
    "report",
    "section_names",
    "unregister_section",
]
