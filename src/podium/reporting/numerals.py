"""Numbers as a reader expects them: shares in per cent; a decimal comma in texts, but never inside a name."""

from __future__ import annotations

import re
from collections.abc import Sequence

# A decimal number, or a whole one with thousands, that is not part of a word, of a version such as 3.11.7, or of code
# such as alpha=0.1.
_NUMBER = r"(?<![\w.,=])[-+−]?(?:\d[\d,]*\.\d+(?:e[-+]?\d+)?|\d{1,3}(?:,\d{3})+)(?!\w|[.,]\d)"
_DECIMAL = r"[-+−]?\d[\d,]*\.\d"
_END = r"[-+−]?(?:\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?|inf|∞)"
_INTERVAL = rf"\[(?P<low>{_END}), (?P<high>{_END})\]"


def percent(share: float) -> str:
    """Write a share in the same way wherever it is shown: "81%", "97.5%".

    >>> percent(0.81), percent(0.975), percent(0.9996)
    ('81%', '97.5%', '>99.9%')
    """
    if 0 < share < 0.0005:
        return "<0.1%"
    if 0.9995 <= share < 1:
        return ">99.9%"
    return f"{100 * share:.1f}".removesuffix(".0") + "%"


def with_decimal_comma(text: str, names: Sequence[str] = ()) -> str:
    r"""Write decimal numbers with a comma, thousands with a thin space; names stay.

    A semicolon stands between decimal numbers that follow each other, and between the ends of an interval.

    >>> with_decimal_comma("C4.5 has 0.25 of 1,000.5 in [0.5, 1], df = 3, 39.5", ["C4.5"])
    'C4.5 has 0,25 of 1\u202f000,5 in [0,5; 1], df = 3; 39,5'
    """
    kept = "|".join(_whole(name) for name in sorted(set(names), key=len, reverse=True) if name)
    number_or_next = rf"{_NUMBER}|(?<![\w.,=])[-+−]?\d+(?=, {_DECIMAL})"
    pattern = re.compile(
        rf"(?P<name>{kept or '(?!)'})|{_INTERVAL}|(?P<number>{number_or_next})(?P<comma>,(?= [-+−]?\d))?"
    )

    def number(text: str) -> str:
        return text.replace(",", "\u202f").replace(".", ",")

    def changed(match: re.Match[str]) -> str:
        if match["name"] is not None:
            return match["name"]
        if match["low"] is not None:
            return f"[{number(match['low'])}; {number(match['high'])}]"
        if match["comma"] is None:
            return number(match["number"])
        decimal = "." in match["number"] or re.match(_DECIMAL, text[match.end() + 1 :])
        return f"{number(match['number'])}{';' if decimal else ','}"

    return pattern.sub(changed, text)


def _whole(name: str) -> str:
    """Match a name that is not part of a longer word or number: the data set 1 is not in 1.5."""
    before = r"(?<![\w.])" if name[0].isalnum() else ""
    after = r"(?![\w]|\.\d)" if name[-1].isalnum() else ""
    return f"{before}{re.escape(name)}{after}"
