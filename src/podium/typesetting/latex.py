"""A table in LaTeX, with the rules of the package booktabs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from podium.checks import check_choice, check_flag, describe, is_number, shown
from podium.errors import InputError
from podium.typesetting.plain import in_parts, one_line

if TYPE_CHECKING:
    from podium.typesetting.table import Cell, Column, Table

Environment: TypeAlias = Literal["table", "table*", "tabular", "longtable"]

COLUMN, PAGE = 3.3, 7.0  # inches; of the usual papers in two columns
POINTS = 72.27  # in an inch
NARROWEST = 60.0  # points of a column of text in lines
LONGEST = 150.0  # points of a name in one line, where a table is too wide
PAGE_ROWS = 60  # rows that a page holds
_ALIGN = {"left": "l", "right": "r", "center": "c"}

# Sizes of type with the size of ten points as 1, and the space on each side of a column that goes with it.
_SIZES = (("", 1.0, 6.0), (r"\small", 0.9, 5.0), (r"\footnotesize", 0.8, 4.0), (r"\scriptsize", 0.7, 3.0))

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",  # after \\ it would be an argument
    "]": "{]}",
    "*": "{*}",
    '"': r"\char34{}",
    **{c: "\\" + c for c in "&%$#_{}"},
    **{
        "–": "--",
        "—": "---",
        "‘": "`",
        "’": "'",
        "“": "``",
        "”": "''",
        "…": r"\dots{}",
        "\u00a0": "~",
        "\u202f": r"\,",
    },
    **{"ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}"},
    **{"ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "§": r"\S{}", "©": r"\copyright{}", "•": r"$\bullet$"},
}
_SYMBOLS = {
    **{"×": r"\times", "±": r"\pm", "≤": r"\leq", "≥": r"\geq", "≠": r"\neq", "≈": r"\approx", "∞": r"\infty"},
    **{
        "→": r"\to",
        "↑": r"\uparrow",
        "↓": r"\downarrow",
        "←": r"\leftarrow",
        "·": r"\cdot",
        "°": r"^\circ",
        "²": "^2",
        "³": "^3",
        "¹": "^1",
        "≺": r"\prec",
    },
    **{
        "∘": r"\circ",
        "−": "-",
        "÷": r"\div",
        "¬": r"\neg",
        "µ": r"\mu",
        "†": r"\dagger",
        "‡": r"\ddagger",
        "∼": r"\sim",
    },
}
_GREEK = {
    **dict(zip("αβγδεζηθ", ("alpha", "beta", "gamma", "delta", "varepsilon", "zeta", "eta", "theta"), strict=True)),
    **dict(zip("ικλμνξπρ", ("iota", "kappa", "lambda", "mu", "nu", "xi", "pi", "rho"), strict=True)),
    **dict(zip("στυφχψω", ("sigma", "tau", "upsilon", "varphi", "chi", "psi", "omega"), strict=True)),
    **dict(zip("ΓΔΘΛΞΠ", ("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi"), strict=True)),
    **dict(zip("ΣΥΦΨΩ", ("Sigma", "Upsilon", "Phi", "Psi", "Omega"), strict=True)),
}
_ACCENTS = {
    **{"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u0304": "=", "\u0307": "."},
    **{"\u030c": "v ", "\u0306": "u ", "\u030a": "r ", "\u030b": "H ", "\u0327": "c ", "\u0323": "d "},
}
_FORMULA = {
    "±": r"\pm",
    "∞": r"\infty",
    "–": r"\mbox{--}",
    "%": r"\%",
    "e": r"\mathrm{e}",
    "−": "-",
    "×": r"\times",
    "÷": r"\div",
}
_COMMA_IN_NUMBER = re.compile(r"(?<=\d),(?=\d)")  # in a formula, a space would follow it
_MARKS = {"•": r"\bullet", "∘": r"\circ", "†": r"\dagger", "‡": r"\ddagger"}

_ASCII = str.maketrans({c: written for c, written in _SPECIAL.items() if c.isascii()})


def as_latex(
    table: Table,
    *,
    caption: str | None,
    label: str | None,
    width: float | None,
    environment: Environment | None,
    unicode: bool,
) -> str:
    """Write a table; see `Table.latex`."""
    _check(caption, label, width, environment, unicode)
    title = escape(table.title if caption is None else caption, unicode)
    rows, foot = ([[_cell(cell, unicode) for cell in row] for row in part] for part in (table.rows, table.foot))
    set_in = _layout(table, width, environment)
    environment, size, scale, space, _ = set_in.fitting
    heads = [_head(column, unicode, scale if i in set_in.broken else None) for i, column in enumerate(table.columns)]
    sized = [f"{size}\\setlength{{\\tabcolsep}}{{{space:g}pt}}"] if size else []
    if environment == "longtable":
        return _longtable(table.columns, heads, rows, foot, title, label, "".join(sized))
    tabulars = [
        _tabular(
            [_pick(heads, part)],
            _picked(rows, part),
            _picked(foot, part),
            _aligned(table.columns, part, set_in),
        )
        for part in set_in.parts
    ]
    if environment == "tabular":
        bare = "\n\n\\medskip\n".join(tabulars)
        return f"{{{sized[0]}\n{bare}\n}}\n" if sized else f"{bare}\n"
    named = ([f"\\caption{{{title}}}"] if title else []) + ([f"\\label{{{label}}}"] if label else [])
    notes = [_notes(table.notes, unicode)] if table.notes else []
    long = len(table.rows) + len(table.foot)
    lines = [
        *(
            [f"% {long} rows are more than a page holds; environment='longtable' breaks them."]
            if long > PAGE_ROWS
            else []
        ),
        f"\\begin{{{environment}}}",
        r"\centering",
        *(["".join(named)] if named else []),
        *sized,
        "\n\n\\medskip\n".join(tabulars),
        *notes,
        f"\\end{{{environment}}}",
    ]
    return "\n".join(lines) + "\n"


def lines_of(table: Table, width: float) -> int:
    """Count the lines of a table on a page of a width in inches: in several parts if it is too wide, text broken."""
    set_in = _layout(table, width, "table")
    scale = set_in.fitting[2]
    lines = 0
    for part in set_in.parts:
        lines += 1 + max((int(points(table.columns[i].name) // LONGEST) for i in part if i in set_in.broken), default=0)
        texts = _texts_in_lines(table.columns, part, set_in)
        for row in (*table.rows, *table.foot):
            lines += 1 + max((int(_points_of(row[i]) * scale // room) for i, room in texts.items()), default=0)
    return lines


@dataclass(frozen=True)
class _Layout:
    """How a table is set: the widths of its columns, those whose texts are broken, and its parts below each other."""

    widths: list[float]  # points, at ten points
    broken: frozenset[int]
    fitting: tuple[Environment, str, float, float, float | None]
    parts: list[list[int]]


def _layout(table: Table, width: float | None, environment: Environment | None) -> _Layout:
    """Find the layout; in a table that would have several parts, long names are broken into lines first."""
    widths = [
        max(points(column.name), *(_points_of(row[i]) for row in (*table.rows, *table.foot)), 0.0)
        for i, column in enumerate(table.columns)
    ]
    whole = _parted(table, widths, frozenset(), width, environment)
    long = frozenset(i for i, one in enumerate(widths) if one > LONGEST)
    if len(whole.parts) < 2 or not long:
        return whole
    return _parted(table, [min(one, LONGEST) for one in widths], long, width, environment)


def _parted(
    table: Table, widths: list[float], broken: frozenset[int], width: float | None, environment: Environment | None
) -> _Layout:
    fitting = _fitting(widths, width, environment)
    _, _, scale, space, room = fitting
    inches = None if room is None else (room * POINTS - 2.0) / scale
    return _Layout(widths, broken, fitting, in_parts(table.columns, widths, inches, 2 * space / scale))


def _check(caption: object, label: object, width: object, environment: object, unicode: object) -> None:
    for argument, given in (("caption", caption), ("label", label)):
        if given is not None and not isinstance(given, str):
            raise InputError(f"`{argument}` must be a text; got {describe(given)}.")
    if isinstance(label, str) and set(label) & set("{}\\%#$&~^_ \n\t"):
        raise InputError(f"`label` must be a name such as 'tab:pairs', without special characters; got {label!r}.")
    if width is not None and (not is_number(width) or not 0.5 <= float(width) <= 100):  # type: ignore[arg-type]
        raise InputError(f"`width` must be a number of inches, from 0.5 to 100; got {shown(width)}.")
    if environment is not None:
        check_choice(environment, get_args(Environment), "environment")
    check_flag(unicode, "unicode")


def _fitting(
    widths: Sequence[float], width: float | None, environment: Environment | None
) -> tuple[Environment, str, float, float, float | None]:
    """Find the environment and the size of type: the first that fits, else the last, in parts."""
    if environment in ("tabular", "longtable") and width is None:
        return environment, "", 1.0, 6.0, None
    places: list[tuple[Environment, float, int]] = [("table", COLUMN, 3), ("table*", PAGE, 4)]
    if width is not None:
        places = [(environment or "table", float(width), 4)]
    elif environment is not None:
        places = [(environment, COLUMN if environment == "table" else PAGE, 4)]
    for found, room, sizes in places:
        for size, scale, space in _SIZES[:sizes]:
            if sum(widths) * scale + 2 * space * (len(widths) - 1) <= room * POINTS - 2.0:
                return found, size, scale, space, room
    found, room, _ = places[-1]
    size, scale, space = _SIZES[2]
    return found, size, scale, space, room


def _pick(cells: Sequence[str], part: Sequence[int]) -> list[str]:
    return [cells[i] for i in part]


def _picked(rows: Sequence[Sequence[str]], part: Sequence[int]) -> list[list[str]]:
    return [_pick(row, part) for row in rows]


def _tabular(
    heads: Sequence[Sequence[str]],
    rows: Sequence[Sequence[str]],
    foot: Sequence[Sequence[str]],
    aligned: str,
) -> str:
    lines = [f"\\begin{{tabular}}{{@{{}}{aligned}@{{}}}}", r"\toprule", *map(_line, heads), r"\midrule"]
    lines += map(_line, rows)
    lines += [r"\midrule", *map(_line, foot)] if foot else []
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _aligned(columns: Sequence[Column], part: Sequence[int], set_in: _Layout) -> str:
    """Say how columns are aligned; texts that are broken into lines have a width."""
    texts = _texts_in_lines(columns, part, set_in)
    return "".join(f"p{{{texts[i]:.0f}pt}}" if i in texts else _ALIGN[columns[i].align] for i in part)


def _texts_in_lines(columns: Sequence[Column], part: Sequence[int], set_in: _Layout) -> dict[int, float]:
    """Find the columns whose texts are broken into lines, and the points that they then have.

    They are those of the layout; if a part is wider than the room, the widest one with text is made as much narrower.
    """
    _, _, scale, space, room = set_in.fitting
    words = [i for i in part if columns[i].align == "left"]
    texts = {i: set_in.widths[i] * scale for i in words if i in set_in.broken}
    taken = sum(set_in.widths[i] for i in part) * scale + 2 * space * (len(part) - 1)
    over = 0.0 if room is None else taken - (room * POINTS - 2.0)
    if over > 0 and words:
        longest = max(words, key=lambda i: set_in.widths[i])
        left = set_in.widths[longest] * scale - over
        if left >= NARROWEST:
            texts[longest] = left
    return texts


def _longtable(
    columns: Sequence[Column],
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    foot: Sequence[Sequence[str]],
    title: str,
    label: str | None,
    size: str,
) -> str:
    aligned = "".join(_ALIGN[column.align] for column in columns)
    named = (f"\\caption{{{title}}}" if title else "") + (f"\\label{{{label}}}" if label else "")
    lines = [*([f"{{{size}"] if size else []), f"\\begin{{longtable}}{{@{{}}{aligned}@{{}}}}"]
    lines += [f"{named} \\\\"] if named else []
    lines += [r"\toprule", _line(heads), r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot", *map(_line, rows)]
    lines += [r"\midrule", *map(_line, foot)] if foot else []
    return "\n".join([*lines, r"\end{longtable}" + ("}" if size else "")]) + "\n"


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _notes(notes: Sequence[str], unicode: bool) -> str:
    written = " ".join(escape(note, unicode) for note in notes)
    return f"\n\\smallskip\n\\parbox{{\\linewidth}}{{\\footnotesize {written}}}"


def _head(column: Column, unicode: bool, scale: float | None = None) -> str:
    """Write the head of a column; that of numbers in lines of the longest width if a scale is given."""
    if not column.symbol:
        text = escape(column.name, unicode)
        if scale is None or column.align == "left":
            return text
        return f"\\parbox[b]{{{LONGEST * scale:.0f}pt}}{{\\raggedleft {text}}}"
    return "$" + "".join(f"\\{_GREEK[c]}" if c in _GREEK else escape(c, unicode) for c in column.name) + "$"


def _cell(cell: Cell, unicode: bool) -> str:
    raised = "".join(_MARKS.get(mark, f"\\mathrm{{{escape(mark, unicode)}}}") for mark in cell.marks)
    mark = f"\\rlap{{$^{{{raised}}}$}}" if raised else ""
    if cell.is_number and cell.text != "–":
        formula = "".join(f"{_FORMULA[c]} " if c in _FORMULA else c for c in _COMMA_IN_NUMBER.sub("{,}", cell.text))
        formula = formula.replace("  ", " ").replace(" ]", "]").strip()
        return (f"$\\mathbf{{{formula}}}$" if cell.bold else f"${formula}$") + mark
    text = escape(cell.text, unicode)
    return (f"\\textbf{{{text}}}" if cell.bold else f"\\textit{{{text}}}" if cell.italic else text) + mark


def escape(text: str, unicode: bool = False) -> str:
    r"""Write a text so that LaTeX prints it as it is.

    >>> print(escape("50% of a_b & c"))
    50\% of a\_b \& c
    >>> print(escape("Šidák"), escape("支"), escape("支", unicode=True))
    \v{S}id\'{a}k \allowbreak{[}U+652F{]} 支
    """
    line = unicodedata.normalize("NFC", one_line(text))
    joined = line.translate(_ASCII) if line.isascii() else "".join(_letter(c, unicode) for c in line)
    while "--" in joined and "–" not in text and "—" not in text:  # two hyphens are not a dash
        joined = joined.replace("--", "-{}-")
    return joined


def _letter(c: str, unicode: bool) -> str:
    if c in _SPECIAL:
        return _SPECIAL[c]
    if c.isascii():
        return c
    if c in _GREEK or c in _SYMBOLS:
        return f"$\\{_GREEK[c]}$" if c in _GREEK else f"${_SYMBOLS[c]}$"
    parts = unicodedata.normalize("NFD", c)
    if len(parts) == 2 and parts[1] in _ACCENTS and parts[0].isascii():
        return f"\\{_ACCENTS[parts[1]].strip()}{{{parts[0]}}}"
    return c if unicode else f"\\allowbreak{{[}}U+{ord(c):04X}{{]}}"


def points(text: str) -> float:
    """Estimate, from above, how many points a text takes in Computer Modern at ten points.

    >>> round(points("0.83 ± 0.16")), round(points("XGBoost (tuned)"))
    (55, 82)
    """
    return sum(map(_width, text))


@lru_cache(maxsize=1024)
def _width(c: str) -> float:
    if c in "il.,:;'|!jtfrI()[]-/ ":
        return 3.9
    if c in "mwMW":
        return 10.3
    if not c.isascii():
        written = _letter(c, unicode=False)
        return 50.0 if written.startswith(r"\allowbreak") else 9.5  # [U+652F]
    return 7.8 if c.isupper() or c in "+<>=~%&#@" else 5.05 if c.isdigit() else 5.6


def _points_of(cell: Cell) -> float:
    signs = 3.9 * cell.text.count("-") if cell.is_number else 0.0  # a minus is as wide as a plus
    return (points(cell.text) + signs) * (1.15 if cell.bold else 1.0)
