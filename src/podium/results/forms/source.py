"""From a source in memory to a cube: its form decides which function reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from podium.checks import describe
from podium.errors import InputError
from podium.results.cube import Cube
from podium.results.forms.arguments import Arguments
from podium.results.forms.array import LabelledArray, from_array, from_xarray
from podium.results.forms.columns import RowNames
from podium.results.forms.document import from_document, is_document, records_frame
from podium.results.forms.long import from_long
from podium.results.forms.nested import from_nested
from podium.results.forms.table import NumberedFrame, recognise
from podium.results.forms.trials import from_trials
from podium.results.forms.wide import from_wide
from podium.results.measure_info import read_measures, write_measures
from podium.results.selection import take

_READERS = {"long": from_long, "trials": from_trials, "wide": from_wide}


def from_source(source: Any, arguments: Arguments) -> Cube:
    """Read a table, an array, nested dicts, a document, or results themselves."""
    if isinstance(source, Cube):
        return _described_again(source, arguments)
    if hasattr(source, "dims") and hasattr(source, "coords"):
        return from_xarray(source, arguments)
    if is_document(source):
        return from_document(source, arguments)
    if isinstance(source, Mapping):
        return from_nested(source, arguments)
    if isinstance(source, pd.DataFrame):
        return _from_frame(source, RowNames(), arguments)
    if isinstance(source, NumberedFrame):
        return _from_frame(*source, arguments)
    if isinstance(source, pd.Series):
        return from_source(source.to_frame("value" if source.name is None else source.name), arguments)
    if isinstance(source, LabelledArray):
        return from_array(source.values, source.labels, arguments)
    if isinstance(source, np.ndarray) or arguments.labels is not None:
        return from_array(source, arguments.labels, arguments)
    if isinstance(source, list):
        return from_source(records_frame(source), arguments)
    if hasattr(source, "to_pandas"):  # polars, Arrow, ...
        return from_source(source.to_pandas(), arguments)
    raise InputError(
        "`source` must be a path, a table (DataFrame or with to_pandas()), an array, a nested dict or a list of dicts; "
        f"got {describe(source)}."
    )


def _from_frame(frame: pd.DataFrame, rows: RowNames, arguments: Arguments) -> Cube:
    table = recognise(frame, arguments, rows)
    return _READERS[table.kind](table, arguments)


def _described_again(cube: Cube, arguments: Arguments) -> Cube:
    """Let the arguments win over what existing results say about their measures."""
    arguments.only_for("a Results")
    arguments.refuse_dataset("these results name their data sets")
    cube = take(cube, measure=arguments.chosen(cube.measure_names))
    stored = read_measures(write_measures(cube.measures))
    return cube.replace(measures=arguments.describe(cube.measure_names, stored))
