"""A table in HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape as escaped
from typing import TYPE_CHECKING

from podium.typesetting.plain import one_line

if TYPE_CHECKING:
    from podium.typesetting.table import Cell, Column, Table

# Outside Jupyter's own pages a table has no style, and its cells run together. Lines have the colour of the text, so
# that they are visible on light and dark pages.
_TABLE = "border-collapse:collapse;margin:0.5em 0"
_CELL = "padding:0.15em 0.6em"
_RULE = "border-bottom:1px solid"


def as_html(table: Table) -> str:
    """Write a table with a caption, a head, a body, a foot and notes."""
    caption = (
        f"<caption style='caption-side:top;text-align:left;padding:0.3em 0.6em'>{escape(table.title)}</caption>"
        if table.title
        else ""
    )
    heads = "".join(
        f"<th style='text-align:{column.align};{_CELL};{_RULE}'>{_head(column)}</th>" for column in table.columns
    )
    labels = [i for i, column in enumerate(table.columns) if column.is_label]
    # A browser sets heads of rows in bold: where that has a meaning, labels are plain cells.
    heads_of_rows = not any(row[i].bold for row in (*table.rows, *table.foot) for i in labels)
    body = "".join(_row(row, table.columns, heads_of_rows) for row in table.rows)
    foot = "".join(_row(row, table.columns, heads_of_rows) for row in table.foot)
    notes = "".join(f"<p>{escape(note)}</p>" for note in table.notes)
    end = f"<tfoot>{foot}</tfoot>" if foot else ""
    parts = f"{caption}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody>{end}"
    return (
        f"<div class='podium'><div style='overflow-x:auto'><table style='{_TABLE}'>{parts}</table></div>{notes}</div>"
    )


def _head(column: Column) -> str:
    return f"<i>{escape(column.name)}</i>" if column.symbol else escape(column.name)


def _row(row: Sequence[Cell], columns: Sequence[Column], heads_of_rows: bool) -> str:
    cells = (_cell(cell, column, heads_of_rows) for cell, column in zip(row, columns, strict=True))
    return f"<tr>{''.join(cells)}</tr>"


def _cell(cell: Cell, column: Column, heads_of_rows: bool) -> str:
    text = escape(cell.text)
    text = f"<strong>{text}</strong>" if cell.bold else f"<em>{text}</em>" if cell.italic else text
    marks = f"<sup>{escape(''.join(cell.marks))}</sup>" if cell.marks else ""
    kind = "th" if column.is_label and heads_of_rows else "td"
    wrap = "" if column.is_label else ";white-space:nowrap"
    return f"<{kind} style='text-align:{column.align};{_CELL}{wrap}'>{text}{marks}</{kind}>"


def described(title: str, facts: Sequence[tuple[str, str]]) -> str:
    """Write facts with their names as a small table, for a notebook."""
    cell = f"text-align:left;vertical-align:top;{_CELL}"
    rows = "".join(
        f"<tr><th style='{cell}'>{escape(name)}</th><td style='{cell}'>{escape(text)}</td></tr>" for name, text in facts
    )
    return f"<div class='podium'><strong>{escape(title)}</strong><table style='{_TABLE}'>{rows}</table></div>"


def escape(text: str) -> str:
    """Write a text so that a browser shows it as it is."""
    return escaped(one_line(text))
