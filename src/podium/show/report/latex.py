"""A report as a LaTeX document: booktabs tables, PDF figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podium.show.report.blocks import Block, Code, Figure, Paragraph, Points, Tabular
from podium.typesetting import Table
from podium.typesetting.latex import escape, lines_of

if TYPE_CHECKING:  # a report uses this module for its forms
    from podium.show.report.model import Report

WIDTH = 6.3  # inches of text on the page
PAGE = 45  # lines of a table that fit a page

PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[a4paper,width=6.3in,height=9.4in]{geometry}
\usepackage{amsmath,booktabs,float,graphicx}
\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}
\setlength{\emergencystretch}{3em}
"""


def as_latex(report: Report, figures: str = "figures") -> str:
    """Write the whole document; figures are referred to as PDF files in a folder."""

    def written(block: Block) -> str:
        match block:
            case Paragraph():
                if block.importance == "absent":
                    return rf"\emph{{{escape(block.text)}}}"
                if block.importance == "caution":
                    return rf"\textbf{{Caution.}} {escape(block.text)}"
                return escape(block.text)
            case Points():
                items = "\n".join(rf"\item {escape(item)}" for item in block.items)
                return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"
            case Tabular():
                return _on_a_page(block).latex(width=WIDTH).replace(r"\begin{table}", r"\begin{table}[H]")
            case Figure():
                return (
                    "\\begin{figure}[H]\n\\centering\n"
                    f"\\includegraphics[width=\\linewidth,height=0.8\\textheight,keepaspectratio]{{{figures}/{block.name}.pdf}}\n"
                    f"\\caption{{{escape(block.caption)}}}\n\\end{{figure}}"
                )
            case Code():
                lines = r"\\".join(rf"\texttt{{{escape(line) or '~'}}}" for line in block.text.split("\n"))
                return f"{escape(block.title)}:\\par\n{{\\footnotesize\\raggedright {lines}\\par}}"

    authors = r" \and ".join(escape(name) for name in report.authors)
    parts = [
        PREAMBLE
        + f"\\title{{{escape(report.title)}\\\\\\large {escape(report.subtitle)}}}\n\\author{{{authors}}}\n\\date{{}}",
        "\\begin{document}\n\\maketitle",
    ]
    parts += [written(Paragraph(report.caution, "caution"))] if report.caution else []
    for section in report.sections:
        parts.append(rf"\section{{{escape(section.title)}}}")
        parts += [written(block) for block in section.blocks]
    return "\n\n".join(parts) + "\n\n\\end{document}\n"


def _on_a_page(block: Tabular) -> Table:
    """Return a table, or as many of its first rows as a page holds; files have them all."""
    table, count = block.table, len(block.table.rows)
    if not block.is_long or lines_of(table, WIDTH) <= PAGE:
        return table
    few = (table.replace(rows=table.rows[:n]) for n in range(block.most, 0, -1))
    short = next((one for one in few if lines_of(one, WIDTH) <= PAGE), table.replace(rows=table.rows[:1]))
    note = (
        f"The first {len(short.rows)} of {count:,} rows; written to a folder, this report has all of them in "
        f"tables/{block.name}.csv."
    )
    return short.replace(notes=(note, *table.notes))
