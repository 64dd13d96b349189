"""Numerals: how numbers are written in texts, tables and figures, with the decimal mark of their reader.

The mark is chosen where a text is made (`decimal_mark`), and read where a number is written (`numeral`), so that no
text is ever searched for numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from typing import Any, Literal, TypeAlias

DecimalMark: TypeAlias = Literal[".", ","]

_MARK: ContextVar[DecimalMark] = ContextVar("decimal mark", default=".")
# With a decimal comma, a thin space that keeps a number on one line separates thousands.
_WITH_COMMA = str.maketrans({".": ",", ",": "\u202f"})
_COMMA_IN_NUMBER = re.compile(r"(?<=\d),(?=\d)")


@contextmanager
def decimal_mark(mark: DecimalMark) -> Iterator[None]:
    """Write the numbers of texts that are made inside with this decimal mark.

    >>> with decimal_mark(","):
    ...     print(f"{numeral(0.25):.3f} of {numeral(100)}")
    0,250 of 100
    """
    token = _MARK.set(mark)
    try:
        yield
    finally:
        _MARK.reset(token)


def current_mark() -> DecimalMark:
    """Return the decimal mark of the texts that are made here."""
    return _MARK.get()


class numeral:
    r"""A number in a text; it is written as Python's format says, with the decimal mark of the reader.

    >>> f"{numeral(0.031):.2g}, {numeral(1234567):,}, {numeral(0.125):.1%}, {numeral(2.5)}"
    '0.031, 1,234,567, 12.5%, 2.5'
    >>> with decimal_mark(","):
    ...     f"{numeral(0.031):.2g}, {numeral(1234567):,}, {numeral(0.125):.1%}, {numeral(2.5)}"
    '0,031, 1\u202f234\u202f567, 12,5%, 2,5'
    """

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = value

    def __format__(self, form: str) -> str:
        return with_mark(format(self._value, form))

    def __str__(self) -> str:
        return format(self, "")


class interval_of(numeral):
    """Two numbers, the ends of an interval; a decimal comma needs a semicolon between them.

    >>> f"{interval_of(-0.5, 1):g}"
    '[-0.5, 1]'
    >>> with decimal_mark(","):
    ...     f"{interval_of(-0.5, 1):g}"
    '[-0,5; 1]'
    """

    __slots__ = ("_upper",)

    def __init__(self, lower: object, upper: object) -> None:
        super().__init__(lower)
        self._upper = upper

    def __format__(self, form: str) -> str:
        return between(with_mark(format(self._value, form)), with_mark(format(self._upper, form)))


class series_of(numeral):
    """Several numbers, one after the other; semicolons separate those with a decimal comma.

    >>> f"{series_of([3, 39.5]):g}"
    '3, 39.5'
    >>> with decimal_mark(","):
    ...     f"{series_of([3, 39.5]):g}", f"{series_of([3, 39]):g}"
    ('3; 39,5', '3, 39')
    """

    __slots__ = ()

    def __init__(self, values: Iterable[object]) -> None:
        super().__init__(list(values))

    def __format__(self, form: str) -> str:
        written = [with_mark(format(value, form)) for value in self._value]
        return (separator() if any("," in one for one in written) else ", ").join(written)


def confidence(alpha: float) -> numeral:
    """Return the confidence level 1 - alpha, with as many digits as alpha has.

    >>> f"{confidence(0.05):%}, {confidence(0.001):%}, {confidence(0.00001):%}", f"{confidence(0.05)}"
    ('95%, 99.9%, 99.999%', '0.95')
    """
    return numeral(1 - Decimal(f"{alpha:.4g}"))


def with_mark(written: str) -> str:
    """Give one number, written with a decimal point, the mark of the reader."""
    return written.translate(_WITH_COMMA) if _MARK.get() == "," else written


def in_formula(written: str) -> str:
    """Return a number for a formula, where a comma would be followed by a space.

    >>> in_formula("[0,5; 1,25]"), in_formula("[0.5, 1.25]"), in_formula("1,200")
    ('[0{,}5; 1{,}25]', '[0.5, 1.25]', '1{,}200')
    """
    return _COMMA_IN_NUMBER.sub("{,}", written)


def separator() -> str:
    """Return what separates parts of a list that end in a number: a comma, or if that is decimal, a semicolon."""
    return "; " if _MARK.get() == "," else ", "


def between(lower: str, upper: str) -> str:
    """Write an interval, given how its ends are written."""
    return f"[{lower}{separator()}{upper}]"


def percent(share: float) -> str:
    """Write a share in the same way wherever it is shown: "81%", "97.5%".

    >>> percent(0.81), percent(0.975), percent(0.9996)
    ('81%', '97.5%', '>99.9%')
    """
    if 0 < share < 0.0005:
        return f"<{numeral(0.1)}%"
    if 0.9995 <= share < 1:
        return f">{numeral(99.9)}%"
    return with_mark(f"{100 * share:.1f}".removesuffix(".0")) + "%"
