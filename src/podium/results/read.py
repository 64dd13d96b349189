"""`read`: numbers in any usual form become `Results`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from podium.errors import AmbiguousInputError, InputError
from podium.results.cube import Cube
from podium.results.forms.array import from_array, from_xarray
from podium.results.forms.assemble import Rows
from podium.results.forms.files import (
    JSON_FORMAT,
    file_kind,
    from_document,
    load_json,
    read_csv,
    read_parquet,
    records_frame,
)
from podium.results.forms.nested import from_nested
from podium.results.forms.roles import find_roles
from podium.results.forms.table import Describe, Stored, from_long, from_trials, stored_measures
from podium.results.forms.wide import RowMeaning, from_wide
from podium.results.measure_info import Scale, describe_measures
from podium.results.results import Results


def read(
    source: Any,
    *,
    direction: str | Mapping[str, str] | None = None,
    maximize: bool | Mapping[str, bool] | None = None,
    measure: str | Sequence[str] | None = None,
    unit: str | Mapping[str, str] | None = None,
    scale: Scale | Mapping[str, Scale] | None = None,
    columns: Mapping[str, str] | None = None,
    rows: RowMeaning | None = None,
    dataset: str = "data",
    levels: Sequence[str] | str | None = None,
    labels: Mapping[Any, Iterable[Any] | None] | None = None,
) -> Results:
    """Read scores in any usual form.

    The form is recognised, and what was recognised stands in ``origin`` of the outcome. What can be read in two
    ways is refused, with the argument that decides.

    Parameters
    ----------
    source : path, DataFrame, array, xarray.DataArray, dict or list of dicts
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
        Name of the measure, where the form does not name it; in a table of trials, which columns are measures.
    unit, scale : str or mapping, optional
        Unit, and scale (``"linear"`` or ``"log"``), for all measures or by measure.
    columns : mapping, optional
        What the columns are, from role to name: ``{"algorithm": "clf", "dataset": "task"}``. Roles are dataset,
        algorithm, replication, measure, value, reason, repeat, fold, n_learn, n_test, direction, unit, scale.
    rows : {"dataset", "replication"}, optional
        What a row of a wide table is, where the table does not say.
    dataset : str, default "data"
        Name of the data set, where the form has none.
    levels : sequence of str, optional
        The levels of a nested dict from the outside in, such as ``("dataset", "algorithm", "measure")``.
    labels : mapping, optional
        The axes of an array in their order, each with its labels; None numbers an axis.

    Returns
    -------
    Results

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
    if isinstance(source, Cube):
        return _as_results(source)
    describe = partial(describe_measures, direction=direction, maximize=maximize, unit=unit, scale=scale)
    stored: Stored = {}
    names = Rows()
    prefix = ""
    if isinstance(source, str | Path):
        path = Path(source)
        if not path.exists():
            raise InputError(f"There is no file {str(path)!r}.")
        prefix = f"{path.name}: "
        kind = file_kind(path)
        if kind == "csv":
            source, names = read_csv(path, columns), Rows("line", 2)
        elif kind == "parquet":
            source, stored = read_parquet(path)
        else:
            source = load_json(path)
    one = measure if isinstance(measure, str) or measure is None else _only(measure)
    if isinstance(source, Mapping) and source.get("format") == JSON_FORMAT:
        cube = _retold(from_document(source), describe)
    elif isinstance(source, Mapping):
        cube = from_nested(source, levels, describe, measure=one, dataset=dataset)
    elif hasattr(source, "dims") and hasattr(source, "coords"):
        cube = from_xarray(source, describe, measure=one, dataset=dataset)
    elif isinstance(source, np.ndarray) or labels is not None:
        cube = from_array(source, labels, describe, measure=one, dataset=dataset)
    elif isinstance(source, pd.DataFrame | list):
        frame = records_frame(source) if isinstance(source, list) else source
        cube = _from_frame(
            frame,
            describe,
            stored,
            names,
            columns=columns,
            measure=measure,
            dataset=dataset,
            row_meaning=rows,
        )
    else:
        raise InputError(
            f"`source` must be a path, a DataFrame, an array, a nested dict or a list of dicts; "
            f"got {type(source).__name__}."
        )
    return _as_results(cube.replace(origin=prefix + cube.origin))


def _from_frame(
    frame: pd.DataFrame,
    describe: Describe,
    stored: Stored,
    names: Rows,
    *,
    columns: Mapping[str, str] | None,
    measure: str | Sequence[str] | None,
    dataset: str,
    row_meaning: RowMeaning | None,
) -> Cube:
    """Tell long, trials and wide tables apart, and read each its way."""
    stored = stored or stored_measures(frame.attrs.get("podium"))
    if measure is None and isinstance(frame.columns.name, str) and len(stored) == 1:
        measure = next(iter(stored))
    frame = _with_index_as_columns(frame, columns)
    if frame.empty:
        raise InputError("The table is empty: it has no row.")
    roles = find_roles(frame.columns, columns)
    kind = _table_kind(roles)
    if kind == "long":
        return from_long(frame, roles, describe, dataset=dataset, stored=stored, rows=names)
    if kind == "trials":
        return from_trials(frame, roles, describe, measure=measure, dataset=dataset, stored=stored, rows=names)
    return from_wide(
        frame,
        roles,
        describe,
        measure=_only(measure) if measure is not None else None,
        dataset=dataset,
        row_meaning=row_meaning,
        stored=stored,
        rows=names,
    )


def _table_kind(roles: Mapping[Any, Any]) -> Literal["long", "trials", "wide"]:
    if "algorithm" not in roles:
        return "wide"
    if "measure" not in roles:
        return "trials"
    if "value" not in roles:
        raise AmbiguousInputError(
            f"The table has a column of measures, {str(roles['measure'])!r}, and none that is known to hold their "
            "values. Say which one does: columns={'value': ...}."
        )
    return "long"


def _with_index_as_columns(frame: pd.DataFrame, columns: Mapping[str, str] | None) -> pd.DataFrame:
    """Bring labels out of the index: named levels always, an unnamed index of text if the table is wide."""
    frame = frame.copy(deep=False)
    frame.columns.name = None
    if any(name is not None for name in frame.index.names):
        return frame.reset_index()
    is_text = not pd.api.types.is_numeric_dtype(frame.index.dtype)
    if is_text and "algorithm" not in find_roles(frame.columns, columns):
        return frame.rename_axis("(index)").reset_index()
    return frame.reset_index(drop=True)


def _only(measure: str | Sequence[str]) -> str:
    if isinstance(measure, str):
        return measure
    if len(measure) != 1:
        raise InputError(f"`measure` must be one name here: the table holds one measure; got {list(measure)!r}.")
    return measure[0]


def _retold(cube: Cube, describe: Describe) -> Cube:
    """Let the caller's words on measures win over a document's."""
    return cube.replace(measures=describe(cube.measure_names, stored={i.name: i for i in cube.measures}))


def _as_results(cube: Cube) -> Results:
    return Results(**{name: getattr(cube, name) for name in cube.__dataclass_fields__})
