"""The blocks that a report consists of: paragraphs, lists, tables, figures, text to copy; and sections of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import UnionType
from typing import Any, Literal, TypeAlias, get_args

import pandas as pd

from podium.checks import as_list, check_choice, check_count, check_text, describe, expect, record, value_error
from podium.errors import InputError
from podium.typesetting import Table

Importance: TypeAlias = Literal["plain", "lead", "caution", "absent"]

NAME = r"[a-z0-9][a-z0-9-]*"  # of a section, table or figure: safe in paths, addresses and markup


def check_block_name(block: Tabular | Figure) -> None:
    """Refuse a name that could be markup or a path: files and anchors are called after it."""
    check_text(block.name, "name")
    if not re.fullmatch(NAME, block.name):
        raise InputError(
            f"`name` of a {type(block).__name__} must consist of lower-case letters, digits and hyphens; "
            f"got {block.name!r}."
        )


def _as_tuple(block: Points | Section, field: str, kinds: type | UnionType, expected: str) -> None:
    """Keep several entries as a tuple, which cannot be changed later; refuse those of other kinds."""
    entries = tuple(as_list(getattr(block, field), field, f"a list of {expected}"))
    for entry in entries:
        if not isinstance(entry, kinds):
            raise value_error(field, f"be a list of {expected}", entry)
    object.__setattr__(block, field, entries)


@record()
class Paragraph:
    """A paragraph of text, without any markup.

    Attributes
    ----------
    text : str
    importance : {"plain", "lead", "caution", "absent"}
        ``"lead"`` is set larger; ``"caution"`` is marked as a warning; ``"absent"`` says what a section would need.
    """

    text: str
    importance: Importance = "plain"

    def __post_init__(self) -> None:
        check_text(self.text, "text")
        check_choice(self.importance, get_args(Importance), "importance")


@record()
class Points:
    """A list of short texts.

    Attributes
    ----------
    items : tuple of str
    """

    items: tuple[str, ...]

    def __post_init__(self) -> None:
        _as_tuple(self, "items", str, "texts")


@record(eq=False)
class Tabular:
    """A table; a long one is shown in part, and opens to the whole.

    Attributes
    ----------
    name : str
        Stem of its file in a folder: ``"pairs"``; lower-case letters, digits and hyphens.
    table : Table
    most : int
        Rows that are shown at first.
    """

    name: str
    table: Table
    most: int = 12

    def __post_init__(self) -> None:
        given: object = self.table
        if isinstance(given, pd.DataFrame):
            raise InputError("`table` must be a Table; got a DataFrame. Use podium.table(frame).", path=("table",))
        expect(self.table, Table, "table")
        check_count(self.most, "most")
        check_block_name(self)

    @property
    def is_long(self) -> bool:
        """Whether it is shown in part at first; hiding a row or two is not worthwhile."""
        return len(self.table.rows) > self.most + 3


@record(eq=False)
class Figure:
    """A figure, drawn when a form of the report needs it.

    Attributes
    ----------
    name : str
        Stem of its file: ``"podium"``; lower-case letters, digits and hyphens.
    caption : str
    draw : callable
        Called without arguments; returns what a function of `podium.plot` returns.
    data : Table or None
        The numbers that it shows, displayed on a click.
    """

    name: str
    caption: str
    draw: Callable[[], Any]
    data: Table | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.caption, str) or not callable(self.draw):
            raise InputError(
                "A figure is Figure(name, caption, draw): a name, a text, and a function without arguments that draws, "
                f"such as lambda: podium.plot.box(results); got {describe(self.caption)} as the caption and "
                f"{describe(self.draw)} as the function."
            )
        check_block_name(self)


@record()
class Code:
    """Text to copy: a command, BibTeX entries.

    Attributes
    ----------
    text : str
    title : str
        What it is; a long text is displayed on a click.
    """

    text: str
    title: str


Block: TypeAlias = Paragraph | Points | Tabular | Figure | Code


@record(eq=False)
class Section:
    """A section of a report.

    Attributes
    ----------
    name : str
        By which it is left out or moved: ``"inference"``.
    title : str
    blocks : tuple of Paragraph, Points, Tabular, Figure or Code
    """

    name: str
    title: str
    blocks: tuple[Block, ...]

    def __post_init__(self) -> None:
        _as_tuple(self, "blocks", Block, "blocks, such as podium.show.report.Paragraph(text)")
