"""The arguments of `read` that describe the scores."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from podium.checks import check_flag, did_you_mean, shown
from podium.errors import DirectionError, InputError, LabelError, join_names
from podium.results.known_measures import known_facts
from podium.results.labels import clean_labels, is_label, one_or_several
from podium.results.measure_info import Direction, MeasureFacts, MeasureInfo, parse_direction

RowMeaning: TypeAlias = Literal["dataset", "replication"]

# What each argument takes: the types, and the words for a message.
_TAKES: dict[str, tuple[Any, str]] = {
    "direction": (str | Mapping, "'lower' or 'higher', or a mapping from measure to one of them"),
    "maximize": (bool | np.bool_ | Mapping, "True or False, or a mapping from measure to True or False"),
    "measure": (str | int | Iterable, "the name of a measure, or a list of names"),
    "units": (str | Mapping, "text such as 's', or a mapping from measure to text"),
    "scale": (str | Mapping, "'linear' or 'log', or a mapping from measure to one of them"),
    "columns": (Mapping, "a mapping from role to column, such as {'algorithm': 'clf'}"),
    "rows": (str, "'dataset' or 'replication'"),
    "dataset": (str, "the name of the data set, a text"),
    "sheet": (str, "the name of a sheet, a text"),
    "levels": (str | Sequence, "the names of the levels, such as ('dataset', 'algorithm')"),
    "labels": (
        Mapping,
        "a mapping from axis to labels, in the order of the axes, such as {'dataset': None, 'algorithm': ['svm', "
        "'knn']} (None numbers an axis)",
    ),
}
_ONLY_FOR = {
    "columns": "says what the columns of a table are",
    "rows": "says what the rows of a wide table are",
    "levels": "names the levels of a nested dict",
    "labels": "names the axes of an array",
}


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """The arguments of `read`; None where one is not given."""

    direction: str | Mapping[str, str] | None = None
    maximize: bool | Mapping[str, bool] | None = None
    measure: str | Sequence[str] | None = None
    units: str | Mapping[str, str] | None = None
    scale: str | Mapping[str, str] | None = None
    columns: Mapping[str, Any] | None = None
    rows: RowMeaning | None = None
    dataset: str | None = None
    sheet: str | None = None
    levels: Sequence[str] | str | None = None
    labels: Mapping[Any, Iterable[Any] | None] | None = None
    independent: bool = False

    def __post_init__(self) -> None:
        for name, (kinds, words) in _TAKES.items():
            value = getattr(self, name)
            if value is not None and not isinstance(value, kinds):
                raise InputError(f"`{name}` must be {words}; got {shown(value)}.")
        if self.rows not in (None, "dataset", "replication"):
            raise InputError(f"`rows` must be {_TAKES['rows'][1]}; got {shown(self.rows)}.")
        check_flag(self.independent, "independent")
        wanted = self.wanted_measures
        if wanted is not None and not (
            wanted and all(isinstance(name, str | int) and is_label(name) for name in wanted)
        ):
            raise InputError(f"`measure` must be {_TAKES['measure'][1]}; got {shown(self.measure)}.")
        if self.direction is not None and self.maximize is not None:
            raise InputError("Give `direction` or `maximize`, not both.")

    def replace(self, **changes: Any) -> Arguments:
        """Return a copy with some arguments changed."""
        return dataclasses.replace(self, **changes)

    @property
    def dataset_name(self) -> str:
        """Name of the data set of a form that has none."""
        return "data" if self.dataset is None else self.dataset

    @property
    def wanted_measures(self) -> list[Any] | None:
        """The measures that are named, as a list."""
        if self.measure is None:
            return None
        return one_or_several(self.measure)

    def chosen(self, measures: Iterable[Any]) -> list[int]:
        """Positions of the requested measures among those of the form; all, if none is requested."""
        names = [str(name) for name in measures]
        if self.measure is None:
            return list(range(len(names)))
        wanted = [str(name) for name in self.wanted_measures or ()]
        unknown = [name for name in wanted if name not in names]
        if unknown:
            raise _unknown_measure("measure", unknown, names)
        return [i for i, name in enumerate(names) if name in wanted]

    def only_for(self, form: str, *applicable: str) -> None:
        """Refuse arguments that describe a different form."""
        for name, purpose in _ONLY_FOR.items():
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
        self, names: Iterable[Any], stored: MeasureFacts | None = None, *, way_out: str = ""
    ) -> tuple[MeasureInfo, ...]:
        """Collect what is known about each measure: from the arguments, from the file, from its name.

        Arguments win over what a file says, and a file wins over what a name implies. `way_out` is what else can be
        done about a measure of unknown direction.
        """
        names = tuple(str(name) for name in clean_labels(names, "measure"))
        implied = {name: {**known_facts(name), **(stored or {}).get(name, {})} for name in names}
        directions = self._directions(names, implied)
        units, scales = (_per_measure(self.units, names, "units"), _per_measure(self.scale, names, "scale"))
        undirected = [name for name in names if name not in directions]
        if undirected:
            raise DirectionError(
                f"Whether lower or higher is better is unknown for {join_names(undirected)}. Specify it: "
                f"direction={{{undirected[0]!r}: 'lower'}} or direction={{{undirected[0]!r}: 'higher'}}." + way_out,
                remedy={"direction": {undirected[0]: ...}},
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

    def describe_only(self, stored: MeasureFacts | None = None) -> tuple[MeasureInfo, ...]:
        """Describe the one measure of a form that does not name it."""
        names = self.wanted_measures or (list(stored) if stored and len(stored) == 1 else [])
        if len(names) > 1:
            raise InputError(f"`measure` must be one name here: the form holds one measure; got {names!r}.")
        if not names and self.direction is None and self.maximize is None:
            raise DirectionError(
                "The table does not say what its values measure. Name the measure (measure='accuracy'), or say which "
                "values are better (direction='lower' or direction='higher')."
            )
        return self.describe(names or ["value"], stored)

    def _directions(self, names: tuple[str, ...], implied: MeasureFacts) -> dict[str, Direction]:
        argument = "maximize" if self.direction is None else "direction"
        words = self.direction if self.maximize is None else _in_words(self.maximize)
        given = _per_measure(words, names, argument)
        directions = {name: parse_direction(word) for name, word in given.items()}
        known = {name: parse_direction(facts["direction"]) for name, facts in implied.items() if "direction" in facts}
        if not isinstance(words, Mapping) and len(names) > 1:
            reversed_ = [
                name for name in names if name in directions and known.get(name, directions[name]) != directions[name]
            ]
            if reversed_:
                meant = next((name for name in names if name not in reversed_), names[0])
                raise DirectionError(
                    f"`{argument}={getattr(self, argument)!r}` would apply to all {len(names)} measures, including "
                    f"{join_names(reversed_)}, where {known[reversed_[0]]} is better. Name the measures it is meant "
                    f"for: {argument}={{{meant!r}: {getattr(self, argument)!r}}}."
                )
        return {**known, **directions}


def _in_words(maximize: bool | Mapping[str, bool]) -> str | dict[str, str]:
    """Translate the True and False of `maximize` into directions."""
    if not isinstance(maximize, Mapping):
        return "higher" if maximize else "lower"
    for name, flag in maximize.items():
        if not isinstance(flag, bool | np.bool_):
            raise InputError(f"`maximize` must be {_TAKES['maximize'][1]}; got {shown(flag)} for {name!r}.")
    return {name: "higher" if flag else "lower" for name, flag in maximize.items()}


def _per_measure(given: str | Mapping[str, str] | None, names: tuple[str, ...], argument: str) -> Mapping[str, str]:
    """Apply one word to all measures; a mapping must name measures that exist."""
    if given is None:
        return {}
    if isinstance(given, str):
        return dict.fromkeys(names, given)
    unknown = [name for name in given if name not in names]
    if unknown:
        raise _unknown_measure(argument, unknown, names)
    return given


def _unknown_measure(argument: str, unknown: Sequence[Any], names: Sequence[str]) -> LabelError:
    return LabelError(
        f"`{argument}` names the measure {join_names(unknown)}, which is not in the table; the measures there are "
        f"{join_names(names, most=12)}.{did_you_mean(unknown[0], names)}"
    )
