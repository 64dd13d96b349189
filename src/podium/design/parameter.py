"""`Parameter`: what a candidate, a generator or a measure takes, with its default and its range."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from podium.checks import is_number, shown
from podium.errors import InputError, join_names

LARGEST = 1e300


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A number, or one of a few words, that a candidate, a generator or a measure takes.

    Attributes
    ----------
    default : int, float, str, pair or None
        A pair of numbers stands for a range of exponents, None for a rule that finds the value.
    meaning : str
        What it is, in a few words.
    choices : tuple of str
        The words, if it is not a number.
    whole : bool
        Only whole numbers.
    minimum, maximum : float, optional
        The range, both ends included.
    above : float, optional
        A lower end that is not included.
    anything : bool
        Any value is accepted, such as the name of a class.
    """

    default: Any
    meaning: str = ""
    choices: tuple[str, ...] = ()
    whole: bool = False
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    anything: bool = False

    @property
    def expected(self) -> str:
        """The range in words.

        >>> Parameter(default=20, whole=True, minimum=1).expected
        'a whole number of at least 1'
        """
        if self.choices:
            return f"one of {join_names(self.choices, most=20)}"
        if isinstance(self.default, tuple):
            return "a pair of exponents, the lower one first"
        words = "a whole number" if self.whole else "a number"
        if self.above is not None:
            words += f" above {self.above:g}" + ("" if self.maximum is None else f" and at most {self.maximum:g}")
        elif self.minimum is not None and self.maximum is None:
            words += f" of at least {self.minimum:g}"
        elif self.minimum is not None:
            words += f" from {self.minimum:g} to {self.maximum:g}"
        return words if self.default is not None else f"{words}, or None for its rule"

    def checked(self, value: Any, name: str, owner: str) -> Any:
        """Return the value as int, float, word, pair or None, or refuse it; `owner` says in the message whose it is.

        >>> Parameter(default=0.25, minimum=0, maximum=1).checked(2, "confidence", "the candidate 'c45'")
        Traceback (most recent call last):
        ...
        podium.errors.InputError: `confidence` of the candidate 'c45' must be a number from 0 to 1; got 2.
        """
        if self.anything or (value is None and self.default is None):
            return value
        if self.choices and isinstance(value, str) and value in self.choices:
            return value
        if isinstance(self.default, tuple):
            if isinstance(value, list | tuple) and len(value) == 2 and all(_is_finite(end) for end in value):
                low, high = value
                if low <= high:
                    return low, high
        elif not self.choices and _is_finite(value) and self._contains(value):
            return int(value) if self.whole else float(value)
        huge = self.whole and _is_finite(value) and value > sys.maxsize
        expected = f"at most {sys.maxsize}" if huge else self.expected
        raise InputError(f"`{name}` of {owner} must be {expected}; got {shown(value)}.", path=(name,))

    def _contains(self, number: Any) -> bool:
        return (
            (not self.whole or (number == int(number) and number <= sys.maxsize))
            and (self.minimum is None or number >= self.minimum)
            and (self.maximum is None or number <= self.maximum)
            and (self.above is None or number > self.above)
        )


def _is_finite(value: Any) -> bool:
    return is_number(value) and bool(-LARGEST <= value <= LARGEST)
