"""`read`: scores in any common form become `Results`."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from podium.checks import check_call, check_path
from podium.errors import InputError
from podium.results.formats import FORMATS, load_file
from podium.results.forms.arguments import Arguments, RowMeaning
from podium.results.forms.source import from_source
from podium.results.forms.table import NumberedFrame
from podium.results.measure_info import Scale
from podium.results.plausibility import warn_of_implausible_values
from podium.results.results import Results


@check_call
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
    """Read scores in any common form.

    The form is recognised; ``origin`` of the outcome says what was recognised. A source that can be read in two ways
    is refused, and the message names the argument that decides.

    Parameters
    ----------
    source : path, DataFrame, Series, array, xarray.DataArray, dict, list of dicts, or anything with ``to_pandas()``
        A ``.csv``, ``.tsv``, ``.txt``, ``.parquet`` or ``.json`` file; or a table in memory:

        - *long*: columns dataset, algorithm, replication, measure, value;
        - *trials*: columns dataset, algorithm, replication and one column per measure;
        - *wide*: one column per algorithm, one row per data set or replication;
        - an array with `labels`; nested dicts with `levels`; a list of dicts, one per row.
    direction : str or mapping, optional
        ``"lower"`` or ``"greater"`` is better, for all measures or by measure. Names like ``accuracy`` or
        ``Misclassification`` imply a direction; for others it must be given.
    maximize : bool or mapping, optional
        Alternative to `direction`: True where greater is better.
    measure : str or list of str, optional
        Name of the measure, where the form does not name it; which measures to take, where it does; in a table of
        trials, which columns are measures.
    units, scale : str or mapping, optional
        Units, and scale (``"linear"`` or ``"log"``), for all measures or by measure.
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
        Its `origin` says what was recognised. The page *Data shapes* describes the forms, how columns are recognised,
        and what is refused.

    Warns
    -----
    ImplausibleValuesWarning
        Where the name of a measure implies limits (accuracies, AUC, error rates, F1, ...) and values lie outside, or
        fractions and percentages are mixed.
    IndexColumnWarning
        Where a column that counts the rows of a wide table is taken for an algorithm.

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
    arguments = Arguments(
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
    prefix = ""
    if isinstance(source, str | os.PathLike):
        if isinstance(source, str) and source.lstrip()[:1] in ("{", "["):
            raise InputError("`source` is text, not a path. Read JSON text with podium.read(json.loads(text)).")
        path = check_path(source, "source")
        source, prefix = load_file(path, arguments), f"{path.name}: "
    try:
        cube = from_source(source, arguments)
    except InputError as error:
        raise _foreign(source, arguments) or error from None
    warn_of_implausible_values(cube, stacklevel=3)  # past this function and its check of arguments
    fields = {field.name: getattr(cube, field.name) for field in dataclasses.fields(cube)}
    return Results(**{**fields, "origin": prefix + cube.origin})


def _foreign(source: Any, arguments: Arguments) -> InputError | None:
    """Build the error for a table of another tool that has its own reader; None for any other source."""
    if arguments.columns is not None:  # the caller knows the columns, and the first error is about them
        return None
    source = source.frame if isinstance(source, NumberedFrame) else source
    for format in FORMATS.values():
        if format.recognise is not None and format.recognise(source):
            return InputError(f"This is {format.name}. {format.way_out}")
    return None
