"""What is known about a measure besides its values: direction, units, scale."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from podium.checks import check_call, check_name, did_you_mean, is_utf8, shown
from podium.errors import DirectionError, InputError

Direction: TypeAlias = Literal["lower", "higher"]
Scale: TypeAlias = Literal["linear", "log"]

# What a name, a table or a file says about measures: name -> direction, units, scale, as far as it says so.
MeasureFacts: TypeAlias = Mapping[str, Mapping[str, Any]]

# The words of autorank, critdd, aeon, challengeR and optimisers for the same two things.
_WORDS: Mapping[str, Direction] = {
    **dict.fromkeys(("lower", "smaller", "less", "min", "minimize", "minimise", "ascending"), "lower"),
    **dict.fromkeys(("higher", "greater", "larger", "more", "max", "maximize", "maximise", "descending"), "higher"),
}


@check_call
@dataclass(frozen=True, slots=True)
class MeasureInfo:
    """Name, direction, units and scale of one measure.

    Parameters
    ----------
    name : str
        The name used everywhere for this measure.
    direction : {"lower", "higher"}
        Which values are better.
    units : str, default ""
        Units of the values, for axes and tables: ``"s"``, ``"%"``, ``"MB"``; empty for a plain number.
    scale : {"linear", "log"}, optional
        The scale on which differences of this measure are best shown.

    Examples
    --------
    >>> import podium
    >>> podium.MeasureInfo("fit time", "lower", units="s", scale="log")
    MeasureInfo(name='fit time', direction='lower', units='s', scale='log')
    """

    name: str
    direction: Direction
    units: str = ""
    scale: Scale | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", check_name(self.name, "name"))
        if not isinstance(self.units, str) or not is_utf8(self.units):
            raise InputError(f"`units` must be text; got {shown(self.units)}.")
        object.__setattr__(self, "units", self.units.strip())
        object.__setattr__(self, "direction", parse_direction(self.direction))
        if self.scale is not None and not (isinstance(self.scale, str) and self.scale in get_args(Scale)):
            raise InputError(f"`scale` must be 'linear', 'log' or None; got {shown(self.scale)}.")

    @property
    def sign(self) -> Literal[1, -1]:
        """The factor that turns values into costs: 1 where lower is better, -1 where greater is."""
        return 1 if self.direction == "lower" else -1

    def __str__(self) -> str:
        units = f", {self.units}" if self.units else ""
        return f"{self.name} ({self.direction} is better{units})"


def parse_direction(word: object) -> Direction:
    """Read a direction word, as users of other tools write it.

    >>> parse_direction("Maximize")
    'higher'
    """
    direction = _WORDS.get(word.strip().lower()) if isinstance(word, str) else None
    if direction is None:
        raise DirectionError(
            "`direction` must be 'lower' or 'higher' (which is better); got "
            f"{shown(word)}.{did_you_mean(word, get_args(Direction))}"
        )
    return direction


def write_measures(measures: Iterable[MeasureInfo]) -> dict[str, Any]:
    """Put what is known about measures into JSON's terms."""
    return {"measures": [dataclasses.asdict(info) for info in measures]}


def read_measures(written: object) -> MeasureFacts:
    """Read what `write_measures` wrote; anything else is ignored."""
    entries = written.get("measures") if isinstance(written, Mapping) else None
    if not isinstance(entries, list):
        return {}
    return {entry["name"]: dict(entry) for entry in entries if isinstance(entry, Mapping) and "name" in entry}
