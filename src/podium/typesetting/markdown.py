"""A table in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podium.typesetting.plain import columns_of, one_line

if TYPE_CHECKING:
    from podium.typesetting.table import Cell, Table

_SPECIAL = {c: "\\" + c for c in "\\|*_`[]$~#"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_RULES = {"left": ":{}", "right": "{}:", "center": ":{}:"}


def as_markdown(table: Table) -> str:
    """Write a table with pipes: title, rows, notes."""
    heads = [f"*{escape(column.name)}*" if column.symbol else escape(column.name) for column in table.columns]
    rows = [[_cell(cell) for cell in row] for row in (*table.rows, *table.foot)]
    widths = [max(3, *(columns_of(row[i]) for row in [heads, *rows])) for i in range(len(heads))]
    aligned = [column.align for column in table.columns]

    def line(cells: list[str]) -> str:
        padded = [
            " " * (width - columns_of(cell)) + cell if align == "right" else cell + " " * (width - columns_of(cell))
            for cell, width, align in zip(cells, widths, aligned, strict=True)
        ]
        return f"| {' | '.join(padded)} |"

    rules = [
        _RULES[align].format("-" * (width - len(_RULES[align]) + 2))
        for width, align in zip(widths, aligned, strict=True)
    ]
    body = "\n".join([line(heads), f"| {' | '.join(rules)} |", *map(line, rows)])
    title = [escape(table.title)] if table.title else []
    return "\n\n".join([*title, body, *(escape(note) for note in table.notes)]) + "\n"


def _cell(cell: Cell) -> str:
    text = escape(cell.text)
    text = f"**{text}**" if cell.bold else f"*{text}*" if cell.italic else text
    marks = "".join(escape(mark) for mark in cell.marks)
    return f"{text}<sup>{marks}</sup>" if marks else text


def escape(text: str) -> str:
    r"""Write a text so that Markdown shows it as it is.

    >>> print(escape("a|b *c* <d>"))
    a\|b \*c\* &lt;d&gt;
    """
    return "".join(_SPECIAL.get(c, c) for c in one_line(text))
