"""The tables of a report in the reader's language."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from podium.reporting.numerals import with_decimal_comma
from podium.typesetting import Cell, Table

if TYPE_CHECKING:  # a report uses this module for its forms
    from podium.reporting.model import Report


def localised(table: Table, report: Report) -> Table:
    """Return a table whose texts have the decimal mark of the report."""
    if report.decimal == ".":
        return table

    def text(words: str) -> str:
        return with_decimal_comma(words, report.names)

    def row(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple(dataclasses.replace(cell, text=text(cell.text)) for cell in cells)

    return table.replace(
        title=text(table.title),
        rows=tuple(map(row, table.rows)),
        foot=tuple(map(row, table.foot)),
        notes=tuple(map(text, table.notes)),
    )
