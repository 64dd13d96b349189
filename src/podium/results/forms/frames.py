"""What kind of table a DataFrame is, and what its columns and its index stand for."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from podium.errors import AmbiguousInputError, InputError, LabelError
from podium.results.forms.asked import Asked, Stored
from podium.results.forms.columns import column_of, holds_words, refuse_fractions
from podium.results.forms.export import NOTE, read_note
from podium.results.forms.roles import UNNAMED, Roles, find_roles
from podium.results.forms.rows import Rows
from podium.results.known_measures import known_measure
from podium.results.labels import AXES

Kind: TypeAlias = Literal["long", "trials", "wide"]


@dataclass(frozen=True, kw_only=True)
class Table:
    """A DataFrame whose columns are recognised.

    `frame` has its index as leading columns, whose names are `from_index`; `stored` is what the frame or its file
    says of the measures.
    """

    frame: pd.DataFrame
    roles: Roles
    kind: Kind
    from_index: tuple[Hashable, ...]
    stored: Stored
    rows: Rows


def recognise(frame: pd.DataFrame, asked: Asked, rows: Rows, stored: Stored) -> Table:
    """Tell long, trials and wide tables apart; refuse what is none of them."""
    if not len(frame):
        raise InputError("The table is empty: it has no row.")
    if frame.columns.nlevels > 1:
        raise AmbiguousInputError(
            f"The columns have {frame.columns.nlevels} levels. Bring them into rows, with names for the levels: "
            "frame.columns.names = ['measure', 'algorithm']; frame = frame.stack([0, 1]).rename('value')."
        )
    stored = stored or read_note(frame.attrs.get(NOTE)) or _named_by_columns(frame)
    refuse_repeated(list(frame.columns))
    frame, from_index = _index_as_columns(frame, asked.columns)
    roles = find_roles(frame.columns, asked.columns)
    told = set(asked.columns or {})
    guessed = "measure" in roles and "measure" not in told and "value" not in roles
    if guessed and not holds_words(column_of(frame, roles["measure"])):
        del roles["measure"]  # "performance", say: a measure itself, not the names of measures
    for axis in AXES:
        if axis in roles and axis not in told:
            refuse_fractions(column_of(frame, roles[axis]), axis)
    kind = _kind(roles)
    if kind != "long":  # these say something of the measure of a row, and only a long table has one
        idle = {"value", "direction", "units", "scale"} - told
        roles = {role: name for role, name in roles.items() if role not in idle}
    return Table(frame=frame, roles=roles, kind=kind, from_index=from_index, stored=stored, rows=rows)


def _kind(roles: Mapping[Any, Any]) -> Kind:
    if "algorithm" in roles and "measure" not in roles:
        return "trials"
    if "algorithm" in roles and "value" in roles:
        return "long"
    if "algorithm" in roles:
        raise AmbiguousInputError(
            f"The table has a column of measures, {str(roles['measure'])!r}, and none that is known to hold their "
            "values. Say which one does: columns={'value': ...}."
        )
    for role in ("measure", "value"):
        if role in roles:
            raise AmbiguousInputError(
                f"The column {str(roles[role])!r} is named like the {role} of a long table, and no column names the "
                "algorithms. Say which one does: columns={'algorithm': ...}; in a wide table, where each algorithm "
                "has its column, rename it."
            )
    return "wide"


def _named_by_columns(frame: pd.DataFrame) -> Stored:
    """Take the name over the columns as that of the measure, if it is one: ``frame.columns.name``."""
    name = frame.columns.name
    info = known_measure(name) if isinstance(name, str) else None
    return {} if info is None else {info.name: {"direction": info.direction, "units": info.units, "scale": info.scale}}


def _index_as_columns(frame: pd.DataFrame, told: Mapping[str, Any] | None) -> tuple[pd.DataFrame, tuple[Hashable, ...]]:
    """Bring the index out as leading columns; rows that are only counted, from 0, are counted from 1."""
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
    frame.index = pd.RangeIndex(len(frame))
    if names == [UNNAMED]:
        if "algorithm" in find_roles([*names, *frame.columns], told) and UNNAMED not in (told or {}).values():
            return frame, ()  # only a wide table needs names for its rows
        if _only_counts(index):
            index = index + 1
    for i, name in enumerate(names):
        frame.insert(i, name, index.get_level_values(i).array)
    return frame, tuple(names)


def _only_counts(index: pd.Index[Any]) -> bool:
    """Tell whether the index is 0, 1, 2, ... in any order, as a shuffled frame has it."""
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
