"""`read`: numbers in any usual form become `Results`."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.errors import InputError
from podium.results.cube import Cube
from podium.results.forms.array import LabelledArray, from_array, from_xarray
from podium.results.forms.asked import Asked, RowMeaning, Stored
from podium.results.forms.csv import read_csv
from podium.results.forms.document import from_document, is_document, load_json, records_frame
from podium.results.forms.export import note, read_note
from podium.results.forms.files import file_kind
from podium.results.forms.frames import recognise
from podium.results.forms.nested import from_nested
from podium.results.forms.parquet import read_parquet
from podium.results.forms.rows import Rows
from podium.results.forms.table import from_long, from_trials
from podium.results.forms.wide import from_wide
from podium.results.measure_info import Scale
from podium.results.results import Results
from podium.results.selecting import take

_READERS = {"long": from_long, "trials": from_trials, "wide": from_wide}


def read(
    source: Any,
    *,
    direction: str | Mapping[str, str] | None = None,
    maximize: bool | Mapping[str, bool] | None = None,
    measure: str | Sequence[str] | None = None,
    units: str | Mapping[str, str] | None = None,
    scale: Scale | Mapping[str, Scale] | None = None,
    columns: Mapping[str, Any] | None = None,
    rows: RowMeaning | None = None,
    dataset: str | None = None,
    levels: Sequence[str] | str | None = None,
    labels: Mapping[Any, Iterable[Any] | None] | None = None,
) -> Results:
    """Read scores in any usual form.

    The form is recognised, and what was recognised stands in ``origin`` of the outcome. What can be read in two
    ways is refused, with the argument that decides.

    Parameters
    ----------
    source : path, DataFrame, Series, array, xarray.DataArray, dict, list of dicts, or anything with ``to_pandas()``
        A ``.csv``, ``.parquet`` or ``.json`` file; or a table in memory:

        - *long*: columns dataset, algorithm, replication, measure, value;
        - *trials*: columns dataset, algorithm, replication and one column per measure;
        - *wide*: one column per algorithm, one row per data set or replication;
        - an array with `labels`; nested dicts with `levels`; a list of dicts, one per row.
    direction : str or mapping, optional
        ``"lower"`` or ``"greater"`` is better, for all measures or by measure. Names like ``accuracy`` or
        ``Misclassification`` bring their direction; for others it must be told.
    maximize : bool or mapping, optional
        The same in other words: True where greater is better.
    measure : str or list of str, optional
        Name of the measure, where the form does not name it; which measures to take, where it does; in a table of
        trials, which columns are measures.
    units, scale : str or mapping, optional
        Unit, and scale (``"linear"`` or ``"log"``), for all measures or by measure.
    columns : mapping, optional
        What the columns are, from role to name: ``{"algorithm": "clf", "dataset": "task"}``. Roles are dataset,
        algorithm, replication, measure, value, reason, repeat, fold, n_learn, n_test, direction, units, scale.
    rows : {"dataset", "replication"}, optional
        What a row of a wide table is, where the table does not say.
    dataset : str, optional
        Name of the data set, where the form has none; otherwise it is called ``"data"``.
    levels : sequence of str, optional
        The levels of a nested dict from the outside in, such as ``("dataset", "algorithm", "measure")``.
    labels : mapping, optional
        The axes of an array in their order, each with its labels; None numbers an axis.

    Returns
    -------
    Results
        With `origin` saying what was recognised. The page *Data shapes* says which forms there are, how columns are
        recognised, and what is refused.

    Examples
    --------
    >>> import pandas as pd, podium
    >>> frame = pd.DataFrame({"dataset": ["iris", "wine"], "svm": [0.97, 0.98], "knn": [0.96, 0.71]})
    >>> podium.read(frame, measure="accuracy")
    Results: 2 data sets × 1 replication × 2 algorithms × 1 measure
      data sets    iris, wine
      replications 1
      algorithms   svm, knn
      measures     accuracy (greater is better)
      missing      none of 4 cells
      read from    wide table, 2 rows; rows named by 'dataset'; algorithms in 2 columns
    """
    asked = Asked(
        direction=direction,
        maximize=maximize,
        measure=measure,
        units=units,
        scale=scale,
        columns=columns,
        rows=rows,
        dataset=dataset,
        levels=levels,
        labels=labels,
    )
    if isinstance(source, str | os.PathLike):
        return _from_file(source, asked)
    return _as_results(_from_memory(source, asked))


def _from_file(source: str | os.PathLike[str], asked: Asked) -> Results:
    if isinstance(source, str) and source.lstrip()[:1] in ("{", "["):
        raise InputError("`source` is text, not a path. Text in JSON is read with podium.read(json.loads(text)).")
    path = Path(source).expanduser()
    kind = file_kind(path)
    if not path.is_file():
        raise InputError(f"There is no file {str(path)!r}.")
    if kind == "csv":
        frame, rows = read_csv(path, asked.columns)
        cube = _from_frame(frame, asked, rows)
    elif kind == "parquet":
        frame, stored = read_parquet(path)
        cube = _from_frame(frame, asked, stored=stored)
    else:
        cube = _from_memory(load_json(path), asked)
    return _as_results(cube, prefix=f"{path.name}: ")


def _from_memory(source: Any, asked: Asked) -> Cube:
    if isinstance(source, Cube):
        return _told_again(source, asked)
    if hasattr(source, "dims") and hasattr(source, "coords"):
        return from_xarray(source, asked)
    if is_document(source):
        return from_document(source, asked)
    if isinstance(source, Mapping):
        return from_nested(source, asked)
    if isinstance(source, pd.DataFrame):
        return _from_frame(source, asked)
    if isinstance(source, pd.Series):
        return _from_frame(source.to_frame("value" if source.name is None else source.name), asked)
    if isinstance(source, LabelledArray):
        return from_array(source.values, source.labels, asked)
    if isinstance(source, np.ndarray) or asked.labels is not None:
        return from_array(source, asked.labels, asked)
    if isinstance(source, list):
        return _from_frame(records_frame(source), asked)
    if hasattr(source, "to_pandas"):  # polars, Arrow, ...
        return _from_memory(source.to_pandas(), asked)
    raise InputError(
        "`source` must be a path, a table (DataFrame or with to_pandas()), an array, a nested dict or a list of dicts; "
        f"got {type(source).__name__}."
    )


def _from_frame(frame: pd.DataFrame, asked: Asked, rows: Rows | None = None, stored: Stored | None = None) -> Cube:
    table = recognise(frame, asked, rows or Rows(), stored or {})
    return _READERS[table.kind](table, asked)


def _told_again(cube: Cube, asked: Asked) -> Cube:
    """Let the caller's words on the measures of existing results win."""
    asked.only_for("a Results")
    asked.refuse_dataset("these results name their data sets")
    kept = asked.chosen(cube.measure_names)
    cube = take(cube, measure=kept)
    return cube.replace(measures=asked.describe(cube.measure_names, read_note(note(cube.measures))))


def _as_results(cube: Cube, prefix: str = "") -> Results:
    fields = {field.name: getattr(cube, field.name) for field in dataclasses.fields(cube)}
    return Results(**{**fields, "origin": prefix + cube.origin})
