"""A report as one HTML page that needs nothing else: no network, no script, no font."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from podium.plot.inline_svg import COLOUR_NAME, WIDTH_CLASS, inline_svg
from podium.plot.save import without_glyph_warnings
from podium.show.report.blocks import Block, Code, Figure, Paragraph, Points, Section, Tabular
from podium.show.report.dark_colours import on_dark
from podium.typesetting import Cell, Column, Table
from podium.typesetting.html import escape

if TYPE_CHECKING:  # a report uses this module for its forms
    from podium.show.report.model import Report

MIN_DRAWING_SCALE = 0.85  # its smallest letters, of 8 points, then have 9 pixels
LONG = 40  # characters of a cell that is broken into lines
NAME = 12  # characters of a name that may be broken into lines, but not at every word

STYLE = (files("podium.show.report") / "report.css").read_text(encoding="utf-8").strip()


def as_html(report: Report) -> str:
    """Write the whole page."""
    authors = f"<p class='authors'>{escape(', '.join(report.authors))}</p>" if report.authors else ""
    contents = "".join(
        f"<li><a href='#{_anchor(i)}'>{escape(one.title)}</a></li>" for i, one in enumerate(report.sections)
    )
    sections = "".join(_section(one, _anchor(i)) for i, one in enumerate(report.sections))
    style = "\n".join([STYLE, *_widths(sections), _dark(sections)])
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    # Only this style sheet and pictures inside the page. Nothing is loaded, no script runs, no form is sent.
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    return (
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>"
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        "<meta name='viewport' content='width=device-width,initial-scale=1'>"
        "<meta name='color-scheme' content='light dark'><meta name='referrer' content='no-referrer'>"
        f"<title>{escape(report.title)}</title><style>{style}</style></head><body>"
        "<a class='skip' href='#content'>Skip to the content</a>"
        f"<div class='page'><nav aria-label='Contents'><ol>{contents}</ol></nav>"
        f"<main id='content'><header><h1>{escape(report.title)}</h1>"
        f"<p class='subtitle'>{escape(report.subtitle)}</p>{authors}</header>{_first(report)}{sections}"
        "</main></div></body></html>\n"
    )


def excerpt(report: Report) -> str:
    """Show the answer in a notebook."""
    blocks = report.sections[0].blocks if report.sections else ()
    texts = "".join(_block(one) for one in blocks if not isinstance(one, Figure))
    return f"<div><h3>{escape(report.title)}</h3><p>{escape(report.subtitle)}</p>{_first(report)}{texts}</div>"


def _first(report: Report) -> str:
    return _block(Paragraph(report.caution, "caution")) if report.caution else ""


def _anchor(number: int) -> str:
    return f"section-{number + 1}"


def _widths(drawings: str) -> list[str]:
    """Write the rules of how wide the drawings may be, and how narrow on a screen, where they then scroll."""
    widths = sorted({int(width) for width in re.findall(rf"<svg [^>]*class=\"{WIDTH_CLASS}(\d+)\"", drawings)})
    rules = [f".{WIDTH_CLASS}{width}{{max-width:{width}px}}" for width in widths]
    least = "".join(f".{WIDTH_CLASS}{width}{{min-width:{width * MIN_DRAWING_SCALE:.0f}px}}" for width in widths)
    return [*rules, f"@media screen{{{least}}}"] if widths else []


def _dark(drawings: str) -> str:
    """Write the rule that gives the drawings other colours on a dark screen; on paper they keep their own."""
    colours = {"000000", *re.findall(rf"var\(--{COLOUR_NAME}([0-9a-f]{{6}}),", drawings)}
    values = ";".join(f"--{COLOUR_NAME}{one}:#{on_dark(one)}" for one in sorted(colours))
    return f"@media screen and (prefers-color-scheme:dark){{:root{{{values}}}}}"


def _section(section: Section, anchor: str) -> str:
    blocks = "".join(_block(one) for one in section.blocks)
    title = f"<h2 id='{anchor}-title'>{escape(section.title)}</h2>"
    return f"<section id='{anchor}' aria-labelledby='{anchor}-title'>{title}{blocks}</section>"


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            kind = "" if block.importance == "plain" else f" class='{block.importance}'"
            return f"<p{kind}>{escape(block.text)}</p>"
        case Points():
            return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in block.items)}</ul>"
        case Tabular():
            return _tabular(block)
        case Figure():
            return _figure(block)
        case Code():
            body = f"<pre>{_verbatim(block.text)}</pre>"
            if "\n" not in block.text:  # a command is short, and also wanted on paper
                return f"<p>{escape(block.title)}:</p>{body}"
            return f"<details><summary>{escape(block.title)}</summary>{body}</details>"


def _tabular(block: Tabular) -> str:
    if not block.is_long:
        return _table(block.table)
    short = block.table.replace(rows=block.table.rows[: block.most], notes=())
    whole = block.table.replace(title="", notes=())
    count = len(block.table.rows)
    return (
        f"{_table(short)}<details><summary>All {count:,} rows</summary>"
        f"{_table(whole, block.table.title)}</details>"
        f"<p class='note print'>The first {block.most} of {count:,} rows.</p>{_notes(block.table)}"
    )


def _figure(block: Figure) -> str:
    data = ""
    if block.data is not None:
        data = f"<details><summary>The numbers behind it</summary>{_table(block.data)}</details>"
    return (
        f"<figure><div class='paper' tabindex='0' role='group' aria-label='Figure'>"
        f"{_drawing(block)}</div>"
        f"<figcaption id='caption-{block.name}'>{escape(block.caption)}</figcaption>{data}</figure>"
    )


def _drawing(figure: Figure) -> str:
    with without_glyph_warnings():
        drawing = figure.draw()
    return inline_svg(drawing, figure.name)


def _table(table: Table, label: str = "") -> str:
    caption = f"<caption><span>{escape(table.title)}</span></caption>" if table.title else ""
    heads = "".join(_head(column) for column in table.columns)
    body = "".join(_row(row, table.columns) for row in table.rows)
    foot = "".join(_row(row, table.columns) for row in table.foot)
    name = escape(label or table.title or "Table")
    return (
        f"<div class='scroll' tabindex='0' role='group' aria-label='{name}'><table>{caption}"
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody>"
        f"{f'<tfoot>{foot}</tfoot>' if foot else ''}</table></div>{_notes(table)}"
    )


def _notes(table: Table) -> str:
    return "".join(f"<p class='note'>{escape(note)}</p>" for note in table.notes)


def _head(column: Column) -> str:
    name = f"<i>{escape(column.name)}</i>" if column.symbol else _breakable(escape(column.name))
    return f"<th scope='col' class='{column.align}'>{name}</th>"


def _row(row: Sequence[Cell], columns: Sequence[Column]) -> str:
    return f"<tr>{''.join(_cell(cell, column) for cell, column in zip(row, columns, strict=True))}</tr>"


def _cell(cell: Cell, column: Column) -> str:
    text, kind = escape(cell.text), "number"
    if column.align == "left":
        kind = "words" if len(cell.text) > LONG else "name" if len(cell.text) > NAME else "short"
        text = _breakable(text)
    text = f"<strong>{text}</strong>" if cell.bold else f"<em>{text}</em>" if cell.italic else text
    marks = f"<sup>{escape(''.join(cell.marks))}</sup>" if cell.marks else ""
    if column.is_label:
        return f"<th scope='row' class='{column.align} {kind}'>{text}{marks}</th>"
    return f"<td class='{column.align} {kind}'>{text}{marks}</td>"


def _breakable(text: str) -> str:
    """Let a line end after an underscore, as after a hyphen."""
    return text.replace("_", "_<wbr>")


def _verbatim(text: str) -> str:
    return "\n".join(escape(line) for line in text.split("\n"))
