"""Tables: the kind of a DataFrame, the roles of its columns and its index, and what all kinds share."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, BoolArray, FloatArray, IntArray
from podium.errors import AmbiguousInputError, InputError, LabelError, join_names, plural
from podium.results.cube import STRUCTURE_FIELDS, Cube
from podium.results.forms.arguments import Arguments
from podium.results.forms.cells import Cells
from podium.results.forms.columns import (
    EMPTY_WORDS,
    Coded,
    RowNames,
    column_of,
    constant,
    encode,
    holds_words,
    reason_codes,
    refuse_fractions,
    structure_column,
)
from podium.results.forms.roles import UNNAMED, Role, Roles, find_roles, role_of
from podium.results.known_measures import known_facts
from podium.results.labels import AXES, Axis
from podium.results.measure_info import MeasureFacts, read_measures, write_measures

Kind: TypeAlias = Literal["long", "trials", "wide"]

_PERCENTAGE = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+) ?%")
_SAVED_INDEX = re.compile(r"Unnamed: \d+(\.\d+)?|level_\d+")
NOTE = "podium"  # where a frame (in `attrs`) or a file carries what is known about the measures


class NumberedFrame(NamedTuple):
    """A frame, and how its rows are named in messages."""

    frame: pd.DataFrame
    rows: RowNames


@dataclass(frozen=True, kw_only=True)
class RecognisedTable:
    """A DataFrame whose columns are recognised.

    `frame` has its index as leading columns, whose names are `from_index`; `stored` is what the frame or its file
    says about the measures. `left_out` are columns that are an index written to a file.
    """

    frame: pd.DataFrame
    roles: Roles
    kind: Kind
    from_index: tuple[Hashable, ...]
    stored: MeasureFacts
    rows: RowNames
    left_out: tuple[str, ...] = ()

    def column(self, role: Role) -> pd.Series[Any]:
        """Return the column that has a role."""
        return column_of(self.frame, self.roles[role])

    @property
    def numbers_replications(self) -> bool:
        """Whether the table says which replication a row belongs to."""
        return bool({"replication", "repeat", "fold"} & set(self.roles))

    def structure(self) -> dict[str, IntArray]:
        """Read repeat, fold and sample sizes, as far as the table has them."""
        found = {name: column for name, column in self.roles.items() if name in STRUCTURE_FIELDS}
        return {name: structure_column(column_of(self.frame, column), self.rows) for name, column in found.items()}

    def datasets(self, arguments: Arguments) -> Coded:
        """Code the data set of each row: its own column, else the one data set."""
        if "dataset" not in self.roles:
            return constant(arguments.dataset_name, len(self.frame))
        arguments.refuse_dataset(f"{in_words(self.roles['dataset'])} names the data sets here")
        return encode(self.column("dataset"), "dataset", self.rows)

    def replications(self, structure: Mapping[str, IntArray]) -> Coded:
        """Code the replication of each row: its own column, else its fold, its repeat or both, else 1."""
        if "replication" in self.roles:
            return encode(self.column("replication"), "replication", self.rows)
        keys = {name: structure[name] for name in ("repeat", "fold") if name in structure}
        if not keys:
            return constant(1, len(self.frame))
        for name, key in keys.items():
            if (key < 0).any():
                empty = self.rows.many(np.flatnonzero(key < 0))
                raise LabelError(f"The {name} is empty in {empty}. Give every row its {name}.")
        pairs, codes = np.unique(np.column_stack(list(keys.values())), axis=0, return_inverse=True)
        # The label consists of repeat and fold, not of a running number, so that it means the same in every table.
        labels = [int(p[0]) if len(p) == 1 else "/".join(map(str, p)) for p in pairs]
        return Coded(tuple(labels), codes.reshape(-1))

    def cells(self, arguments: Arguments, values: FloatArray, measure: Coded | None = None) -> Cells:
        """Collect the rows with their values: where each belongs, its reason, and its structure."""
        structure = self.structure()
        places: dict[Axis, Coded] = {
            "dataset": self.datasets(arguments),
            "replication": self.replications(structure),
        }
        if "algorithm" in self.roles:
            places["algorithm"] = encode(self.column("algorithm"), "algorithm", self.rows)
        if measure is not None:
            places["measure"] = measure
        return Cells(
            places=places,
            values=values,
            reason=reason_codes(self.column("reason"), self.rows) if "reason" in self.roles else None,
            structure=structure,
            rows=self.rows,
            numbered=self.numbers_replications,
        )

    @property
    def left_out_in_words(self) -> list[str]:
        """Say which columns were left out as an index."""
        return [f"left out as an index: {join_names(self.left_out)}"] if self.left_out else []

    def origin(self, form: str, *values: Any) -> str:
        """Say what was recognised, and what was not used."""
        found = [f"{form}, {plural(len(self.frame), 'row')}"]
        found += [f"{role} in {str(column)!r}" for role, column in self.roles.items() if role != column]
        if "measure" not in self.roles:
            found.append(f"measures in {join_names(map(str, values), most=8)}")
        if "dataset" not in self.roles:
            found.append("no dataset column: one data set")
        if not self.numbers_replications:
            found.append("no replication column: one replication")
        used = {*self.roles.values(), *values, UNNAMED}
        unused = [str(name) for name in self.frame.columns if name not in used]
        if unused:
            found.append(f"not used: {join_names(unused, most=8)}")
        found += self.left_out_in_words
        return "; ".join(found)


def recognise(frame: pd.DataFrame, arguments: Arguments, rows: RowNames) -> RecognisedTable:
    """Recognise a table as long, trials or wide; refuse any other."""
    if not len(frame):
        raise InputError("The table is empty: it has no rows.")
    if frame.columns.nlevels > 1:
        frame, rows = _stacked(frame), RowNames()
    name = frame.columns.name  # the measure, if it is the name of one
    facts = known_facts(name) if isinstance(name, str) else {}
    stored = read_measures(frame.attrs.get(NOTE)) or ({facts["name"]: facts} if facts else {})
    refuse_repeated(list(frame.columns))
    saved = _saved_index(frame, arguments)
    frame = frame.drop(columns=saved) if saved else frame
    frame, from_index = _index_as_columns(frame, arguments.columns)
    roles = find_roles(frame.columns, arguments.columns)
    given = set(arguments.columns or {})
    guessed = "measure" in roles and "measure" not in given and "value" not in roles
    if guessed and not holds_words(column_of(frame, roles["measure"])):
        del roles["measure"]  # "performance", say: a measure itself, not the names of measures
    for axis in AXES:
        if axis in roles and axis not in given:
            refuse_fractions(column_of(frame, roles[axis]), axis)
    labels = {name for role, name in roles.items() if role != "value"}
    frame = _without_percent_signs(frame, [name for name in frame.columns if name not in labels])
    kind = _kind(roles)
    if kind != "long":  # these describe the measure of a row, and only a long table has one
        idle = {"value", "direction", "units", "scale"} - given
        roles = {role: name for role, name in roles.items() if role not in idle}
    return RecognisedTable(
        frame=frame, roles=roles, kind=kind, from_index=from_index, stored=stored, rows=rows, left_out=tuple(saved)
    )


def _without_percent_signs(frame: pd.DataFrame, columns: Sequence[Any]) -> pd.DataFrame:
    """Read columns whose cells are numbers with a percent sign, such as ``94.7%`` or ``94,7 %``, as numbers."""
    read = {}
    for name in columns:
        column = column_of(frame, name)
        if pd.api.types.is_numeric_dtype(column.dtype):
            continue
        column = column.astype(object)
        there = column.map(lambda cell: isinstance(cell, str) and cell.strip() not in EMPTY_WORDS)
        cells = column[there].map(str.strip)
        others = column[~there].map(lambda cell: isinstance(cell, str) or pd.isna(cell))
        if len(cells) and others.all() and cells.map(lambda cell: bool(_PERCENTAGE.fullmatch(cell))).all():
            numbers = cells.map(lambda cell: float(cell.rstrip("% ").replace(",", ".")))
            read[name] = numbers.reindex(column.index)
    frame = frame.copy(deep=False) if read else frame
    for name, values in read.items():
        frame[name] = values
    return frame


def _stacked(frame: pd.DataFrame) -> pd.DataFrame:
    """Turn columns with several levels, such as (measure, algorithm) in either order, into rows of a long table."""
    levels = [_level(frame.columns.get_level_values(i)) for i in range(frame.columns.nlevels)]
    words = [level.unique().tolist() for level in levels]
    roles: list[Any] = [level.name if level.name in AXES else None for level in levels]
    for i, names in enumerate(words):
        if roles[i] is None and "measure" not in roles and all(known_facts(str(name)) for name in names):
            roles[i] = "measure"
    if roles.count(None) == 1 and "algorithm" not in roles:
        roles[roles.index(None)] = "algorithm"
    if None in roles or "algorithm" not in roles or len(set(roles)) < len(roles):
        guess = ["measure", "algorithm", "dataset"][: len(roles)]
        raise AmbiguousInputError(
            f"The columns have {len(roles)} levels, {' and '.join(join_names(names, most=4) for names in words)}. Name "
            f"the levels by what they are: frame.columns.names = {guess}."
        )
    stored = frame.attrs
    named = frame.copy(deep=False)
    named.columns = named.columns.set_names(roles)
    index = [UNNAMED if name is None else name for name in named.index.names]
    if index == [UNNAMED]:
        words_in_index = not pd.api.types.is_numeric_dtype(named.index.dtype) and "dataset" not in roles
        index = ["dataset" if words_in_index else "replication"]
        named.index = named.index if words_in_index or not _only_counts(named.index) else named.index + 1
    named.index = named.index.set_names(index)
    values: Any = named.stack(list(range(len(roles))), future_stack=True)
    long: pd.DataFrame = values.rename("value").reset_index()
    long.attrs = stored
    return long


def _level(values: pd.Index[Any]) -> pd.Index[Any]:
    """Name a level by the role that its name suggests."""
    found = role_of(values.name) if values.name is not None else None
    return values.rename(found if found is not None else values.name)


def in_words(name: Hashable) -> str:
    """Name a column, or the index, in a message."""
    return "the index" if name == UNNAMED else f"the column {str(name)!r}"


def _kind(roles: Mapping[Any, Any]) -> Kind:
    if "algorithm" in roles and "measure" not in roles:
        return "trials"
    if "algorithm" in roles and "value" in roles:
        return "long"
    if "algorithm" in roles:
        raise AmbiguousInputError(
            f"The table has a column of measures, {str(roles['measure'])!r}, but no column is known to hold their "
            "values. Say which one does: columns={'value': ...}.",
            remedy={"columns": {"value": ...}},
        )
    for role in ("measure", "value"):
        if role in roles:
            raise AmbiguousInputError(
                f"The column {str(roles[role])!r} is named like the {role} of a long table, but no column names the "
                "algorithms. Say which one does: columns={'algorithm': ...}; in a wide table, where each algorithm has "
                "its column, rename it.",
                remedy={"columns": {"algorithm": ...}},
            )
    return "wide"


def _index_as_columns(
    frame: pd.DataFrame, columns: Mapping[str, Any] | None
) -> tuple[pd.DataFrame, tuple[Hashable, ...]]:
    """Turn the index into leading columns; an index that only counts rows, from 0, becomes a count from 1."""
    index = frame.index
    if index.nlevels > 1 and None in index.names:
        raise AmbiguousInputError(
            f"The index has {index.nlevels} levels, and not all have names. Name them: "
            "frame.index.names = ['dataset', 'replication']."
        )
    names = [UNNAMED if name is None else name for name in index.names]
    clash = [name for name in names if name in frame.columns]
    if clash:
        raise LabelError(
            f"The name {clash[0]!r} is given twice, to the index and to a column. Rename or remove one of them."
        )
    frame = frame.copy(deep=False)
    frame.attrs = {}  # they have been read, and pandas would copy them with every column
    frame.index = pd.RangeIndex(len(frame))
    if names == [UNNAMED]:
        if "algorithm" in find_roles([*names, *frame.columns], columns) and UNNAMED not in (columns or {}).values():
            return frame, ()  # only a wide table needs names for its rows
        if _only_counts(index):
            index = index + 1
    leading = pd.DataFrame({name: index.get_level_values(i).array for i, name in enumerate(names)})
    return pd.concat([leading, frame], axis=1), tuple(names)


def _saved_index(frame: pd.DataFrame, arguments: Arguments) -> list[str]:
    """Find what pandas makes of an index that was written to a file: ``Unnamed: 0`` and the like.

    A column of text stays, as it may name the rows; so does one that the caller names.
    """
    given = (*(arguments.columns or {}).values(), *(arguments.wanted_measures or ()))
    named = {name for name in given if isinstance(name, str)}
    return [
        name
        for name in frame.columns
        if isinstance(name, str) and _SAVED_INDEX.fullmatch(name) and name not in named and is_index(frame[name])
    ]


def is_index(column: pd.Series[Any]) -> bool:
    """Return whether a column holds whole numbers of which no two are equal."""
    return holds_whole_numbers(column) and column.is_unique


def holds_whole_numbers(column: pd.Series[Any]) -> bool:
    """Return whether all cells of a column are whole numbers, and none is missing."""
    if not pd.api.types.is_numeric_dtype(column.dtype) or pd.api.types.is_bool_dtype(column.dtype):
        return False
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    return bool((values == np.floor(values)).all())


def _only_counts(index: pd.Index[Any]) -> bool:
    """Return whether the index is 0, 1, 2, ... in any order, as in a shuffled frame."""
    if isinstance(index, pd.RangeIndex):
        return index.start == 0 and index.step == 1
    if not pd.api.types.is_integer_dtype(index.dtype) or index.hasnans:
        return False
    return bool(np.array_equal(np.sort(index.to_numpy()), np.arange(len(index))))


def refuse_repeated(names: Sequence[Hashable]) -> None:
    """Refuse columns that have the same name, or names that differ only by blanks."""
    seen: dict[str, int] = {}
    for i, name in enumerate(names):
        j = seen.setdefault(" ".join(str(name).split()), i)
        if i != j:
            shown = repr(name) if name == names[j] else f"{names[j]!r} and {name!r}"
            raise LabelError(
                f"The columns {j + 1} and {i + 1} of the table have the same name, {shown}. "
                "Rename or remove one of them."
            )


class DesignRows:
    """The cells of a design, one after the other: the rows of an exported table."""

    def __init__(self, design: BoolArray, shape: tuple[int, ...]) -> None:
        self._shape = shape
        self._there = None if design.all() else design.reshape(design.shape + (1,) * (len(shape) - 2))

    def of(self, array: AnyArray) -> AnyArray:
        """Return the entry of each row, from an array that is as large as the cube or constant along some axes."""
        full = np.broadcast_to(array, self._shape)
        return full.reshape(-1) if self._there is None else full[np.broadcast_to(self._there, self._shape)]

    def along(self, axis: int) -> AnyArray:
        """Return the position of each row along an axis."""
        shape = [1] * len(self._shape)
        shape[axis] = -1
        return self.of(np.arange(self._shape[axis]).reshape(shape))


def text_column(labels: Sequence[Any], at: AnyArray) -> Any:
    """Return the label at each position."""
    return pd.Index(labels).take(at)


def replication_column(cube: Cube, at: AnyArray) -> Any:
    """Return the replication at each position, as whole numbers if all replications are."""
    if all(isinstance(label, int) for label in cube.replications):
        return np.take(np.array(cube.replications, np.int64), at)
    return text_column(cube.replications, at)


def export_frame(data: Mapping[str, Any], cube: Cube) -> pd.DataFrame:
    """Make a frame that carries what is known about the measures; -1 (unknown) becomes an empty cell."""
    frame = pd.DataFrame(data)
    for name in STRUCTURE_FIELDS:
        if name in frame and (frame[name] < 0).any():
            frame[name] = frame[name].astype("Int64").mask(frame[name] < 0)
    frame.attrs[NOTE] = write_measures(cube.measures)
    return frame
