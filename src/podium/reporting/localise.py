"""The texts, tables and figures of a report in the reader's language of numbers."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from podium.plot.localise import change_texts
from podium.plot.save import without_glyph_warnings
from podium.reporting.blocks import Figure, Verbatim
from podium.reporting.numerals import with_decimal_comma
from podium.typesetting import Cell, Table

if TYPE_CHECKING:  # a report uses this module for its forms
    from podium.reporting.model import Report


def localised_text(text: str, report: Report) -> str:
    """Return a text with the decimal mark of the report."""
    if report.decimal == "." or isinstance(text, Verbatim):
        return text
    return with_decimal_comma(text, report.names)


def localised_cell(cell: Cell, report: Report) -> str:
    """Return the text of a cell with the decimal mark of the report; only one that shows a number is changed."""
    return with_decimal_comma(cell.text) if report.decimal == "," and cell.is_number else cell.text


def localised(table: Table, report: Report) -> Table:
    """Return a table whose texts have the decimal mark of the report."""
    if report.decimal == ".":
        return table

    def row(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple(dataclasses.replace(cell, text=localised_cell(cell, report)) for cell in cells)

    return table.replace(
        title=localised_text(table.title, report),
        rows=tuple(map(row, table.rows)),
        foot=tuple(map(row, table.foot)),
        notes=tuple(localised_text(note, report) for note in table.notes),
    )


def drawn(figure: Figure, report: Report) -> Any:
    """Draw a figure; its numbers have the decimal mark of the report."""
    with without_glyph_warnings():
        drawing = figure.draw()
        if report.decimal == ",":
            # The caption of a user's own figure is the user's, and so are its texts.
            own = isinstance(figure.caption, Verbatim)
            change_texts(drawing, with_decimal_comma, None if own else lambda text: localised_text(text, report))
    return drawing
