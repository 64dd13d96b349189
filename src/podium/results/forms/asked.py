"""What the caller of `read` says about the numbers, besides the numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from podium.errors import DirectionError, InputError, LabelError, listing
from podium.results.known_measures import known_measure
from podium.results.labels import clean_labels
from podium.results.measure_info import Direction, MeasureInfo, parse_direction

RowMeaning: TypeAlias = Literal["dataset", "replication"]

# What a table or file itself says of its measures: name -> direction, units, scale, as far as told.
Stored: TypeAlias = Mapping[str, Mapping[str, Any]]

_PURPOSE = {
    "columns": "says what the columns of a table are",
    "rows": "says what the rows of a wide table are",
    "levels": "names the levels of a nested dict",
    "labels": "names the axes of an array",
}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The arguments of `read`; None where nothing was said."""

    direction: str | Mapping[str, str] | None = None
    maximize: bool | Mapping[str, bool] | None = None
    measure: str | Sequence[str] | None = None
    units: str | Mapping[str, str] | None = None
    scale: str | Mapping[str, str] | None = None
    columns: Mapping[str, Any] | None = None
    rows: RowMeaning | None = None
    dataset: str | None = None
    levels: Sequence[str] | str | None = None
    labels: Mapping[Any, Iterable[Any] | None] | None = None

    def replace(self, **changes: Any) -> Asked:
        """Return a copy with something else said."""
        return dataclasses.replace(self, **changes)

    @property
    def dataset_name(self) -> str:
        """Name of the data set of a form that has none."""
        return "data" if self.dataset is None else self.dataset

    @property
    def wanted_measures(self) -> list[str] | None:
        """The measures that were named, as a list."""
        return [self.measure] if isinstance(self.measure, str) else None if self.measure is None else list(self.measure)

    def chosen(self, measures: Iterable[Any]) -> list[int]:
        """Positions of the wanted ones among the measures that a form names; all, if none was named."""
        names = [str(name) for name in measures]
        wanted = self.wanted_measures
        if wanted is None:
            return list(range(len(names)))
        unknown = [name for name in wanted if name not in names]
        if unknown:
            raise LabelError(
                f"`measure` names {listing(unknown)}, which is not in the table; "
                f"the measures there are {listing(names, most=12)}."
            )
        return [i for i, name in enumerate(names) if name in wanted]

    def only_for(self, form: str, *applicable: str) -> None:
        """Refuse arguments that say something about another form than this one."""
        for name, purpose in _PURPOSE.items():
            if getattr(self, name) is not None and name not in applicable:
                raise InputError(f"`{name}` {purpose}; this is {form}. Leave it out.")

    def refuse_dataset(self, where: str) -> None:
        """Refuse a name for the data set where the form names its data sets."""
        if self.dataset is not None:
            raise InputError(
                f"`dataset` names the data set of a form that has none; {where}. To take one of them, use "
                f".select(dataset={self.dataset!r}) on what is read."
            )

    def describe(
        self, names: Iterable[Any], stored: Stored | None = None, *, way_out: str = ""
    ) -> tuple[MeasureInfo, ...]:
        """Collect what is known of each measure: from the arguments, from the file, from its name.

        Arguments win over what a file says, and a file wins over what a name implies. `way_out` is what else can be
        done about a measure of unknown direction.
        """
        names = tuple(str(name) for name in clean_labels(names, "measure"))
        implied = {name: {**_implied(name), **(stored or {}).get(name, {})} for name in names}
        directions = self._directions(names, implied)
        units, scales = (_per_measure(self.units, names, "units"), _per_measure(self.scale, names, "scale"))
        undirected = [name for name in names if name not in directions]
        if undirected:
            raise DirectionError(
                f"Whether lower or greater is better is unknown for {listing(undirected)}. "
                f"Say so: direction={{{undirected[0]!r}: 'lower'}} or direction={{{undirected[0]!r}: 'greater'}}."
                + way_out
            )
        return tuple(
            MeasureInfo(
                name,
                directions[name],
                units=units.get(name, implied[name].get("units") or ""),
                scale=scales.get(name, implied[name].get("scale") or None),  # type: ignore[arg-type]  # checked there
            )
            for name in names
        )

    def describe_only(self, stored: Stored | None = None) -> tuple[MeasureInfo, ...]:
        """Describe the one measure of a form that does not name it."""
        names = self.wanted_measures or (list(stored) if stored and len(stored) == 1 else [])
        if len(names) > 1:
            raise InputError(f"`measure` must be one name here: the form holds one measure; got {names!r}.")
        if not names and self.direction is None and self.maximize is None:
            raise DirectionError(
                "The table does not say what its values measure. Name the measure (measure='accuracy'), or say which "
                "values are better (direction='lower' or direction='greater')."
            )
        return self.describe(names or ["value"], stored)

    def _directions(self, names: tuple[str, ...], implied: Stored) -> dict[str, Direction]:
        if self.direction is not None and self.maximize is not None:
            raise InputError("Give `direction` or `maximize`, not both.")
        argument = "maximize" if self.direction is None else "direction"
        told = _per_measure(self.direction if self.maximize is None else _in_words(self.maximize), names, argument)
        directions = {name: parse_direction(word) for name, word in told.items()}
        known = {name: parse_direction(facts["direction"]) for name, facts in implied.items() if "direction" in facts}
        if not isinstance(getattr(self, argument), Mapping) and len(names) > 1:
            turned = [
                name for name in names if name in directions and known.get(name, directions[name]) != directions[name]
            ]
            if turned:
                raise DirectionError(
                    f"`{argument}={getattr(self, argument)!r}` would hold for all {len(names)} measures, also for "
                    f"{listing(turned)}, where {known[turned[0]]} is better. Name the measures it is meant for: "
                    f"{argument}={{{_first_without(names, turned)!r}: {getattr(self, argument)!r}}}."
                )
        return {**known, **directions}


def _implied(name: str) -> dict[str, Any]:
    info = known_measure(name)
    return {} if info is None else {"direction": info.direction, "units": info.units, "scale": info.scale}


def _in_words(maximize: bool | Mapping[str, bool] | None) -> str | dict[str, str] | None:
    if maximize is None:
        return None
    if isinstance(maximize, Mapping):
        return {name: _in_word(flag, f" for {name!r}") for name, flag in maximize.items()}
    return _in_word(maximize)


def _in_word(flag: object, where: str = "") -> str:
    if not isinstance(flag, bool | np.bool_):
        raise InputError(
            f"`maximize` must be True or False, or a mapping from measure to True or False; got {flag!r}{where}."
        )
    return "greater" if flag else "lower"


def _first_without(names: tuple[str, ...], turned: list[str]) -> str:
    return next((name for name in names if name not in turned), names[0])


def _per_measure(told: str | Mapping[str, str] | None, names: tuple[str, ...], argument: str) -> Mapping[str, str]:
    """Spread one word over all measures; a mapping must name measures that exist."""
    if told is None:
        return {}
    if isinstance(told, str):
        return dict.fromkeys(names, told)
    unknown = [name for name in told if name not in names]
    if unknown:
        raise LabelError(
            f"`{argument}` names the measure {listing(unknown)}, which is not in the table; "
            f"the measures there are {listing(names, most=12)}."
        )
    return told
