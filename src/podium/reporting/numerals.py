"""Numbers in the language of the reader: a decimal comma in texts, but never inside a name."""

from __future__ import annotations

import re
from collections.abc import Sequence

# A decimal number that is not part of a word or of a version such as 3.11.7.
_NUMBER = r"(?<![\w.])[-+−]?\d[\d,]*\.\d+(?:e[-+]?\d+)?(?![\w]|\.\d)"


def with_decimal_comma(text: str, names: Sequence[str]) -> str:
    r"""Write decimal numbers with a comma and thousands with a thin space; names stay as they are.

    >>> with_decimal_comma("C4.5 has 0.25 of 1,000.5", ["C4.5"])
    'C4.5 has 0,25 of 1\u202f000,5'
    """
    kept = "|".join(re.escape(name) for name in sorted(set(names), key=len, reverse=True) if name)
    pattern = re.compile(f"(?P<name>{kept})|(?P<number>{_NUMBER})" if kept else f"(?P<name>(?!))|(?P<number>{_NUMBER})")

    def changed(match: re.Match[str]) -> str:
        if match["name"] is not None:
            return match["name"]
        return match["number"].replace(",", "\u202f").replace(".", ",")

    return pattern.sub(changed, text)
