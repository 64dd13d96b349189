"""`Parameter`: a number that a generator takes, with its default and its range."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A number that a generator takes.

    Attributes
    ----------
    default : int or float
    meaning : str
        What it is, in a few words.
    whole : bool
        Only whole numbers.
    minimum, maximum : float, optional
        The range, both ends included.
    """

    default: float
    meaning: str
    whole: bool = False
    minimum: float | None = None
    maximum: float | None = None

    @property
    def expected(self) -> str:
        """The range in words.

        >>> Parameter(default=20, meaning="dimension", whole=True, minimum=1).expected
        'a whole number of at least 1'
        """
        noun = "a whole number" if self.whole else "a number"
        if self.minimum is None:
            return noun
        if self.maximum is None:
            return f"{noun} of at least {self.minimum:g}"
        return f"{noun} from {self.minimum:g} to {self.maximum:g}"

    def checked(self, value: object, name: str, generator: str) -> float:
        """Return the value as int or float, or refuse it."""
        number = value if isinstance(value, int | float | np.integer | np.floating) else None
        if isinstance(value, bool) or number is None or not self._contains(float(number)):
            raise InputError(f"`{name}` of the generator {generator!r} must be {self.expected}; got {value!r}.")
        return int(number) if self.whole else float(number)

    def _contains(self, number: float) -> bool:
        return (
            bool(np.isfinite(number))
            and (not self.whole or number == int(number))
            and (self.minimum is None or number >= self.minimum)
            and (self.maximum is None or number <= self.maximum)
        )
