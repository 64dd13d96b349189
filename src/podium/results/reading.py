"""`read`: scores in any common form become `Results`."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from glob import glob
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.checks import check_call, check_keys, check_path, describe, is_database
from podium.errors import InputError, plural
from podium.results.cube import Cube
from podium.results.formats import WAREHOUSES, load_file, recognised
from podium.results.forms.arguments import Arguments, RowMeaning
from podium.results.forms.array import LabelledArray, from_array, from_xarray
from podium.results.forms.columns import RowNames
from podium.results.forms.document import from_document, is_document, records_frame
from podium.results.forms.long import from_long
from podium.results.forms.nested import from_nested
from podium.results.forms.table import NumberedFrame, recognise
from podium.results.forms.trials import from_trials
from podium.results.forms.wide import from_wide
from podium.results.measure_info import Scale, read_measures, write_measures
from podium.results.plausibility import warn_of_implausible_values
from podium.results.results import Results
from podium.results.selection import take
from podium.results.text_files import load_json

_READERS = {"long": from_long, "trials": from_trials, "wide": from_wide}


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
    sheet: str | None = None,
    levels: Sequence[str] | str | None = None,
    labels: Mapping[Any, Iterable[Any] | None] | None = None,
    independent: bool = False,
) -> Results:
    """Read scores in any common form.

    The form is recognised; ``origin`` of the outcome says what was recognised. A source that can be read in two ways
    is refused, and the message names the argument that decides.

    Parameters
    ----------
    source : path, DataFrame, Series, array, xarray.DataArray, dict, list of dicts, or anything with ``to_pandas()``
        A ``.csv``, ``.tsv``, ``.txt``, ``.parquet``, ``.json``, ``.jsonl`` or ``.xlsx`` file; several of them, as a
        list of paths or as a path with ``*``, whose results are combined; or a table in memory:

        - *long*: columns dataset, algorithm, replication, measure, value;
        - *trials*: columns dataset, algorithm, replication and one column per measure;
        - *wide*: one column per algorithm, one row per data set or replication;
        - an array with `labels`; nested dicts with `levels`; a list of dicts, one per row;
        - the file of a `podium.Warehouse`, from a run or a `podium.Recorder`;
        - what other tools return or write: scikit-learn's ``cross_validate`` and ``cv_results_``, optuna, mlr3,
          benchopt, OpenML, the AutoML benchmark, lm-evaluation-harness; see the page *Data shapes*.
    direction : str or mapping, optional
        ``"lower"`` or ``"higher"`` is better, for all measures or by measure. Names like ``accuracy`` or
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
        algorithm, replication, measure, value, reason, repeat, fold, n_learn, n_test, independent, planned, direction,
        units, scale.
    rows : {"dataset", "replication"}, optional
        What a row of a wide table is, where the table does not say.
    dataset : str, optional
        Name of the data set, where the form has none; otherwise it is called ``"data"``.
    sheet : str, optional
        The sheet of an Excel file that has several.
    levels : sequence of str, optional
        The levels of a nested dict from the outside in, such as ``("dataset", "algorithm", "measure")``.
    labels : mapping, optional
        The axes of an array in their order, each with its labels; None numbers an axis.
    independent : bool, default False
        Whether the replications of a data set are known to be independent of each other: questions, images, subjects,
        or samples that were drawn afresh; not resamples of one data set. It is kept as ``structure["independent"]``
        and written with the scores.

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
      measures     accuracy (higher is better)
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
        sheet=sheet,
        levels=levels,
        labels=labels,
        independent=independent,
    )
    files = _several_files(source)
    if files is not None:
        return _combined([_read(path, arguments) for path in files])
    return _read(source, arguments)


def check_reading(reading: Mapping[str, object], function: Callable[..., Any]) -> None:
    """Refuse options that neither `read` nor the function that passes them on has."""
    own = [name for name, one in signature(function).parameters.items() if one.kind is not Parameter.VAR_KEYWORD]
    options = [name for name in signature(read).parameters if name not in own]
    check_keys(reading, [*own, *options], f"{function.__name__}()", "option")


def refuse_reading(reading: Mapping[str, object], source: object) -> None:
    """Refuse options of `read` where the source is not a table that is read."""
    if reading:
        of_run = isinstance(source, str | os.PathLike)
        state = "belongs to a run, which records this itself" if of_run else "has been read"
        first = next(iter(reading))
        raise InputError(
            f"`{first}` says how a table is read; {describe(source)} {state}. Leave it out.", path=(first,)
        )


def _read(source: Any, arguments: Arguments) -> Results:
    """Read one source."""
    prefix = ""
    if isinstance(source, str | os.PathLike):
        if isinstance(source, str) and source.lstrip()[:1] in ("{", "["):  # what `to_json` returns
            source, prefix = load_json(source, "the text"), "text: "
        else:
            path = check_path(source, "source")
            if path.suffix.lower() in WAREHOUSES or is_database(path):
                return _read_warehouse(path, arguments)
            source, prefix = load_file(path, arguments), f"{path.name}: "
    # Where the caller names the columns, these decide; otherwise a table of another tool is recognised.
    tool = recognised(source) if arguments.columns is None else None
    if tool is not None and tool.convert is not None:
        source = tool.convert(source.frame if isinstance(source, NumberedFrame) else source, arguments)
    cube = from_source(source, arguments)
    warn_of_implausible_values(cube, stacklevel=4)  # past this function, `read` and its check of arguments
    fields = {field.name: getattr(cube, field.name) for field in dataclasses.fields(cube)}
    if arguments.independent:
        fields["structure"] = {**cube.structure, "independent": cube.design.astype(np.int64)}
    if tool is not None:
        fields |= {"form": tool.name, "origin": f"{tool.name}, as {cube.origin}"}
    return Results(**{**fields, "origin": prefix + fields["origin"]})


def _several_files(source: Any) -> list[Path] | None:
    """List the files of a list of paths, or those that match a path with ``*`` or ``?``; None for any other source."""
    if isinstance(source, list) and source and all(isinstance(path, str | os.PathLike) for path in source):
        return [check_path(path, "source") for path in source]
    if not isinstance(source, str | os.PathLike) or not any(mark in os.fspath(source) for mark in "*?"):
        return None
    pattern = check_path(source, "source")
    if pattern.exists():
        return None
    found = sorted(Path(name) for name in glob(str(pattern), recursive=True))
    if not found:
        raise InputError(f"`source`: no file matches {str(pattern)!r}.")
    return found


def _combined(parts: list[Results]) -> Results:
    """Combine the results of several files."""
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.combine(part)
    forms = {part.form for part in parts}
    origin = f"{plural(len(parts), 'file')}, the first {parts[0].origin}" if len(parts) > 1 else parts[0].origin
    return whole.replace(form=forms.pop() if len(forms) == 1 else "", origin=origin)


def _read_warehouse(path: Path, arguments: Arguments) -> Results:
    """Read what a run or a loop has recorded."""
    given = {field.name: getattr(arguments, field.name) for field in dataclasses.fields(arguments)}
    refuse_reading({n: g for n, g in given.items() if n != "measure" and g not in (None, False, ())}, str(path))
    store = import_module("podium.store")  # which stands on this package
    with store.Warehouse(path, readonly=True) as warehouse:
        results: Results = warehouse.results()
    return results if arguments.measure is None else results.select(measure=arguments.measure)


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
