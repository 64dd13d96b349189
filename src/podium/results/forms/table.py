"""Tables that name the algorithm in a column: long (one row per value) and trials (one row per trial)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import IntArray
from podium.errors import AmbiguousInputError, InputError, LabelError, listing
from podium.results.cube import STRUCTURE_FIELDS, Cube
from podium.results.forms.asked import Asked
from podium.results.forms.assemble import Cells, assemble
from podium.results.forms.columns import (
    Coded,
    column_of,
    constant,
    encode,
    holds_words,
    numbers,
    reason_codes,
    structure_column,
)
from podium.results.forms.frames import Table
from podium.results.forms.roles import UNNAMED, Roles
from podium.results.forms.rows import Rows
from podium.results.known_measures import known_measure
from podium.results.labels import Axis

# Parts of the names of columns that number replications in one way or another.
_COUNTS = re.compile(r"seed|fold|repeat|split|replic|resampl|bootstrap|trial|(?<![a-z])(?:rep|run|iter)", re.IGNORECASE)


def from_long(table: Table, asked: Asked) -> Cube:
    """Read a table with one row per value: algorithm, measure, value, and what else is there."""
    frame, roles, rows = table.frame, table.roles, table.rows
    asked.only_for("a long table", "columns")
    measure = encode(column_of(frame, roles["measure"]), "measure", rows)
    chosen = asked.chosen(measure.labels)
    if len(chosen) < len(measure.labels):
        kept = np.flatnonzero(np.isin(measure.codes, chosen))
        frame, rows = frame.iloc[kept], rows.taken(kept)
        measure = encode(column_of(frame, roles["measure"]), "measure", rows)
    stored = {**table.stored, **_measure_facts(frame, roles, measure, rows)}
    places, structure = _places(frame, roles, asked, rows)
    cells = Cells(
        places={**places, "measure": measure},
        values=numbers(column_of(frame, roles["value"]), rows)[:, None],
        reason=reason_codes(column_of(frame, roles["reason"]), rows) if "reason" in roles else None,
        structure=structure,
        rows=rows,
        numbered=tells_replications(roles),
    )
    return assemble(
        cells,
        algorithms=places["algorithm"].labels,
        measures=asked.describe(measure.labels, stored),
        origin=_origin("long table", table, len(frame), roles["value"]),
    )


def from_trials(table: Table, asked: Asked) -> Cube:
    """Read a table with one row per trial and one column per measure."""
    frame, roles, rows = table.frame, table.roles, table.rows
    asked.only_for("a table of trials", "columns")
    columns, names = _measure_columns(table, asked.wanted_measures)
    values = [numbers(column_of(frame, column), rows) for column in columns]
    found = len(columns) > 1 and asked.measure is None
    way_out = " If not all columns of numbers are measures, name those that are: measure=[...]." if found else ""
    if found and not tells_replications(roles):
        way_out += _replication_hint(names)
    measures = asked.describe(names, table.stored, way_out=way_out)
    places, structure = _places(frame, roles, asked, rows)
    cells = Cells(
        places=places,
        values=np.column_stack(values),
        reason=reason_codes(column_of(frame, roles["reason"]), rows) if "reason" in roles else None,
        structure=structure,
        rows=rows,
        numbered=tells_replications(roles),
    )
    origin = _origin("table of trials", table, len(frame), *columns)
    return assemble(cells, algorithms=places["algorithm"].labels, measures=measures, origin=origin)


def structure_columns(frame: pd.DataFrame, roles: Roles, rows: Rows) -> dict[str, IntArray]:
    """Read repeat, fold and sample sizes, as far as the table has them."""
    found = {name: column for name, column in roles.items() if name in STRUCTURE_FIELDS}
    return {name: structure_column(column_of(frame, column), rows) for name, column in found.items()}


def tells_replications(roles: Roles) -> bool:
    """Tell whether a table says which replication a row belongs to."""
    return bool({"replication", "repeat", "fold"} & set(roles))


def replication_of(frame: pd.DataFrame, roles: Roles, structure: Mapping[str, IntArray], rows: Rows) -> Coded:
    """Code the replication of each row: its own column, else its fold, its repeat or both, else 1."""
    if "replication" in roles:
        return encode(column_of(frame, roles["replication"]), "replication", rows)
    keys = {name: structure[name] for name in ("repeat", "fold") if name in structure}
    if not keys:
        return constant(1, len(frame))
    for name, key in keys.items():
        if (key < 0).any():
            raise LabelError(f"The {name} is empty in {rows.many(np.flatnonzero(key < 0))}. Give every row its {name}.")
    pairs, codes = np.unique(np.column_stack(list(keys.values())), axis=0, return_inverse=True)
    # The label tells repeat and fold themselves, not a running number, so that it means the same in every table.
    labels = [int(p[0]) if len(p) == 1 else "/".join(map(str, p)) for p in pairs]
    return Coded(tuple(labels), codes.reshape(-1))


def _places(
    frame: pd.DataFrame, roles: Roles, asked: Asked, rows: Rows
) -> tuple[dict[Axis, Coded], dict[str, IntArray]]:
    """Code where each row belongs, and read the structure of the replications."""
    structure = structure_columns(frame, roles, rows)
    if "dataset" in roles:
        asked.refuse_dataset(f"the column {str(roles['dataset'])!r} names the data sets here")
        dataset = encode(column_of(frame, roles["dataset"]), "dataset", rows)
    else:
        dataset = constant(asked.dataset_name, len(frame))
    places: dict[Axis, Coded] = {
        "dataset": dataset,
        "replication": replication_of(frame, roles, structure, rows),
        "algorithm": encode(column_of(frame, roles["algorithm"]), "algorithm", rows),
    }
    return places, structure


def _measure_facts(frame: pd.DataFrame, roles: Roles, measure: Coded, rows: Rows) -> dict[str, dict[str, Any]]:
    """Read the direction, units and scale columns of a long table, one fact per measure."""
    facts: dict[str, dict[str, Any]] = {}
    for role in ("direction", "units", "scale"):
        column = next((column for known, column in roles.items() if known == role), None)
        if column is None:
            continue
        codes, words = pd.factorize(column_of(frame, column))
        first = np.zeros(len(measure.labels), np.intp)
        first[measure.codes[::-1]] = np.arange(len(codes))[::-1]
        wrong = np.flatnonzero(codes != codes[first[measure.codes]])
        if wrong.size:
            i = int(wrong[0])
            name = measure.labels[int(measure.codes[i])]
            raise InputError(
                f"The measure {name!r} has two entries in the column {str(column)!r}, in "
                f"{rows.one(first[measure.codes[i]])} and in {rows.one(i)}; all rows of a measure share it."
            )
        for name, at in zip(measure.labels, first, strict=True):
            word = "" if codes[at] < 0 else str(words[codes[at]]).strip()
            if word or role != "direction":  # an empty entry says that there are no units
                facts.setdefault(str(name), {})[role] = word
    return facts


def _measure_columns(table: Table, wanted: list[str] | None) -> tuple[list[Any], list[str]]:
    """Tell which columns of a table of trials are measures, and how they are called."""
    frame = table.frame
    left = [column for column in frame.columns if column not in {*table.roles.values(), *table.from_index}]
    if "value" in table.roles:
        left = [table.roles["value"]]
    if wanted is not None:
        if len(wanted) == len(left) == 1 and not _names_a_measure(str(left[0]), table):
            return left, wanted  # the one column of values, under the name it is given
        unknown = [name for name in wanted if name not in left]
        if unknown:
            raise LabelError(
                f"`measure` names {listing(unknown)}, which is no column of the table; the columns that could be "
                f"measures are {listing(map(str, left), most=12)}."
            )
        return list(wanted), list(wanted)
    words = [column for column in left if holds_words(column_of(frame, column))]
    if words:
        several = len(words) > 1
        raise AmbiguousInputError(
            f"The column{'s' if several else ''} {listing(words)} hold{'' if several else 's'} text and "
            f"{'have' if several else 'has'} no known role. Say what "
            f"{'they are' if several else 'it is'} with columns={{'dataset': ..., 'replication': ...}}, or name the "
            f"columns that are measures: measure={[str(c) for c in left if c not in words] or ['...']}."
        )
    if not left:
        raise InputError("The table names algorithms, but no column is left that could hold values.")
    return left, [str(column) for column in left]


def _replication_hint(names: list[str]) -> str:
    """Point to the columns whose names suggest that they tell replications apart."""
    for name in names:
        word = _COUNTS.search(name)
        if word and known_measure(name) is None:
            role = word[0].lower() if word[0].lower() in ("fold", "repeat") else "replication"
            return f" If {name!r} tells replications apart, say columns={{{role!r}: {name!r}}}."
    return ""


def _names_a_measure(column: str, table: Table) -> bool:
    """Tell whether a column says itself what it measures, so that another name would belie it."""
    return column in table.stored or known_measure(column) is not None


def _origin(form: str, table: Table, n: int, *values: Any) -> str:
    """Say what was recognised, and what was not used."""
    roles = table.roles
    found = [f"{form}, {n:,} rows"]
    found += [f"{role} in {str(column)!r}" for role, column in roles.items() if role != column]
    if "measure" not in roles:
        found.append(f"measures in {listing(map(str, values), most=8)}")
    if "dataset" not in roles:
        found.append("no dataset column: one data set")
    if not tells_replications(roles):
        found.append("no replication column: one replication")
    unused = [str(name) for name in table.frame.columns if name not in {*roles.values(), *values, UNNAMED}]
    if unused:
        found.append(f"not used: {listing(unused, most=8)}")
    return "; ".join(found)
