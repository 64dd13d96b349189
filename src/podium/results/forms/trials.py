"""Tables of trials: one row per trial, one column per measure."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

from podium.checks import did_you_mean
from podium.errors import AmbiguousInputError, InputError, LabelError, join_names
from podium.results.cube import MEASURED, REASON_NAMES, Cube
from podium.results.forms.arguments import Arguments
from podium.results.forms.cells import assemble
from podium.results.forms.columns import column_of, holds_words, numbers
from podium.results.forms.roles import role_of
from podium.results.forms.table import DesignRows, RecognisedTable, export_frame, replication_column, text_column
from podium.results.known_measures import known_measure

FORM = "table of trials"

# Parts of the names of columns that number replications in one way or another.
_COUNTS = re.compile(r"seed|fold|repeat|split|replic|resampl|bootstrap|trial|(?<![a-z])(?:rep|run|iter)", re.IGNORECASE)


def from_trials(table: RecognisedTable, arguments: Arguments) -> Cube:
    """Read a table with one row per trial and one column per measure."""
    arguments.only_for("a table of trials", "columns")
    columns, names = _measure_columns(table, arguments.wanted_measures)
    values = [numbers(column_of(table.frame, column), table.rows) for column in columns]
    found = len(columns) > 1 and arguments.measure is None
    way_out = " If not all columns of numbers are measures, name those that are: measure=[...]." if found else ""
    if found and not table.numbers_replications:
        way_out += _replication_hint(names)
    measures = arguments.describe(names, table.stored, way_out=way_out)
    cells = table.cells(arguments, np.column_stack(values))
    origin = table.origin(FORM, *columns)
    return assemble(cells, algorithms=cells.places["algorithm"].labels, measures=measures, origin=origin, form=FORM)


def to_trials(cube: Cube) -> pd.DataFrame:
    """One row per trial, one column per measure; there is one reason per trial for missing values."""
    rows = DesignRows(cube.design, cube.shape[:3])
    data: dict[str, Any] = {
        "dataset": text_column(cube.datasets, rows.along(0)),
        "algorithm": text_column(cube.algorithms, rows.along(2)),
        "replication": replication_column(cube, rows.along(1)),
    }
    data |= {name: rows.of(array[:, :, None]) for name, array in cube.structure.items()}
    clash = [name for name in cube.measure_names if role_of(name) not in (None, "value", "direction", "units", "scale")]
    if clash:
        raise LabelError(
            f"The measure {join_names(clash)} has a name that means something else in a table of trials; rename it "
            "first, or use `to_long()`."
        )
    data |= {name: rows.of(cube.values[..., j]) for j, name in enumerate(cube.measure_names)}
    if cube.missing.any():
        worst = np.max(cube.reasons, axis=3)
        mixed = (cube.reasons != MEASURED) & (cube.reasons != worst[..., None])
        if mixed.any():
            m, b, k, _ = np.argwhere(mixed)[0]
            raise InputError(
                f"The measures of {cube.algorithms[k]} on {cube.datasets[m]}, replication {cube.replications[b]}, are "
                "missing for different reasons, but a table of trials has one reason per row. Use `to_long()`."
            )
        data["reason"] = text_column(REASON_NAMES, rows.of(worst))
    return export_frame(data, cube)


def _measure_columns(table: RecognisedTable, wanted: list[str] | None) -> tuple[list[Any], list[str]]:
    """Find the columns of a table of trials that are measures, and their names."""
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
                f"`measure` names {join_names(unknown)}, which is not a column of the table; the columns that could be "
                f"measures are {join_names(map(str, left), most=12)}.{did_you_mean(unknown[0], left)}"
            )
        return list(wanted), list(wanted)
    words = [column for column in left if holds_words(column_of(frame, column))]
    if words:
        several = len(words) > 1
        raise AmbiguousInputError(
            f"The column{'s' if several else ''} {join_names(words)} hold{'' if several else 's'} text and "
            f"{'have' if several else 'has'} no known role. Say what {'they are' if several else 'it is'} with "
            "columns={'dataset': ..., 'replication': ...}, or name the columns that are measures: "
            f"measure={[str(c) for c in left if c not in words] or ['...']!r}."
        )
    if not left:
        raise InputError("The table names algorithms, but no column is left that could hold values.")
    return left, [str(column) for column in left]


def _replication_hint(names: list[str]) -> str:
    """Point to the first column whose name suggests that it numbers replications."""
    for name in names:
        word = _COUNTS.search(name)
        if word and known_measure(name) is None:
            role = word[0].lower() if word[0].lower() in ("fold", "repeat") else "replication"
            return f" If {name!r} numbers the replications, pass columns={{{role!r}: {name!r}}}."
    return ""


def _names_a_measure(column: str, table: RecognisedTable) -> bool:
    """Return whether a column itself says what it measures, so that another name would contradict it."""
    return column in table.stored or known_measure(column) is not None
