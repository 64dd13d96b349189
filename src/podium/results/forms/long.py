"""Long tables: one row per value."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import AnyArray
from podium.errors import InputError
from podium.results.cube import REASON_NAMES, Cube
from podium.results.forms.arguments import Arguments
from podium.results.forms.cells import assemble
from podium.results.forms.columns import Coded, encode, factorize, numbers
from podium.results.forms.table import DesignRows, RecognisedTable, export_frame, replication_column, text_column


def from_long(table: RecognisedTable, arguments: Arguments) -> Cube:
    """Read a table with one row per value: algorithm, measure, value, and what else is there."""
    arguments.only_for("a long table", "columns")
    measure = encode(table.column("measure"), "measure", table.rows)
    chosen = arguments.chosen(measure.labels)
    if len(chosen) < len(measure.labels):
        kept = np.flatnonzero(np.isin(measure.codes, chosen))
        table = dataclasses.replace(table, frame=table.frame.iloc[kept], rows=table.rows.taken(kept))
        measure = encode(table.column("measure"), "measure", table.rows)
    cells = table.cells(arguments, numbers(table.column("value"), table.rows)[:, None], measure)
    return assemble(
        cells,
        algorithms=cells.places["algorithm"].labels,
        measures=arguments.describe(measure.labels, {**table.stored, **_measure_facts(table, measure)}),
        origin=table.origin("long table", table.roles["value"]),
        form="long table",
    )


def to_long(cube: Cube, *, categories: bool = False) -> pd.DataFrame:
    """One row per cell of the design; a missing cell has an empty value and its reason.

    With `categories` the labels are categoricals, which take far less time and memory than text.
    """
    rows = DesignRows(cube.design, cube.shape)
    labels = _categorical if categories else text_column
    data: dict[str, Any] = {
        "dataset": labels(cube.datasets, rows.along(0)),
        "algorithm": labels(cube.algorithms, rows.along(2)),
        "replication": replication_column(cube, rows.along(1)),
        "measure": labels(cube.measure_names, rows.along(3)),
        "value": rows.of(cube.values),
    }
    data |= {name: rows.of(array[:, :, None, None]) for name, array in cube.structure.items()}
    if cube.missing.any():
        data["reason"] = labels(REASON_NAMES, rows.of(cube.reasons))
    return export_frame(data, cube)


def _measure_facts(table: RecognisedTable, measure: Coded) -> dict[str, dict[str, Any]]:
    """Read the direction, units and scale columns, one entry per measure."""
    facts: dict[str, dict[str, Any]] = {}
    for role in ("direction", "units", "scale"):
        if role not in table.roles:
            continue
        codes, words = factorize(table.column(role))
        first = np.zeros(len(measure.labels), np.intp)
        first[measure.codes[::-1]] = np.arange(len(codes))[::-1]
        wrong = np.flatnonzero(codes != codes[first[measure.codes]])
        if wrong.size:
            i = int(wrong[0])
            name = measure.labels[int(measure.codes[i])]
            raise InputError(
                f"The measure {name!r} has two entries in the column {str(table.roles[role])!r}, in "
                f"{table.rows.one(first[measure.codes[i]])} and in {table.rows.one(i)}; all rows of a "
                "measure must have the same entry."
            )
        for name, at in zip(measure.labels, first, strict=True):
            word = "" if codes[at] < 0 else str(words[codes[at]]).strip()
            if word or role != "direction":  # an empty entry says that there are no units
                facts.setdefault(str(name), {})[role] = word
    return facts


def _categorical(labels: Sequence[str], at: AnyArray) -> Any:
    return pd.Categorical.from_codes(at, categories=pd.Index(labels))
