"""`Table`: what a table of a paper consists of; each form of it is made from this, in a module of its own."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
import pandas as pd

from podium.checks import (
    check_choice,
    check_count,
    check_path,
    check_text,
    expect,
    is_number,
    record,
    shown,
    write_text,
)
from podium.errors import InputError, join_names
from podium.typesetting.html import as_html
from podium.typesetting.latex import Environment, as_latex
from podium.typesetting.markdown import as_markdown
from podium.typesetting.numbers import decimals_of, number
from podium.typesetting.plain import as_text, mark_formula

Align: TypeAlias = Literal["left", "right", "center"]

NOTHING = "–"  # what a cell without a value shows


@record()
class Cell:
    """One cell of a table.

    Attributes
    ----------
    value : object
        The number, the name, or the pair of numbers (an interval) behind it; None if there is none.
    text : str
        How it reads, without any markup: ``"0.83 ± 0.16"``.
    spread : float or None
        What follows the ±.
    bold, italic : bool
        How it is emphasised.
    marks : tuple of str
        Superscripts: ``("•",)``; the notes of the table explain them.
    """

    value: object = None
    text: str = NOTHING
    spread: float | None = None
    bold: bool = False
    italic: bool = False
    marks: tuple[str, ...] = ()

    @property
    def is_number(self) -> bool:
        """Whether it is set as a formula: a number or several, not a name."""
        return self.value is not None and not isinstance(self.value, str | bool)


@record()
class Column:
    """One column of a table.

    Attributes
    ----------
    name : str
    align : {"left", "right", "center"}
    is_label : bool
        Whether it names the rows; where a table is too wide, such columns are repeated in each part.
    symbol : bool
        Whether the name is a symbol, set in italics: *p*, *δ*.
    is_name : bool
        Whether the name is that of an algorithm, say, which is shortened in a terminal like those in the cells.
    """

    name: str
    align: Align = "right"
    is_label: bool = False
    symbol: bool = False
    is_name: bool = False


@record(eq=False, repr=False, kw_only=True)
class Table:
    """A table, independent of the form it is printed in.

    Attributes
    ----------
    title : str
        The caption.
    columns : tuple of Column
    rows : tuple of tuple of Cell
    foot : tuple of tuple of Cell
        Rows below a rule, such as mean ranks.
    notes : tuple of str
        What a reader must know: marks, tests, missing cells.
    advice : tuple of str
        What its author may do about that. Only `text` shows it; it is not written to a file.

    Examples
    --------
    >>> import podium
    >>> print(podium.table(podium.examples.load_demsar2006(), kind="wins").markdown().splitlines()[2])
    | Algorithm | C4.5+m+cf | C4.5+m | C4.5+cf |        C4.5 |
    """

    _made_from: ClassVar = ((object, "Create one with podium.table(results)."),)

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    foot: tuple[tuple[Cell, ...], ...] = ()
    notes: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        wrong = next((row for row in (*self.rows, *self.foot) if len(row) != len(self.columns)), None)
        if wrong is not None:
            raise InputError(f"Every row must have {len(self.columns)} cells, one per column; one has {len(wrong)}.")

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        title: str = "",
        *,
        digits: int = 2,
        notes: Sequence[str] = (),
        scale: Literal["linear", "log"] = "linear",
    ) -> Self:
        """Make a table from a DataFrame; its index becomes the first columns.

        Parameters
        ----------
        frame : DataFrame
        title : str, default ""
        digits : int, default 2
            Significant digits of the spread of each numeric column; all its numbers have as many decimals.
        notes : sequence of str
        scale : {"linear", "log"}
            On a log scale the numbers of a column may differ by orders of magnitude: each has one significant digit
            more than `digits`, and decimals of its own.
        """
        check_choice(scale, ("linear", "log"), "scale")
        check_count(digits, "digits", most=17)
        if not isinstance(notes, Sequence) or isinstance(notes, str | bytes):
            raise InputError(f"`notes` must be several sentences, such as ['Lower is better.']; got {shown(notes)}.")
        expect(frame, pd.DataFrame, "frame")
        check_text(title, "title")
        plain = isinstance(frame.index, pd.RangeIndex) and frame.index.name is None
        labels = [] if plain else [str(name) if name is not None else "" for name in frame.index.names]
        columns = [Column(name, "left", is_label=True) for name in labels]
        made: list[list[Cell]] = [
            [Cell(str(value), str(value)) for value in frame.index.get_level_values(i)] for i in range(len(labels))
        ]
        several = isinstance(frame.columns, pd.MultiIndex)
        for i, name in enumerate(frame.columns):
            values = list(frame.iloc[:, i])
            numeric = all(is_number(value) or value is None for value in values)
            heading = " ".join(map(str, name)) if several else str(name)
            columns.append(Column(heading, "right" if numeric else "left"))
            made.append(_numbers(values, digits, scale) if numeric else [_text_cell(value) for value in values])
        rows = tuple(zip(*made, strict=True)) if made else ()
        return cls(title=title, columns=tuple(columns), rows=rows, notes=tuple(notes))

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed, given by name: ``**changes``."""
        return dataclasses.replace(self, **changes)

    def frame(self, what: Literal["value", "text", "spread"] = "value") -> pd.DataFrame:
        """Return the table as a DataFrame, with the columns that name the rows as its index.

        Parameters
        ----------
        what : {"value", "text", "spread"}
            The numbers, the text of the cells, or what follows the ±.
        """
        check_choice(what, ("value", "text", "spread"), "what")
        labels = [i for i, column in enumerate(self.columns) if column.is_label]
        rows = [*self.rows, *self.foot]
        index: Any = None
        if labels:
            names = [self.columns[i].name for i in labels]
            keys = [tuple(row[i].text for i in labels) for row in rows]
            index = (
                pd.Index([key[0] for key in keys], name=names[0], dtype=object)
                if len(labels) == 1
                else pd.MultiIndex.from_tuples(keys, names=names)
            )
        shown = [i for i in range(len(self.columns)) if i not in labels]
        data = [[getattr(row[i], what) for i in shown] for row in rows]
        made = pd.DataFrame(data, index=index, columns=[self.columns[i].name for i in shown], dtype=object)
        return made.infer_objects()

    def text(self, width: int | None = None) -> str:
        """Return the table as aligned text, best values between asterisks.

        Parameters
        ----------
        width : int, optional
            Characters in a line; a wider table is continued below. By default there is no limit.
        """
        return as_text(self, width)

    def markdown(self) -> str:
        """Return the table in Markdown, as GitHub, pandoc and notebooks read it."""
        return as_markdown(self)

    def html(self) -> str:
        """Return the table in HTML, in the colours and fonts of the page that shows it."""
        return as_html(self)

    def latex(
        self,
        *,
        caption: str | None = None,
        label: str | None = None,
        width: float | None = None,
        environment: Environment | None = None,
        unicode: bool = False,
    ) -> str:
        """Return the table for a LaTeX document; it needs the package booktabs.

        Without `width` and `environment` it fits a two-column paper: a ``table`` if it can be set in a column
        (3.3 inches), else a ``table*`` over both (7 inches), in the largest standard type size that fits. A
        table that is wider still is set in several parts, one below the other.

        Parameters
        ----------
        caption, label : str, optional
            The caption is `title` by default; with ``""`` there is none.
        width : float, optional
            Inches that are available.
        environment : {"table", "table*", "tabular", "longtable"}, optional
            ``"tabular"`` is the bare table, without caption and notes. ``"longtable"`` (package longtable) breaks over
            pages, but not in two columns; it is used only on request.
        unicode : bool, default False
            Whether non-European characters are left as they are, for LuaLaTeX and XeLaTeX. pdfLaTeX cannot set them; by
            default they are written as their code points.
        """
        return as_latex(self, caption=caption, label=label, width=width, environment=environment, unicode=unicode)

    def json(self) -> str:
        """Return the table in JSON: title, columns, one object per row with its values, notes."""
        made = {
            "title": self.title,
            "columns": [column.name for column in self.columns],
            "rows": self._records(self.rows),
            **({"foot": self._records(self.foot)} if self.foot else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
        }
        return json.dumps(made, indent=2, ensure_ascii=False, allow_nan=False)

    def _records(self, rows: Sequence[Sequence[Cell]]) -> list[dict[str, object]]:
        return [{column.name: _shown(cell) for column, cell in zip(self.columns, row, strict=True)} for row in rows]

    def write(self, path: str | Path) -> Path:
        """Write the table to a file in the format of its extension: .tex, .md, .html, .txt, .csv, .json."""
        return write_table(self, path)

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.html()


FORMS: Mapping[str, Callable[[Table], str]] = {
    ".tex": Table.latex,
    ".md": Table.markdown,
    ".html": Table.html,
    ".txt": Table.text,
    ".csv": lambda table: _marked(table.frame()).to_csv(index=any(column.is_label for column in table.columns)),
    ".json": Table.json,
}


def write_table(table: Table, path: str | Path, argument: str = "path") -> Path:
    """Write a table in the format of the extension of the path; `argument` is its name in messages."""
    path = check_path(path, argument)
    if path.suffix.lower() not in FORMS:
        raise InputError(f"`{argument}` must end in one of {join_names(FORMS, most=9)}; got {path.name!r}.")
    write_text(path, FORMS[path.suffix.lower()](table.replace(advice=())).rstrip("\n") + "\n", argument)
    return path


def _shown(cell: Cell) -> object:
    """Return what JSON shows of a cell: its value; with a spread, both."""
    return json_value(cell.value if cell.spread is None else {"value": cell.value, "spread": cell.spread})


def _marked(frame: pd.DataFrame) -> pd.DataFrame:
    """Mark what a spreadsheet would take for a formula: in texts, and in the names of rows and columns."""

    def marked(thing: object) -> object:
        if isinstance(thing, tuple):
            return tuple(marked(one) for one in thing)
        return mark_formula(thing) if isinstance(thing, str) else thing

    made = frame.astype(object).map(marked)
    made.index, made.columns = made.index.map(marked), made.columns.map(marked)
    made.index.names = [marked(name) for name in frame.index.names]
    return made


def _numbers(values: Sequence[Any], digits: int, scale: str) -> list[Cell]:
    """Set a column of numbers, on a linear scale with the same decimals; whole numbers have none."""
    array = np.array([np.nan if value is None else float(value) for value in values])
    finite = array[np.isfinite(array)]
    whole = bool((finite == np.round(finite)).all() and (np.abs(finite) < 1e15).all())
    differ = len(finite) > 1 and np.ptp(finite) > 1e-12 * np.abs(finite).max()  # by more than rounding
    spread = [float(np.std(finite, ddof=1))] if differ else []
    decimals = 0 if whole else decimals_of(spread, finite, digits)
    each = [decimals_of((), x, digits) if scale == "log" and not whole else decimals for x in array]
    return [Cell(None) if np.isnan(x) else Cell(x, number(x, d)) for x, d in zip(array, each, strict=True)]


def _text_cell(value: object) -> Cell:
    if value is None or (isinstance(value, float) and np.isnan(value)) or value is pd.NaT:
        return Cell(None)
    if isinstance(value, bool | np.bool_):
        return Cell(bool(value), "yes" if value else "no")
    return Cell(str(value), str(value))


def json_value(value: object, otherwise: Callable[[Any], Any] = str) -> Any:
    """Return a value as lists, mappings, texts, numbers, true, false and null.

    NaN is null. Infinite numbers, which JSON does not have, are texts that ``Number()`` in JavaScript and ``float()``
    in Python read. A DataFrame is a list of its rows. `otherwise` writes what is none of these.

    >>> json_value({"interval": (-np.inf, np.float64(0.5)), "pvalues": np.array([0.04, np.nan])})
    {'interval': ['-Infinity', 0.5], 'pvalues': [0.04, None]}
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None if np.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, np.ndarray):
        ready = value.dtype.kind in "biuU" or (value.dtype.kind == "f" and bool(np.isfinite(value).all()))
        return value.tolist() if ready else json_value(value.tolist(), otherwise)
    if isinstance(value, pd.DataFrame):
        return [json_value(row, otherwise) for row in value.to_dict("records")]
    if isinstance(value, Mapping):
        return {str(key): json_value(item, otherwise) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [json_value(item, otherwise) for item in value]
    return otherwise(value)
