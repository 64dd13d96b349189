r"""Text that others have written (messages, names) as a database, a terminal and a spreadsheet can take it.

What an estimator raises or prints may hold anything: a lone surrogate, which no file can take; NUL, which
PostgreSQL refuses; escape sequences, which command a terminal; a gigabyte. Such characters are written as Python would
write them (``\x1b``), and what is too long loses its middle.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from podium.typesetting.plain import MARK, mark_formula

__all__ = ["clean", "mark_formula", "printable", "unmark", "without_places"]

MAX_CHARACTERS = 10_000  # of a message, a warning or a reason
MAX_TRACEBACK_CHARS = 100_000
MAX_ERROR_TYPE_CHARS = 200  # of the type of an error
MAX_WARNINGS = 100

# All controls but tab and line feed, lone surrogates, and what reorders the text around it.
_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_LAYOUT = re.compile("[\t\n]")
# Absolute paths: between quotation marks, and elsewhere, where a space ends them.
_ROOT = r"(?:file:///?)?(?:[A-Za-z]:[\\/]|\\\\|/)"  # the second: a share, \\server\share
_QUOTED_PLACE = re.compile(rf"""(["']){_ROOT}(?:[^"'\n]*[\\/])?([^"'\n\\/]*)[\\/]?\1""")
_NAME = r"""[^\s"'<>|:*?,;()\[\]{}\\/]+"""
_PLACE = re.compile(rf"(?<![\w.~:/\\-]){_ROOT}(?:{_NAME}[\\/])+({_NAME})")


def clean(text: str, most: int = MAX_CHARACTERS) -> str:
    r"""Return a text with odd characters escaped, and cut to about `most` characters.

    >>> clean("\x1b[31mred\0\ud800")
    '\\x1b[31mred\\x00\\ud800'
    >>> clean("abcdefghij" * 100, most=10)
    'abcdefg … (990 characters left out) … hij'
    """
    if len(text) > most:
        tail = most // 4 + 1
        head = most - tail
        left_out = f" … ({len(text) - most:,} characters left out) … "
        text = text[:head] + left_out + text[-tail:]
    return _ODD.sub(_escaped, text.replace("\r\n", "\n")) if _ODD.search(text) else text


def printable(text: str) -> str:
    r"""Return a name as one line for a terminal.

    >>> printable("a\tb\x1b]0;title\x07")
    'a\\tb\\x1b]0;title\\x07'
    """
    return _LAYOUT.sub(_escaped, _ODD.sub(_escaped, text))


def without_places(thing: Any) -> Any:
    r"""Return a text, or the texts in lists and mappings, with absolute paths cut to the name of the file.

    >>> without_places(["/home/me/my data/a.csv", "No 'C:\\my data\\a.csv' in /mnt/runs, see https://example.org/a/b"])
    ['a.csv', "No 'a.csv' in runs, see https://example.org/a/b"]
    """
    if isinstance(thing, Mapping):
        return {key: without_places(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return type(thing)(without_places(value) for value in thing)
    if not isinstance(thing, str):
        return thing
    return _PLACE.sub(r"\1", _QUOTED_PLACE.sub(r"\1\2\1", f'"{thing}"')[1:-1])  # the whole may be a path with spaces


def unmark(cell: str) -> str:
    """Return the text of a cell."""
    return cell.removeprefix(MARK)


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape", "backslashreplace").decode("ascii")
