"""A table as aligned text."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate, takewhile
from textwrap import wrap
from typing import TYPE_CHECKING

from podium.checks import check_count

if TYPE_CHECKING:
    from podium.typesetting.table import Cell, Column, Table

GAP = "  "
MIN_WIDTH = 20
LONGEST_NAME = 40
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
MARK = "'"  # before a cell that a spreadsheet would take for a formula


def as_text(table: Table, width: int | None = None) -> str:
    """Write a table as lines: title, columns, rows, notes."""
    if width is not None:
        check_count(width, "width", least=MIN_WIDTH)
    rows = [*table.rows, *table.foot]
    starred = [any(row[i].bold for row in rows) for i in range(len(table.columns))]
    heads = [one_line(column.name) for column in table.columns]
    raised = [max((len("".join(row[i].marks)) for row in rows), default=0) for i in range(len(table.columns))]
    longest = None if width is None else max(8, min(LONGEST_NAME, width // 3))
    named = [i for i, column in enumerate(table.columns) if column.align == "left"]
    short: dict[str, str] = {}
    if longest is not None:
        room = longest - max((2 * starred[i] + raised[i] for i in named), default=0)
        names = {heads[i] for i, column in enumerate(table.columns) if column.is_name}
        short = shortened(names | {one_line(row[i].text) for row in rows for i in named}, room)
        heads = [short.get(head, head) if head in names else head for head in heads]
    texts = [[_shown(cell, starred[i], raised[i], short) for i, cell in enumerate(row)] for row in rows]
    widths = [max(columns_of(text) for text in (heads[i], *(row[i] for row in texts))) for i in range(len(heads))]
    parts = []
    for chosen in in_parts(table.columns, widths, width, len(GAP)):
        lines = [_line([heads[i] for i in chosen], chosen, table.columns, widths).rstrip()]
        rule = "─" * (sum(widths[i] for i in chosen) + len(GAP) * (len(chosen) - 1))
        for position, row in enumerate(texts):
            if position == len(table.rows) and table.foot:
                lines.append(rule)
            lines.append(_line([row[i] for i in chosen], chosen, table.columns, widths).rstrip())
        parts.append("\n".join(lines))
    room = width or 100
    title = [wrapped(table.title, room)] if table.title else []
    notes = [wrapped(note, room) for note in table.notes]
    advice = [wrapped(each, room) for each in table.advice]
    return "\n\n".join([*title, *parts, *(["\n".join(notes)] if notes else []), *advice])


def _shown(cell: Cell, starred: bool, room: int, short: Mapping[str, str]) -> str:
    """Write a cell; what is bold or marked in other rows of the column does not shift it."""
    text = one_line(cell.text)
    text = short.get(text, text)
    if starred:
        text = f"*{text}*" if cell.bold else f" {text} "
    return text + "".join(cell.marks).ljust(room)


def _line(cells: Sequence[str], chosen: Sequence[int], columns: Sequence[Column], widths: Sequence[int]) -> str:
    return GAP.join(_padded(text, widths[i], columns[i].align) for text, i in zip(cells, chosen, strict=True))


def _padded(text: str, width: int, align: str) -> str:
    room = width - columns_of(text)
    left = {"left": 0, "right": room, "center": room // 2}[align]
    return " " * left + text + " " * (room - left)


def in_parts(columns: Sequence[Column], widths: Sequence[float], width: float | None, gap: float) -> list[list[int]]:
    """Divide the columns so that each part fits, with the columns that name the rows in all of them.

    There are as few parts as possible, about equally wide. A column that does not fit even alone has a part of its own.
    """
    labels = [i for i, column in enumerate(columns) if column.is_label]
    others = [i for i in range(len(columns)) if i not in labels]
    if width is None or not others:
        return [list(range(len(columns)))]
    room = width - sum(widths[i] + gap for i in labels)
    sizes = [widths[i] for i in others]
    fewest = len(_filled(sizes, room, gap))
    rooms = sorted({size for k in range(len(sizes)) for size in _sums(sizes[k:], gap)})
    narrowest = rooms[bisect_left(rooms, -fewest, key=lambda less: -len(_filled(sizes, less, gap)))]
    return [sorted([*labels, *(others[k] for k in part)]) for part in _filled(sizes, min(room, narrowest), gap)]


def _sums(sizes: Sequence[float], gap: float) -> list[float]:
    """How wide the first columns are together: the first one, the first two, ..."""
    return list(accumulate(sizes[1:], lambda taken, size: taken + (gap + size), initial=sizes[0]))


def _filled(sizes: Sequence[float], room: float, gap: float) -> list[list[int]]:
    """Fill one part after the other."""
    parts: list[list[int]] = []
    start = 0
    while start < len(sizes):
        end = start + max(1, bisect_right(_sums(sizes[start:], gap), room))
        parts.append(list(range(start, end)))
        start = end
    return parts


def one_line(text: str) -> str:
    r"""Take out what would move the cursor: line breaks, tabs, escape sequences, direction marks.

    >>> one_line("a\nb\x1b[31m\u202ec"), one_line(" 10  rows")
    ('a b[31mc', '10 rows')
    """
    joined = " ".join(str(text).split())
    if joined.isascii() and joined.isprintable():
        return joined
    return "".join(c for c in joined if c == " " or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn"))


def safe_line(line: str) -> str:
    r"""Take out the same from a line that is laid out: it keeps its spaces, and stays one line.

    >>> safe_line("  a\tb\n  c\x1b[31m\u202ed")
    '  a b   c[31md'
    """
    return "".join(" " if c.isspace() else c for c in line if c.isspace() or c.isprintable())


def columns_of(text: str) -> int:
    """Count the columns that a text takes in a terminal.

    >>> columns_of("svm"), columns_of("支持"), columns_of("e\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def shortened(texts: Collection[str], longest: int) -> dict[str, str]:
    """Return the texts that are too long with shorter ones, all of them different.

    A text loses its end; where several would look alike, they lose what they have in common instead. Those that cannot
    be told apart in so few letters stay as they are.

    >>> shortened(["svm with a linear kernel", "svm with a radial kernel", "rf"], 12)
    {'svm with a linear kernel': 'svm…linear …', 'svm with a radial kernel': 'svm…radial …'}
    """
    found = {text: _cut(text, longest) for text in sorted(texts) if columns_of(text) > longest}
    kept = set(texts) - set(found)
    for group in _alike(found):
        found |= _without_common(group, longest)
    times = Counter([*found.values(), *kept])
    return {text: short if times[short] == 1 else text for text, short in found.items()}


def _alike(shown: Mapping[str, str]) -> list[list[str]]:
    """Return the texts that are shown alike, those of each group together."""
    groups: dict[str, list[str]] = {}
    for text, short in shown.items():
        groups.setdefault(short, []).append(text)
    return [group for group in groups.values() if len(group) > 1]


def _without_common(texts: Sequence[str], longest: int) -> dict[str, str]:
    """Shorten texts with a common beginning by the end of it, and their own ends as far as they do not fit then."""
    first, last = min(texts), max(texts)  # what they have in common, all have
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
    head, room = first[:common], max(longest // 3, 2, longest - max(columns_of(text[common:]) for text in texts))
    while columns_of(head) >= room:  # the ellipsis takes one column
        head = head[:-1]
    found = {text: head + _cut(f"…{text[common:]}", longest - columns_of(head)) for text in texts}
    for group in _alike(found):
        if len(group) < len(texts):
            found |= _without_common(group, longest)
    return found


def _cut(text: str, longest: int) -> str:
    """Leave out the end of a text that takes more than so many columns."""
    if columns_of(text) <= longest:
        return text
    while text and columns_of(text) > longest - 1:
        text = text[:-1]
    return f"{text}…"


def wrapped(text: str, width: int) -> str:
    """Break a text into lines."""
    return "\n".join(wrap(one_line(text), width, break_on_hyphens=False))


def mark_formula(text: str) -> str:
    """Return a text as a cell that no spreadsheet takes for a formula.

    >>> mark_formula("=cmd|'/C calc'!A0"), mark_formula("plain")
    ("'=cmd|'/C calc'!A0", 'plain')
    """
    return MARK + text if text.startswith(_FORMULA) else text
