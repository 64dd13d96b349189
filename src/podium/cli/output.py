"""How verbs print: aligned to the terminal, as JSON for scripts, or to a file in the format of its extension."""

from __future__ import annotations

import argparse
import dataclasses
import json
import shutil
import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from podium.analysis.describe.summary import MeasureSummary
    from podium.typesetting import Table

ENDINGS = ".tex, .md, .html, .txt, .csv or .json"
SHORT = 12  # columns of a text that is always printed in its place


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add `--json` and `--out`."""
    parser.add_argument("--json", action="store_true", help="print JSON, for scripts")
    parser.add_argument("--out", metavar="FILE", help=f"write the table to a file: {ENDINGS}")


def emit(args: argparse.Namespace, table: Table, *texts: str, facts: Mapping[str, Any] | None = None) -> int:
    """Write the table to the requested file, or print it with its texts, or print JSON."""
    if args.out is not None:
        write(args, table)
    elif args.json:
        print(table.json() if facts is None else as_json(facts))
    else:
        print(table.text(terminal_width()))
        for text in texts:
            print(f"\n{filled(text)}")
    return 0


def emit_fitted(args: argparse.Namespace, table: Table, *texts: str, facts: Mapping[str, Any] | None = None) -> int:
    """Do the same with a table whose names may be long: they are printed in full, see `fitted`."""
    if args.out is not None or args.json:
        return emit(args, table, facts=facts)
    print(titled(table))
    for text in texts:
        print(f"\n{filled(text)}")
    return 0


def titled(table: Table) -> str:
    """Write a table with its title above."""
    return f"{filled(table.title)}\n\n{fitted(table.replace(title=''))}"


def fitted(table: Table) -> str:
    """Write a table that fits into the terminal and keeps all names, however long.

    Where it is too wide, a column that names the rows and has one value is stated once. Of the other columns with long
    texts the widest are replaced by numbers, until the table fits, and lists below it say what the numbers stand for.
    Columns with texts in common have one list.
    """
    width = terminal_width()
    stated, parts = [], []
    for name in [column.name for column in table.columns if column.is_label]:
        if _width(table) <= width:
            break
        texts = _texts(table, name)
        if len(set(texts)) == 1 and len(table.columns) > 1:
            stated.append(f"{name}: {texts[0]}")
            table = _without(table, name)
    groups = [group for group in _groups(table) if _widest(_distinct(table, group)) > SHORT]
    while groups and _width(table) > width:
        group = max(groups, key=lambda names: sum(_widest(_texts(table, name)) for name in names))
        groups.remove(group)
        listed = _distinct(table, group)
        table = _numbered(table, group, listed)
        parts.append("\n".join([f"{', '.join(group)}:", *_list(listed, width)]))
    bare = table.replace(notes=(), advice=())
    shown = bare.text() if _width(table) <= width else bare.text(width)
    below = [*(["\n".join(map(filled, table.notes))] if table.notes else []), *map(filled, table.advice)]
    return "\n\n".join([*([filled("; ".join(stated))] if stated else []), shown, *parts, *below])


def fits(table: Table) -> bool:
    """Whether a table is no wider than the terminal."""
    return _width(table) <= terminal_width()


def _width(table: Table) -> int:
    """How many columns of a terminal a table takes."""
    return _widest(table.replace(title="", notes=(), advice=()).text().split("\n"))


def _widest(texts: Sequence[str]) -> int:
    from podium.typesetting.plain import columns_of

    return max(map(columns_of, texts), default=0)


def _texts(table: Table, name: str) -> list[str]:
    """Return the texts of a column."""
    from podium.typesetting.plain import one_line

    at = [column.name for column in table.columns].index(name)
    return [one_line(row[at].text) for row in table.rows]


def _distinct(table: Table, names: Sequence[str]) -> list[str]:
    """Return the texts of some columns, each once, row by row."""
    return list(dict.fromkeys(text for row in zip(*(_texts(table, n) for n in names), strict=True) for text in row))


def _without(table: Table, name: str) -> Table:
    kept = [i for i, column in enumerate(table.columns) if column.name != name]
    return table.replace(
        columns=tuple(table.columns[i] for i in kept), rows=tuple(tuple(row[i] for i in kept) for row in table.rows)
    )


def _groups(table: Table) -> list[list[str]]:
    """Return the columns of text, those with texts in common together."""
    groups: list[list[str]] = []
    for name in [column.name for column in table.columns if column.align == "left"]:
        texts = set(_texts(table, name))
        near = [group for group in groups if texts & {text for other in group for text in _texts(table, other)}]
        groups = [group for group in groups if group not in near]
        groups.append([*(other for group in near for other in group), name])
    return groups


def _numbered(table: Table, names: Sequence[str], listed: Sequence[str]) -> Table:
    """Replace the texts of some columns by their numbers in a list."""
    from podium.typesetting import Cell
    from podium.typesetting.plain import one_line

    at = [i for i, column in enumerate(table.columns) if column.name in names]
    return table.replace(
        rows=tuple(
            tuple(
                Cell(cell.value, str(1 + listed.index(one_line(cell.text)))) if i in at else cell
                for i, cell in enumerate(row)
            )
            for row in table.rows
        )
    )


def _list(texts: Sequence[str], width: int) -> list[str]:
    digits = len(str(len(texts)))
    return [
        _broken(f"{number:>{digits + 2}} {text}", width, " " * (digits + 5)) for number, text in enumerate(texts, 1)
    ]


def summary_table(summaries: Sequence[MeasureSummary], title: str = "") -> Table:
    """Set summaries of algorithms, each measure on its scale: times have significant digits, whatever their size."""
    import pandas as pd

    from podium.typesetting import Table

    if len(summaries) == 1:
        parts = [summaries[0].frame.rename_axis("algorithm")]
    else:
        named = {one.table.measure.name: one.frame for one in summaries}
        frame = pd.concat(named, names=["measure", "algorithm"])
        parts = [frame.loc[[name]] for name in named]
    tables = [
        Table.from_frame(part, title, scale="log" if one.transform == "log" else "linear")
        for one, part in zip(summaries, parts, strict=True)
    ]
    return tables[0].replace(rows=tuple(row for table in tables for row in table.rows))


def frame_table(args: argparse.Namespace, frame: pd.DataFrame, labels: list[str], title: str, alpha: float) -> Table:
    """Set the frame of an analysis with headings in words and p-values as in other tables.

    Files for programs, CSV and JSON, have the names and numbers of the frame.
    """
    from podium.typesetting import Cell, Column, Table
    from podium.typesetting.numbers import pvalue

    table = Table.from_frame(frame.set_index(labels), title)
    if args.out is not None and str(args.out).lower().endswith((".csv", ".json")):
        return table
    at = {i for i, column in enumerate(table.columns) if column.name == "pvalue"}
    columns = [
        Column("p", symbol=True)
        if i in at
        else dataclasses.replace(column, name=column.name if len(column.name) == 1 else _heading(column.name))
        for i, column in enumerate(table.columns)
    ]
    rows = tuple(
        tuple(
            Cell(cell.value, pvalue(cell.value, alpha)) if i in at and isinstance(cell.value, float) else cell
            for i, cell in enumerate(row)
        )
        for row in table.rows
    )
    return table.replace(columns=tuple(columns), rows=rows)


_HEADINGS = {"dataset": "Data set", "point_q1": "Point 25%", "point_median": "Point 50%", "point_q3": "Point 75%"}


def _heading(name: str) -> str:
    """Write the name of a column of a frame in words.

    >>> _heading("replications"), _heading("point_q1")
    ('Replications', 'Point 25%')
    """
    return _HEADINGS.get(name, name.replace("_", " ").capitalize())


def write(args: argparse.Namespace, table: Table) -> None:
    """Write the table to the file of `--out`, and print its name."""
    from podium.typesetting.table import write_table

    print(write_table(table, args.out, "--out"))


def terminal_width() -> int:
    """Return the number of columns of the terminal, or of $COLUMNS; 100 where the output is not a terminal."""
    return max(40, shutil.get_terminal_size((100, 24)).columns)


def filled(text: str) -> str:
    """Break a paragraph into lines as wide as the terminal, at most 100."""
    from podium.typesetting.plain import one_line

    return _broken(one_line(text), min(terminal_width(), 100))


def folded(text: str) -> str:
    """Break the lines that are longer than the terminal is wide, at most 100; the rest of a line is indented."""
    width = min(terminal_width(), 100)
    return "\n".join(
        _broken(line, width, " " * (len(line) - len(line.lstrip()) + 2)) if _widest([line]) > width else line
        for line in text.split("\n")
    )


def hanging(text: str, indent: int) -> str:
    """Break a line that is longer than the terminal is wide, at most 100; the rest is indented by so many columns."""
    return _broken(text, min(terminal_width(), 100), " " * indent)


_FILLER = "\ue000"  # stands for the second column of a wide letter while a line is broken


def _broken(line: str, width: int, indent: str = "") -> str:
    """Break a line between words, if possible; letters may be two columns wide."""
    padded = "".join(letter + _FILLER * (unicodedata.east_asian_width(letter) in "WF") for letter in line)
    broken = textwrap.fill(padded, width, subsequent_indent=indent, break_on_hyphens=False)
    return broken.replace(_FILLER, "")


def as_json(facts: Any) -> str:
    """Write facts as JSON."""
    from podium.typesetting.table import json_value

    return json.dumps(json_value(facts), indent=2, ensure_ascii=False, allow_nan=False)
