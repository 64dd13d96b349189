"""What is known of a measure besides its values: direction, units, scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from podium.errors import DirectionError, InputError

Direction: TypeAlias = Literal["lower", "greater"]
Scale: TypeAlias = Literal["linear", "log"]

# The words of autorank, critdd, aeon, challengeR and optimisers for the same two things.
_WORDS: Mapping[str, Direction] = {
    **dict.fromkeys(("lower", "smaller", "less", "min", "minimize", "minimise", "ascending"), "lower"),
    **dict.fromkeys(("greater", "higher", "larger", "more", "max", "maximize", "maximise", "descending"), "greater"),
}


@dataclass(frozen=True, slots=True)
class MeasureInfo:
    """Name, direction, units and scale of one measure.

    Parameters
    ----------
    name : str
        The name used everywhere for this measure.
    direction : {"lower", "greater"}
        Which values are better.
    units : str, default ""
        Unit of the values, for axes and tables: ``"s"``, ``"%"``, ``"MB"``; empty for a plain number.
    scale : {"linear", "log"}, optional
        The scale on which differences of this measure are best looked at.

    Examples
    --------
    >>> MeasureInfo("fit time", "lower", units="s", scale="log")
    MeasureInfo(name='fit time', direction='lower', units='s', scale='log')
    """

    name: str
    direction: Direction
    units: str = ""
    scale: Scale | None = None

    def __post_init__(self) -> None:
        for field in ("name", "units"):
            object.__setattr__(self, field, str(getattr(self, field)).strip())
        object.__setattr__(self, "direction", parse_direction(self.direction))
        if self.scale is not None and self.scale not in get_args(Scale):
            raise InputError(f"`scale` must be 'linear', 'log' or None; got {self.scale!r}.")

    @property
    def sign(self) -> Literal[1, -1]:
        """The factor that turns values into costs: 1 where lower is better, -1 where greater is."""
        return 1 if self.direction == "lower" else -1

    def __str__(self) -> str:
        units = f", {self.units}" if self.units else ""
        return f"{self.name} ({self.direction} is better{units})"


def parse_direction(word: str) -> Direction:
    """Read a direction word, as users of other tools write it.

    >>> parse_direction("Maximize")
    'greater'
    """
    direction = _WORDS.get(str(word).strip().lower())
    if direction is None:
        raise DirectionError(f"`direction` must be 'lower' or 'greater' (which is better); got {word!r}.")
    return direction
