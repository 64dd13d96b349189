"""Reports: a typed model, collected from all analyses, and one renderer for each form."""

from podium.reporting.analyses import Analyses, Attempt
from podium.reporting.answer import Answer, Choice, find_answer
from podium.reporting.blocks import Code, Figure, Paragraph, Points, Section, Tabular
from podium.reporting.model import Report
from podium.reporting.registered_sections import register_section, section_names, unregister_section
from podium.reporting.report import report
from podium.reporting.stability import PlaceShares

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
