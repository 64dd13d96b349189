"""A report as a LaTeX document: booktabs tables, PDF figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podium.reporting.blocks import Block, Code, Figure, Paragraph, Points, Tabular
from podium.reporting.localise import localised, localised_text
from podium.typesetting.latex import Environment, escape

if TYPE_CHECKING:  # a report uses this module for its forms
    from podium.reporting.model import Report

WIDTH = 6.3  # inches of text on the page
MOST_ROWS = 40  # that fit a page; longer tables break over pages

PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[a4paper,width=6.3in,height=9.4in]{geometry}
\usepackage{amsmath,booktabs,float,graphicx,longtable}
\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}
\setlength{\emergencystretch}{3em}
"""


def as_latex(report: Report, figures: str = "figures") -> str:
    """Write the whole document; figures are referred to as PDF files in a folder."""

    def text(words: str) -> str:
        return escape(localised_text(words, report))

    def written(block: Block) -> str:
        match block:
            case Paragraph():
                if block.importance == "absent":
                    return rf"\emph{{{text(block.text)}}}"
                if block.importance == "caution":
                    return rf"\textbf{{Caution.}} {text(block.text)}"
                return text(block.text)
            case Points():
                items = "\n".join(rf"\item {text(item)}" for item in block.items)
                return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"
            case Tabular():
                table = localised(block.table, report)
                environment: Environment | None = "longtable" if len(table.rows) > MOST_ROWS else None
                return table.latex(width=WIDTH, environment=environment).replace(r"\begin{table}", r"\begin{table}[H]")
            case Figure():
                return (
                    "\\begin{figure}[H]\n\\centering\n"
                    f"\\includegraphics[width=\\linewidth,height=0.8\\textheight,keepaspectratio]{{{figures}/{block.name}.pdf}}\n"
                    f"\\caption{{{text(block.caption)}}}\n\\end{{figure}}"
                )
            case Code():
                lines = r"\\".join(rf"\texttt{{{escape(line) or '~'}}}" for line in block.text.split("\n"))
                return f"{text(block.title)}:\\par\n{{\\footnotesize\\raggedright {lines}\\par}}"

    authors = r" \and ".join(text(name) for name in report.authors)
    parts = [
        PREAMBLE
        + f"\\title{{{text(report.title)}\\\\\\large {text(report.subtitle)}}}\n\\author{{{authors}}}\n\\date{{}}",
        "\\begin{document}\n\\maketitle",
    ]
    for section in report.sections:
        parts.append(rf"\section{{{text(section.title)}}}")
        parts += [written(block) for block in section.blocks]
    return "\n\n".join(parts) + "\n\n\\end{document}\n"
