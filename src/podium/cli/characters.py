"""Characters that the output cannot write, as where it is in the encoding of an old terminal or a C locale."""

from __future__ import annotations

import codecs
import json
import unicodedata
from typing import TextIO

# What podium itself prints beyond ASCII, except letters.
_PLAIN = {
    **dict.fromkeys("\u2013\u2014\u2212\u2500", "-"),  # dashes, minus, line
    **dict.fromkeys("\u251c\u2514", "+"),  # where the line of a tree branches, and where it ends
    "│": "|",
    "…": "...",
    "×": "x",
    "·": ".",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≈": "~",
    "≺": "<",
    "±": "+-",
    "∞": "inf",
    "²": "^2",
    "³": "^3",
}


def replace_unwritable(stream: TextIO, as_json: bool) -> None:
    """Let a stream write what stands for a character that it lacks, instead of ending in an error.

    In text that is what one would type, such as - for –, and otherwise, as always in JSON, its code.
    """
    codecs.register_error("podium.text", lambda error: _replacement(error, plain=True))
    codecs.register_error("podium.json", lambda error: _replacement(error, plain=False))
    if hasattr(stream, "reconfigure"):  # not if Python code has put another object in its place
        stream.reconfigure(errors="podium.json" if as_json else "podium.text")


def _replacement(error: UnicodeError, *, plain: bool) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_typed(one) if plain else _code(one) for one in lacking), error.end


def _typed(character: str) -> str:
    """Return what one would type for a character; of a Greek letter its name."""
    name = unicodedata.name(character, "")
    if name.startswith("GREEK") and "LETTER" in name and "WITH" not in name:
        letter = name.split()[-1].lower()
        return letter.capitalize() if character.isupper() else letter
    return _PLAIN.get(character) or _code(character)


def _code(character: str) -> str:
    return json.dumps(character)[1:-1]
