"""The files of a report: one page, a text with its figures, or a folder with everything."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from podium.checks import check_path, file_access, write_text
from podium.errors import InputError, MissingLettersWarning
from podium.plot.save import close, missing_letters_warning, save, without_glyph_warnings
from podium.show.report.blocks import Figure, Tabular
from podium.show.report.html import as_html
from podium.show.report.latex import as_latex
from podium.show.report.markdown import as_markdown
from podium.typesetting import Table

if TYPE_CHECKING:  # a report uses this module for its forms
    from podium.show.report.model import Report

ENDINGS = (".html", ".htm", ".md", ".tex")


def check_form(given: str | Path) -> tuple[Path, str]:
    """Return a path and its extension, empty for a folder; refuse one that names no form of a report."""
    path = check_path(given)
    ending = "" if os.fspath(given).endswith(("/", os.sep)) else path.suffix.lower()
    if ending in ENDINGS:
        return path, ending
    if ending and not path.is_dir():
        raise InputError(
            "`path` must end in .html, .md or .tex, or be a folder, without an extension or with a trailing slash; got "
            f"{path.name!r}."
        )
    if path.exists() and not path.is_dir():
        raise InputError(f"`path` must be a folder; {str(path)!r} is a file. Name another one.")
    return path, ""


def write_report(report: Report, given: str | Path) -> Path:
    """Write the form that the extension of the path asks for."""
    path, ending = check_form(given)
    if ending in (".html", ".htm"):
        write_text(path, as_html(report))
        return path
    if ending in (".md", ".tex"):
        folder = path.with_name(f"{path.stem}-figures")
        with file_access(path, "write"):
            if ending == ".md":
                draw(report, folder, ("svg",))
                write_text(path, as_markdown(report, folder.name))
            else:
                draw(report, folder, ("pdf",))
                write_text(path, as_latex(report, folder.name))
        return path
    with file_access(path, "write", "path"):
        path.mkdir(parents=True, exist_ok=True)
        write_text(path / "report.html", as_html(report))
        draw(report, path / "figures", ("svg", "pdf"))
        write_text(path / "report.md", as_markdown(report))
        write_text(path / "report.tex", as_latex(report))
        tables = path / "tables"
        tables.mkdir(exist_ok=True)
        for name, table in _tables(report):
            table.write(tables / f"{name}.csv")
    return path


def draw(report: Report, folder: Path, endings: Sequence[str]) -> None:
    """Draw every figure into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with _missing_letters_told_once():
        for section in report.sections:
            for block in section.blocks:
                if isinstance(block, Figure):
                    with without_glyph_warnings():
                        drawing = block.draw()
                        for ending in endings:
                            save(drawing, folder / f"{block.name}.{ending}")
                    close(drawing)


@contextmanager
def _missing_letters_told_once() -> Iterator[None]:
    """Warn once of all letters that no font has, not once for each figure; pass other warnings on."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    letters: dict[str, None] = {}
    for one in caught:
        if isinstance(one.message, MissingLettersWarning):
            letters |= dict.fromkeys(one.message.letters)
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    if letters:
        warnings.warn(missing_letters_warning(sorted(letters)), stacklevel=4)


def _tables(report: Report) -> Iterator[tuple[str, Table]]:
    for section in report.sections:
        for block in section.blocks:
            if isinstance(block, Tabular):
                yield block.name, block.table
            elif isinstance(block, Figure) and block.data is not None:
                yield f"figure-{block.name}", block.data
